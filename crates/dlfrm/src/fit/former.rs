//! Whether a checkpoint and a model are of one fit, and what the checkpoint has still to do.

use super::{Checkpoint, FittedModel};
use crate::chain::ChainRun;
use crate::posterior::Trace;

impl Checkpoint {
    /// Whether the fit is the one that a model comes from: the same network, and chains that went the same way as far as both
    /// have gone. A fit that has made no sweep yet comes from no model.
    pub fn continues(&self, model: &FittedModel) -> bool {
        let same_names = self.relations[0].network.nodes().names() == model.nodes.names();
        self.name == model.name
            && same_names
            && model.relations.iter().all(|relation| {
                let learned = self.course.relations.iter().filter_map(|&number| self.relations.get(number));
                let mut learned = learned.zip(&self.features);
                learned.any(|(known, runs)| {
                    known.name == relation.name
                        && known.network.links() == relation.links
                        && same_way(runs, relation.posterior.traces())
                })
            })
    }

    /// How many draws of each chain are still to be made.
    pub fn draws_due(&self) -> usize {
        let kept = self.features.iter().flatten().map(|run| run.draws.len()).min().unwrap_or(0);
        self.course.settings.draws.saturating_sub(kept)
    }
}

/// Whether chains went as far as traces show it, or as far as they have come.
fn same_way(runs: &[ChainRun], traces: &[Trace]) -> bool {
    let both = || runs.iter().map(|run| &run.trace).zip(traces);
    let common = |one: &Trace, other: &Trace| one.features.len().min(other.features.len());
    let same = |(one, other): (&Trace, &Trace)| {
        let sweeps = common(one, other);
        one.features[..sweeps] == other.features[..sweeps]
            && one.log_joint[..sweeps] == other.log_joint[..sweeps]
    };
    runs.len() == traces.len() && both().all(same) && both().any(|(one, other)| common(one, other) > 0)
}

#[cfg(test)]
mod tests {
    use super::super::{Fit, FitOptions};
    use crate::generate::{GenerateSettings, generate};
    use crate::model::Overrides;

    #[test]
    fn a_model_goes_on_as_itself_and_not_as_another_one() {
        let fitted = |seed, draws| {
            let made =
                generate(&GenerateSettings { nodes: 30, seed: 3, ..GenerateSettings::default() }).unwrap();
            let settings = Overrides {
                chains: Some(2),
                burn_in: Some(4),
                draws: Some(draws),
                seed: Some(seed),
                ..Overrides::default()
            };
            Fit::network(made.network)
                .options(FitOptions { settings, ..FitOptions::default() })
                .run()
                .unwrap()
        };
        let model = fitted(1, 4);
        let mut checkpoint = model.clone().into_checkpoint().unwrap();
        assert!(checkpoint.continues(&model) && checkpoint.draws_due() == 0);
        checkpoint.more_draws(3).unwrap();
        assert!(checkpoint.continues(&model) && checkpoint.draws_due() == 3);
        let longer = Fit::resume(checkpoint.clone()).run().unwrap();
        assert!(checkpoint.continues(&longer), "as far as both have gone");
        assert!(!checkpoint.continues(&fitted(2, 4)), "another seed");
        for run in checkpoint.features.iter_mut().flatten() {
            *run = crate::chain::ChainRun::default();
        }
        assert!(!checkpoint.continues(&model), "no sweep yet");
        assert_eq!(checkpoint.draws_due(), 7);
    }
}
