//! How a contender did in one run: every measure, over the relations that could be judged.

use std::time::Instant;

use dlfrm::network::Split;
use dlfrm::random::run_seed;
use dlfrm::score::{
    CalibrationBin, Judged, Measure, auc, bootstrap, calibration_curve, middle_95, resamples,
};
use rayon::prelude::*;

use super::contender::{Contender, Scored, score_shared};
use super::{Plan, Watch, figures};
use crate::choice::Choice;
use crate::failure::Unfinished;

/// How a contender did in one run.
#[derive(Debug, Clone)]
pub(crate) struct Outcome {
    /// In the order of the plan's measures.
    pub(crate) measured: Vec<Measured>,
    /// The mean over the relations that could be judged.
    pub(crate) auc: f64,
    /// The AUC of the test pairs of all these relations, ranked together.
    pub(crate) pooled_auc: f64,
    /// The calibration curve of all test pairs, of what gives probabilities, where they are told.
    pub(crate) curve: Option<Vec<CalibrationBin>>,
    /// The posterior mean of K, averaged over these relations.
    pub(crate) features: Option<f64>,
    pub(crate) seconds: f64,
    /// What was chosen on a development set.
    pub(crate) choices: Vec<Choice>,
    /// The AUC of each relation, in their order.
    pub(crate) each: Vec<Option<f64>>,
}

/// One measure of one run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Measured {
    /// Of rankings the mean over the relations that leave it defined; of probabilities, that of all their test pairs
    /// together, for models, where test pairs are as training pairs are.
    pub(crate) value: Option<f64>,
    /// The middle 95 % of what resampled test pairs give: of AUC and average precision, if the plan asks for it.
    pub(crate) interval: Option<(f64, f64)>,
}

/// Lets a contender learn from the training pairs of a run and judges it on the test pairs, on the splits that the plan has
/// for it ([`Plan::judged`]).
pub(crate) fn judge_run(
    plan: &Plan<'_>,
    contender: &Contender,
    run: usize,
    splits: &[(usize, Split)],
    watch: &impl Watch,
) -> anyhow::Result<Outcome> {
    watch.begin(contender, run, splits.len());
    let began = Instant::now();
    let seed = run_seed(plan.seed, run as u64);
    let (settled, share, choices) = contender.choose(plan.given, plan.sharing, seed, splits)?;
    let scored = match settled.settings().filter(|_| share) {
        Some(settings) => {
            watch.begin(&settled, run, 1);
            score_shared(settings, plan.given, seed, splits, |progress| watch.sweep(0, progress))?
        }
        None => score_each(plan, &settled, seed, splits, watch)?,
    };
    let seconds = began.elapsed().as_secs_f64();
    let tests = Tests::new(splits, &scored);
    let mut each = vec![None; plan.relations.len()];
    for ((number, _), judged) in splits.iter().zip(tests.each()) {
        each[*number] = Measure::Auc.of(&judged);
    }
    let probabilities = contender.gives_probabilities() && !plan.splits.sampled();
    let intervals = if plan.intervals { tests.intervals(seed) } else { [None; 2] };
    let measured = plan.measures.iter().map(|&measure| {
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
    let features: Vec<f64> = scored.iter().filter_map(|scored| scored.features).collect();
    let both = "the splits have both labels";
    let outcome = Outcome {
        measured: measured.collect(),
        auc: tests.mean(Measure::Auc).expect(both),
        pooled_auc: auc(&tests.scores, &tests.labels).expect(both),
        curve: probabilities
            .then(|| calibration_curve(&tests.scores, &tests.labels, Measure::CALIBRATION_BINS)),
        features: (!features.is_empty()).then(|| figures::mean(&features)),
        seconds,
        choices,
        each,
    };
    watch.end(contender, run, &outcome);
    Ok(outcome)
}

/// Lets a contender learn each relation for itself.
fn score_each(
    plan: &Plan<'_>,
    contender: &Contender,
    seed: u64,
    splits: &[(usize, Split)],
    watch: &impl Watch,
) -> anyhow::Result<Vec<Scored>> {
    let score = |(place, judged): (usize, &(usize, Split))| {
        let scored = contender.score(plan.given, seed, judged, |progress| watch.sweep(place, progress));
        scored.map_err(|error| match &plan.relations[judged.0].name {
            Some(name) if !error.is::<Unfinished>() => error.context(format!("relation '{name}'")),
            _ => error,
        })
    };
    splits.par_iter().enumerate().map(score).collect()
}

/// The test pairs of all relations that are judged, one relation after the other.
struct Tests {
    scores: Vec<f64>,
    labels: Vec<bool>,
    pairs: Vec<(u32, u32)>,
    symmetric: bool,
    counts: Vec<usize>,
}

impl Tests {
    fn new(splits: &[(usize, Split)], scored: &[Scored]) -> Self {
        Self {
            scores: scored.iter().flat_map(|scored| scored.scores.iter().copied()).collect(),
            labels: splits.iter().flat_map(|(_, split)| split.test_labels()).collect(),
            pairs: splits.iter().flat_map(|(_, split)| split.test_pairs()).collect(),
            symmetric: splits.iter().all(|(_, split)| split.train.symmetric()),
            counts: splits.iter().map(|(_, split)| split.test.len()).collect(),
        }
    }

    fn part(&self, range: std::ops::Range<usize>) -> Judged<'_> {
        Judged {
            scores: &self.scores[range.clone()],
            labels: &self.labels[range.clone()],
            pairs: &self.pairs[range],
            symmetric: self.symmetric,
        }
    }

    /// All test pairs, whatever their relation.
    fn together(&self) -> Judged<'_> {
        self.part(0..self.scores.len())
    }

    /// Those of each relation.
    fn each(&self) -> impl Iterator<Item = Judged<'_>> {
        let mut start = 0;
        self.counts.iter().map(move |count| {
            start += count;
            self.part(start - count..start)
        })
    }

    /// The mean over the relations that leave a measure defined.
    fn mean(&self, measure: Measure) -> Option<f64> {
        let values: Vec<f64> = self.each().filter_map(|judged| measure.of(&judged)).collect();
        (!values.is_empty()).then(|| figures::mean(&values))
    }

    /// The intervals of the AUC and the average precision: a resample is one of each relation.
    fn intervals(&self, seed: u64) -> [Option<(f64, f64)>; 2] {
        let count = resamples(self.scores.len());
        let mut sums = [vec![0.0; count], vec![0.0; count]];
        for (block, judged) in self.each().enumerate() {
            let drawn = bootstrap(judged.scores, judged.labels, count, seed, block as u64);
            for (number, resample) in drawn.iter().enumerate() {
                sums[0][number] += resample.auc / self.counts.len() as f64;
                sums[1][number] += resample.average_precision / self.counts.len() as f64;
            }
        }
        sums.map(|values| middle_95(&values))
    }
}
