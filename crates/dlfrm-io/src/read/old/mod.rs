//! The reader before the strict grammar; it goes when the new one reads networks.
#![allow(dead_code, unused, clippy::all, clippy::pedantic)]

mod between;
mod binary;
mod collect;
pub(crate) mod columns;
pub(crate) mod comments;
mod cut;
mod direction;
mod edge_list;
pub(crate) mod error;
pub(crate) mod foreign;
mod graph;
mod gzip;
pub(crate) mod header;
mod hint;
pub(crate) mod input;
mod konect;
pub(crate) mod label;
pub(crate) mod layout;
pub(crate) mod lines;
mod matrix_market;
mod metis;
pub(crate) mod names;
pub(crate) mod network;
pub(crate) mod odd;
pub(crate) mod options;
mod python;
pub(crate) mod report;
mod sections;
mod sides;
pub(crate) mod table;
pub(crate) mod titles;
mod zstd;
