//! A table of figures as Markdown.

/// A table below its heading.
#[derive(Debug, Clone)]
pub struct Table {
    /// Its heading.
    pub heading: String,
    /// The names of its columns.
    pub header: Vec<String>,
    /// Its rows, each with as many cells as the header.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table with these columns.
    pub(crate) fn new<S: Into<String>>(
        heading: impl Into<String>,
        header: impl IntoIterator<Item = S>,
    ) -> Self {
        let header = header.into_iter().map(Into::into).collect();
        Self { heading: heading.into(), header, rows: vec![] }
    }

    /// Adds a row of as many cells as the header has.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells: Vec<String> = cells.into_iter().collect();
        assert_eq!(cells.len(), self.header.len(), "a row fits its header");
        self.rows.push(cells);
    }

    /// The table as Markdown, without its heading.
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rule = |column| if self.numeric(column) { "--:" } else { "---" }.to_owned();
        let rules: Vec<String> = (0..self.header.len()).map(rule).collect();
        let rows = self.rows.iter().map(|row| line(row));
        line(&self.header) + &line(&rules) + &rows.collect::<String>()
    }

    /// A column of numbers is aligned to the right: every cell of it begins like a number or is a dash for none.
    fn numeric(&self, column: usize) -> bool {
        let number = |cell: &str| {
            cell == "-"
                || cell.trim_start_matches(['-', '+']).starts_with(|first: char| first.is_ascii_digit())
        };
        !self.rows.is_empty() && self.rows.iter().all(|row| number(&row[column]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_aligned_to_the_right() {
        let mut table = Table::new("AUC", ["model", "AUC", "K"]);
        table.row(["dlfrm-l", "0.9812", "27"].map(str::to_owned));
        table.row(["cn", "0.9", "-"].map(str::to_owned));
        let markdown =
            "| model | AUC | K |\n| --- | --: | --: |\n| dlfrm-l | 0.9812 | 27 |\n| cn | 0.9 | - |\n";
        assert_eq!(table.markdown(), markdown);
    }
}
