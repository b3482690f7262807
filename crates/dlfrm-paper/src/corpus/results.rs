//! The figures of a corpus, of each network and means by domain: as tables, as a page of Markdown and as a chart.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use dlfrm::model::Overrides;
use dlfrm::score::mean;
use dlfrm::split::Protocol;
use dlfrm_cli::methods::distinct;
use dlfrm_cli::{cell, counted};
use dlfrm_io::model_file::write_file;
use dlfrm_io::pieces::create_folder;
use dlfrm_io::{Provenance, Versioned};
use serde::Serialize;

use super::work::{CorpusPlan, CorpusRequest, Job, Task};
use crate::chart::{RowChart, RowSeries};
use crate::error::{Error, Result};
use crate::reproduction::ReproductionObserver;
use crate::results::{Finding, by_name};
use crate::table::Table;

impl CorpusPlan {
    /// Evaluates the methods whose pieces are not finished. A network that fails is reported, and the others go on; if the
    /// observer ends it, the finished pieces are kept.
    pub fn run(mut self, observer: &dyn ReproductionObserver) -> Result<CorpusResults> {
        self.finish(observer)?;
        CorpusResults::new(&self.request, &self.names, &self.jobs)
    }
}

/// AUCs that are no further apart are tied.
const TIED: f64 = 1e-12;

/// Methods on networks.
#[derive(Debug, Serialize)]
pub struct CorpusResults {
    pub(crate) folder: String,
    /// What was held out.
    #[serde(serialize_with = "by_name")]
    pub split: Protocol,
    /// How much of it.
    pub test_fraction: f64,
    /// Training non-links per link that were asked for, where they are sampled.
    pub(crate) negatives: Option<f64>,
    /// How many splits of each network.
    pub runs: usize,
    /// The random seed.
    pub seed: u64,
    /// The settings of models that differ from the defaults.
    pub(crate) settings: Overrides,
    /// The programs and machines of the pieces; several if they were not made in one go.
    pub(crate) made_by: Vec<Provenance>,
    /// Means over the networks of each domain, in alphabetical order.
    pub(crate) domains: Vec<DomainFigures>,
    pub(crate) all: DomainFigures,
    /// Each network that all methods were evaluated on.
    pub(crate) networks: Vec<NetworkFigures>,
    pub(crate) failed: Vec<Failure>,
}

/// Methods on the networks of a domain.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct DomainFigures {
    pub(crate) domain: String,
    pub(crate) networks: usize,
    /// Each method, in the order in which they were asked for.
    pub(crate) methods: Vec<MethodFigures>,
}

/// A method on some networks; the mean over the runs of each, then over the networks.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct MethodFigures {
    pub(crate) method: String,
    pub(crate) auc_mean: f64,
    pub(crate) ap_mean: Option<f64>,
    /// Logarithmic loss: of probabilities, on splits whose test pairs are like training pairs.
    pub(crate) log_loss_mean: Option<f64>,
    /// The posterior mean number of features; none of a baseline.
    pub(crate) k_mean: Option<f64>,
    /// Seconds of fitting and predicting, wall-clock time.
    pub(crate) seconds_mean: f64,
    /// On how many networks it has the highest AUC; several methods that have it share the win.
    pub(crate) wins: f64,
}

/// Methods on a network.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct NetworkFigures {
    pub(crate) file: String,
    pub(crate) name: String,
    pub(crate) domain: String,
    pub(crate) nodes: usize,
    pub(crate) links: usize,
    /// Training non-links per link, where they are sampled: fewer than were asked for, if there are no more.
    pub(crate) non_links_per_link: Option<f64>,
    pub(crate) methods: Vec<MethodFigures>,
}

/// A network that could not be evaluated.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Failure {
    pub(crate) file: String,
    pub(crate) domain: String,
    pub(crate) error: String,
}

impl CorpusResults {
    pub(super) fn new(request: &CorpusRequest, names: &[String], jobs: &[Job]) -> Result<Self> {
        let (mut networks, mut failed, mut made_by) = (vec![], vec![], vec![]);
        for job in jobs {
            if let Some(error) = &job.failure {
                let (file, domain) = (job.entry.file.clone(), job.entry.domain.clone());
                failed.push(Failure { file, domain, error: error.clone() });
                continue;
            }
            networks.push(network(job, names));
            let pieces = job.tasks.iter().filter_map(|task| task.piece.as_ref());
            made_by.extend(pieces.map(|piece| piece.made_by.clone()));
        }
        if let (true, Some(first)) = (networks.is_empty(), failed.first()) {
            let (path, first) = (request.folder.clone(), first.error.clone());
            return Err(Error::AllFailed { path, networks: failed.len(), first });
        }
        let mut domains: Vec<&str> = networks.iter().map(|network| network.domain.as_str()).collect();
        domains.sort_unstable();
        domains.dedup();
        Ok(Self {
            folder: request.folder.display().to_string(),
            split: request.split,
            test_fraction: request.test_fraction,
            negatives: request.split.samples().then(|| request.split_options().negatives),
            runs: request.runs,
            seed: request.seed(),
            settings: Overrides { seed: None, ..request.settings.clone() },
            made_by: distinct(made_by),
            domains: domains
                .into_iter()
                .map(|domain| {
                    means(domain, names, networks.iter().filter(|network| network.domain == domain))
                })
                .collect(),
            all: means("all", names, networks.iter()),
            networks,
            failed,
        })
    }

    /// The heading.
    pub fn title(&self) -> String {
        let methods: Vec<&str> = self.all.methods.iter().map(|figures| figures.method.as_str()).collect();
        let networks = counted(self.all.networks, "network");
        format!("{} on {networks} of {}", methods.join(", "), self.folder)
    }

    /// One line per domain and method, then those of all networks. A score that no method has is left out.
    pub fn by_domain(&self) -> Table {
        let losses = self.all.methods.iter().any(|figures| figures.log_loss_mean.is_some());
        let header = ["domain", "networks", "method", "AUC", "AP"].into_iter();
        let header = header.chain(losses.then_some("log-loss")).chain(["seconds", "wins"]);
        let mut table = Table::new("Means by domain", header);
        for DomainFigures { domain, networks, methods } in self.domains.iter().chain([&self.all]) {
            for MethodFigures { method, auc_mean, ap_mean, log_loss_mean, seconds_mean, wins, .. } in methods
            {
                let start = [domain.clone(), networks.to_string(), method.clone(), cell(Some(*auc_mean), 4)];
                let end = [format!("{seconds_mean:.2}"), short(*wins)];
                // Log-losses of rare links are small.
                let losses = losses.then(|| cell(*log_loss_mean, 5));
                table.row(start.into_iter().chain([cell(*ap_mean, 4)]).chain(losses).chain(end));
            }
        }
        table
    }

    /// One line per network, with the AUC of each method.
    pub fn by_network(&self) -> Table {
        let names = self.all.methods.iter().map(|figures| figures.method.as_str());
        let header = ["network", "domain", "nodes", "links"].into_iter().chain(names);
        let mut table = Table::new("AUC on each network", header);
        for network in &self.networks {
            let start = [network.name.clone(), network.domain.clone(), network.nodes.to_string()];
            let aucs = network.methods.iter().map(|figures| cell(Some(figures.auc_mean), 4));
            table.row(start.into_iter().chain([network.links.to_string()]).chain(aucs));
        }
        table
    }

    /// What a reader should know of the networks.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = vec![];
        let asked = self.negatives.unwrap_or(0.0);
        // Rounding to whole non-links is no lack.
        let lacks = |found: f64| found < asked - 0.05;
        let dense =
            self.networks.iter().filter(|network| network.non_links_per_link.is_some_and(lacks)).count();
        if dense > 0 {
            notes.push(format!(
            "{dense} of {} networks have fewer than {asked} non-links per training link: all there are were taken",
            self.networks.len()
        ));
        }
        let failed = self.failed.iter();
        notes.extend(failed.map(|failure| format!("{} is left out: {}", failure.file, failure.error)));
        notes
    }

    /// Writes the tables as Markdown, the same as JSON, and a chart into a folder; returns the names of the files.
    pub fn write(&self, folder: &Path) -> Result<Vec<String>> {
        create_folder(folder)?;
        let json = serde_json::to_string_pretty(&Versioned::new(self)).expect("results are JSON") + "\n";
        let [page, figures, drawing] = FILES;
        let texts = [(page, self.markdown(drawing)), (figures, json), (drawing, self.chart().svg())];
        for (name, text) in &texts {
            write_file(&folder.join(name), text.as_bytes())?;
        }
        Ok(texts.into_iter().map(|(name, _)| name.to_owned()).collect())
    }

    /// The AUC of every method in every domain.
    fn chart(&self) -> RowChart {
        let domains = || self.domains.iter().chain([&self.all]);
        let series = |(number, figures): (usize, &MethodFigures)| RowSeries {
            name: figures.method.clone(),
            values: domains().map(|domain| Some((domain.methods[number].auc_mean, None))).collect(),
        };
        RowChart {
            title: self.title(),
            across: ACROSS.to_owned(),
            rows: domains().map(|domain| format!("{} ({})", domain.domain, domain.networks)).collect(),
            series: self.all.methods.iter().enumerate().map(series).collect(),
            bars: false,
            marks: vec![],
        }
    }

    /// The whole page; the chart is a file beside it.
    fn markdown(&self, chart: &str) -> String {
        let mut page = format!("# {}\n\n", self.title());
        let mut paragraph = |text: String| page += &(text + "\n\n");
        let [means, each] = [self.by_domain(), self.by_network()];
        paragraph(format!("{}:\n\n{}", means.heading, means.markdown().trim_end()));
        paragraph(
        "A win is the highest AUC on a network; methods that are tied share it. Seconds are wall-clock time of fitting and \
         predicting, mean per network."
            .to_owned(),
    );
        paragraph(chart_line(chart));
        paragraph(format!("{}:\n\n{}", each.heading, each.markdown().trim_end()));
        let mut made = String::new();
        let of_links = if self.split.samples() { " of the links" } else { "" };
        let runs = counted(self.runs, "run");
        let held_out = 100.0 * self.test_fraction;
        let _ = writeln!(
            made,
            "- Split {}, {held_out} %{of_links} held out, {runs}, seed {}",
            self.split, self.seed
        );
        if let Ok(serde_json::Value::Object(settings)) = serde_json::to_value(&self.settings)
            && !settings.is_empty()
        {
            let word = |(name, value): (&String, &serde_json::Value)| {
                format!("{name} {}", value.as_str().map_or_else(|| value.to_string(), str::to_owned))
            };
            let words: Vec<String> = settings.iter().map(word).collect();
            let _ = writeln!(made, "- Settings that differ from the defaults: {}", words.join(", "));
        }
        for program in &self.made_by {
            let _ = writeln!(made, "- By {}", Provenance::sentence(program));
        }
        for note in self.notes() {
            let _ = writeln!(made, "- {note}");
        }
        paragraph(format!("## How this was made\n\n{}", made.trim_end()));
        page.trim_end().to_owned() + "\n"
    }
}

/// What is written: a page, its figures and its chart.
const FILES: [&str; 3] = ["corpus.md", "corpus.json", "corpus.svg"];

/// A file in the folder that would be replaced and was not written here, if there is one.
pub fn foreign_file(folder: &Path) -> Option<PathBuf> {
    let [page, figures, chart] = FILES;
    let own = |name: &str, text: &str| match name {
        name if name == figures => serde_json::from_str::<serde_json::Value>(text).is_ok_and(|found| {
            ["made_by", "domains", "all", "networks"].iter().all(|field| found.get(field).is_some())
        }),
        name if name == page => text.starts_with("# ") && text.contains(&chart_line(chart)),
        _ => text.starts_with("<svg") && text.contains(ACROSS),
    };
    let there = |name: &&str| {
        std::fs::read(folder.join(name))
            .is_ok_and(|bytes| !bytes.is_empty() && !own(name, &String::from_utf8_lossy(&bytes)))
    };
    FILES.into_iter().find(there).map(|name| folder.join(name))
}

fn network(job: &Job, names: &[String]) -> NetworkFigures {
    let finding = |task: &'_ Task| task.piece.as_ref().map(|piece| piece.found.clone());
    let over_runs = |(number, name): (usize, &String)| {
        let found = job.tasks.iter().filter(|task| task.method == number).filter_map(finding);
        let runs: Vec<_> = found.map(|found| MethodFigures::of_run(name, &found)).collect();
        MethodFigures::mean(name, &runs.iter().collect::<Vec<_>>())
    };
    let mut methods: Vec<MethodFigures> = names.iter().enumerate().map(over_runs).collect();
    let best = methods.iter().map(|figures| figures.auc_mean).fold(f64::NEG_INFINITY, f64::max);
    let wins = |figures: &MethodFigures| figures.auc_mean >= best - TIED;
    let winners = methods.iter().filter(|figures| wins(figures)).count() as f64;
    for figures in &mut methods {
        figures.wins = if wins(figures) { 1.0 / winners } else { 0.0 };
    }
    NetworkFigures {
        file: job.entry.file.clone(),
        name: job.entry.name.clone(),
        domain: job.entry.domain.clone(),
        nodes: job.entry.nodes,
        links: job.entry.links,
        non_links_per_link: job.tasks.iter().find_map(|task| finding(task)?.non_links_per_link),
        methods,
    }
}

impl MethodFigures {
    fn of_run(method: &str, found: &Finding) -> Self {
        Self {
            method: method.to_owned(),
            auc_mean: found.auc,
            ap_mean: found.average_precision,
            log_loss_mean: found.log_loss,
            k_mean: found.features,
            seconds_mean: found.seconds,
            wins: 0.0,
        }
    }

    /// The means of a method's figures, and all its wins; a mean is none if a value is missing.
    fn mean(method: &str, all: &[&Self]) -> Self {
        let known = |figure: fn(&Self) -> Option<f64>| {
            all.iter().map(|&one| figure(one)).collect::<Option<Vec<f64>>>().as_deref().map(mean)
        };
        let each = |figure: fn(&Self) -> f64| mean(&all.iter().map(|&one| figure(one)).collect::<Vec<_>>());
        Self {
            method: method.to_owned(),
            auc_mean: each(|figures| figures.auc_mean),
            ap_mean: known(|figures| figures.ap_mean),
            log_loss_mean: known(|figures| figures.log_loss_mean),
            k_mean: known(|figures| figures.k_mean),
            seconds_mean: each(|figures| figures.seconds_mean),
            wins: all.iter().map(|figures| figures.wins).sum(),
        }
    }
}

fn means<'a>(
    domain: &str,
    names: &[String],
    networks: impl Iterator<Item = &'a NetworkFigures>,
) -> DomainFigures {
    let networks: Vec<&NetworkFigures> = networks.collect();
    let method = |(number, name): (usize, &String)| {
        let figures: Vec<_> = networks.iter().map(|network| &network.methods[number]).collect();
        MethodFigures::mean(name, &figures)
    };
    DomainFigures {
        domain: domain.to_owned(),
        networks: networks.len(),
        methods: names.iter().enumerate().map(method).collect(),
    }
}

/// The title of the chart's axis.
pub(super) const ACROSS: &str = "mean AUC";

/// How the page shows its chart.
fn chart_line(chart: &str) -> String {
    format!("![Mean AUC by domain]({chart})")
}

/// Wins: whole ones without digits that say nothing.
fn short(wins: f64) -> String {
    format!("{wins:.1}").trim_end_matches(".0").to_owned()
}
