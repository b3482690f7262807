//! Networks with a known truth.

use dlfrm::generate::{GenerateSettings, PlantedSettings};
use dlfrm::network::Relation;
use pyo3::prelude::*;

use crate::network::Network;
use crate::watch::run;
use crate::words::exception;

/// A network drawn from the model, with the members of its features and their weights.
#[pyfunction]
pub(crate) fn generate(
    py: Python<'_>,
    nodes: usize,
    directed: bool,
    rows: Option<usize>,
    diagonal: bool,
    alpha: f64,
    nu: f64,
    intercept: f64,
    seed: u64,
) -> PyResult<(Network, Vec<Vec<u32>>, Vec<Vec<f64>>)> {
    let settings = GenerateSettings { nodes, directed, rows, diagonal, alpha, nu, intercept, seed };
    let made = run(py, || dlfrm::generate::generate(&settings))?.map_err(|error| exception(&error))?;
    let truth = &made.truth;
    let row = |k| (0..truth.features()).map(|l| truth.weight(k, l)).collect();
    let (members, weights) = (truth.members(), (0..truth.features()).map(row).collect());
    Ok((Network::of("generated", vec![Relation::from(made.network)]), members, weights))
}

/// A network with planted groups, and the groups.
#[pyfunction]
pub(crate) fn plant(
    py: Python<'_>,
    nodes: usize,
    mean_degree: f64,
    max_degree: Option<usize>,
    degree_exponent: f64,
    group_size: Option<(usize, usize)>,
    size_exponent: f64,
    mixing: f64,
    overlapping: usize,
    memberships: usize,
    seed: u64,
) -> PyResult<(Network, Vec<Vec<u32>>)> {
    let settings = PlantedSettings {
        nodes,
        mean_degree,
        max_degree,
        degree_exponent,
        group_size,
        size_exponent,
        mixing,
        overlapping,
        memberships,
        seed,
    };
    let planted = run(py, || dlfrm::generate::plant(&settings))?.map_err(|error| exception(&error))?;
    Ok((Network::of("planted", vec![Relation::from(planted.network)]), planted.groups))
}
