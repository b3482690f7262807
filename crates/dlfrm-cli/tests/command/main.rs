//! The command `dlfrm` from outside: one program, so that it is linked once.

mod bipartite;
mod documents;
mod evaluation;
mod explain;
mod export;
mod fitted;
mod golden_path;
mod help;
mod hold_out;
#[cfg(unix)]
mod interrupt;
mod kept_files;
#[cfg(unix)]
mod kept_pieces;
mod library;
mod mistakes;
mod new_nodes;
mod planted;
mod relations;
mod report;
#[cfg(unix)]
mod resume;
mod scores;
mod shared;
mod side_info;
mod splits;
mod tables;
mod tune;
#[cfg(unix)]
mod unfinished;
mod warnings;

/// The command that is tested.
fn program() -> assert_cmd::Command {
    assert_cmd::cargo::cargo_bin_cmd!("dlfrm")
}
