//! The index of a folder of networks, and which of them are wanted.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use dlfrm_io::{Dataset, Declared, Looks, ReadOptions, read_network};

use crate::error::{Error, Result};

/// The columns of an index.
const COLUMNS: [&str; 5] = ["file", "domain", "nodes", "links", "name"];

/// The networks of a folder, from its file `index.tsv`: tab-separated with a header, with the columns file, domain, nodes,
/// links and name, in any order and among others. A file is an edge list without directions whose ids are numbers from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CorpusIndex {
    file: PathBuf,
    entries: Vec<CorpusEntry>,
}

/// One network of an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CorpusEntry {
    /// Its file, in the folder of the index.
    pub file: String,
    /// The folder and the file.
    pub path: PathBuf,
    /// Its domain.
    pub domain: String,
    /// Its nodes, with and without links.
    pub nodes: usize,
    /// Its links.
    pub links: usize,
    /// Its name.
    pub name: String,
}

/// Which networks are wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CorpusFilter {
    /// Those of these domains; of all if there are none. Capitals do not matter.
    pub domains: Vec<String>,
    /// Those with no more nodes.
    pub max_nodes: Option<usize>,
    /// The first ones of those, so many.
    pub limit: Option<usize>,
}

impl CorpusEntry {
    /// Reads the network, without directions. `bipartite` is `None` if the file is to show whether it has two modes.
    pub fn read(&self, bipartite: Option<bool>) -> Result<Dataset> {
        let nodes = Some(Declared::Count(self.nodes));
        let options = ReadOptions { directed: Some(false), bipartite, nodes, ..ReadOptions::default() };
        let dataset = read_network(&self.path, &options)?;
        if dataset.report.looks == Some(Looks::Bipartite) {
            return Ok(read_network(&self.path, &ReadOptions { bipartite: Some(true), ..options })?);
        }
        Ok(dataset)
    }
}

impl CorpusIndex {
    /// Reads the index of a folder.
    pub fn read(folder: &Path) -> Result<Self> {
        let file = folder.join("index.tsv");
        match fs::read_to_string(&file) {
            Ok(text) => Self::parse(&text, folder, file),
            Err(source) if source.kind() == io::ErrorKind::NotFound => Err(Error::NoIndex { path: file }),
            Err(source) => Err(Error::Io { path: file, cause: source }),
        }
    }

    fn parse(text: &str, folder: &Path, file: PathBuf) -> Result<Self> {
        let refuse = |line: usize, what: String| Error::Index { path: file.clone(), line, what };
        let mut lines = (1..).zip(text.lines());
        let header: Vec<&str> = lines.next().map_or(vec![], |(_, line)| line.split('\t').collect());
        let position = |column: &&str| {
            // The corpus of the paper's networks has the paper's word for nodes.
            let called =
                |title: &&str| title.trim() == *column || (*column == "nodes" && title.trim() == "entities");
            let found = header.iter().position(called);
            found.ok_or_else(|| refuse(1, format!("the header has no column '{column}'")))
        };
        let positions: Vec<usize> = COLUMNS.iter().map(position).collect::<Result<_>>()?;
        let mut entries: Vec<CorpusEntry> = vec![];
        for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
            let field = |column: usize| {
                let value = fields.get(positions[column]).copied().filter(|value| !value.is_empty());
                value.ok_or_else(|| refuse(number, format!("the {} is missing", COLUMNS[column])))
            };
            let count = |column: usize| {
                let (value, name) = (field(column)?, COLUMNS[column]);
                let wrong = |_| refuse(number, format!("{name} must be a whole number, is '{value}'"));
                value.parse::<usize>().map_err(wrong)
            };
            let entry = CorpusEntry {
                file: field(0)?.to_owned(),
                path: folder.join(field(0)?),
                domain: field(1)?.to_owned(),
                nodes: count(2)?,
                links: count(3)?,
                name: field(4)?.to_owned(),
            };
            if entries.iter().any(|known| known.piece() == entry.piece()) {
                return Err(refuse(number, format!("the file '{}' is listed already", entry.file)));
            }
            entries.push(entry);
        }
        if entries.is_empty() {
            return Err(refuse(1, "no network is listed".to_owned()));
        }
        Ok(Self { file, entries })
    }

    /// The networks that are wanted, in the order of the index; an error if there are none.
    pub fn select(&self, filter: &CorpusFilter) -> Result<Vec<CorpusEntry>> {
        let same = |one: &str, other: &str| one.eq_ignore_ascii_case(other.trim());
        for domain in &filter.domains {
            if !self.entries.iter().any(|entry| same(&entry.domain, domain)) {
                let mut known: Vec<&str> = self.entries.iter().map(|entry| entry.domain.as_str()).collect();
                known.sort_unstable();
                known.dedup();
                let known = known.join(", ");
                return Err(dlfrm::Error::Unknown { what: "domain", name: domain.clone(), known }.into());
            }
        }
        let wanted = |entry: &&CorpusEntry| {
            (filter.domains.is_empty() || filter.domains.iter().any(|domain| same(&entry.domain, domain)))
                && filter.max_nodes.is_none_or(|most| entry.nodes <= most)
        };
        let limit = filter.limit.unwrap_or(usize::MAX);
        let chosen: Vec<CorpusEntry> = self.entries.iter().filter(wanted).take(limit).cloned().collect();
        if chosen.is_empty() {
            let what = format!("none of the {} networks is wanted", self.entries.len());
            return Err(Error::Index { path: self.file.clone(), line: 1, what });
        }
        Ok(chosen)
    }
}

impl CorpusEntry {
    /// What the names of its pieces begin with: its file without endings.
    pub(super) fn piece(&self) -> String {
        let name = self.file.replace(['/', '\\'], "-");
        let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
        name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INDEX: &str = "name\tfile\tdomain\tnote\tnodes\tlinks\n\
         Ants\ta.tsv.gz\tBiological\t\t36\t78\n\nRoads\tsub/b.txt\tTransportation\tx\t500\t900\n\
         Bees\tc.tsv\tBiological\t\t90\t100\n";

    fn parse(text: &str) -> Result<CorpusIndex> {
        CorpusIndex::parse(text, Path::new("nets"), PathBuf::from("nets/index.tsv"))
    }

    #[test]
    fn columns_are_found_by_their_titles() {
        let index = parse(INDEX).unwrap();
        assert_eq!(index.entries.len(), 3);
        let roads = &index.entries[1];
        assert_eq!((roads.name.as_str(), roads.nodes, roads.links), ("Roads", 500, 900));
        assert_eq!((roads.path.as_path(), roads.piece()), (Path::new("nets/sub/b.txt"), "sub-b".to_owned()));
    }

    #[test]
    fn filters_choose() {
        let index = parse(INDEX).unwrap();
        let select = |filter| -> Vec<String> {
            index.select(&filter).unwrap().into_iter().map(|entry| entry.name).collect()
        };
        assert_eq!(select(CorpusFilter::default()), ["Ants", "Roads", "Bees"]);
        let domains = vec!["biological".to_owned()];
        assert_eq!(select(CorpusFilter { domains: domains.clone(), ..Default::default() }), ["Ants", "Bees"]);
        assert_eq!(select(CorpusFilter { max_nodes: Some(90), ..Default::default() }), ["Ants", "Bees"]);
        assert_eq!(select(CorpusFilter { domains, limit: Some(1), ..Default::default() }), ["Ants"]);
        let refused = |filter| index.select(&filter).unwrap_err().to_string();
        let domains = vec!["Social".to_owned()];
        assert_eq!(
            refused(CorpusFilter { domains, ..Default::default() }),
            "unknown domain 'Social'; known are Biological, Transportation"
        );
        let none = refused(CorpusFilter { max_nodes: Some(3), ..Default::default() });
        assert_eq!(none, "nets/index.tsv, line 1: none of the 3 networks is wanted");
    }

    #[test]
    fn mistakes_have_their_line() {
        let refused = |text: &str| parse(text).unwrap_err().to_string();
        assert_eq!(refused(""), "nets/index.tsv, line 1: the header has no column 'file'");
        assert_eq!(refused(INDEX.lines().next().unwrap()), "nets/index.tsv, line 1: no network is listed");
        assert_eq!(
            refused(&INDEX.replace("500", "many")),
            "nets/index.tsv, line 4: nodes must be a whole number, is 'many'"
        );
        assert_eq!(refused(&INDEX.replace("sub/b.txt", "")), "nets/index.tsv, line 4: the file is missing");
        assert_eq!(
            refused(&INDEX.replace("c.tsv", "a.tsv.gz")),
            "nets/index.tsv, line 5: the file 'a.tsv.gz' is listed already"
        );
    }
}
