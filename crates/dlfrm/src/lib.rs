//! Bayesian link prediction that finds by itself how many latent features a network has.
//!
//! Every node has some of an unbounded number of binary features, and the weights between the features of two nodes
//! decide how probable a link between them is. A fit returns draws from the posterior: link probabilities with intervals, the
//! number of features, who has them and how they interact.
//!
//! # The five things that you touch
//!
//! | type | what it is |
//! |---|---|
//! | [`network::Network`] | nodes with names, the links between them, and what is known of the other pairs |
//! | [`fit::FitOptions`] | the model, the settings that differ from the defaults, which non-links to learn from |
//! | [`fit::Fit`] | the workflow: plans, chooses on a development set what you leave open, runs the chains |
//! | [`fit::FittedModel`] | the result: missing links, predictions, features, diagnostics |
//! | [`evaluate::Evaluation`] | models, baselines and your own methods on held-out pairs, in one table |
//!
//! # From links to the links that are missing
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
//! // Every setting has a default that depends on the model and on the size of the network.
//! let settings = Overrides { burn_in: Some(50), draws: Some(50), seed: Some(7), ..Overrides::default() };
//! let model = Fit::network(network).options(FitOptions { settings, ..FitOptions::default() }).run()?;
//!
//! for link in model.missing_links(&MissingLinks { count: 3, ..MissingLinks::default() })? {
//!     let p = link.prediction;
//!     println!("{} - {}: {:.2}, from {:.2} to {:.2}", link.source, link.target, p.mean, p.low, p.high);
//! }
//! for feature in model.features_of(&model.relations[0]) {
//!     println!("feature {}: {} members", feature.number, feature.size);
//! }
//! # Ok::<(), dlfrm::Error>(())
//! ```
//!
//! [`fit`] and [`evaluate`] have further examples. [`posterior`] is what can be asked of draws, [`baseline`] and [`score`] what
//! to compare with and how, [`generate`] makes networks with a known truth, [`covariates`] holds what is known beside links. Files
//! are read and written by the crate `dlfrm-io`.

#![cfg_attr(
    not(feature = "testing"),
    allow(
        dead_code,
        unreachable_pub,
        reason = "the feature `testing` publishes more for tests and benchmarks"
    )
)]

pub mod baseline;
mod chain;
pub mod covariates;
pub mod error;
pub mod evaluate;
pub mod fit;
mod fitted;
pub mod generate;
pub mod graph;
mod kernel;
pub mod model;
mod named;
pub mod network;
pub mod posterior;
pub mod random;
pub mod score;
mod simd;
pub mod split;
#[cfg(feature = "testing")]
pub mod testing;
pub mod warning;

pub use error::{Error, Result};
pub use warning::Warning;
