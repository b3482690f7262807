//! Judging models and baselines on held-out pairs: the same splits for all of them. Prints nothing.

mod figures;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::bail;
use dlfrm::baseline::Baseline;
use dlfrm::chain::{self, Control, Progress};
use dlfrm::covariates::Given;
use dlfrm::model::{Checked, Model, Settings};
use dlfrm::network::{Pairs, Protocol, Split};
use dlfrm::posterior::Posterior;
use dlfrm::random::run_seed;
use dlfrm::score::{auc, average_precision, expected_calibration_error};
use dlfrm_io::Relation;
use rayon::prelude::*;

pub(crate) use figures::{Evaluation, RelationsFigures};

use crate::failure::Unfinished;

/// Bins of equal width that the calibration error is summed over.
const CALIBRATION_BINS: usize = 10;

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

    fn settings(&self) -> Option<&Settings> {
        match self {
            Self::Model(settings) => Some(settings),
            Self::Baseline(_) => None,
        }
    }
}

/// How it is judged.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan<'a> {
    pub(crate) relations: &'a [Relation],
    /// What is known beside the links.
    pub(crate) given: &'a Given,
    /// Whether all relations have the same features.
    pub(crate) share_features: bool,
    pub(crate) protocol: Protocol,
    pub(crate) test_fraction: f64,
    /// Non-links a link in training, where they are sampled.
    pub(crate) negatives: f64,
    pub(crate) runs: usize,
    pub(crate) seed: u64,
}

/// Is told how an evaluation goes, and may end it.
pub(crate) trait Watch: Sync {
    /// A contender begins a run, with so many relations to judge it on.
    fn begin(&self, contender: &Contender, run: usize, relations: usize);
    /// A chain has made a sweep for one of these relations.
    fn sweep(&self, relation: usize, progress: &Progress) -> Control;
    /// The contender has ended the run.
    fn end(&self, contender: &Contender, run: usize, outcome: &Outcome);
}

/// How a contender did in one run.
#[derive(Debug, Clone)]
pub(crate) struct Outcome {
    /// The mean over the relations that could be judged.
    pub(crate) auc: f64,
    pub(crate) average_precision: f64,
    /// The AUC of the test pairs of all these relations, ranked together.
    pub(crate) pooled_auc: f64,
    /// The expected calibration error over all these test pairs: of models, where test pairs are as training pairs are.
    pub(crate) calibration_error: Option<f64>,
    /// The posterior mean of K, averaged over these relations.
    pub(crate) features: Option<f64>,
    pub(crate) seconds: f64,
    /// The AUC of each relation, in their order.
    pub(crate) each: Vec<Option<f64>>,
}

/// Judges every contender in every run.
pub(crate) fn evaluate(
    plan: &Plan<'_>,
    contenders: &[Contender],
    watch: &impl Watch,
) -> anyhow::Result<Evaluation> {
    // A run that cannot be judged is better told before hours of fitting than after them. Where links are held
    // out all runs have as many of them, and the first one tells.
    for run in 0..if plan.protocol.samples() { 0 } else { plan.runs } {
        splits(plan, run)?;
    }
    let mut outcomes = vec![Vec::with_capacity(plan.runs); contenders.len()];
    for run in 0..plan.runs {
        let splits = splits(plan, run)?;
        for (contender, outcomes) in contenders.iter().zip(&mut outcomes) {
            watch.begin(contender, run, splits.len());
            let outcome = judge(plan, contender, run, &splits, watch)?;
            watch.end(contender, run, &outcome);
            outcomes.push(outcome);
        }
    }
    Ok(Evaluation::new(plan, contenders, &outcomes))
}

/// The splits of the relations that can be judged in this run, with the relations' numbers: those with a link
/// and a non-link among their test pairs.
fn splits(plan: &Plan<'_>, run: usize) -> anyhow::Result<Vec<(usize, Split)>> {
    // All relations hold out the same pairs of entities, so that no relation tells what another one hides.
    let seed = run_seed(plan.seed, run as u64);
    let all: Vec<Split> = plan
        .relations
        .iter()
        .map(|relation| {
            let Plan { protocol, test_fraction, negatives, .. } = *plan;
            Split::with_negatives(&relation.network, protocol, test_fraction, negatives, seed)
        })
        .collect::<Result<_, _>>()?;
    let links: usize = all.iter().map(Split::test_links).sum();
    let pairs: usize = all.iter().map(|split| split.test.len()).sum();
    let judged: Vec<_> = all
        .into_iter()
        .enumerate()
        .filter(|(_, split)| split.test_links() > 0 && split.test_non_links() > 0 && !split.train.is_empty())
        .collect();
    if judged.is_empty() {
        let lacks = if links == 0 { "no link" } else { "nothing but links" };
        bail!(
            "the split of run {} has {lacks} among its {pairs} test pairs, so nothing can be judged: try \
             another test fraction or seed",
            run + 1
        );
    }
    Ok(judged)
}

/// The scores of the test pairs of one relation, and K if a model gave them.
struct Scored {
    scores: Vec<f64>,
    features: Option<f64>,
}

fn judge(
    plan: &Plan<'_>,
    contender: &Contender,
    run: usize,
    splits: &[(usize, Split)],
    watch: &impl Watch,
) -> anyhow::Result<Outcome> {
    let began = Instant::now();
    let seed = run_seed(plan.seed, run as u64);
    let scored: Vec<Scored> = match contender {
        Contender::Model(settings) if plan.share_features => {
            score_shared(settings, plan.given, seed, splits, |progress| watch.sweep(0, progress))?
        }
        _ => splits
            .par_iter()
            .enumerate()
            .map(|(place, (number, split))| {
                score(contender, plan.given, seed, split, |progress| watch.sweep(place, progress)).map_err(
                    |error| match &plan.relations[*number].name {
                        Some(name) if !error.is::<Unfinished>() => {
                            error.context(format!("relation '{name}'"))
                        }
                        _ => error,
                    },
                )
            })
            .collect::<anyhow::Result<_>>()?,
    };
    let seconds = began.elapsed().as_secs_f64();
    let labels: Vec<Vec<bool>> = splits.iter().map(|(_, split)| split.test_labels()).collect();
    let mut each = vec![None; plan.relations.len()];
    let (mut aucs, mut precisions) = (Vec::new(), Vec::new());
    for (((number, _), scored), labels) in splits.iter().zip(&scored).zip(&labels) {
        let area = auc(&scored.scores, labels).expect("the split has both labels");
        each[*number] = Some(area);
        aucs.push(area);
        precisions.push(average_precision(&scored.scores, labels).expect("the split has a link"));
    }
    let all_scores: Vec<f64> = scored.iter().flat_map(|scored| scored.scores.iter().copied()).collect();
    let features: Vec<f64> = scored.iter().filter_map(|scored| scored.features).collect();
    let all_labels = labels.concat();
    let probabilities = !features.is_empty() && !plan.protocol.samples();
    let calibration_error = || expected_calibration_error(&all_scores, &all_labels, CALIBRATION_BINS);
    Ok(Outcome {
        auc: figures::mean(&aucs),
        average_precision: figures::mean(&precisions),
        pooled_auc: auc(&all_scores, &all_labels).expect("the splits have both labels"),
        calibration_error: probabilities.then(calibration_error).flatten(),
        features: (!features.is_empty()).then(|| figures::mean(&features)),
        seconds,
        each,
    })
}

/// Fits all relations at once, with the same features.
fn score_shared(
    settings: &Checked,
    given: &Given,
    seed: u64,
    splits: &[(usize, Split)],
    watch: impl Fn(&Progress) -> Control + Sync,
) -> anyhow::Result<Vec<Scored>> {
    let trains: Vec<&Pairs> = splits.iter().map(|(_, split)| &split.train).collect();
    let posteriors =
        watched(settings, seed, watch, |settings, watch| chain::fit_shared(&trains, given, settings, watch))?;
    let judged = posteriors.iter().zip(splits);
    Ok(judged.map(|(posterior, (_, split))| Scored::by(posterior, split)).collect())
}

/// Fits with another seed; an error if the fit is ended before its time.
fn watched<T>(
    settings: &Checked,
    seed: u64,
    watch: impl Fn(&Progress) -> Control + Sync,
    fit: impl FnOnce(&Checked, &(dyn Fn(&Progress) -> Control + Sync)) -> dlfrm::Result<T>,
) -> anyhow::Result<T> {
    let settings = Settings { seed, ..settings.clone().into_inner() }.check()?;
    let stopped = AtomicBool::new(false);
    let fitted = fit(&settings, &|progress: &Progress| {
        let control = watch(progress);
        if control == Control::Stop {
            stopped.store(true, Ordering::Relaxed);
        }
        control
    })?;
    if stopped.into_inner() {
        bail!(Unfinished);
    }
    Ok(fitted)
}

impl Scored {
    fn by(posterior: &Posterior, split: &Split) -> Self {
        let scores = posterior.predict_mean(&split.test_pairs());
        Self { scores, features: Some(posterior.mean_features()) }
    }
}

fn score(
    contender: &Contender,
    given: &Given,
    seed: u64,
    split: &Split,
    watch: impl Fn(&Progress) -> Control + Sync,
) -> anyhow::Result<Scored> {
    match contender {
        Contender::Baseline(baseline) => {
            Ok(Scored { scores: baseline.score(&split.train, &split.test_pairs()), features: None })
        }
        Contender::Model(settings) => {
            let fit = |settings: &Checked, watch: &(dyn Fn(&Progress) -> Control + Sync)| {
                chain::fit_given(&split.train, given, settings, watch)
            };
            Ok(Scored::by(&watched(settings, seed, watch, fit)?, split))
        }
    }
}
