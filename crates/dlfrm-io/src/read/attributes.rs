//! Reading attributes of nodes: a table with a header, or a list of words for each node.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use dlfrm::covariates::{Attributes, Field, FieldValues};
use dlfrm::network::Nodes;

use super::cells::{Cells, Column, Fact, TableWarning, Vocabulary, read_as};
use super::error::{Location, ReadError};
use super::input::Input;
use super::lists::{Lists, first_name};

const LISTS: &str = "word";

/// Attributes of nodes from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadAttributes {
    /// The attributes, one per column.
    pub fields: Vec<Field>,
    /// How columns were understood; nodes that have no row, rows that name no node, and missing values.
    pub warnings: Vec<TableWarning>,
}

/// Reads attributes of nodes from a file (standard input for `-`).
///
/// A table has a header; its first column names the nodes, each once, and every other column is an attribute. A file whose
/// first line begins with a node has lists instead: a node and its words on each line.
pub fn read_attributes(path: &Path, nodes: &Nodes) -> Result<ReadAttributes, ReadError> {
    attributes(Input::open(path)?, nodes)
}

/// Reads attributes from a stream (see [`read_attributes`]); `name` is its name in messages.
pub fn parse_attributes(reader: impl Read, name: &str, nodes: &Nodes) -> Result<ReadAttributes, ReadError> {
    attributes(Input::new(reader, name)?, nodes)
}

/// Reads attributes of nodes from several files (see [`read_attributes`]). Two of them with one title are an error.
pub fn read_all_attributes(files: &[PathBuf], nodes: &Nodes) -> Result<ReadAttributes, ReadError> {
    let mut all = ReadAttributes { fields: vec![], warnings: vec![] };
    let mut known: HashMap<String, &Path> = HashMap::new();
    for file in files {
        let ReadAttributes { fields, warnings } = read_attributes(file, nodes)?;
        for field in fields {
            if let Some(first) = known.insert(field.name.clone(), file) {
                let what = format!("'{}' is an attribute of {} already", field.name, first.display());
                let location = Location::file(file.display().to_string());
                return Err(ReadError::Repeated(location, what));
            }
            all.fields.push(field);
        }
        all.warnings.extend(warnings);
    }
    Ok(all)
}

fn attributes(input: Input<'_>, nodes: &Nodes) -> Result<ReadAttributes, ReadError> {
    let file = input.name.clone();
    let bytes = input.bytes()?;
    let listed = first_name(&bytes, &file)?.is_some_and(|name| nodes.get(&name).is_some());
    let (owners, columns, warnings) =
        if listed { lists(&bytes, &file, nodes)? } else { table(&bytes, &file, nodes)? };
    let mut fields = vec![];
    for column in columns {
        let field =
            Field { name: column.name.clone(), values: spread(&column.values, &owners.of, nodes.len()) };
        // Column by column, so that an error names its column.
        Attributes::new(nodes.len(), vec![field.clone()]).map_err(|cause| column.refused(cause))?;
        fields.push(field);
    }
    Ok(ReadAttributes { fields, warnings })
}

type Columns = (Owners, Vec<Column>, Vec<TableWarning>);

fn table(bytes: &[u8], file: &str, nodes: &Nodes) -> Result<Columns, ReadError> {
    let table = Cells::table(Input::new(bytes, file)?)?;
    if table.width == 1 {
        let what = "has one column: the first names nodes, the others are attributes";
        return Err(ReadError::empty(file, what));
    }
    let mut owners = Owners::new(nodes.len());
    let mut cells = Cells::read(table, |row| owners.take(nodes, &row.text(0), row.location(0)))?;
    cells.facts.splice(0..0, owners.facts(file, nodes)?);
    let columns = cells.columns(&[0])?;
    Ok((owners, columns, cells.warnings()))
}

fn lists(bytes: &[u8], file: &str, nodes: &Nodes) -> Result<Columns, ReadError> {
    let Lists { rows, .. } = Lists::read(bytes, file)?;
    let length = rows[0].1.len();
    // Lists of the same length may as well be a table whose header was forgotten.
    if length > 1 && rows.iter().all(|(_, row)| row.len() == length) {
        let what = "has no header: its first line must name the columns (lists of words need none, but differ in length)";
        return Err(ReadError::empty(file, what));
    }
    let mut owners = Owners::new(nodes.len());
    let (mut vocabulary, mut lists) = (Vocabulary::default(), vec![]);
    for (line, row) in &rows {
        if owners.take(nodes, &row[0], Location::line(file, *line).field(0))? {
            lists.push(vocabulary.list(row[1..].iter().map(String::as_str).filter(|word| !word.is_empty())));
        }
    }
    let column = Column::of_lists(file, LISTS, vocabulary.words, lists);
    let mut facts = owners.facts(file, nodes)?;
    let columns = vec![column];
    facts.push(read_as(&columns));
    Ok((owners, columns, TableWarning::all(file, facts)))
}

struct Owners {
    /// The node of each row that names one.
    of: Vec<u32>,
    /// The row that names each node; 0 for none.
    lines: Vec<u64>,
    /// How many rows name no node of the network, and the first such name.
    others: u64,
    first_other: Option<(String, Location)>,
}

impl Owners {
    fn new(nodes: usize) -> Self {
        Self { of: vec![], lines: vec![0; nodes], others: 0, first_other: None }
    }

    /// Whether the network has the node that a row names, which may not name it twice.
    fn take(&mut self, nodes: &Nodes, name: &str, location: Location) -> Result<bool, ReadError> {
        let Some(node) = nodes.get(name) else {
            self.others += 1;
            self.first_other.get_or_insert_with(|| (name.to_owned(), location));
            return Ok(false);
        };
        let first = std::mem::replace(&mut self.lines[node as usize], location.line.unwrap_or(0));
        if first > 0 {
            let what = format!("the node '{name}' is in line {first} already");
            return Err(ReadError::Repeated(location, what));
        }
        self.of.push(node);
        Ok(true)
    }

    /// Nodes without a row, and rows without a node. A file that names no node is an error.
    fn facts(&mut self, file: &str, nodes: &Nodes) -> Result<Vec<Fact>, ReadError> {
        let (absent, nodes) = (nodes.len() - self.of.len(), nodes.len());
        if self.of.is_empty() {
            return Err(match self.first_other.take() {
                Some((name, location)) => ReadError::unknown(location, &name, nodes, false),
                None => ReadError::empty(file, "has no rows"),
            });
        }
        let is = if absent == 1 { "is" } else { "are" };
        let absent =
            (absent > 0).then(|| ("absent-nodes", format!("{absent} of {nodes} nodes {is} not there")));
        let others = match self.others {
            0 => None,
            1 => Some("1 row of a node that is not in the network ignored".to_owned()),
            rows => Some(format!("{rows} rows of nodes that are not in the network ignored")),
        };
        let others = others.map(|text| ("other-nodes", text));
        Ok(absent.into_iter().chain(others).collect())
    }
}

fn spread(values: &FieldValues, owners: &[u32], nodes: usize) -> FieldValues {
    match values {
        FieldValues::Numbers(numbers) => {
            let mut all = vec![None; nodes];
            owners.iter().zip(numbers).for_each(|(&owner, &number)| all[owner as usize] = number);
            FieldValues::Numbers(all)
        }
        FieldValues::Words { words, lists: known } => {
            let mut lists = vec![vec![]; nodes];
            owners.iter().zip(known).for_each(|(&owner, list)| lists[owner as usize].clone_from(list));
            FieldValues::Words { words: words.clone(), lists }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<ReadAttributes, ReadError> {
        let nodes: Nodes = ["Ada", "Bob", "Cleo", "7"].into_iter().collect();
        parse_attributes(text.as_bytes(), "people.csv", &nodes)
    }

    fn said(read: &ReadAttributes) -> Vec<String> {
        read.warnings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_table_has_numbers_categories_and_words() {
        let text = "name,age,city,tags:words,code:category\nBob,30,Rome,a b a,1\nAda,,Oslo,,2\n7,41.5,Rome,c,1\nZoe,1,Oslo,d,3\n";
        let found = read(text).unwrap();
        let words = |words: &[&str], lists: [&[(u32, f64)]; 4]| FieldValues::Words {
            words: words.iter().map(|&word| word.to_owned()).collect(),
            lists: lists.map(<[_]>::to_vec).to_vec(),
        };
        let one = |word| -> &[(u32, f64)] { if word == 0 { &[(0, 1.0)] } else { &[(1, 1.0)] } };
        let fields = [
            ("age", FieldValues::Numbers(vec![None, Some(30.0), None, Some(41.5)])),
            ("city", words(&["Rome", "Oslo"], [one(1), one(0), &[], one(0)])),
            ("tags", words(&["a", "b", "c"], [&[], &[(0, 2.0), (1, 1.0)], &[], &[(2, 1.0)]])),
            ("code", words(&["1", "2"], [one(1), one(0), &[], one(0)])),
        ];
        for (field, (name, values)) in found.fields.iter().zip(fields) {
            assert_eq!((field.name.as_str(), &field.values), (name, &values));
        }
        assert_eq!(
            said(&found),
            [
                "people.csv: 1 of 4 nodes is not there",
                "people.csv: 1 row of a node that is not in the network ignored",
                "people.csv: read as age (number), city (2 categories), tags (3 words), code (2 categories)",
                "people.csv: 1 value of 'age' is missing",
                "people.csv: 1 value of 'tags' is missing"
            ]
        );
        // What pandas writes for an index without a name, and a column without a title.
        let found = read(",age,\nAda,1,x\nBob,?,y\n# Cleo\nCleo,3,z\n7,N/A,x\n").unwrap();
        assert_eq!(found.fields[0].values, FieldValues::Numbers(vec![Some(1.0), None, Some(3.0), None]));
        assert!(said(&found)[0].contains("1 line among the rows begins with #"));
        assert_eq!(said(&found)[1], "people.csv: a column without a title is not used");
    }

    #[test]
    fn lists_of_words_need_no_header() {
        let found = read("Ada,x,y\nBob,y\n# more\nCleo\nZoe,q\n7,x,x,z\n").unwrap();
        let lists = vec![vec![(0, 1.0), (1, 1.0)], vec![(1, 1.0)], vec![], vec![(0, 2.0), (2, 1.0)]];
        let words = ["x", "y", "z"].map(str::to_owned).to_vec();
        assert_eq!(
            found.fields,
            [Field { name: "word".to_owned(), values: FieldValues::Words { words, lists } }]
        );
        let others = "people.csv: 1 row of a node that is not in the network ignored";
        assert_eq!(said(&found), [others, "people.csv: read as word (3 words)"]);
        assert!(read("Ada,1\nBob,2\n").unwrap_err().to_string().starts_with("people.csv has no header"));
    }

    #[test]
    fn two_files_have_different_titles() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let nodes: Nodes = ["Ada", "Bob", "Cleo", "7"].into_iter().collect();
        let files = ["one.csv", "other.csv"].map(|name| file(name, "name,age\nAda,1\nBob,2\n"));
        let message = read_all_attributes(&files, &nodes).unwrap_err().to_string();
        let [one, other] = files.map(|file| file.display().to_string());
        assert_eq!(message, format!("{other}: 'age' is an attribute of {one} already"));
    }

    #[test]
    fn mistakes_have_file_line_and_column() {
        for (text, expected) in [
            ("name,age\nZoe,2\n", ", line 2, column 1: 'Zoe' is not one of the 4 nodes"),
            ("name,age\nAda,1\nAda,3\n", ", line 3, column 1: the node 'Ada' is in line 2 already"),
            ("name,age\nAda,\nBob,NA\n", ", line 1, column 2: 'age' cannot be used: no value is known"),
            (
                "name,age\nAda,inf\nBob,3\n",
                ", line 2, column 2: a value of 'age' must be a finite number, or empty where it is not known, is 'inf'",
            ),
            (
                "name,age\nAda,1\nBob,old\n7,3\nCleo,NA\n",
                ", line 3, column 2: most values of 'age' are numbers, so all must be, or empty where they are not known (or \
                 call the column 'age:category'), is 'old'",
            ),
            (
                "name,t:words\nAda,\"a, b\"\n",
                ", line 2, column 2: words of 't' must be separated by spaces alone, is 'a, b'",
            ),
            ("name\nAda\n", " has one column: the first names nodes, the others are attributes"),
            ("name,age\n", " has a header and no rows"),
        ] {
            assert_eq!(read(text).unwrap_err().to_string(), format!("people.csv{expected}"));
        }
    }
}
