//! The same seed gives the same bits on any number of threads, and another seed gives others.
//!
//! Bits may differ between processors (the kernels use the widest vectors there are), so no hash is written
//! down here: each is compared with those of other runs in the same process.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use dlfrm::covariates::SideInfo;
use dlfrm::fit::Silent;
use dlfrm::generate::{GenerateSettings, generate};
use dlfrm::model::{Model, Settings};
use dlfrm::network::{Pair, Pairs};
use dlfrm::posterior::Posterior;
use dlfrm::random::{Purpose, stream};
use dlfrm::testing::{Chain, Division, run_chains};
use rand::RngExt;

const THREADS: [usize; 3] = [1, 2, 4];

/// The links that were drawn, everything that was kept of the chains, and what is predicted from it.
#[derive(Debug, PartialEq, Eq)]
struct Hashes {
    links: u64,
    chains: u64,
    predictions: u64,
}

fn hash(fill: impl FnOnce(&mut DefaultHasher)) -> u64 {
    let mut hasher = DefaultHasher::new();
    fill(&mut hasher);
    hasher.finish()
}

fn hash_numbers<'a>(numbers: impl IntoIterator<Item = &'a f64>, hasher: &mut DefaultHasher) {
    for number in numbers {
        number.to_bits().hash(hasher);
    }
}

/// All draws and traces, bit by bit.
fn hash_chains(posterior: &Posterior, hasher: &mut DefaultHasher) {
    for draw in posterior.draws() {
        (draw.chain, draw.sweep, draw.features()).hash(hasher);
        hash_numbers(&[draw.log_joint, draw.intercept, draw.alpha, draw.nu.own, draw.nu.between], hasher);
        for node in 0..posterior.nodes() {
            draw.row(node).hash(hasher);
        }
        for k in 0..draw.features() {
            hash_numbers((0..draw.features()).map(|l| draw.weight(k, l)).collect::<Vec<_>>().iter(), hasher);
        }
    }
    for trace in posterior.traces() {
        for numbers in
            [&trace.features, &trace.log_joint, &trace.alpha, &trace.nu, &trace.nu_between, &trace.intercept]
        {
            hash_numbers(numbers, hasher);
        }
    }
}

fn hash_predictions(posterior: &Posterior, hasher: &mut DefaultHasher) {
    let nodes = posterior.nodes() as u32;
    let pairs: Vec<(u32, u32)> =
        (0..nodes).flat_map(|i| (0..nodes).filter(move |&j| i != j).map(move |j| (i, j))).collect();
    for prediction in posterior.predict(&pairs) {
        hash_numbers(&[prediction.mean, prediction.low, prediction.high], hasher);
    }
    hash_numbers(&posterior.predict_mean(&pairs), hasher);
}

/// Draws a network, fits it and predicts, all on a given number of threads.
fn run(model: Model, directed: bool, seed: u64, threads: usize) -> Hashes {
    let settings = Settings {
        model,
        learn_alpha: true,
        learn_nu: true,
        intercept: true,
        chains: 4,
        burn_in: 10,
        draws: 6,
        thin: 2,
        seed,
        ..Settings::default()
    };
    let settings = settings.check().unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let made =
            generate(&GenerateSettings { nodes: 30, directed, ..GenerateSettings::default() }).unwrap();
        let pairs = Pairs::new(made.network.len(), !directed, made.network.observed());
        let posterior = run_chains(&pairs, &SideInfo::default(), &settings, 0, &Silent).unwrap();
        assert_eq!((posterior.draws().len(), posterior.traces().len()), (24, 4));
        Hashes {
            links: hash(|hasher| made.network.links().hash(hasher)),
            chains: hash(|hasher| hash_chains(&posterior, hasher)),
            predictions: hash(|hasher| hash_predictions(&posterior, hasher)),
        }
    })
}

#[test]
fn threads_do_not_matter() {
    for directed in [true, false] {
        for model in Model::ALL {
            let [one, two, four] = THREADS.map(|threads| run(model, directed, 7, threads));
            assert_eq!(one, two, "{model}, directed {directed}: 1 and 2 threads");
            assert_eq!(one, four, "{model}, directed {directed}: 1 and 4 threads");
        }
    }
}

/// Rows in classes and sums in parts, as in a large network.
#[test]
fn threads_do_not_matter_within_a_chain() {
    let (nodes, features) = (1500, 12);
    let mut rng = stream(3, 0, 0, Purpose::Generate, 0);
    let mut list = HashMap::new();
    for source in 0..nodes {
        for _ in 0..40 {
            let target = rng.random_range(0..nodes);
            if target != source {
                list.insert((source, target), source % features == target % features);
            }
        }
    }
    let list = list.into_iter().map(|((source, target), link)| Pair { source, target, link });
    let pairs = Pairs::new(nodes as usize, false, list);
    let division = Arc::new(Division::fine(&pairs));
    assert!(division.mean_class() > 50.0);
    for model in Model::ALL {
        let settings = Settings { burn_in: 30, ..Settings::for_model(model) };
        let settings = settings.check().unwrap();
        let hashes = THREADS.map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut chain =
                    Chain::divided(&pairs, Arc::default(), &settings, 0, Arc::clone(&division)).unwrap();
                chain = chain.with_largest_factor(0);
                for _ in 0..4 {
                    chain.sweep();
                }
                let state = chain.state().clone();
                assert!(state.features.active() > 1);
                let log_joint = chain.log_joint();
                hash(|hasher| {
                    (0..nodes as usize).for_each(|node| state.features.row(node).hash(hasher));
                    hash_numbers(&state.rates, hasher);
                    hash_numbers(&[log_joint, state.intercept], hasher);
                    state.weights.for_each_free(state.features.slots(), |_, _, weight| {
                        hash_numbers(&[weight], hasher);
                    });
                })
            })
        });
        assert!(hashes[0] == hashes[1] && hashes[0] == hashes[2], "{model}: {hashes:?}");
    }
}

#[test]
fn seeds_matter() {
    for model in Model::ALL {
        let [one, other] = [7, 8].map(|seed| run(model, true, seed, 2));
        assert_eq!(one.links, other.links, "{model}: the network has a seed of its own");
        assert_ne!(one.chains, other.chains, "{model}");
        assert_ne!(one.predictions, other.predictions, "{model}");
    }
}

/// Every chain of a run differs from the others.
#[test]
fn chains_matter() {
    let made = generate(&GenerateSettings { nodes: 20, ..GenerateSettings::default() }).unwrap();
    let pairs = Pairs::new(20, true, made.network.observed());
    for model in Model::ALL {
        let settings = Settings { model, chains: 3, burn_in: 5, draws: 5, ..Settings::default() };
        let settings = settings.check().unwrap();
        let posterior = run_chains(&pairs, &SideInfo::default(), &settings, 0, &Silent).unwrap();
        let traces = posterior.traces();
        assert!(traces[0] != traces[1] && traces[1] != traces[2] && traces[0] != traces[2], "{model}");
    }
}
