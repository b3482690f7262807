//! The paper's tables and figures made anew: what is judged for each of them, the pieces of work on disk, what is told.

mod chart;
mod drawings;
mod maker;
mod paper;
mod piece;
mod results;
mod study;
mod subject;
#[cfg(test)]
mod tests;
mod text;

pub(crate) use drawings::drawings;
pub(crate) use maker::Maker;
pub(crate) use paper::Paper;
pub(crate) use piece::{Finding, Piece, Store};
pub(crate) use results::{Line, NetworkFacts, Reproduction};
pub(crate) use study::{Kind, Study, StudyName};
pub(crate) use subject::{Part, Subject};
pub(crate) use text::{markdown, tables};
