//! The workflow: from a network to a fitted model.
//!
//! [`Fit`] plans what is learned from, chooses on a development set what the caller leaves open, runs the chains under an
//! [`Observer`] and returns a [`FittedModel`]. Every front end calls it.
//!
//! ```
//! use std::sync::Arc;
//! use dlfrm::fit::{Fit, FitOptions, MissingLinks};
//! use dlfrm::model::Overrides;
//! use dlfrm::network::{Nodes, Network};
//!
//! let mut people = Nodes::default();
//! let links = ["Ada Bob", "Ada Cleo", "Bob Cleo", "Cleo Dan", "Dan Eve", "Dan Finn", "Eve Finn"];
//! let links = links.map(|link| link.split_once(' ').unwrap()).map(|(a, b)| (people.intern(a), people.intern(b)));
//! let network = Network::new(Arc::new(people), false, links)?;
//!
//! let settings = Overrides { chains: Some(2), draws: Some(20), ..Overrides::default() };
//! let model = Fit::network(network).options(FitOptions { settings, ..FitOptions::default() }).run()?;
//! let missing = model.missing_links(&MissingLinks { count: 3, ..MissingLinks::default() })?;
//! for link in &missing {
//!     println!("{} - {}: {:.2}", link.source, link.target, link.prediction.mean);
//! }
//! # assert_eq!(missing.len(), 3);
//! # Ok::<(), dlfrm::Error>(())
//! ```

mod checkpoint;
mod choice;
mod development;
mod fitted;
mod hold_out;
mod options;
mod part;
mod plan;
mod rounds;
mod state;
mod tune;
pub(crate) mod update;

use std::borrow::Cow;
use std::sync::Mutex;
use std::time::Instant;

pub use crate::chain::{
    AugmentInfo, ChainRun, CollapsedRowsInfo, ConjugateGradientsInfo, Control, Event, FeaturesInfo,
    LinearInfo, Nanoseconds, Observer, Progress, Silent, SweepInfo, WeightsInfo,
};
pub use crate::fitted::{
    ExplainedPart, Explainer, Explanation, Feature, Interaction, Member, MissingLink, MissingLinks, Reason,
    RelationSummary, SharedFeature,
};
pub use crate::warning::Added;
pub use checkpoint::{Checkpoint, Keeper};
pub use fitted::{Continuation, FittedModel, FittedRelation};
pub use hold_out::{HeldOutPairs, HeldOutScores, LeftOut};
pub use options::{FitOptions, PairPlan, Sharing, check_network};
pub(crate) use part::{Live, Task};
pub use part::{Part, PartName, Parts};
pub use plan::Plan;
pub(crate) use plan::{check_relations, sharing};
pub use state::{Choice, FitState, Versions};
pub use tune::{Search, Trial, TrialKeeper, Tuning};

use crate::chain::Stoppable;
use crate::covariates::SideInfo;
use crate::error::{Error, Result};
use crate::network::{Pairs, Relation};
use crate::posterior::Posterior;
use crate::warning::Warning;
use checkpoint::Keeping;
use state::Until;

/// A fit to be made: the network, what is known beside it, and how to fit. See the [module's example](self).
pub struct Fit<'a> {
    relations: Cow<'a, [Relation]>,
    name: String,
    side_info: SideInfo,
    options: FitOptions,
    observer: &'a dyn Observer,
    keeper: Option<&'a dyn Keeper>,
    until: Option<f64>,
    keep: Option<usize>,
    /// Of a fit that goes on: where it is, the pairs that are held out, and how long it took until then.
    begun: Option<(FitState, Vec<LeftOut>, f64)>,
}

impl<'a> Fit<'a> {
    /// A fit to one network.
    pub fn network(network: crate::network::Network) -> Self {
        Self::of(vec![Relation::from(network)].into())
    }

    /// A fit to several relations between the same nodes, or to the single relation of a data set. Panics if there is none.
    pub fn relations(relations: &'a [Relation]) -> Self {
        assert!(!relations.is_empty(), "a fit needs a network");
        Self::of(relations.into())
    }

    fn of(relations: Cow<'a, [Relation]>) -> Self {
        let (name, side_info, options) = ("network".to_owned(), SideInfo::default(), FitOptions::default());
        Self {
            relations,
            name,
            side_info,
            options,
            observer: &Silent,
            keeper: None,
            until: None,
            keep: None,
            begun: None,
        }
    }

    /// A fit that goes on from a checkpoint. It ends, bit for bit, with what a fit that was never left would have found.
    pub fn resume(checkpoint: Checkpoint<'a>) -> Self {
        let Checkpoint { name, relations, held_out, side_info, state, seconds, .. } = checkpoint;
        let begun = Some((state, held_out.into_owned(), seconds));
        Self { begun, ..Self::of(relations).name(&name).side_info(side_info.into_owned()) }
    }

    /// Names the network in the fitted model.
    #[must_use]
    pub fn name(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }

    /// Chooses how to fit.
    #[must_use]
    pub fn options(mut self, options: FitOptions) -> Self {
        self.options = options;
        self
    }

    /// Adds what is known of nodes and pairs beside the links.
    #[must_use]
    pub fn side_info(mut self, side_info: SideInfo) -> Self {
        self.side_info = side_info;
        self
    }

    /// Has the run watched, and perhaps ended.
    #[must_use]
    pub fn observer(mut self, observer: &'a dyn Observer) -> Self {
        self.observer = observer;
        self
    }

    /// Has checkpoints kept while the chains run.
    #[must_use]
    pub fn keeper(mut self, keeper: &'a dyn Keeper) -> Self {
        self.keeper = Some(keeper);
        self
    }

    /// Goes on after the draws that were asked for until the chains agree on predictions: until 95 of 100 link probabilities
    /// have an R-hat of at most this. Every round doubles the draws of a chain, and the second half of them counts.
    #[must_use]
    pub fn until(mut self, r_hat: f64) -> Self {
        self.until = Some(r_hat);
        self
    }

    /// Keeps at most so many draws of all chains: where there are more, every second one is dropped, as often as it takes. Without
    /// it 1,000 draws are kept, or all that the settings ask for.
    #[must_use]
    pub fn keep(mut self, draws: usize) -> Self {
        self.keep = Some(draws);
        self
    }

    /// What the fit would do: which relations and pairs it learns from, with which settings, in how much memory.
    pub fn plan(&self) -> Result<Plan> {
        Plan::new(&self.relations, &self.side_info, &self.options)
    }

    /// The estimated memory, in bytes. A fit that goes on is refused as one that begins: if it is too large.
    pub fn memory(&self) -> Result<f64> {
        let Some((state, ..)) = &self.begun else { return Ok(self.plan()?.memory) };
        let networks = || self.relations.iter().map(|relation| &relation.network);
        state.pairs.check(networks())?;
        Ok(state.parts.memory(state.pairs, &networks(), &self.side_info))
    }

    /// Fits the model.
    ///
    /// An observer that ends the run gets the draws kept until then; without a draw the result is
    /// [`Error::Interrupted`]. The same seed gives the same draws on any number of threads.
    pub fn run(mut self) -> Result<FittedModel> {
        let (mut state, held_out, earlier) = self.begin()?;
        let Self { relations: all, name, side_info, observer, keeper, .. } = &self;
        state.pairs.check(all.iter().map(|relation| &relation.network))?;
        let relations = state.relations.iter().map(|&number| all.get(number));
        let relations: Vec<&Relation> = relations.collect::<Option<_>>().ok_or_else(part::unfit)?;
        let seed = state.parts.features().settings.seed;
        let gather = |relation: &&Relation| {
            let gathered = state.pairs.gather(&relation.network, seed);
            gathered.map_err(|error| error.in_relation(relation.name.as_deref()))
        };
        let pairs: Vec<Pairs> = relations.iter().map(gather).collect::<Result<_>>()?;
        let named: Vec<(Option<&str>, &Pairs)> =
            relations.iter().zip(&pairs).map(|(relation, pairs)| (relation.name.as_deref(), pairs)).collect();
        let live = Live::take(&mut state.parts, relations.len())?;
        let keeping = Keeping {
            observer: *observer,
            keeper: *keeper,
            name,
            relations: all,
            held_out: &held_out,
            side_info,
            state: Mutex::new(state.clone()),
            live: &live,
            began: Instant::now(),
            earlier,
            busy: Mutex::new(()),
        };
        // The first checkpoint has the network and what is planned, so that a run can go on whenever it is left.
        keeping.keep().map_err(Error::Checkpoint)?;
        let stoppable = Stoppable::new(&keeping);
        let task = Task { relations: &named, side_info, observer: &stoppable, live: &live };
        let done = rounds::run(&mut state, &keeping, &task, &relations, &stoppable);
        let interrupted = stoppable.stopped();
        if interrupted {
            keeping.keep_if_possible();
        }
        let done = done?;
        let positions = (!interrupted).then(|| {
            for part in state.parts.iter_mut() {
                // The draws and the traces of the features are those of the model.
                part.chains = live.each(part.name, |run| match part.name {
                    PartName::Features => ChainRun { state: run.state.clone(), ..ChainRun::default() },
                    PartName::Covariates => run.position(),
                });
            }
            let continuation = |relation: &&Relation| Continuation {
                unobserved: relation.network.unobserved().to_vec(),
                unlisted: relation.network.unlisted(),
            };
            relations.iter().map(continuation).collect::<Vec<_>>()
        });
        let mut positions = positions.unwrap_or_default().into_iter();
        let mut fitted = vec![];
        for (number, posterior) in done.posteriors(&state, &task).into_iter().enumerate() {
            let seconds = earlier + done.ran.seconds(number);
            let (relation, chains) = (relations[number], positions.next());
            let mut one = fitted_relation(relation, &pairs[number], posterior, seconds, chains);
            let out = held_out.get(state.relations[number]);
            if let Some(out) = out.filter(|_| !one.posterior.draws().is_empty()) {
                one.held_out = HeldOutPairs::new(out.clone(), &one.posterior);
            }
            fitted.push(one);
        }
        self.model(fitted, (!interrupted).then_some(state), interrupted)
    }

    /// Where the fit begins or goes on, what is held out of it, and how long it took until then. What is held out is taken out
    /// of the relations.
    fn begin(&mut self) -> Result<(FitState, Vec<LeftOut>, f64)> {
        if let Some(limit) = self.options.memory_limit.filter(|_| self.begun.is_some()) {
            plan::check_memory(self.memory()?, Some(limit))?;
        }
        if let Some(begun) = self.begun.take() {
            return Ok(begun);
        }
        let mut held_out = vec![];
        if let Some(share) = self.options.hold_out {
            let (rest, out) = hold_out::hold_out(&self.relations, share, &self.options)?;
            (self.relations, held_out) = (rest.into(), out);
        }
        let Plan { mut state, memory, warnings } = self.plan()?;
        plan::check_memory(memory, self.options.memory_limit)?;
        for warning in &warnings {
            self.observer.event(&Event::Warning(warning));
        }
        state.parts.keep(self.keep)?;
        let draws = state.parts.features().settings.draws;
        state.until = self.until.map(|r_hat| Until::new(r_hat, draws)).transpose()?;
        Ok((state, held_out, 0.0))
    }

    fn model(
        &self,
        fitted: Vec<FittedRelation>,
        state: Option<FitState>,
        interrupted: bool,
    ) -> Result<FittedModel> {
        // A relation that had no draw when the run was ended has nothing to predict with.
        let (relations, without): (Vec<_>, Vec<_>) =
            fitted.into_iter().partition(|relation| !relation.posterior.draws().is_empty());
        if relations.is_empty() {
            return Err(Error::Interrupted);
        }
        for relation in without {
            let warning = Warning::RelationWithoutDraws { relation: relation.name.unwrap_or_default() };
            self.observer.event(&Event::Warning(&warning));
        }
        let network = &self.relations[0].network;
        Ok(FittedModel {
            name: self.name.clone(),
            nodes: network.nodes().clone(),
            directed: network.directed(),
            interrupted,
            versions: Versions::current(),
            relations,
            state,
        })
    }
}

fn fitted_relation(
    relation: &Relation,
    pairs: &Pairs,
    posterior: Posterior,
    seconds: f64,
    chains: Option<Continuation>,
) -> FittedRelation {
    let sampled = pairs.non_link_share() < 1.0;
    FittedRelation {
        name: relation.name.clone(),
        posterior,
        links: relation.network.links().to_vec(),
        non_links: relation.network.non_links().to_vec(),
        // As the network counts them: an undirected pair in both directions is one.
        observed: if sampled { pairs.len() as u64 } else { relation.network.observed_count() },
        seconds,
        held_out: None,
        chains,
    }
}
