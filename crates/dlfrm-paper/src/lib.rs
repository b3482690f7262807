//! The paper's tables and figures, reproduced: the studies with their networks and methods, finished pieces of work on disk,
//! tables and charts beside the paper's own figures, and the support vector machines of one of its tables. [`corpus`] evaluates
//! methods on a folder of other networks in the same way.
//!
//! ```no_run
//! use dlfrm_paper::{Quiet, Request, Study, reproduce};
//!
//! let request = Request { quick: true, ..Request::new(Study::new("nips", None)?) };
//! let reproduction = reproduce(&request, &Quiet)?;
//! for file in reproduction.write(&request.output)? {
//!     println!("{file}");
//! }
//! # Ok::<(), dlfrm_paper::Error>(())
//! ```

mod benchmark;
mod chart;
pub mod corpus;
mod data;
mod error;
pub mod methods;
mod page;
mod paper;
mod reproduction;
mod results;
mod sections;
mod study;
pub mod svm;
mod table;
#[cfg(test)]
mod tests;

pub use dlfrm::evaluate::Quiet;
pub use dlfrm_io::Provenance;

pub use error::{Error, Result};
pub use paper::Published;
pub use reproduction::{Plan, ReproductionObserver, Request, reproduce};
pub use results::Reproduction;
pub use study::Study;
pub use table::Table;

impl ReproductionObserver for Quiet {}
