//! Finding out from the first rows how an edge list is laid out.

use dlfrm::network::Entities;

use super::columns::{Column, Columns};
use super::error::{Location, ReadError};
use super::fields::{Delimiter, Fields};
use super::header;
use super::label::Label;
use super::options::ReadOptions;

/// How many rows are looked at to find the layout.
pub(crate) const SAMPLE_ROWS: usize = 1000;

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
    /// Notices about the choices made.
    pub(crate) remarks: Vec<String>,
}

/// What is known of a file before it is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expected<'a> {
    /// The file's name, for messages.
    pub(crate) file: &'a str,
    /// The entities, if they are known beforehand.
    pub(crate) known: Option<&'a Entities>,
    /// What the columns are if nothing names them.
    pub(crate) unnamed: &'a [Column],
}

/// What an edge list has if nothing names its columns.
pub(crate) const ENDS: [Column; 2] = [Column::Source, Column::Target];

/// Looks at the first rows of a file (no comments among them) and at what the user says.
pub(crate) fn find(
    sample: &[(u64, String)],
    options: &ReadOptions,
    expected: Expected<'_>,
) -> Result<Layout, ReadError> {
    let delimiter = options.delimiter.unwrap_or_else(|| delimiter(sample));
    let mut fields = Fields::default();
    // A row with an open quote is left out here: it is reported with its line when it is read.
    let (numbers, rows): (Vec<u64>, Vec<Vec<String>>) = sample
        .iter()
        .filter_map(|(line, text)| {
            fields.cut(text, delimiter).ok().map(|()| (*line, filled(fields.to_vec(text))))
        })
        .unzip();
    let sign = header::sign(&rows, options.columns.as_ref(), expected.known);
    let header = !rows.is_empty() && options.header.unwrap_or(matches!(sign, Some(sign) if sign.header()));
    let (titles, rows) = rows.split_at(usize::from(header));
    let numbers = &numbers[usize::from(header)..];
    let titles = titles.first();
    let mut layout = Layout {
        delimiter,
        columns: Columns::default(),
        header,
        label_title: None,
        most_columns: None,
        empty_labels: None,
        remarks: Vec::new(),
    };
    if let (Some(sign), None, Some((_, first))) = (sign, options.header, sample.first())
        && fields.cut(first, delimiter).is_ok()
    {
        layout.remarks.extend(sign.remark(&fields.to_vec(first)));
    }
    match (&options.columns, titles) {
        (Some(columns), _) => {
            layout.remarks.extend(unused(columns, rows));
            layout.columns = columns.clone();
        }
        (None, Some(titles)) => from_titles(&mut layout, titles, rows, expected)?,
        (None, None) => {
            let most = expected.unnamed.len();
            layout.columns = Columns::new(expected.unnamed.to_vec()).expect("sound columns");
            layout.most_columns = Some(most);
            if let Some(at) = rows.iter().position(|row| row.len() > most) {
                let (line, found) = (numbers[at], rows[at].len());
                let hint = meaning_hint(rows, most);
                return Err(ReadError::ManyColumns { location: expected.at(line), found, most, hint });
            }
        }
    }
    Ok(layout)
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

/// The delimiter that cuts the most rows into two fields or more, with quotes only around whole fields if
/// there is such a one.
pub(crate) fn delimiter(sample: &[(u64, String)]) -> Delimiter {
    let mut fields = Fields::default();
    let mut best = ((0, 0), Delimiter::Spaces);
    for delimiter in Delimiter::ALL {
        let (mut clean, mut all) = (0, 0);
        for (_, line) in sample {
            if fields.cut(line, delimiter).is_ok() && fields.len() > 1 {
                all += 1;
                clean += usize::from(!fields.stray());
            }
        }
        if (clean, all) > best.0 {
            best = ((clean, all), delimiter);
        }
    }
    best.1
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
            hint: format!(
                "the header ({}) does not say which are source and target; name the columns, as in --columns \
                 source,target,skip",
                titles.join(", ")
            ),
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
                layout.remarks.push(format!("the column '{title}' is empty and is not used"));
                *column = Column::Skip;
                continue;
            }
            Column::Label => layout.label_title = Some(title.clone()),
            Column::Weight if !values().all(|value| value.parse::<f64>().is_ok()) => *column = Column::Skip,
            _ => {}
        }
        if *column == Column::Skip {
            layout.remarks.push(format!("the column '{title}' is not used"));
        }
    }
    layout.columns = Columns::new(list).unwrap_or_default();
    Ok(())
}

fn unused(columns: &Columns, rows: &[Vec<String>]) -> Option<String> {
    let (named, found) = (columns.list().len(), rows.iter().map(Vec::len).max()?);
    match found.checked_sub(named)? {
        0 => None,
        1 => Some(format!("column {found} has no name and is not used")),
        _ => Some(format!("columns {} to {found} have no names and are not used", named + 1)),
    }
}

/// What the columns that nothing names may be, and how to say so.
fn meaning_hint(rows: &[Vec<String>], most: usize) -> String {
    let (short, long) = rows
        .iter()
        .map(Vec::len)
        .fold((usize::MAX, 0), |(low, high), length| (low.min(length), high.max(length)));
    if short < long {
        return "rows that differ in length look like an adjacency list, which is not read: write a line for each link \
                (awk '{for (i = 2; i <= NF; i++) print $1, $i}'), or name the columns, as in --columns source,target,skip"
            .to_owned();
    }
    let next = || rows.iter().filter_map(|row| row.get(most)).map(String::as_str);
    let example = if next().all(|value| Label::parse(value).is_some()) {
        "label"
    } else if next().all(|value| value.parse::<f64>().is_ok()) {
        "weight"
    } else {
        "relation"
    };
    format!(
        "there is no header that names them; name them, as in --columns source,target,{example} (or skip for one \
         to ignore)"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(text: &str, options: &ReadOptions) -> Layout {
        let sample: Vec<_> = (1..).zip(text.lines().map(str::to_owned)).collect();
        find(&sample, options, Expected { file: "links", known: None, unnamed: &ENDS }).unwrap()
    }

    fn refused(text: &str) -> String {
        let sample: Vec<_> = (1..).zip(text.lines().map(str::to_owned)).collect();
        let expected = Expected { file: "links", known: None, unnamed: &ENDS };
        find(&sample, &ReadOptions::default(), expected).unwrap_err().to_string()
    }

    fn found(text: &str) -> (Delimiter, String, bool) {
        let layout = layout(text, &ReadOptions::default());
        (layout.delimiter, layout.columns.to_string(), layout.header)
    }

    #[test]
    fn delimiters_are_found() {
        let plain = |delimiter| (delimiter, "source,target".to_owned(), false);
        assert_eq!(found("1\t2\n3\t4"), plain(Delimiter::Tab));
        assert_eq!(found("Jean Valjean,Cosette\n\"Doe, J\",x"), plain(Delimiter::Comma));
        assert_eq!(found("Doe, J;Roe, A\nX, Y;Z, W"), plain(Delimiter::Semicolon));
        assert_eq!(found("\"a\tb\",\"c; d\""), plain(Delimiter::Comma));
        assert_eq!(found("1   2\n3 4"), plain(Delimiter::Spaces));
        assert_eq!(found("1\t2\n3 4\n5 6"), plain(Delimiter::Spaces));
        assert_eq!(found("alone\nalone"), plain(Delimiter::Spaces));
    }

    #[test]
    fn titles_choose_columns() {
        assert_eq!(found("w,from,to\n1,a,b").1, "skip,source,target");
        assert_eq!(found("weight,from,to\n1,a,b"), (Delimiter::Comma, "weight,source,target".into(), true));
        assert_eq!(found("source,target,label\na,b,0").1, "source,target,label");
        // What is no label is refused when it is read: a column of labels is never left out.
        assert_eq!(found("Source,Target,Label\na,b,friends").1, "source,target,label");
        assert_eq!(found("Source,Target,Label\na,b,?").1, "source,target,label");
        let empty = layout("Source,Target,Label\na,b,\nb,c,", &ReadOptions::default());
        assert_eq!(empty.columns.to_string(), "source,target,skip");
        assert_eq!(empty.remarks, ["the column 'Label' is empty and is not used"]);
    }

    #[test]
    fn columns_that_nothing_names_are_refused() {
        let unnamed = "links, line 1: 3 columns where 2 are understood: there is no header that names them; name \
                       them, as in --columns source,target,";
        let skip = " (or skip for one to ignore)";
        assert_eq!(refused("1 2 0.5\n2 3 0.7"), format!("{unnamed}weight{skip}"));
        assert_eq!(refused("1 2 0\n2 3 1"), format!("{unnamed}label{skip}"));
        assert_eq!(refused("1 2 x\n2 3 y"), format!("{unnamed}relation{skip}"));
        assert_eq!(
            refused("a b\nb c d\n"),
            "links, line 2: 3 columns where 2 are understood: rows that differ in length look like an adjacency list, \
             which is not read: write a line for each link (awk '{for (i = 2; i <= NF; i++) print $1, $i}'), or name the \
             columns, as in --columns source,target,skip"
        );
        assert_eq!(
            refused("id,user,item\n1,2,3\n4,5,6"),
            "links, line 1: 3 columns where 2 are understood: the header (id, user, item) does not say which are \
             source and target; name the columns, as in --columns source,target,skip"
        );
        assert_eq!(found("a,b,\nb,c,").1, "source,target");
    }

    #[test]
    fn what_was_guessed_is_reported() {
        let remarks = |text: &str| layout(text, &ReadOptions::default()).remarks.join("|");
        assert_eq!(remarks("a b\n1 2\n2 3"), "the first row (a, b) was taken for a header");
        assert_eq!(remarks("a b\n1 c\n2 3"), "");
        assert_eq!(
            remarks("user,item\nAda,tea\nBob,tea"),
            "the first row (user, item) was taken for a header"
        );
        assert_eq!(
            remarks("husband,wife\nAda,Bob\nBob,Cleo\nCleo,Ada\nAda,Cleo"),
            "the first row (husband, wife) was taken for a link, and its names are in no other row: --header takes it \
             for a header"
        );
        let options = ReadOptions { columns: Some(Columns::default()), ..ReadOptions::default() };
        assert_eq!(layout("1 2 3", &options).remarks, ["column 3 has no name and is not used"]);
    }

    #[test]
    fn the_user_has_the_last_word() {
        let options = ReadOptions { header: Some(false), ..ReadOptions::default() };
        assert!(!layout("source target\n1 2", &options).header);
        let options = ReadOptions { header: Some(true), ..ReadOptions::default() };
        assert!(layout("1 2\n1 3", &options).header);
        let options = ReadOptions { delimiter: Some(Delimiter::Comma), ..ReadOptions::default() };
        assert_eq!(layout("a\tb", &options).delimiter, Delimiter::Comma);
    }
}
