//! What is printed of a fitted model, for people and for programs.

use std::io::Write;
use std::path::Path;

use dlfrm::fit::{FittedModel, FittedRelation, RelationSummary};
use serde_json::{Value, json};

use crate::json::show;
use crate::table::{Table, cell};
use crate::words::{self, counted, counted_as};

pub(crate) fn network(model: &FittedModel) -> Value {
    json!({
        "network": model.name,
        "nodes": model.nodes.len(),
        // The paper's word for nodes.
        "entities": model.nodes.len(),
        "directed": model.directed,
        "bipartite": model.modes().is_some(),
        "interrupted": model.interrupted,
    })
}

pub(crate) fn network_line(model: &FittedModel) -> String {
    let kind = kind(model.directed, model.modes().is_some());
    format!("{} on {}: {} nodes, {kind}", model.settings().model, model.name, model.nodes.len())
}

/// Prints the summary of a fit; JSON has more beside the figures.
pub(crate) fn print(
    model: &FittedModel,
    saved: &Path,
    more: Vec<(&str, Value)>,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let relations: Vec<_> = model.relations.iter().map(FittedRelation::summary).collect();
    let k_mean = relations.iter().map(|relation| relation.k_mean).sum::<f64>() / relations.len() as f64;
    let saved = saved.display().to_string();
    let mut printed = network(model);
    printed["model"] = model.settings().model.name().into();
    printed["relations"] = json!(relations);
    printed["k_mean"] = k_mean.into();
    printed["saved"] = json!(saved);
    for (name, value) in more {
        printed[name] = value;
    }
    show(&printed, json, out, |out| {
        writeln!(out, "{}", network_line(model))?;
        if model.interrupted {
            writeln!(out, "The fit was ended early: these are the draws kept until then.")?;
        }
        write!(out, "\n{}", relation_table(&relations))?;
        if relations.len() > 1 {
            writeln!(out, "mean K over {} relations: {k_mean:.1}", relations.len())?;
        }
        write!(out, "{}{}{}", unconverged(&relations), held_out(&relations), verdicts(&relations))?;
        Ok(writeln!(out, "\nsaved to {saved}")?)
    })
}

pub(crate) fn kind(directed: bool, bipartite: bool) -> &'static str {
    match (directed, bipartite) {
        (true, _) => "directed",
        (false, false) => "undirected",
        (false, true) => "bipartite",
    }
}

/// Whether the chains agree: in words if there is one relation, otherwise for how many relations they do.
pub(crate) fn verdicts(relations: &[RelationSummary]) -> String {
    if let [only] = relations {
        return format!("\n{}\n", words::verdict(&only.agreement));
    }
    let agree = relations.iter().filter(|relation| relation.agreement.converged()).count();
    format!("\nChains agree on the predictions of {agree} of {} relations.\n", relations.len())
}

/// How good the fit is on the pairs that were held out of it: in words if there is one relation, otherwise a table.
pub(crate) fn held_out(relations: &[RelationSummary]) -> String {
    let [only] = relations else {
        if relations.iter().all(|relation| relation.held_out.is_none()) {
            return String::new();
        }
        let mut table = Table::new(["relation", "held-out pairs", "links", "AUC", "AP", "log loss"]);
        for RelationSummary { relation, held_out, .. } in relations {
            let Some(scores) = held_out else { continue };
            let name = relation.clone().unwrap_or_default();
            let counts = [name, scores.pairs.to_string(), scores.links.to_string()];
            let figures = [scores.auc, scores.ap, scores.log_loss].map(|score| cell(score, 4));
            table.row(counts.into_iter().chain(figures));
        }
        return format!("\n{table}");
    };
    let Some(scores) = &only.held_out else { return String::new() };
    let named = [("AUC", scores.auc), ("average precision", scores.ap), ("log loss", scores.log_loss)];
    let known = named.into_iter().filter(|(_, value)| value.is_some());
    let figures: Vec<String> = known.map(|(name, value)| format!("{name} {}", cell(value, 4))).collect();
    let figures = if figures.is_empty() { "no score is defined".to_owned() } else { figures.join(", ") };
    let links = counted_as(scores.links, "of them a link", "of them links");
    format!("\nOn {}, {links}: {figures}\n", counted(scores.pairs, "held-out pair"))
}

pub(crate) fn unconverged(relations: &[RelationSummary]) -> String {
    match relations.iter().map(|relation| relation.unconverged).sum::<usize>() {
        0 => String::new(),
        1 => "conjugate gradients ended once without converging: that draw is less exact\n".to_owned(),
        times => format!(
            "conjugate gradients ended {times} times without converging: those draws are less exact\n"
        ),
    }
}

pub(crate) fn relation_table(relations: &[RelationSummary]) -> Table {
    let named = relations.iter().any(|relation| relation.relation.is_some());
    let header = ["links", "pairs", "draws", "K", "90 %", "log joint", "R-hat", "seconds", "sweeps/s"];
    let mut table = Table::new(named.then_some("relation").into_iter().chain(header));
    for figures in relations {
        let cells = [
            figures.links.to_string(),
            figures.observed_pairs.to_string(),
            figures.draws.to_string(),
            format!("{:.1}", figures.k_mean),
            format!("{:.0} to {:.0}", figures.k_low, figures.k_high),
            format!("{:.1}", figures.log_joint_mean),
            cell(figures.r_hat, 2),
            format!("{:.1}", figures.seconds),
            format!("{:.0}", figures.sweeps_per_second),
        ];
        let name = named.then(|| figures.relation.clone().unwrap_or_default());
        table.row(name.into_iter().chain(cells));
    }
    table
}
