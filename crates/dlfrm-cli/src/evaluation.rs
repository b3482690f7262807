//! Judging models and baselines on held-out pairs: the same splits for all of them. Prints nothing.

mod contender;
mod figures;
mod judge;
mod splits;

use dlfrm::chain::{Control, Progress};
use dlfrm::covariates::SideInfo;
use dlfrm::network::Relation;
use dlfrm::score::Measure;

use crate::args::Sharing;

pub(crate) use contender::{Contender, LFRM};
pub(crate) use figures::{Evaluation, RelationsFigures, deviation, mean};
pub(crate) use judge::{Outcome, judge_run};
pub(crate) use splits::Splits;

/// How it is judged.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan<'a> {
    pub(crate) relations: &'a [Relation],
    /// What is known beside the links.
    pub(crate) given: &'a SideInfo,
    /// Whether all relations have the same features.
    pub(crate) sharing: Sharing,
    pub(crate) splits: Splits<'a>,
    pub(crate) runs: usize,
    pub(crate) seed: u64,
    pub(crate) measures: &'a [Measure],
    /// Whether test pairs are resampled for intervals of AUC and average precision.
    pub(crate) intervals: bool,
}

/// Is told how an evaluation goes, and may end it.
pub(crate) trait Watch: Sync {
    /// A contender begins a run of so many fits, or its fits anew, if it turns out that there is one for all relations.
    fn begin(&self, contender: &Contender, run: usize, fits: usize);
    /// A chain has made a sweep of one of these fits.
    fn sweep(&self, fit: usize, progress: &Progress) -> Control;
    /// The contender has ended the run.
    fn end(&self, contender: &Contender, run: usize, outcome: &Outcome);
}

/// Judges every contender in every run of a plan that was checked.
pub(crate) fn evaluate(
    plan: &Plan<'_>,
    contenders: &[Contender],
    watch: &impl Watch,
) -> anyhow::Result<Evaluation> {
    let mut outcomes = vec![Vec::with_capacity(plan.runs); contenders.len()];
    for run in 0..plan.runs {
        let splits = plan.judged(run)?;
        for (contender, outcomes) in contenders.iter().zip(&mut outcomes) {
            outcomes.push(judge_run(plan, contender, run, &splits, watch)?);
        }
    }
    Ok(Evaluation::new(plan, contenders, &outcomes))
}
