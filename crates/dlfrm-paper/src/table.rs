//! A table of figures below its heading, as text or as Markdown.

/// A table below its heading.
#[derive(Debug, Clone)]
pub struct Table {
    /// Its heading.
    pub heading: String,
    /// Its columns and rows.
    pub cells: dlfrm_cli::Table,
}

impl Table {
    pub(crate) fn new<S: Into<String>>(
        heading: impl Into<String>,
        header: impl IntoIterator<Item = S>,
    ) -> Self {
        Self { heading: heading.into(), cells: dlfrm_cli::Table::new(header) }
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.cells.row(cells);
    }

    /// The table as Markdown, without its heading.
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let Self { cells, .. } = self;
        let rule = |column| if cells.numeric(column) { "--:" } else { "---" }.to_owned();
        let rules: Vec<String> = (0..cells.header.len()).map(rule).collect();
        line(&cells.header) + &line(&rules) + &cells.rows.iter().map(|row| line(row)).collect::<String>()
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
