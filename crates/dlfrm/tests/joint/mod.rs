//! Draws from the joint distribution of the model and its labels, and the kernels to be tried on them.

mod calibration;

use std::sync::Arc;

use dlfrm::covariates::{Attributes, Design, Field, FieldValues, Matrix};
use dlfrm::model::{Linear, Nu, Shape, ValidSettings, Weights};
use dlfrm::network::{Pair, Pairs};
use dlfrm::random::{Purpose, Stream};
use dlfrm::testing::{
    ALPHA_PRIOR, Augmentation, Context, Division, PRECISION_PRIOR, RATIO_PRIOR, State, Step, StreamKey,
    augment, collapsed_rows, features, hyper, ibp, intercept, linear, weights,
};
use rand::RngExt;
use rand_distr::{Distribution, Gamma, StandardNormal};

/// Parameters, augmentation variables and labels: a point of the joint distribution.
pub(crate) struct Point {
    pub state: State,
    pub pairs: Pairs,
}

/// Draws points and moves them. The tables of the augmentation are built once.
pub(crate) struct Simulator {
    settings: ValidSettings,
    shape: Shape,
    /// Pairs whose labels do not count.
    observed: Pairs,
    augmentation: Augmentation,
    largest_factor: usize,
    features: features::Scratch,
    collapsed_rows: collapsed_rows::Scratch,
    weights: weights::Scratch,
    intercept: Vec<intercept::Part>,
    linear: linear::Scratch,
    design: Design,
    augment: augment::Scratch,
    division: Division,
}

impl Simulator {
    /// For a loss that is a likelihood: the logistic one, with unit costs.
    pub(crate) fn new(observed: Pairs, settings: ValidSettings, largest_factor: usize) -> Self {
        assert_eq!((settings.c_pos, settings.c_neg), (1.0, 1.0));
        let shape = match (settings.model.diagonal(), observed.symmetric()) {
            (true, _) => Shape::Diagonal,
            (false, true) => Shape::Symmetric,
            (false, false) => Shape::Full,
        };
        Self {
            augmentation: Augmentation::new(&settings).unwrap(),
            settings,
            shape,
            division: Division::whole(&observed),
            observed,
            largest_factor,
            features: features::Scratch::default(),
            collapsed_rows: collapsed_rows::Scratch::default(),
            weights: weights::Scratch::default(),
            intercept: Vec::new(),
            linear: linear::Scratch::default(),
            design: Design::default(),
            augment: augment::Scratch::default(),
        }
    }

    /// The same with the work divided as in a large network.
    pub(crate) fn in_classes(self) -> Self {
        Self { division: Division::fine(&self.observed), ..self }
    }

    /// The same with two covariates of each pair.
    pub(crate) fn with_covariates(self) -> Self {
        let row = |pair: usize| vec![(pair as f32 * 0.9).sin(), f32::from(u8::from(pair.is_multiple_of(3)))];
        let rows: Vec<Vec<f32>> = (0..self.observed.len()).map(row).collect();
        let design = Design { pairs: Matrix::from_rows(&rows), ..self.design };
        Self { design, ..self }
    }

    /// The same with a number and a list of words of each node, which all are missing for one.
    pub(crate) fn with_attributes(self) -> Self {
        let nodes = self.observed.nodes();
        let number = |node: usize| (node > 0).then(|| (node as f64 * 1.7).sin());
        let list = |node: usize| match node {
            0 => vec![],
            _ => vec![(0, 1.0), (1 + (node % 2) as u32, 2.0)],
        };
        let words = FieldValues::Words {
            words: ["one", "two", "three"].map(str::to_owned).to_vec(),
            lists: (0..nodes).map(list).collect(),
        };
        let numbers = FieldValues::Numbers((0..nodes).map(number).collect());
        let field = |name: &str, values| Field { name: name.to_owned(), values };
        let fields = vec![field("words", words), field("number", numbers)];
        let attributes = Some(Arc::new(Attributes::new(nodes, fields).unwrap()));
        Self { design: Design { nodes: attributes, ..self.design }, ..self }
    }

    /// Marginal-conditional simulation: parameters from their prior, then labels given them.
    pub(crate) fn draw(&mut self, key: StreamKey) -> Point {
        let settings = &self.settings;
        let mut rng = key.stream(Purpose::Start, 0);
        let alpha = if settings.learn_alpha { gamma(ALPHA_PRIOR, &mut rng) } else { settings.alpha };
        let mut nu = Nu::same(settings.nu);
        if settings.learn_nu {
            nu = Nu::same(gamma(PRECISION_PRIOR, &mut rng).sqrt());
            if self.shape != Shape::Diagonal {
                nu.between *= gamma(RATIO_PRIOR, &mut rng).sqrt();
            }
        }
        let features = ibp::draw(self.observed.nodes(), alpha, &mut rng);
        let slots = features.slots();
        let mut weights = Weights::new(self.shape, slots);
        Weights::new(self.shape, slots)
            .for_each_free(slots, |k, l, _| weights.set(k, l, normal(&mut rng) / nu.of(k, l)));
        let intercept = if settings.intercept { settings.intercept_sd * normal(&mut rng) } else { 0.0 };
        let rates = vec![0.0; self.observed.len()];
        let linear = self.draw_linear(&mut rng);
        let offsets = vec![];
        let mut state = State { features, weights, rates, intercept, linear, offsets, alpha, nu };
        let context = Context::new(&self.observed, settings, &self.division, key);
        linear::fill_offsets(&context, &self.design, &mut state);
        let mut point = Point { state, pairs: self.observed.clone() };
        self.redraw_labels(&mut point, key);
        point
    }

    fn draw_linear(&self, rng: &mut Stream) -> Linear {
        let settings = &self.settings;
        let draws = |sd: f64, count: usize, rng: &mut Stream| -> Vec<f64> {
            (0..count).map(|_| sd * normal(rng)).collect()
        };
        let coefficients = draws(settings.coefficient_sd, self.design.pairs.width(), rng);
        let mut linear = Linear { coefficients, ..Linear::default() };
        if settings.node_effects {
            for end in 0..if self.observed.symmetric() { 1 } else { 2 } {
                linear.precisions[end] = gamma(PRECISION_PRIOR, rng);
                let sd = linear.precisions[end].sqrt().recip();
                linear.effects[end] = draws(sd, self.observed.nodes(), rng);
            }
        }
        if let Some(attributes) = &self.design.nodes {
            for end in 0..if self.observed.symmetric() { 1 } else { 2 } {
                for group in attributes.groups() {
                    let precision = gamma(PRECISION_PRIOR, rng);
                    linear.attribute_precisions[end].push(precision);
                    linear.attributes[end].extend(draws(precision.sqrt().recip(), group.len(), rng));
                }
            }
        }
        linear
    }

    /// Draws the labels given the parameters, and the augmentation variables given both.
    pub(crate) fn redraw_labels(&mut self, point: &mut Point, key: StreamKey) {
        let mut rng = key.stream(Purpose::Generate, 0);
        let state = &mut point.state;
        let labelled = self.observed.iter().enumerate().map(|(number, pair)| {
            let logit = state.offset(number) + state.latent(pair.source as usize, pair.target as usize);
            Pair { link: rng.random::<f64>() * (1.0 + (-logit).exp()) < 1.0, ..pair }
        });
        point.pairs = Pairs::new(self.observed.nodes(), self.observed.symmetric(), labelled);
        // The stream of this key's augmentation belongs to the step of that name.
        let key = StreamKey { seed: !key.seed, ..key };
        let (settings, division) = (&self.settings, &self.division);
        let context = Context::new(&point.pairs, settings, division, key);
        augment::update(&context, &self.augmentation, state, &mut self.augment);
    }

    /// One step of a sweep, as the chain makes it.
    pub(crate) fn step(&mut self, step: Step, point: &mut Point, key: StreamKey) {
        let Point { state, pairs } = point;
        let settings = &self.settings;
        let context = Context::new(pairs, settings, &self.division, key);
        match step {
            Step::Features => {
                features::update(&context, state, &mut self.features);
            }
            Step::Weights => {
                weights::update(&context, self.largest_factor, state, &mut self.weights);
            }
            Step::Linear if !state.linear.is_empty() => {
                let info =
                    linear::update(&context, &self.augmentation, &self.design, state, &mut self.linear);
                assert_eq!(info.conjugate_gradients.unconverged, 0);
            }
            Step::Intercept
                if settings.intercept && self.shape != Shape::Diagonal && state.linear.is_empty() =>
            {
                intercept::update(&context, state, &mut self.intercept);
            }
            Step::Intercept | Step::Linear => {}
            Step::Alpha => hyper::update_alpha(&context, state),
            Step::Nu => hyper::update_nu(&context, state),
            Step::CollapsedRows => {
                collapsed_rows::update(&context, state, &mut self.collapsed_rows);
            }
            Step::Augment => {
                augment::update(&context, &self.augmentation, state, &mut self.augment);
            }
        }
    }
}

/// What is compared; everything that could be large is held in bounds or taken to its logarithm, so that
/// means and standard errors can be trusted.
pub(crate) const FUNCTIONS: [&str; 20] = [
    "features",
    "features squared",
    "singletons",
    "ones",
    "features of the first node",
    "log squared weights on the diagonal",
    "log squared weights off the diagonal",
    "tanh of the summed weights",
    "mean tanh logit",
    "mean squared tanh logit",
    "two logits of one source",
    "two logits of one target",
    "logits of the first and the last pair",
    "tanh intercept",
    "squared tanh intercept",
    "links",
    "links squared",
    "labels times logits",
    "rates times squared logits",
    "intercept times features",
];

/// More of them, for what may be learned.
pub(crate) const LEARNED: [&str; 25] = [
    "log alpha",
    "alpha times features",
    "log nu",
    "log nu times features",
    "first coefficient",
    "two coefficients",
    "second coefficient squared",
    "coefficient times links",
    "effect of the first source",
    "squared effect of a source",
    "effects of source and target",
    "effect times intercept",
    "effect of a target times links",
    "log precision of sources",
    "log precision of targets",
    "log precision times features",
    "first word of a source",
    "first word times links",
    "two words",
    "number of a source squared",
    "word of a target times intercept",
    "word of a target times its effect",
    "log precision of words",
    "log precision of numbers",
    "log precision of the numbers of targets times links",
];

/// The values of all functions, in the order of their names.
pub(crate) fn values(point: &Point) -> Vec<f64> {
    let Point { state, pairs } = point;
    let features = state.features.active() as f64;
    let counts = state.features.counts();
    let (mut on, mut off, mut sum) = (0.0, 0.0, 0.0);
    state.weights.for_each_free(state.features.slots(), |k, l, weight| {
        *if k == l { &mut on } else { &mut off } += weight * weight;
        sum += weight;
    });
    let logit = |number: usize, pair: &Pair| {
        state.offset(number) + state.latent(pair.source as usize, pair.target as usize)
    };
    let list: Vec<(Pair, f64)> =
        pairs.iter().enumerate().map(|(number, pair)| (pair, logit(number, &pair).tanh())).collect();
    let Linear { coefficients, effects, precisions, attributes, attribute_precisions } = &state.linear;
    let coefficient = |k: usize| coefficients.get(k).map_or(0.0, |value: &f64| value.tanh());
    let effect = |end: usize, node: usize| effects[end].get(node).map_or(0.0, |value: &f64| value.tanh());
    let attribute =
        |end: usize, column: usize| attributes[end].get(column).map_or(0.0, |value: &f64| value.tanh());
    let precision =
        |end: usize, group: usize| attribute_precisions[end].get(group).map_or(0.0, |value: &f64| value.ln());
    let mean = |value: &dyn Fn(usize) -> f64| (0..list.len()).map(value).sum::<f64>() / list.len() as f64;
    let (first, last) = (list[0], list[list.len() - 1]);
    let same_target = list.iter().find(|(pair, _)| pair.target == last.0.target).expect("at least itself");
    let links = pairs.links() as f64;
    let intercept = state.intercept.tanh();
    vec![
        features,
        features * features,
        counts.iter().filter(|&&count| count == 1).count() as f64,
        counts.iter().map(|&count| f64::from(count)).sum(),
        state.features.row(0).len() as f64,
        on.ln_1p(),
        off.ln_1p(),
        sum.tanh(),
        mean(&|d| list[d].1),
        mean(&|d| list[d].1.powi(2)),
        first.1 * list[1].1,
        same_target.1 * last.1,
        first.1 * last.1,
        intercept,
        intercept * intercept,
        links,
        links * links,
        mean(&|d| if list[d].0.link { list[d].1 } else { -list[d].1 }),
        mean(&|d| state.rates[d].min(1.0) * list[d].1.powi(2)),
        intercept * features,
        state.alpha.ln(),
        state.alpha.ln() * features,
        state.nu.own.ln(),
        state.nu.own.ln() * features,
        state.nu.between.ln(),
        state.nu.between.ln() * state.nu.own.ln(),
        state.nu.between.ln() * features,
        coefficient(0),
        coefficient(0) * coefficient(1),
        coefficient(1).powi(2),
        coefficient(0) * links,
        effect(0, 0),
        effect(0, 1).powi(2),
        effect(0, 1) * effect(1, 2),
        effect(0, 0) * intercept,
        effect(1, 0) * links,
        precisions[0].ln(),
        precisions[1].ln(),
        precisions[0].ln() * features,
        attribute(0, 0),
        attribute(0, 0) * links,
        attribute(0, 1) * attribute(0, 2),
        attribute(0, 3).powi(2),
        attribute(1, 1) * intercept,
        attribute(1, 0) * effect(1, 1),
        precision(0, 0),
        precision(0, 1),
        precision(1, 1) * links,
    ]
}

fn normal(rng: &mut Stream) -> f64 {
    StandardNormal.sample(rng)
}

fn gamma((shape, rate): (f64, f64), rng: &mut Stream) -> f64 {
    Gamma::new(shape, 1.0 / rate).unwrap().sample(rng)
}
