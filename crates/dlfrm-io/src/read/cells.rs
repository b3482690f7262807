//! The columns of a table with a header: numbers, categories or words of what its rows name, and what is said of them.

use std::collections::HashMap;
use std::fmt;

use dlfrm::covariates::FieldValues;
use serde::Serialize;

use super::error::{Location, ReadError};
use super::input::{Input, Lines};
use super::options::ReadOptions;
use super::report::comments_skipped;
use super::table::{Need, Row, Table};

/// So many columns are described.
const DESCRIBED: usize = 12;

/// Something that a user may not expect of a table of nodes or pairs, or of groups.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TableWarning {
    /// The file as the user named it.
    pub file: String,
    /// A short word that says what it is about.
    pub code: &'static str,
    /// The sentence.
    pub text: String,
}

pub(super) type Fact = (&'static str, String);

impl TableWarning {
    pub(super) fn all(file: &str, facts: Vec<Fact>) -> Vec<Self> {
        facts.into_iter().map(|(code, text)| Self { file: file.to_owned(), code, text }).collect()
    }
}

impl fmt::Display for TableWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.text)
    }
}

pub(super) fn comments(lines: u64) -> Option<Fact> {
    (lines > 0).then(|| ("comments", comments_skipped(lines)))
}

pub(super) fn read_as(columns: &[Column]) -> Fact {
    let mut words: Vec<String> = columns.iter().take(DESCRIBED).map(Column::described).collect();
    if columns.len() > DESCRIBED {
        words.push(format!("and {} more", columns.len() - DESCRIBED));
    }
    ("columns", format!("read as {}", words.join(", ")))
}

/// Whether a cell says that its value is not known.
pub(super) fn missing(cell: &str) -> bool {
    matches!(cell, "" | "?" | "NA" | "N/A" | "NaN" | "nan" | "null" | "NULL" | "None")
}

/// The cells of a table, column by column, with what is said of them so far.
pub(super) struct Cells {
    pub(super) file: String,
    titles: Vec<String>,
    header: u64,
    /// The line of each row that was kept.
    lines: Vec<u64>,
    columns: Vec<Vec<String>>,
    pub(super) facts: Vec<Fact>,
}

impl Cells {
    /// The table of a file, which must have a header.
    pub(super) fn table(input: Input<'_>) -> Result<Table<'_>, ReadError> {
        Table::new(Lines::new(input)?, &ReadOptions::default(), Need::Header)
    }

    pub(super) fn read(
        table: Table<'_>,
        mut keep: impl FnMut(&Row<'_>) -> Result<bool, ReadError>,
    ) -> Result<Self, ReadError> {
        let titles = table.titles.clone().unwrap_or_default();
        let (file, header) = (table.file().to_owned(), table.header_line);
        let mut cells = vec![vec![]; titles.len()];
        let mut lines = vec![];
        let mut any = false;
        let end = table.rows(u32::MAX, |row| {
            any = true;
            if keep(&row)? {
                lines.push(row.line);
                let texts = (0..cells.len()).map(|column| row.text(column).into_owned());
                cells.iter_mut().zip(texts).for_each(|(column, text)| column.push(text));
            }
            Ok(())
        })?;
        if !any {
            return Err(ReadError::empty(&file, "has a header and no rows"));
        }
        let facts = comments(end.comments).into_iter().collect();
        Ok(Self { file, titles, header, lines, columns: cells, facts })
    }

    /// Reads the columns but for those that name nodes; those without a title are not used.
    pub(super) fn columns(&mut self, names: &[usize]) -> Result<Vec<Column>, ReadError> {
        let mut columns = vec![];
        for position in (0..self.titles.len()).filter(|position| !names.contains(position)) {
            if self.titles[position].is_empty() {
                self.facts.push(("unused", "a column without a title is not used".to_owned()));
            } else {
                columns.push(Column::read(self, position)?);
            }
        }
        self.facts.push(read_as(&columns));
        for column in &columns {
            let missing = match column.missing() {
                0 => continue,
                1 => format!("1 value of '{}' is missing", column.name),
                rows => format!("{rows} values of '{}' are missing", column.name),
            };
            self.facts.push(("missing", missing));
        }
        Ok(columns)
    }

    pub(super) fn warnings(self) -> Vec<TableWarning> {
        TableWarning::all(&self.file, self.facts)
    }
}

pub(super) struct Column {
    /// Its title, without the kind.
    pub(super) name: String,
    location: Location,
    /// The values of the rows in their order; a category is one word.
    pub(super) values: FieldValues,
    pub(super) kind: Kind,
}

/// Numbers words in the order in which they appear.
#[derive(Default)]
pub(super) struct Vocabulary {
    numbers: HashMap<String, u32>,
    pub(super) words: Vec<String>,
}

impl Vocabulary {
    fn number(&mut self, word: &str) -> u32 {
        if let Some(&number) = self.numbers.get(word) {
            return number;
        }
        let number = self.words.len() as u32;
        self.numbers.insert(word.to_owned(), number);
        self.words.push(word.to_owned());
        number
    }

    /// The words of a list, each once with its count.
    pub(super) fn list<'w>(&mut self, words: impl Iterator<Item = &'w str>) -> Vec<(u32, f64)> {
        let mut list: Vec<u32> = words.map(|word| self.number(word)).collect();
        list.sort_unstable();
        list.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as f64)).collect()
    }
}

impl Column {
    /// Reads a column. The kind follows the title (`age:number`, `city:category`, `tags:words`) or is found: numbers if all
    /// known cells are, else categories.
    fn read(table: &Cells, position: usize) -> Result<Self, ReadError> {
        let (title, cells) = (&table.titles[position], &table.columns[position]);
        let refused = |row: usize, expected: String| {
            let location = Location::line(&table.file, table.lines[row]).field(position);
            ReadError::Value(location, format!("{expected}, is '{}'", cells[row]), false)
        };
        let said = title.rsplit_once(':').and_then(|(name, word)| match word.trim() {
            "number" => Some((name.trim(), Kind::Number)),
            "category" => Some((name.trim(), Kind::Category)),
            "words" => Some((name.trim(), Kind::Words)),
            _ => None,
        });
        let (name, kind) = match said {
            Some(said) => said,
            None => (title.as_str(), kind(cells).map_err(|row| {
                refused(row, format!(
                    "most values of '{title}' are numbers, so all must be, or empty where they are not known (or call the \
                     column '{title}:category')"
                ))
            })?),
        };
        let mut vocabulary = Vocabulary::default();
        let words = |cell: &String| match kind {
            _ if missing(cell) => vec![],
            Kind::Words => vocabulary.list(cell.split_whitespace()),
            _ => vocabulary.list(std::iter::once(cell.as_str())),
        };
        let values = if kind == Kind::Number {
            let number = |cell: &String| (!missing(cell)).then(|| cell.parse().unwrap_or(f64::NAN));
            let numbers: Vec<Option<f64>> = cells.iter().map(number).collect();
            let infinite = |number: &Option<f64>| number.is_some_and(|number| !number.is_finite());
            if let Some(row) = numbers.iter().position(infinite) {
                let what = "must be a finite number, or empty where it is not known";
                return Err(refused(row, format!("a value of '{name}' {what}")));
            }
            FieldValues::Numbers(numbers)
        } else {
            let wrong = |cell: &String| kind == Kind::Words && cell.contains([',', ';']);
            if let Some(row) = cells.iter().position(wrong) {
                return Err(refused(row, format!("words of '{name}' must be separated by spaces alone")));
            }
            let lists = cells.iter().map(words).collect();
            FieldValues::Words { lists, words: vocabulary.words }
        };
        let location = Location::line(&table.file, table.header).field(position);
        Ok(Self { name: name.to_owned(), location, values, kind })
    }

    pub(super) fn of_lists(file: &str, name: &str, words: Vec<String>, lists: Vec<Vec<(u32, f64)>>) -> Self {
        let values = FieldValues::Words { words, lists };
        Self { name: name.to_owned(), location: Location::file(file), values, kind: Kind::Words }
    }

    fn missing(&self) -> usize {
        match &self.values {
            FieldValues::Numbers(numbers) => numbers.iter().filter(|number| number.is_none()).count(),
            FieldValues::Words { lists, .. } => lists.iter().filter(|list| list.is_empty()).count(),
        }
    }

    fn described(&self) -> String {
        let FieldValues::Words { words, .. } = &self.values else { return format!("{} (number)", self.name) };
        let what = match (self.kind, words.len()) {
            (Kind::Words, 1) => "word",
            (Kind::Words, _) => "words",
            (_, 1) => "category",
            _ => "categories",
        };
        format!("{} ({} {what})", self.name, words.len())
    }

    /// The error of a column that cannot be used.
    pub(super) fn error(&self, what: impl fmt::Display) -> ReadError {
        ReadError::Column(self.location.clone(), format!("'{}' cannot be used: {what}", self.name))
    }

    pub(super) fn refused(&self, cause: dlfrm::Error) -> ReadError {
        match cause {
            dlfrm::Error::Attribute { what, .. } => self.error(what),
            other => self.error(other),
        }
    }
}

/// How the cells of a column are read.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Number,
    Category,
    Words,
}

/// What the known cells look like; or the row that has none, where most have numbers.
fn kind(cells: &[String]) -> Result<Kind, usize> {
    let known = || cells.iter().enumerate().filter(|(_, cell)| !missing(cell));
    let number = |cell: &str| cell.parse::<f64>().is_ok();
    let numbers = known().filter(|(_, cell)| number(cell)).count();
    match known().find(|(_, cell)| !number(cell)) {
        None => Ok(Kind::Number),
        Some((row, _)) if 2 * numbers > known().count() => Err(row),
        Some(_) => Ok(Kind::Category),
    }
}
