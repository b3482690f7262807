//! `dlfrm info`: what a model file holds.

use std::io::Write;

use clap::Args;
use dlfrm::fit::{FittedModel, FittedRelation};
use dlfrm::posterior::{Coefficient, Combination, Convergence};
use serde::Serialize;
use serde_json::{Value, json};

use crate::args::ModelFileArgs;
use crate::json;
use crate::summary::{self, held_out, relation_table, unconverged, verdicts};
use crate::table::{Table, cell};

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

pub(crate) fn run(args: &InfoArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let model = args.model.load()?;
    let relations = args.model.relations(&model)?;
    if !args.json {
        return print(&model, &relations, out);
    }
    let mut info = summary::network(&model);
    info["settings"] = json!(model.settings());
    info["versions"] = json!(model.versions);
    info["relations"] = relations.into_iter().map(in_json).collect();
    Ok(out.write_all(&json::to_vec(&info)?)?)
}

fn in_json(relation: &FittedRelation) -> Value {
    let posterior = &relation.posterior;
    let k = |(k, probability)| json!({ "k": k, "probability": probability });
    let mut info = json!(relation.summary());
    info["symmetric_weights"] = posterior.symmetric().into();
    info["non_link_share"] = posterior.non_link_share().into();
    info["combination"] = json!(posterior.combination());
    info["k_distribution"] = posterior.features_distribution().into_iter().map(k).collect();
    info["coefficients"] = json!(posterior.coefficients());
    info["attributes"] = json!(posterior.attribute_coefficients());
    info["convergence"] = json!(posterior.convergence());
    info
}

fn print(model: &FittedModel, relations: &[&FittedRelation], out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "{}", summary::network_line(model))?;
    if model.interrupted {
        writeln!(out, "The fit was ended early: it has fewer draws than its settings say.")?;
    }
    writeln!(out, "\nsettings: {}", pairs(model.settings())?)?;
    writeln!(out, "versions: {}\n", pairs(&model.versions)?)?;
    let figures: Vec<_> = relations.iter().map(|relation| relation.summary()).collect();
    write!(out, "{}{}", relation_table(&figures), unconverged(&figures))?;
    write!(out, "{}{}", held_out(&figures), verdicts(&figures))?;
    for FittedRelation { name, posterior, .. } in relations {
        let of = name.as_ref().map_or(String::new(), |name| format!("relation '{name}', "));
        if posterior.non_link_share() < 1.0 {
            let share = 100.0 * posterior.non_link_share();
            writeln!(
                out,
                "\n{of}learned from all links and a sample of the non-links: {share:.3} % of them"
            )?;
        }
        if let Some(Combination { covariates, features }) = posterior.combination() {
            writeln!(out, "\n{of}shares: covariates {covariates:.2}, features {features:.2}")?;
        }
        writeln!(out, "\n{of}posterior of K:")?;
        let mut table = Table::new(["K", "probability"]);
        for (k, probability) in posterior.features_distribution() {
            table.row([k.to_string(), format!("{probability:.3}")]);
        }
        write!(out, "{table}")?;
        let coefficients = posterior.coefficients();
        if !coefficients.is_empty() {
            writeln!(out, "\n{of}what a standard deviation of a covariate adds to the logit:")?;
            write!(out, "{}", coefficient_table("covariate", &coefficients))?;
        }
        let mut attributes = posterior.attribute_coefficients();
        if !attributes.is_empty() {
            attributes.sort_by(|a, b| b.mean.abs().total_cmp(&a.mean.abs()));
            let strongest = &attributes[..attributes.len().min(12)];
            let (printed, all) = (strongest.len(), attributes.len());
            writeln!(out, "\n{of}what attributes add to the logit, the strongest {printed} of {all}:")?;
            write!(out, "{}", coefficient_table("attribute", strongest))?;
        }
        let convergence = posterior.convergence();
        if !convergence.is_empty() {
            writeln!(out, "\n{of}convergence (R-hat near 1 is good):")?;
            write!(out, "{}{}", convergence_table(&convergence), stuck(&convergence))?;
        }
    }
    Ok(())
}

fn coefficient_table(what: &str, all: &[Coefficient]) -> Table {
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
            [cell(Some(one.r_hat), 3), format!("{:.0}", one.ess_bulk), format!("{:.0}", one.ess_tail)];
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
