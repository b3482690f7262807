//! Networks: from arrays of nodes' numbers or labels, or from a file.

use std::path::PathBuf;
use std::sync::Arc;

use dlfrm::network::{Mode, Modes, Network as Graph, Nodes, Relation, Unlisted};
use dlfrm_io::{
    Column, Columns, Declared, DirectionBy, Format, Looks, ReadOptions, ReadReport, UnknownWord, read_network,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Serialize;
use serde_json::Value;

use crate::arrays::{self, Given1, Made2};
use crate::options::json;
use crate::watch::run;
use crate::words::{exception, said, unread};

/// One relation: its name, the ends of its pairs, and their labels (1 a link, 0 a non-link, -1 unobserved) if there are any.
type RelationArg<'py> = (Option<String>, Given1<'py, i64>, Given1<'py, i64>, Option<Given1<'py, i8>>);

/// One or several relations between the same nodes.
#[pyclass(frozen, module = "dlfrm._dlfrm")]
pub(crate) struct Network {
    pub(crate) name: String,
    pub(crate) relations: Vec<Relation>,
    /// As JSON.
    warnings: Vec<Value>,
    /// What was read of a file.
    report: Option<FileReport>,
    /// What it looks like and nobody asked for.
    looks: Option<Looks>,
}

/// What was read of a file, by the names that Python has.
#[derive(Serialize)]
struct FileReport {
    form: String,
    first_link: Option<[String; 2]>,
    repeated: u64,
    self_loops: u64,
    zeros: u64,
    predicted: u64,
    weights: Option<(f64, f64)>,
    ignored: Vec<String>,
    directed_by_default: bool,
    looks: Option<Looks>,
}

impl FileReport {
    fn of(report: &ReadReport) -> Self {
        let form = match (report.delimiter, report.format, &report.header) {
            (Some(delimiter), Format::Adjacency, _) => format!("{delimiter}, adjacency list"),
            (Some(delimiter), _, Some(titles)) => format!("{delimiter}, header {}", titles.join(" ")),
            (Some(delimiter), _, None) => format!("{delimiter}, no header"),
            (None, format, _) => format.word().to_owned(),
        };
        let both = if report.directed { 0 } else { report.counts.both_directions };
        Self {
            form,
            first_link: report.first_link.clone(),
            repeated: report.counts.duplicates + both,
            self_loops: report.counts.self_links,
            zeros: report.stored_zeros,
            predicted: report.predicted,
            weights: report.weights.map(|weights| (weights.min, weights.max)),
            ignored: [report.ignored.clone(), report.ignored_of_nodes.clone()].concat(),
            directed_by_default: report.directed_by == DirectionBy::Default,
            looks: report.looks,
        }
    }
}

impl Network {
    pub(crate) fn of(name: &str, relations: Vec<Relation>) -> Self {
        Self { name: name.to_owned(), relations, warnings: vec![], report: None, looks: None }
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
        let refused = |error: dlfrm::Error| exception(&error);
        let nodes: Arc<Nodes> = Arc::new(names.iter().collect());
        if nodes.len() != names.len() || relations.is_empty() {
            return Err(PyValueError::new_err("network: names are given twice, or there is no relation"));
        }
        let outside = |id: &i64| !(0..nodes.len() as i64).contains(id);
        let mut all = Vec::with_capacity(relations.len());
        for (relation, source, target, labels) in &relations {
            let (source, target) = (source.as_array(), target.as_array());
            let labels = labels.as_ref().map(|labels| labels.as_array());
            if source.len() != target.len() || labels.is_some_and(|labels| labels.len() != source.len()) {
                return Err(PyValueError::new_err("network: sources, targets and labels differ in length"));
            }
            if let Some(id) = source.iter().chain(target).find(|id| outside(id)) {
                let count = nodes.len();
                return Err(PyValueError::new_err(format!(
                    "network: node number {id} is not one of {count}"
                )));
            }
            // Pairs go from the arrays to the network at once, without a list between them.
            let of = |label: i8| {
                let rows = if labels.is_some() || label == 1 { source.len() } else { 0 };
                let rows =
                    (0..rows).filter(move |&row| labels.is_none_or(|labels| labels[row].signum() == label));
                rows.map(move |row| (source[row] as u32, target[row] as u32))
            };
            let listed = of(0).next().is_some();
            let unlisted =
                unlisted.map_or(if listed { Unlisted::Unobserved } else { Unlisted::NonLink }, kind);
            let network = Graph::new(nodes.clone(), directed, of(1)).map_err(refused)?;
            let network = network.with_labels(of(0), of(-1), unlisted).map_err(refused)?;
            all.push(Relation { name: relation.clone(), network });
        }
        let ends = relations.iter().flat_map(|(_, source, target, _)| {
            let (source, target) = (source.as_array(), target.as_array());
            (0..source.len()).map(move |row| (source[row] as u32, target[row] as u32))
        });
        if bipartite != Some(true) {
            let looks_bipartite = bipartite.is_none() && Modes::found(nodes.len(), ends).is_some();
            let links = || {
                all.iter()
                    .flat_map(|relation| relation.network.links().iter().map(move |link| (relation, link)))
            };
            let back = links().filter(|(relation, (i, j))| relation.network.label(*j, *i) == Some(true));
            let looks_undirected =
                directed && links().next().is_some() && 10 * back.count() >= 9 * links().count();
            let looks = match (looks_bipartite, looks_undirected) {
                (true, _) => Some(Looks::Bipartite),
                (_, true) => Some(Looks::Undirected),
                _ => None,
            };
            return Ok(Self { looks, ..Self::of(name, all) });
        }
        let modes = Arc::new(Modes::asked(&nodes, ends).map_err(refused)?);
        for relation in &mut all {
            relation.network = relation.network.clone().with_modes(modes.clone()).map_err(refused)?;
        }
        Ok(Self::of(name, all))
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
        unlisted: Option<bool>,
        header: Option<bool>,
        format: Option<&str>,
    ) -> PyResult<Self> {
        let refused =
            |what: &str, error: &dyn std::fmt::Display| PyValueError::new_err(format!("{what}: {error}"));
        let columns =
            columns.map(str::parse::<Columns>).transpose().map_err(|error| refused("columns", &error))?;
        let delimiter = delimiter.map(str::parse).transpose();
        let format = format.map(str::parse).transpose();
        let options = ReadOptions {
            format: format.map_err(|error: UnknownWord| refused("format", &error))?,
            columns,
            delimiter: delimiter.map_err(|error: UnknownWord| refused("delimiter", &error))?,
            header,
            directed,
            bipartite,
            nodes: nodes.map(Declared::Count),
            unlisted: unlisted.map(kind),
            ..ReadOptions::default()
        };
        let dataset = run(py, || read_network(&path, &options))?.map_err(|error| unread(&error))?;
        let warnings = dataset.report.warnings.iter().map(said).collect();
        let report = Some(FileReport::of(&dataset.report));
        Ok(Self { warnings, report, ..Self::of(&dataset.name, dataset.relations) })
    }

    /// The words for columns of a file.
    #[staticmethod]
    fn columns() -> Vec<&'static str> {
        Column::ALL.map(Column::word).to_vec()
    }

    /// The word for the column that a title names.
    #[staticmethod]
    fn titled(title: &str) -> Option<&'static str> {
        Column::titled(title).map(Column::word)
    }

    /// The characters of Les Misérables.
    #[staticmethod]
    fn les_miserables() -> Self {
        let dataset = dlfrm_io::datasets::les_miserables();
        Self::of(&dataset.name, dataset.relations)
    }

    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// What a user may not expect, as JSON.
    #[getter]
    fn warnings(&self) -> String {
        json(&self.warnings)
    }

    /// What was read of a file, as JSON.
    #[getter]
    fn report(&self) -> String {
        json(&self.report)
    }

    /// What it looks like and nobody asked for: undirected or bipartite.
    #[getter]
    fn looks(&self) -> Option<&'static str> {
        self.looks.map(|looks| match looks {
            Looks::Undirected => "undirected",
            Looks::Bipartite => "bipartite",
        })
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

    /// How many links, listed non-links and listed unobserved pairs a relation has.
    fn counts(&self, relation: usize) -> PyResult<(usize, usize, usize)> {
        let network = &self.relation(relation)?.network;
        Ok((network.links().len(), network.non_links().len(), network.unobserved().len()))
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
