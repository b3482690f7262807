//! The summary of a fit, for people and for programs.

use std::fmt;
use std::path::Path;

use dlfrm::fit::{Added, FittedModel, FittedRelation, RelationSummary};
use dlfrm::warning::Said;
use dlfrm_io::ReadReport;
use serde::Serialize;

use crate::table::Table;
use crate::words::{self, counted, counted_as};

/// The summary of a fit.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Fit {
    network: String,
    model: String,
    nodes: usize,
    /// The paper's word for `nodes`.
    entities: usize,
    directed: bool,
    bipartite: bool,
    interrupted: bool,
    relations: Vec<RelationSummary>,
    /// The mean of K over the relations.
    k_mean: f64,
    saved: String,
    /// What an update added.
    #[serde(skip_serializing_if = "Option::is_none")]
    added: Option<Added>,
    warnings: Vec<Said>,
    /// What was read from the file of the network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) read: Option<ReadReport>,
}

impl Fit {
    pub(crate) fn new(model: &FittedModel, output: &Path, added: Option<Added>, warnings: Vec<Said>) -> Self {
        let relations: Vec<_> = model.relations.iter().map(FittedRelation::summary).collect();
        Self {
            network: model.name.clone(),
            model: model.settings().model.to_string(),
            nodes: model.nodes.len(),
            entities: model.nodes.len(),
            directed: model.directed,
            bipartite: model.modes().is_some(),
            interrupted: model.interrupted,
            k_mean: relations.iter().map(|relation| relation.k_mean).sum::<f64>() / relations.len() as f64,
            relations,
            saved: output.display().to_string(),
            added,
            warnings,
            read: None,
        }
    }
}

impl fmt::Display for Fit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = kind(self.directed, self.bipartite);
        writeln!(f, "{} on {}: {} nodes, {kind}", self.model, self.network, self.nodes)?;
        if self.interrupted {
            writeln!(f, "The fit was ended early: these are the draws kept until then.")?;
        }
        writeln!(f)?;
        write!(f, "{}", relation_table(&self.relations))?;
        if self.relations.len() > 1 {
            writeln!(f, "mean K over {} relations: {:.1}", self.relations.len(), self.k_mean)?;
        }
        write!(f, "{}", unconverged(&self.relations))?;
        write!(f, "{}", held_out(&self.relations))?;
        write!(f, "{}", verdicts(&self.relations))?;
        writeln!(f, "\nsaved to {}", self.saved)
    }
}

/// What kind of network it is.
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
    let figure = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.4}"));
    let [only] = relations else {
        if relations.iter().all(|relation| relation.held_out.is_none()) {
            return String::new();
        }
        let mut table = Table::new(["relation", "held-out pairs", "links", "AUC", "AP", "log loss"]);
        for RelationSummary { relation, held_out, .. } in relations {
            let Some(scores) = held_out else { continue };
            let name = relation.clone().unwrap_or_default();
            let counts = [name, scores.pairs.to_string(), scores.links.to_string()];
            let figures = [scores.auc, scores.ap, scores.log_loss].map(figure);
            table.row(counts.into_iter().chain(figures));
        }
        return format!("\n{table}");
    };
    let Some(scores) = &only.held_out else { return String::new() };
    let named = [("AUC", scores.auc), ("average precision", scores.ap), ("log loss", scores.log_loss)];
    let known = named.into_iter().filter(|(_, value)| value.is_some());
    let figures: Vec<String> = known.map(|(name, value)| format!("{name} {}", figure(value))).collect();
    let figures = if figures.is_empty() { "no score is defined".to_owned() } else { figures.join(", ") };
    let links = counted_as(scores.links, "of them a link", "of them links");
    format!("\nOn {}, {links}: {figures}\n", counted(scores.pairs, "held-out pair"))
}

/// A warning if conjugate gradients ended without converging.
pub(crate) fn unconverged(relations: &[RelationSummary]) -> String {
    match relations.iter().map(|relation| relation.unconverged).sum::<usize>() {
        0 => String::new(),
        1 => "conjugate gradients ended once without converging: that draw is less exact\n".to_owned(),
        times => format!(
            "conjugate gradients ended {times} times without converging: those draws are less exact\n"
        ),
    }
}

/// R-hat with so many decimals; a dash if it is infinite, because halves of chains are constant and differ.
pub(crate) fn r_hat(value: Option<f64>, decimals: usize) -> String {
    value
        .filter(|value| value.is_finite())
        .map_or_else(|| "-".to_owned(), |value| format!("{value:.decimals$}"))
}

/// One line per relation.
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
            r_hat(figures.r_hat, 2),
            format!("{:.1}", figures.seconds),
            format!("{:.0}", figures.sweeps_per_second),
        ];
        let name = named.then(|| figures.relation.clone().unwrap_or_default());
        table.row(name.into_iter().chain(cells));
    }
    table
}
