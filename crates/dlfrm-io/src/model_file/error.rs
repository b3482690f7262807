//! What can be wrong with a model file.

use std::io;

/// Why a model file could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelFileError {
    /// The file is not there.
    #[error("{file}: there is no such file")]
    Missing {
        /// The file.
        file: String,
    },
    /// The path is no ordinary file.
    #[error("{file} is {what}, a file is needed")]
    NoFile {
        /// The path.
        file: String,
        /// What it is.
        what: &'static str,
    },
    /// The system refuses to read it.
    #[error("{file} cannot be read: {cause}")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system says.
        cause: io::Error,
    },
    /// The system refuses to write it.
    #[error("{file} cannot be written: {cause}")]
    Unwritable {
        /// The file.
        file: String,
        /// What the system says.
        cause: io::Error,
    },
    /// Another run goes on with this checkpoint.
    #[error("{file} is in use: another run goes on with this fit")]
    InUse {
        /// The file.
        file: String,
    },
    /// Something else than a model.
    #[error("{file} is not a {} of dlfrm", kind.replace("dlfrm model", "model file").replace("dlfrm ", ""))]
    NotAModel {
        /// The file.
        file: String,
        /// What it should be.
        kind: &'static str,
    },
    /// A model that another version of the program wrote.
    #[error("{file} was written in format {found}, this program reads format {read}")]
    OtherVersion {
        /// The file.
        file: String,
        /// The version of its format.
        found: u64,
        /// The version that is read.
        read: u32,
    },
    /// The end is missing.
    #[error("{file} is cut short: its length does not fit its header")]
    CutShort {
        /// The file.
        file: String,
    },
    /// Something follows the end.
    #[error("{file} is damaged: it goes on behind its last array")]
    Longer {
        /// The file.
        file: String,
    },
    /// The bytes are not those that were written.
    #[error("{file} is damaged: its checksum is {found}, it should be {expected}")]
    Checksum {
        /// The file.
        file: String,
        /// The checksum of what is there.
        found: String,
        /// The checksum of what was written.
        expected: String,
    },
    /// The parts do not fit together.
    #[error("{file} is damaged: {what}")]
    Broken {
        /// The file.
        file: String,
        /// What does not fit.
        what: String,
    },
}
