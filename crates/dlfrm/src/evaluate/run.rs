//! One method in one run: every measure, over the relations that can be evaluated.

use std::time::Instant;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Evaluation, EvaluationObserver, Method, Training, TrainingRelation};
use crate::error::Result;
use crate::fit::Choice;
use crate::random::run_seed;
use crate::score::{
    CalibrationBin, Measure, Scored, auc, bootstrap, calibration_curve, mean, middle_95, resamples,
};
use crate::split::Split;

/// How a method did in one run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Outcome {
    /// In the order of [`Evaluation::measures`].
    pub measured: Vec<Measured>,
    /// The mean over the relations that were evaluated.
    pub auc: f64,
    /// The AUC of the test pairs of all these relations, ranked together.
    pub pooled_auc: f64,
    /// The calibration curve of all test pairs, of what gives probabilities, where test pairs are like training pairs.
    pub curve: Option<Vec<CalibrationBin>>,
    /// The posterior mean of K, averaged over these relations.
    pub features: Option<f64>,
    /// How long fitting and scoring took.
    pub seconds: f64,
    /// What was chosen on a development set.
    pub choices: Vec<Choice>,
    /// The AUC of each relation, in their order.
    pub each: Vec<Option<f64>>,
}

/// One measure of one run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Of rankings the mean over the relations that leave it defined; of probabilities, that of all their test pairs
    /// together, for models, where test pairs are as training pairs are.
    pub value: Option<f64>,
    /// The middle 95 % of what resampled test pairs give: of AUC and average precision, if there are intervals.
    pub interval: Option<(f64, f64)>,
}

impl Evaluation<'_> {
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
        let score = |(position, (number, split)): (usize, &(usize, Split))| {
            let scored = fitted.score(position, &split.test_pairs());
            scored.map_err(|error| error.in_relation(self.relations[*number].name.as_deref()))
        };
        let scores: Vec<Vec<f64>> = splits.par_iter().enumerate().map(score).collect::<Result<_>>()?;
        let seconds = began.elapsed().as_secs_f64();
        let tests = Tests::new(splits, &scores);
        let mut each = vec![None; self.relations.len()];
        for ((number, _), scored) in splits.iter().zip(tests.each()) {
            each[*number] = Measure::Auc.of(&scored);
        }
        let probabilities = method.probabilities() && !self.splits.sampled();
        let features: Vec<f64> = (0..splits.len()).filter_map(|position| fitted.features(position)).collect();
        let both = "the splits have both labels";
        let outcome = Outcome {
            measured: self.measure(&tests, probabilities, seed),
            auc: tests.mean(Measure::Auc).expect(both),
            pooled_auc: auc(&tests.scores, &tests.labels).expect(both),
            curve: probabilities
                .then(|| calibration_curve(&tests.scores, &tests.labels, Measure::CALIBRATION_BINS)),
            features: (!features.is_empty()).then(|| mean(&features)),
            seconds,
            choices: fitted.choices().to_vec(),
            each,
        };
        observer.end(method, run, &outcome);
        Ok(outcome)
    }

    fn measure(&self, tests: &Tests, probabilities: bool, seed: u64) -> Vec<Measured> {
        let intervals = if self.intervals { tests.intervals(seed) } else { [None; 2] };
        let measured = self.measures.iter().map(|&measure| {
            let value = if !measure.of_probabilities() {
                tests.mean(measure)
            } else if probabilities {
                measure.of(&tests.together())
            } else {
                None
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

/// The test pairs of all relations that are evaluated, one relation after the other.
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

    /// All test pairs, whatever their relation.
    fn together(&self) -> Scored<'_> {
        self.part(0..self.scores.len())
    }

    /// Those of each relation.
    fn each(&self) -> impl Iterator<Item = Scored<'_>> {
        let mut start = 0;
        self.counts.iter().map(move |count| {
            start += count;
            self.part(start - count..start)
        })
    }

    /// The mean over the relations that leave a measure defined.
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
