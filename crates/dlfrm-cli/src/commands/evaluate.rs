//! `dlfrm evaluate`: one table of models and baselines on held-out pairs.

pub(super) mod contenders;
mod fitted;
mod split_args;
mod text;

use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::Context;
use clap::Args;
use dlfrm::covariates::SideInfo;
use dlfrm::model::Settings;
use dlfrm::random::run_seed;
use dlfrm::score::Measure;
use dlfrm_io::Dataset;
use serde::Serialize;

use crate::args::{GlobalArgs, MemoryArgs, NetworkArgs, SettingArgs, SharingArgs, SideInfoArgs};
use crate::evaluation::{Contender, Evaluation, Plan, RelationsFigures, evaluate};
use crate::evaluation_progress::EvaluationProgress;
use crate::failure::Unfinished;
use crate::{interrupt, learn};

use split_args::SplitArgs;

pub(super) use text::{USUAL_COLUMNS, model_table};

/// The arguments of `dlfrm evaluate`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dlfrm evaluate friends.tsv --undirected
  dlfrm evaluate nips234.tsv.gz --undirected --entities 234 --split paper-pairs --model models
  dlfrm evaluate kinship.tsv.gz --columns relation,source,target --model dlfrm-l,cn --runs 3 --json
  dlfrm evaluate friends.tsv --undirected --scores auc,hits@20,mrr,log-loss
  dlfrm evaluate friends.tsv --undirected --folds 5 --write-splits splits
  dlfrm evaluate splits/run-1-train.tsv --undirected --entities splits/entities.txt --test splits/run-1-test.tsv
  dlfrm evaluate train.tsv --fitted train.dlfrm --test test.tsv
  dlfrm evaluate gowalla.tsv.gz --undirected --entities 196591 --split links --test-negatives hard --model baselines

Every model and baseline sees the same splits. A relation without a test link in a run is left out of that run.")]
pub(crate) struct EvaluateArgs {
    #[command(flatten)]
    network: NetworkArgs,
    #[arg(long, value_name = "LIST", value_delimiter = ',', help = contenders::help())]
    model: Vec<String>,
    /// Scores in the table, separated by commas: auc, ap, hits@K, precision@K, mrr, log-loss, brier, ece; those of
    /// probabilities (log-loss, brier, ece) have no figure for baselines, and none where links are held out [default:
    /// auc,ap,ece]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = Measure::from_str)]
    scores: Vec<Measure>,
    /// Print JSON, which has the usual scores and those that are asked for
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    sharing: SharingArgs,
    /// Judge a model that `dlfrm fit` saved: it must have been fitted to NETWORK, which must have the test pairs as
    /// unobserved
    #[arg(long, value_name = "MODEL", requires = "test")]
    fitted: Option<PathBuf>,
    #[command(flatten)]
    given: SideInfoArgs,
    #[command(flatten)]
    split: SplitArgs,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    settings: SettingArgs,
}

/// The one object of `--json`.
#[derive(Debug, Serialize)]
struct Told<'a> {
    network: &'a str,
    split: &'static str,
    runs: usize,
    test_fraction: Option<f64>,
    folds: Option<usize>,
    test_negatives: Option<&'static str>,
    seed: u64,
    #[serde(flatten)]
    evaluation: &'a Evaluation,
}

pub(crate) fn run(args: &EvaluateArgs, common: &GlobalArgs, out: &mut impl Write) -> anyhow::Result<()> {
    // Mistakes in names and settings are told before the network is read; the split decides the defaults.
    let names = match &args.model[..] {
        [] if args.fitted.is_none() => contenders::usual(),
        names => names.to_vec(),
    };
    let attributes = args.given.has_attributes();
    contenders::named(&names, &args.settings, false, 0, attributes)?;
    args.split.check()?;
    let dataset = args.network.read(common)?;
    let file = || args.network.network.display().to_string();
    let networks = || dataset.relations.iter().map(|relation| &relation.network);
    let seed = args.settings.settings(Settings::default().model, 0, false).seed;
    let division = args.split.division(&dataset, run_seed(seed, 0))?;
    let (ordered, negatives) = (division.ordered, division.negatives);
    check(&dataset, ordered, negatives).with_context(file)?;
    let pairs = learn::most_pairs(networks(), ordered, negatives) * division.train_share;
    let mut contenders = contenders::named(&names, &args.settings, ordered, pairs as usize, attributes)?;
    let given = args.given.read(&dataset, common)?;
    let bytes = memory(&dataset, &contenders, ordered, negatives, &given);
    args.memory.check(bytes, common).with_context(file)?;
    if let (Some(model), Some((test, splits))) = (&args.fitted, division.files()) {
        let network = &args.network.network;
        let judged = fitted::Judged { dataset: &dataset, network, splits, test };
        contenders.insert(0, fitted::load(model, &judged)?);
    }
    let sharing = args.sharing.sharing(&dataset, &args.network.network, pairs, ordered)?;
    let (runs, measures) = (division.runs, measures(&args.scores));
    let plan = Plan {
        relations: &dataset.relations,
        given: &given,
        sharing,
        splits: division.splits(),
        runs,
        seed,
        measures: &measures,
        intervals: runs == 1,
    };
    plan.check().with_context(file)?;
    args.split.write(&plan)?;
    interrupt::listen()?;
    let evaluation = evaluate(&plan, &contenders, &EvaluationProgress::new(common, runs))
        .map_err(|error| if error.is::<Unfinished>() { error } else { error.context(file()) })?;
    if let Some(relations) = &evaluation.relations {
        tell_skipped(relations, runs, common);
    }
    let (test_fraction, folds) = division.held_out();
    let told = Told {
        network: &dataset.name,
        split: division.name(),
        runs,
        test_fraction,
        folds,
        test_negatives: division.test_negatives(),
        seed,
        evaluation: &evaluation,
    };
    if args.json {
        serde_json::to_writer_pretty(&mut *out, &told)?;
        writeln!(out)?;
    } else {
        text::print(&told, &dataset, &division, columns(&args.scores), out)?;
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

/// Refuses what cannot be judged. A relation that nothing can be learned from is left out, not refused, as long
/// as there is another one.
pub(super) fn check(dataset: &Dataset, ordered: bool, negatives: Option<f64>) -> anyhow::Result<()> {
    let networks = || dataset.relations.iter().map(|relation| &relation.network);
    learn::check_size(networks(), ordered, negatives)?;
    if networks().any(|network| learn::check(network).is_ok()) {
        return Ok(());
    }
    learn::check(&dataset.relations[0].network)
}

/// The bytes that the largest fit of some contenders takes.
pub(super) fn memory<'a>(
    dataset: &Dataset,
    contenders: impl IntoIterator<Item = &'a Contender>,
    ordered: bool,
    negatives: Option<f64>,
    given: &SideInfo,
) -> f64 {
    let networks = || dataset.relations.iter().map(|relation| &relation.network);
    let settings = contenders.into_iter().filter_map(Contender::settings);
    settings
        .map(|settings| learn::memory(networks(), ordered, negatives, given, settings))
        .fold(0.0, f64::max)
}

fn tell_skipped(relations: &RelationsFigures, runs: usize, common: &GlobalArgs) {
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
