//! Simulation-based calibration (Talts et al. 2018) of the posterior of features, with the settings of a default fit.
//!
//! Parameters are drawn from their priors and a network from the parameters. A chain that starts at other parameters, drawn
//! from the same priors, learns from the network. If it draws from the posterior, the rank of a true value among some draws
//! is as likely to be any number, and 90 % intervals have the true probability of a link 90 times in 100. Unlike the
//! joint distribution test (`geweke.rs`) this also sees chains that do not forget where they start.
//!
//! Error budget: a chi-squared number of 19 degrees of freedom exceeds 50.8 with a probability of 1e-4. There are 12
//! comparisons. `DLFRM_CALIBRATION` says how many networks there are, 260 unless it is set: `scripts/test --long` has 4,000.

use dlfrm::model::Settings;
use dlfrm::network::{Pair, Pairs};
use dlfrm::random::Purpose;
use dlfrm::testing::{State, Step, StreamKey, weights};
use rand::RngExt;
use rayon::prelude::*;

use super::{Point, Simulator};

const NODES: u32 = 9;
const BURN_IN: usize = 300;
/// Draws that ranks are found among, and the sweeps from one to the next.
const DRAWS: usize = 19;
const THIN: usize = 60;
const LARGEST: f64 = 50.8;

/// What is ranked.
const NAMES: [&str; 6] = [
    "K",
    "log-likelihood",
    "alpha",
    "intercept",
    "probability of the first pair",
    "probability of the last pair",
];

fn probability(number: usize, pair: Pair, state: &State) -> f64 {
    let logit = state.offset(number) + state.latent(pair.source as usize, pair.target as usize);
    1.0 / (1.0 + (-logit).exp())
}

/// The probabilities of all pairs, and what is ranked.
fn look(state: &State, pairs: &Pairs) -> (Vec<f64>, [f64; NAMES.len()]) {
    let all: Vec<f64> =
        pairs.iter().enumerate().map(|(number, pair)| probability(number, pair, state)).collect();
    let of_label = |(pair, &p): (Pair, &f64)| if pair.link { p } else { 1.0 - p };
    let log_likelihood = pairs.iter().zip(&all).map(of_label).map(f64::ln).sum();
    let ranked = [
        state.features.active() as f64,
        log_likelihood,
        state.alpha,
        state.intercept,
        all[0],
        all[all.len() - 1],
    ];
    (all, ranked)
}

/// The ranks of the true values of one network, and the share of its pairs whose interval has the true probability.
fn calibrate(pairs: &Pairs, settings: &Settings, network: u64) -> ([usize; NAMES.len()], f64) {
    let mut simulator =
        Simulator::new(pairs.clone(), settings.clone().check().unwrap(), weights::LARGEST_FACTOR);
    let key = |chain: u64, sweep: usize| StreamKey { seed: network, chain, sweep: sweep as u64 };
    let truth = simulator.draw(key(0, 0));
    let (true_probabilities, true_values) = look(&truth.state, &truth.pairs);
    let mut point = Point { pairs: truth.pairs, ..simulator.draw(key(1, 0)) };
    simulator.step(Step::Augment, &mut point, key(2, 0));
    let mut probabilities = vec![vec![]; pairs.len()];
    let mut less = [0; NAMES.len()];
    let mut same = [0; NAMES.len()];
    for sweep in 1..=BURN_IN + DRAWS * THIN {
        for step in Step::SWEEP {
            simulator.step(step, &mut point, key(2, sweep));
        }
        if sweep <= BURN_IN {
            continue;
        }
        let (all, values) = look(&point.state, &point.pairs);
        probabilities.iter_mut().zip(all).for_each(|(draws, probability)| draws.push(probability));
        if (sweep - BURN_IN).is_multiple_of(THIN) {
            for (at, (value, truth)) in values.iter().zip(true_values).enumerate() {
                less[at] += usize::from(*value < truth);
                same[at] += usize::from(*value == truth);
            }
        }
    }
    // Among equals the true value has any place.
    let mut rng = key(3, 0).stream(Purpose::Start, 1);
    let ranks = std::array::from_fn(|at| less[at] + rng.random_range(0..=same[at]));
    let covered = probabilities.iter_mut().zip(&true_probabilities).map(|(draws, truth)| {
        draws.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| draws[(share * draws.len() as f64) as usize];
        f64::from(u8::from((at(0.05)..=at(0.95)).contains(truth)))
    });
    (ranks, covered.sum::<f64>() / pairs.len() as f64)
}

fn check(model: &str, symmetric: bool) {
    let networks = std::env::var("DLFRM_CALIBRATION").map_or(260, |count| count.parse().unwrap());
    let wanted = |&(source, target): &(u32, u32)| if symmetric { source < target } else { source != target };
    let list = (0..NODES).flat_map(|source| (0..NODES).map(move |target| (source, target))).filter(wanted);
    let pairs = Pairs::new(
        NODES as usize,
        symmetric,
        list.map(|(source, target)| Pair { source, target, link: false }),
    );
    // More features of one's own than this are too rare to matter.
    let settings =
        Settings { max_new: 16, ..Settings::features_defaults(model.parse().unwrap(), pairs.len()) };
    let found: Vec<_> =
        (0..networks as u64).into_par_iter().map(|network| calibrate(&pairs, &settings, network)).collect();
    for (at, name) in NAMES.iter().enumerate() {
        let mut counts = [0.0; DRAWS + 1];
        for (ranks, _) in &found {
            counts[ranks[at]] += 1.0;
        }
        let expected = f64::from(networks) / counts.len() as f64;
        let chi_squared: f64 =
            counts.iter().map(|count| (count - expected) * (count - expected) / expected).sum();
        println!("{model}: {name}: chi-squared {chi_squared:.1}, {counts:?}");
        assert!(chi_squared < LARGEST, "{model}: {name}: chi-squared {chi_squared:.1}, {counts:?}");
    }
    let coverage = found.iter().map(|(_, covered)| covered).sum::<f64>() / f64::from(networks);
    println!("{model}: 90 % intervals have {:.1} % of the true probabilities", 100.0 * coverage);
    assert!((0.85..=0.95).contains(&coverage), "{model}: {coverage}");
}

#[test]
fn diagonal_weights() {
    check("diag-dlfrm-l", true);
}

#[test]
fn weights_between_all_features() {
    check("dlfrm-l", false);
}
