//! Where the splits of an evaluation come from, and which relations of a run can be judged.

use anyhow::bail;
use dlfrm::network::{HeldOut, Split, SplitOptions};
use dlfrm::random::run_seed;

use super::Plan;

/// Where splits come from.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Splits<'a> {
    /// They are drawn, a new one every run.
    Drawn(SplitOptions),
    /// Everything is held out once: every run is one of so many folds.
    Folds(SplitOptions, usize),
    /// Somebody else made one for each relation; runs differ in their chains.
    Given(&'a [Split]),
}

impl Splits<'_> {
    /// Whether test pairs are other pairs than training pairs: probabilities are not comparable with labels then.
    pub(super) fn sampled(&self) -> bool {
        match self {
            Self::Drawn(options) | Self::Folds(options, _) => options.protocol.samples(),
            Self::Given(splits) => splits.iter().any(|split| split.train.non_link_share() < 1.0),
        }
    }
}

impl Plan<'_> {
    /// The splits of a run, one for each relation.
    pub(crate) fn draw(&self, run: usize) -> anyhow::Result<Vec<Split>> {
        // All relations hold out the same pairs of entities, so that no relation tells what another one hides.
        let (options, seed) = match self.splits {
            Splits::Drawn(options) => (options, run_seed(self.seed, run as u64)),
            Splits::Folds(options, of) => (
                SplitOptions { held_out: HeldOut::Fold { number: run, of }, ..options },
                run_seed(self.seed, 0),
            ),
            Splits::Given(splits) => return Ok(splits.to_vec()),
        };
        let draw = |network| Split::with_options(network, &options, seed);
        Ok(self.relations.iter().map(|relation| draw(&relation.network)).collect::<Result<_, _>>()?)
    }

    /// The splits of the relations that can be judged in this run, with the relations' numbers: those with a link
    /// and a non-link among their test pairs.
    pub(crate) fn judged(&self, run: usize) -> anyhow::Result<Vec<(usize, Split)>> {
        let all = self.draw(run)?;
        let links: usize = all.iter().map(Split::test_links).sum();
        let pairs: usize = all.iter().map(|split| split.test.len()).sum();
        let judged: Vec<_> = all
            .into_iter()
            .enumerate()
            .filter(|(_, split)| {
                split.test_links() > 0 && split.test_non_links() > 0 && !split.train.is_empty()
            })
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

    /// Refuses a plan that has a run that cannot be judged: better told before hours of fitting than after them. Where
    /// links are held out all runs have as many of them, and the first one tells when it is drawn.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        let runs = if self.splits.sampled() { 0 } else { self.runs };
        for run in 0..runs {
            self.judged(run)?;
        }
        Ok(())
    }
}
