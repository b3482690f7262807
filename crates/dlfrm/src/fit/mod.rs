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
mod chosen;
mod course;
mod development;
mod fitted;
mod former;
mod hold_out;
mod memory;
mod options;
mod pair_plan;
mod plan;
mod rounds;
mod tune;
pub(crate) mod update;
mod versions;

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
pub use checkpoint::{Checkpoint, Keeper, SoFar};
pub use choice::{Candidates, Choice};
pub use course::Course;
pub use fitted::{Continuation, FittedModel, FittedRelation};
pub use hold_out::{HeldOutPairs, HeldOutScores, LeftOut};
pub use options::{FitOptions, Sharing};
pub use pair_plan::{PairPlan, check_network};
pub use plan::Plan;
pub(crate) use plan::{check_relations, sharing};
pub use tune::{Search, Trial, TrialKeeper, Tuning};
pub use versions::Versions;

use crate::chain::{Slots, Stoppable};
use crate::covariates::SideInfo;
use crate::error::{Error, Result};
use crate::network::{Pairs, Relation};
use crate::posterior::Posterior;
use crate::warning::Warning;
use checkpoint::Keeping;
pub(crate) use chosen::{Chosen, Task};

/// A fit to be made: the network, what is known beside it, and how to fit. See the [module's example](self).
pub struct Fit<'a> {
    relations: std::borrow::Cow<'a, [Relation]>,
    name: String,
    side_info: SideInfo,
    options: FitOptions,
    observer: &'a dyn Observer,
    keeper: Option<&'a dyn Keeper>,
    until: Option<f64>,
    begun: Option<Begun>,
}

/// A fit that goes on.
struct Begun {
    course: Course,
    held_out: Vec<LeftOut>,
    covariates: Slots,
    features: Slots,
    seconds: f64,
}

impl<'a> Fit<'a> {
    /// A fit to one network.
    pub fn network(network: crate::network::Network) -> Self {
        Self::of(vec![Relation::from(network)].into())
    }

    /// A fit to several relations between the same nodes, or to the single relation of a data set.
    ///
    /// # Panics
    /// If there is no relation.
    pub fn relations(relations: &'a [Relation]) -> Self {
        assert!(!relations.is_empty(), "a fit needs a network");
        Self::of(relations.into())
    }

    fn of(relations: std::borrow::Cow<'a, [Relation]>) -> Self {
        let (name, side_info, options) = ("network".to_owned(), SideInfo::default(), FitOptions::default());
        Self {
            relations,
            name,
            side_info,
            options,
            observer: &Silent,
            keeper: None,
            until: None,
            begun: None,
        }
    }

    /// A fit that goes on from a checkpoint. It ends, bit for bit, with what a fit that was never left would have found.
    pub fn resume(checkpoint: Checkpoint) -> Self {
        let Checkpoint {
            name, relations, held_out, side_info, course, covariates, features, seconds, ..
        } = checkpoint;
        let slots = |runs: Vec<Vec<ChainRun>>| -> Slots {
            runs.into_iter().map(|runs| runs.into_iter().map(Mutex::new).collect()).collect()
        };
        let begun =
            Begun { course, held_out, covariates: slots(covariates), features: slots(features), seconds };
        Self { begun: Some(begun), ..Self::of(relations.into()).name(&name).side_info(side_info) }
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

    /// What the fit would do: which relations and pairs it learns from, with which settings, in how much memory.
    pub fn plan(&self) -> Result<Plan> {
        Plan::new(&self.relations, &self.side_info, &self.options)
    }

    /// The estimated memory, in bytes. A fit that goes on is refused as one that begins: if it is too large.
    pub fn memory(&self) -> Result<f64> {
        let Some(Begun { course, .. }) = &self.begun else { return Ok(self.plan()?.memory) };
        let networks = || self.relations.iter().map(|relation| &relation.network);
        course.pairs.check(networks())?;
        Ok(course.candidates()?.memory(course.pairs, &networks(), &self.side_info))
    }

    /// Fits the model.
    ///
    /// An observer that ends the run gets the draws kept until then; without a draw the result is
    /// [`Error::Interrupted`]. The same seed gives the same draws on any number of threads.
    pub fn run(&self) -> Result<FittedModel> {
        let (mut all, mut held_out) = (std::borrow::Cow::Borrowed(&*self.relations), vec![]);
        let course = if let Some(begun) = &self.begun {
            if let Some(limit) = self.options.memory_limit {
                plan::check_memory(self.memory()?, Some(limit))?;
            }
            held_out.clone_from(&begun.held_out);
            begun.course.clone()
        } else {
            if let Some(share) = self.options.hold_out {
                let (rest, out) = hold_out::hold_out(&self.relations, share, &self.options)?;
                (all, held_out) = (rest.into(), out);
            }
            self.begin(&all)?
        };
        course.pairs.check(all.iter().map(|relation| &relation.network))?;
        let relations = course.relations.iter().map(|&number| all.get(number));
        let relations: Vec<&Relation> = relations.collect::<Option<_>>().ok_or_else(unfit)?;
        let (seed, learned) = (course.settings.seed, course.relations.clone());
        let gather = |relation: &&Relation| {
            let gathered = course.pairs.gather(&relation.network, seed);
            gathered.map_err(|error| error.in_relation(relation.name.as_deref()))
        };
        let pairs: Vec<Pairs> = relations.iter().map(gather).collect::<Result<_>>()?;
        let named: Vec<(Option<&str>, &Pairs)> =
            relations.iter().zip(&pairs).map(|(relation, pairs)| (relation.name.as_deref(), pairs)).collect();
        let candidates = course.candidates()?;
        let unbegun = Chosen::unchosen(&candidates).slots(relations.len());
        let counts = |slots: &Slots| slots.iter().map(Vec::len).collect::<Vec<_>>();
        let (slots, earlier) = match &self.begun {
            Some(Begun { covariates, features, seconds, .. }) => ([covariates, features], *seconds),
            None => ([&unbegun[0], &unbegun[1]], 0.0),
        };
        if slots.map(counts) != unbegun.each_ref().map(counts) {
            return Err(unfit());
        }
        let keeping = Keeping {
            observer: self.observer,
            keeper: self.keeper,
            name: &self.name,
            relations: &all,
            held_out: &held_out,
            side_info: &self.side_info,
            course: Mutex::new(course),
            covariates: slots[0],
            features: slots[1],
            began: Instant::now(),
            earlier,
            busy: Mutex::new(()),
        };
        // The first checkpoint has the network and what is planned, so that a run can go on whenever it is left.
        keeping.keep().map_err(Error::Checkpoint)?;
        let stoppable = Stoppable::new(&keeping);
        let fitted = rounds::run(&keeping, &named, &relations, &stoppable, &candidates);
        if stoppable.stopped() {
            keeping.keep_if_possible();
        }
        let done = fitted?;
        let interrupted = stoppable.stopped();
        let chains = |number| rounds::continuation(&keeping, number, relations[number], &done.chosen);
        let chains = (0..relations.len()).map(|number| (!interrupted).then(|| chains(number)));
        let chains: Vec<Option<Continuation>> = chains.collect();
        let posteriors = done.posteriors(&keeping, &named);
        let mut fitted = vec![];
        for ((number, posterior), chains) in posteriors.into_iter().enumerate().zip(chains) {
            let (relation, seconds) = (relations[number], done.seconds[number]);
            let mut one = fitted_relation(relation, &pairs[number], posterior, seconds, chains);
            if let Some(out) = held_out.get(learned[number]).filter(|_| !one.posterior.draws().is_empty()) {
                one.held_out = HeldOutPairs::new(out.clone(), &one.posterior);
            }
            fitted.push(one);
        }
        let course = keeping.course.into_inner().expect("nobody panics with it");
        self.model(fitted, (!interrupted).then_some(course), interrupted)
    }

    /// Plans a fit that begins.
    fn begin(&self, relations: &[Relation]) -> Result<Course> {
        let plan = Plan::new(relations, &self.side_info, &self.options)?;
        plan.check_memory(self.options.memory_limit)?;
        plan.warnings().iter().for_each(|warning| self.observer.event(&Event::Warning(warning)));
        let mut course = Course::new(&plan);
        course.until = self.until.map(|r_hat| checkpoint::until(r_hat, course.settings.draws)).transpose()?;
        Ok(course)
    }

    /// The model of fitted relations.
    fn model(
        &self,
        fitted: Vec<FittedRelation>,
        course: Option<Course>,
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
            course,
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

/// The error for a checkpoint whose parts do not belong together.
fn unfit() -> Error {
    Error::Draws("the chains are not those of the relations and settings".to_owned())
}
