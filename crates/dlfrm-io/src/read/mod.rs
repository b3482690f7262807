//! From a file of links to networks: edge lists, SNAP, Matrix Market, GraphML, GEXF, GML and Pajek files.

mod between;
mod binary;
mod collect;
mod columns;
mod comments;
mod covariates;
mod cut;
mod direction;
mod edge_list;
mod error;
mod fields;
mod foreign;
mod graph;
mod groups;
mod gzip;
mod header;
mod hint;
mod input;
mod konect;
mod label;
mod labelled;
mod layout;
mod lines;
mod matrix_market;
mod metis;
mod name_list;
mod names;
mod network;
mod odd;
mod options;
mod pairs;
mod python;
mod report;
mod sections;
mod sides;
mod table;
mod titles;
mod zstd;

pub use columns::{Column, Columns, ColumnsError};
pub use covariates::{
    ReadAttributes, ReadPairTable, parse_attributes, parse_pair_table, partial_table_warnings,
    read_all_attributes, read_attributes, read_pair_table,
};
pub use error::{Location, ReadError};
pub use fields::{Delimiter, UnknownDelimiter};
pub use groups::{ReadGroups, parse_groups, read_groups};
pub use labelled::{LabelledOptions, LabelledPairs, parse_labelled_pairs, read_labelled_pairs};
pub use name_list::{parse_names, read_names, table_of_names};
pub use network::{Dataset, parse_network, read_network};
pub use odd::{alike_name, alike_names, first_row_remark};
pub use options::{Declared, KnownNetwork, ReadOptions};
pub use pairs::{RelationPair, RelationPairs, parse_pairs, read_pairs, read_relation_pairs};
pub use report::{Counts, ReadReport, Weights};
