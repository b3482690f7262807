//! What is judged: models and baselines, by their names.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::bail;
use dlfrm::baseline::Baseline;
use dlfrm::chain::{self, Control, Progress};
use dlfrm::model::{Checked, Model, Settings};
use dlfrm::network::Split;

use crate::failure::Unfinished;

/// The scores of the test pairs of one relation, and K if a model gave them.
pub(super) struct Scored {
    pub(super) scores: Vec<f64>,
    pub(super) features: Option<f64>,
}

/// What is judged.
#[derive(Debug, Clone)]
pub(crate) enum Contender {
    /// A model with its settings.
    Model(Box<Checked>),
    /// A score that needs no fitting.
    Baseline(Baseline),
}

impl Contender {
    /// The name that commands and files use.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Model(settings) => settings.model.name(),
            Self::Baseline(baseline) => baseline.name(),
        }
    }

    /// Every name that there is, models first.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        Model::ALL.map(Model::name).into_iter().chain(Baseline::ALL.map(Baseline::name))
    }

    /// Whether its scores are probabilities.
    pub(super) fn gives_probabilities(&self) -> bool {
        matches!(self, Self::Model(_))
    }

    /// What was set, of a model.
    pub(super) fn settings(&self) -> Option<&Settings> {
        match self {
            Self::Model(settings) => Some(settings),
            Self::Baseline(_) => None,
        }
    }

    /// Learns from the training pairs and scores the test pairs.
    pub(super) fn score(
        &self,
        seed: u64,
        split: &Split,
        watch: impl Fn(&Progress) -> Control + Sync,
    ) -> anyhow::Result<Scored> {
        let pairs = split.test_pairs();
        match self {
            Self::Baseline(baseline) => {
                Ok(Scored { scores: baseline.score(&split.train, &pairs), features: None })
            }
            Self::Model(settings) => {
                let settings = Settings { seed, ..(**settings).clone().into_inner() }.check()?;
                let stopped = AtomicBool::new(false);
                let posterior = chain::fit(&split.train, &settings, &|progress: &Progress| {
                    let control = watch(progress);
                    if control == Control::Stop {
                        stopped.store(true, Ordering::Relaxed);
                    }
                    control
                })?;
                if stopped.into_inner() {
                    bail!(Unfinished);
                }
                Ok(Scored {
                    scores: posterior.predict_mean(&pairs),
                    features: Some(posterior.mean_features()),
                })
            }
        }
    }
}
