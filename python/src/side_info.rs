//! What is known of nodes and pairs beside the links.

use std::path::PathBuf;
use std::sync::Arc;

use dlfrm::covariates::{Attributes, Field, FieldValues, PairColumn, PairTable, PairValues};
use dlfrm_io::{read_all_attributes, read_pair_table};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::arrays::{self, Given1, Given2};
use crate::network::Network;
use crate::words::{exception, said, unread};

/// What an attribute says of each node: numbers (NaN where unknown), or words and their counts.
#[derive(FromPyObject)]
enum FieldArg<'py> {
    Numbers(Given1<'py, f64>),
    Words((Vec<String>, Vec<Vec<(u32, f64)>>)),
}

/// What a column says of each pair: numbers (NaN where unknown), or categories.
#[derive(FromPyObject)]
enum PairArg<'py> {
    Numbers(Given1<'py, f64>),
    Categories((Vec<String>, Vec<Option<u32>>)),
}

/// Pairs, and what is known of them.
type PairsArg<'py> = (Given2<'py, i64>, Vec<(String, PairArg<'py>)>);

/// Side information of a network.
#[pyclass(frozen, module = "dlfrm._dlfrm")]
pub(crate) struct SideInfo {
    pub(crate) known: dlfrm::covariates::SideInfo,
    warnings: Vec<Value>,
}

fn known(numbers: &Given1<'_, f64>) -> Vec<Option<f64>> {
    numbers.as_array().iter().map(|&number| (!number.is_nan()).then_some(number)).collect()
}

#[pymethods]
impl SideInfo {
    /// Gathers attributes of nodes, from files and arrays, and covariates of pairs, from a file or arrays.
    #[new]
    fn new(
        network: &Network,
        attribute_files: Vec<PathBuf>,
        attributes: Vec<(String, FieldArg<'_>)>,
        pair_file: Option<PathBuf>,
        pairs: Option<PairsArg<'_>>,
    ) -> PyResult<Self> {
        let (nodes, directed) = (network.graph().nodes(), network.graph().directed());
        let read = read_all_attributes(&attribute_files, nodes).map_err(|error| unread(&error))?;
        let mut fields = read.fields;
        let mut warnings: Vec<Value> = read.warnings.iter().map(said).collect();
        for (name, field) in attributes {
            let values = match field {
                FieldArg::Numbers(numbers) => FieldValues::Numbers(known(&numbers)),
                FieldArg::Words((words, lists)) => FieldValues::Words { words, lists },
            };
            fields.push(Field { name, values });
        }
        let refused = |error: dlfrm::Error| exception(&error);
        let none = fields.is_empty();
        let attributes =
            (!none).then(|| Attributes::new(nodes.len(), fields)).transpose().map_err(refused)?;
        let name = pair_file.as_ref().map_or("pair_covariates".to_owned(), |file| file.display().to_string());
        let table = match (pair_file, pairs) {
            (Some(file), _) => {
                let read = read_pair_table(&file, nodes, directed).map_err(|error| unread(&error))?;
                warnings.extend(read.warnings.iter().map(said));
                Some(read.table)
            }
            (None, Some((ends, columns))) => {
                let column = |(name, column)| {
                    let values = match column {
                        PairArg::Numbers(numbers) => PairValues::Numbers(known(&numbers)),
                        PairArg::Categories((names, chosen)) => PairValues::Categories { names, chosen },
                    };
                    PairColumn { name, values }
                };
                let columns: Vec<PairColumn> = columns.into_iter().map(column).collect();
                let ends = arrays::pairs(&ends, nodes.len())?;
                Some(PairTable::new(nodes.len(), !directed, &ends, &columns).map_err(refused)?)
            }
            (None, None) => None,
        };
        if let Some(table) = &table {
            let leaks = table.warnings(&network.relations);
            warnings.extend(
                leaks.iter().map(|warning| json!({ "text": format!("{name}: {warning}"), "data": warning })),
            );
        }
        let known =
            dlfrm::covariates::SideInfo { nodes: attributes.map(Arc::new), pairs: table.map(Arc::new) };
        Ok(Self { known, warnings })
    }

    /// How tables were understood and what a user may not expect of them, as JSON.
    #[getter]
    fn warnings(&self) -> String {
        serde_json::to_string(&self.warnings).expect("they are JSON already")
    }
}

/// What is known, or nothing.
pub(crate) fn of(side_info: Option<&SideInfo>) -> dlfrm::covariates::SideInfo {
    side_info.map(|side_info| side_info.known.clone()).unwrap_or_default()
}
