//! `dlfrm info`: what a model file holds.

use std::io::Write;

use clap::Args;
use dlfrm::fit::{FittedRelation, RelationSummary, Versions};
use dlfrm::model::Settings;
use dlfrm::posterior::{Coefficient, Combination, Convergence};
use serde::Serialize;

use crate::args::ModelFileArgs;
use crate::json;
use crate::summary::{held_out, kind, r_hat, relation_table, unconverged, verdicts};
use crate::table::Table;

/// How many coefficients of attributes are printed; JSON has all of them.
const STRONGEST: usize = 12;

#[derive(Debug, Args)]
#[command(after_help = "Example:
  dlfrm info friends.dlfrm")]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    model: ModelFileArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Info<'a> {
    network: &'a str,
    nodes: usize,
    /// The paper's word for `nodes`.
    entities: usize,
    directed: bool,
    bipartite: bool,
    interrupted: bool,
    settings: &'a Settings,
    versions: &'a Versions,
    relations: Vec<RelationInfo>,
}

/// What is printed of one relation.
#[derive(Debug, Serialize)]
struct RelationInfo {
    #[serde(flatten)]
    figures: RelationSummary,
    symmetric_weights: bool,
    /// The share of the non-links that were learned from; 1 unless they were sampled.
    non_link_share: f64,
    /// How covariates and features were combined, if they have a posterior each.
    combination: Option<Combination>,
    k_distribution: Vec<KProbability>,
    /// Empty if the fit had no covariates.
    coefficients: Vec<Coefficient>,
    /// Empty if nodes have no attributes.
    attributes: Vec<Coefficient>,
    convergence: Vec<Convergence>,
}

/// The posterior probability of one number of features.
#[derive(Debug, Serialize)]
struct KProbability {
    k: usize,
    probability: f64,
}

impl RelationInfo {
    fn new(relation: &FittedRelation) -> Self {
        let distribution = relation.posterior.features_distribution().into_iter();
        Self {
            figures: relation.summary(),
            symmetric_weights: relation.posterior.symmetric(),
            non_link_share: relation.posterior.non_link_share(),
            combination: relation.posterior.combination(),
            k_distribution: distribution.map(|(k, probability)| KProbability { k, probability }).collect(),
            coefficients: relation.posterior.coefficients(),
            attributes: relation.posterior.attribute_coefficients(),
            convergence: relation.posterior.convergence(),
        }
    }
}

pub(crate) fn run(args: &InfoArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let model = args.model.load()?;
    let info = Info {
        network: &model.name,
        nodes: model.nodes.len(),
        entities: model.nodes.len(),
        directed: model.directed,
        bipartite: model.modes().is_some(),
        interrupted: model.interrupted,
        settings: model.settings(),
        versions: &model.versions,
        relations: args.model.relations(&model)?.into_iter().map(RelationInfo::new).collect(),
    };
    json::show(&info, args.json, out, |out| print(&info, out))
}

fn print(info: &Info<'_>, out: &mut dyn Write) -> anyhow::Result<()> {
    let kind = kind(info.directed, info.bipartite);
    writeln!(out, "{} on {}: {} nodes, {kind}", info.settings.model, info.network, info.nodes)?;
    if info.interrupted {
        writeln!(out, "The fit was ended early: it has fewer draws than its settings say.")?;
    }
    writeln!(out, "\nsettings: {}", pairs(info.settings)?)?;
    writeln!(out, "versions: {}\n", pairs(info.versions)?)?;
    let figures: Vec<_> = info.relations.iter().map(|relation| relation.figures.clone()).collect();
    write!(out, "{}{}", relation_table(&figures), unconverged(&figures))?;
    write!(out, "{}{}", held_out(&figures), verdicts(&figures))?;
    for relation in &info.relations {
        let of =
            relation.figures.relation.as_ref().map_or(String::new(), |name| format!("relation '{name}', "));
        write!(out, "{}", learned(relation, &of))?;
        writeln!(out, "\n{of}posterior of K:")?;
        let mut table = Table::new(["K", "probability"]);
        for KProbability { k, probability } in &relation.k_distribution {
            table.row([k.to_string(), format!("{probability:.3}")]);
        }
        write!(out, "{table}")?;
        if !relation.coefficients.is_empty() {
            writeln!(out, "\n{of}what a standard deviation of a covariate adds to the logit:")?;
            write!(out, "{}", coefficient_table("covariate", relation.coefficients.iter()))?;
        }
        if !relation.attributes.is_empty() {
            let mut strongest: Vec<&Coefficient> = relation.attributes.iter().collect();
            strongest.sort_by(|a, b| b.mean.abs().total_cmp(&a.mean.abs()));
            strongest.truncate(STRONGEST);
            let (printed, all) = (strongest.len(), relation.attributes.len());
            writeln!(out, "\n{of}what attributes add to the logit, the strongest {printed} of {all}:")?;
            write!(out, "{}", coefficient_table("attribute", strongest.into_iter()))?;
        }
        if !relation.convergence.is_empty() {
            writeln!(out, "\n{of}convergence (R-hat near 1 is good):")?;
            write!(out, "{}{}", convergence_table(&relation.convergence), stuck(&relation.convergence))?;
        }
    }
    Ok(())
}

/// What was learned from, if it is a sample, and how much covariates and features count, if they have a posterior each.
fn learned(relation: &RelationInfo, of: &str) -> String {
    let sampled = (relation.non_link_share < 1.0).then(|| {
        let share = 100.0 * relation.non_link_share;
        format!("\n{of}learned from all links and a sample of the non-links: {share:.3} % of them\n")
    });
    let combined = relation.combination.map(|Combination { covariates, features }| {
        format!("\n{of}share of covariates {covariates:.2}, of features {features:.2} in a probability\n")
    });
    [sampled, combined].into_iter().flatten().collect::<Vec<_>>().concat()
}

fn coefficient_table<'a>(what: &str, all: impl Iterator<Item = &'a Coefficient>) -> Table {
    let mut table = Table::new([what, "mean", "5 %", "95 %"]);
    for Coefficient { covariate, mean, low, high } in all {
        let figures = [mean, low, high].map(|value| format!("{value:.3}"));
        table.row(std::iter::once(covariate.clone()).chain(figures));
    }
    table
}

fn convergence_table(all: &[Convergence]) -> Table {
    let mut table = Table::new(["quantity", "R-hat", "ESS bulk", "ESS tail"]);
    for one in all {
        let figures =
            [r_hat(Some(one.r_hat), 3), format!("{:.0}", one.ess_bulk), format!("{:.0}", one.ess_tail)];
        table.row(std::iter::once(one.quantity.to_owned()).chain(figures));
    }
    table
}

/// What a dash in the column of R-hat means, if there is one.
fn stuck(all: &[Convergence]) -> String {
    let stuck: Vec<&str> = all.iter().filter(|one| !one.r_hat.is_finite()).map(|one| one.quantity).collect();
    if stuck.is_empty() {
        return String::new();
    }
    format!(
        "{} moved between parts of the chains and never within one: they are too short\n",
        stuck.join(", ")
    )
}

/// The fields of a record, under the names that the files use.
fn pairs(record: &impl Serialize) -> anyhow::Result<String> {
    let value = serde_json::to_value(record)?;
    let fields = value.as_object().into_iter().flatten();
    let named = fields.map(|(name, value)| match value.as_str() {
        Some(text) => format!("{name} {text}"),
        None => format!("{name} {value}"),
    });
    Ok(named.collect::<Vec<_>>().join(", "))
}
