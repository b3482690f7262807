//! Judging models and baselines on held-out pairs: the same splits for all of them. Prints nothing.

mod contender;
mod figures;
mod judge;

use anyhow::bail;
use dlfrm::chain::{Control, Progress};
use dlfrm::network::{Protocol, Split};
use dlfrm::random::run_seed;
use dlfrm::score::Measure;
use dlfrm_io::Relation;

pub(crate) use contender::Contender;
pub(crate) use figures::{Evaluation, RelationsFigures};
pub(crate) use judge::Outcome;

/// How it is judged.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan<'a> {
    pub(crate) relations: &'a [Relation],
    pub(crate) protocol: Protocol,
    pub(crate) test_fraction: f64,
    /// Non-links a link in training, where they are sampled.
    pub(crate) negatives: f64,
    pub(crate) runs: usize,
    pub(crate) seed: u64,
    pub(crate) measures: &'a [Measure],
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
            let outcome = judge::judge(plan, contender, run, &splits, watch)?;
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
