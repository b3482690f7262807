//! Settings and options by their names, from the library's own table.

use dlfrm::fit::{FitOptions, Sharing};
use dlfrm::model::{Model, Overrides, SETTINGS, SettingKind, Settings};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::words::{argument, exception};

/// Settings as Python gives them: names with underscores, values as text.
pub(crate) type SettingArgs = Vec<(String, String)>;

/// Every setting in order: its name, its kind (switch, number, count or word), its help and its words.
#[pyfunction]
pub(crate) fn settings() -> Vec<(&'static str, &'static str, &'static str, Vec<&'static str>)> {
    let kind = |kind| match kind {
        SettingKind::Switch => "switch",
        SettingKind::Number => "number",
        SettingKind::Count => "count",
        _ => "word",
    };
    let one = |setting: &dlfrm::model::Setting| {
        (argument(setting.name), kind(setting.kind), setting.help(), setting.words.to_vec())
    };
    SETTINGS.iter().map(one).collect()
}

/// The names of the models.
#[pyfunction]
pub(crate) fn models() -> Vec<&'static str> {
    Model::ALL.map(Model::name).to_vec()
}

/// The default of every setting for a model and so many pairs, as JSON.
#[pyfunction]
pub(crate) fn defaults(model: &str, pairs: usize) -> PyResult<String> {
    let model = model.parse::<Model>().map_err(|error| exception(&error))?;
    Ok(json(&Settings::features_defaults(model, pairs)))
}

/// Settings that differ from the defaults.
pub(crate) fn overrides(given: &SettingArgs) -> PyResult<Overrides> {
    let mut overrides = Overrides::default();
    for (name, value) in given {
        let known = SETTINGS.iter().find(|setting| argument(setting.name) == name);
        let setting = known.ok_or_else(|| PyTypeError::new_err(format!("there is no setting '{name}'")))?;
        setting.set(&mut overrides, value).map_err(|error| exception(&error))?;
    }
    Ok(overrides)
}

/// Whether relations share their features.
pub(crate) fn sharing(share_features: Option<bool>) -> Sharing {
    match share_features {
        None => Sharing::Auto,
        Some(true) => Sharing::Shared,
        Some(false) => Sharing::Separate,
    }
}

/// How to fit, with settings that are in their ranges.
pub(crate) fn options(
    model: Option<&str>,
    settings: &SettingArgs,
    share_features: Option<bool>,
    negatives: Option<f64>,
) -> PyResult<FitOptions> {
    let model = model.map(str::parse::<Model>).transpose().map_err(|error| exception(&error))?;
    let settings = overrides(settings)?;
    settings
        .over(Settings::defaults(model.unwrap_or(Model::usual(0)), 0))
        .check()
        .map_err(|error| exception(&error))?;
    let sharing = sharing(share_features);
    Ok(FitOptions { model, settings, negatives, sharing, ..FitOptions::default() })
}

/// Anything as JSON.
pub(crate) fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("names are texts and numbers are numbers")
}
