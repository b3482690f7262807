//! `dlfrm demo`: what the program finds in a small network that is built in.

mod text;

use std::io::Write;
use std::str::FromStr;
use std::time::Instant;

use anyhow::bail;
use clap::Args;
use dlfrm::baseline::Baseline;
use dlfrm::chain;
use dlfrm::covariates::SideInfo;
use dlfrm::model::{Loss, Model, Settings, ValidSettings, Variant};
use dlfrm::network::{HeldOut, Network, Pairs, Protocol, SplitOptions};
use dlfrm::posterior::Posterior;
use dlfrm::score::Measure;
use dlfrm_io::embedded;
use serde::Serialize;

use crate::args::{GlobalArgs, SettingArgs, Sharing};
use crate::choice::Candidates;
use crate::evaluation::{Contender, Evaluation, Plan, Splits, evaluate};
use crate::evaluation_progress::EvaluationProgress;
use crate::failure::Unfinished;
use crate::feature::Feature;
use crate::interrupt;
use crate::progress::FitProgress;

/// Missing links that are told.
const TOLD: usize = 10;
/// Over so many splits the AUC is averaged, so that it is no luck.
const RUNS: usize = 5;
const TEST_FRACTION: f64 = 0.2;
const SPLIT: Protocol = Protocol::Pairs;

/// The arguments of `dlfrm demo`.
#[derive(Debug, Args)]
#[command(after_help = after_help())]
pub(crate) struct DemoArgs {
    #[arg(long, value_name = "MODEL", value_parser = Model::from_str, help = demo_model_help())]
    model: Option<Model>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: SettingArgs,
}

/// Everything that is told.
#[derive(Debug, Serialize)]
struct Demo<'a> {
    network: String,
    entities: usize,
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
    evaluation: Evaluation,
}

pub(crate) fn run(args: &DemoArgs, common: &GlobalArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let defaults = demo_settings();
    let model = args.model.unwrap_or(defaults.model);
    let settings = args.settings.settings_over(&Settings { model, ..defaults }).check()?;
    let dataset = embedded::les_miserables();
    let network = &dataset.relations[0].network;
    interrupt::listen()?;
    let began = Instant::now();
    let posterior = fit(network, &settings, common)?;
    let seconds = began.elapsed().as_secs_f64();
    let given = SideInfo::default();
    let plan = Plan {
        given: &given,
        sharing: Sharing::Separate,
        relations: &dataset.relations,
        splits: Splits::Drawn(SplitOptions {
            held_out: HeldOut::Fraction(TEST_FRACTION),
            ..SplitOptions::new(SPLIT)
        }),
        runs: RUNS,
        seed: settings.seed,
        measures: &Measure::USUAL,
        intervals: false,
    };
    let contenders = [
        Contender::Model(Box::new(Candidates::settled(settings.clone()))),
        Contender::Baseline(Baseline::CommonNeighbours),
        Contender::Baseline(Baseline::AdamicAdar),
    ];
    plan.check()?;
    let evaluation = evaluate(&plan, &contenders, &EvaluationProgress::new(common, RUNS))?;
    let (k_low, k_high) = posterior.features_interval().expect("the fit has draws");
    let demo = Demo {
        network: dataset.name.clone(),
        entities: network.len(),
        links: network.links().len(),
        names: network.entities().names().to_vec(),
        seconds,
        draws: posterior.draws().len(),
        k_mean: posterior.mean_features(),
        k_low,
        k_high,
        features: Feature::all(&posterior, network.entities()),
        missing_links: missing_links(&posterior, network),
        held_out: HeldOutFigures {
            split: SPLIT.name(),
            runs: RUNS,
            test_fraction: TEST_FRACTION,
            evaluation,
        },
        settings: settings.into_inner(),
    };
    if args.json {
        serde_json::to_writer_pretty(&mut *out, &demo)?;
        writeln!(out)?;
    } else {
        text::print(&demo, out)?;
    }
    Ok(())
}

/// What people can read best: a feature is a group (diagonal weights), an intercept says how rare links are, and
/// the plain likelihood (c+ = c- = 1) makes the probabilities what they say. Covariates would explain links that
/// features are to tell of.
fn demo_settings() -> Settings {
    Settings {
        model: Model { variant: Variant::Diagonal, loss: Loss::Logistic },
        c_pos: 1.0,
        c_neg: 1.0,
        nu: 0.5,
        learn_nu: true,
        learn_alpha: true,
        intercept: true,
        ..Settings::plain(Settings::default().model, 0)
    }
}

fn demo_model_help() -> String {
    let names = Model::ALL.map(Model::name).join(", ");
    format!("The model: {names} [default: {}]", demo_settings().model)
}

fn after_help() -> String {
    let Settings { model, c_pos, c_neg, nu, .. } = demo_settings();
    format!(
        "The network: which characters of Les Miserables meet in a chapter (Knuth 1993).\n\nDefaults of its own, for \
         features that can be read: --model {model} --intercept --c-pos {c_pos} --c-neg {c_neg} --nu {nu} --learn-nu \
         --learn-alpha --covariates none."
    )
}

fn fit(network: &Network, settings: &ValidSettings, common: &GlobalArgs) -> anyhow::Result<Posterior> {
    let progress = FitProgress::new(common.quiet, 1, settings);
    let posterior = chain::fit(&Pairs::observed(network, false), settings, &progress.observer(0));
    progress.finish();
    if interrupt::requested() {
        bail!(Unfinished);
    }
    Ok(posterior?)
}

fn missing_links(posterior: &Posterior, network: &Network) -> Vec<MissingLink> {
    let name = |id| network.entities().name(id).to_owned();
    let top = posterior.top_missing(|i, j| network.has_link(i, j), TOLD, None);
    top.into_iter()
        .map(|(i, j, link)| MissingLink {
            source: name(i),
            target: name(j),
            probability: link.mean,
            low: link.low,
            high: link.high,
        })
        .collect()
}
