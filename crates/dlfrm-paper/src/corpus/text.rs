//! The figures of a corpus as tables, as a page of Markdown and as a chart.

use std::fmt::Write;

use super::results::{CorpusResults, DomainFigures, MethodFigures};
use crate::chart::{RowChart, RowSeries};
use dlfrm_io::Provenance;
use crate::table::Table;

pub(super) fn title(of: &CorpusResults) -> String {
    let methods: Vec<&str> = of.all.methods.iter().map(|figures| figures.method.as_str()).collect();
    let networks =
        if of.all.networks == 1 { "1 network".to_owned() } else { format!("{} networks", of.all.networks) };
    format!("{} on {networks} of {}", methods.join(", "), of.folder)
}

/// One line per domain and method, then those of all networks. A score that no method has is left out.
pub(super) fn by_domain(of: &CorpusResults) -> Table {
    let losses = of.all.methods.iter().any(|figures| figures.log_loss_mean.is_some());
    let header = ["domain", "networks", "method", "AUC", "AP"].into_iter();
    let header = header.chain(losses.then_some("log-loss")).chain(["seconds", "wins"]);
    let mut table = Table::new("Means by domain", header);
    for DomainFigures { domain, networks, methods } in of.domains.iter().chain([&of.all]) {
        for MethodFigures { method, auc_mean, ap_mean, log_loss_mean, seconds_mean, wins, .. } in methods {
            let start = [domain.clone(), networks.to_string(), method.clone(), four(Some(*auc_mean))];
            let end = [format!("{seconds_mean:.2}"), short(*wins)];
            let losses = losses.then(|| five(*log_loss_mean));
            table.row(start.into_iter().chain([four(*ap_mean)]).chain(losses).chain(end));
        }
    }
    table
}

/// One line per network, with the AUC of each method.
pub(super) fn by_network(of: &CorpusResults) -> Table {
    let names = of.all.methods.iter().map(|figures| figures.method.as_str());
    let header = ["network", "domain", "nodes", "links"].into_iter().chain(names);
    let mut table = Table::new("AUC on each network", header);
    for network in &of.networks {
        let start = [network.name.clone(), network.domain.clone(), network.nodes.to_string()];
        let aucs = network.methods.iter().map(|figures| four(Some(figures.auc_mean)));
        table.row(start.into_iter().chain([network.links.to_string()]).chain(aucs));
    }
    table
}

pub(super) fn notes(of: &CorpusResults) -> Vec<String> {
    let mut notes = vec![];
    let asked = of.negatives.unwrap_or(0.0);
    // Rounding to whole non-links is no lack.
    let lacks = |found: f64| found < asked - 0.05;
    let dense = of.networks.iter().filter(|network| network.non_links_per_link.is_some_and(lacks)).count();
    if dense > 0 {
        notes.push(format!(
            "{dense} of {} networks have fewer than {asked} non-links per training link: all there are were taken",
            of.networks.len()
        ));
    }
    let failed = of.failed.iter();
    notes.extend(failed.map(|failure| format!("{} is left out: {}", failure.file, failure.error)));
    notes
}

/// The title of the chart's axis.
pub(super) const ACROSS: &str = "mean AUC";

/// How the page shows its chart.
pub(super) fn chart_line(chart: &str) -> String {
    format!("![Mean AUC by domain]({chart})")
}

/// The AUC of every method in every domain.
pub(super) fn chart(of: &CorpusResults) -> RowChart {
    let domains = || of.domains.iter().chain([&of.all]);
    let series = |(number, figures): (usize, &MethodFigures)| RowSeries {
        name: figures.method.clone(),
        values: domains().map(|domain| Some((domain.methods[number].auc_mean, None))).collect(),
    };
    RowChart {
        title: title(of),
        across: ACROSS.to_owned(),
        rows: domains().map(|domain| format!("{} ({})", domain.domain, domain.networks)).collect(),
        series: of.all.methods.iter().enumerate().map(series).collect(),
        bars: false,
        marks: vec![],
    }
}

/// The whole page; the chart is a file beside it.
pub(super) fn markdown(of: &CorpusResults, chart: &str) -> String {
    let mut page = format!("# {}\n\n", title(of));
    let mut paragraph = |text: String| page += &(text + "\n\n");
    let [means, each] = [of.by_domain(), of.by_network()];
    paragraph(format!("{}:\n\n{}", means.heading, means.markdown().trim_end()));
    paragraph(
        "A win is the highest AUC on a network; methods that are tied share it. Seconds are wall-clock time of fitting and \
         predicting, mean per network."
            .to_owned(),
    );
    paragraph(chart_line(chart));
    paragraph(format!("{}:\n\n{}", each.heading, each.markdown().trim_end()));
    let mut made = String::new();
    let of_links = if of.split.samples() { " of the links" } else { "" };
    let runs = if of.runs == 1 { "1 run".to_owned() } else { format!("{} runs", of.runs) };
    let held_out = 100.0 * of.test_fraction;
    let _ = writeln!(made, "- Split {}, {held_out} %{of_links} held out, {runs}, seed {}", of.split, of.seed);
    if let Ok(serde_json::Value::Object(settings)) = serde_json::to_value(&of.settings)
        && !settings.is_empty()
    {
        let word = |(name, value): (&String, &serde_json::Value)| {
            format!("{name} {}", value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        };
        let words: Vec<String> = settings.iter().map(word).collect();
        let _ = writeln!(made, "- Settings that differ from the defaults: {}", words.join(", "));
    }
    for program in &of.made_by {
        let _ = writeln!(made, "- By {}", Provenance::sentence(program));
    }
    for note in notes(of) {
        let _ = writeln!(made, "- {note}");
    }
    paragraph(format!("## How this was made\n\n{}", made.trim_end()));
    page.trim_end().to_owned() + "\n"
}

fn four(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.4}"))
}

/// Log-losses of rare links are small.
fn five(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.5}"))
}

/// Wins: whole ones without digits that say nothing.
fn short(wins: f64) -> String {
    format!("{wins:.1}").trim_end_matches(".0").to_owned()
}
