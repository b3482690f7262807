//! What a chain has so far: the draws that it kept, its trace, and where it is.

use std::sync::Mutex;

use crate::error::{Error, Result};
use crate::model::ValidSettings;
use crate::posterior::{Draw, Trace};

/// A chain so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ChainRun {
    /// The kept draws.
    pub draws: Vec<Draw>,
    /// Its trace over all sweeps.
    pub trace: Trace,
    /// Where it is after its last sweep, effects without what attributes add to them; `None` before its first sweep.
    pub state: Option<Draw>,
}

/// The chains of a posterior, for each relation. A chain that runs locks its own.
pub(crate) type Slots = Vec<Vec<Mutex<ChainRun>>>;

/// Which sweeps of a chain are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Length {
    /// Sweeps before the first of which some are kept.
    pub(crate) burn_in: usize,
    pub(crate) draws: usize,
    pub(crate) thin: usize,
}

impl Length {
    /// As the settings say, with some sweeps more before the first draw.
    pub(crate) fn new(settings: &ValidSettings, later: usize) -> Self {
        Self { burn_in: settings.burn_in + later, draws: settings.draws, thin: settings.thin }
    }

    /// How many sweeps a chain makes.
    pub(crate) fn sweeps(self) -> usize {
        self.burn_in + self.draws * self.thin
    }

    /// Whether the draw after a sweep (from 1) is kept.
    pub(crate) fn keeps(self, sweep: usize) -> bool {
        sweep > self.burn_in && (sweep - self.burn_in).is_multiple_of(self.thin)
    }
}

impl ChainRun {
    /// How many sweeps the chain has made.
    pub fn sweeps(&self) -> usize {
        self.trace.features.len()
    }

    /// Where the chain is, without its draws.
    pub(crate) fn position(&self) -> Self {
        Self { draws: vec![], trace: self.trace.clone(), state: self.state.clone() }
    }

    /// The chain as it was when it kept its first draw, for another to go on from there. It has no attributes.
    pub(crate) fn at_first_draw(&self) -> Option<Self> {
        let state = self.draws.first()?;
        Some(Self { draws: vec![], trace: self.trace.beginning(state.sweep), state: Some(state.clone()) })
    }

    /// Refuses what chain number `chain` cannot have left.
    pub(crate) fn check(&self, chain: usize, length: Length) -> Result<()> {
        let sweeps = self.sweeps();
        let kept = (1..=sweeps).filter(|&sweep| length.keeps(sweep)).map(|sweep| (chain, sweep));
        let whole = sweeps <= length.sweeps()
            && self.trace.is_whole()
            && self.state.as_ref().map(|state| (state.chain, state.sweep))
                == (sweeps > 0).then_some((chain, sweeps))
            && kept.eq(self.draws.iter().map(|draw| (draw.chain, draw.sweep)));
        if whole {
            return Ok(());
        }
        Err(Error::Draws(format!(
            "chain {chain} with {sweeps} sweeps does not have the draws of these settings"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::super::run::{continue_chains, continue_shared_chains, no_runs, taken};
    use super::super::{Control, Progress, Silent};
    use super::*;
    use crate::covariates::{Attributes, CovariateSet, Field, FieldValues, SideInfo};
    use crate::generate::{GenerateSettings, generate};
    use crate::model::{Model, Settings, Start};
    use crate::network::Pairs;

    fn pairs(directed: bool, seed: u64) -> Pairs {
        let settings = GenerateSettings { nodes: 24, directed, seed, ..GenerateSettings::default() };
        Pairs::observed(&generate(&settings).unwrap().network, false)
    }

    /// Annealed starts change costs and loss in the burn-in; thinning keeps some sweeps only.
    fn settings(model: Model) -> Settings {
        let settings = Settings { chains: 2, burn_in: 12, draws: 4, thin: 2, ..Settings::for_model(model) };
        Settings { learn_alpha: true, learn_nu: true, intercept: true, start: Start::Annealed, ..settings }
    }

    fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
    }

    /// The chains of a run that is left after some sweeps, and goes on with nothing but what is noted of it.
    fn in_two(
        pairs: &[&Pairs],
        shared: bool,
        side_info: &SideInfo,
        settings: &ValidSettings,
        stop: Option<usize>,
    ) -> Vec<Vec<ChainRun>> {
        let stops = |progress: &Progress| {
            if Some(progress.sweep) == stop { Control::Stop } else { Control::Continue }
        };
        let mut slots: Slots = pairs.iter().map(|_| no_runs(settings)).collect();
        let length = Length::new(settings, 0);
        for (threads, observer) in [(1, &stops as &dyn super::super::Observer), (2, &Silent)] {
            // A file keeps parts, and nothing else.
            for slot in slots.iter_mut().flatten() {
                let run = slot.get_mut().unwrap();
                let parted = |draw: &Draw| Draw::from_parts((**draw).clone()).unwrap();
                run.draws = run.draws.iter().map(parted).collect();
                run.state = run.state.as_ref().map(parted);
            }
            on_threads(threads, || {
                if shared {
                    continue_shared_chains(pairs, side_info, settings, length, observer, &slots).unwrap();
                } else {
                    let (one, slots) = (pairs[0], &slots[0]);
                    continue_chains(one, side_info, settings, length, 0, observer, slots).unwrap();
                }
            });
        }
        slots.into_iter().map(|slots| slots.into_iter().map(taken).collect()).collect()
    }

    #[test]
    fn a_chain_that_was_left_goes_on_as_if_it_was_not() {
        let attributes = (0..24).map(|node| Some(f64::from(node % 5))).collect();
        let field = Field { name: "age".to_owned(), values: FieldValues::Numbers(attributes) };
        let known = SideInfo { nodes: Some(Attributes::new(24, vec![field]).unwrap().into()), pairs: None };
        for model in Model::ALL {
            for (directed, node_effects, covariates) in [
                (true, false, CovariateSet::None),
                (false, true, CovariateSet::None),
                (false, false, CovariateSet::Topology),
                (true, true, CovariateSet::Topology),
            ] {
                let settings = Settings { covariates, node_effects, ..settings(model) }.check().unwrap();
                let side_info =
                    if covariates == CovariateSet::None { SideInfo::default() } else { known.clone() };
                let (pairs, what) = (pairs(directed, 1), format!("{model}, {directed}, {node_effects}"));
                let whole = in_two(&[&pairs], false, &side_info, &settings, None);
                assert_eq!(whole[0][1].draws.len(), 4);
                for stop in [1, 4, 9, 13, 17] {
                    let parts = in_two(&[&pairs], false, &side_info, &settings, Some(stop));
                    assert!(parts == whole, "{what}: left after sweep {stop}");
                }
            }
        }
    }

    #[test]
    fn shared_features_go_on() {
        let relations = [pairs(true, 1), pairs(true, 2)];
        let relations: Vec<&Pairs> = relations.iter().collect();
        for model in Model::ALL {
            let settings = Settings { node_effects: true, ..settings(model) }.check().unwrap();
            let whole = in_two(&relations, true, &SideInfo::default(), &settings, None);
            for stop in [2, 9, 16] {
                let parts = in_two(&relations, true, &SideInfo::default(), &settings, Some(stop));
                assert!(parts == whole, "{model}: left after sweep {stop}");
            }
        }
    }

    #[test]
    fn what_no_chain_left_is_refused() {
        let (pairs, model) = (pairs(true, 1), Model::DEFAULT);
        let settings = Settings { node_effects: true, ..settings(model) }.check().unwrap();
        let run =
            in_two(&[&pairs], false, &SideInfo::default(), &settings, None).swap_remove(0).swap_remove(0);
        let length = Length { draws: 5, ..Length::new(&settings, 0) };
        let refused = |change: &dyn Fn(&mut ChainRun)| {
            let mut slots = no_runs(&settings);
            *slots[0].get_mut().unwrap() = run.clone();
            change(slots[0].get_mut().unwrap());
            continue_chains(&pairs, &SideInfo::default(), &settings, length, 0, &Silent, &slots).is_err()
        };
        assert!(!refused(&|_| {}));
        assert!(refused(&|run| run.state = None));
        assert!(refused(&|run| run.draws.truncate(1)));
        assert!(refused(&|run| run.trace.nu.truncate(1)));
        assert!(refused(&|run| run.trace.features.truncate(1)));
        let of_state = |change: fn(&mut crate::posterior::DrawParts)| {
            refused(&|run| {
                let mut parts = (**run.state.as_ref().unwrap()).clone();
                change(&mut parts);
                run.state = Some(Draw::from_parts(parts).unwrap());
            })
        };
        assert!(of_state(|parts| parts.linear.effects = Default::default()));
        assert!(of_state(|parts| parts.linear.coefficients.push(1.0)));
        assert!(of_state(|parts| parts.alpha = -1.0));
        assert!(of_state(|parts| parts.chain = 1));
        assert!(of_state(|parts| {
            parts.features += 1;
            parts.weights.push(0.0);
        }));
    }
}
