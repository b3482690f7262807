//! The paper's own figures and words about its experiments. `paper.json` is the only file of the project with figures that
//! were typed in.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

const FILE: &str = include_str!("paper.json");

/// The paper.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Paper {
    /// Title and authors.
    pub source: String,
    studies: BTreeMap<String, Published>,
}

/// One table or figure of it.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The table or figure.
    pub source: String,
    /// Whether it is a plot, so that only the text has figures.
    pub plot_only: bool,
    /// What the text says of it, word for word.
    #[serde(default)]
    pub words: Vec<String>,
    #[serde(default)]
    pub(crate) rows: Vec<PaperRow>,
    /// Numbers that the text names.
    #[serde(default)]
    pub(crate) marks: Vec<Mark>,
}

/// A line of a table.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PaperRow {
    /// The method's name in this program, or the one that it would have.
    pub(crate) name: String,
    pub(crate) title: String,
    /// AUC, mean over the paper's runs.
    pub(crate) auc: Option<f64>,
    pub(crate) auc_sd: Option<f64>,
    seconds: Option<f64>,
    seconds_sd: Option<f64>,
    /// By the step of a sweep, where the paper has no sum.
    #[serde(default)]
    seconds_of_parts: BTreeMap<String, f64>,
}

/// A number that the text names, as a line in a plot.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mark {
    /// The axis that it is a value of.
    pub(crate) axis: MarkAxis,
    pub(crate) at: f64,
    pub(crate) label: String,
}

/// What a mark is a value of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MarkAxis {
    X,
    Y,
}

impl Paper {
    /// Reads the file that is part of the program.
    pub(crate) fn read() -> Self {
        serde_json::from_str(FILE).expect("a test reads the file")
    }

    /// The table or figure of a study.
    pub(crate) fn study(&self, name: &str) -> &Published {
        self.studies.get(name).expect("a test looks every study up")
    }
}

impl Published {
    pub(crate) fn row(&self, name: &str) -> Option<&PaperRow> {
        self.rows.iter().find(|row| row.name == name)
    }
}

impl PaperRow {
    /// The training time, and its deviation.
    pub(crate) fn seconds(&self) -> Option<(f64, Option<f64>)> {
        let parts =
            || (!self.seconds_of_parts.is_empty()).then(|| self.seconds_of_parts.values().sum::<f64>());
        self.seconds.or_else(parts).map(|seconds| (seconds, self.seconds_sd))
    }
}

#[cfg(test)]
mod tests {
    use crate::methods;
    use crate::study::Study;

    use super::*;

    /// Methods of the paper's tables that are not implemented here.
    const OTHERS: [&str; 3] = ["lfrm-irm", "medlfrm", "bayes-medlfrm"];

    #[test]
    fn every_name_resolves() {
        let paper = Paper::read();
        assert!(paper.source.contains("AAAI 2016"));
        let studies: Vec<String> = Study::all().iter().map(Study::name).collect();
        assert_eq!(paper.studies.len(), studies.len());
        for name in &studies {
            let published = paper.study(name);
            assert!(!published.source.is_empty() && !published.words.is_empty(), "{name}");
            assert!(published.plot_only || published.rows.iter().all(|row| row.auc.is_some()), "{name}");
            for row in &published.rows {
                let known = methods::names().chain(OTHERS).any(|known| known == row.name);
                assert!(known && row.auc.is_none_or(|auc| (0.5..1.0).contains(&auc)), "{row:?}");
                assert_eq!(published.rows.iter().filter(|other| other.name == row.name).count(), 1);
            }
        }
    }

    #[test]
    fn the_parts_of_a_sweep_make_up_the_time() {
        let paper = Paper::read();
        let seconds = |study: &str, name: &str| paper.study(study).row(name).and_then(PaperRow::seconds);
        let (total, sd) = seconds("astroph", "dlfrm-l").unwrap();
        assert!((total - 63_767.6).abs() < 1e-6 && sd.is_none());
        assert_eq!(seconds("gowalla", "cn"), Some((12.3, Some(0.3))));
        assert_eq!(seconds("nips", "dlfrm-l"), None);
    }
}
