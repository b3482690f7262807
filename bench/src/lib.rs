//! What the benchmarks have in common: the networks they run on and a stopwatch.

use std::collections::HashSet;
use std::time::Instant;

use dlfrm::generate::{GenerateSettings, generate};
use dlfrm::network::{Network, Pair, Pairs};
use dlfrm::random::{Purpose, stream};
use dlfrm::split::{Protocol, Split};
use dlfrm::testing::{Chain, Step};
use dlfrm_io::{datasets, read_network};
use rand::RngExt;

/// One of the paper's networks if `DLFRM_DATA` names a folder that has it.
pub fn known(name: &str) -> Option<Network> {
    let dataset = datasets::known(name)?;
    let path = dataset.path(&datasets::folder()?);
    Some(read_network(&path, &dataset.options()).ok()?.relations.swap_remove(0).network)
}

/// The training pairs of NIPS234 (80 % of the ordered pairs), or of a generated network of its size.
pub fn small_pairs() -> (&'static str, Pairs) {
    let (name, network) = if let Some(network) = known("nips234") {
        ("nips234", network)
    } else {
        let settings = GenerateSettings { nodes: 234, intercept: -5.0, ..GenerateSettings::default() };
        let made = generate(&settings).expect("the settings are sound");
        ("a generated network of 234 nodes", made.network)
    };
    (name, Split::new(&network, Protocol::PaperPairs, 0.2, 1).expect("the fraction is sound").train)
}

/// Seconds that something takes.
pub fn seconds(work: impl FnOnce()) -> f64 {
    let began = Instant::now();
    work();
    began.elapsed().as_secs_f64()
}

/// What the steps of some sweeps took, in seconds.
pub struct Times {
    steps: [f64; Step::SWEEP.len()],
    /// K, on average.
    pub features: f64,
}

impl Times {
    /// Makes sweeps with a chain.
    pub fn of(chain: &mut Chain, sweeps: usize) -> Self {
        let mut times = Self { steps: [0.0; Step::SWEEP.len()], features: 0.0 };
        for _ in 0..sweeps {
            chain.begin_sweep();
            for (time, step) in times.steps.iter_mut().zip(Step::SWEEP) {
                *time += seconds(|| chain.step(step));
            }
            times.features += chain.state().features.active() as f64 / sweeps as f64;
        }
        times
    }

    /// All steps together.
    pub fn total(&self) -> f64 {
        self.steps.iter().sum()
    }

    /// One step.
    pub fn step(&self, step: Step) -> f64 {
        Step::SWEEP.iter().zip(self.steps).filter(|(other, _)| **other == step).map(|(_, time)| time).sum()
    }

    /// The augmentation step.
    pub fn augment(&self) -> f64 {
        self.steps[Step::SWEEP.len() - 1]
    }

    /// The steps that take time worth mentioning, in augmentation steps.
    pub fn shares(&self) -> String {
        let augment = self.augment();
        let steps = Step::SWEEP.iter().zip(self.steps).filter(|(_, time)| *time > 0.005 * augment);
        steps.map(|(step, time)| format!("{step:?} {:.2}", time / augment)).collect::<Vec<_>>().join(", ")
    }
}

/// A sparse network of so many nodes with the features that made it: three of fifty per node, ten links per node with
/// others that have one of them too, ten non-links per link.
pub fn planted(nodes: usize) -> (Pairs, Vec<Vec<u32>>, usize) {
    let slots = 50;
    let mut rng = stream(1, 0, 0, Purpose::Generate, nodes as u64);
    let mut owners = vec![vec![]; slots];
    let rows: Vec<Vec<u32>> = (0..nodes)
        .map(|node| {
            let mut row: Vec<u32> = Vec::new();
            while row.len() < 3 {
                let slot = rng.random_range(0..slots as u32);
                if !row.contains(&slot) {
                    row.push(slot);
                    owners[slot as usize].push(node as u32);
                }
            }
            row.sort_unstable();
            row
        })
        .collect();
    let mut seen = HashSet::new();
    let mut list = Vec::new();
    let mut add = |source: u32, target: u32, link: bool| {
        if source != target && seen.insert((source, target)) {
            list.push(Pair { source, target, link });
        }
    };
    for (source, row) in rows.iter().enumerate() {
        for _ in 0..10 {
            let group = &owners[row[rng.random_range(0..row.len())] as usize];
            add(source as u32, group[rng.random_range(0..group.len())], true);
        }
        for _ in 0..100 {
            add(source as u32, rng.random_range(0..nodes as u32), false);
        }
    }
    (Pairs::new(nodes, false, list), rows, slots)
}

/// The bytes per second that one core reads from memory.
pub fn bandwidth() -> f64 {
    let numbers = vec![1_u64; 32 << 20];
    let read = || numbers.iter().fold(0_u64, |sum, number| sum.wrapping_add(*number));
    let best = (0..5).map(|_| seconds(|| assert_eq!(std::hint::black_box(read()), 32 << 20)));
    (8 * numbers.len()) as f64 / best.fold(f64::INFINITY, f64::min)
}

/// A pool of so many threads.
pub fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be had")
}
