//! From files to networks and side tables, by a strict grammar: what cannot be read in one way only is refused.

mod adjacency;
mod attributes;
mod cells;
mod columns;
mod edge_list;
mod error;
mod fields;
mod format;
mod graph;
mod input;
mod lists;
mod matrix_market;
mod names;
mod network;
mod options;
mod pair_table;
mod pairs;
mod report;
mod rows;
mod table;

pub use attributes::{ReadAttributes, parse_attributes, read_all_attributes, read_attributes};
pub use cells::TableWarning;
pub use columns::{Column, Columns};
pub use error::{ColumnsProblem, Location, ReadError, Reading};
pub use fields::{Delimiter, UnknownWord};
pub use format::Format;
pub use lists::{ReadGroups, parse_groups, parse_names, read_groups, read_names};
pub use network::{Dataset, parse_network, read_network};
pub use options::{Declared, ReadOptions};
pub use pair_table::{ReadPairTable, parse_pair_table, read_pair_table};
pub use pairs::{
    LabelledOptions, LabelledPairs, RelationPair, RelationPairs, parse_labelled_pairs, parse_pairs,
    read_labelled_pairs, read_pairs,
};
pub use report::{Counts, DirectionBy, Looks, ReadReport, ReadWarning, Weights};
