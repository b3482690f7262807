//! The first state of a chain. See "The start of a chain" in `docs/model.md`.

use rand_distr::{Distribution, StandardNormal};

use crate::covariates::Design;
use crate::graph::{Adjacency, communities};
use crate::kernel::{
    Context,
    augment::{self, Augmentation},
    linear,
};
use crate::model::{Features, Linear, Loss, Nu, Shape, Start, State, ValidSettings, Weights, ibp};
use crate::network::Pairs;
use crate::random::{Purpose, Stream};

pub(super) fn start(context: &Context<'_>, design: &Design, augmentation: &Augmentation) -> State {
    let Context { pairs, settings, .. } = *context;
    let mut rng = context.stream(Purpose::Start, 0);
    let features = match settings.start {
        _ if settings.max_new == 0 => Features::empty(pairs.nodes()),
        Start::Empty => Features::empty(pairs.nodes()),
        Start::Paper | Start::Prior | Start::Annealed => ibp::draw(pairs.nodes(), settings.alpha, &mut rng),
        Start::Groups => of_groups(&communities::communities(&Adjacency::undirected(pairs), &mut rng)),
    };
    let state = without_rates(features, context, design, &mut rng);
    if linear::bare(context, design, &state) {
        state
    } else {
        with_rates(state, context, design, augmentation)
    }
}

/// The first state of a chain that starts with these features.
pub(super) fn start_with(
    features: Features,
    context: &Context<'_>,
    design: &Design,
    augmentation: &Augmentation,
    rng: &mut Stream,
) -> State {
    with_rates(without_rates(features, context, design, rng), context, design, augmentation)
}

/// The same without what there is one of for each pair.
fn without_rates(features: Features, context: &Context<'_>, design: &Design, rng: &mut Stream) -> State {
    let Context { pairs, settings, .. } = *context;
    let shape = Shape::of(settings.model, pairs.symmetric());
    let slots = features.slots();
    let mut weights = Weights::new(shape, slots);
    let (mut intercept, mut alpha) = (first_intercept(pairs, settings), settings.alpha);
    if settings.start == Start::Groups {
        intercept = fit_own_weights(pairs, settings, &features, &mut weights);
        if settings.learn_alpha && slots > 0 {
            alpha = slots as f64 / (1..=pairs.nodes()).map(|n| 1.0 / n as f64).sum::<f64>();
        }
    } else {
        for k in 0..slots {
            for l in 0..slots {
                if shape == Shape::Full || (shape == Shape::Symmetric && k <= l) || k == l {
                    let normal: f64 = StandardNormal.sample(rng);
                    weights.set(k, l, normal / settings.nu);
                }
            }
        }
    }
    let ends = |count| if pairs.symmetric() { [count, 0] } else { [count; 2] };
    let effects = ends(if settings.node_effects { pairs.nodes() } else { 0 });
    let (width, groups) = design.nodes.as_deref().map_or((0, 0), |a| (a.width(), a.groups().len()));
    State {
        features,
        weights,
        rates: vec![],
        intercept,
        linear: Linear::new(design.pairs.width(), effects, ends(width), groups),
        offsets: vec![],
        alpha,
        nu: Nu::same(settings.nu),
    }
}

/// A state with offsets and with rates that are drawn.
fn with_rates(
    mut state: State,
    context: &Context<'_>,
    design: &Design,
    augmentation: &Augmentation,
) -> State {
    let Context { pairs, settings, .. } = *context;
    state.rates = vec![0.0; pairs.len()];
    linear::fill_offsets(context, design, &mut state);
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
        Start::Prior | Start::Empty | Start::Annealed | Start::Groups => {
            augment::update(context, augmentation, &mut state, &mut augment::Scratch::default());
        }
    }
    state
}

/// Groups with fewer nodes are no features.
const SMALLEST_GROUP: usize = 3;
/// The most features that a chain starts with: a sweep costs more with each of them.
const MOST_GROUPS: usize = 1_000;

/// The largest groups as features, numbered in the order of the groups.
fn of_groups(group: &[u32]) -> Features {
    let mut sizes = vec![0; group.len()];
    for &own in group {
        sizes[own as usize] += 1;
    }
    let mut kept: Vec<usize> = (0..sizes.len()).filter(|&own| sizes[own] >= SMALLEST_GROUP).collect();
    kept.sort_by_key(|&own| std::cmp::Reverse(sizes[own]));
    kept.truncate(MOST_GROUPS);
    kept.sort_unstable();
    let mut numbers = vec![None; sizes.len()];
    for (number, &own) in (0..).zip(&kept) {
        numbers[own] = Some(number);
    }
    let rows: Vec<Vec<u32>> = group.iter().map(|&own| numbers[own as usize].into_iter().collect()).collect();
    Features::from_rows(&rows, kept.len())
}

/// Gives each feature the own weight that fits the pairs within it best by itself, and returns the intercept that fits all
/// others best.
fn fit_own_weights(
    pairs: &Pairs,
    settings: &ValidSettings,
    features: &Features,
    weights: &mut Weights,
) -> f64 {
    // Half a pair of each kind keeps weights finite.
    let mut within = vec![[0.5, 0.5]; features.slots()];
    let mut outside = [0.5, 0.5];
    for pair in pairs.iter() {
        let [one, other] = [pair.source, pair.target].map(|node| features.row(node as usize));
        let common = one.iter().find(|slot| other.contains(slot));
        let counts = common.map_or(&mut outside, |&slot| &mut within[slot as usize]);
        counts[usize::from(pair.link)] += settings.cost(pair.link);
    }
    let constant =
        |[non_links, links]: [f64; 2]| settings.model.loss.best_constant(links, non_links, settings.margin);
    let intercept = if settings.intercept { constant(outside) } else { 0.0 };
    for (k, &counts) in within.iter().enumerate() {
        weights.set(k, k, constant(counts) - intercept);
    }
    intercept
}

/// The constant logit that fits all pairs best. Rows come first in a sweep, and from an intercept of zero they would give
/// every node features of its own to explain that links are rare.
fn first_intercept(pairs: &Pairs, settings: &ValidSettings) -> f64 {
    let (links, non_links) = (pairs.links(), pairs.len() - pairs.links());
    if !settings.intercept || settings.start == Start::Paper || links == 0 || non_links == 0 {
        return 0.0;
    }
    let summed = |count: usize, link| count as f64 * settings.cost(link);
    settings.model.loss.best_constant(summed(links, true), summed(non_links, false), settings.margin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Model, Settings, Variant};
    use crate::network::Pair;

    #[test]
    fn the_largest_groups_are_features() {
        // A pair of nodes, groups of three, and one of four.
        let groups = MOST_GROUPS as u32 + 5;
        let mut group: Vec<u32> = (1..=groups).flat_map(|own| [own; 3]).collect();
        group.extend([0, 0, groups]);
        let features = of_groups(&group);
        assert_eq!(features.slots(), MOST_GROUPS);
        let last = features.row(group.len() - 1);
        assert_eq!((last.len(), features.counts()[last[0] as usize]), (1, 4));
        assert!(features.row(group.len() - 2).is_empty());
    }

    /// Two groups of three: all links within the first, one of three within the second, one of nine between them.
    #[test]
    fn own_weights_are_differences_of_log_odds() {
        let linked = [(0, 1), (0, 2), (1, 2), (3, 4), (0, 3)];
        let all = (0..6_u32).flat_map(|i| (i + 1..6).map(move |j| (i, j)));
        let pairs =
            all.map(|(source, target)| Pair { source, target, link: linked.contains(&(source, target)) });
        let pairs = Pairs::new(6, true, pairs);
        let model = Model { variant: Variant::Diagonal, loss: Loss::Logistic };
        let settings = Settings::features_defaults(model, pairs.len()).check().unwrap();
        let features = of_groups(&[0, 0, 0, 1, 1, 1]);
        let mut weights = Weights::new(Shape::Diagonal, 2);
        let intercept = fit_own_weights(&pairs, &settings, &features, &mut weights);
        let log_odds = |links: f64, non_links: f64| ((links + 0.5) / (non_links + 0.5)).ln();
        assert!((intercept - log_odds(1.0, 8.0)).abs() < 1e-9);
        assert!((weights.get(0, 0) - (log_odds(3.0, 0.0) - intercept)).abs() < 1e-9);
        assert!((weights.get(1, 1) - (log_odds(1.0, 2.0) - intercept)).abs() < 1e-9);
    }
}
