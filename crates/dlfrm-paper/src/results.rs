//! The result of a reproduction beside the paper's figures, under the names that JSON has.

use dlfrm::evaluate::Outcome;
use dlfrm::model::Settings;
use dlfrm::split::Protocol;
use dlfrm_cli::methods::distinct;
use dlfrm_io::Provenance;
use serde::{Deserialize, Serialize};

use crate::paper::{PaperRow, Published};
use crate::study::Study;
use dlfrm::score::{deviation, mean};

/// The figures of a method in one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Finding {
    /// With several relations the mean over those with a test link, and so are the next two.
    pub(crate) auc: f64,
    pub(crate) average_precision: Option<f64>,
    /// Of probabilities, in a corpus.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) log_loss: Option<f64>,
    /// Training non-links per link, in a corpus where they are sampled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) non_links_per_link: Option<f64>,
    /// The posterior mean of K; none of a baseline.
    pub(crate) features: Option<f64>,
    pub(crate) seconds: f64,
    /// What was chosen on a development set, in words.
    pub(crate) choices: Vec<String>,
}

impl Finding {
    /// From an outcome whose measures begin with AUC and average precision.
    pub(crate) fn new(outcome: &Outcome) -> Self {
        Self {
            auc: outcome.auc,
            average_precision: outcome.measured[1].value,
            log_loss: None,
            non_links_per_link: None,
            features: outcome.features,
            seconds: outcome.seconds,
            choices: outcome.choices.iter().map(|choice| choice.warning().to_string()).collect(),
        }
    }
}

/// A study with its figures and those of the paper.
#[derive(Debug, Serialize)]
pub struct Reproduction {
    pub(crate) name: String,
    #[serde(skip)]
    pub(crate) study: Study,
    pub(crate) network: NetworkFacts,
    pub(crate) seed: u64,
    /// Whether fits were so short that the figures say little.
    pub(crate) quick: bool,
    /// The programs and machines of the pieces; several if they were not made in one go.
    pub(crate) made_by: Vec<Provenance>,
    pub(crate) paper_source: String,
    /// The paper's figures and words about this study.
    pub paper: Published,
    /// Its table of the network, whose figures stand beside those of an analysis.
    #[serde(skip)]
    pub(crate) paper_table: Published,
    /// Each method on each split.
    pub(crate) lines: Vec<Line>,
}

/// The network as it was read.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct NetworkFacts {
    pub(crate) name: String,
    pub(crate) file: &'static str,
    pub(crate) crc32: String,
    pub(crate) nodes: usize,
    pub(crate) links: usize,
    pub(crate) relations: usize,
    pub(crate) directed: bool,
    /// Whether it has as many lines as the paper's network has.
    pub(crate) as_in_the_paper: bool,
}

/// A method on a split, over the runs. Means have their standard deviation over runs, if there are several.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Line {
    /// The name of the method. Files have had it as "contender" from the first, so they keep it.
    #[serde(rename = "contender")]
    pub(crate) method: String,
    #[serde(serialize_with = "by_name")]
    pub(crate) split: Protocol,
    /// The value of the setting that the study varies.
    pub(crate) value: Option<u32>,
    pub(crate) runs: usize,
    /// The AUC in the paper's table, on the paper's split.
    pub(crate) paper_auc: Option<f64>,
    pub(crate) paper_seconds: Option<f64>,
    pub(crate) auc_mean: f64,
    pub(crate) auc_sd: Option<f64>,
    pub(crate) ap_mean: Option<f64>,
    /// The posterior mean number of features; none of a baseline.
    pub(crate) k_mean: Option<f64>,
    pub(crate) k_sd: Option<f64>,
    /// Seconds of fitting all chains and predicting, wall-clock time.
    pub(crate) seconds_mean: f64,
    pub(crate) seconds_sd: Option<f64>,
    /// What each run chose on a development set, if there was a choice.
    pub(crate) choices: Vec<String>,
    /// The settings before any choice; none of a baseline.
    pub(crate) settings: Option<Settings>,
}

/// A mean and its deviation over runs.
pub(crate) type Spread = (f64, Option<f64>);

impl Line {
    /// From the findings of at least one run.
    pub(crate) fn new(
        method: String,
        split: Protocol,
        value: Option<u32>,
        settings: Option<Settings>,
        findings: &[Finding],
    ) -> Self {
        let known =
            |figure: fn(&Finding) -> Option<f64>| findings.iter().map(figure).collect::<Option<Vec<f64>>>();
        let auc: Vec<f64> = findings.iter().map(|finding| finding.auc).collect();
        let seconds: Vec<f64> = findings.iter().map(|finding| finding.seconds).collect();
        let features = known(|finding| finding.features);
        Self {
            method,
            split,
            value,
            runs: findings.len(),
            paper_auc: None,
            paper_seconds: None,
            auc_mean: mean(&auc),
            auc_sd: deviation(&auc),
            ap_mean: known(|finding| finding.average_precision).as_deref().map(mean),
            k_mean: features.as_deref().map(mean),
            k_sd: features.as_deref().and_then(deviation),
            seconds_mean: mean(&seconds),
            seconds_sd: deviation(&seconds),
            choices: findings.iter().flat_map(|finding| finding.choices.clone()).collect(),
            settings,
        }
    }

    /// The same with the paper's figures of the method.
    pub(crate) fn beside(self, row: Option<&PaperRow>) -> Self {
        let seconds = row.and_then(PaperRow::seconds).map(|(seconds, _)| seconds);
        Self { paper_auc: row.and_then(|row| row.auc), paper_seconds: seconds, ..self }
    }

    pub(crate) fn auc(&self) -> Spread {
        (self.auc_mean, self.auc_sd)
    }

    pub(crate) fn k(&self) -> Option<Spread> {
        self.k_mean.map(|mean| (mean, self.k_sd))
    }

    pub(crate) fn seconds(&self) -> Spread {
        (self.seconds_mean, self.seconds_sd)
    }
}

impl Reproduction {
    /// The heading of the study.
    pub fn title(&self) -> String {
        self.study.title()
    }

    /// The splits, the paper's first.
    pub(crate) fn splits(&self) -> Vec<Protocol> {
        distinct(self.lines.iter().map(|line| line.split))
    }

    /// The most runs of a method.
    pub(crate) fn runs(&self) -> usize {
        self.lines.iter().map(|line| line.runs).max().unwrap_or(0)
    }

    /// The names of the methods, in order.
    pub(crate) fn methods(&self) -> Vec<&str> {
        distinct(self.lines.iter().map(|line| line.method.as_str()))
    }

    /// A method on a split, with a value of what the study varies.
    pub(crate) fn line(&self, method: &str, split: Protocol, value: Option<u32>) -> Option<&Line> {
        let wanted = |line: &&Line| line.method == method && line.split == split && line.value == value;
        self.lines.iter().find(wanted)
    }

    /// The values of what is varied, in order.
    pub(crate) fn values(&self) -> Vec<u32> {
        distinct(self.lines.iter().filter_map(|line| line.value))
    }

    /// The line of the paper's table of a method.
    pub(crate) fn paper_row(&self, method: &str) -> Option<&PaperRow> {
        self.paper_table.row(method)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
pub(crate) fn by_name<S: serde::Serializer>(
    split: &Protocol,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_str(split.name())
}
