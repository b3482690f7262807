//! The networks of the paper, and the methods that are evaluated on each of them, on which splits.

use dlfrm::split::Protocol;
use dlfrm_io::datasets::{KnownDataset, known};

use crate::methods::Lengths;

const MODELS: &[&str] = &["dlfrm-l", "dlfrm-h", "sto-dlfrm-l", "sto-dlfrm-h", "diag-dlfrm-l", "diag-dlfrm-h"];
/// The two others take hours on a large network.
const LARGE_MODELS: &[&str] = &["dlfrm-l", "sto-dlfrm-l", "diag-dlfrm-l", "diag-dlfrm-h"];
const WITHOUT_FITTING: &[&str] = &["cn", "jaccard", "aa", "ra", "pa", "katz"];
const ON_WORDS: &[&str] = &["svm-linear", "svm-rbf"];
const FITTED: &[&str] = &["lfrm", "irm", "mmsb"];

/// A network of the paper and the methods that are evaluated on it.
#[derive(Debug)]
pub(crate) struct Benchmark {
    /// The name that commands and files use.
    pub(crate) name: &'static str,
    /// What the paper calls it.
    pub(crate) title: &'static str,
    dataset: &'static str,
    /// How many splits are averaged over. More can be asked for later: finished ones are kept.
    pub(crate) runs: usize,
    /// Whether it is one of the paper's large networks.
    pub(crate) large: bool,
    /// The methods of the table. The first split is the paper's, the others leak nothing.
    pub(crate) groups: &'static [MethodGroup],
    /// The models that the analyses compare.
    pub(crate) variants: &'static [&'static str],
    /// The model whose costs are varied.
    pub(crate) imbalance: &'static str,
    /// The methods of a quick run.
    pub(crate) quick: &'static [&'static [&'static str]],
    /// How long the fits of a quick run are.
    pub(crate) quick_lengths: Lengths,
}

/// Some methods on one split.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MethodGroup {
    pub(crate) split: Protocol,
    pub(crate) names: &'static [&'static [&'static str]],
    /// Whether they use the attributes of the nodes.
    pub(crate) attributes: bool,
    /// How many chains their models run, if not the usual number.
    pub(crate) chains: Option<usize>,
}

impl MethodGroup {
    const fn new(split: Protocol, names: &'static [&'static [&'static str]]) -> Self {
        Self { split, names, attributes: false, chains: None }
    }

    const fn with_attributes(split: Protocol, names: &'static [&'static [&'static str]]) -> Self {
        Self { attributes: true, ..Self::new(split, names) }
    }

    const fn with_one_chain(split: Protocol, names: &'static [&'static [&'static str]]) -> Self {
        Self { chains: Some(1), ..Self::new(split, names) }
    }

    /// Whether a method of this name is in it.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.iter().any(|group| group.contains(&name))
    }
}

const ALL_METHODS: &[&[&str]] = &[MODELS, WITHOUT_FITTING, FITTED];
const LARGE: &[&[&str]] = &[LARGE_MODELS, WITHOUT_FITTING];
const VERY_LARGE: &[&[&str]] = &[&["diag-dlfrm-l"], WITHOUT_FITTING];

const QUICK_SMALL: Lengths = Lengths { chains: Some(2), burn_in: Some(10), draws: Some(10) };
const QUICK_LARGE: Lengths = Lengths { chains: Some(1), burn_in: Some(4), draws: Some(2) };

/// All of them.
pub(crate) static BENCHMARKS: [Benchmark; 5] = [
    Benchmark {
        name: "nips",
        title: "NIPS",
        dataset: "nips234",
        runs: 5,
        large: false,
        groups: &[
            MethodGroup::new(Protocol::PaperPairs, ALL_METHODS),
            MethodGroup::new(Protocol::Pairs, ALL_METHODS),
            MethodGroup::new(Protocol::Connected, ALL_METHODS),
        ],
        variants: MODELS,
        imbalance: "dlfrm-l",
        quick: &[MODELS, WITHOUT_FITTING, &["lfrm", "irm"]],
        quick_lengths: QUICK_SMALL,
    },
    Benchmark {
        name: "kinship",
        title: "Kinship",
        dataset: "kinship",
        runs: 5,
        large: false,
        groups: &[
            MethodGroup::new(Protocol::PaperPairs, ALL_METHODS),
            MethodGroup::new(Protocol::Pairs, ALL_METHODS),
        ],
        variants: MODELS,
        imbalance: "dlfrm-l",
        quick: &[&["dlfrm-l", "diag-dlfrm-l"], WITHOUT_FITTING],
        quick_lengths: QUICK_SMALL,
    },
    Benchmark {
        name: "webkb",
        title: "WebKB",
        dataset: "webkb",
        runs: 5,
        large: false,
        groups: &[
            MethodGroup::new(Protocol::PaperPairs, ALL_METHODS),
            MethodGroup::new(Protocol::Pairs, ALL_METHODS),
            MethodGroup::with_attributes(Protocol::PaperPairs, &[ON_WORDS]),
            MethodGroup::with_attributes(Protocol::Pairs, &[&["diag-dlfrm-l"], ON_WORDS]),
        ],
        variants: MODELS,
        imbalance: "dlfrm-l",
        quick: &[&["diag-dlfrm-l"], WITHOUT_FITTING],
        quick_lengths: QUICK_LARGE,
    },
    Benchmark {
        name: "astroph",
        title: "AstroPh",
        dataset: "astroph",
        runs: 1,
        large: true,
        groups: &[MethodGroup::new(Protocol::PaperLinks, LARGE), MethodGroup::new(Protocol::Links, LARGE)],
        variants: LARGE_MODELS,
        imbalance: "diag-dlfrm-l",
        quick: VERY_LARGE,
        quick_lengths: QUICK_LARGE,
    },
    Benchmark {
        name: "gowalla",
        title: "Gowalla",
        dataset: "gowalla",
        runs: 1,
        large: true,
        groups: &[
            MethodGroup::new(Protocol::PaperLinks, VERY_LARGE),
            MethodGroup::with_one_chain(Protocol::PaperLinks, &[&["sto-dlfrm-l"]]),
            MethodGroup::new(Protocol::Links, VERY_LARGE),
        ],
        variants: &["diag-dlfrm-l"],
        imbalance: "diag-dlfrm-l",
        quick: VERY_LARGE,
        quick_lengths: QUICK_LARGE,
    },
];

impl Benchmark {
    /// The one of this name.
    pub(crate) fn named(name: &str) -> &'static Self {
        BENCHMARKS
            .iter()
            .find(|benchmark| benchmark.name == name)
            .expect("the names of the program are known")
    }

    /// Its file, and how it is read.
    pub(crate) fn dataset(&self) -> &'static KnownDataset {
        known(self.dataset).expect("a test asks for it")
    }

    /// The paper's split, and the first that leaks nothing.
    pub(crate) fn both_splits(&self) -> [Protocol; 2] {
        let leak_free = self.groups.iter().map(|group| group.split).find(|split| !split.ordered());
        [self.groups[0].split, leak_free.expect("a test looks for it")]
    }
}

#[cfg(test)]
mod tests {
    use crate::methods;

    use super::*;

    #[test]
    fn the_table_is_sound() {
        for benchmark in &BENCHMARKS {
            assert_eq!(Benchmark::named(benchmark.name).title, benchmark.title);
            assert_eq!(benchmark.dataset().name, benchmark.dataset);
            let [papers, leak_free] = benchmark.both_splits();
            assert!(papers.ordered() && !leak_free.ordered());
            assert_eq!(papers.samples(), benchmark.large);
            let with_attributes = benchmark.groups.iter().any(|group| group.attributes);
            assert!(!with_attributes || benchmark.dataset().attributes.is_some(), "{}", benchmark.name);
            let named = || benchmark.groups.iter().flat_map(|group| group.names.concat());
            for name in named().chain(benchmark.quick.concat()).chain(benchmark.variants.to_vec()) {
                assert!(methods::names().any(|known| known == name), "{name}");
            }
            assert!(benchmark.quick.concat().iter().all(|name| named().any(|known| known == *name)));
        }
    }
}
