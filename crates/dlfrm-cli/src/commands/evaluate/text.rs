//! An evaluation as text: what was done, one table of methods, one of relations.

use std::io::{self, Write};

use dlfrm::evaluate::{RelationsFigures, Report};
use dlfrm::score::Measure;
use dlfrm_io::Dataset;

use super::Printed;
use super::split_args::ChosenSplits;
use crate::summary::kind;
use crate::table::{Table, counted};

/// The scores of a table by default.
pub(crate) const USUAL_COLUMNS: [Measure; 3] =
    [Measure::Auc, Measure::AveragePrecision, Measure::CalibrationError];

/// Prints all of it.
pub(super) fn print(
    printed: &Printed<'_>,
    dataset: &Dataset,
    splits: &ChosenSplits,
    columns: &[Measure],
    out: &mut dyn Write,
) -> io::Result<()> {
    let network = &dataset.relations[0].network;
    let links: usize = dataset.relations.iter().map(|relation| relation.network.links().len()).sum();
    let kind = kind(network.directed(), network.modes().is_some());
    let several = printed.report.relations.as_ref();
    let relations = several.map_or(String::new(), |r| format!(", {} relations", r.each.len()));
    writeln!(out, "{}: {} nodes, {links} {kind} links{relations}", printed.network, network.len())?;
    writeln!(out, "{}, seed {}", splits.description(), printed.seed)?;
    if splits.ordered() && !network.directed() {
        writeln!(out, "(the reverse of most test links is in training: compare with the paper only)")?;
    }
    if printed.report.interrupted {
        writeln!(out, "{}", complete_runs(printed.report.complete_runs, printed.runs))?;
    }
    writeln!(out)?;
    write!(out, "{}", model_table(printed.report, columns))?;
    if let Some(relations) = several {
        writeln!(
            out,
            "\nAUC: mean over the relations with a test link; pooled: all their test pairs together"
        )?;
        writeln!(out, "\nAUC by relation")?;
        write!(out, "{}", relation_table(printed.report, relations))?;
    }
    Ok(())
}

/// What the figures of an evaluation that was interrupted are those of.
fn complete_runs(complete: usize, runs: usize) -> String {
    let of = counted(runs, "run");
    match complete {
        0 => format!(
            "(interrupted: 0 of {of} complete; the figures are those of the methods that ended the first one)"
        ),
        _ => format!("(interrupted: {complete} of {of} complete; the figures are those of complete runs)"),
    }
}

/// One line per method, with these scores. One of probabilities is left out if no method has it. The AUC comes with its
/// deviation over runs, or with its interval if there is one run.
pub(crate) fn model_table(report: &Report, scores: &[Measure]) -> Table {
    let pooled = report.relations.as_ref().map(|relations| &relations.pooled);
    let known = |measure: Measure| {
        let figures = || report.models.iter().filter_map(move |model| model.scores.get(measure));
        !measure.of_probabilities() || figures().any(|figure| figure.mean.is_some())
    };
    let scores: Vec<Measure> = scores.iter().copied().filter(|&measure| known(measure)).collect();
    let deviations = report
        .models
        .iter()
        .any(|model| model.scores.get(Measure::Auc).is_some_and(|figure| figure.sd.is_some()));
    let spread = if deviations { "sd" } else { "95 %" };
    let mut header = vec!["model".to_owned()];
    for &measure in &scores {
        header.push(title(measure));
        if measure == Measure::Auc {
            header.extend([spread].into_iter().chain(pooled.map(|_| "pooled")).map(str::to_owned));
        }
    }
    let mut table = Table::new(header.into_iter().chain(["K", "seconds"].map(str::to_owned)));
    for model in &report.models {
        let mut row = vec![model.model.clone()];
        for &measure in &scores {
            let figure = model.scores.get(measure).expect("what is shown is measured");
            row.push(four(figure.mean));
            if measure == Measure::Auc {
                let interval = figure.interval.map(|(low, high)| format!("{low:.4} to {high:.4}"));
                row.push(interval.unwrap_or_else(|| four(figure.sd)));
                row.extend(pooled.map(|pooled| format!("{:.4}", pooled[&model.model])));
            }
        }
        row.push(model.k_mean.map_or_else(|| "-".to_owned(), |k| format!("{k:.1}")));
        row.push(format!("{:.2}", model.seconds_mean));
        table.row(row);
    }
    table
}

/// Short names of usual scores stand in capitals.
fn title(measure: Measure) -> String {
    match measure {
        Measure::Auc | Measure::AveragePrecision | Measure::ReciprocalRank | Measure::CalibrationError => {
            measure.to_string().to_uppercase()
        }
        other => other.to_string(),
    }
}

fn relation_table(report: &Report, relations: &RelationsFigures) -> Table {
    let names = || report.models.iter().map(|figures| figures.model.as_str());
    let mut table = Table::new(["relation", "links", "runs"].into_iter().chain(names()));
    for relation in &relations.each {
        let begin =
            [relation.relation.clone(), relation.links.to_string(), relation.runs_with_test_link.to_string()];
        table.row(begin.into_iter().chain(names().map(|name| four(relation.auc_mean[name]))));
    }
    table
}

fn four(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.4}"))
}
