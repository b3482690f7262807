//! A file with a header as cells, or one without as lists.
//!
//! Lines are cut as in an edge list, because both must read a name alike. The `csv` crate reads `"Bob" Smith` and quotes behind
//! a space otherwise, takes one byte for comments and none for runs of spaces, and lets an open quote swallow the file.

use dlfrm::network::Nodes;

use super::super::fields::{Delimiter, Fields};
use super::super::old::comments::{MOST_ABOVE, names_node, skipped, with_names};
use super::super::old::error::{Location, ReadError};
use super::super::old::input::Input;
use super::super::old::layout;
use super::super::old::lines::Lines;

/// The largest table.
const LARGEST: u32 = 1 << 31;

/// All rows of a file, header and comments taken off.
#[derive(Debug)]
pub(super) struct Cells {
    pub(super) file: String,
    /// The header; none of a file of lists.
    pub(super) titles: Option<Vec<String>>,
    /// The line of the header.
    header: u64,
    /// The cells of each row, with the number of its line.
    pub(super) rows: Vec<(u64, Vec<String>)>,
    delimiter: Delimiter,
    /// How many comments begin with a name of a node.
    with_names: u64,
}

impl Cells {
    /// Reads a file. One whose first cell is no node has a header, and then all rows are as long as it is.
    pub(super) fn read(input: Input<'_>, nodes: &Nodes) -> Result<Self, ReadError> {
        Self::read_up_to(LARGEST, input, nodes)
    }

    fn read_up_to(largest: u32, input: Input<'_>, nodes: &Nodes) -> Result<Self, ReadError> {
        let mut lines = Lines::new(input);
        let mut all: Vec<(u64, String)> = vec![];
        let mut comments: Vec<String> = vec![];
        let mut bytes = 0_u64;
        while let Some(line) = lines.next_line()? {
            if skipped(line) {
                if !line.trim().is_empty() && comments.len() < MOST_ABOVE {
                    comments.push(line.to_owned());
                }
            } else {
                let text = line.to_owned();
                // All cells are held in memory: a stream that never ends is not.
                bytes += text.len() as u64;
                if bytes > u64::from(largest) {
                    return Err(ReadError::too_many(lines.file(), largest, "bytes"));
                }
                all.push((lines.number(), text));
            }
        }
        let file = lines.file().to_owned();
        let declared = all.first().and_then(|(_, line)| Delimiter::declared(line));
        all.drain(..usize::from(declared.is_some()));
        let sample = &all[..all.len().min(layout::SAMPLE_ROWS)];
        let delimiter = declared.unwrap_or_else(|| layout::delimiter(sample));
        let mut fields = Fields::default();
        let mut rows = Vec::with_capacity(all.len());
        for (line, text) in all {
            if fields.cut(&text, delimiter).is_err() {
                return Err(ReadError::OpenQuote { location: Location { file, line, column: None } });
            }
            rows.push((line, fields.to_vec(&text)));
        }
        let Some((_, first)) = rows.first() else {
            return Err(ReadError::Empty { file, what: "has no rows" });
        };
        let lists = nodes.get(&first[0]).is_some();
        let mut begins_with_name = |line: &&String| {
            let cut = fields.cut(line, delimiter).is_ok();
            let first = fields.get(line, 0);
            cut && (nodes.get(&first).is_some() || fields.len() > 1 && names_node(&first, nodes))
        };
        let with_names = comments.iter().filter(&mut begins_with_name).count() as u64;
        let header = rows[0].0;
        let titles = (!lists).then(|| rows.remove(0).1);
        let cells = Self { file, titles, header, rows, delimiter, with_names };
        cells.check(nodes)?;
        Ok(cells)
    }

    /// What is said of comments that may be rows.
    pub(super) fn skipped_warning(&self) -> Option<String> {
        with_names(self.with_names, "").map(|warning| format!("{}: {warning}", self.file))
    }

    fn check(&self, nodes: &Nodes) -> Result<(), ReadError> {
        let lengths = || self.rows.iter().map(|(line, row)| (*line, row.len()));
        let empty = |what| Err(ReadError::Empty { file: self.file.clone(), what });
        let Some(titles) = &self.titles else { return Ok(()) };
        if self.rows.is_empty() {
            return empty("has a header and no rows");
        }
        for (position, title) in titles.iter().enumerate() {
            let wrong =
                |what: String| Err(ReadError::Title { location: self.title_location(position), what });
            if title.trim().is_empty() {
                let matrix = titles.len() > 2 && titles[1..].iter().all(|title| nodes.get(title).is_some());
                let more = if matrix {
                    ", and the others are called like nodes: a matrix is not read, write a row for each pair \
                     (source,target,value)"
                } else {
                    ""
                };
                return wrong(format!("the column has no title{more}"));
            }
            if let Some(first) = titles[..position].iter().position(|other| other == title) {
                return wrong(format!("column {} is called '{title}', too", first + 1));
            }
        }
        self.check_even(titles)?;
        let as_long = lengths().filter(|&(_, length)| length == titles.len()).count();
        if 2 * as_long < self.rows.len() && self.rows.iter().all(|(_, row)| nodes.get(&row[0]).is_some()) {
            return Err(ReadError::UnknownName {
                location: self.title_location(0),
                name: titles[0].clone(),
                nodes: nodes.len(),
                hint: " (so its line was taken for a header, but the lines below differ in length, as lists of words do)",
            });
        }
        match lengths().find(|&(_, length)| length != titles.len()) {
            Some((line, found)) if found > titles.len() => Err(self.longer(line, found, titles.len())),
            Some((line, found)) => Err(ReadError::FewColumns {
                location: Location { file: self.file.clone(), line, column: None },
                found,
                needed: titles.len(),
                delimiter: self.delimiter.cut(),
            }),
            None => Ok(()),
        }
    }

    /// Refuses rows that all have more cells than the header: lists of words differ in length.
    fn check_even(&self, titles: &[String]) -> Result<(), ReadError> {
        let (line, first) = &self.rows[0];
        let longer = titles.len() > 1 && first.len() > titles.len() && self.is_even();
        if longer { Err(self.longer(*line, first.len(), titles.len())) } else { Ok(()) }
    }

    /// The error of a row with more cells than the header.
    fn longer(&self, line: u64, found: usize, most: usize) -> ReadError {
        let location = Location { file: self.file.clone(), line, column: None };
        let hint = match self.delimiter {
            Delimiter::Spaces => {
                "the header has no more; give every column a title, and put a cell with a space in it in double quotes".to_owned()
            }
            delimiter => format!(
                "the header has no more; give every column a title, put a cell with a {delimiter} in it in double quotes, or take \
                 out a {delimiter} at the end of the line"
            ),
        };
        ReadError::ManyColumns { location, found, most, hint }
    }

    /// Whether cells are between spaces.
    pub(super) fn cut_at_spaces(&self) -> bool {
        self.delimiter == Delimiter::Spaces
    }

    /// Whether all rows have the same length, and more than a name.
    pub(super) fn is_even(&self) -> bool {
        let length = self.rows.first().map_or(0, |(_, row)| row.len());
        length > 1 && self.rows.iter().all(|(_, row)| row.len() == length)
    }

    /// The location of a title.
    pub(super) fn title_location(&self, column: usize) -> Location {
        Location { file: self.file.clone(), line: self.header, column: Some(column + 1) }
    }

    /// The location of a row.
    pub(super) fn row_location(&self, row: usize) -> Location {
        Location { file: self.file.clone(), line: self.rows[row].0, column: None }
    }

    /// The location of a cell.
    pub(super) fn location(&self, row: usize, column: usize) -> Location {
        Location { column: Some(column + 1), ..self.row_location(row) }
    }

    /// The node that a cell names.
    pub(super) fn node(&self, row: usize, column: usize, nodes: &Nodes) -> Result<u32, ReadError> {
        let name = &self.rows[row].1[column];
        nodes.get(name).ok_or_else(|| ReadError::UnknownName {
            location: self.location(row, column),
            name: name.clone(),
            nodes: nodes.len(),
            hint: "",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Cells, ReadError> {
        let nodes: Nodes = ["Ada", "Bob"].into_iter().collect();
        Cells::read(Input::new(text.as_bytes(), "people.csv")?, &nodes)
    }

    #[test]
    fn names_are_read_as_in_an_edge_list() {
        let cells = read("name,city\nAda, \"Rome, \"\"I\"\"\"\n\"Bob\" Smith,Oslo\n").unwrap();
        assert_eq!(cells.titles.as_deref().unwrap(), ["name", "city"]);
        assert_eq!(cells.rows[0].1, ["Ada", "Rome, \"I\""]);
        assert_eq!(cells.rows[1].1, ["\"Bob\" Smith", "Oslo"]);
        assert_eq!(
            read("sep=;\nname;city, state\nAda;x\n").unwrap().titles.unwrap(),
            ["name", "city, state"]
        );
        let lists = read("Ada  x   y\nBob y\n").unwrap();
        assert_eq!(
            lists.rows,
            [
                (1, ["Ada", "x", "y"].map(str::to_owned).to_vec()),
                (2, ["Bob", "y"].map(str::to_owned).to_vec())
            ]
        );
    }

    #[test]
    fn a_table_that_never_ends_is_not_held_in_memory() {
        let nodes: Nodes = ["Ada", "Bob"].into_iter().collect();
        let rows = "name,age\nAda,3\nBob,4\n";
        let read =
            |largest| Cells::read_up_to(largest, Input::new(rows.as_bytes(), "people.csv").unwrap(), &nodes);
        assert_eq!(read(17).unwrap_err().to_string(), "people.csv has more than 17 bytes");
        assert_eq!(read(18).unwrap().rows.len(), 2);
    }

    #[test]
    fn lines_are_those_of_the_file() {
        let cells = read("% note\nname,age\n  # note, too\nAda,3\n\n\nBob,4\n").unwrap();
        assert_eq!(cells.rows.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [4, 7]);
        let message = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(
            message("name,age\nAda,3\n\n\nBob\n"),
            "people.csv, line 5: 1 column where 2 are needed (cut at commas)"
        );
        let longer = |line| {
            format!(
                "people.csv, line {line}: 3 columns where 2 are understood: the header has no more; give every column a title, \
                 put a cell with a comma in it in double quotes, or take out a comma at the end of the line"
            )
        };
        assert_eq!(message("name,age\nAda,3,\nBob,4,\n"), longer(2));
        assert_eq!(message("name,age\nAda,3\nBob,4,\n"), longer(3));
        assert_eq!(message("name,age\nAda,3,x\nBob,4\n"), longer(2));
        assert_eq!(message("name;age\nAda;3;\n"), longer(2).replace("comma", "semicolon"));
        assert_eq!(
            message("name age\nAda 3 7\nBob 4 7\n"),
            "people.csv, line 2: 3 columns where 2 are understood: the header has no more; give every column a title, and put a \
             cell with a space in it in double quotes"
        );
        assert!(message("Zoe x y\nAda x\nBob y z a\n").contains("as lists of words do"));
        assert_eq!(
            message("name,age\nAda,\"3\nBob,4\n"),
            "people.csv, line 2: a double quote is opened and not closed"
        );
    }
}
