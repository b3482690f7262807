//! Tables for people: columns of one width, numbers to the right.

use std::fmt::{self, Write};

/// A table with a header.
#[derive(Debug, Clone)]
pub struct Table {
    /// The names of its columns.
    pub header: Vec<String>,
    /// Its rows, each with as many cells as the header.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table with these columns.
    pub fn new<S: Into<String>>(header: impl IntoIterator<Item = S>) -> Self {
        Self { header: header.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row of as many cells as the header has.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        let cells: Vec<String> = cells.into_iter().map(Into::into).collect();
        assert_eq!(cells.len(), self.header.len(), "a row fits its header");
        self.rows.push(cells);
    }

    /// A column of numbers stands to the right: every cell of it begins like a number or says that there is none.
    pub fn numeric(&self, column: usize) -> bool {
        let number = |cell: &str| {
            cell == "-"
                || cell.trim_start_matches(['-', '+']).starts_with(|first: char| first.is_ascii_digit())
        };
        !self.rows.is_empty() && self.rows.iter().all(|row| number(&row[column]))
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.header.len();
        let lines = || std::iter::once(&self.header).chain(&self.rows);
        let widths: Vec<usize> = (0..columns)
            .map(|column| lines().map(|line| line[column].chars().count()).max().unwrap_or(0))
            .collect();
        let numeric: Vec<bool> = (0..columns).map(|column| self.numeric(column)).collect();
        for line in lines() {
            let mut text = String::new();
            for (column, cell) in line.iter().enumerate() {
                let width = widths[column];
                if column > 0 {
                    text.push_str("  ");
                }
                if numeric[column] {
                    write!(text, "{cell:>width$}")?;
                } else {
                    write!(text, "{cell:<width$}")?;
                }
            }
            writeln!(f, "{}", text.trim_end())?;
        }
        Ok(())
    }
}

/// A figure with so many decimals; a dash if there is none, or none that is finite.
pub fn cell(value: Option<f64>, decimals: usize) -> String {
    let value = value.filter(|value| value.is_finite());
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.decimals$}"))
}
