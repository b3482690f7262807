//! Bayesian link prediction that finds by itself how many latent features a network has.
//!
//! From links to the links that are missing:
//!
//! ```
//! use std::sync::Arc;
//! use dlfrm::chain::{Control, Progress, fit};
//! use dlfrm::model::Settings;
//! use dlfrm::network::{Entities, Network, Pairs};
//!
//! let mut people = Entities::default();
//! let links = ["Ada Bob", "Ada Cleo", "Bob Cleo", "Cleo Dan", "Dan Eve", "Dan Finn", "Eve Finn"];
//! let links = links.map(|link| link.split_once(' ').unwrap()).map(|(a, b)| (people.intern(a), people.intern(b)));
//! let network = Network::new(Arc::new(people), false, links)?;
//!
//! let settings = Settings { burn_in: 50, draws: 50, ..Settings::default() }.check()?;
//! let pairs = Pairs::observed(&network, false);
//! let posterior = fit(&pairs, &settings, &|_: &Progress| Control::Continue)?;
//! for (i, j, link) in posterior.top_missing(|i, j| network.has_link(i, j), 3, None) {
//!     let (i, j) = (network.entities().name(i), network.entities().name(j));
//!     println!("{i} - {j}: {:.2}, from {:.2} to {:.2}", link.mean, link.low, link.high);
//! }
//! # assert_eq!(posterior.top_missing(|i, j| network.has_link(i, j), 3, None).len(), 3);
//! # Ok::<(), dlfrm::Error>(())
//! ```
//!
//! [`network`] holds what is observed and how it is split, [`model`] what can be set, [`chain`] the sampler,
//! [`posterior`] what can be asked of its draws, [`baseline`] and [`score`] what to compare with and how,
//! [`generate`] networks drawn from the model. Files are read by the crate `dlfrm-io`.

pub mod baseline;
pub mod chain;
pub mod covariates;
pub mod error;
pub mod evaluate;
pub mod fit;
pub mod generate;
pub mod kernel;
pub mod model;
mod named;
pub mod network;
pub mod posterior;
pub mod random;
pub mod score;

pub use error::{Error, Result};
