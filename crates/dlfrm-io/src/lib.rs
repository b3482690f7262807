//! Reading networks and reading and writing model files.
//!
//! ```
//! use dlfrm_io::{ReadOptions, parse_network};
//!
//! let text = "source,target\nAda,Bob\nBob,Cleo\nCleo,Cleo\n";
//! let options = ReadOptions { directed: false, ..ReadOptions::default() };
//! let dataset = parse_network(text.as_bytes(), "friends.csv", &options)?;
//! let network = &dataset.relations[0].network;
//! assert_eq!((dataset.name.as_str(), network.len(), network.links().len()), ("friends", 3, 2));
//! assert_eq!(dataset.report.notices(), ["1 self link was set aside"]);
//! # Ok::<(), dlfrm_io::ReadError>(())
//! ```

pub mod datasets;
pub mod embedded;
pub mod model_file;
pub mod read;
pub mod report;
pub mod split_files;

pub use model_file::{ModelFileError, load_model, save_model};
pub use read::{
    Column, Columns, Counts, Dataset, Declared, Delimiter, LabelledOptions, LabelledPairs, ReadAttributes,
    ReadError, ReadOptions, ReadPairTable, ReadReport, Weights, parse_attributes, parse_labelled_pairs,
    parse_names, parse_network, parse_pair_table, parse_pairs, read_attributes, read_labelled_pairs,
    read_names, read_network, read_pair_table, read_pairs,
};
