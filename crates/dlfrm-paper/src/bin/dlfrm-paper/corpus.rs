//! `dlfrm-paper corpus`: methods on a folder of networks, in one table by domain.

use std::io::Write;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use dlfrm::evaluate::MethodOptions;
use dlfrm::split::Protocol;
use dlfrm_paper::corpus::{CorpusFilter, CorpusRequest, CorpusResults, foreign_file};

use crate::reproduce::Watch;
use dlfrm_cli::args::{GlobalArgs, MemoryArgs, ModeArgs, SettingArgs, count, number, runs};
use dlfrm_cli::interrupt::{self, Stage};
use dlfrm_cli::{RunProgress, Stopped, counted, json, methods};

/// The arguments of `dlfrm-paper corpus`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dlfrm-paper corpus networks --methods ra,katz --max-nodes 100 -o figures
  dlfrm-paper corpus networks --methods diag-dlfrm-l,baselines --split pairs --domain Social,Biological --seed 31 -o figures

The folder has undirected edge lists with ids from 0, and a tab-separated file index.tsv with a header and the columns file, \
domain, nodes, links and name. Every method in every run of a network is a piece of work that is kept in the folder of -o \
as soon as it is done. The same command goes on where an earlier one ended. A network that cannot be evaluated is reported \
and left out.")]
pub(crate) struct CorpusArgs {
    /// The folder of the networks and their index
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// What to evaluate, by name, separated by commas, as --model of `dlfrm evaluate`
    #[arg(long, visible_alias = "model", value_name = "LIST", value_delimiter = ',', required = true)]
    methods: Vec<String>,
    /// Where tables, the chart and the pieces go
    #[arg(long, short, value_name = "FOLDER", default_value = "corpus")]
    output: PathBuf,
    /// Only networks of these domains, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    domain: Vec<String>,
    /// Only networks of at most so many nodes
    #[arg(long, value_name = "N", value_parser = count)]
    max_nodes: Option<usize>,
    /// Only the first so many of these networks
    #[arg(long, value_name = "N", value_parser = count)]
    limit: Option<usize>,
    /// What is held out, as in `dlfrm evaluate`: links, pairs, connected, paper-pairs or paper-links
    #[arg(long, value_name = "SPLIT", default_value_t = Protocol::Links)]
    split: Protocol,
    /// The part of the pairs, or of the links, that is held out
    #[arg(long, visible_alias = "test-share", value_name = "X", default_value_t = 0.2, value_parser = number)]
    test_fraction: f64,
    /// How many splits of each network to average over
    #[arg(long, value_name = "N", value_parser = runs, default_value_t = 1)]
    runs: usize,
    #[command(flatten)]
    modes: ModeArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    settings: SettingArgs,
}

pub(crate) fn run(args: &CorpusArgs, global: &GlobalArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let request = CorpusRequest {
        folder: args.folder.clone(),
        output: args.output.clone(),
        methods: args.methods.clone(),
        filter: CorpusFilter { domains: args.domain.clone(), max_nodes: args.max_nodes, limit: args.limit },
        split: args.split,
        test_fraction: args.test_fraction,
        runs: args.runs,
        bipartite: args.modes.bipartite(),
        settings: args.settings.0.clone(),
    };
    if let Some(file) = foreign_file(&args.output) {
        bail!("-o: {} is there and is not of dlfrm-paper corpus: name another folder", file.display());
    }
    let (settings, paper) = (args.settings.0.clone(), args.split.ordered());
    let options = MethodOptions { settings, paper, ..MethodOptions::default() };
    let methods = methods::named(&args.methods, &options)?;
    methods::report_settings(&methods, &args.methods, &options, false, global)?;
    let watch = Watch(RunProgress::new(global.quiet, args.runs));
    let plan = request.plan(&watch)?;
    args.memory.check(plan.memory(), global)?;
    interrupt::listen(Stopped::unfinished(None));
    // Pieces that are complete are kept in files: the piece at work is waited for.
    Stage::Kept.begins();
    let results = plan.run(&watch).map_err(crate::failure)?;
    Stage::Saving.begins();
    let files = results.write(&args.output)?;
    json::show(&results, args.json, out, |out| print(args, &results, &files, out))
}

fn print(
    args: &CorpusArgs,
    results: &CorpusResults,
    files: &[String],
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    writeln!(out, "{}", results.title())?;
    writeln!(
        out,
        "split {}, {} % held out, {}, seed {}",
        results.split,
        100.0 * results.test_fraction,
        counted(results.runs, "run"),
        results.seed
    )?;
    let table = results.by_domain();
    writeln!(out, "\n{}\n{}", table.heading, table.cells)?;
    for note in results.notes() {
        writeln!(out, "{note}")?;
    }
    writeln!(out, "saved to {}: {}", args.output.display(), files.join(", "))?;
    Ok(())
}
