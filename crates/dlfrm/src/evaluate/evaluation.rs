//! An evaluation: the splits of its runs, and every method on each of them.

use std::time::Instant;

use rayon::prelude::*;

use crate::chain::{Event, Observer};
use crate::covariates::SideInfo;
use crate::error::{Error, Result};
use crate::fit::{PairPlan, Sharing};
use crate::network::Relation;
use crate::random::run_seed;
use crate::score::{Measure, Scored, auc, bootstrap, calibration_curve, mean, middle_95, resamples};
use crate::split::{HeldOut, Protocol, Split, SplitOptions};
use crate::warning::Warning;

use super::figures::{Measured, Outcome, Report};
use super::methods::{Method, MethodOptions, Training, TrainingRelation};

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

/// Where splits come from.
#[derive(Debug, Clone, Copy)]
pub enum Splits<'a> {
    /// They are drawn, a new one in every run.
    Drawn(SplitOptions),
    /// Everything is held out once: every run is one of so many folds.
    Folds(SplitOptions, usize),
    /// One split for each relation, the same in every run; runs differ in their chains.
    Fixed(&'a [Split]),
}

impl Splits<'_> {
    /// Whether test pairs are other pairs than training pairs: probabilities are not comparable with labels then.
    pub fn sampled(&self) -> bool {
        match self {
            Self::Drawn(options) | Self::Folds(options, _) => options.protocol.samples(),
            Self::Fixed(splits) => splits.iter().any(|split| split.train.non_link_share() < 1.0),
        }
    }

    /// The share of the pairs, or of the links, that is learned from.
    pub fn train_share(&self) -> f64 {
        match self {
            Self::Drawn(options) => 1.0 - options.held_out.share(),
            Self::Folds(_, folds) => 1.0 - 1.0 / *folds as f64,
            Self::Fixed(_) => 1.0,
        }
    }
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
        let share = self.splits.train_share();
        MethodOptions {
            pairs: (plan.largest(networks.clone()) * share) as usize,
            all_pairs: (plan.all(networks) * share) as usize,
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
    /// test non-link. Where links are held out all runs have as many of them, and the first one fails when it is drawn.
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
        Ok(Report::new(self.relations, &self.measures, &done, warnings, interrupted, complete))
    }

    fn run_all(
        &self,
        methods: &[Box<dyn Method>],
        observer: &dyn EvaluationObserver,
        outcomes: &mut [Vec<Outcome>],
        warnings: &mut Vec<Warning>,
    ) -> Result<()> {
        for run in 0..self.runs {
            let splits = self.evaluable(run)?;
            if run == 0 {
                // The other runs have as many pairs.
                *warnings = self.warnings(&splits);
                for warning in &*warnings {
                    observer.event(&Event::Warning(warning));
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

    /// The splits of a run, one for each relation.
    pub fn draw(&self, run: usize) -> Result<Vec<Split>> {
        // All relations hold out the same pairs of nodes, so that no relation shows what another one hides.
        let (options, seed) = match self.splits {
            Splits::Drawn(options) => (options, run_seed(self.seed, run as u64)),
            Splits::Folds(options, of) => (
                SplitOptions { held_out: HeldOut::Fold { number: run, of }, ..options },
                run_seed(self.seed, 0),
            ),
            Splits::Fixed(splits) => return Ok(splits.to_vec()),
        };
        let draw = |network| Split::with_options(network, &options, seed);
        self.relations.iter().map(|relation| draw(&relation.network)).collect()
    }

    /// What a user should know of the splits of a run: relations with fewer non-links than were asked for.
    pub fn warnings(&self, splits: &[(usize, Split)]) -> Vec<Warning> {
        let (Splits::Drawn(options) | Splits::Folds(options, _)) = self.splits else { return vec![] };
        let warning = |(number, split): &(usize, Split)| {
            let per_link = split.non_links_per_link();
            // At least one is drawn, however few are asked for, and numbers are rounded.
            let lacking = per_link + 1.0 / split.train.links().max(1) as f64 <= options.negatives;
            let (tested, links) = (split.test_non_links(), split.test_links());
            (options.protocol.samples() && (lacking || tested < links)).then(|| Warning::FewNonLinks {
                relation: self.relations[*number].name.clone(),
                trained: split.train.len() - split.train.links(),
                per_link,
                asked: options.negatives,
                tested,
                links,
            })
        };
        splits.iter().filter_map(warning).collect()
    }

    /// The splits of the relations that can be evaluated in this run, with the relations' numbers: those with a link
    /// and a non-link among their test pairs.
    pub fn evaluable(&self, run: usize) -> Result<Vec<(usize, Split)>> {
        let all = self.draw(run)?;
        let links: usize = all.iter().map(Split::test_links).sum();
        let pairs: usize = all.iter().map(|split| split.test.len()).sum();
        let kept: Vec<_> = all
            .into_iter()
            .enumerate()
            .filter(|(_, split)| {
                split.test_links() > 0 && split.test_non_links() > 0 && !split.train.is_empty()
            })
            .collect();
        if kept.is_empty() {
            let lacks = match links {
                0 => format!("no link among its {pairs} test pairs"),
                _ if links == pairs => format!("nothing but links among its {pairs} test pairs"),
                _ => "no pairs left to learn from".to_owned(),
            };
            let advice = match self.splits {
                Splits::Folds(..) => "take fewer folds, or another seed",
                _ => "try another test fraction or seed",
            };
            return Err(Error::Network(format!(
                "the split of run {} has {lacks}, so nothing can be evaluated: {advice}",
                run + 1
            )));
        }
        Ok(kept)
    }

    /// Fits a method to the training pairs of a run and scores the test pairs, on the splits that the evaluation has for the
    /// run ([`Evaluation::evaluable`]).
    pub fn run_method(
        &self,
        method: &dyn Method,
        run: usize,
        splits: &[(usize, Split)],
        observer: &dyn EvaluationObserver,
    ) -> Result<Outcome> {
        observer.begin(method, run);
        let began = Instant::now();
        let seed = run_seed(self.seed, run as u64);
        let relations = splits.iter().map(|(number, split)| TrainingRelation {
            number: *number,
            name: self.relations[*number].name.as_deref(),
            pairs: &split.train,
            validation: &split.validation,
        });
        let training =
            Training { relations: relations.collect(), side_info: &self.side_info, seed, observer };
        let fitted = method.fit(&training)?;
        let scores = self.of_tests(splits, |position, pairs| fitted.score(position, pairs))?;
        let seconds = began.elapsed().as_secs_f64();
        let tests = Tests::new(splits, &scores);
        let probabilities = (method.probabilities() && !self.splits.sampled())
            .then(|| self.of_tests(splits, |position, pairs| fitted.probability(position, pairs)))
            .transpose()?
            .map(|each| Tests::new(splits, &each));
        let mut each = vec![None; self.relations.len()];
        for ((number, _), scored) in splits.iter().zip(tests.each()) {
            each[*number] = Measure::Auc.of(&scored);
        }
        let features: Vec<f64> = (0..splits.len()).filter_map(|position| fitted.features(position)).collect();
        let both = "the splits have both labels";
        let outcome = Outcome {
            measured: self.measure(&tests, probabilities.as_ref(), seed),
            auc: tests.mean(Measure::Auc).expect(both),
            pooled_auc: auc(&tests.scores, &tests.labels).expect(both),
            curve: probabilities
                .map(|tests| calibration_curve(&tests.scores, &tests.labels, Measure::CALIBRATION_BINS)),
            features: (!features.is_empty()).then(|| mean(&features)),
            seconds,
            choices: fitted.choices().to_vec(),
            each,
        };
        observer.end(method, run, &outcome);
        Ok(outcome)
    }

    /// What is said of the test pairs of each relation.
    fn of_tests<F>(&self, splits: &[(usize, Split)], said: F) -> Result<Vec<Vec<f64>>>
    where
        F: Fn(usize, &[(u32, u32)]) -> Result<Vec<f64>> + Sync,
    {
        let each = splits.par_iter().enumerate().map(|(position, (number, split))| {
            let said = said(position, &split.test_pairs());
            said.map_err(|error| error.in_relation(self.relations[*number].name.as_deref()))
        });
        each.collect()
    }

    fn measure(&self, tests: &Tests, probabilities: Option<&Tests>, seed: u64) -> Vec<Measured> {
        let intervals = if self.intervals { tests.intervals(seed) } else { [None; 2] };
        let measured = self.measures.iter().map(|&measure| {
            let value = if measure.of_probabilities() {
                probabilities.and_then(|tests| measure.of(&tests.together()))
            } else {
                tests.mean(measure)
            };
            let interval = match measure {
                Measure::Auc => intervals[0],
                Measure::AveragePrecision => intervals[1],
                _ => None,
            };
            Measured { value, interval }
        });
        measured.collect()
    }
}

struct Tests {
    scores: Vec<f64>,
    labels: Vec<bool>,
    pairs: Vec<(u32, u32)>,
    symmetric: bool,
    counts: Vec<usize>,
}

impl Tests {
    fn new(splits: &[(usize, Split)], scores: &[Vec<f64>]) -> Self {
        Self {
            scores: scores.concat(),
            labels: splits.iter().flat_map(|(_, split)| split.test_labels()).collect(),
            pairs: splits.iter().flat_map(|(_, split)| split.test_pairs()).collect(),
            symmetric: splits.iter().all(|(_, split)| split.train.symmetric()),
            counts: splits.iter().map(|(_, split)| split.test.len()).collect(),
        }
    }

    fn part(&self, range: std::ops::Range<usize>) -> Scored<'_> {
        Scored {
            scores: &self.scores[range.clone()],
            labels: &self.labels[range.clone()],
            pairs: &self.pairs[range],
            symmetric: self.symmetric,
        }
    }

    fn together(&self) -> Scored<'_> {
        self.part(0..self.scores.len())
    }

    fn each(&self) -> impl Iterator<Item = Scored<'_>> {
        let mut start = 0;
        self.counts.iter().map(move |count| {
            start += count;
            self.part(start - count..start)
        })
    }

    fn mean(&self, measure: Measure) -> Option<f64> {
        let values: Vec<f64> = self.each().filter_map(|scored| measure.of(&scored)).collect();
        (!values.is_empty()).then(|| mean(&values))
    }

    /// The intervals of the AUC and the average precision: a resample is one of each relation.
    fn intervals(&self, seed: u64) -> [Option<(f64, f64)>; 2] {
        let count = resamples(self.scores.len());
        let mut sums = [vec![0.0; count], vec![0.0; count]];
        for (block, scored) in self.each().enumerate() {
            let drawn = bootstrap(scored.scores, scored.labels, count, seed, block as u64);
            for (number, resample) in drawn.iter().enumerate() {
                sums[0][number] += resample.auc / self.counts.len() as f64;
                sums[1][number] += resample.average_precision / self.counts.len() as f64;
            }
        }
        sums.map(|values| middle_95(&values))
    }
}

#[cfg(test)]
mod tests {
    use super::super::methods::Scorer;
    use super::*;
    use crate::generate::{GenerateSettings, generate};

    /// Ranks pairs by their ids, and says of each that its probability is one half.
    struct Half;

    impl Method for Half {
        fn name(&self) -> &'static str {
            "half"
        }

        fn probabilities(&self) -> bool {
            true
        }

        fn fit<'a>(&'a self, _: &Training<'a>) -> Result<Box<dyn Scorer + 'a>> {
            Ok(Box::new(Self))
        }
    }

    impl Scorer for Half {
        fn score(&self, _: usize, pairs: &[(u32, u32)]) -> Result<Vec<f64>> {
            Ok(pairs.iter().map(|&(i, j)| f64::from(100 * i + j)).collect())
        }

        fn probability(&self, _: usize, pairs: &[(u32, u32)]) -> Result<Vec<f64>> {
            Ok(vec![0.5; pairs.len()])
        }
    }

    #[test]
    fn scores_rank_and_probabilities_are_measured() {
        let network =
            generate(&GenerateSettings { nodes: 30, ..GenerateSettings::default() }).unwrap().network;
        let relations = [Relation::from(network)];
        let splits = Splits::Drawn(SplitOptions::new(Protocol::Pairs));
        let measures = vec![Measure::Auc, Measure::LogLoss];
        let evaluation = Evaluation { splits, measures, runs: 1, ..Evaluation::new(&relations) };
        let splits = evaluation.evaluable(0).unwrap();
        let outcome = evaluation.run_method(&Half, 0, &splits, &Quiet).unwrap();
        let test = &splits[0].1;
        let ranked = auc(&Half.score(0, &test.test_pairs()).unwrap(), &test.test_labels());
        assert!(ranked.is_some_and(|ranked| ranked != 0.5));
        assert_eq!((Some(outcome.auc), outcome.measured[0].value), (ranked, ranked));
        assert!((outcome.measured[1].value.unwrap() - 2.0_f64.ln()).abs() < 1e-12);
        assert_eq!(outcome.curve.unwrap().len(), 1);
    }
}
