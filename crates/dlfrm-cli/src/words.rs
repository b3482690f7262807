//! The text that names flags and commands, made from typed values of the library.

use std::fmt;
use std::path::{Path, PathBuf};

/// What goes on with the fit of a model.
pub(crate) fn goes_on(model: &Path) -> String {
    format!("'dlfrm resume {}' goes on with it", model.display())
}

/// What is where the model of a fit goes, as long as the fit has no draw to save.
#[derive(Debug, Clone, Default)]
pub(crate) enum There {
    #[default]
    Nothing,
    /// A model of another fit.
    Former(PathBuf),
    /// The model that the fit goes on with.
    Begun(PathBuf),
}

impl fmt::Display for There {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => write!(f, "before the first draw was kept: no model is saved"),
            Self::Former(model) => {
                write!(f, "before the first draw was kept: {} is still the former model", model.display())
            }
            Self::Begun(model) => {
                write!(f, "before a further draw was kept: {} is as it was", model.display())
            }
        }
    }
}

/// What takes less memory in a fit that begins.
pub(crate) const LESS_MEMORY: &str = "sample fewer non-links (--negatives), run fewer chains at once (--threads) or keep fewer draws (--draws)";
/// What takes less memory where non-links are as they are.
pub const LESS_MEMORY_OF_CHAINS: &str = "run fewer chains at once (--threads) or keep fewer draws (--draws)";
/// What takes less memory in a fit that goes on.
pub(crate) const LESS_MEMORY_TO_GO_ON: &str = "run fewer chains at once (--threads)";

/// A number of things: 1 link, 2 links.
pub(crate) fn counted(count: usize, what: &str) -> String {
    counted_as(count, what, &format!("{what}s"))
}

/// The same for words with another plural: 1 of them is, 2 of them are.
pub(crate) fn counted_as(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
