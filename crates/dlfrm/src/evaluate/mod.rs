//! How well methods predict held-out pairs: splits x methods x scores -> figures.
//!
//! Everything that can be evaluated is a [`Method`]: the models of this crate, the [baselines](crate::baseline), or your own. All
//! of them see the same splits, and what is chosen on a development set is chosen within each run.
//!
//! ```
//! use dlfrm::evaluate::{Evaluation, MethodOptions, Quiet, method};
//! use dlfrm::generate::{GenerateSettings, generate};
//! use dlfrm::model::Overrides;
//! use dlfrm::network::Relation;
//! use dlfrm::score::Measure;
//!
//! let made = generate(&GenerateSettings { nodes: 40, ..GenerateSettings::default() })?;
//! let relations = [Relation::from(made.network)];
//! let evaluation = Evaluation { runs: 2, ..Evaluation::new(&relations) };
//!
//! let settings = Overrides { chains: Some(1), burn_in: Some(5), draws: Some(5), ..Overrides::default() };
//! let options = MethodOptions { settings, ..evaluation.method_options() };
//! let methods = [method("diag-dlfrm-l", &options)?, method("cn", &options)?];
//! for figures in evaluation.run(&methods, &Quiet)?.models {
//!     println!("{}: AUC {:?}", figures.model, figures.scores.get(Measure::Auc));
//! }
//! # Ok::<(), dlfrm::Error>(())
//! ```

mod figures;
mod method;
mod models;
mod registry;
mod run;
mod splits;

pub use figures::{CurveBin, Figure, ModelFigures, RelationFigures, RelationsFigures, Report, Scores};
pub use method::{Method, Scorer, Training, TrainingRelation, scorer};
pub use models::{FittedMethod, ModelMethod};
pub use registry::{GROUPS, LFRM, MethodOptions, expand, method, names};
pub use run::{Measured, Outcome};
pub use splits::Splits;

use crate::chain::{Event, Observer};
use crate::covariates::SideInfo;
use crate::error::{Error, Result};
use crate::fit::{PairPlan, Sharing};
use crate::network::Relation;
use crate::score::Measure;
use crate::split::{Protocol, SplitOptions};

/// An evaluation to be made.
#[derive(Debug, Clone)]
pub struct Evaluation<'a> {
    /// The relations; each is scored by itself.
    pub relations: &'a [Relation],
    /// What is known beside the links.
    pub side_info: SideInfo,
    /// What is held out.
    pub splits: Splits<'a>,
    /// How many runs there are; as many as folds, if there are folds.
    pub runs: usize,
    /// Random seed.
    pub seed: u64,
    /// What is measured.
    pub measures: Vec<Measure>,
    /// Whether test pairs are resampled for intervals of AUC and average precision.
    pub intervals: bool,
}

/// Watches an evaluation, and may end it.
pub trait EvaluationObserver: Observer {
    /// A method begins a run.
    fn begin(&self, _method: &dyn Method, _run: usize) {}
    /// What a method has found in a run, if it is known: the run is not made again.
    fn found(&self, _method: &dyn Method, _run: usize) -> Option<Outcome> {
        None
    }
    /// A method has ended a run.
    fn end(&self, _method: &dyn Method, _run: usize, _outcome: &Outcome) {}
}

/// Watches nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Quiet;

impl Observer for Quiet {}
impl EvaluationObserver for Quiet {}

impl<'a> Evaluation<'a> {
    /// Five splits of 20 % of the pairs, with the usual measures.
    pub fn new(relations: &'a [Relation]) -> Self {
        Self {
            relations,
            side_info: SideInfo::default(),
            splits: Splits::Drawn(SplitOptions::new(Protocol::default())),
            runs: 5,
            seed: 1,
            measures: Measure::USUAL.to_vec(),
            intervals: false,
        }
    }

    /// Which pairs the methods learn from.
    pub fn pair_plan(&self) -> PairPlan {
        let networks = || self.relations.iter().map(|relation| &relation.network);
        match &self.splits {
            Splits::Drawn(options) | Splits::Folds(options, _) => PairPlan {
                ordered: options.protocol.ordered(),
                negatives: options.protocol.samples().then_some(options.negatives),
            },
            Splits::Fixed(_) => PairPlan::new(networks(), false, None),
        }
    }

    /// How methods are made for it: the defaults of models depend on how many pairs there are to learn from.
    pub fn method_options(&self) -> MethodOptions {
        let plan = self.pair_plan();
        let networks = self.relations.iter().map(|relation| &relation.network);
        MethodOptions {
            pairs: (plan.largest(networks) * self.splits.train_share()) as usize,
            paper: plan.ordered,
            ..MethodOptions::default()
        }
    }

    /// Whether the relations share their features, as far as the options and their size decide it.
    pub fn sharing(&self, asked: Sharing) -> Result<Sharing> {
        let MethodOptions { pairs, paper, .. } = self.method_options();
        crate::fit::sharing(self.relations, asked, pairs as f64, paper)
    }

    /// The estimated bytes of the largest fit of some methods.
    pub fn memory<'m>(&self, methods: impl IntoIterator<Item = &'m dyn Method>) -> f64 {
        let networks = || self.relations.iter().map(|relation| &relation.network);
        let settings = methods.into_iter().flat_map(|method| method.posteriors());
        let plan = self.pair_plan();
        settings.map(|settings| plan.memory(networks(), &self.side_info, settings)).fold(0.0, f64::max)
    }

    /// Refuses what cannot be evaluated: relations that nothing can be learned from, or a run without a test link or a
    /// test non-link. Better refused before hours of fitting than after them. Where links are held out all runs have as
    /// many of them, and the first one fails when it is drawn.
    pub fn check(&self) -> Result<()> {
        self.check_relations()?;
        let runs = if self.splits.sampled() { 0 } else { self.runs };
        (0..runs).try_for_each(|run| self.evaluable(run).map(drop))
    }

    /// Refuses relations that are too large together, or of which none can be learned from. One that nothing can be learned
    /// from is left out as long as there is another one.
    pub fn check_relations(&self) -> Result<()> {
        crate::fit::check_relations(self.relations, self.pair_plan())
    }

    /// Evaluates every method in every run.
    ///
    /// If the observer ends it, the report has the runs that every method has ended until then, or of the first run the methods
    /// that have; without any the result is [`Error::Interrupted`].
    pub fn run(&self, methods: &[Box<dyn Method>], observer: &dyn EvaluationObserver) -> Result<Report> {
        let mut outcomes = vec![Vec::with_capacity(self.runs); methods.len()];
        let mut warnings = vec![];
        let interrupted = match self.run_all(methods, observer, &mut outcomes, &mut warnings) {
            Ok(()) => false,
            Err(Error::Interrupted) if outcomes.iter().any(|outcomes| !outcomes.is_empty()) => true,
            Err(error) => return Err(error),
        };
        let complete = outcomes.iter().map(Vec::len).min().unwrap_or(0);
        // The same splits for all: a run that some methods have not ended is left out of all means.
        for outcomes in &mut outcomes {
            outcomes.truncate(complete.max(1));
        }
        let done: Vec<(&dyn Method, Vec<Outcome>)> = methods
            .iter()
            .map(|method| &**method)
            .zip(outcomes)
            .filter(|(_, outcomes)| !outcomes.is_empty())
            .collect();
        Ok(Report::new(self, &done, warnings, interrupted, complete))
    }

    fn run_all(
        &self,
        methods: &[Box<dyn Method>],
        observer: &dyn EvaluationObserver,
        outcomes: &mut [Vec<Outcome>],
        warnings: &mut Vec<String>,
    ) -> Result<()> {
        for run in 0..self.runs {
            let splits = self.evaluable(run)?;
            if run == 0 {
                // The other runs have as many pairs.
                *warnings = self.warnings(&splits);
                for text in &*warnings {
                    observer.event(&Event::Warning(text));
                }
            }
            for (method, outcomes) in methods.iter().zip(&mut *outcomes) {
                let found = observer.found(&**method, run);
                outcomes.push(match found {
                    Some(found) => found,
                    None => self.run_method(&**method, run, &splits, observer)?,
                });
            }
        }
        Ok(())
    }
}
