//! From a file of links to networks: edge lists, SNAP files and Matrix Market files.

mod collect;
mod columns;
mod comments;
mod covariates;
mod edge_list;
mod error;
mod fields;
mod header;
mod input;
mod label;
mod labelled;
mod layout;
mod lines;
mod matrix_market;
mod names;
mod network;
mod options;
mod pairs;
mod report;
mod zstd;

pub use columns::{Column, Columns, ColumnsError};
pub use covariates::{
    ReadAttributes, ReadPairTable, parse_attributes, parse_pair_table, read_attributes, read_pair_table,
};
pub use error::{Location, ReadError};
pub use fields::{Delimiter, UnknownDelimiter};
pub use labelled::{LabelledOptions, LabelledPairs, parse_labelled_pairs, read_labelled_pairs};
pub use network::{Dataset, parse_network, read_network};
pub use options::{Declared, ReadOptions};
pub use pairs::{parse_names, parse_pairs, read_names, read_pairs};
pub use report::{Counts, ReadReport, Weights};
