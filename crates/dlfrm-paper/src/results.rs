//! What a reproduction found, beside what the paper says, under the names that JSON has.

use dlfrm::model::Settings;
use dlfrm::network::Protocol;
use serde::Serialize;

use crate::evaluation::{deviation, mean};

use super::paper::{PaperRow, Published};
use super::{Finding, Maker, Study};

/// Everything that is told of a study.
#[derive(Debug, Serialize)]
pub(crate) struct Reproduction<'a> {
    pub(crate) name: String,
    #[serde(skip)]
    pub(crate) study: Study,
    pub(crate) network: NetworkFacts,
    pub(crate) seed: u64,
    /// Whether fits were so short that the figures say little.
    pub(crate) quick: bool,
    /// Who made the pieces; several if they were not made in one go.
    pub(crate) made_by: Vec<Maker>,
    /// What the paper is.
    pub(crate) paper_source: &'a str,
    /// What it says of this study.
    pub(crate) paper: &'a Published,
    /// Its table of the network, which analyses have no figures beside.
    #[serde(skip)]
    pub(crate) paper_table: &'a Published,
    pub(crate) lines: Vec<Line>,
}

/// The network as it was read.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct NetworkFacts {
    pub(crate) name: String,
    pub(crate) file: &'static str,
    pub(crate) crc32: String,
    pub(crate) entities: usize,
    pub(crate) links: usize,
    pub(crate) relations: usize,
    pub(crate) directed: bool,
    /// Whether it has as many lines as the paper's network has.
    pub(crate) as_in_the_paper: bool,
}

/// A contender on a split, over the runs.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Line {
    pub(crate) contender: String,
    #[serde(serialize_with = "by_name")]
    pub(crate) split: Protocol,
    /// Of what the study varies.
    pub(crate) value: Option<u32>,
    pub(crate) runs: usize,
    /// What the paper's table says, on its split.
    pub(crate) paper_auc: Option<f64>,
    pub(crate) paper_seconds: Option<f64>,
    pub(crate) auc_mean: f64,
    pub(crate) auc_sd: Option<f64>,
    pub(crate) ap_mean: Option<f64>,
    pub(crate) k_mean: Option<f64>,
    pub(crate) k_sd: Option<f64>,
    pub(crate) seconds_mean: f64,
    pub(crate) seconds_sd: Option<f64>,
    /// What each run chose on a development set, if there was a choice.
    pub(crate) choices: Vec<String>,
    /// Before any choice; none of a baseline.
    pub(crate) settings: Option<Settings>,
}

/// A mean and its deviation over runs.
pub(crate) type Spread = (f64, Option<f64>);

impl Line {
    /// From the findings of the runs, of which there is one at least.
    pub(crate) fn new(
        contender: String,
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
            contender,
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

    /// The same beside what the paper's table says of the contender.
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

impl Reproduction<'_> {
    /// The splits, the paper's first.
    pub(crate) fn splits(&self) -> Vec<Protocol> {
        distinct(self.lines.iter().map(|line| line.split))
    }

    /// How many runs the contender with the most has.
    pub(crate) fn runs(&self) -> usize {
        self.lines.iter().map(|line| line.runs).max().unwrap_or(0)
    }

    /// Who was judged, in order.
    pub(crate) fn contenders(&self) -> Vec<&str> {
        distinct(self.lines.iter().map(|line| line.contender.as_str()))
    }

    /// A contender on a split; of several values that one of the study's.
    pub(crate) fn line(&self, contender: &str, split: Protocol, value: Option<u32>) -> Option<&Line> {
        let wanted = |line: &&Line| line.contender == contender && line.split == split && line.value == value;
        self.lines.iter().find(wanted)
    }

    /// The values of what is varied, in order.
    pub(crate) fn values(&self) -> Vec<u32> {
        distinct(self.lines.iter().filter_map(|line| line.value))
    }

    /// What the paper's table says of a contender.
    pub(crate) fn paper_row(&self, contender: &str) -> Option<&PaperRow> {
        self.paper_table.row(contender)
    }
}

/// Each once, in the order of their first appearance.
fn distinct<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut list = vec![];
    for item in all {
        if !list.contains(&item) {
            list.push(item);
        }
    }
    list
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn by_name<S: serde::Serializer>(split: &Protocol, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(split.name())
}
