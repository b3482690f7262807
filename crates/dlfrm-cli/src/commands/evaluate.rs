//! `dlfrm evaluate`: one table of models and baselines on held-out pairs.

use std::io::{self, Write};

use anyhow::{Context, bail};
use clap::Args;
use dlfrm::baseline::Baseline;
use dlfrm::model::{Model, Settings};
use dlfrm::network::Protocol;
use dlfrm_io::Dataset;
use serde::Serialize;

use crate::args::{Common, GivenArgs, MemoryArgs, NetworkArgs, SettingArgs};
use crate::evaluation::{Contender, Evaluation, Plan, RelationsFigures, evaluate};
use crate::evaluation_progress::EvaluationProgress;
use crate::failure::Unfinished;
use crate::table::Table;
use crate::{interrupt, learn};

/// The arguments of `dlfrm evaluate`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dlfrm evaluate friends.tsv --undirected
  dlfrm evaluate nips234.tsv.gz --undirected --entities 234 --split paper-pairs --model models
  dlfrm evaluate kinship.tsv.gz --columns relation,source,target --model dlfrm-l,cn --runs 3 --json

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
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Let all relations have the same features, and weights of their own
    #[arg(long)]
    share_features: bool,
    #[command(flatten)]
    given: GivenArgs,
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
    if args.share_features && dataset.relations.len() == 1 {
        bail!("--share-features: {} has one relation", file());
    }
    let given = args.given.read(&dataset, common)?;
    let seed = args.settings.settings(Settings::default().model, 0, false).seed;
    let plan = Plan {
        relations: &dataset.relations,
        given: &given,
        share_features: args.share_features,
        protocol: split,
        test_fraction,
        negatives: args.negatives,
        runs: args.runs,
        seed,
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
        print(&told, &dataset, split, out)?;
    }
    Ok(())
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

fn print(told: &Told, dataset: &Dataset, split: Protocol, out: &mut impl Write) -> io::Result<()> {
    let network = &dataset.relations[0].network;
    let links: usize = dataset.relations.iter().map(|relation| relation.network.links().len()).sum();
    let kind = if network.directed() { "directed" } else { "undirected" };
    let several = told.evaluation.relations.as_ref();
    let relations = several.map_or(String::new(), |r| format!(", {} relations", r.each.len()));
    writeln!(out, "{}: {} entities, {links} {kind} links{relations}", told.network, network.len())?;
    let percent = 100.0 * told.test_fraction;
    let runs = if told.runs == 1 { "1 run".to_owned() } else { format!("{} runs", told.runs) };
    let of = if split.samples() { " of the links" } else { "" };
    writeln!(out, "split {split}, {percent} %{of} held out, {runs}, seed {}", told.seed)?;
    if split.ordered() && !network.directed() {
        writeln!(out, "(the reverse of most test links is in training: compare with the paper only)")?;
    }
    writeln!(out)?;
    write!(out, "{}", model_table(told.evaluation))?;
    if let Some(relations) = several {
        writeln!(
            out,
            "\nAUC: mean over the relations with a test link; pooled: all their test pairs together"
        )?;
        writeln!(out, "\nAUC by relation")?;
        write!(out, "{}", relation_table(told.evaluation, relations))?;
    }
    Ok(())
}

/// One line a contender.
pub(super) fn model_table(evaluation: &Evaluation) -> Table {
    let pooled = evaluation.relations.as_ref().map(|relations| &relations.pooled);
    let header = ["model", "AUC", "sd"].into_iter().chain(pooled.map(|_| "pooled"));
    let calibrated = evaluation.models.iter().any(|figures| figures.calibration_error_mean.is_some());
    let header = header.chain(["AP"]).chain(calibrated.then_some("ECE"));
    let mut table = Table::new(header.chain(["K", "seconds"]));
    for figures in &evaluation.models {
        let pooled = pooled.map(|pooled| format!("{:.4}", pooled[figures.model]));
        let begin = [figures.model.to_owned(), format!("{:.4}", figures.auc_mean), four(figures.auc_sd)];
        let precision = std::iter::once(format!("{:.4}", figures.ap_mean))
            .chain(calibrated.then(|| four(figures.calibration_error_mean)));
        let end = [
            figures.k_mean.map_or_else(|| "-".to_owned(), |k| format!("{k:.1}")),
            format!("{:.2}", figures.seconds_mean),
        ];
        table.row(begin.into_iter().chain(pooled).chain(precision).chain(end));
    }
    table
}

fn relation_table(evaluation: &Evaluation, relations: &RelationsFigures) -> Table {
    let names = || evaluation.models.iter().map(|figures| figures.model);
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
