//! Networks: from arrays of nodes' numbers or labels, or from a file.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;

use dlfrm::network::{Mode, Modes, Network as Graph, Nodes, Relation, Unlisted};
use dlfrm_io::{Column, Columns, Declared, ReadOptions, read_names, read_network};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rustc_hash::FxHashMap;

use crate::arrays::{self, Given1, Made2};
use crate::errors::{exception, unread, with_arguments};
use crate::threads::run;

/// One relation: its name, the ends of its pairs, and their labels (1 a link, 0 a non-link, -1 unobserved) if there are any.
type RelationArg<'py> = (Option<String>, Given1<'py, i64>, Given1<'py, i64>, Option<Given1<'py, i8>>);

/// One or several relations between the same nodes.
#[pyclass(frozen, module = "dlfrm._dlfrm")]
pub(crate) struct Network {
    pub(crate) name: String,
    pub(crate) relations: Vec<Relation>,
    warnings: Vec<String>,
}

impl Network {
    pub(crate) fn of(name: &str, relations: Vec<Relation>) -> Self {
        Self { name: name.to_owned(), relations, warnings: vec![] }
    }

    pub(crate) fn graph(&self) -> &Graph {
        &self.relations[0].network
    }

    /// The relation of a number.
    pub(crate) fn relation(&self, number: usize) -> PyResult<&Relation> {
        let count = self.relations.len();
        let none = || PyValueError::new_err(format!("relation number {number} is not one of {count}"));
        self.relations.get(number).ok_or_else(none)
    }
}

#[pymethods]
impl Network {
    /// Of nodes with these names; the ends of pairs are their numbers.
    #[staticmethod]
    fn from_numbers(
        name: &str,
        names: Vec<String>,
        directed: bool,
        bipartite: Option<bool>,
        relations: Vec<RelationArg<'_>>,
        unlisted: Option<bool>,
    ) -> PyResult<Self> {
        let count = names.len();
        let nodes: Nodes = names.iter().collect();
        if nodes.len() != count {
            let first =
                names.iter().enumerate().find(|(number, name)| nodes.get(name) != Some(*number as u32));
            let twice = first.map_or("", |(_, name)| name);
            return Err(PyValueError::new_err(format!("network: two nodes have the name '{twice}'")));
        }
        let number = |id: i64| {
            let small = u32::try_from(id).ok().filter(|&id| (id as usize) < count);
            small.ok_or_else(|| {
                PyValueError::new_err(format!("network: node number {id} is not one of {count}"))
            })
        };
        build(name, Arc::new(nodes), (directed, bipartite), &relations, unlisted, &number)
    }

    /// Of nodes whose labels are integers, numbered in the order of size; `declared` are there with or without links.
    #[staticmethod]
    fn from_integers(
        name: &str,
        directed: bool,
        bipartite: Option<bool>,
        relations: Vec<RelationArg<'_>>,
        declared: Option<Given1<'_, i64>>,
        unlisted: Option<bool>,
    ) -> PyResult<Self> {
        let numbering = Numbering::new(&relations, declared.as_ref());
        let nodes: Nodes = numbering.values.iter().map(ToString::to_string).collect();
        let number = |value: i64| {
            let known = numbering.number(value);
            known.ok_or_else(|| {
                PyValueError::new_err(format!(
                    "network: node {value} is not one of the {} nodes",
                    numbering.values.len()
                ))
            })
        };
        build(name, Arc::new(nodes), (directed, bipartite), &relations, unlisted, &number)
    }

    /// Reads a file.
    #[staticmethod]
    fn read(
        py: Python<'_>,
        path: PathBuf,
        columns: Option<&str>,
        directed: Option<bool>,
        bipartite: Option<bool>,
        delimiter: Option<&str>,
        nodes: Option<usize>,
        nodes_file: Option<PathBuf>,
        unlisted: Option<bool>,
        header: Option<bool>,
    ) -> PyResult<Self> {
        let refused =
            |what: &str, error: &dyn std::fmt::Display| PyValueError::new_err(format!("{what}: {error}"));
        let columns =
            columns.map(str::parse::<Columns>).transpose().map_err(|error| refused("columns", &error))?;
        let delimiter = delimiter.map(str::parse).transpose();
        let names = nodes_file.map(|file| read_names(&file)).transpose();
        let (names, of_names) = names.map_err(|error| unread(&error))?.unzip();
        let options = ReadOptions {
            columns,
            delimiter: delimiter.map_err(|error: dlfrm_io::UnknownDelimiter| refused("delimiter", &error))?,
            header,
            directed: directed.unwrap_or(true),
            directed_by_default: directed.is_none(),
            bipartite,
            nodes: names.map(Declared::Names).or(nodes.map(Declared::Count)),
            unlisted: unlisted.map(kind),
            ..ReadOptions::default()
        };
        let dataset = run(py, || read_network(&path, &options))?.map_err(|error| unread(&error))?;
        let mut warnings = Vec::from_iter(of_names.flatten());
        warnings.extend(dataset.report.warnings());
        if let Some(modes) = dataset.relations[0].network.modes().filter(|_| bipartite.is_some()) {
            // Who asks for two modes knows it.
            warnings.retain(|warning| *warning != modes.warning(bipartite));
        }
        let warnings = warnings.iter().map(|warning| with_arguments(warning)).collect();
        Ok(Self { name: dataset.name, relations: dataset.relations, warnings })
    }

    /// The words for columns of a file.
    #[staticmethod]
    fn columns() -> Vec<&'static str> {
        let word = |column| match column {
            Column::Source => "source",
            Column::Target => "target",
            Column::Relation => "relation",
            Column::Label => "label",
            Column::Weight => "weight",
            Column::Skip => "skip",
        };
        [Column::Source, Column::Target, Column::Relation, Column::Label, Column::Weight, Column::Skip]
            .map(word)
            .to_vec()
    }

    /// The characters of Les Misérables.
    #[staticmethod]
    fn les_miserables() -> Self {
        let dataset = dlfrm_io::embedded::les_miserables();
        Self { name: dataset.name, relations: dataset.relations, warnings: vec![] }
    }

    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    #[getter]
    fn directed(&self) -> bool {
        self.graph().directed()
    }

    #[getter]
    fn bipartite(&self) -> bool {
        self.graph().modes().is_some()
    }

    /// The numbers of the rows and of the columns of a bipartite network.
    fn modes(&self) -> Option<(Vec<u32>, Vec<u32>)> {
        let modes = self.graph().modes()?;
        Some((modes.members(Mode::Row).to_vec(), modes.members(Mode::Column).to_vec()))
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        self.graph().nodes().names().to_vec()
    }

    #[getter]
    fn relations(&self) -> Vec<Option<String>> {
        self.relations.iter().map(|relation| relation.name.clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.graph().len()
    }

    /// The links of a relation.
    fn links<'py>(&self, py: Python<'py>, relation: usize) -> PyResult<Made2<'py, i64>> {
        Ok(arrays::array(py, self.relation(relation)?.network.links().iter().copied()))
    }

    /// The listed non-links of a relation.
    fn non_links<'py>(&self, py: Python<'py>, relation: usize) -> PyResult<Made2<'py, i64>> {
        Ok(arrays::array(py, self.relation(relation)?.network.non_links().iter().copied()))
    }

    /// The unobserved pairs of a relation that are listed.
    fn unobserved<'py>(&self, py: Python<'py>, relation: usize) -> PyResult<Made2<'py, i64>> {
        Ok(arrays::array(py, self.relation(relation)?.network.unobserved().iter().copied()))
    }

    /// Whether pairs that are not listed are unobserved.
    fn unlisted_unobserved(&self, relation: usize) -> PyResult<bool> {
        Ok(self.relation(relation)?.network.unlisted() == Unlisted::Unobserved)
    }

    /// How many pairs of a relation are observed.
    fn observed_count(&self, relation: usize) -> PyResult<u64> {
        Ok(self.relation(relation)?.network.observed_count())
    }
}

fn kind(unobserved: bool) -> Unlisted {
    if unobserved { Unlisted::Unobserved } else { Unlisted::NonLink }
}

/// Integers in the order of size.
struct Numbering {
    values: Vec<i64>,
    first: i64,
    table: Vec<u32>,
    map: FxHashMap<i64, u32>,
}

const NONE: u32 = u32::MAX;

impl Numbering {
    fn new(relations: &[RelationArg<'_>], declared: Option<&Given1<'_, i64>>) -> Self {
        let arrays = || relations.iter().flat_map(|(_, source, target, _)| [source, target]).chain(declared);
        let (mut first, mut last, mut count) = (i64::MAX, i64::MIN, 0);
        for &value in arrays().flat_map(|array| array.as_array().into_iter()) {
            (first, last, count) = (first.min(value), last.max(value), count + 1);
        }
        // A table if it is not much longer than the arrays, else a map.
        let width = i128::from(last) - i128::from(first) + 1;
        if count > 0 && width <= 4 * count + (1 << 22) {
            let mut table = vec![NONE; width as usize];
            for &value in arrays().flat_map(|array| array.as_array().into_iter()) {
                table[(value - first) as usize] = 0;
            }
            let mut values = vec![];
            for (place, number) in table.iter_mut().enumerate().filter(|(_, number)| **number != NONE) {
                *number = values.len() as u32;
                values.push(first + place as i64);
            }
            return Self { values, first, table, map: FxHashMap::default() };
        }
        let mut values: Vec<i64> = arrays().flat_map(|array| array.as_array().into_iter()).copied().collect();
        values.sort_unstable();
        values.dedup();
        let map = values.iter().enumerate().map(|(number, &value)| (value, number as u32)).collect();
        Self { values, first: 0, table: vec![], map }
    }

    fn number(&self, value: i64) -> Option<u32> {
        if self.table.is_empty() {
            return self.map.get(&value).copied();
        }
        self.table.get(usize::try_from(value - self.first).ok()?).copied().filter(|&number| number != NONE)
    }
}

/// Builds the relations; `number` gives the number of an end. The options say whether links have a direction, and whether there are
/// two modes.
fn build(
    name: &str,
    nodes: Arc<Nodes>,
    (directed, bipartite): (bool, Option<bool>),
    relations: &[RelationArg<'_>],
    unlisted: Option<bool>,
    number: &dyn Fn(i64) -> PyResult<u32>,
) -> PyResult<Network> {
    let mut all = Vec::with_capacity(relations.len());
    for (relation, source, target, labels) in relations {
        let (source, target) = (source.as_array(), target.as_array());
        let labels = labels.as_ref().map(|labels| labels.as_array());
        if source.len() != target.len() || labels.is_some_and(|labels| labels.len() != source.len()) {
            return Err(PyValueError::new_err("network: sources, targets and labels differ in length"));
        }
        // Pairs go from the arrays to the network at once, without a list between them.
        let unknown = RefCell::new(None);
        let pair = |row| Ok((number(source[row])?, number(target[row])?));
        let of = |label: i8| {
            let rows = if labels.is_some() || label == 1 { source.len() } else { 0 };
            let rows =
                (0..rows).filter(move |&row| labels.is_none_or(|labels| labels[row].signum() == label));
            rows.map_while(|row| pair(row).map_err(|error| unknown.replace(Some(error))).ok())
        };
        let network = Graph::new(nodes.clone(), directed, of(1)).and_then(|network| {
            let listed = of(0).next().is_some();
            let unlisted =
                unlisted.map_or(if listed { Unlisted::Unobserved } else { Unlisted::NonLink }, kind);
            network.with_labels(of(0), of(-1), unlisted)
        });
        if let Some(error) = unknown.take() {
            return Err(error);
        }
        all.push(Relation { name: relation.clone(), network: network.map_err(|error| exception(&error))? });
    }
    if all.is_empty() {
        return Err(PyValueError::new_err("network: there is no relation"));
    }
    let ends = relations.iter().flat_map(|(_, source, target, _)| {
        let (source, target) = (source.as_array(), target.as_array());
        let known = |value| number(value).expect("it had a number before");
        (0..source.len()).map(move |row| (known(source[row]), known(target[row])))
    });
    let found = Modes::of(&nodes, ends, bipartite).map_err(|error| exception(&error))?;
    let Some(modes) = found.map(Arc::new) else { return Ok(Network::of(name, all)) };
    for relation in &mut all {
        let network = relation.network.clone().with_modes(modes.clone());
        relation.network = network.map_err(|error| exception(&error))?;
    }
    let warnings = if bipartite.is_none() { vec![with_arguments(&modes.warning(None))] } else { vec![] };
    Ok(Network { warnings, ..Network::of(name, all) })
}
