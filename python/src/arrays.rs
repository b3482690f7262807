//! Arrays of numpy, with the types that stubs name, and pairs of nodes in them.

use std::convert::Infallible;
use std::ops::Deref;

use numpy::ndarray::{Array2, Dimension, Ix1, Ix2};
use numpy::{Element, PyArray, PyReadonlyArray, ToPyArray};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::{Borrowed, type_hint_identifier, type_hint_subscript};

/// What an array has, by its name in numpy.
pub(crate) trait Named: Element {
    const NAME: PyStaticExpr;
}

macro_rules! named {
    ($($kind:ty, $name:literal;)*) => {
        $(impl Named for $kind {
            const NAME: PyStaticExpr = type_hint_identifier!("numpy", $name);
        })*
    };
}

named! {
    bool, "bool_";
    f64, "float64";
    i64, "int64";
    i8, "int8";
}

const ARRAY: PyStaticExpr = type_hint_identifier!("numpy.typing", "NDArray");

/// An array that Python gives.
pub(crate) struct Given<'py, T: Element, D: Dimension>(PyReadonlyArray<'py, T, D>);

pub(crate) type Given1<'py, T> = Given<'py, T, Ix1>;
pub(crate) type Given2<'py, T> = Given<'py, T, Ix2>;

impl<'a, 'py, T: Named + 'a, D: Dimension + 'a> FromPyObject<'a, 'py> for Given<'py, T, D> {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_subscript!(ARRAY, T::NAME);

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        given.extract().map(Self)
    }
}

impl<'py, T: Element, D: Dimension> Deref for Given<'py, T, D> {
    type Target = PyReadonlyArray<'py, T, D>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// An array that Python gets.
pub(crate) struct Made<'py, T, D>(pub(crate) Bound<'py, PyArray<T, D>>);

pub(crate) type Made1<'py, T> = Made<'py, T, Ix1>;
pub(crate) type Made2<'py, T> = Made<'py, T, Ix2>;

impl<'py, T: Named, D: Dimension> IntoPyObject<'py> for Made<'py, T, D> {
    type Target = PyArray<T, D>;
    type Output = Bound<'py, Self::Target>;
    type Error = Infallible;
    const OUTPUT_TYPE: PyStaticExpr = type_hint_subscript!(ARRAY, T::NAME);

    fn into_pyobject(self, _: Python<'py>) -> Result<Self::Output, Infallible> {
        Ok(self.0)
    }
}

/// Pairs of nodes from an array of shape (m, 2), within so many nodes.
pub(crate) fn pairs(array: &Given2<'_, i64>, nodes: usize) -> PyResult<Vec<(u32, u32)>> {
    let array = array.as_array();
    if array.ncols() != 2 {
        return Err(PyValueError::new_err(format!(
            "pairs must have shape (m, 2), is ({}, {})",
            array.nrows(),
            array.ncols()
        )));
    }
    let mut all = Vec::with_capacity(array.nrows());
    for row in array.rows() {
        let (i, j) = (row[0], row[1]);
        for id in [i, j] {
            if !(0..nodes as i64).contains(&id) {
                return Err(PyKeyError::new_err(format!("node number {id} is not one of {nodes}")));
            }
        }
        all.push((i as u32, j as u32));
    }
    Ok(all)
}

/// Pairs as an array of shape (m, 2).
pub(crate) fn array(py: Python<'_>, pairs: impl ExactSizeIterator<Item = (u32, u32)>) -> Made2<'_, i64> {
    let rows = pairs.len();
    let flat: Vec<i64> = pairs.flat_map(|(i, j)| [i64::from(i), i64::from(j)]).collect();
    Made(Array2::from_shape_vec((rows, 2), flat).expect("two numbers per pair").to_pyarray(py))
}
