//! From a file of links to networks: edge lists, SNAP files and Matrix Market files.

mod collect;
mod columns;
mod comments;
mod edge_list;
mod error;
mod fields;
mod header;
mod held_out;
mod input;
mod label;
mod layout;
mod lines;
mod matrix_market;
mod names;
mod network;
mod options;
mod pairs;
mod report;

pub use columns::{Column, Columns, ColumnsError};
pub use error::{Place, ReadError};
pub use fields::{Delimiter, UnknownDelimiter};
pub use held_out::{HeldOut, parse_held_out, read_held_out};
pub use network::{Dataset, Relation, parse_network, read_network};
pub use options::{Declared, ReadOptions};
pub use pairs::{parse_names, parse_pairs, read_names, read_pairs};
pub use report::{Counts, ReadReport, Weights};
