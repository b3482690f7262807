//! The extension module `_dlfrm`: converts between Python and the library `dlfrm`, and decides nothing.

#![allow(
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    clippy::type_complexity,
    reason = "arguments come from Python owned, one per option of the command, and tuples become Python's at once"
)]

mod arrays;
mod evaluate;
mod fit;
mod generate;
mod model;
mod network;
mod options;
mod scores;
mod side_info;
mod splits;
mod watch;
mod words;

/// Bindings of the Rust library; use the package `dlfrm`.
#[pyo3::pymodule]
mod _dlfrm {
    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "Python's name")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    use crate::evaluate::{evaluate, methods, protocols, score_pairs};
    #[pymodule_export]
    use crate::fit::{fit, resume, tune, update};
    #[pymodule_export]
    use crate::generate::{generate, plant};
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::network::Network;
    #[pymodule_export]
    use crate::options::{defaults, models, settings};
    #[pymodule_export]
    use crate::scores::{calibration, curve, measure, onmi};
    #[pymodule_export]
    use crate::side_info::SideInfo;
    #[pymodule_export]
    use crate::splits::{TrainingPairs, split};
}
