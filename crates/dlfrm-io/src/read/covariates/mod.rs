//! Reading what is known of entities and of pairs beside the links: numbers, categories and words.

mod cells;
mod column;
mod entities;
mod pairs;

pub use entities::{ReadAttributes, parse_attributes, read_attributes};
pub use pairs::{ReadPairTable, parse_pair_table, read_pair_table};
