//! Arrays of numpy as pairs of entities, and back.

use numpy::ndarray::Array2;
use numpy::{PyArray2, PyReadonlyArray2, ToPyArray};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;

/// Pairs of entities from an array of shape (m, 2), within so many entities.
pub(crate) fn pairs(array: &PyReadonlyArray2<'_, i64>, entities: usize) -> PyResult<Vec<(u32, u32)>> {
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
            if !(0..entities as i64).contains(&id) {
                return Err(PyKeyError::new_err(format!("entity number {id} is not one of {entities}")));
            }
        }
        all.push((i as u32, j as u32));
    }
    Ok(all)
}

/// Pairs as an array of shape (m, 2).
pub(crate) fn array(
    py: Python<'_>,
    pairs: impl ExactSizeIterator<Item = (u32, u32)>,
) -> Bound<'_, PyArray2<i64>> {
    let rows = pairs.len();
    let flat: Vec<i64> = pairs.flat_map(|(i, j)| [i64::from(i), i64::from(j)]).collect();
    Array2::from_shape_vec((rows, 2), flat).expect("two numbers per pair").to_pyarray(py)
}
