//! `dlfrm demo`: what the program finds in a small network that is built in.

use std::io::{self, Write};
use std::str::FromStr;

use clap::Args;
use dlfrm::covariates::CovariateSet;
use dlfrm::evaluate::{Evaluation, Method, MethodOptions, ModelMethod, Report, Splits, method};
use dlfrm::fit::{Fit, FitOptions, FittedModel, MissingLinks, Parts, RelationSummary, Sharing};
use dlfrm::model::{Model, Overrides, ValidSettings};
use dlfrm::network::Relation;
use dlfrm::split::{HeldOut, Protocol, SplitOptions};
use dlfrm_io::datasets;
use serde_json::json;

use crate::args::{GlobalArgs, SettingArgs, model_help};
use crate::commands::evaluate::{USUAL_COLUMNS, model_table};
use crate::commands::features;
use crate::commands::predict::Line;
use crate::progress::RunProgress;
use crate::table::Table;
use crate::words::counted;
use crate::{interrupt, json};

/// Number of splits that the AUC is averaged over.
const RUNS: usize = 5;
const TEST_FRACTION: f64 = 0.2;
const SPLIT: Protocol = Protocol::Pairs;

#[derive(Debug, Args)]
#[command(after_help = "Example:
  dlfrm demo --model dlfrm-l

The network: which characters of Les Miserables meet in a chapter (Knuth 1993).

Features alone, so that they can be read, in a short run: --covariates none --burn-in 300 --draws 100 --thin 1.")]
pub(crate) struct DemoArgs {
    #[arg(long, value_name = "MODEL", value_parser = Model::from_str, help = model_help("The model"))]
    model: Option<Model>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: SettingArgs,
}

pub(crate) fn run(args: &DemoArgs, global: &GlobalArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let dataset = datasets::les_miserables();
    let options = FitOptions {
        model: args.model,
        settings: args.settings.0.clone().or(demo_settings()),
        ..FitOptions::default()
    };
    let settings = Fit::relations(&dataset.relations).options(options.clone()).plan()?.settings().clone();
    interrupt::listen("interrupted before the first draw was kept");
    let fitted = fit(&dataset.relations, options, global)?;
    let evaluation = evaluate(&dataset.relations, &settings, global)?;
    let (network, relation) = (&dataset.relations[0].network, &fitted.relations[0]);
    let (nodes, links) = (network.len(), network.links().len());
    let RelationSummary { draws, k_mean, k_low, k_high, seconds, .. } = relation.summary();
    let picture = features::picture(&fitted, relation, None);
    let missing = fitted.missing_links(&MissingLinks { count: 10, ..MissingLinks::default() })?;
    let missing: Vec<Line<'_>> = missing.into_iter().map(Line::new).collect();
    let mut held_out = json!(evaluation);
    held_out["split"] = SPLIT.name().into();
    held_out["runs"] = RUNS.into();
    held_out["test_fraction"] = TEST_FRACTION.into();
    let demo = json!({
        "network": dataset.name,
        "nodes": nodes,
        "links": links,
        "settings": *settings,
        "seconds": seconds,
        "draws": draws,
        "k_mean": k_mean,
        "k_low": k_low,
        "k_high": k_high,
        "features": picture.features,
        "missing_links": missing,
        "held_out": held_out,
    });
    json::show(&demo, args.json, out, |out| {
        underlined("Les Misérables: characters who meet", out)?;
        writeln!(out, "{nodes} characters, {links} pairs of them meet in a chapter (Knuth, 1993).")?;
        let (chains, draws) = (counted(settings.chains, "chain"), counted(draws, "draw"));
        writeln!(out, "{} fitted by {chains}, {draws}, {seconds:.1} s.", settings.model)?;
        writeln!(
            out,
            "K is {k_mean:.1} on average, with 90 % probability from {k_low:.0} to {k_high:.0}.\n"
        )?;

        underlined("Who has which feature", out)?;
        features::print(&picture, nodes, 0, out)?;

        writeln!(out)?;
        underlined("The most likely missing links", out)?;
        let mut table = Table::new(["", "", "probability", "90 % interval"]);
        for Line { source, target, probability, low, high, .. } in &missing {
            table.row([*source, *target, &format!("{probability:.2}"), &format!("{low:.2} to {high:.2}")]);
        }
        writeln!(out, "{table}")?;

        underlined("Does it predict", out)?;
        writeln!(
            out,
            "{:.0} % of the pairs were hidden, links and non-links alike, and ranked by what was learned from\n\
             the others: the mean over {RUNS} such splits (split `{SPLIT}`). cn counts common neighbours, aa weighs\n\
             them as Adamic and Adar do.\n\n{}",
            100.0 * TEST_FRACTION,
            model_table(&evaluation, &USUAL_COLUMNS)
        )?;
        Ok(())
    })
}

/// The features' part of a default fit: what people can read best. A feature is a group (diagonal weights), effects of
/// nodes say who has many links, and the plain likelihood (c+ = c- = 1) makes the probabilities what they say. Covariates
/// would explain links that features are to explain.
fn demo_settings() -> Overrides {
    let covariates = Some(CovariateSet::None);
    let (burn_in, draws, thin) = (Some(300), Some(100), Some(1));
    Overrides { covariates, burn_in, draws, thin, ..Overrides::default() }
}

fn fit(relations: &[Relation], options: FitOptions, global: &GlobalArgs) -> anyhow::Result<FittedModel> {
    let progress = RunProgress::new(global.quiet, 1);
    let fitted = Fit::relations(relations).options(options).observer(&progress).run();
    progress.finish();
    match fitted {
        Ok(model) if model.interrupted => Err(dlfrm::Error::Interrupted.into()),
        fitted => Ok(fitted?),
    }
}

fn evaluate(relations: &[Relation], settings: &ValidSettings, global: &GlobalArgs) -> anyhow::Result<Report> {
    let split = SplitOptions { held_out: HeldOut::Fraction(TEST_FRACTION), ..SplitOptions::new(SPLIT) };
    let evaluation = Evaluation {
        splits: Splits::Drawn(split),
        runs: RUNS,
        seed: settings.seed,
        ..Evaluation::new(relations)
    };
    let model = ModelMethod::new(Parts::fixed(settings.clone()), Sharing::Separate);
    let mut methods: Vec<Box<dyn Method>> = vec![Box::new(model)];
    for name in ["cn", "aa"] {
        methods.push(method(name, &MethodOptions::default())?);
    }
    evaluation.check()?;
    let report = evaluation.run(&methods, &RunProgress::new(global.quiet, RUNS))?;
    if report.interrupted { Err(dlfrm::Error::Interrupted.into()) } else { Ok(report) }
}

fn underlined(text: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{text}\n{}", "-".repeat(text.chars().count()))
}
