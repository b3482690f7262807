//! Reading what is known of nodes and of pairs beside the links: numbers, categories and words.

mod cells;
mod codes;
mod column;
mod far;
mod nodes;
mod pairs;
mod partial;
mod telling;
mod warnings;

pub use nodes::{ReadAttributes, parse_attributes, read_all_attributes, read_attributes};
pub use pairs::{ReadPairTable, parse_pair_table, read_pair_table};
pub use partial::partial_table_warnings;
