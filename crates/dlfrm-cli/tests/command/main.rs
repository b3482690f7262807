//! The command `dlfrm` from outside: one program, so that it is linked once.

mod bipartite;
mod corpus;
mod documents;
mod evaluation;
mod explain;
mod export;
mod figures;
mod fitted;
#[cfg(unix)]
mod former;
mod golden_path;
mod help;
mod hold_out;
mod hostile;
mod info;
#[cfg(unix)]
mod interrupt;
mod kept_files;
#[cfg(unix)]
mod kept_pieces;
mod library;
mod misread;
mod mistakes;
mod new_nodes;
mod numbers;
mod planted;
mod relations;
mod report;
mod reproduce;
#[cfg(unix)]
mod resume;
mod scores;
mod shared;
mod side_info;
mod skipped_rows;
mod splits;
mod tables;
mod traces;
mod tune;
#[cfg(unix)]
mod unfinished;
mod warnings;
