//! The commands, one file each.

pub(crate) mod demo;
pub(crate) mod evaluate;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod features;
pub(crate) mod fit;
pub(crate) mod generate;
pub(crate) mod info;
pub(crate) mod manual;
pub mod methods;
pub(crate) mod predict;
pub(crate) mod report;
pub(crate) mod resume;
pub(crate) mod splits;
pub(crate) mod tune;
pub(crate) mod update;
