//! What can be evaluated: anything that learns from training pairs and scores others.

use crate::chain::Observer;
use crate::covariates::SideInfo;
use crate::error::Result;
use crate::fit::Choice;
use crate::model::{Settings, ValidSettings};
use crate::network::{Pair, Pairs};

/// Whatever learns from training pairs and scores other pairs.
///
/// ```
/// use dlfrm::Result;
/// use dlfrm::evaluate::{Method, Scorer, Training, scorer};
///
/// /// Scores a pair by the sum of the ids: a method that knows nothing.
/// struct Ids;
///
/// impl Method for Ids {
///     fn name(&self) -> &str {
///         "ids"
///     }
///
///     fn fit<'a>(&'a self, training: &Training<'a>) -> Result<Box<dyn Scorer + 'a>> {
///         Ok(scorer(training, |_train, pairs| Ok(pairs.iter().map(|&(i, j)| f64::from(i + j)).collect())))
///     }
/// }
/// ```
pub trait Method: Send + Sync {
    /// The name that commands and tables use.
    fn name(&self) -> &str;

    /// Whether its scores are probabilities of links, and not only ranks.
    fn probabilities(&self) -> bool {
        false
    }

    /// The settings of its chains before any choice, if it is a model of this crate that is fitted here.
    fn settings(&self) -> Option<&ValidSettings> {
        None
    }

    /// The settings of every posterior that it may draw, one after the other.
    fn posteriors(&self) -> Vec<&ValidSettings> {
        self.settings().into_iter().collect()
    }

    /// The same as they are reported: with the covariates of the posterior that it is combined with, if there are two.
    fn reported_settings(&self) -> Option<Settings> {
        self.settings().map(|settings| settings.clone().into_inner())
    }

    /// Whether it looks at attributes of nodes.
    fn uses_attributes(&self) -> bool {
        false
    }

    /// Whether it looks at covariates of pairs that are given.
    fn uses_pair_covariates(&self) -> bool {
        false
    }

    /// Learns from the training pairs.
    fn fit<'a>(&'a self, training: &Training<'a>) -> Result<Box<dyn Scorer + 'a>>;
}

/// What a method learns from.
#[derive(Clone)]
pub struct Training<'a> {
    /// The relations that are evaluated in the run.
    pub relations: Vec<TrainingRelation<'a>>,
    /// What is known beside the links.
    pub side_info: &'a SideInfo,
    /// Random seed of the run.
    pub seed: u64,
    /// Watches the fit, and may end it.
    pub observer: &'a dyn Observer,
}

/// One relation to learn from.
#[derive(Debug, Clone, Copy)]
pub struct TrainingRelation<'a> {
    /// Its number in the data set.
    pub number: usize,
    /// Its name, if there are several.
    pub name: Option<&'a str>,
    /// The training pairs.
    pub pairs: &'a Pairs,
    /// Pairs to choose settings by, if there are any: neither training nor test pairs.
    pub validation: &'a [Pair],
}

/// A fitted method. Relations are numbered as they stand in [`Training::relations`].
pub trait Scorer: Sync {
    /// A score for each pair (source, target) of a relation; larger is likelier.
    fn score(&self, relation: usize, pairs: &[(u32, u32)]) -> Result<Vec<f64>>;

    /// The posterior mean of the number of features, if the method has features.
    fn features(&self, _relation: usize) -> Option<f64> {
        None
    }

    /// What was chosen on a development set.
    fn choices(&self) -> &[Choice] {
        &[]
    }
}

/// A scorer that computes the scores of a relation from its training pairs on demand.
pub fn scorer<'a>(
    training: &Training<'a>,
    score: impl Fn(&Pairs, &[(u32, u32)]) -> Result<Vec<f64>> + Sync + 'a,
) -> Box<dyn Scorer + 'a> {
    struct OnDemand<'a, F> {
        relations: Vec<TrainingRelation<'a>>,
        score: F,
    }
    impl<F: Fn(&Pairs, &[(u32, u32)]) -> Result<Vec<f64>> + Sync> Scorer for OnDemand<'_, F> {
        fn score(&self, relation: usize, pairs: &[(u32, u32)]) -> Result<Vec<f64>> {
            (self.score)(self.relations[relation].pairs, pairs)
        }
    }
    Box::new(OnDemand { relations: training.relations.clone(), score })
}
