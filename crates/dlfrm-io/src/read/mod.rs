//! From a file of links to networks: edge lists, SNAP, Matrix Market, GraphML, GEXF, GML and Pajek files.

#[allow(dead_code, unreachable_pub, reason = "used as the readers move over")]
pub(crate) mod columns;
mod covariates;
#[allow(dead_code, unreachable_pub, reason = "used as the readers move over")]
pub(crate) mod error;
mod fields;
mod groups;
#[allow(dead_code, unreachable_pub, reason = "used as the readers move over")]
pub(crate) mod input;
mod labelled;
mod name_list;
mod old;
mod pairs;
#[allow(dead_code, unreachable_pub, reason = "used as the readers move over")]
pub(crate) mod table;

pub use covariates::{
    ReadAttributes, ReadPairTable, parse_attributes, parse_pair_table, partial_table_warnings,
    read_all_attributes, read_attributes, read_pair_table,
};
pub use fields::{Delimiter, UnknownDelimiter};
pub use groups::{ReadGroups, parse_groups, read_groups};
pub use labelled::{LabelledOptions, LabelledPairs, parse_labelled_pairs, read_labelled_pairs};
pub use name_list::{parse_names, read_names, table_of_names};
pub use old::columns::{Column, Columns, ColumnsError};
pub use old::error::{Location, ReadError};
pub use old::network::{Dataset, parse_network, read_network};
pub use old::odd::{alike_name, alike_names, first_row_remark};
pub use old::options::{Declared, KnownNetwork, ReadOptions};
pub use old::report::{Counts, ReadReport, Weights};
pub use pairs::{RelationPair, RelationPairs, parse_pairs, read_pairs, read_relation_pairs};
