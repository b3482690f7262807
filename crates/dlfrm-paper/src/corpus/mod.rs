//! Methods on a folder of networks: every method in every run of every network is a piece of work that is kept, and the
//! figures are means by domain.
//!
//! The folder has an index (`index.tsv`) with a line for each network; [`CorpusIndex`] describes it.

mod index;
mod results;
#[cfg(test)]
mod tests;
mod work;

pub use index::{CorpusEntry, CorpusFilter, CorpusIndex};
pub use results::{CorpusResults, foreign_file};
pub use work::{CorpusPlan, CorpusRequest};
