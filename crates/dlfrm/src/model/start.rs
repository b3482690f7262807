//! Where a chain starts.

use rand_distr::{Distribution, StandardNormal};
use serde::{Deserialize, Serialize};

use crate::covariates::Design;
use crate::kernel::StreamKey;
use crate::kernel::augment::{self, Augmentation};
use crate::kernel::linear;
use crate::named::named;
use crate::network::{Division, Pairs};
use crate::random::{Purpose, Stream, stream};

use super::{Features, Linear, Loss, Shape, State, ValidSettings, Weights, ibp};

/// How a chain starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// The paper's Algorithm 1: features from the Indian buffet process, weights from their prior, every
    /// augmentation variable 1.
    Paper,
    /// As the paper's, but the augmentation variables are drawn given the first logits.
    Prior,
    /// No feature; the augmentation variables are drawn given logits of zero.
    Empty,
    /// As [`Prior`](Self::Prior), and the costs rise to their full size in steps over the first two fifths
    /// of the burn-in: features are born one by one where many pairs ask for them, instead of one for
    /// every row at once. None are born in the first tenth of it (five sweeps at most), and while the costs rise the
    /// logistic loss stands in for the hinge.
    Annealed,
}

impl Start {
    /// Every start.
    pub const ALL: [Self; 4] = [Self::Paper, Self::Prior, Self::Empty, Self::Annealed];

    /// The name that flags and files use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Prior => "prior",
            Self::Empty => "empty",
            Self::Annealed => "annealed",
        }
    }
}

named!(Start, "start", Self::ALL);

/// The first state of a chain.
pub(crate) fn start(
    pairs: &Pairs,
    settings: &ValidSettings,
    design: &Design,
    augmentation: &Augmentation,
    division: &Division,
    seed: u64,
    chain: u64,
) -> State {
    let place = StreamKey { seed, chain, sweep: 0 };
    let mut rng = stream(seed, chain, 0, Purpose::Start, 0);
    let features = match settings.start {
        Start::Empty => Features::empty(pairs.entities()),
        Start::Paper | Start::Prior | Start::Annealed => {
            ibp::draw(pairs.entities(), settings.alpha, &mut rng)
        }
    };
    start_with(features, &mut rng, pairs, settings, design, augmentation, division, place)
}

/// The first state of a chain that starts with these features.
#[expect(clippy::too_many_arguments, reason = "a state follows from all of them")]
pub(crate) fn start_with(
    features: Features,
    rng: &mut Stream,
    pairs: &Pairs,
    settings: &ValidSettings,
    design: &Design,
    augmentation: &Augmentation,
    division: &Division,
    place: StreamKey,
) -> State {
    let shape = match (settings.model.diagonal(), pairs.symmetric()) {
        (true, _) => Shape::Diagonal,
        (false, true) => Shape::Symmetric,
        (false, false) => Shape::Full,
    };
    let slots = features.slots();
    let mut weights = Weights::new(shape, slots);
    for k in 0..slots {
        for l in 0..slots {
            if shape == Shape::Full || (shape == Shape::Symmetric && k <= l) || k == l {
                let normal: f64 = StandardNormal.sample(rng);
                weights.set(k, l, normal / settings.nu);
            }
        }
    }
    let ends = |count| if pairs.symmetric() { [count, 0] } else { [count; 2] };
    let effects = ends(if settings.node_effects { pairs.entities() } else { 0 });
    let (width, groups) = design.entities.as_deref().map_or((0, 0), |a| (a.width(), a.groups().len()));
    let mut state = State {
        features,
        weights,
        rates: vec![0.0; pairs.len()],
        intercept: first_intercept(pairs, settings),
        linear: Linear::new(design.pairs.width(), effects, ends(width), groups),
        offsets: vec![],
        alpha: settings.alpha,
        nu: settings.nu,
    };
    linear::fill_offsets(pairs, &mut state, settings, design, division);
    match settings.start {
        // lambda = 1: the rate is lambda under the logistic loss, and c^2 / lambda under the hinge.
        Start::Paper => {
            for (rate, &link) in state.rates.iter_mut().zip(pairs.labels()) {
                *rate = match settings.model.loss {
                    Loss::Logistic => 1.0,
                    Loss::Hinge => settings.cost(link).powi(2),
                };
            }
        }
        Start::Prior | Start::Empty | Start::Annealed => {
            augment::update(pairs, &mut state, augmentation, division, place, &mut Vec::new());
        }
    }
    state
}

/// Where the intercept starts: where it suits all pairs best. Rows come first in a sweep, and from an intercept of
/// zero they would give every entity features of its own to say that links are rare.
fn first_intercept(pairs: &Pairs, settings: &ValidSettings) -> f64 {
    let (links, non_links) = (pairs.links(), pairs.len() - pairs.links());
    if !settings.intercept || settings.start == Start::Paper || links == 0 || non_links == 0 {
        return 0.0;
    }
    let summed = |count: usize, link| count as f64 * settings.cost(link);
    settings.model.loss.best_constant(summed(links, true), summed(non_links, false), settings.margin)
}
