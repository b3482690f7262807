//! The networks of the paper, and who is judged on them on which splits.

use dlfrm::network::Protocol;
use dlfrm_io::datasets::{KnownDataset, known};

use crate::args::Lengths;

const MODELS: &[&str] = &["dlfrm-l", "dlfrm-h", "sto-dlfrm-l", "sto-dlfrm-h", "diag-dlfrm-l", "diag-dlfrm-h"];
/// The other two take hours on a large network.
const LARGE_MODELS: &[&str] = &["dlfrm-l", "sto-dlfrm-l", "diag-dlfrm-l", "diag-dlfrm-h"];
const WITHOUT_FITTING: &[&str] = &["cn", "jaccard", "aa", "ra", "pa", "katz"];
const ON_WORDS: &[&str] = &["svm-linear", "svm-rbf"];
const FITTED: &[&str] = &["lfrm", "irm", "mmsb"];

/// A network and what is judged on it.
#[derive(Debug)]
pub(crate) struct Subject {
    /// The name that commands and files use.
    pub(crate) name: &'static str,
    /// What the paper calls it.
    pub(crate) title: &'static str,
    dataset: &'static str,
    /// How many splits are averaged over. More can be asked for later: those that were made are kept.
    pub(crate) runs: usize,
    /// Whether it is one of the paper's large networks.
    pub(crate) large: bool,
    /// Those of the table. The first split is the paper's, the others leak nothing.
    pub(crate) parts: &'static [Part],
    /// The models that the analyses compare.
    pub(crate) variants: &'static [&'static str],
    /// The model whose costs are varied.
    pub(crate) imbalance: &'static str,
    /// Who is left under `--quick`.
    pub(crate) quick: &'static [&'static [&'static str]],
    /// How long fits are under `--quick`.
    pub(crate) quick_lengths: Lengths,
}

/// Some contenders on one split.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    pub(crate) split: Protocol,
    pub(crate) names: &'static [&'static [&'static str]],
    /// Whether they are told what is known of the entities.
    pub(crate) attributes: bool,
    /// How many chains their models run, if not the usual number.
    pub(crate) chains: Option<usize>,
}

impl Part {
    const fn new(split: Protocol, names: &'static [&'static [&'static str]]) -> Self {
        Self { split, names, attributes: false, chains: None }
    }

    const fn with_attributes(split: Protocol, names: &'static [&'static [&'static str]]) -> Self {
        Self { attributes: true, ..Self::new(split, names) }
    }

    const fn with_one_chain(split: Protocol, names: &'static [&'static [&'static str]]) -> Self {
        Self { chains: Some(1), ..Self::new(split, names) }
    }

    /// Whether a contender of this name is in it.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.iter().any(|group| group.contains(&name))
    }
}

const EVERYBODY: &[&[&str]] = &[MODELS, WITHOUT_FITTING, FITTED];
const LARGE: &[&[&str]] = &[LARGE_MODELS, WITHOUT_FITTING];
const VERY_LARGE: &[&[&str]] = &[&["diag-dlfrm-l"], WITHOUT_FITTING];

const QUICK_SMALL: Lengths = Lengths { chains: Some(2), burn_in: Some(10), draws: Some(10) };
const QUICK_LARGE: Lengths = Lengths { chains: Some(1), burn_in: Some(4), draws: Some(2) };

/// All of them.
pub(crate) static SUBJECTS: [Subject; 5] = [
    Subject {
        name: "nips",
        title: "NIPS",
        dataset: "nips234",
        runs: 5,
        large: false,
        parts: &[
            Part::new(Protocol::PaperPairs, EVERYBODY),
            Part::new(Protocol::Pairs, EVERYBODY),
            Part::new(Protocol::Connected, EVERYBODY),
        ],
        variants: MODELS,
        imbalance: "dlfrm-l",
        quick: &[MODELS, WITHOUT_FITTING, &["lfrm", "irm"]],
        quick_lengths: QUICK_SMALL,
    },
    Subject {
        name: "kinship",
        title: "Kinship",
        dataset: "kinship",
        runs: 5,
        large: false,
        parts: &[Part::new(Protocol::PaperPairs, EVERYBODY), Part::new(Protocol::Pairs, EVERYBODY)],
        variants: MODELS,
        imbalance: "dlfrm-l",
        quick: &[&["dlfrm-l", "diag-dlfrm-l"], WITHOUT_FITTING],
        quick_lengths: QUICK_SMALL,
    },
    Subject {
        name: "webkb",
        title: "WebKB",
        dataset: "webkb",
        runs: 5,
        large: false,
        parts: &[
            Part::new(Protocol::PaperPairs, EVERYBODY),
            Part::new(Protocol::Pairs, EVERYBODY),
            Part::with_attributes(Protocol::PaperPairs, &[ON_WORDS]),
            Part::with_attributes(Protocol::Pairs, &[&["diag-dlfrm-l"], ON_WORDS]),
        ],
        variants: MODELS,
        imbalance: "dlfrm-l",
        quick: &[&["diag-dlfrm-l"], WITHOUT_FITTING],
        quick_lengths: QUICK_LARGE,
    },
    Subject {
        name: "astroph",
        title: "AstroPh",
        dataset: "astroph",
        runs: 1,
        large: true,
        parts: &[Part::new(Protocol::PaperLinks, LARGE), Part::new(Protocol::Links, LARGE)],
        variants: LARGE_MODELS,
        imbalance: "diag-dlfrm-l",
        quick: VERY_LARGE,
        quick_lengths: QUICK_LARGE,
    },
    Subject {
        name: "gowalla",
        title: "Gowalla",
        dataset: "gowalla",
        runs: 1,
        large: true,
        parts: &[
            Part::new(Protocol::PaperLinks, VERY_LARGE),
            Part::with_one_chain(Protocol::PaperLinks, &[&["sto-dlfrm-l"]]),
            Part::new(Protocol::Links, VERY_LARGE),
        ],
        variants: &["diag-dlfrm-l"],
        imbalance: "diag-dlfrm-l",
        quick: VERY_LARGE,
        quick_lengths: QUICK_LARGE,
    },
];

impl Subject {
    /// The one of this name.
    pub(crate) fn named(name: &str) -> &'static Self {
        SUBJECTS.iter().find(|subject| subject.name == name).expect("the names of the program are known")
    }

    /// Its file, and how it is read.
    pub(crate) fn dataset(&self) -> &'static KnownDataset {
        known(self.dataset).expect("a test asks for it")
    }

    /// The paper's split, and the first that leaks nothing.
    pub(crate) fn both_splits(&self) -> [Protocol; 2] {
        let fair = self.parts.iter().map(|part| part.split).find(|split| !split.ordered());
        [self.parts[0].split, fair.expect("a test looks for it")]
    }
}

#[cfg(test)]
mod tests {
    use crate::evaluation::Contender;

    use super::*;

    #[test]
    fn the_table_is_sound() {
        for subject in &SUBJECTS {
            assert_eq!(Subject::named(subject.name).title, subject.title);
            assert_eq!(subject.dataset().name, subject.dataset);
            let [papers, fair] = subject.both_splits();
            assert!(papers.ordered() && !fair.ordered());
            assert_eq!(papers.samples(), subject.large);
            let with_attributes = subject.parts.iter().any(|part| part.attributes);
            assert!(!with_attributes || subject.dataset().attributes.is_some(), "{}", subject.name);
            let judged = || subject.parts.iter().flat_map(|part| part.names.concat());
            for name in judged().chain(subject.quick.concat()).chain(subject.variants.to_vec()) {
                assert!(Contender::names().any(|known| known == name), "{name}");
            }
            assert!(subject.quick.concat().iter().all(|name| judged().any(|known| known == *name)));
        }
    }
}
