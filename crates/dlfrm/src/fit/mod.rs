//! The workflow: from a network to a fitted model.
//!
//! [`Fit`] plans what is learned from, chooses on a development set what the caller leaves open, runs the chains under an
//! [`Observer`] and returns a [`FittedModel`]. Every front end calls it.
//!
//! ```
//! use std::sync::Arc;
//! use dlfrm::fit::{Fit, FitOptions, MissingLinks};
//! use dlfrm::model::Overrides;
//! use dlfrm::network::{Entities, Network};
//!
//! let mut people = Entities::default();
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

mod choice;
mod development;
mod explain;
mod features;
mod fitted;
mod memory;
mod missing;
mod options;
mod pair_plan;
mod plan;
mod summary;
mod tune;
mod versions;

use std::time::Duration;

pub use crate::chain::{
    AugmentInfo, CollapsedRowsInfo, ConjugateGradientsInfo, Control, Event, FeaturesInfo, LinearInfo,
    Nanoseconds, Observer, Progress, Silent, SweepInfo, WeightsInfo,
};
pub use choice::{Candidates, Choice};
pub use explain::{ExplainedPart, Explainer, Explanation, SharedFeature};
pub use features::{Feature, Interaction, Member};
pub use fitted::{FittedModel, FittedRelation};
pub use missing::{MissingLink, MissingLinks};
pub use options::{FitOptions, Sharing};
pub use pair_plan::{PairPlan, check_network};
pub use plan::Plan;
pub(crate) use plan::{check_relations, sharing};
pub use summary::RelationSummary;
pub use tune::{Search, Trial, Tuning};
pub use versions::Versions;

use crate::chain::Stoppable;
use crate::covariates::SideInfo;
use crate::error::{Error, Result};
use crate::network::{Pairs, Relation};
use crate::posterior::Posterior;

/// A fit to be made: the network, what is known beside it, and how to fit. See the [module's example](self).
pub struct Fit<'a> {
    relations: std::borrow::Cow<'a, [Relation]>,
    name: String,
    side_info: SideInfo,
    options: FitOptions,
    observer: &'a dyn Observer,
}

impl<'a> Fit<'a> {
    /// A fit to one network.
    pub fn network(network: crate::network::Network) -> Self {
        Self::of(vec![Relation::from(network)].into())
    }

    /// A fit to several relations between the same entities, or to the single relation of a data set.
    ///
    /// # Panics
    /// If there is no relation.
    pub fn relations(relations: &'a [Relation]) -> Self {
        assert!(!relations.is_empty(), "a fit needs a network");
        Self::of(relations.into())
    }

    fn of(relations: std::borrow::Cow<'a, [Relation]>) -> Self {
        let (name, side_info, options) = ("network".to_owned(), SideInfo::default(), FitOptions::default());
        Self { relations, name, side_info, options, observer: &Silent }
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

    /// Adds what is known of entities and pairs beside the links.
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

    /// What the fit would do: which relations and pairs it learns from, with which settings, in how much memory.
    pub fn plan(&self) -> Result<Plan> {
        Plan::new(&self.relations, &self.side_info, &self.options)
    }

    /// Fits the model.
    ///
    /// An observer that ends the run gets the draws kept until then; without a draw the result is
    /// [`Error::Interrupted`]. The same seed gives the same draws on any number of threads.
    pub fn run(&self) -> Result<FittedModel> {
        let plan = self.plan()?;
        plan.check_memory(self.options.memory_limit)?;
        let notice = |text: &str| self.observer.event(&Event::Notice(text));
        plan.notices().for_each(notice);
        let relations: Vec<&Relation> =
            plan.relations.iter().map(|&number| &self.relations[number]).collect();
        let seed = plan.candidates.usual.seed;
        let gather = |relation: &&Relation| {
            let gathered = plan.pairs.gather(&relation.network, seed);
            gathered.map_err(|error| error.in_relation(relation.name.as_deref()))
        };
        let pairs: Vec<Pairs> = relations.iter().map(gather).collect::<Result<_>>()?;
        let all: Vec<&Pairs> = pairs.iter().collect();
        let stoppable = Stoppable::new(self.observer);
        let chosen = plan.candidates.choose(&all, &[], &self.side_info, plan.sharing, seed, &stoppable)?;
        chosen.choices.iter().for_each(|choice| notice(&choice.sentence()));
        let named: Vec<(Option<&str>, &Pairs)> =
            relations.iter().zip(&pairs).map(|(relation, pairs)| (relation.name.as_deref(), pairs)).collect();
        let posteriors = chosen.fit(&named, &self.side_info, &stoppable)?;
        let fitted = relations.iter().zip(&pairs).zip(posteriors);
        let fitted = fitted
            .map(|((relation, pairs), (posterior, took))| fitted_relation(relation, pairs, posterior, took));
        // A relation that had no draw when the run was ended has nothing to predict with.
        let (kept, without): (Vec<_>, Vec<_>) =
            fitted.partition(|relation| !relation.posterior.draws().is_empty());
        if kept.is_empty() {
            return Err(Error::Interrupted);
        }
        for relation in without {
            let name = relation.name.unwrap_or_default();
            notice(&format!("relation '{name}' has no draw yet and is left out of the model"));
        }
        let network = &relations[0].network;
        Ok(FittedModel {
            name: self.name.clone(),
            entities: network.entities().clone(),
            directed: network.directed(),
            interrupted: stoppable.stopped(),
            versions: Versions::current(),
            relations: kept,
        })
    }
}

fn fitted_relation(
    relation: &Relation,
    pairs: &Pairs,
    posterior: Posterior,
    took: Duration,
) -> FittedRelation {
    let sampled = pairs.non_link_share() < 1.0;
    FittedRelation {
        name: relation.name.clone(),
        posterior,
        links: relation.network.links().to_vec(),
        non_links: relation.network.non_links().to_vec(),
        // As the network counts them: an undirected pair in both directions is one.
        observed: if sampled { pairs.len() as u64 } else { relation.network.observed_count() },
        seconds: took.as_secs_f64(),
    }
}
