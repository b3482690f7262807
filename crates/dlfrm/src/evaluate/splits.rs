//! Where the splits of an evaluation come from, and which relations can be evaluated in a run.

use super::Evaluation;
use crate::error::{Error, Result};
use crate::random::run_seed;
use crate::split::{HeldOut, Split, SplitOptions};

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
}

impl Splits<'_> {
    /// The share of the pairs, or of the links, that is learned from.
    pub fn train_share(&self) -> f64 {
        match self {
            Self::Drawn(options) => 1.0 - options.held_out.share(),
            Self::Folds(_, folds) => 1.0 - 1.0 / *folds as f64,
            Self::Fixed(_) => 1.0,
        }
    }
}

impl Evaluation<'_> {
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
    pub fn warnings(&self, splits: &[(usize, Split)]) -> Vec<String> {
        let (Splits::Drawn(options) | Splits::Folds(options, _)) = self.splits else { return vec![] };
        let warning = |(number, split): &(usize, Split)| {
            let found = split.non_links_per_link();
            // At least one is drawn, however few are asked for, and numbers are rounded.
            let lacking = found + 1.0 / split.train.links().max(1) as f64 <= options.negatives;
            let tested = split.test_non_links();
            let name = self.relations[*number].name.as_deref();
            (options.protocol.samples() && (lacking || tested < split.test_links())).then(|| {
                format!(
                    "{}all non-links are taken: {} are trained on, {found:.1} per link in place of {}, and {tested} are tested \
                     beside {} links",
                    name.map_or(String::new(), |name| format!("relation '{name}': ")),
                    split.train.len() - split.train.links(),
                    options.negatives,
                    split.test_links(),
                )
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
}
