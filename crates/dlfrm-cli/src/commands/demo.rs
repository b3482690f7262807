//! `dlfrm demo`: what the program finds in a small network that is built in.

use std::io::{self, Write};
use std::str::FromStr;

use clap::Args;
use dlfrm::covariates::CovariateSet;
use dlfrm::evaluate::{Evaluation, Method, MethodOptions, ModelMethod, Report, Splits, method};
use dlfrm::fit::{Candidates, Feature, Fit, FitOptions, FittedModel, Member, MissingLinks, Sharing};
use dlfrm::model::{Model, Overrides, Settings, ValidSettings};
use dlfrm::network::Relation;
use dlfrm::split::{HeldOut, Protocol, SplitOptions};
use dlfrm_io::datasets;
use serde::Serialize;

use crate::args::{GlobalArgs, SettingArgs, model_help};
use crate::commands::evaluate::{USUAL_COLUMNS, model_table};
use crate::interrupt;
use crate::json;
use crate::progress::{EvaluationProgress, FitProgress};
use crate::table::{Table, counted};

/// Missing links that are printed.
const PRINTED: usize = 10;
/// Number of splits that the AUC is averaged over.
const RUNS: usize = 5;
const TEST_FRACTION: f64 = 0.2;
const BURN_IN: usize = 300;
const DRAWS: usize = 100;
const SPLIT: Protocol = Protocol::Pairs;

/// The arguments of `dlfrm demo`.
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

/// What is printed.
#[derive(Debug, Serialize)]
struct Demo<'a> {
    network: String,
    nodes: usize,
    links: usize,
    #[serde(skip)]
    names: Vec<String>,
    settings: Settings,
    seconds: f64,
    draws: usize,
    k_mean: f64,
    k_low: f64,
    k_high: f64,
    features: Vec<Feature<'a>>,
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
    let summary = relation.summary();
    let demo = Demo {
        network: dataset.name.clone(),
        nodes: network.len(),
        links: network.links().len(),
        names: network.nodes().names().to_vec(),
        seconds: relation.seconds,
        draws: summary.draws,
        k_mean: summary.k_mean,
        k_low: summary.k_low,
        k_high: summary.k_high,
        features: fitted.features_of(relation),
        missing_links: missing_links(&fitted)?,
        held_out: HeldOutFigures {
            split: SPLIT.name(),
            runs: RUNS,
            test_fraction: TEST_FRACTION,
            evaluation,
        },
        settings: settings.into_inner(),
    };
    if args.json {
        json::print(&demo, out)?;
    } else {
        print(&demo, out)?;
    }
    Ok(())
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
        "The network: which characters of Les Miserables meet in a chapter (Knuth 1993).\n\nFeatures alone, so that they can \
         be read, in a short run: --covariates none --burn-in {BURN_IN} --draws {DRAWS} --thin 1."
    )
}

fn fit(relations: &[Relation], options: FitOptions, global: &GlobalArgs) -> anyhow::Result<FittedModel> {
    let progress = FitProgress::new(global.quiet);
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
    let model = ModelMethod::new(Candidates::fixed(settings.clone()), Sharing::Separate);
    let mut methods: Vec<Box<dyn Method>> = vec![Box::new(model)];
    for name in ["cn", "aa"] {
        methods.push(method(name, &MethodOptions::default())?);
    }
    evaluation.check()?;
    let report = evaluation.run(&methods, &EvaluationProgress::new(global.quiet, RUNS))?;
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

/// No line is longer.
const WIDTH: usize = 90;
/// Members in fewer draws than this stand in brackets.
const SURE: f64 = 0.5;
/// Features that other draws find less of than this are only counted.
const STEADY: f64 = 0.3;

fn print(demo: &Demo, out: &mut dyn Write) -> io::Result<()> {
    let Demo { nodes, links, k_mean, k_low, k_high, .. } = demo;
    underlined("Les Misérables: characters who meet", out)?;
    writeln!(out, "{nodes} characters, {links} pairs of them meet in a chapter (Knuth, 1993).")?;
    let (chains, draws) = (counted(demo.settings.chains, "chain"), counted(demo.draws, "draw"));
    writeln!(out, "{} fitted by {chains}, {draws}, {:.1} s.", demo.settings.model, demo.seconds)?;

    heading("How many features", out)?;
    writeln!(out, "K is {k_mean:.1} on average, with 90 % probability from {k_low:.0} to {k_high:.0}.")?;

    heading("Who has them", out)?;
    print_features(demo, out)?;

    heading("The most likely missing links", out)?;
    let mut table = Table::new(["", "", "probability", "90 % interval"]);
    for link in &demo.missing_links {
        let interval = format!("{:.2} to {:.2}", link.low, link.high);
        table.row([&link.source, &link.target, &format!("{:.2}", link.probability), &interval]);
    }
    write!(out, "{table}")?;

    heading("Does it predict", out)?;
    let held_out = &demo.held_out;
    wrapped(
        &format!(
            "{:.0} % of the pairs were hidden, links and non-links alike, and ranked by what was learned from \
             the others. Mean over {} such splits, the same for all (split `{}`, which leaks nothing; cn counts \
             common neighbours, aa weighs them as Adamic and Adar do):",
            100.0 * held_out.test_fraction,
            held_out.runs,
            held_out.split
        ),
        "",
        out,
    )?;
    writeln!(out)?;
    write!(out, "{}", model_table(&held_out.evaluation, &USUAL_COLUMNS))
}

fn heading(text: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out)?;
    underlined(text, out)
}

fn underlined(text: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{text}\n{}", "-".repeat(text.chars().count()))
}

fn print_features(demo: &Demo, out: &mut dyn Write) -> io::Result<()> {
    wrapped(
        "What most draws agree on, the largest first. Members in brackets have the feature in \
         fewer than half of the other draws; the weight is what two members gain in their logit; stability \
         is how much of the feature the other draws contain, 1 at most.",
        "",
        out,
    )?;
    let steady = |feature: &&Feature| feature.size > 1 && feature.stability.is_none_or(|s| s >= STEADY);
    let (shown, passing): (Vec<_>, Vec<_>) = demo.features.iter().partition(steady);
    for (number, feature) in shown.iter().enumerate() {
        let stability = feature.stability.map_or_else(String::new, |s| format!(", stability {s:.2}"));
        let (size, weight) = (feature.size, feature.own_weight);
        writeln!(out, "\n{:3}  {size} members, weight {weight:+.1}{stability}", number + 1)?;
        wrapped(&members(feature, &demo.names), "     ", out)?;
    }
    match passing.len() {
        0 => Ok(()),
        1 => writeln!(out, "\nOne more feature has a single member or comes and goes between draws."),
        more => writeln!(out, "\n{more} more features have a single member or come and go between draws."),
    }
}

/// The members by name, or those who are missing if these are fewer.
fn members(feature: &Feature, names: &[String]) -> String {
    if 2 * feature.size > names.len() {
        let missing = names.iter().filter(|name| feature.members.iter().all(|member| member.name != **name));
        let missing: Vec<&str> = missing.map(String::as_str).collect();
        return if missing.is_empty() {
            "everyone".to_owned()
        } else {
            format!("everyone but {}", missing.join(", "))
        };
    }
    let named = |member: &Member| match member.certainty {
        Some(certainty) if certainty < SURE => format!("[{}]", member.name),
        _ => member.name.to_owned(),
    };
    feature.members.iter().map(named).collect::<Vec<_>>().join(", ")
}

/// Words in lines of at most [`WIDTH`] characters.
fn wrapped(text: &str, indent: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && indent.len() + line.chars().count() + 1 + word.chars().count() > WIDTH {
            writeln!(out, "{indent}{line}")?;
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    writeln!(out, "{indent}{line}")
}
