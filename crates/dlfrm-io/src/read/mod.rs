//! From files to networks and side tables, by a strict grammar: what cannot be read in one way only is refused.

#![allow(unreachable_pub, dead_code, reason = "until the side tables have moved over")]

mod adjacency;
#[allow(dead_code, reason = "used as the side tables move over")]
mod columns;
mod comments;
mod covariates;
mod edge_list;
#[allow(dead_code, reason = "used as the side tables move over")]
mod error;
mod fields;
mod format;
mod graph;
mod groups;
#[allow(dead_code, reason = "used as the side tables move over")]
mod input;
mod labelled;
mod matrix_market;
mod name_list;
mod names;
mod network;
mod old;
mod options;
mod pairs;
mod report;
mod rows;
#[allow(dead_code, reason = "used as the side tables move over")]
mod table;

pub use columns::{Column, Columns, ColumnsError};
pub use covariates::{ReadAttributes, ReadPairTable, partial_table_warnings};
pub use error::{ColumnsProblem, Location, ReadError, Reading};
pub use fields::{Delimiter, UnknownDelimiter};
pub use format::{Format, UnknownFormat};
pub use groups::ReadGroups;
pub use labelled::{LabelledOptions, LabelledPairs};
pub use network::{Dataset, parse_network, read_network};
pub use options::{Declared, KnownNetwork, ReadOptions};
pub use pairs::{RelationPair, RelationPairs};
pub use report::{Counts, DirectionBy, Looks, ReadReport, ReadWarning, Weights};
pub use side::*;

/// The side tables with the errors of the new reader, until they have moved over.
mod side {
    use std::io::{self, Read};
    use std::path::{Path, PathBuf};

    use dlfrm::network::Nodes;

    use super::old::error::ReadError as Old;
    use super::old::options::ReadOptions as OldOptions;
    use super::{
        LabelledOptions, LabelledPairs, ReadAttributes, ReadError, ReadGroups, ReadOptions, ReadPairTable,
        RelationPairs, covariates, groups, labelled, name_list, pairs,
    };

    type Result<T> = std::result::Result<T, ReadError>;

    impl From<Old> for ReadError {
        fn from(old: Old) -> Self {
            match old {
                Old::Missing { file } => {
                    Self::unreadable(&file, &io::Error::new(io::ErrorKind::NotFound, "there is no such file"))
                }
                Old::Unreadable { file, cause } => Self::unreadable(&file, &cause),
                other => Self::Old { what: other.to_string() },
            }
        }
    }

    fn old(options: &ReadOptions) -> OldOptions {
        OldOptions {
            columns: options.columns.as_ref().map(|columns| columns.to_string().parse().expect("columns")),
            delimiter: options.delimiter,
            header: options.header,
            ..OldOptions::default()
        }
    }

    pub fn read_names(path: &Path) -> Result<(Vec<String>, Option<String>)> {
        Ok(name_list::read_names(path)?)
    }
    pub fn parse_names(reader: impl Read, name: &str) -> Result<Vec<String>> {
        Ok(name_list::parse_names(reader, name)?)
    }
    pub fn read_attributes(path: &Path, nodes: &Nodes) -> Result<ReadAttributes> {
        Ok(covariates::read_attributes(path, nodes)?)
    }
    pub fn read_all_attributes(files: &[PathBuf], nodes: &Nodes) -> Result<ReadAttributes> {
        Ok(covariates::read_all_attributes(files, nodes)?)
    }
    pub fn parse_attributes(reader: impl Read, name: &str, nodes: &Nodes) -> Result<ReadAttributes> {
        Ok(covariates::parse_attributes(reader, name, nodes)?)
    }
    pub fn read_pair_table(path: &Path, nodes: &Nodes, directed: bool) -> Result<ReadPairTable> {
        Ok(covariates::read_pair_table(path, nodes, directed)?)
    }
    pub fn parse_pair_table(
        reader: impl Read,
        name: &str,
        nodes: &Nodes,
        directed: bool,
    ) -> Result<ReadPairTable> {
        Ok(covariates::parse_pair_table(reader, name, nodes, directed)?)
    }
    pub fn read_groups(path: &Path, nodes: &Nodes) -> Result<ReadGroups> {
        Ok(groups::read_groups(path, nodes)?)
    }
    pub fn parse_groups(reader: impl Read, name: &str, nodes: &Nodes) -> Result<ReadGroups> {
        Ok(groups::parse_groups(reader, name, nodes)?)
    }
    pub fn read_labelled_pairs(path: &Path, options: &LabelledOptions<'_>) -> Result<LabelledPairs> {
        Ok(labelled::read_labelled_pairs(path, options)?)
    }
    pub fn parse_labelled_pairs(
        reader: impl Read,
        name: &str,
        options: &LabelledOptions<'_>,
    ) -> Result<LabelledPairs> {
        Ok(labelled::parse_labelled_pairs(reader, name, options)?)
    }
    pub fn read_pairs(path: &Path, nodes: &Nodes, options: &ReadOptions) -> Result<Vec<(u32, u32)>> {
        Ok(pairs::read_pairs(path, nodes, &old(options))?)
    }
    pub fn parse_pairs(
        reader: impl Read,
        name: &str,
        nodes: &Nodes,
        options: &ReadOptions,
    ) -> Result<Vec<(u32, u32)>> {
        Ok(pairs::parse_pairs(reader, name, nodes, &old(options))?)
    }
    pub fn read_relation_pairs(
        path: &Path,
        nodes: &Nodes,
        relations: &[Option<&str>],
        only: Option<&str>,
        options: &ReadOptions,
    ) -> Result<RelationPairs> {
        Ok(pairs::read_relation_pairs(path, nodes, relations, only, &old(options))?)
    }
}
