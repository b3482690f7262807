//! What a column of cells means: numbers, categories or words.

use std::collections::HashMap;

use dlfrm::Error;

use super::super::old::error::ReadError;
use super::super::old::odd::missing_value as missing;
use super::cells::Cells;

/// How the cells of a column are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Category,
    Words,
}

/// What stands between the words of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Between {
    Spaces,
    /// This sign, with or without a space behind it.
    Sign(char),
}

/// The cells of a column, in the order of the rows.
#[derive(Debug)]
pub(super) enum Values {
    Numbers(Vec<Option<f64>>),
    Categories {
        names: Vec<String>,
        chosen: Vec<Option<u32>>,
    },
    Words {
        words: Vec<String>,
        lists: Vec<Vec<(u32, f64)>>,
        between: Between,
        /// A cell with spaces and other signs, whose words are between spaces.
        cut: Option<String>,
    },
}

/// A column that was read.
#[derive(Debug)]
pub(super) struct Column {
    /// Its title, without the kind.
    pub(super) name: String,
    pub(super) position: usize,
    pub(super) values: Values,
    /// Whether its title has a colon, and no kind behind it.
    pub(super) colon: bool,
}

/// Numbers words in the order in which they appear.
#[derive(Debug, Default)]
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

/// Kinds of other programs: whoever writes them means a kind, and not a title.
const OTHER_KINDS: [&str; 16] = [
    "int",
    "integer",
    "float",
    "double",
    "numeric",
    "num",
    "numbers",
    "string",
    "str",
    "text",
    "cat",
    "categorical",
    "categories",
    "factor",
    "bool",
    "word",
];

/// The kind that a word behind a title says.
fn said_kind(word: &str) -> Option<Kind> {
    match word.trim().to_lowercase().as_str() {
        "number" => Some(Kind::Number),
        "category" => Some(Kind::Category),
        "words" => Some(Kind::Words),
        _ => None,
    }
}

impl Between {
    /// What stands between the words of these cells: spaces, unless no cell has one, or each follows a comma or a semicolon.
    fn find(cells: &[String]) -> Self {
        let separates = |sign: char| {
            let plain = |word: &str| !word.trim().contains(char::is_whitespace);
            cells.iter().any(|cell| cell.contains(sign))
                && cells.iter().all(|cell| cell.split(sign).all(plain))
        };
        [',', ';'].into_iter().find(|&sign| separates(sign)).map_or(Self::Spaces, Self::Sign)
    }
}

/// The words of a cell between spaces, without the commas and semicolons behind them.
fn words(cell: &str) -> impl Iterator<Item = &str> {
    cell.split_whitespace().map(|word| word.trim_end_matches(SIGNS)).filter(|word| !word.is_empty())
}

/// What may be behind a word.
pub(super) const SIGNS: [char; 2] = [',', ';'];

impl Column {
    /// Reads a column of a file with a header. The kind follows the title (`age:number`, `city:category`,
    /// `tags:words`) or is found: numbers if all known cells are, else categories.
    pub(super) fn read(cells: &Cells, position: usize) -> Result<Self, ReadError> {
        let title = &cells.titles.as_ref().expect("a file with a header")[position];
        let (said, unknown) = match title.rsplit_once(':') {
            None => (None, None),
            Some((name, word)) => match said_kind(word) {
                Some(kind) => (Some((name.trim(), kind)), None),
                None => (None, Some((name, word.trim()))),
            },
        };
        if let Some((name, kind)) =
            unknown.filter(|(_, kind)| OTHER_KINDS.contains(&kind.to_lowercase().as_str()))
        {
            return Err(ReadError::Title {
                location: cells.title_location(position),
                what: format!(
                    "a column is {name}:number, {name}:category or {name}:words, is '{name}:{kind}'"
                ),
            });
        }
        let (name, kind) = match said {
            Some((name, kind)) => (name, kind),
            None => (title.as_str(), kind(cells, position)?),
        };
        let column = |cell: &(u64, Vec<String>)| cell.1[position].clone();
        let values = match kind {
            Kind::Number => Values::Numbers(numbers(cells, position, name)?),
            Kind::Category => {
                let mut vocabulary = Vocabulary::default();
                let chosen = cells.rows.iter().map(column);
                let chosen = chosen.map(|cell| (!missing(&cell)).then(|| vocabulary.number(&cell))).collect();
                Values::Categories { names: vocabulary.words, chosen }
            }
            Kind::Words => {
                let mut vocabulary = Vocabulary::default();
                let lists: Vec<String> = cells.rows.iter().map(column).collect();
                let between = Between::find(&lists);
                let cut = |cell: &&String| {
                    let mut between = cell.split(SIGNS).map(str::trim);
                    cell.contains(SIGNS) && between.any(|words| words.contains(char::is_whitespace))
                };
                let cut = lists.iter().find(cut).filter(|_| between == Between::Spaces).cloned();
                let list = |cell: &String| match between {
                    _ if missing(cell) => vec![],
                    Between::Spaces => vocabulary.list(words(cell)),
                    Between::Sign(sign) => {
                        vocabulary.list(cell.split(sign).map(str::trim).filter(|word| !word.is_empty()))
                    }
                };
                let lists = lists.iter().map(list).collect();
                Values::Words { words: vocabulary.words, lists, between, cut }
            }
        };
        let colon = unknown.is_some();
        Ok(Self { name: name.to_owned(), position, values, colon })
    }

    /// The error for a column that the library refuses.
    pub(super) fn refused(&self, file: &str, cause: Error) -> ReadError {
        let what = match cause {
            Error::Attribute { what, .. } => what,
            other => other.to_string(),
        };
        ReadError::Column { file: file.to_owned(), column: self.position + 1, name: self.name.clone(), what }
    }
}

/// What the known cells of a column look like. A few cells that are no numbers among many that are look like mistakes.
fn kind(cells: &Cells, position: usize) -> Result<Kind, ReadError> {
    let known = || cells.rows.iter().enumerate().filter(|(_, (_, row))| !missing(&row[position]));
    let number = |row: &[String]| row[position].parse::<f64>().is_ok();
    let (count, numbers) = (known().count(), known().filter(|(_, (_, row))| number(row)).count());
    if numbers == count {
        return Ok(Kind::Number);
    }
    let title = &cells.titles.as_ref().expect("a file with a header")[position];
    if 2 * numbers <= count {
        let nearly = |row: &[String]| !number(row) && nearly_number(&row[position]);
        return match known().find(|(_, (_, row))| nearly(row)) {
            // All known cells are numbers if some are read as they are meant.
            Some((at, (_, row))) if known().all(|(_, (_, row))| number(row) || nearly(row)) => {
                Err(ReadError::Value {
                    location: cells.location(at, position),
                    what: format!(
                        "a value of '{title}' must be a plain number such as 1000.5 (if they are categories, call the \
                         column '{title}:category')"
                    ),
                    value: row[position].clone(),
                })
            }
            _ => Ok(Kind::Category),
        };
    }
    let (at, (_, row)) = known().find(|(_, (_, row))| !number(row)).expect("not all are numbers");
    Err(ReadError::Value {
        location: cells.location(at, position),
        what: format!(
            "a value of '{title}' must be a number as most that are known, or empty where it is not known (if they are \
             categories, call the column '{title}:category')"
        ),
        value: row[position].clone(),
    })
}

/// Units that stand behind a number, in small letters.
const UNITS: [&str; 46] = [
    "mg", "g", "kg", "t", "lb", "lbs", "oz", "mm", "cm", "m", "km", "in", "ft", "mi", "mile", "miles", "ms",
    "s", "sec", "min", "h", "hr", "hrs", "hour", "hours", "day", "days", "week", "weeks", "month", "months",
    "y", "yr", "yrs", "year", "years", "km/h", "m/s", "mph", "kb", "mb", "gb", "eur", "usd", "gbp", "°c",
];

/// The cell without a unit behind its number: one letter needs a space before it, because `5g` may be a code.
fn without_unit(cell: &str) -> &str {
    let end = cell.rfind(|c: char| c.is_ascii_digit()).map_or(0, |last| last + 1);
    let (number, unit) = cell.split_at(end);
    let known = UNITS.contains(&unit.trim().to_lowercase().as_str());
    if known && unit.len() > 1 { number } else { cell }
}

/// Whether a cell is a number in another way of writing: with groups of digits, a decimal comma, a unit or a sign of
/// money. Codes such as `A1` and `1-2` are none.
fn nearly_number(cell: &str) -> bool {
    let plain: String = without_unit(cell)
        .chars()
        .filter(|c| {
            !c.is_whitespace()
                && !matches!(c, ',' | '\'' | '_' | '%' | '$' | '€' | '£' | '~' | '<' | '>' | '*')
        })
        .collect();
    plain.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'))
        && plain.parse::<f64>().is_ok()
}

fn numbers(cells: &Cells, position: usize, name: &str) -> Result<Vec<Option<f64>>, ReadError> {
    let number = |(at, (_, row)): (usize, &(u64, Vec<String>))| {
        let cell = &row[position];
        if missing(cell) {
            return Ok(None);
        }
        match cell.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Some(number)),
            _ => Err(ReadError::Value {
                location: cells.location(at, position),
                what: format!("a value of '{name}' must be a finite number, or empty where it is not known"),
                value: cell.clone(),
            }),
        }
    };
    cells.rows.iter().enumerate().map(number).collect()
}
