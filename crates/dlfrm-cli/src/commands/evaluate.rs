//! `dlfrm evaluate`: one table of models and baselines on held-out pairs.

mod text;

use std::io::Write;
use std::str::FromStr;

use anyhow::Context;
use clap::Args;
use dlfrm::baseline::Baseline;
use dlfrm::model::{Model, Settings};
use dlfrm::network::Protocol;
use dlfrm::score::Measure;
use dlfrm_io::Dataset;
use serde::Serialize;

use crate::args::{Common, MemoryArgs, NetworkArgs, SettingArgs};
use crate::evaluation::{Contender, Evaluation, Plan, RelationsFigures, evaluate};
use crate::evaluation_progress::EvaluationProgress;
use crate::failure::Unfinished;
use crate::{interrupt, learn};

pub(super) use text::{USUAL_COLUMNS, model_table};

/// The arguments of `dlfrm evaluate`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dlfrm evaluate friends.tsv --undirected
  dlfrm evaluate nips234.tsv.gz --undirected --entities 234 --split paper-pairs --model models
  dlfrm evaluate kinship.tsv.gz --columns relation,source,target --model dlfrm-l,cn --runs 3 --json
  dlfrm evaluate friends.tsv --undirected --scores auc,hits@20,mrr,log-loss

Every model and baseline sees the same splits. A relation without a test link in a run is left out of that run.")]
pub(crate) struct EvaluateArgs {
    #[command(flatten)]
    network: NetworkArgs,
    /// What is held out: pairs, links and non-links alike; links, with as many non-links, the other links being
    /// trained on with sampled non-links; or paper-pairs and paper-links, the same over ordered pairs, as in the
    /// paper: these leak the reverse of undirected links [default: pairs, or links where there are more than 50
    /// million pairs]
    #[arg(long, value_name = "SPLIT")]
    split: Option<Protocol>,
    /// Non-links a link in training, for links and paper-links
    #[arg(long, value_name = "X", default_value_t = Protocol::NEGATIVES, allow_negative_numbers = true)]
    negatives: f64,
    #[arg(long, value_name = "LIST", value_delimiter = ',', help = model_help())]
    model: Vec<String>,
    /// How many splits to average over
    #[arg(long, value_name = "N", default_value_t = 5)]
    runs: usize,
    /// The part of the pairs, or of the links, that is held out [default: 0.2; 0.1 for links and paper-links]
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    test_fraction: Option<f64>,
    /// Scores in the table, separated by commas: auc, ap, hits@K, precision@K, mrr, log-loss, brier, ece; those of
    /// probabilities (log-loss, brier, ece) have no figure for baselines, and none where links are held out [default:
    /// auc,ap,ece]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = Measure::from_str)]
    scores: Vec<Measure>,
    /// Print JSON, which has the usual scores and those that are asked for
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    settings: SettingArgs,
}

fn model_help() -> String {
    let names: Vec<_> = Contender::names().collect();
    let text = "What to judge, by name, separated by commas:";
    format!(
        "{text} {}; models, baselines or all for several [default: {},baselines]",
        names.join(", "),
        Settings::default().model
    )
}

/// The one object of `--json`.
#[derive(Debug, Serialize)]
struct Told<'a> {
    network: &'a str,
    split: &'static str,
    runs: usize,
    test_fraction: f64,
    seed: u64,
    #[serde(flatten)]
    evaluation: &'a Evaluation,
}

pub(crate) fn run(args: &EvaluateArgs, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    // Mistakes in names and settings are told before the network is read; the split decides the defaults.
    contenders(args, false, 0)?;
    if args.runs == 0 {
        let value = args.runs.to_string();
        return Err(dlfrm::Error::Setting { name: "runs", expected: "at least 1", value }.into());
    }
    if let Some(fraction) = args.test_fraction.filter(|&fraction| !(fraction > 0.0 && fraction < 1.0)) {
        let (expected, value) = ("between 0 and 1, both excluded", fraction.to_string());
        return Err(dlfrm::Error::Setting { name: "test-fraction", expected, value }.into());
    }
    let dataset = args.network.read(common)?;
    let file = || args.network.network.display().to_string();
    let networks = || dataset.relations.iter().map(|relation| &relation.network);
    let split = args.split.unwrap_or_else(|| {
        learn::negatives(networks(), false, None).map_or(Protocol::Pairs, |_| Protocol::Links)
    });
    let test_fraction = args.test_fraction.unwrap_or(split.test_fraction());
    let negatives = split.samples().then_some(args.negatives);
    check(&dataset, split, negatives).with_context(file)?;
    let pairs = learn::most_pairs(networks(), split.ordered(), negatives);
    let contenders = contenders(args, split.ordered(), (pairs * (1.0 - test_fraction)) as usize)?;
    let bytes = contenders.iter().filter_map(|contender| match contender {
        Contender::Model(settings) => Some(learn::memory(networks(), split.ordered(), negatives, settings)),
        Contender::Baseline(_) => None,
    });
    if let Some(bytes) = bytes.reduce(f64::max) {
        args.memory.check(bytes, common).with_context(file)?;
    }
    let seed = args.settings.settings(Settings::default().model, 0, false).seed;
    let plan = Plan {
        relations: &dataset.relations,
        protocol: split,
        test_fraction,
        negatives: args.negatives,
        runs: args.runs,
        seed,
        measures: &measures(&args.scores),
    };
    interrupt::listen()?;
    let evaluation = evaluate(&plan, &contenders, &EvaluationProgress::new(common, args.runs))
        .map_err(|error| if error.is::<Unfinished>() { error } else { error.context(file()) })?;
    if let Some(relations) = &evaluation.relations {
        tell_skipped(relations, args.runs, common);
    }
    let told = Told {
        network: &dataset.name,
        split: split.name(),
        runs: args.runs,
        test_fraction,
        seed,
        evaluation: &evaluation,
    };
    if args.json {
        serde_json::to_writer_pretty(&mut *out, &told)?;
        writeln!(out)?;
    } else {
        text::print(&told, &dataset, split, columns(&args.scores), out)?;
    }
    Ok(())
}

/// The usual scores, and those that were asked for besides.
fn measures(asked: &[Measure]) -> Vec<Measure> {
    let mut all = Measure::USUAL.to_vec();
    for &measure in asked {
        if !all.contains(&measure) {
            all.push(measure);
        }
    }
    all
}

/// The scores that the table has.
fn columns(asked: &[Measure]) -> &[Measure] {
    if asked.is_empty() { &USUAL_COLUMNS } else { asked }
}

/// What was named, each once, in the order of naming. On the paper's splits models are the paper's, unless told otherwise.
fn contenders(args: &EvaluateArgs, paper: bool, pairs: usize) -> anyhow::Result<Vec<Contender>> {
    let EvaluateArgs { model: names, settings, .. } = args;
    let default = [Settings::default().model.name().to_owned(), "baselines".to_owned()];
    let mut wanted: Vec<String> = Vec::new();
    for name in if names.is_empty() { &default[..] } else { names } {
        match name.trim() {
            "all" => wanted.extend(Contender::names().map(str::to_owned)),
            "models" => wanted.extend(Model::ALL.map(|model| model.name().to_owned())),
            "baselines" => wanted.extend(Baseline::ALL.map(|baseline| baseline.name().to_owned())),
            name => wanted.push(name.to_owned()),
        }
    }
    let mut contenders: Vec<Contender> = Vec::new();
    for name in wanted {
        if contenders.iter().any(|known| known.name() == name) {
            continue;
        }
        contenders.push(if let Ok(model) = name.parse::<Model>() {
            Contender::Model(Box::new(settings.settings(model, pairs, paper).check()?))
        } else if let Ok(baseline) = name.parse() {
            Contender::Baseline(baseline)
        } else {
            let known = Contender::names().chain(["models", "baselines", "all"]);
            let known = known.collect::<Vec<_>>().join(", ");
            return Err(dlfrm::Error::Unknown { what: "model", name, known }.into());
        });
    }
    Ok(contenders)
}

/// Refuses what cannot be judged. A relation that nothing can be learned from is left out, not refused, as long
/// as there is another one.
fn check(dataset: &Dataset, split: Protocol, negatives: Option<f64>) -> anyhow::Result<()> {
    let networks = || dataset.relations.iter().map(|relation| &relation.network);
    learn::check_size(networks(), split.ordered(), negatives)?;
    if networks().any(|network| learn::check(network).is_ok()) {
        return Ok(());
    }
    learn::check(&dataset.relations[0].network)
}

fn tell_skipped(relations: &RelationsFigures, runs: usize, common: &Common) {
    for relation in &relations.each {
        let judged = relation.runs_with_test_link;
        if judged < runs {
            let skipped = runs - judged;
            let runs = if skipped == 1 { "1 run".to_owned() } else { format!("{skipped} runs") };
            common.notice(&format!(
                "relation '{}' ({} links) has no test link in {runs} and is left out there",
                relation.relation, relation.links
            ));
        }
    }
}
