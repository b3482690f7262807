//! Finding out from the first rows how an edge list is laid out.

use dlfrm::network::Nodes;

use super::super::fields::{Delimiter, Fields};
use super::between::surely_between;
use super::columns::{Column, Columns};
use super::comments::Comments;
pub(crate) use super::cut::delimiter;
use super::cut::{self, check_borders, within_cells};
use super::direction;
use super::error::{Location, ReadError};
use super::header::{self, Sign};
use super::hint::{SLASHES, behind_first, hint, named_matrix};
use super::metis::check_metis;
use super::options::ReadOptions;
use super::python::{check_networkx, check_tuples};

/// How many rows are looked at to find the layout.
pub(crate) const SAMPLE_ROWS: usize = 1000;
/// How many bytes of them.
pub(crate) const SAMPLE_BYTES: usize = 1 << 20;

/// How an edge list is laid out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) delimiter: Delimiter,
    pub(crate) columns: Columns,
    pub(crate) header: bool,
    /// The title that made a column one of labels.
    pub(crate) label_title: Option<String>,
    /// Rows with more columns than this are not understood; none if the user named the columns.
    pub(crate) most_columns: Option<usize>,
    /// A column of labels that is empty, so far: a value in it would have a meaning.
    pub(crate) empty_labels: Option<usize>,
    /// The columns that the header names, whatever the user says.
    pub(crate) titled: Option<Columns>,
    /// The titles of source and target, if they are words that do not say which is which.
    pub(crate) unclear: Option<[String; 2]>,
    /// The titles of source and target, if they name different kinds of nodes.
    pub(crate) kinds: Option<[String; 2]>,
    /// The words of the header.
    pub(crate) titles: Option<Vec<String>>,
    /// How many columns the longest of the first rows has.
    longest: usize,
    /// The column that says whether a link has a direction.
    pub(crate) direction: Option<(usize, String)>,
    /// Whether the first row is taken for a link, and a warning says that its names are in no other row.
    pub(crate) first_is_alone: bool,
    /// Warnings about the choices made.
    pub(crate) remarks: Vec<String>,
}

/// What is known of a file before it is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expected<'a> {
    /// The file's name, for messages.
    pub(crate) file: &'a str,
    /// The number of the last line that was read.
    pub(crate) last: u64,
    /// The nodes, if they are known beforehand.
    pub(crate) known: Option<&'a Nodes>,
    /// What the columns are if nothing names them.
    pub(crate) unnamed: &'a [Column],
    /// The delimiter that the file declares.
    pub(crate) delimiter: Option<Delimiter>,
    /// What the comments say of the file.
    pub(crate) comments: &'a Comments,
}

/// What an edge list has if nothing names its columns.
pub(crate) const ENDS: [Column; 2] = [Column::Source, Column::Target];

/// Looks at the first rows of a file (no comments among them) and at what the user says.
pub(crate) fn find(
    sample: &[(u64, String)],
    options: &ReadOptions,
    expected: Expected<'_>,
) -> Result<Layout, ReadError> {
    check_networkx(sample, expected.file, options.columns.is_some())?;
    check_borders(sample, expected.file)?;
    if options.columns.is_none() && expected.known.is_none() {
        check_metis(sample, expected.last, expected.file)?;
    }
    let declared = options.delimiter.or(expected.delimiter);
    let delimiter = declared.unwrap_or_else(|| {
        Some(delimiter(sample)).filter(|found| !within_cells(sample, *found)).unwrap_or(Delimiter::Spaces)
    });
    let mut fields = Fields::default();
    // A row with an open quote is left out here: it is reported with its line when it is read.
    let (numbers, rows): (Vec<u64>, Vec<Vec<String>>) = sample
        .iter()
        .filter_map(|(line, text)| {
            fields.cut(text, delimiter).ok().map(|()| (*line, filled(fields.to_vec(text))))
        })
        .unzip();
    let sign = header::sign(&rows, options.columns.as_ref(), expected.known);
    check_matrix(&rows, &numbers, delimiter, options, expected)?;
    let header = !rows.is_empty() && options.header.unwrap_or(matches!(sign, Some(sign) if sign.header()));
    let (titles, rows) = rows.split_at(usize::from(header));
    let numbers = &numbers[usize::from(header)..];
    let titles = titles.first();
    check_tuples(rows, numbers, expected.file)?;
    let mut layout = Layout {
        delimiter,
        columns: Columns::default(),
        header,
        label_title: None,
        most_columns: None,
        empty_labels: None,
        titled: titles.and_then(|titles| header::named_columns(titles)),
        unclear: None,
        kinds: None,
        titles: titles.cloned(),
        longest: rows.iter().map(Vec::len).max().unwrap_or(0),
        direction: None,
        first_is_alone: false,
        remarks: Vec::new(),
    };
    if let (Some(sign), None, Some((_, first))) = (sign, options.header, sample.first())
        && fields.cut(first, delimiter).is_ok()
    {
        layout.remarks.extend(sign.remark(&filled(fields.to_vec(first))));
        layout.first_is_alone = sign == Sign::Alone;
    }
    if declared.is_none() {
        layout.remarks.extend(cut::remark(&sample[usize::from(header)..], delimiter));
    }
    match (&options.columns, titles) {
        (Some(columns), titles) => {
            layout.remarks.extend(unused(columns, titles, layout.longest));
            // Titles stand above other columns if rows have one more in front.
            let above = titles.filter(|titles| rows.iter().all(|row| row.len() <= titles.len()));
            layout.remarks.extend(above.and_then(|titles| header::against_titles(titles, columns)));
            layout.columns = columns.clone();
        }
        (None, Some(titles)) => {
            names_of_rows(titles, rows, numbers, expected)?;
            from_titles(&mut layout, titles, rows, expected)?;
            if options.directed {
                layout.remarks.extend(header::ambiguous_ends(titles, &layout.columns));
            }
        }
        (None, None) => {
            let most = expected.unnamed.len();
            layout.columns = Columns::new(expected.unnamed.to_vec()).expect("sound columns");
            layout.most_columns = Some(most);
            if let Some(at) = rows.iter().position(|row| row.len() > most) {
                let (line, found) = (numbers[at], rows[at].len());
                let konect = expected.comments.konect_columns(found);
                let refused =
                    sign.filter(|sign| sign.header()).and(options.header).map(|_| header::refused(&rows[0]));
                let between = surely_between(sample).filter(|_| declared.is_none());
                let between = between.map(|sign| sign.remark(delimiter));
                let hint = konect
                    .or(refused)
                    .or(between)
                    .unwrap_or_else(|| hint(rows, most, delimiter, options.header));
                return Err(ReadError::ManyColumns { location: expected.at(line), found, most, hint });
            }
        }
    }
    layout.unclear = titles
        .filter(|_| options.columns.is_none() && options.header.is_none())
        .and_then(|titles| header::unclear_ends(titles, &layout.columns));
    layout.kinds = titles.and_then(|titles| header::kinds(titles, &layout.columns));
    Ok(layout)
}

impl Layout {
    /// What is said of columns that are not used where these are; `named` are columns that the user names, of which some may be
    /// skipped.
    pub(crate) fn unused(&self, used: &[Column], named: bool) -> Vec<String> {
        let Some(titles) = self.titles.as_ref().filter(|titles| titles.len() >= self.longest) else {
            return unused(&self.columns, None, self.longest);
        };
        let spoken_of = |(at, title): &(usize, &String)| match self.columns.list().get(*at) {
            Some(column) if used.contains(column) => false,
            Some(Column::Skip) if named => false,
            _ => !header::WRITTEN.contains(&title.as_str()),
        };
        titles.iter().enumerate().filter(spoken_of).map(|(at, title)| not_used(at, title)).collect()
    }
}

impl Expected<'_> {
    fn at(&self, line: u64) -> Location {
        Location { file: self.file.to_owned(), line, column: None }
    }
}

/// A row without the empty fields at its end: a delimiter at the end of a line begins no column.
fn filled(mut row: Vec<String>) -> Vec<String> {
    while row.last().is_some_and(String::is_empty) && row.len() > 2 {
        row.pop();
    }
    row
}

/// Refuses a matrix with names, if the user does not name the columns.
fn check_matrix(
    rows: &[Vec<String>],
    numbers: &[u64],
    delimiter: Delimiter,
    options: &ReadOptions,
    expected: Expected<'_>,
) -> Result<(), ReadError> {
    let most = expected.unnamed.len();
    let longer = rows.iter().zip(numbers).find(|(row, _)| row.len() > most);
    let Some((row, &line)) = longer.filter(|_| options.columns.is_none()) else { return Ok(()) };
    match named_matrix(rows, delimiter) {
        Some(hint) => {
            Err(ReadError::ManyColumns { location: expected.at(line), found: row.len(), most, hint })
        }
        None => Ok(()),
    }
}

/// Refuses rows that all have one column more than the header.
fn names_of_rows(
    titles: &[String],
    rows: &[Vec<String>],
    numbers: &[u64],
    expected: Expected<'_>,
) -> Result<(), ReadError> {
    let (Some(columns), Some(&line)) = (header::columns(titles), numbers.first()) else { return Ok(()) };
    let (found, most) = (titles.len() + 1, titles.len());
    if rows.iter().any(|row| row.len() != found) {
        return Ok(());
    }
    // If the columns begin behind the titles, nothing but words for source and target shows a header.
    let header = if header::surely_names_ends(titles) { "" } else { "--header " };
    let numbered = rows.iter().enumerate().all(|(at, row)| row[0] == (at + 1).to_string());
    let hint = if numbered {
        format!(
            "the header has one title less than that, as R writes a table with names of rows: say \
             {header}--columns skip,{columns}"
        )
    } else {
        format!(
            "the header has one title less than that: name the columns, as in {header}--columns skip,{columns} or \
             {header}--columns {columns},skip"
        )
    };
    Err(ReadError::ManyColumns { location: expected.at(line), found, most, hint })
}

/// The columns that a header names.
fn from_titles(
    layout: &mut Layout,
    titles: &[String],
    rows: &[Vec<String>],
    expected: Expected<'_>,
) -> Result<(), ReadError> {
    layout.most_columns = Some(titles.len());
    let Some(columns) = header::columns(titles) else { return Ok(()) };
    // Which of two columns is meant is not guessed, if they mean anything.
    if let Some((first, second)) = header::repeated(titles) {
        let location = Location { column: Some(second + 1), ..expected.at(1) };
        let what = format!(
            "column {} is called '{}', too; name the columns, as in --columns source,target,skip",
            first + 1,
            titles[second]
        );
        return Err(ReadError::Title { location, what });
    }
    // Without words for source and target the first two columns are meant, if there are no others.
    if header::unknown(titles) > expected.unnamed.len() && !header::names_ends(titles) {
        return Err(ReadError::ManyColumns {
            location: expected.at(1),
            found: titles.len(),
            most: expected.unnamed.len(),
            hint: if titles[0].starts_with("//") {
                SLASHES.to_owned()
            } else {
                let which =
                    format!("the header ({}) does not say which are source and target", titles.join(", "));
                match behind_first(Some(titles), rows, "--header ") {
                    Some(behind) => format!("{which}; {behind}"),
                    None => format!("{which}; name the columns, as in --columns source,target,skip"),
                }
            },
        });
    }
    let mut list = columns.list().to_vec();
    for (position, column) in list.iter_mut().enumerate() {
        let values = || rows.iter().filter_map(|row| row.get(position)).map(String::as_str);
        let title = &titles[position];
        match column {
            Column::Label if values().all(str::is_empty) => {
                // Drawing programs write an empty column of texts under this title.
                layout.empty_labels = Some(position);
                layout
                    .remarks
                    .push(format!("the column '{title}' is empty and is not used: all rows are links"));
                *column = Column::Skip;
                continue;
            }
            Column::Label => layout.label_title = Some(title.clone()),
            Column::Weight if !values().all(|value| value.parse::<f64>().is_ok()) => *column = Column::Skip,
            _ => {}
        }
        if *column != Column::Skip {
            continue;
        }
        if direction::is_column(title, values()) {
            layout.direction = Some((position, title.clone()));
        } else {
            let why = why_not_used(title, titles, values).map(|why| format!(": {why}")).unwrap_or_default();
            layout.remarks.push(not_used(position, title) + &why);
        }
    }
    layout.columns = Columns::new(list).unwrap_or_default();
    Ok(())
}

/// What is said of columns behind those that the user names.
fn unused(columns: &Columns, titles: Option<&Vec<String>>, found: usize) -> Vec<String> {
    let named = columns.list().len();
    if let Some(titles) = titles.filter(|titles| titles.len() >= found) {
        return titles.iter().enumerate().skip(named).map(|(at, title)| not_used(at, title)).collect();
    }
    match found.checked_sub(named) {
        None | Some(0) => vec![],
        Some(1) => vec![format!("column {found} has no name and is not used")],
        Some(_) => vec![format!("columns {} to {found} have no names and are not used", named + 1)],
    }
}

/// Whether values are 0 and 1, and both are there.
fn two_values<'a>(mut values: impl Iterator<Item = &'a str>) -> bool {
    let mut seen = [false; 2];
    values.all(|value| match value {
        "0" | "1" => {
            seen[usize::from(value == "1")] = true;
            true
        }
        _ => false,
    }) && seen == [true; 2]
}

/// What is said of a titled column that is not used, if links are read from rows that may be none.
fn why_not_used<'a, V: Iterator<Item = &'a str>>(
    title: &str,
    titles: &[String],
    values: impl Fn() -> V,
) -> Option<&'static str> {
    let titled = |title: &str| titles.iter().any(|other| other == title);
    match title {
        "probability" if titled("low") && titled("high") => {
            Some("the rows are predictions of dlfrm, and each is read as a link")
        }
        "kind" if values().any(|value| value == "predicted") => {
            Some("links that dlfrm predicted are read as links, too")
        }
        "" => None,
        _ => two_values(values()).then_some(
            "it has 0 and 1, and every row is a link; if 0 says that there is none, call it 'label'",
        ),
    }
}

/// What is said of a column that is not used.
fn not_used(position: usize, title: &str) -> String {
    if title.is_empty() {
        format!("column {} has no title and is not used", position + 1)
    } else {
        format!("the column '{title}' is not used")
    }
}
