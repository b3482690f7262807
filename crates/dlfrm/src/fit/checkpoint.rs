//! Checkpoints: what a fit has so far, so that another run can go on with it and find what the first would have found.
//!
//! The library does no I/O: a [`Keeper`] gets what there is and puts it where it lasts.

use std::borrow::Cow;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use super::development::pilot;
use super::fitted::{FittedModel, FittedRelation};
use super::hold_out::{LeftOut, without};
use super::part::Live;
use super::part::PartName;
use super::state::{Chosen, FitState, Until, Versions};
use crate::chain::{ChainRun, Control, Event, Observer, Progress, Trace};
use crate::covariates::SideInfo;
use crate::error::{Error, Result};
use crate::network::{Network, Relation};
use crate::warning::{Kept, Warning};

/// What a fit has so far.
#[derive(Debug, Clone)]
pub struct Checkpoint<'a> {
    /// The name of the network.
    pub name: Cow<'a, str>,
    /// Everything that is known of its links.
    pub relations: Cow<'a, [Relation]>,
    /// Pairs of each relation that are held out, in order; none if there are none.
    pub held_out: Cow<'a, [LeftOut]>,
    /// What is known beside them.
    pub side_info: Cow<'a, SideInfo>,
    /// Where the fit is.
    pub state: FitState,
    /// The programs that it was made with.
    pub versions: Versions,
    /// How long it took until then.
    pub seconds: f64,
}

/// Keeps checkpoints of a running fit.
pub trait Keeper: Sync {
    /// Whether it is time for another one. Called after every sweep.
    fn due(&self) -> bool;

    /// Keeps what there is, in place of what it had before. Chains that end a sweep meanwhile wait. A failure is reported; the
    /// fit goes on, unless it has just begun.
    fn keep(&self, checkpoint: &Checkpoint<'_>) -> std::result::Result<(), String>;
}

impl Checkpoint<'_> {
    /// The same, to last longer than the run.
    #[must_use]
    pub fn into_owned(self) -> Checkpoint<'static> {
        Checkpoint {
            name: Cow::Owned(self.name.into_owned()),
            relations: Cow::Owned(self.relations.into_owned()),
            held_out: Cow::Owned(self.held_out.into_owned()),
            side_info: Cow::Owned(self.side_info.into_owned()),
            state: self.state,
            versions: self.versions,
            seconds: self.seconds,
        }
    }

    /// Refuses another network, or other side information, with the first difference.
    pub fn check_same(&self, relations: &[Relation], side_info: &SideInfo) -> Result<()> {
        let rest = |(number, relation): (usize, &Relation)| match self.held_out.get(number) {
            Some(out) if self.relations[0].network.len() == relation.network.len() => {
                let network = without(&relation.network, &out.pairs)?;
                Ok(Relation { name: relation.name.clone(), network })
            }
            _ => Ok(relation.clone()),
        };
        let relations: Vec<Relation> = relations.iter().enumerate().map(rest).collect::<Result<_>>()?;
        match first_difference(&self.relations, &relations) {
            Some(difference) => Err(Error::OtherNetwork { difference }),
            None if *self.side_info != *side_info => Err(Error::OtherSideInfo),
            None => Ok(()),
        }
    }

    /// Asks for more draws of each chain. The fit ends with those of a fit that asked for all of them at once.
    pub fn more_draws(&mut self, draws: usize) -> Result<()> {
        let state = &mut self.state;
        let before = state.parts.features().settings.clone();
        state.parts.ask_for_draws(before.draws.saturating_add(draws))?;
        // Trials are as long as the fit, up to a point.
        let other_trial = pilot(&before) != pilot(&state.parts.features().settings);
        if state.chosen == Chosen::Yes && !state.choices.is_empty() && other_trial {
            state.chosen = Chosen::Again;
        }
        Ok(())
    }

    /// Keeps at most so many draws of all chains: where there are more, every second one is dropped, as often as it takes.
    pub fn keep(&mut self, draws: usize) -> Result<()> {
        self.state.parts.keep(Some(draws))
    }

    /// The R-hat of predictions that the fit goes on to, if that was asked for.
    pub fn goal(&self) -> Option<f64> {
        self.state.until.filter(|until| !until.drift).map(|until| until.r_hat)
    }

    /// Has the fit go on until the chains agree on predictions, up to an R-hat.
    pub fn until(&mut self, r_hat: f64) -> Result<()> {
        let asked = Until::new(r_hat, self.state.parts.features().settings.draws)?;
        // A fit that goes on already keeps the lengths of its rounds.
        let first = self.state.until.map_or(asked.first, |before| before.first);
        self.state.until = Some(Until { first, ..asked });
        Ok(())
    }

    /// Whether every chain has made all of its sweeps.
    pub fn complete(&self) -> bool {
        let (FitState { until, chosen, .. }, features) = (&self.state, self.state.parts.features());
        let sweeps = features.length().sweeps();
        until.is_none()
            && *chosen == Chosen::Yes
            && features.chains.iter().flatten().all(|run| run.sweeps() == sweeps)
    }

    /// How many draws of each chain are still to be made.
    pub fn draws_due(&self) -> usize {
        let features = self.state.parts.features();
        let made = features.chains.iter().flatten().map(|run| features.length().made(run.sweeps()));
        features.settings.draws.saturating_sub(made.min().unwrap_or(0))
    }

    /// Whether the fit is the one that a model comes from: the same network, and chains that went the same way as far as both
    /// have gone. A fit that has made no sweep yet comes from no model.
    pub fn continues(&self, model: &FittedModel) -> bool {
        let same_names = self.relations[0].network.nodes().names() == model.nodes.names();
        let chains = &self.state.parts.features().chains;
        self.name == model.name
            && same_names
            && model.relations.iter().all(|relation| {
                let learned = self.state.relations.iter().filter_map(|&number| self.relations.get(number));
                learned.zip(chains).any(|(known, runs)| {
                    known.name == relation.name
                        && known.network.links() == relation.links
                        && same_way(runs, relation.posterior.traces())
                })
            })
    }
}

impl FittedRelation {
    /// The chains of its draws, with where they are. Those of covariates get their draws back, too.
    fn into_chains(self, states: Vec<ChainRun>, others: &mut [ChainRun]) -> Option<Vec<ChainRun>> {
        let mut chains: Vec<ChainRun> = (self.posterior.traces().iter().cloned().zip(states))
            .map(|(trace, at)| ChainRun { trace, ..at })
            .collect();
        let (draws, of_others) = self.posterior.into_draws();
        for draw in draws {
            chains.get_mut(draw.chain)?.draws.push(draw);
        }
        for draw in of_others {
            others.get_mut(draw.chain)?.draws.push(draw);
        }
        Some(chains)
    }
}

impl FittedModel {
    /// What the fit goes on with: with more draws, until its chains agree, or with new links.
    pub fn into_checkpoint(self) -> Result<Checkpoint<'static>> {
        let interrupted = self.interrupted;
        let none = || if interrupted { Error::Unfinished } else { Error::NoChains };
        let (side_info, modes) = (self.side_info(), self.modes().cloned());
        let mut state = self.state.ok_or_else(none)?;
        let seconds = self.relations.iter().map(|relation| relation.seconds).fold(0.0, f64::max);
        let states = std::mem::take(&mut state.parts.features_mut().chains);
        if states.len() != self.relations.len() {
            return Err(none());
        }
        let (mut relations, mut held_out) = (vec![], vec![]);
        for (number, (mut relation, states)) in self.relations.into_iter().zip(states).enumerate() {
            let chains = relation.chains.as_mut().ok_or_else(none)?;
            let unobserved = std::mem::take(&mut chains.unobserved);
            let links = std::mem::take(&mut relation.links);
            let network = Network::new(Arc::clone(&self.nodes), self.directed, links)?;
            let non_links = std::mem::take(&mut relation.non_links);
            let mut network = network.with_labels(non_links, unobserved, chains.unlisted)?;
            if let Some(modes) = &modes {
                network = network.with_modes(Arc::clone(modes))?;
            }
            relations.push(Relation { name: relation.name.clone(), network });
            held_out
                .push(relation.held_out.take().map_or_else(LeftOut::default, |held_out| held_out.left_out));
            let others =
                state.parts.get_mut(PartName::Covariates).and_then(|part| part.chains.get_mut(number));
            let others = others.map_or(&mut [][..], Vec::as_mut_slice);
            let chains = relation.into_chains(states, others).ok_or_else(none)?;
            state.parts.features_mut().chains.push(chains);
        }
        if held_out.iter().all(|out| out.pairs.is_empty()) {
            held_out.clear();
        }
        state.relations = (0..relations.len()).collect();
        Ok(Checkpoint {
            name: self.name.into(),
            relations: relations.into(),
            held_out: held_out.into(),
            side_info: Cow::Owned(side_info),
            state,
            versions: self.versions,
            seconds,
        })
    }
}

/// Passes everything on to an observer, and has checkpoints kept after sweeps.
pub(super) struct Keeping<'a> {
    pub(super) observer: &'a dyn Observer,
    pub(super) keeper: Option<&'a dyn Keeper>,
    pub(super) name: &'a str,
    pub(super) relations: &'a [Relation],
    pub(super) held_out: &'a [LeftOut],
    pub(super) side_info: &'a SideInfo,
    /// Where the fit is, but for its chains.
    pub(super) state: Mutex<FitState>,
    pub(super) live: &'a Live,
    pub(super) began: Instant,
    /// How long earlier runs took.
    pub(super) earlier: f64,
    pub(super) busy: Mutex<()>,
}

impl Keeping<'_> {
    /// Notes what is decided.
    pub(super) fn note(&self, state: &FitState) {
        state.clone_into(&mut self.state.lock().expect(UNHARMED));
    }

    pub(super) fn keep(&self) -> std::result::Result<(), String> {
        let Some(keeper) = self.keeper else { return Ok(()) };
        let mut checkpoint = Checkpoint {
            name: self.name.into(),
            relations: self.relations.into(),
            held_out: self.held_out.into(),
            side_info: Cow::Borrowed(self.side_info),
            state: self.state.lock().expect(UNHARMED).clone(),
            versions: Versions::current(),
            seconds: self.earlier + self.began.elapsed().as_secs_f64(),
        };
        let mut chains = self.live.locked();
        chains.exchange(&mut checkpoint.state.parts);
        let kept = keeper.keep(&checkpoint);
        chains.exchange(&mut checkpoint.state.parts);
        kept
    }

    /// Keeps what there is; a failure is no more than a warning.
    pub(super) fn keep_if_possible(&self) {
        if let Err(why) = self.keep() {
            let warning = Warning::NotKept { what: Kept::Checkpoint, why };
            self.observer.event(&Event::Warning(&warning));
        }
    }
}

const UNHARMED: &str = "nobody panics with it";

impl Observer for Keeping<'_> {
    fn sweep(&self, progress: &Progress) -> Control {
        let control = self.observer.sweep(progress);
        let due = || self.keeper.is_some_and(Keeper::due);
        // One chain writes, and the others go on.
        if due()
            && let Ok(_busy) = self.busy.try_lock()
            && due()
        {
            self.keep_if_possible();
        }
        control
    }

    fn step(&self) -> Control {
        self.observer.step()
    }

    fn event(&self, event: &Event<'_>) {
        self.observer.event(event);
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

/// Where two data sets differ first.
fn first_difference(one: &[Relation], other: &[Relation]) -> Option<String> {
    let counted = |what: &str, one: usize, other: usize| {
        (one != other).then(|| format!("it had {one} {what}, this one has {other}"))
    };
    let all = one.iter().zip(other);
    counted("relations", one.len(), other.len()).or_else(|| {
        all.into_iter().find_map(|(one, other)| {
            let named = |difference: String| match &one.name {
                Some(name) => format!("in relation '{name}' {difference}"),
                None => difference,
            };
            if one.name != other.name {
                let [one, other] =
                    [one, other].map(|relation| relation.name.as_deref().unwrap_or_default().to_owned());
                return Some(format!("its relation '{one}' is '{other}' here"));
            }
            difference_of(&one.network, &other.network).map(named)
        })
    })
}

fn difference_of(one: &Network, other: &Network) -> Option<String> {
    let (names, others) = (one.nodes().names(), other.nodes().names());
    if let Some(at) = (0..names.len().min(others.len())).find(|&at| names[at] != others[at]) {
        return Some(format!("node {} was '{}' and is '{}' here", at + 1, names[at], others[at]));
    }
    if names.len() != others.len() {
        return Some(format!("it had {} nodes, this one has {}", names.len(), others.len()));
    }
    if one.directed() != other.directed() {
        let kind = |network: &Network| if network.directed() { "directed" } else { "undirected" };
        return Some(format!("it was {}, this one is {}", kind(one), kind(other)));
    }
    if one.unlisted() != other.unlisted() {
        return Some("pairs that are not listed had another meaning".to_owned());
    }
    let lists = [
        ("link", one.links(), other.links()),
        ("non-link", one.non_links(), other.non_links()),
        ("unobserved pair", one.unobserved(), other.unobserved()),
    ];
    lists.into_iter().find_map(|(what, one, other)| {
        let at = (0..one.len().max(other.len())).find(|&at| one.get(at) != other.get(at))?;
        let shown = |pair: Option<&(u32, u32)>| {
            pair.map_or("none".to_owned(), |&(i, j)| {
                format!("'{}', '{}'", names[i as usize], names[j as usize])
            })
        };
        Some(format!(
            "its {what} number {} was {} and is {} here",
            at + 1,
            shown(one.get(at)),
            shown(other.get(at))
        ))
    })
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
        for run in checkpoint.state.parts.features_mut().chains.iter_mut().flatten() {
            *run = crate::chain::ChainRun::default();
        }
        assert!(!checkpoint.continues(&model), "no sweep yet");
        assert_eq!(checkpoint.draws_due(), 7);
    }
}
