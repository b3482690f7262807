//! `dlfrm evaluate`: one table of models and baselines on held-out pairs.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, bail};
use clap::Args;
use dlfrm::evaluate::{Evaluation, FittedMethod, Method, MethodOptions, RelationsFigures, Report};
use dlfrm::fit::{FittedModel, FittedRelation, check_network};
use dlfrm::model::Settings;
use dlfrm::network::{Network, Pair, Relation, Unlisted};
use dlfrm::random::run_seed;
use dlfrm::score::Measure;
use dlfrm::split::Split;
use dlfrm_io::Dataset;
use serde::Serialize;

use crate::args::{
    GlobalArgs, LESS_MEMORY, MemoryArgs, NetworkArgs, SettingArgs, SharingArgs, SideInfoArgs, load_noting,
};
use crate::commands::methods;
use crate::commands::splits::{ChosenSplits, SplitArgs};
use crate::failure::Stopped;
use crate::interrupt;
use crate::json;
use crate::pieces::{CheckpointArgs, KeptEvaluation, Pieces};
use crate::progress::EvaluationProgress;
use crate::summary::kind;
use crate::table::{Table, counted};

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
        let source = Source { dataset: &dataset, network, splits, test };
        methods.insert(0, Box::new(load_fitted(model, &source, global)?));
    }
    methods::report_settings(&methods, &names, &options, !args.side_info.is_empty(), global)?;
    methods::report_side_info(&methods, &args.side_info, global);
    check_scores(&args.scores, &evaluation, &methods, global)?;
    evaluation.check().with_context(file)?;
    let inputs: Vec<_> = args.network.files().into_iter().chain(args.side_info.files()).collect();
    args.split.write(&evaluation, &inputs, global)?;
    let pieces = args.pieces(&dataset.name)?;
    let progress = EvaluationProgress::new(global.quiet, evaluation.runs);
    let progress = KeptEvaluation::new(progress, pieces.as_ref(), &methods, &evaluation, global)?;
    interrupt::listen(Stopped::unfinished(None));
    let report = evaluation.run(&methods, &progress);
    let complete = report.as_ref().is_ok_and(|report| !report.interrupted);
    let unfinished = Stopped::unfinished(pieces.as_ref().and_then(|pieces| pieces.finish(complete, global)));
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
        print(&printed, &dataset, &splits, &columns(&args.scores), out)?;
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

/// The scores of a table by default.
pub(crate) const USUAL_COLUMNS: [Measure; 3] =
    [Measure::Auc, Measure::AveragePrecision, Measure::CalibrationError];

/// Prints all of it.
fn print(
    printed: &Printed<'_>,
    dataset: &Dataset,
    splits: &ChosenSplits,
    columns: &[Measure],
    out: &mut dyn Write,
) -> io::Result<()> {
    let network = &dataset.relations[0].network;
    let links: usize = dataset.relations.iter().map(|relation| relation.network.links().len()).sum();
    let kind = kind(network.directed(), network.modes().is_some());
    let several = printed.report.relations.as_ref();
    let relations = several.map_or(String::new(), |r| format!(", {} relations", r.each.len()));
    writeln!(out, "{}: {} nodes, {links} {kind} links{relations}", printed.network, network.len())?;
    writeln!(out, "{}, seed {}", splits.description(), printed.seed)?;
    if splits.ordered() && !network.directed() {
        writeln!(out, "(the reverse of most test links is in training: compare with the paper only)")?;
    }
    if printed.report.interrupted {
        writeln!(out, "{}", complete_runs(printed.report.complete_runs, printed.runs))?;
    }
    writeln!(out)?;
    write!(out, "{}", model_table(printed.report, columns))?;
    if let Some(relations) = several {
        writeln!(
            out,
            "\nAUC: mean over the relations with a test link; pooled: all their test pairs together"
        )?;
        writeln!(out, "\nAUC by relation")?;
        write!(out, "{}", relation_table(printed.report, relations))?;
    }
    Ok(())
}

/// What the figures of an evaluation that was interrupted are those of.
fn complete_runs(complete: usize, runs: usize) -> String {
    let of = counted(runs, "run");
    match complete {
        0 => format!(
            "(interrupted: 0 of {of} complete; the figures are those of the methods that ended the first one)"
        ),
        _ => format!("(interrupted: {complete} of {of} complete; the figures are those of complete runs)"),
    }
}

/// One line per method, with these scores. One of probabilities is left out if no method has it. The AUC comes with its
/// deviation over runs, or with its interval if there is one run.
pub(crate) fn model_table(report: &Report, scores: &[Measure]) -> Table {
    let pooled = report.relations.as_ref().map(|relations| &relations.pooled);
    let known = |measure: Measure| {
        let figures = || report.models.iter().filter_map(move |model| model.scores.get(measure));
        !measure.of_probabilities() || figures().any(|figure| figure.mean.is_some())
    };
    let scores: Vec<Measure> = scores.iter().copied().filter(|&measure| known(measure)).collect();
    let deviations = report
        .models
        .iter()
        .any(|model| model.scores.get(Measure::Auc).is_some_and(|figure| figure.sd.is_some()));
    let spread = if deviations { "sd" } else { "95 %" };
    let mut header = vec!["model".to_owned()];
    for &measure in &scores {
        header.push(title(measure));
        if measure == Measure::Auc {
            header.extend([spread].into_iter().chain(pooled.map(|_| "pooled")).map(str::to_owned));
        }
    }
    let mut table = Table::new(header.into_iter().chain(["K", "seconds"].map(str::to_owned)));
    for model in &report.models {
        let mut row = vec![model.model.clone()];
        for &measure in &scores {
            let figure = model.scores.get(measure).expect("what is shown is measured");
            row.push(four(figure.mean));
            if measure == Measure::Auc {
                let interval = figure.interval.map(|(low, high)| format!("{low:.4} to {high:.4}"));
                row.push(interval.unwrap_or_else(|| four(figure.sd)));
                row.extend(pooled.map(|pooled| format!("{:.4}", pooled[&model.model])));
            }
        }
        row.push(model.k_mean.map_or_else(|| "-".to_owned(), |k| format!("{k:.1}")));
        row.push(format!("{:.2}", model.seconds_mean));
        table.row(row);
    }
    table
}

/// Short names of usual scores stand in capitals.
fn title(measure: Measure) -> String {
    match measure {
        Measure::Auc | Measure::AveragePrecision | Measure::ReciprocalRank | Measure::CalibrationError => {
            measure.to_string().to_uppercase()
        }
        other => other.to_string(),
    }
}

fn relation_table(report: &Report, relations: &RelationsFigures) -> Table {
    let names = || report.models.iter().map(|figures| figures.model.as_str());
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

/// What a model is evaluated on, and the files that it comes from.
struct Source<'a> {
    dataset: &'a Dataset,
    network: &'a Path,
    splits: &'a [Split],
    test: &'a Path,
}

/// Loads a model to be source.
fn load_fitted(file: &Path, source: &Source<'_>, global: &GlobalArgs) -> anyhow::Result<FittedMethod> {
    let model = load_noting(file, global)?;
    let network = source.network.display();
    let relations = relations(&model, source).map_err(|difference| {
        anyhow::anyhow!("{} was not fitted to {network}: {difference}", file.display())
    })?;
    for ((relation, split), fitted) in source.dataset.relations.iter().zip(source.splits).zip(&relations) {
        if let Some(pair) = split.test.iter().find(|pair| learned(&relation.network, pair)) {
            bail!(
                "{}: the pair {} is one that {} learned from, as every pair that {network} does not list: list the test \
                 pairs there as unobserved (label ?) and fit again",
                source.test.display(),
                named(&relation.network, (pair.source, pair.target)),
                file.display()
            );
        }
        let known = fitted.map_or(Ok(()), |fitted| model.check_pairs(fitted, &split.test_pairs()));
        known.with_context(|| source.test.display().to_string())?;
    }
    let posteriors = relations.into_iter().map(|fitted| fitted.map(|fitted| fitted.posterior.clone()));
    Ok(FittedMethod { posteriors: posteriors.collect() })
}

/// Whether a pair that a network does not list is a non-link to learn from.
fn learned(network: &Network, pair: &Pair) -> bool {
    let listed = network.unobserved().binary_search(&(pair.source, pair.target)).is_ok();
    network.unlisted() == Unlisted::NonLink && !listed
}

/// The fit of each relation of the network, none for relations that can neither be fitted nor have test pairs; or the first
/// difference between model and network.
fn relations<'a>(
    model: &'a FittedModel,
    source: &Source<'_>,
) -> Result<Vec<Option<&'a FittedRelation>>, &'static str> {
    let networks = &source.dataset.relations;
    whole(model, &networks[0].network)?;
    if model.relations.iter().any(|known| !networks.iter().any(|relation| relation.name == known.name)) {
        return Err("relations differ");
    }
    let mut found = Vec::with_capacity(networks.len());
    for (relation, split) in networks.iter().zip(source.splits) {
        let fitted = model.relations.iter().find(|known| known.name == relation.name);
        match fitted {
            Some(fitted) => same(fitted, relation)?,
            None if split.test.is_empty() && check_network(&relation.network).is_err() => {}
            None => return Err("relations differ"),
        }
        found.push(fitted);
    }
    Ok(found)
}

/// How nodes and directions differ, if they do.
fn whole(model: &FittedModel, network: &Network) -> Result<(), &'static str> {
    if model.directed != network.directed() {
        Err("links have a direction in one of them only")
    } else if model.nodes.names() != network.nodes().names() {
        Err("nodes, or their order, differ (--nodes names them)")
    } else if model.modes() != network.modes() {
        Err("rows and columns are other nodes")
    } else {
        Ok(())
    }
}

/// How the pairs that were learned from differ from those of a network, as far as a model file shows.
fn same(fitted: &FittedRelation, Relation { network, .. }: &Relation) -> Result<(), &'static str> {
    // A model file has the number of non-links that were learned from, unless they were sampled, but not which.
    let all = fitted.posterior.non_link_share() == 1.0;
    if fitted.links[..] != *network.links() || all && fitted.observed != network.observed_count() {
        return Err("links, or pairs that were learned from, differ");
    }
    Ok(())
}

fn named(network: &Network, (source, target): (u32, u32)) -> String {
    let [source, target] = [source, target].map(|node| network.nodes().name(node));
    format!("'{source}', '{target}'")
}
