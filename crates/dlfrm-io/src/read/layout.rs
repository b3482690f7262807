//! Finding out from the first rows how an edge list is laid out.

use dlfrm::network::Entities;

use super::columns::{Column, Columns};
use super::fields::{Delimiter, Fields};
use super::header::{self, Sign};
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
    /// Notices about the choices made.
    pub(crate) remarks: Vec<String>,
}

/// Looks at the first rows of a file (no comments among them) and at what the user says. `known` are the
/// entities, if they are known beforehand.
pub(crate) fn find(sample: &[(u64, String)], options: &ReadOptions, known: Option<&Entities>) -> Layout {
    let delimiter = options.delimiter.unwrap_or_else(|| delimiter(sample));
    let mut fields = Fields::default();
    // A row with an open quote is left out here: it is reported with its line when it is read.
    let rows: Vec<Vec<String>> = sample
        .iter()
        .filter_map(|(_, line)| fields.cut(line, delimiter).ok().map(|()| fields.to_vec(line)))
        .collect();
    let sign = header::sign(&rows, options.columns.as_ref(), known);
    let header = !rows.is_empty() && options.header.unwrap_or(sign.is_some());
    let (titles, rows) = rows.split_at(usize::from(header));
    let titles = titles.first();
    let mut remarks = Vec::new();
    if let (Some(titles), Some(Sign::WordsAboveIntegers), None) = (titles, sign, options.header) {
        remarks.push(format!("the first row ({}) was taken for a header", titles.join(", ")));
    }
    let columns = match (&options.columns, titles) {
        (Some(columns), _) => {
            remarks.extend(unused(columns, rows));
            columns.clone()
        }
        (None, Some(titles)) => from_titles(titles, rows, &mut remarks),
        (None, None) => {
            remarks.extend(unnamed_third(rows));
            Columns::default()
        }
    };
    Layout { delimiter, columns, header, remarks }
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

fn from_titles(titles: &[String], rows: &[Vec<String>], remarks: &mut Vec<String>) -> Columns {
    let Some(columns) = header::columns(titles) else { return Columns::default() };
    let mut list = columns.list().to_vec();
    for (position, column) in list.iter_mut().enumerate() {
        let values = || rows.iter().filter_map(|row| row.get(position)).map(String::as_str);
        // A title is a weaker sign than the user's word: "Label" is often a text for a drawing.
        let fits = match column {
            Column::Label => {
                values().all(|value| Label::parse(value).is_some())
                    && values().any(|value| Label::parse(value) != Some(Label::Unobserved))
            }
            Column::Weight => values().all(|value| value.parse::<f64>().is_ok()),
            _ => true,
        };
        if !fits {
            *column = Column::Skip;
        }
        if *column == Column::Skip {
            remarks.push(format!("the column '{}' is not used", titles[position]));
        }
    }
    Columns::new(list).unwrap_or_default()
}

fn unused(columns: &Columns, rows: &[Vec<String>]) -> Option<String> {
    let (named, found) = (columns.list().len(), rows.iter().map(Vec::len).max()?);
    match found.checked_sub(named)? {
        0 => None,
        1 => Some(format!("column {found} has no name and is not used")),
        _ => Some(format!("columns {} to {found} have no names and are not used", named + 1)),
    }
}

fn unnamed_third(rows: &[Vec<String>]) -> Option<String> {
    let third = || rows.iter().filter_map(|row| row.get(2)).map(String::as_str);
    let labels = third().all(|value| Label::parse(value).is_some());
    if labels && third().any(|value| Label::parse(value) == Some(Label::NonLink)) {
        return Some(
            "column 3 looks like a label and is not used: every row counts as a link \
             (if it is one, the columns are source,target,label)"
                .to_owned(),
        );
    }
    if third().next().is_some() && third().all(|value| value.parse::<f64>().is_ok()) {
        return Some("column 3 is numeric and is not used (is it a weight or the target?)".to_owned());
    }
    unused(&Columns::default(), rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(text: &str, options: &ReadOptions) -> Layout {
        let sample: Vec<_> = (1..).zip(text.lines().map(str::to_owned)).collect();
        find(&sample, options, None)
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
    fn titles_choose_columns_unless_the_values_do_not_fit() {
        assert_eq!(found("w,from,to\n1,a,b").1, "skip,source,target");
        assert_eq!(found("weight,from,to\n1,a,b"), (Delimiter::Comma, "weight,source,target".into(), true));
        assert_eq!(found("source,target,label\na,b,0").1, "source,target,label");
        assert_eq!(found("Source,Target,Label\na,b,friends").1, "source,target,skip");
        assert_eq!(found("Source,Target,Label\na,b,\nb,c,").1, "source,target,skip");
    }

    #[test]
    fn unused_columns_are_reported() {
        let remarks = |text: &str| layout(text, &ReadOptions::default()).remarks.join("|");
        assert!(remarks("1 2 0.5\n2 3 0.7").starts_with("column 3 is numeric"));
        assert!(remarks("1 2 0\n2 3 1").starts_with("column 3 looks like a label"));
        assert_eq!(remarks("1 2 x y\n2 3 y"), "columns 3 to 4 have no names and are not used");
        assert_eq!(remarks("a b\n1 2\n2 3"), "the first row (a, b) was taken for a header");
        assert_eq!(remarks("a b\n1 c\n2 3"), "");
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
