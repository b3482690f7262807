//! `dlfrm fit`: fits a model, saves it, and prints a summary.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Instant;

use anyhow::ensure;
use clap::Args;
use dlfrm::fit::{Fit, FitOptions};
use dlfrm::model::{Model, Settings};
use serde_json::json;

use crate::args::{GlobalArgs, NetworkArgs, Of, SettingArgs, SharingArgs, SideInfoArgs, model_help, number};
use crate::run::{self, Run, RunArgs};

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
    #[arg(long, value_name = "X", value_parser = number, hide_short_help = true)]
    negatives: Option<f64>,
    /// Hold out this share of the pairs to score the model on
    ///
    /// For instance 0.1. Where non-links are sampled: of the links, with as many non-links. The scores are in the model;
    /// `info` and `report` show them
    #[arg(long, value_name = "X", value_parser = number)]
    hold_out: Option<f64>,
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    side_info: SideInfoArgs,
    #[command(flatten)]
    network: NetworkArgs,
    #[command(flatten)]
    settings: SettingArgs,
}

pub(crate) fn run(args: &FitArgs, global: &GlobalArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let began = Instant::now();
    let options = FitOptions {
        model: args.model,
        settings: args.settings.0.clone(),
        asymmetric: args.asymmetric,
        negatives: args.negatives,
        sharing: args.sharing.sharing(),
        hold_out: args.hold_out,
        memory_limit: None,
    };
    // Mistakes in settings are reported before the network is read; the network decides some defaults.
    options.settings.over(Settings::defaults(options.model.unwrap_or(Model::usual(0)), 0)).check()?;
    options.check_hold_out()?;
    let inputs: Vec<&Path> = args.network.files().into_iter().chain(args.side_info.files()).collect();
    args.output.as_deref().map_or(Ok(()), |output| run::check_output(output, &inputs, args.force))?;
    let network = &args.network.network;
    let dataset = args.network.read(global)?;
    args.sharing.check(&dataset).of(network)?;
    let named = args.output.is_some() || network != Path::new("-");
    ensure!(named, "a network from standard input has no name: say with -o where the model is saved");
    let output = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.dlfrm", dataset.name)));
    let side_info = args.side_info.read(&dataset, global)?;
    let checkpoint = run::begin(&args.run, &output, &inputs, args.force)?;
    let mut fit =
        Fit::relations(&dataset.relations).name(&dataset.name).options(options).side_info(side_info);
    if let Some(r_hat) = args.run.until {
        fit = fit.until(r_hat);
    }
    if let Some(draws) = args.run.keep {
        fit = fit.keep(draws);
    }
    let printed = vec![("read", json!(dataset.report))];
    Run { printed, ..Run::new(&args.run, &output, network, began) }.run(fit, checkpoint, global, out)
}
