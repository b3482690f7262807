//! What can go wrong in a reproduction: every message carries the file or the value.

use std::io;
use std::path::PathBuf;

use dlfrm_io::datasets::FOLDER_VARIABLE;
use thiserror::Error;

/// A reproduction that cannot be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A mistake in names or settings.
    #[error(transparent)]
    Library(#[from] dlfrm::Error),
    /// The network of the study cannot be used for what was asked.
    #[error("{}: {cause}", .path.display())]
    Network {
        /// Its file.
        path: PathBuf,
        /// Why not.
        cause: dlfrm::Error,
    },
    /// The network cannot be read.
    #[error(transparent)]
    Read(#[from] dlfrm_io::ReadError),
    /// A result cannot be written.
    #[error(transparent)]
    Write(#[from] dlfrm_io::ModelFileError),
    /// No folder of networks was named.
    #[error(
        "the folder of the paper's networks is not known: name it by --data or in the variable {FOLDER_VARIABLE}"
    )]
    NoFolder,
    /// A file is not in the folder of networks.
    #[error("{}: there is no such file; it is {what} of {network}: {origin}", .path.display())]
    Missing {
        /// The file.
        path: PathBuf,
        /// What it has.
        what: &'static str,
        /// The paper's name of the network.
        network: &'static str,
        /// Where it can be had.
        origin: &'static str,
    },
    /// The index of a folder of networks is not there.
    #[error(
        "{}: there is no such file; it lists the networks of its folder, in the columns file, domain, nodes, links and name",
        .path.display()
    )]
    NoIndex {
        /// The index.
        path: PathBuf,
    },
    /// The index of a folder of networks is wrong.
    #[error("{}, line {line}: {what}", .path.display())]
    Index {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// No network of a corpus could be evaluated.
    #[error("{}: none of the {networks} networks could be evaluated, the first one because: {first}", .path.display())]
    AllFailed {
        /// The folder.
        path: PathBuf,
        /// How many networks there are.
        networks: usize,
        /// Why the first one failed.
        first: String,
    },
    /// A file cannot be read.
    #[error("{}: {cause}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        cause: io::Error,
    },
    /// A piece of finished work cannot be used, read or written.
    #[error(transparent)]
    Piece(#[from] dlfrm_io::pieces::PieceError),
    /// The observer ended the reproduction; the finished pieces are kept.
    #[error("interrupted: {finished} of {pieces} pieces are kept; the same command goes on from there")]
    Interrupted {
        /// Pieces that are there.
        finished: usize,
        /// All pieces.
        pieces: usize,
    },
}

/// The result of everything in this crate that can fail.
pub type Result<T> = std::result::Result<T, Error>;
