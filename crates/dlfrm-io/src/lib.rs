//! Files for [`dlfrm`]: networks and side information are read, fitted models are written and read back.
//!
//! | what | read it with |
//! |---|---|
//! | a network | [`read_network`] with [`ReadOptions`]: a [`Dataset`] |
//! | a fitted model | [`save_model`], [`load_model`] |
//! | pairs to predict | [`read_pairs`]; with their labels [`read_labelled_pairs`] |
//! | groups of nodes, a known truth | [`read_groups`] |
//! | side information | [`read_attributes`] of nodes, [`read_pair_table`] of pairs |
//! | networks known by name | [`datasets`], of which one needs no file |
//!
//! Every function `read_...` takes a path (`-` is standard input) and has a twin `parse_...` for any stream. Files may be
//! packed with gzip, zstd or bzip2. An error is one line with the file, the line and the column. `docs/formats.md` of the
//! project describes the formats.
//!
//! # A network
//!
//! Delimiter, header and columns follow from the file by a strict grammar unless the options name them, and a file that can be
//! read in two ways is refused. The report of a data set says in one line what was read.
//!
//! ```
//! use dlfrm_io::{ReadOptions, parse_network};
//!
//! let text = "source,target\nAda,Bob\nBob,Cleo\nCleo,Cleo\n";
//! let options = ReadOptions { directed: Some(false), ..ReadOptions::default() };
//! let dataset = parse_network(text.as_bytes(), "friends.csv", &options)?;
//! let network = &dataset.relations[0].network;
//! assert_eq!((dataset.name.as_str(), network.len(), network.links().len()), ("friends", 3, 2));
//! let line = "friends.csv: comma, header, first link Ada - Bob; 3 nodes, 2 links (1 self-loop ignored), undirected";
//! assert_eq!(dataset.report.to_string(), line);
//! # Ok::<(), dlfrm_io::ReadError>(())
//! ```
//!
//! # A fitted model
//!
//! A model file is complete or not there, and a damaged one is an error.
//!
//! ```
//! use std::path::Path;
//!
//! use dlfrm::fit::FittedModel;
//! use dlfrm_io::{ModelFileError, load_model, save_model};
//!
//! fn there_and_back(model: &FittedModel, path: &Path) -> Result<FittedModel, ModelFileError> {
//!     save_model(model, path)?;
//!     load_model(path)
//! }
//! ```
//!
//! # Pairs to predict
//!
//! ```
//! use dlfrm::network::Nodes;
//! use dlfrm_io::{ReadOptions, parse_pairs};
//!
//! let nodes: Nodes = ["Ada", "Bob", "Cleo"].into_iter().collect();
//! let options = ReadOptions::default();
//! let pairs = parse_pairs("Ada Cleo\nCleo Bob\n".as_bytes(), "pairs", &nodes, &options)?;
//! assert_eq!(pairs, [(0, 2), (2, 1)]);
//! let error = parse_pairs("Ada Zoe\n".as_bytes(), "pairs", &nodes, &options).unwrap_err();
//! assert_eq!(error.to_string(), "pairs, line 1, column 2: 'Zoe' is not one of the 3 nodes");
//! # Ok::<(), dlfrm_io::ReadError>(())
//! ```
//!
//! # Side information
//!
//! ```
//! use dlfrm::network::Nodes;
//! use dlfrm_io::parse_attributes;
//!
//! let nodes: Nodes = ["Ada", "Bob", "Cleo"].into_iter().collect();
//! let text = "name,age,city\nAda,31,Rome\nBob,,Oslo\nCleo,28,Oslo\n";
//! let found = parse_attributes(text.as_bytes(), "people.csv", &nodes)?;
//! assert_eq!(found.fields.iter().map(|field| field.name.as_str()).collect::<Vec<_>>(), ["age", "city"]);
//! assert_eq!(found.warnings[0].to_string(), "people.csv: read as age (number), city (2 categories)");
//! assert_eq!(found.warnings[1].to_string(), "people.csv: 1 value of 'age' is missing");
//! # Ok::<(), dlfrm_io::ReadError>(())
//! ```
//!
//! # Networks known by name
//!
//! ```
//! use dlfrm_io::{datasets, read_network};
//!
//! let kinship = datasets::known("kinship").unwrap();
//! assert_eq!((kinship.nodes, kinship.directed), (104, true));
//! // Its file is in the folder that the variable DLFRM_DATA names, if there is one.
//! if let Some(folder) = datasets::folder() {
//!     let dataset = read_network(&kinship.path(&folder), &kinship.options())?;
//!     assert_eq!(dataset.relations.len(), 26);
//! }
//! # Ok::<(), dlfrm_io::ReadError>(())
//! ```

pub mod datasets;
mod drawing;
pub mod export;
pub mod model_file;
pub mod pieces;
mod printed;
mod read;
pub mod report;
pub mod split_files;

pub use model_file::{ModelFileError, load_model, save_model};
pub use pieces::Provenance;
pub use printed::{Versioned, visible};
pub use read::{
    Column, Columns, ColumnsProblem, Counts, Dataset, Declared, Delimiter, DirectionBy, Format,
    LabelledOptions, LabelledPairs, Location, Looks, ReadAttributes, ReadError, ReadGroups, ReadOptions,
    ReadPairTable, ReadReport, ReadWarning, Reading, RelationPair, RelationPairs, TableWarning, UnknownWord,
    Weights, parse_attributes, parse_groups, parse_labelled_pairs, parse_names, parse_network,
    parse_pair_table, parse_pairs, read_all_attributes, read_attributes, read_groups, read_labelled_pairs,
    read_names, read_network, read_pair_table, read_pairs,
};

/// The example of the documentation compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/usage.md")]
struct Usage;
