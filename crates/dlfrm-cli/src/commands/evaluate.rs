//! `dlfrm evaluate`: one table of models and baselines on held-out pairs.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{bail, ensure};
use clap::Args;
use dlfrm::evaluate::{Evaluation, Figure, FittedMethod, Method, MethodOptions, RelationsFigures, Report};
use dlfrm::fit::check_network;
use dlfrm::model::Settings;
use dlfrm::network::{Relation, Unlisted};
use dlfrm::random::run_seed;
use dlfrm::score::Measure;
use dlfrm::split::Split;
use dlfrm_io::Dataset;
use serde_json::json;

use crate::args::{
    GlobalArgs, MemoryArgs, NetworkArgs, Of, SettingArgs, SharingArgs, SideInfoArgs, load_model,
};
use crate::commands::methods;
use crate::commands::splits::{self, SplitArgs};
use crate::pieces::{CheckpointArgs, Pieces};
use crate::progress::RunProgress;
use crate::summary::kind;
use crate::table::{Table, cell};
use crate::terminal::Stopped;
use crate::words::counted;
use crate::{interrupt, json};

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

pub(crate) fn run(args: &EvaluateArgs, global: &GlobalArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    // Mistakes in names and settings are reported before the network is read; the split decides the defaults.
    let names = match &args.model[..] {
        [] if args.fitted.is_none() => methods::usual(),
        names => names.to_vec(),
    };
    let settings = args.settings.0.clone();
    methods::named(&names, &MethodOptions { settings: settings.clone(), ..MethodOptions::default() })?;
    args.split.check()?;
    let file = &args.network.network;
    let dataset = args.network.read(global)?;
    let seed = settings.over(Settings::default()).seed;
    let from_files = args.split.read(&dataset, run_seed(seed, 0), global)?;
    let splits = args.split.splits(&dataset, from_files.as_deref())?;
    let evaluation = Evaluation {
        side_info: args.side_info.read(&dataset, global)?,
        splits,
        runs: args.split.runs(),
        seed,
        measures: methods::distinct(Measure::USUAL.into_iter().chain(args.scores.clone())),
        intervals: args.split.runs() == 1,
        ..Evaluation::new(&dataset.relations)
    };
    evaluation.check_relations().of(file)?;
    args.sharing.check(&dataset).of(file)?;
    let sharing = evaluation.sharing(args.sharing.sharing()).of(file)?;
    let options = MethodOptions { settings, sharing, ..evaluation.method_options() };
    let mut methods = methods::named(&names, &options)?;
    let memory = evaluation.memory(methods.iter().map(|method| &**method));
    args.memory.check(memory, global).of(file)?;
    if let (Some(model), Some(test), Some(splits)) = (&args.fitted, args.split.files().next(), &from_files) {
        methods.insert(0, Box::new(load_fitted(model, &dataset, file, test, splits)?));
    }
    methods::report_settings(&methods, &names, &options, !args.side_info.is_empty(), global)?;
    methods::report_side_info(&methods, &args.side_info, global);
    let columns =
        if args.scores.is_empty() { USUAL_COLUMNS.to_vec() } else { methods::distinct(args.scores.clone()) };
    if !args.scores.is_empty() {
        check_scores(&columns, &evaluation, &methods, global)?;
    }
    evaluation.check().of(file)?;
    let inputs: Vec<_> = args.network.files().into_iter().chain(args.side_info.files()).collect();
    args.split.write(&evaluation, &inputs, global)?;
    let pieces = args.pieces(&dataset.name)?;
    pieces.as_ref().map_or(Ok(()), |pieces| pieces.check(&methods, evaluation.runs, global))?;
    let mut progress = RunProgress::new(global.quiet, evaluation.runs);
    progress.kept = pieces.as_ref();
    interrupt::listen(Stopped::unfinished(None));
    let report = evaluation.run(&methods, &progress);
    let complete = report.as_ref().is_ok_and(|report| !report.interrupted);
    let unfinished = Stopped::unfinished(pieces.as_ref().and_then(|pieces| pieces.finish(complete, global)));
    let report = match report {
        Err(dlfrm::Error::Interrupted) => bail!(unfinished),
        report => report.of(file)?,
    };
    if let Some(relations) = &report.relations {
        report_skipped(relations, report.complete_runs.max(1), global);
    }
    let mut printed = json!(report);
    let read = json!(dataset.report);
    let own = [("network", json!(dataset.name)), ("runs", json!(evaluation.runs)), ("seed", json!(seed))];
    for (name, value) in own.into_iter().chain([("read", read)]).chain(splits::facts(&splits)) {
        printed[name] = value;
    }
    json::show(&printed, args.json, out, |out| {
        Ok(print(&report, &evaluation, &dataset, &args.split.description(&splits), &columns, out)?)
    })?;
    // What was complete is printed; the exit code says that it is not all.
    if report.interrupted {
        bail!(unfinished);
    }
    Ok(())
}

impl EvaluateArgs {
    fn pieces(&self, name: &str) -> anyhow::Result<Option<Pieces>> {
        let Self { network, sharing, side_info, split, settings, fitted, .. } = self;
        let scores = methods::distinct(Measure::USUAL.into_iter().chain(self.scores.clone()));
        let arguments = json!({
            "network": network.decisive(),
            "split": split.decisive(),
            "side-info": side_info.decisive(),
            "sharing": sharing.sharing(),
            "fitted": fitted,
            "scores": scores.iter().map(Measure::to_string).collect::<Vec<_>>(),
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
        asked.iter().filter(|score| score.of_probabilities()).map(Measure::to_string).collect();
    let warning = format!("there is no {} {why}", lost.join(", "));
    if lost.len() == asked.len() {
        bail!("--scores: {warning}");
    }
    if !lost.is_empty() {
        global.warning(&warning);
    }
    Ok(())
}

fn report_skipped(relations: &RelationsFigures, runs: usize, global: &GlobalArgs) {
    for relation in relations.each.iter().filter(|relation| relation.runs_with_test_link < runs) {
        global.warning(&format!(
            "relation '{}' ({}) has no test link in {} and is left out there",
            relation.relation,
            counted(relation.links, "link"),
            counted(runs - relation.runs_with_test_link, "run")
        ));
    }
}

pub(crate) const USUAL_COLUMNS: [Measure; 3] =
    [Measure::Auc, Measure::AveragePrecision, Measure::CalibrationError];

fn print(
    report: &Report,
    evaluation: &Evaluation<'_>,
    dataset: &Dataset,
    split: &str,
    columns: &[Measure],
    out: &mut dyn Write,
) -> io::Result<()> {
    let network = &dataset.relations[0].network;
    let links: usize = dataset.relations.iter().map(|relation| relation.network.links().len()).sum();
    let kind = kind(network.directed(), network.modes().is_some());
    let several = report.relations.as_ref();
    let relations = several.map_or(String::new(), |r| format!(", {} relations", r.each.len()));
    writeln!(out, "{}: {} nodes, {links} {kind} links{relations}", dataset.name, network.len())?;
    writeln!(out, "{split}, seed {}", evaluation.seed)?;
    if splits::options(&evaluation.splits).is_some_and(|(options, _)| options.protocol.ordered())
        && !network.directed()
    {
        writeln!(out, "(the reverse of most test links is in training: compare with the paper only)")?;
    }
    if report.interrupted {
        let complete = report.complete_runs;
        let of = if complete == 0 { "the methods that ended the first one" } else { "complete runs" };
        let runs = counted(evaluation.runs, "run");
        writeln!(out, "(interrupted: {complete} of {runs} complete; the figures are those of {of})")?;
    }
    write!(out, "\n{}", model_table(report, columns))?;
    if let Some(relations) = several {
        let pooled = "pooled: all their test pairs together";
        writeln!(out, "\nAUC: mean over the relations with a test link; {pooled}\n\nAUC by relation")?;
        write!(out, "{}", relation_table(report, relations))?;
    }
    Ok(())
}

/// One line per method, with these scores. One of probabilities is left out if no method has it. The AUC comes with its
/// deviation over runs, or with its interval if there is one run.
pub(crate) fn model_table(report: &Report, scores: &[Measure]) -> Table {
    let pooled = report.relations.as_ref().map(|relations| &relations.pooled);
    let any = |measure, has: fn(&Figure) -> bool| {
        report.models.iter().filter_map(|model| model.scores.get(measure)).any(|figure| has(&figure))
    };
    let known =
        |&measure: &Measure| !measure.of_probabilities() || any(measure, |figure| figure.mean.is_some());
    let scores: Vec<Measure> = scores.iter().copied().filter(known).collect();
    let spread = if any(Measure::Auc, |figure| figure.sd.is_some()) { "sd" } else { "95 %" };
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
            row.push(cell(figure.mean, 4));
            if measure == Measure::Auc {
                let interval = figure.interval.map(|(low, high)| format!("{low:.4} to {high:.4}"));
                row.push(interval.unwrap_or_else(|| cell(figure.sd, 4)));
                row.extend(pooled.map(|pooled| format!("{:.4}", pooled[&model.model])));
            }
        }
        row.push(cell(model.k_mean, 1));
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
        table.row(begin.into_iter().chain(names().map(|name| cell(relation.auc_mean[name], 4))));
    }
    table
}

/// Loads a model that was fitted to the network without the test pairs.
fn load_fitted(
    file: &Path,
    dataset: &Dataset,
    network: &Path,
    test: &Path,
    splits: &[Split],
) -> anyhow::Result<FittedMethod> {
    let model = load_model(file)?;
    let (file, shown) = (file.display(), network.display());
    let check = |same: bool, difference: &str| {
        ensure!(same, "{file} was not fitted to {shown}: {difference}");
        Ok(())
    };
    let Dataset { relations, .. } = dataset;
    let first = &relations[0].network;
    check(model.directed == first.directed(), "links have a direction in one of them only")?;
    let nodes = model.nodes.names() == first.nodes().names() && model.modes() == first.modes();
    check(nodes, "nodes, or their order, differ (--nodes names them)")?;
    let known = |name| relations.iter().any(|relation| relation.name == name);
    check(model.relations.iter().all(|fitted| known(fitted.name.clone())), "relations differ")?;
    let mut posteriors = Vec::with_capacity(relations.len());
    for (Relation { name, network }, split) in relations.iter().zip(splits) {
        let Some(fitted) = model.relations.iter().find(|fitted| fitted.name == *name) else {
            // A relation that can neither be fitted nor has test pairs is missing in every model.
            check(split.test.is_empty() && check_network(network).is_err(), "relations differ")?;
            posteriors.push(None);
            continue;
        };
        // A model file has the number of non-links that were learned from, unless they were sampled, but not which.
        let all = fitted.posterior.non_link_share() < 1.0 || fitted.observed == network.observed_count();
        check(fitted.links[..] == *network.links() && all, "links, or pairs that were learned from, differ")?;
        let unobserved = |pair: &(u32, u32)| network.unobserved().binary_search(pair).is_ok();
        let pairs = split.test_pairs();
        let learned = pairs.iter().find(|pair| network.unlisted() == Unlisted::NonLink && !unobserved(pair));
        if let Some(&(source, target)) = learned {
            let [source, target] = [source, target].map(|node| network.nodes().name(node));
            bail!(
                "{}: the pair '{source}', '{target}' is one that {file} learned from, as every pair that {shown} does not list: \
                 list the test pairs there as unobserved (label ?) and fit again",
                test.display()
            );
        }
        model.check_pairs(fitted, &pairs).of(test)?;
        posteriors.push(Some(fitted.posterior.clone()));
    }
    Ok(FittedMethod { posteriors })
}
