//! The extension module `_dlfrm`: converts between Python and the library `dlfrm`, and decides nothing.

#![allow(
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    clippy::type_complexity,
    reason = "arguments come from Python owned, one per option of the command, and tuples become Python's at once"
)]

mod arrays;
mod errors;
mod evaluate;
mod fit;
mod generate;
mod methods;
mod model;
mod network;
mod options;
mod scores;
mod side_info;
mod splits;
mod threads;
mod watch;

use pyo3::prelude::*;

/// Bindings of the Rust library; use the package `dlfrm`.
#[pymodule]
fn _dlfrm(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<network::Network>()?;
    module.add_class::<model::Model>()?;
    module.add_class::<side_info::SideInfo>()?;
    module.add_class::<splits::TrainingPairs>()?;
    module.add_function(wrap_pyfunction!(options::settings, module)?)?;
    module.add_function(wrap_pyfunction!(options::models, module)?)?;
    module.add_function(wrap_pyfunction!(options::defaults, module)?)?;
    module.add_function(wrap_pyfunction!(fit::fit, module)?)?;
    module.add_function(wrap_pyfunction!(fit::tune, module)?)?;
    module.add_function(wrap_pyfunction!(splits::split, module)?)?;
    module.add_function(wrap_pyfunction!(evaluate::evaluate, module)?)?;
    module.add_function(wrap_pyfunction!(evaluate::score_pairs, module)?)?;
    module.add_function(wrap_pyfunction!(evaluate::methods, module)?)?;
    module.add_function(wrap_pyfunction!(evaluate::protocols, module)?)?;
    module.add_function(wrap_pyfunction!(generate::generate, module)?)?;
    module.add_function(wrap_pyfunction!(generate::plant, module)?)?;
    module.add_function(wrap_pyfunction!(scores::measure, module)?)?;
    module.add_function(wrap_pyfunction!(scores::curve, module)?)?;
    module.add_function(wrap_pyfunction!(scores::calibration, module)?)?;
    module.add_function(wrap_pyfunction!(scores::onmi, module)?)?;
    Ok(())
}
