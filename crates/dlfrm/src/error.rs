//! What can go wrong in the library: every message carries the offending value.

use std::fmt;

use serde::Serialize;
use thiserror::Error;

/// A mistake in what the caller asked for. Our own mistakes are panics.
#[derive(Debug, Error, Clone, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A setting is outside its range.
    #[error("{name} must be {expected}, is {value}")]
    Setting {
        /// The setting's name as the command line spells it.
        name: &'static str,
        /// What would have been accepted.
        expected: &'static str,
        /// What was given.
        value: String,
    },
    /// Nothing can be learned from a network.
    #[error("{0}")]
    NothingToLearn(NothingToLearn),
    /// There are more pairs than something is made for.
    #[error("{purpose}")]
    TooManyPairs {
        /// What they are for; it says how many there are.
        purpose: PairsFor,
    },
    /// No relation has this name, where there are others or none.
    #[error("{}", unknown_relation(.name.as_deref(), .known))]
    UnknownRelation {
        /// The name; `None` if none was given.
        name: Option<String>,
        /// The names of those that there are.
        known: Vec<String>,
    },
    /// Features of one relation cannot be shared.
    #[error("features cannot be shared: there is one relation")]
    OneRelation,
    /// Covariates do not go with pairs in both directions.
    #[error(
        "covariates {covariates} with asymmetric pairs: each link of an undirected network would be predicted by its reverse; \
         leave one of them out"
    )]
    CovariatesOfBothDirections {
        /// The covariates.
        covariates: String,
    },
    /// A share of pairs to hold out that leaves none on one side.
    #[error("a share of {share} of the pairs {}", if *.held_out { "leaves nothing to learn from: hold out less" } else { "is not one pair: hold out more" })]
    HoldOut {
        /// The share.
        share: f64,
        /// Whether there are held-out pairs, and nothing to learn from.
        held_out: bool,
    },
    /// Links of a model have a direction, and new ones do not, or the other way round.
    #[error("the model is {}, the new pairs are {}", kind(*.directed), kind(!*.directed))]
    OtherDirection {
        /// Whether those of the model have one.
        directed: bool,
    },
    /// A fit began with another network.
    #[error("the fit began with another network: {difference}")]
    OtherNetwork {
        /// The first difference.
        difference: String,
    },
    /// A fit began with other side information.
    #[error("the fit began with other side information")]
    OtherSideInfo,
    /// A model is of a fit that was ended early, and another checkpoint has its chains.
    #[error("the fit was not finished")]
    Unfinished,
    /// A model cannot go on.
    #[error("the model has no states of its chains: fit again to be able to go on")]
    NoChains,
    /// The network cannot be used for what was asked.
    #[error("{0}")]
    Network(String),
    /// Settings of a planted network that no network can have.
    #[error("no network can be planted so: {0}")]
    Infeasible(String),
    /// A name that stands for nothing here.
    #[error("unknown {what} '{name}'; known are {known}")]
    Unknown {
        /// The kind of thing that was looked up.
        what: &'static str,
        /// The name that was given.
        name: String,
        /// The names that would have been accepted.
        known: String,
    },
    /// An attribute of nodes or a covariate of pairs that cannot be used.
    #[error("the attribute '{name}': {what}")]
    Attribute {
        /// Its name.
        name: String,
        /// What is wrong with it.
        what: String,
    },
    /// A node that the network does not have.
    #[error("node {0} is not in the network")]
    Node(String),
    /// A relation of several that cannot be used for what was asked.
    #[error("relation '{name}': {error}")]
    Relation {
        /// Its name.
        name: String,
        /// What is wrong with it.
        error: Box<Error>,
    },
    /// A fit would take more memory than it may.
    #[error(
        "the fit would take about {needed:.0} bytes of memory, {limit:.0} are allowed: sample fewer non-links, run fewer chains at once or keep fewer draws"
    )]
    Memory {
        /// The estimate, in bytes.
        needed: f64,
        /// What it may take.
        limit: f64,
    },
    /// The observer ended a run before there was a result.
    #[error("interrupted before there was a result")]
    Interrupted,
    /// The first checkpoint of a fit could not be kept.
    #[error("{0}")]
    Checkpoint(String),
    /// Stored draws that do not hold together.
    #[error("{0}")]
    Draws(String),
}

/// Pairs of which there are too many for their purpose.
#[derive(Debug, Error, Clone, PartialEq)]
pub enum PairsFor {
    /// A fit to so many pairs, where there may be `most`.
    #[error("{:.0} pairs are more than {most}: sample fewer non-links", .pairs.round())]
    Fit {
        /// The pairs.
        pairs: f64,
        /// How many there may be.
        most: u64,
    },
    /// A method that learns from fewer pairs.
    #[error("{method} is for {most} training pairs at most, these are {pairs}: sample fewer non-links")]
    Method {
        /// Its name.
        method: String,
        /// The pairs.
        pairs: usize,
        /// How many there may be.
        most: usize,
    },
    /// Predictions of new nodes.
    #[error(
        "the new nodes have up to {pairs} pairs, more than {most}: give fewer at a time, or update the model"
    )]
    NewNodes {
        /// The pairs.
        pairs: usize,
        /// How many there may be.
        most: usize,
    },
    /// Relations that share features.
    #[error("features are shared by relations of at most {most} pairs each, this one has {pairs}")]
    SharedFeatures {
        /// The pairs.
        pairs: usize,
        /// How many there may be.
        most: usize,
    },
    /// A split.
    #[error("{pairs} observed pairs are too many to split, {} are possible", u32::MAX)]
    Split {
        /// The pairs.
        pairs: u64,
    },
}

fn kind(directed: bool) -> &'static str {
    if directed { "directed" } else { "undirected" }
}

fn unknown_relation(name: Option<&str>, known: &[String]) -> String {
    match name {
        None => "the model has relations, the new pairs have none".to_owned(),
        Some(name) if known.is_empty() => format!("the model has no relations, so none is called '{name}'"),
        Some(name) => format!("no relation is called '{name}'; there are {}", known.join(", ")),
    }
}

/// A network that nothing can be learned from: too few nodes or pairs, or pairs that are all alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct NothingToLearn {
    /// Its nodes.
    pub nodes: usize,
    /// Its observed pairs.
    pub pairs: u64,
    /// Its links.
    pub links: u64,
}

impl fmt::Display for NothingToLearn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nothing = "so there is nothing to learn";
        match (self.nodes, self.pairs, self.links) {
            (nodes @ (0 | 1), _, _) => write!(f, "a network needs at least two nodes, this one has {nodes}"),
            (_, 0, _) => write!(f, "no pair is observed, {nothing}"),
            (_, 1, 0) => write!(f, "the one observed pair is no link, {nothing}"),
            (_, 1, _) => write!(f, "the one observed pair is a link, {nothing}"),
            (_, pairs, 0) => write!(f, "none of the {pairs} observed pairs is a link, {nothing}"),
            (_, pairs, _) => write!(f, "all {pairs} observed pairs are links, {nothing}"),
        }
    }
}

impl Error {
    /// The same error with the name of the relation that it is about, if there is one.
    #[must_use]
    pub(crate) fn in_relation(self, name: Option<&str>) -> Self {
        match name {
            Some(name) if self != Self::Interrupted => {
                Self::Relation { name: name.to_owned(), error: Box::new(self) }
            }
            _ => self,
        }
    }
}

/// The result of everything in this crate that can be asked wrongly.
pub type Result<T> = std::result::Result<T, Error>;
