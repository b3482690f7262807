//! The sampler against brute force: every feature matrix of a tiny network, weights by quadrature.
//!
//! For three nodes and at most two features the posterior of the class of Z (up to the order of
//! columns) and of the logits is computed by enumeration and quadrature; a long chain, conditioned on at
//! most two features, must visit each class and average each logit as often as it should. This is the
//! test that finds a wrong kernel.
//!
//! Error budget: standard errors come from 100 batch means; |z| < 5 has a false alarm rate below 3e-6 per
//! comparison (t distribution, 99 degrees of freedom); about 1,000 comparisons: 3e-3 for the whole file,
//! with fixed seeds. Quadrature errors are below a tenth of a standard error.

mod exact;

use std::sync::Arc;

use dlfrm::covariates::{Attributes, Design, Field, FieldValues, Matrix};
use dlfrm::model::{Features, Model, Settings, Start, ValidSettings};
use dlfrm::network::{Pair, Pairs};
use dlfrm::testing::{Chain, Division, SharedChain, SharedRelation, State, Step};
use exact::Exact;

const BATCHES: usize = 100;
const SWEEPS: usize = 200_000;
/// So many weights are drawn by factorisation, more by conjugate gradients.
const FACTORISED: usize = 2500;

/// Five of the six ordered pairs of three nodes.
fn directed() -> Pairs {
    let list = [(0, 1, true), (1, 0, false), (0, 2, false), (2, 1, true), (1, 2, true)];
    Pairs::new(3, false, list.map(|(source, target, link)| Pair { source, target, link }))
}

/// Two of the three unordered pairs.
fn undirected() -> Pairs {
    let list = [(0, 1, true), (1, 2, false)];
    Pairs::new(3, true, list.map(|(source, target, link)| Pair { source, target, link }))
}

/// Four nodes, few pairs: rows without pairs on a side, supports smaller than the features.
fn sparse() -> Pairs {
    let list = [(0, 1, true), (2, 0, false), (1, 3, true)];
    Pairs::new(4, false, list.map(|(source, target, link)| Pair { source, target, link }))
}

fn settings(model: &str) -> Settings {
    Settings {
        model: model.parse::<Model>().unwrap(),
        c_pos: 1.7,
        c_neg: 0.6,
        margin: 0.8,
        alpha: 0.8,
        learn_alpha: false,
        nu: 0.7,
        learn_nu: false,
        intercept: false,
        max_new: 6,
        start: Start::Prior,
        seed: 20_161,
        ..Settings::default()
    }
}

/// Runs the chain and compares; prints the worst quantity.
fn compare(pairs: &Pairs, settings: Settings, largest_factor: usize) {
    compare_steps(pairs, settings, largest_factor, &Step::SWEEP);
}

/// The same for a sweep of some steps.
fn compare_steps(pairs: &Pairs, settings: Settings, largest_factor: usize, steps: &[Step]) {
    compare_divided(pairs, Design::default(), settings, largest_factor, steps, Division::new(pairs));
}

/// The same with a linear part, and for a division of the work.
fn compare_divided(
    pairs: &Pairs,
    design: Design,
    settings: Settings,
    largest_factor: usize,
    steps: &[Step],
    division: Division,
) {
    let settings: ValidSettings = settings.check().unwrap();
    let exact = Exact::new(pairs, &design, &settings);
    let chain = Chain::divided(pairs, Arc::new(design), &settings, 0, Arc::new(division)).unwrap();
    let mut chain = chain.with_largest_factor(largest_factor);
    visit(&exact, &settings, |visited| {
        chain.begin_sweep();
        for &step in steps {
            chain.step(step);
        }
        visited(&chain.state().features, &mut logits(pairs, chain.state()));
    });
}

/// The logits of all pairs.
fn logits<'a>(pairs: &'a Pairs, state: &'a State) -> impl Iterator<Item = f64> + 'a {
    pairs
        .iter()
        .enumerate()
        .map(|(number, pair)| state.offset(number) + state.latent(pair.source as usize, pair.target as usize))
}

/// Compares what a chain visits with what it should: `sweep` makes a sweep and passes its features and logits on.
fn visit(
    exact: &Exact,
    settings: &ValidSettings,
    mut sweep: impl FnMut(&mut dyn FnMut(&Features, &mut dyn Iterator<Item = f64>)) + Send,
) {
    let classes = exact.classes.len();
    let mut sums = vec![vec![0.0; BATCHES]; classes + exact.logits.len()];
    let mut kept = vec![0.0; BATCHES];
    one_thread().install(|| {
        for _ in 0..1000 {
            sweep(&mut |_, _| {});
        }
        for number in 0..SWEEPS {
            let batch = number * BATCHES / SWEEPS;
            sweep(&mut |features, logits| {
                let Some(class) = exact.class_of(features) else { return };
                kept[batch] += 1.0;
                sums[class][batch] += 1.0;
                for (sums, logit) in sums[classes..].iter_mut().zip(logits) {
                    sums[batch] += logit.tanh();
                }
            });
        }
    });
    let total: f64 = kept.iter().sum();
    let expected = exact.classes.iter().map(|class| class.probability).chain(exact.logits.iter().copied());
    let (mut worst, mut report) = (0.0, String::new());
    for (quantity, (sums, expected)) in sums.iter().zip(expected).enumerate() {
        // Ratio estimates: the batches' deviations from the expected ratio have mean zero.
        let deviations: Vec<f64> = sums.iter().zip(&kept).map(|(sum, kept)| sum - expected * kept).collect();
        let mean = deviations.iter().sum::<f64>() / BATCHES as f64;
        let variance = deviations.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / (BATCHES - 1) as f64;
        // The spread of the batches is no guide for a class that was hardly seen: bound it by Poisson.
        let floor = (expected.abs() * total).sqrt() / BATCHES as f64;
        let error = (variance / BATCHES as f64).sqrt().max(if quantity < classes { floor } else { 0.0 });
        let z = mean / error;
        if z.abs() > worst {
            worst = z.abs();
            let seen = sums.iter().sum::<f64>() / total;
            report = format!("quantity {quantity}: seen {seen:.5}, expected {expected:.5}, z {z:.2}");
        }
    }
    println!("{}: {report}", settings.model);
    assert!(worst < 5.0, "{}: {report}", settings.model);
}

#[test]
fn full_logistic() {
    compare(&directed(), settings("dlfrm-l"), FACTORISED);
}

#[test]
fn full_hinge() {
    compare(&directed(), settings("dlfrm-h"), FACTORISED);
}

#[test]
fn diagonal_logistic() {
    compare(&directed(), settings("diag-dlfrm-l"), FACTORISED);
}

#[test]
fn diagonal_hinge() {
    compare(&directed(), settings("diag-dlfrm-h"), FACTORISED);
}

#[test]
fn symmetric_logistic() {
    compare(&undirected(), settings("dlfrm-l"), FACTORISED);
}

#[test]
fn symmetric_hinge() {
    compare(&undirected(), settings("dlfrm-h"), FACTORISED);
}

#[test]
fn undirected_diagonal() {
    compare(&undirected(), settings("diag-dlfrm-l"), FACTORISED);
    compare(&undirected(), settings("diag-dlfrm-h"), FACTORISED);
}

/// Collapsed rows draw non-singleton features too, and so hide much of what may be wrong with the rows given the
/// augmentation: these must be right alone.
#[test]
fn without_collapsed_rows() {
    let steps = [Step::Features, Step::Weights, Step::Augment];
    for model in ["dlfrm-l", "dlfrm-h", "diag-dlfrm-h"] {
        compare_steps(&directed(), settings(model), FACTORISED, &steps);
    }
    compare_steps(&undirected(), settings("dlfrm-l"), FACTORISED, &steps);
}

#[test]
fn weights_by_conjugate_gradients() {
    compare(&directed(), settings("dlfrm-l"), 0);
    compare(&directed(), Settings { intercept: true, intercept_sd: 1.5, ..settings("dlfrm-h") }, 0);
    compare(&undirected(), settings("dlfrm-l"), 0);
}

#[test]
fn few_pairs() {
    compare(&sparse(), Settings { alpha: 0.5, ..settings("dlfrm-l") }, FACTORISED);
    compare(&sparse(), Settings { alpha: 0.5, ..settings("diag-dlfrm-h") }, FACTORISED);
}

/// As large networks are swept: several rows at once, given the probabilities of the features. Nodes 0 and 3 have no
/// common pair, nor have 1 and 2.
fn in_classes(model: &str, steps: &[Step]) {
    let pairs = sparse();
    let division = Division::fine(&pairs);
    assert_eq!(division.mean_class(), 2.0);
    let settings = Settings { alpha: 0.5, ..settings(model) };
    compare_divided(&pairs, Design::default(), settings, 0, steps, division);
}

/// With so little to do, handing work to other threads would take far longer than the work.
fn one_thread() -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap()
}

#[test]
fn full_logistic_in_classes() {
    in_classes("dlfrm-l", &Step::SWEEP);
}

#[test]
fn full_hinge_in_classes() {
    in_classes("dlfrm-h", &Step::SWEEP);
}

#[test]
fn diagonal_logistic_in_classes() {
    in_classes("diag-dlfrm-l", &Step::SWEEP);
}

#[test]
fn diagonal_hinge_in_classes() {
    in_classes("diag-dlfrm-h", &Step::SWEEP);
}

#[test]
fn without_collapsed_rows_in_classes() {
    in_classes("diag-dlfrm-h", &[Step::Features, Step::Weights, Step::Augment]);
}

#[test]
fn symmetric_in_classes() {
    let pairs = undirected();
    for model in ["dlfrm-l", "diag-dlfrm-l"] {
        let division = Division::fine(&pairs);
        assert_eq!(division.mean_class(), 1.5);
        let none = Design::default();
        compare_divided(&pairs, none, settings(model), 0, &Step::SWEEP, division);
    }
}

#[test]
fn intercept() {
    for model in ["dlfrm-l", "diag-dlfrm-l", "diag-dlfrm-h"] {
        compare(&directed(), Settings { intercept: true, intercept_sd: 1.5, ..settings(model) }, FACTORISED);
    }
}

/// A covariate of each pair, alone and beside an intercept, also with the work divided.
#[test]
fn covariates() {
    let column = |pairs: &Pairs| {
        let rows: Vec<Vec<f32>> = (0..pairs.len()).map(|d| vec![[1.0, -0.5, 0.0, 2.0, -1.5][d]]).collect();
        Design::from(Matrix::from_rows(&rows))
    };
    let with =
        |intercept, model| Settings { intercept, intercept_sd: 1.5, coefficient_sd: 1.2, ..settings(model) };
    for (pairs, model, intercept) in [
        (directed(), "dlfrm-l", false),
        (directed(), "diag-dlfrm-h", true),
        (directed(), "diag-dlfrm-l", false),
        (undirected(), "dlfrm-h", true),
    ] {
        let division = Division::new(&pairs);
        let settings = with(intercept, model);
        compare_divided(&pairs, column(&pairs), settings, FACTORISED, &Step::SWEEP, division);
    }
    let pairs = sparse();
    let settings = Settings { alpha: 0.5, ..with(true, "diag-dlfrm-l") };
    let division = Division::fine(&pairs);
    compare_divided(&pairs, column(&pairs), settings, 0, &Step::SWEEP, division);
}

/// Non-links that were not sampled count by the features that their ends share, row by row and in classes.
#[test]
fn non_links_that_were_not_sampled() {
    let none = Design::default;
    let column = || Design::from(Matrix::from_rows(&[vec![1.0], vec![-0.5]]));
    let numbers = FieldValues::Numbers(vec![Some(1.0), Some(2.0), Some(3.0)]);
    let field = Field { name: "number".to_owned(), values: numbers };
    let attributes = Some(Arc::new(Attributes::new(3, vec![field]).unwrap()));
    let cases = [
        (sparse(), none(), false, None),
        (sparse(), none(), false, Some([0, 1, 1, 0])),
        (undirected(), column(), true, None),
        (undirected(), Design { nodes: attributes, ..none() }, true, None),
    ];
    for (pairs, design, intercept, in_classes) in cases {
        let pairs = pairs.with_non_link_share(0.6);
        let (division, classes) = match in_classes {
            None => (Division::new(&pairs), [0, 1, 2, 3]),
            Some(classes) => (Division::fine(&pairs), classes),
        };
        let settings = Settings { c_pos: 1.0, c_neg: 1.0, alpha: 0.7, ..settings("diag-dlfrm-l") };
        let settings = Settings { intercept, intercept_sd: 1.5, ..settings }.check().unwrap();
        let exact = Exact::counting(&pairs, &design, &settings, &classes);
        let chain = Chain::divided(&pairs, Arc::new(design), &settings, 0, Arc::new(division)).unwrap();
        let mut chain = chain.with_largest_factor(FACTORISED);
        visit(&exact, &settings, |visited| {
            chain.sweep();
            visited(&chain.state().features, &mut logits(&pairs, chain.state()));
        });
    }
}

/// One number of each node, whose coefficient has a prior precision that is learned.
#[test]
fn attributes() {
    let numbers = FieldValues::Numbers(vec![Some(1.0), Some(2.0), Some(3.0)]);
    let field = Field { name: "number".to_owned(), values: numbers };
    let attributes = Arc::new(Attributes::new(3, vec![field]).unwrap());
    for (intercept, model) in [(false, "diag-dlfrm-l"), (true, "dlfrm-h")] {
        let design = Design { nodes: Some(Arc::clone(&attributes)), ..Design::default() };
        let settings = Settings { intercept, intercept_sd: 1.5, ..settings(model) };
        let pairs = undirected();
        let division = Division::new(&pairs);
        compare_divided(&pairs, design, settings, FACTORISED, &Step::SWEEP, division);
    }
}

/// Two relations of the same nodes with one feature matrix, and weights and intercepts of their own.
#[test]
fn relations_that_share_features() {
    let other = |symmetric| {
        let list = [(0, 1, false), (0, 2, true), (1, 2, true)];
        Pairs::new(3, symmetric, list.map(|(source, target, link)| Pair { source, target, link }))
    };
    let cases = [
        (directed(), other(false), "dlfrm-l", false),
        (directed(), other(false), "diag-dlfrm-h", true),
        (undirected(), other(true), "dlfrm-h", true),
        (undirected(), other(true), "diag-dlfrm-l", false),
    ];
    for (one, other, model, intercept) in cases {
        let settings = Settings { intercept, intercept_sd: 1.5, ..settings(model) }.check().unwrap();
        let exact = Exact::shared(&[&one, &other], &Design::default(), &settings);
        let relations = [&one, &other]
            .into_iter()
            .enumerate()
            .map(|(number, pairs)| SharedRelation::new(pairs, Arc::default(), &settings, number).unwrap());
        let relations: Vec<_> = relations.collect();
        let mut chain = SharedChain::new(&relations, 0).unwrap();
        visit(&exact, &settings, |visited| {
            chain.sweep();
            let [first, second] = chain.relations() else { panic!("two relations") };
            assert_eq!(first.state().features, second.state().features);
            let mut logits = logits(&one, first.state()).chain(logits(&other, second.state()));
            visited(&first.state().features, &mut logits);
        });
    }
}

#[test]
fn learned_alpha() {
    compare(&directed(), Settings { learn_alpha: true, ..settings("dlfrm-l") }, FACTORISED);
    compare(&directed(), Settings { learn_alpha: true, ..settings("diag-dlfrm-h") }, FACTORISED);
}

#[test]
fn learned_nu() {
    compare(&directed(), Settings { learn_nu: true, ..settings("diag-dlfrm-l") }, FACTORISED);
    compare(&undirected(), Settings { learn_nu: true, ..settings("dlfrm-l") }, FACTORISED);
}
