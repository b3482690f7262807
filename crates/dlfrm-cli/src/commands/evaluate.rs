//! `dlfrm evaluate`: one table of models and baselines on held-out pairs.

mod fitted;
pub mod methods;
mod split_args;
mod text;

use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, bail};
use clap::Args;
use dlfrm::evaluate::{Evaluation, Method, MethodOptions, RelationsFigures, Report};
use dlfrm::model::Settings;
use dlfrm::random::run_seed;
use dlfrm::score::Measure;
use serde::Serialize;

use crate::args::{GlobalArgs, LESS_MEMORY, MemoryArgs, NetworkArgs, SettingArgs, SharingArgs, SideInfoArgs};
use crate::evaluation_progress::EvaluationProgress;
use crate::failure::Unfinished;
use crate::interrupt;
use crate::json;
use crate::pieces::{CheckpointArgs, KeptEvaluation, Pieces};
use crate::table::counted;

use split_args::SplitArgs;

pub(crate) use text::{USUAL_COLUMNS, model_table};

/// The arguments of `dlfrm evaluate`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dlfrm evaluate friends.tsv --undirected
  dlfrm evaluate nips234.tsv.gz --undirected --nodes 234 --split paper-pairs --model models
  dlfrm evaluate kinship.tsv.gz --columns relation,source,target --model dlfrm-l,cn --runs 3 --json
  dlfrm evaluate friends.tsv --undirected --scores auc,hits@20,mrr,log-loss
  dlfrm evaluate friends.tsv --undirected --folds 5 --write-splits splits
  dlfrm evaluate splits/run-1-train.tsv --undirected --nodes splits/nodes.txt --test splits/run-1-test.tsv
  dlfrm evaluate train.tsv --fitted train.dlfrm --test test.tsv
  dlfrm evaluate gowalla.tsv.gz --undirected --nodes 196591 --split links --test-negatives hard --model baselines

Every model and baseline sees the same splits. A relation without a test link in a run is left out of that run.")]
pub(crate) struct EvaluateArgs {
    #[command(flatten)]
    network: NetworkArgs,
    #[arg(long, value_name = "LIST", value_delimiter = ',', help = methods::help())]
    model: Vec<String>,
    /// Scores in the table, separated by commas: auc, ap, hits@K, precision@K, mrr, log-loss, brier, ece; those of
    /// probabilities (log-loss, brier, ece) have no figure for baselines, and none where links are held out [default:
    /// auc,ap,ece]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = Measure::from_str)]
    scores: Vec<Measure>,
    /// Print JSON, which has the usual scores and those of --scores
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    sharing: SharingArgs,
    /// Evaluate a model that `dlfrm fit` saved: it must have been fitted to NETWORK, which must have the test pairs as
    /// unobserved
    #[arg(long, value_name = "MODEL", requires = "test", hide_short_help = true)]
    fitted: Option<PathBuf>,
    #[command(flatten)]
    side_info: SideInfoArgs,
    #[command(flatten)]
    split: SplitArgs,
    #[command(flatten)]
    checkpoint: CheckpointArgs,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    settings: SettingArgs,
}

/// The one object of `--json`.
#[derive(Debug, Serialize)]
struct Printed<'a> {
    network: &'a str,
    split: &'static str,
    runs: usize,
    test_fraction: Option<f64>,
    folds: Option<usize>,
    test_negatives: Option<&'static str>,
    seed: u64,
    #[serde(flatten)]
    report: &'a Report,
}

pub(crate) fn run(args: &EvaluateArgs, global: &GlobalArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    // Mistakes in names and settings are reported before the network is read; the split decides the defaults.
    let names = match &args.model[..] {
        [] if args.fitted.is_none() => methods::usual(),
        names => names.to_vec(),
    };
    let chosen = MethodOptions { settings: args.settings.0.clone(), ..MethodOptions::default() };
    methods::named(&names, &chosen)?;
    args.split.check()?;
    args.network.check_standard_input(args.split.with_flags().chain(args.side_info.with_flags()))?;
    let dataset = args.network.read(global)?;
    let file = || args.network.network.display().to_string();
    let seed = args.settings.0.over(Settings::default()).seed;
    let splits = args.split.splits(&dataset, run_seed(seed, 0), global)?;
    let evaluation = Evaluation {
        side_info: args.side_info.read(&dataset, global)?,
        splits: splits.source(),
        runs: splits.runs,
        seed,
        measures: measures(&args.scores),
        intervals: splits.runs == 1,
        ..Evaluation::new(&dataset.relations)
    };
    evaluation.check_relations().with_context(file)?;
    args.sharing.check(&dataset).with_context(file)?;
    let sharing = evaluation.sharing(args.sharing.sharing()).with_context(file)?;
    let options = MethodOptions { settings: chosen.settings, sharing, ..evaluation.method_options() };
    let mut methods = methods::named(&names, &options)?;
    methods::report_left_out(&methods, &names, global);
    let memory = evaluation.memory(methods.iter().map(|method| &**method));
    args.memory.check(memory, LESS_MEMORY, global).with_context(file)?;
    if let (Some(model), Some((test, splits))) = (&args.fitted, splits.files()) {
        let network = &args.network.network;
        let source = fitted::Source { dataset: &dataset, network, splits, test };
        methods.insert(0, Box::new(fitted::load(model, &source, global)?));
    }
    methods::report_settings(&methods, &names, &options, !args.side_info.is_empty(), global)?;
    methods::report_side_info(&methods, &args.side_info, global);
    if dataset.relations[0].network.modes().is_some() {
        methods::report_common_neighbours(&methods, global);
    }
    if splits.files().is_some() {
        methods::report_same_runs(&methods, splits.runs, global);
    }
    check_scores(&args.scores, &evaluation, &methods, global)?;
    evaluation.check().with_context(file)?;
    let inputs: Vec<_> = args.network.files().into_iter().chain(args.side_info.files()).collect();
    args.split.write(&evaluation, &inputs, global)?;
    let pieces = args.pieces(&dataset.name)?;
    let progress = EvaluationProgress::new(global.quiet, evaluation.runs);
    let progress = KeptEvaluation::new(progress, pieces.as_ref(), &methods, &evaluation, global)?;
    interrupt::listen(Unfinished::default());
    let report = evaluation.run(&methods, &progress);
    let complete = report.as_ref().is_ok_and(|report| !report.interrupted);
    let unfinished = Unfinished { kept: pieces.as_ref().and_then(|pieces| pieces.finish(complete, global)) };
    let report = match report {
        Err(dlfrm::Error::Interrupted) => return Err(unfinished.into()),
        report => report.with_context(file)?,
    };
    if let Some(relations) = &report.relations {
        report_skipped(relations, report.complete_runs.max(1), global);
    }
    let (test_fraction, folds) = splits.held_out();
    let printed = Printed {
        network: &dataset.name,
        split: splits.name(),
        runs: evaluation.runs,
        test_fraction,
        folds,
        test_negatives: splits.test_negatives(),
        seed,
        report: &report,
    };
    if args.json {
        json::print(&printed, out)?;
    } else {
        text::print(&printed, &dataset, &splits, &columns(&args.scores), out)?;
    }
    // What was complete is printed; the exit code says that it is not all.
    if report.interrupted { Err(unfinished.into()) } else { Ok(()) }
}

impl EvaluateArgs {
    /// What is finished of the same evaluation, if it is kept.
    fn pieces(&self, name: &str) -> anyhow::Result<Option<Pieces>> {
        let Self { network, sharing, side_info, split, settings, fitted, .. } = self;
        let arguments = serde_json::json!({
            "network": network.decisive(),
            "split": split.decisive(),
            "side-info": side_info.decisive(),
            "sharing": sharing.sharing(),
            "fitted": fitted,
            "scores": measures(&self.scores).iter().map(Measure::to_string).collect::<Vec<_>>(),
            "settings": settings.0,
        });
        let files = network.files().into_iter().chain(side_info.files()).chain(split.files());
        self.checkpoint.pieces("evaluate", name, &arguments, files.chain(fitted.as_deref()))
    }
}

/// Says which of the scores that are asked for do not exist; an error if none is left.
fn check_scores(
    asked: &[Measure],
    evaluation: &Evaluation<'_>,
    methods: &[Box<dyn Method>],
    global: &GlobalArgs,
) -> anyhow::Result<()> {
    let why = if evaluation.splits.sampled() {
        "where links are held out: the share of links is another one among test pairs than in the network"
    } else if methods.iter().any(|method| method.probabilities()) {
        return Ok(());
    } else {
        "of baselines: they rank pairs and give no probabilities"
    };
    let lost: Vec<String> =
        columns(asked).iter().filter(|measure| measure.of_probabilities()).map(Measure::to_string).collect();
    let remark = format!("there is no {} {why}", lost.join(", "));
    match (asked.len(), lost.len()) {
        (0, _) | (_, 0) => {}
        (_, lost) if lost == columns(asked).len() => bail!("--scores: {remark}"),
        _ => global.warning(&remark),
    }
    Ok(())
}

/// The usual scores, and the further ones of `--scores`.
fn measures(asked: &[Measure]) -> Vec<Measure> {
    let mut all = Measure::USUAL.to_vec();
    for &measure in asked {
        if !all.contains(&measure) {
            all.push(measure);
        }
    }
    all
}

/// The scores that the table has, each once.
fn columns(asked: &[Measure]) -> Vec<Measure> {
    let asked = if asked.is_empty() { &USUAL_COLUMNS } else { asked };
    let mut columns = vec![];
    for &measure in asked {
        if !columns.contains(&measure) {
            columns.push(measure);
        }
    }
    columns
}

fn report_skipped(relations: &RelationsFigures, runs: usize, global: &GlobalArgs) {
    for relation in &relations.each {
        let evaluated = relation.runs_with_test_link;
        if evaluated < runs {
            let skipped = runs - evaluated;
            global.warning(&format!(
                "relation '{}' ({}) has no test link in {} and is left out there",
                relation.relation,
                counted(relation.links, "link"),
                counted(skipped, "run")
            ));
        }
    }
}
