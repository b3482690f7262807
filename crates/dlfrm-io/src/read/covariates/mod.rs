//! Reading what is known of entities and of pairs beside the links: numbers, categories and words.

mod cells;
mod codes;
mod column;
mod entities;
mod far;
mod notices;
mod pairs;
mod partial;
mod telling;

pub use entities::{ReadAttributes, parse_attributes, read_all_attributes, read_attributes};
pub use pairs::{ReadPairTable, parse_pair_table, read_pair_table};
pub use partial::partial_table_notices;
