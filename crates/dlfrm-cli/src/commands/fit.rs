//! `dlfrm fit`: fits a model, saves it, and prints a summary.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;
use dlfrm::covariates::SideInfo;
use dlfrm::fit::{Fit, FitOptions, FittedRelation};
use dlfrm::model::{Model, Settings};
use dlfrm_io::model_file::{CheckpointFile, check_writable, is_model};
use dlfrm_io::{Dataset, load_model};

use crate::args::{
    ControlArgs, GlobalArgs, LESS_MEMORY, MemoryArgs, NetworkArgs, SettingArgs, SharingArgs, SideInfoArgs,
    check_checkpoint, check_distinct, check_model_output, check_trace_output, former, model_help, number,
};
use crate::run::Run;

/// The arguments of `dlfrm fit`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dlfrm fit friends.tsv --undirected -o friends.dlfrm
  dlfrm fit webkb.tsv.gz --nodes 877 --node-attributes webkb-words.tsv.gz -o webkb.dlfrm

Ctrl-C ends the fit (exit code 130) and saves its draws; before the first one (trials, covariates and the burn-in come first) \
there is none. However a fit ends, 'dlfrm resume MODEL' goes on with it.")]
pub(crate) struct FitArgs {
    /// Where the model is saved; a model that is there is replaced [default: the network's name with .dlfrm]
    #[arg(long, short, value_name = "MODEL")]
    output: Option<PathBuf>,
    /// Replace a file that is no model of dlfrm, or a fit that was not finished
    #[arg(long, hide_short_help = true)]
    force: bool,
    #[arg(long, value_name = "MODEL", value_parser = Model::from_str, help = model_help("The model"))]
    model: Option<Model>,
    /// Treat an undirected link as two directed ones, as the paper does, with a full weight matrix unless --model has diagonal
    /// weights, as the default has (dlfrm-l has full ones); the model is then that of the paper, without covariates and effects
    /// of nodes unless they are given, with other defaults
    #[arg(long, hide_short_help = true)]
    asymmetric: bool,
    #[command(flatten)]
    sharing: SharingArgs,
    /// Learn from all links and this many non-links per link, drawn at random [default: from all non-links; 10 per link
    /// where there are more than 50 million pairs]
    #[arg(long, value_name = "X", value_parser = number, allow_negative_numbers = true, hide_short_help = true)]
    negatives: Option<f64>,
    /// Hold out this share of the pairs to score the model on
    ///
    /// For instance 0.1. Where non-links are sampled: of the links, with as many non-links. The scores are in the model;
    /// `info` and `report` show them
    #[arg(long, value_name = "X", value_parser = number, allow_negative_numbers = true)]
    hold_out: Option<f64>,
    /// Write what every kernel did in every sweep to this file, one JSON object per line; a trace that is there is replaced
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    trace: Option<PathBuf>,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    control: ControlArgs,
    #[command(flatten)]
    side_info: SideInfoArgs,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    network: NetworkArgs,
    #[command(flatten)]
    settings: SettingArgs,
}

impl FitArgs {
    fn options(&self) -> FitOptions {
        FitOptions {
            model: self.model.unwrap_or(Model::DEFAULT),
            settings: self.settings.0.clone(),
            asymmetric: self.asymmetric,
            negatives: self.negatives,
            sharing: self.sharing.sharing(),
            hold_out: self.hold_out,
            memory_limit: None,
        }
    }

    /// Where the model goes, found out to be writable.
    fn output(&self, dataset: &Dataset, global: &GlobalArgs) -> anyhow::Result<PathBuf> {
        if let Some(output) = &self.output {
            return Ok(output.clone());
        }
        if self.network.network == Path::new("-") {
            bail!("a network from standard input has no name: say with -o where the model is saved");
        }
        let output = PathBuf::from(format!("{}.dlfrm", dataset.name));
        self.check_output(&output)?;
        if is_of_another(&output, dataset) {
            global.warning(&format!(
                "{} is a model of another network and will be replaced: -o names another file",
                output.display()
            ));
        }
        Ok(output)
    }

    /// The files that are read.
    fn inputs(&self) -> Vec<&Path> {
        self.network.files().into_iter().chain(self.side_info.files()).collect()
    }

    /// Refuses an output that would overwrite something.
    fn check_output(&self, output: &Path) -> anyhow::Result<()> {
        check_distinct("-o", output, &self.inputs())?;
        check_model_output(output, self.force)?;
        Ok(check_writable(output)?)
    }
}

pub(crate) fn run(args: &FitArgs, global: &GlobalArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let began = Instant::now();
    let options = args.options();
    // Mistakes in settings are reported before the network is read; the network decides some defaults.
    options.settings.over(Settings::defaults(options.model, 0)).check()?;
    options.check_hold_out()?;
    args.output.as_deref().map_or(Ok(()), |output| args.check_output(output))?;
    let dataset = args.network.read(global)?;
    args.sharing.check(&dataset).with_context(|| args.network.network.display().to_string())?;
    let output = args.output(&dataset, global)?;
    if let Some(trace) = &args.trace {
        check_trace_output(trace, &args.inputs(), &output)?;
    }
    let side_info = args.side_info.read(&dataset, global)?;
    check_checkpoint(&output, &args.inputs())?;
    let checkpoint = CheckpointFile::take(&output, args.control.checkpoint_every)?;
    if checkpoint.exists() && !args.force {
        refuse_unfinished(&checkpoint, &output, &dataset, &side_info)?;
    }
    let mut fit =
        Fit::relations(&dataset.relations).name(&dataset.name).options(options).side_info(side_info);
    if let Some(r_hat) = args.control.until {
        fit = fit.until(r_hat);
    }
    let run = Run {
        output: &output,
        file: args.network.network.display().to_string(),
        control: args.control,
        memory: args.memory,
        less_memory: LESS_MEMORY,
        trace: args.trace.as_deref(),
        trace_goes_on: false,
        there: former(&output),
        added: None,
        json: args.json,
        began,
    };
    run.run(fit, checkpoint, global, out)
}

/// Whether there is a model of a network with other nodes or other links.
fn is_of_another(path: &Path, dataset: &Dataset) -> bool {
    let Some(model) = is_model(path).then(|| load_model(path).ok()).flatten() else { return false };
    let network = &dataset.relations[0].network;
    if model.nodes.names() != network.nodes().names() {
        return true;
    }
    let of_another = |fitted: &FittedRelation| {
        let Some(same) = dataset.relations.iter().find(|relation| relation.name == fitted.name) else {
            return true;
        };
        let held_out = fitted.held_out.as_ref().map_or(0, |held_out| held_out.scores.links);
        let links = same.network.links();
        links.len() != fitted.links.len() + held_out
            || fitted.links.iter().any(|link| links.binary_search(link).is_err())
    };
    // Links of the other direction cannot be compared.
    model.directed == network.directed() && model.relations.iter().any(of_another)
}

/// Refuses to begin where a fit was not finished.
fn refuse_unfinished(
    checkpoint: &CheckpointFile,
    output: &Path,
    dataset: &Dataset,
    side_info: &SideInfo,
) -> anyhow::Result<()> {
    let read = checkpoint.read();
    let read = read.map_err(|error| anyhow::anyhow!("{error}: remove it, or begin anew with --force"))?;
    let same = read.check_same(&dataset.relations, side_info);
    let difference = same.err().map_or_else(String::new, |error| format!(" ({error})"));
    bail!(
        "{} has a fit that was not finished{difference}: 'dlfrm resume {}' goes on with it, --force begins anew",
        checkpoint.path().display(),
        output.display()
    )
}
