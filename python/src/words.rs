//! Errors and warnings of the library as Python says them: a setting has the name of its argument.

use std::fmt::Display;
use std::io::ErrorKind;
use std::sync::LazyLock;

use dlfrm::model::SETTINGS;
use dlfrm::warning::other_defaults;
use dlfrm::{Error, Warning};
use dlfrm_io::{ColumnsProblem, ModelFileError, ReadError};
use pyo3::PyErr;
use pyo3::exceptions::{
    PyFileNotFoundError, PyKeyError, PyKeyboardInterrupt, PyMemoryError, PyOSError, PyRuntimeError,
    PyValueError,
};
use serde::Serialize;
use serde_json::{Value, json};

/// The argument of Python for a setting.
pub(crate) fn argument(setting: &'static str) -> &'static str {
    static ARGUMENTS: LazyLock<Vec<String>> =
        LazyLock::new(|| SETTINGS.iter().map(|setting| setting.name.replace('-', "_")).collect());
    SETTINGS.iter().position(|known| known.name == setting).map_or(setting, |place| &ARGUMENTS[place])
}

/// A warning as JSON: its code, its data and its text.
pub(crate) fn warning(warning: &Warning) -> Value {
    let mut ours = warning.clone();
    match &mut ours {
        Warning::SettingWithoutEffect { setting, .. } => *setting = argument(setting),
        Warning::OnePosterior { given, other_defaults: others } => {
            for setting in given {
                *setting = argument(setting);
            }
            for other in others {
                other.setting = argument(other.setting);
            }
        }
        Warning::PaperModel { other_defaults: others, .. } => {
            for other in others {
                other.setting = argument(other.setting);
            }
        }
        _ => {}
    }
    let text = match &ours {
        Warning::OnePosterior { given, other_defaults: others } if given[..] == ["max_new"] => {
            format!("max_new is 0, so covariates are fitted alone{}", other_defaults(others))
        }
        other => other.to_string(),
    };
    json!({ "text": text, "data": ours })
}

/// The exception of an error of the library.
pub(crate) fn exception(error: &Error) -> PyErr {
    match error {
        Error::Setting { name, expected, value } => {
            PyValueError::new_err(format!("{} must be {expected}, is {value}", name.replace('-', "_")))
        }
        Error::Node(_) => PyKeyError::new_err(error.to_string()),
        Error::Memory { .. } => PyMemoryError::new_err(error.to_string()),
        Error::Interrupted => PyKeyboardInterrupt::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// A warning of a file or a table as JSON: its data, with the code, and its text.
pub(crate) fn said(warning: &(impl Display + Serialize)) -> Value {
    json!({ "text": warning.to_string(), "data": warning })
}

/// The exception of a file that cannot be read as it should be, with the arguments that would help.
pub(crate) fn unread(error: &ReadError) -> PyErr {
    let help = match error {
        ReadError::Columns { problem: ColumnsProblem::One(_), .. } | ReadError::Ragged(..) => {
            "delimiter= says how rows are cut"
        }
        ReadError::Columns { .. } => {
            "columns='source,target,...' or columns='source=TITLE,target=TITLE' says what they are"
        }
        ReadError::Delimiters(..) => "delimiter='comma' or another one decides",
        ReadError::Value(_, _, true) | ReadError::UnknownName(_, _, true) => {
            "header=True if the first row is a header"
        }
        _ => "",
    };
    let text = if help.is_empty() { error.to_string() } else { format!("{error}\n{help}") };
    match error {
        ReadError::Unreadable(_, ErrorKind::NotFound, _) => PyFileNotFoundError::new_err(text),
        ReadError::Unreadable(..) => PyOSError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}

/// The exception of a model file.
pub(crate) fn model_file(error: &ModelFileError) -> PyErr {
    let text = error.to_string();
    match error {
        ModelFileError::Missing { .. } => PyFileNotFoundError::new_err(text),
        ModelFileError::Unreadable { .. } | ModelFileError::Unwritable { .. } => PyOSError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}

/// The exception of a panic: our own mistake.
pub(crate) fn panicked(payload: &(dyn std::any::Any + Send)) -> PyErr {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("unknown");
    PyRuntimeError::new_err(format!("a mistake in dlfrm, please report it: {text}"))
}
