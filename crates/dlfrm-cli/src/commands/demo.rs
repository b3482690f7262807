//! `dlfrm demo`: what the program finds in a small network that is built in.

use std::io::{self, Write};
use std::str::FromStr;

use clap::Args;
use dlfrm::covariates::CovariateSet;
use dlfrm::evaluate::{Evaluation, Method, MethodOptions, ModelMethod, Report, Splits, method};
use dlfrm::fit::{Feature, Fit, FitOptions, FittedModel, MissingLinks, Parts, Sharing};
use dlfrm::model::{Model, Overrides, Settings, ValidSettings};
use dlfrm::network::Relation;
use dlfrm::split::{HeldOut, Protocol, SplitOptions};
use dlfrm_io::datasets;
use serde::Serialize;

use crate::args::{GlobalArgs, SettingArgs, model_help};
use crate::commands::evaluate::{USUAL_COLUMNS, model_table};
use crate::commands::features::{self, Picture};
use crate::interrupt;
use crate::json;
use crate::progress::RunProgress;
use crate::table::Table;
use crate::words::counted;

/// Missing links that are printed.
const PRINTED: usize = 10;
/// Number of splits that the AUC is averaged over.
const RUNS: usize = 5;
const TEST_FRACTION: f64 = 0.2;
const BURN_IN: usize = 300;
const DRAWS: usize = 100;
const SPLIT: Protocol = Protocol::Pairs;

#[derive(Debug, Args)]
#[command(after_help = after_help())]
pub(crate) struct DemoArgs {
    #[arg(long, value_name = "MODEL", value_parser = Model::from_str, help = model_help("The model"))]
    model: Option<Model>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: SettingArgs,
}

#[derive(Debug, Serialize)]
struct Demo<'a> {
    network: String,
    nodes: usize,
    links: usize,
    settings: Settings,
    seconds: f64,
    draws: usize,
    k_mean: f64,
    k_low: f64,
    k_high: f64,
    features: &'a [Feature<'a>],
    missing_links: Vec<MissingLink>,
    held_out: HeldOutFigures,
}

#[derive(Debug, Serialize)]
struct MissingLink {
    source: String,
    target: String,
    probability: f64,
    low: f64,
    high: f64,
}

#[derive(Debug, Serialize)]
struct HeldOutFigures {
    split: &'static str,
    runs: usize,
    test_fraction: f64,
    #[serde(flatten)]
    evaluation: Report,
}

pub(crate) fn run(args: &DemoArgs, global: &GlobalArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let dataset = datasets::les_miserables();
    let options = FitOptions {
        model: args.model.unwrap_or(Model::DEFAULT),
        settings: args.settings.0.clone().or(demo_settings()),
        ..FitOptions::default()
    };
    let settings = Fit::relations(&dataset.relations).options(options.clone()).plan()?.settings().clone();
    interrupt::listen("interrupted before the first draw was kept");
    let fitted = fit(&dataset.relations, options, global)?;
    let evaluation = evaluate(&dataset.relations, &settings, global)?;
    let (network, relation) = (&dataset.relations[0].network, &fitted.relations[0]);
    let (summary, picture) = (relation.summary(), features::picture(&fitted, relation, None));
    let demo = Demo {
        network: dataset.name.clone(),
        nodes: network.len(),
        links: network.links().len(),
        seconds: relation.seconds,
        draws: summary.draws,
        k_mean: summary.k_mean,
        k_low: summary.k_low,
        k_high: summary.k_high,
        features: &picture.features,
        missing_links: missing_links(&fitted)?,
        held_out: HeldOutFigures {
            split: SPLIT.name(),
            runs: RUNS,
            test_fraction: TEST_FRACTION,
            evaluation,
        },
        settings: settings.into_inner(),
    };
    json::show(&demo, args.json, out, |out| Ok(print(&demo, &picture, out)?))
}

/// The features' part of a default fit: what people can read best. A feature is a group (diagonal weights), effects of
/// nodes say who has many links, and the plain likelihood (c+ = c- = 1) makes the probabilities what they say. Covariates
/// would explain links that features are to explain.
fn demo_settings() -> Overrides {
    let covariates = Some(CovariateSet::None);
    let (burn_in, draws, thin) = (Some(BURN_IN), Some(DRAWS), Some(1));
    Overrides { covariates, burn_in, draws, thin, ..Overrides::default() }
}

fn after_help() -> String {
    format!(
        "Example:\n  dlfrm demo --model dlfrm-l\n\nThe network: which characters of Les Miserables meet in a chapter (Knuth 1993).\n\nFeatures alone, so that they can \
         be read, in a short run: --covariates none --burn-in {BURN_IN} --draws {DRAWS} --thin 1."
    )
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

fn missing_links(model: &FittedModel) -> anyhow::Result<Vec<MissingLink>> {
    let links = model.missing_links(&MissingLinks { count: PRINTED, ..MissingLinks::default() })?;
    let owned = |link: dlfrm::fit::MissingLink<'_>| MissingLink {
        source: link.source.to_owned(),
        target: link.target.to_owned(),
        probability: link.prediction.mean,
        low: link.prediction.low,
        high: link.prediction.high,
    };
    Ok(links.into_iter().map(owned).collect())
}

fn print(demo: &Demo<'_>, picture: &Picture<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Demo { nodes, links, k_mean, k_low, k_high, held_out, .. } = demo;
    underlined("Les Misérables: characters who meet", out)?;
    writeln!(out, "{nodes} characters, {links} pairs of them meet in a chapter (Knuth, 1993).")?;
    let (chains, draws) = (counted(demo.settings.chains, "chain"), counted(demo.draws, "draw"));
    writeln!(out, "{} fitted by {chains}, {draws}, {:.1} s.", demo.settings.model, demo.seconds)?;
    writeln!(out, "K is {k_mean:.1} on average, with 90 % probability from {k_low:.0} to {k_high:.0}.\n")?;

    underlined("Who has which feature", out)?;
    features::print(picture, *nodes, 0, out)?;

    writeln!(out)?;
    underlined("The most likely missing links", out)?;
    let mut table = Table::new(["", "", "probability", "90 % interval"]);
    for link in &demo.missing_links {
        let interval = format!("{:.2} to {:.2}", link.low, link.high);
        table.row([&link.source, &link.target, &format!("{:.2}", link.probability), &interval]);
    }
    writeln!(out, "{table}")?;

    underlined("Does it predict", out)?;
    let share = 100.0 * held_out.test_fraction;
    let (runs, split) = (held_out.runs, held_out.split);
    writeln!(
        out,
        "{share:.0} % of the pairs were hidden, links and non-links alike, and ranked by what was learned from\n\
         the others: the mean over {runs} such splits (split `{split}`). cn counts common neighbours, aa weighs\n\
         them as Adamic and Adar do.\n\n{}",
        model_table(&held_out.evaluation, &USUAL_COLUMNS)
    )
}

fn underlined(text: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{text}\n{}", "-".repeat(text.chars().count()))
}
