//! `dlfrm tune`: settings for a network, compared on a development set of its pairs.

use std::io::Write;
use std::str::FromStr;
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use dlfrm::fit::{FitOptions, Search, Trial, Tuning};
use dlfrm::model::{Model, Settings};
use serde_json::json;

use crate::args::{GlobalArgs, NetworkArgs, Of, SettingArgs, SideInfoArgs, model_help, number};
use crate::pieces::{CheckpointArgs, KeptTrials};
use crate::progress::RunProgress;
use crate::table::Table;
use crate::terminal::Stopped;
use crate::words::counted;
use crate::{interrupt, json};

#[derive(Debug, Args)]
#[command(after_help = "Example:
  dlfrm tune friends.tsv --undirected --budget 60

A tenth of the pairs is held out as a development set; the others are learned from with each candidate. A candidate is one \
joint posterior of covariates and features, or one of features alone, and not the combination of two that a fit without flags \
has. It begins with the defaults of the joint one (and what the flags say), changes one setting at a time and goes on from the \
best, until nothing is better or the time is over. The flags that it prints give `dlfrm fit` the settings of the best, with the \
side information that was given. To \
evaluate the result on other pairs, tune on the training part alone (evaluate --write-splits writes it).")]
pub(crate) struct TuneArgs {
    #[command(flatten)]
    network: NetworkArgs,
    #[arg(long, value_name = "MODEL", value_parser = Model::from_str, help = model_help("The model"))]
    model: Option<Model>,
    /// Begin no further candidates after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = number, default_value_t = 300.0)]
    budget: f64,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    checkpoint: CheckpointArgs,
    #[command(flatten)]
    side_info: SideInfoArgs,
    #[command(flatten)]
    settings: SettingArgs,
}

pub(crate) fn run(args: &TuneArgs, global: &GlobalArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let model = args.model.unwrap_or(Model::usual(0));
    let first = Tuning::first(model, &args.settings.0, 0)?;
    let Ok(budget) = Duration::try_from_secs_f64(args.budget) else {
        bail!("budget must be a number of seconds, is {}", args.budget)
    };
    args.settings.report_idle(&[&first], model.name(), !args.side_info.is_empty(), global);
    let dataset = args.network.read(global)?;
    let side_info = args.side_info.read(&dataset, global)?;
    let arguments = json!({
        "network": args.network.decisive(),
        "side-info": args.side_info.decisive(),
    });
    let files = args.network.files().into_iter().chain(args.side_info.files());
    let pieces = args.checkpoint.pieces("tune", &dataset.name, &arguments, files)?;
    interrupt::listen(Stopped::unfinished(None));
    let progress = RunProgress::new(global.quiet, 1);
    let keeper = KeptTrials { pieces: pieces.as_ref(), observer: &progress };
    let tuning = Tuning {
        side_info,
        options: FitOptions { model: args.model, settings: args.settings.0.clone(), ..FitOptions::default() },
        budget,
        observer: &progress,
        keeper: Some(&keeper),
        ..Tuning::new(&dataset.relations)
    };
    let search = tuning.run();
    progress.finish();
    let complete = search.as_ref().is_ok_and(|search| !search.interrupted);
    let unfinished = Stopped::unfinished(pieces.as_ref().and_then(|pieces| pieces.finish(complete, global)));
    let search = match search {
        Err(dlfrm::Error::Interrupted) => bail!(unfinished),
        search => search.of(&args.network.network)?,
    };
    let best = search.best();
    let flags = flags(&search, best) + &args.side_info.flags();
    let report = json!({
        "network": dataset.name,
        "development_links": search.development_links,
        // Whether the search ended by itself, and not by the clock.
        "complete": search.complete,
        "best": best,
        "flags": flags,
        "trials": search.trials,
        "read": dataset.report,
    });
    json::show(&report, args.json, out, |out| print(&dataset.name, &search, &flags, out))?;
    // What was tried is printed; the exit code says that the search is not complete.
    if search.interrupted {
        bail!(unfinished);
    }
    Ok(())
}

/// The flags with which `dlfrm fit` has the settings of a trial.
fn flags(search: &Search, trial: &Trial) -> String {
    let needed = search.needed(trial).into_iter().map(|(setting, value)| match &value[..] {
        "true" => format!(" --{}", setting.name),
        "false" => format!(" --no-{}", setting.name),
        _ => format!(" --{} {value}", setting.name),
    });
    format!("--model {}{}", trial.settings.model, needed.collect::<String>())
}

fn print(network: &str, search: &Search, flags: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    let links = counted(search.development_links, "link");
    writeln!(out, "{network}: {links} in the development set\n")?;
    let mut table =
        Table::new(["AUC", "c-pos", "c-neg", "nu", "alpha", "covariates", "node effects", "seconds"]);
    let mut trials: Vec<&Trial> = search.trials.iter().collect();
    trials.sort_by(|a, b| b.auc.total_cmp(&a.auc));
    for Trial { auc, seconds, settings, .. } in trials {
        let Settings { c_pos, c_neg, nu, alpha, covariates, node_effects, .. } = settings;
        let numbers = [c_pos, c_neg, nu, alpha].map(|value| format!("{value:.3}"));
        let rest = [covariates.name().to_owned(), if *node_effects { "yes" } else { "no" }.to_owned()];
        let cells = std::iter::once(format!("{auc:.4}")).chain(numbers).chain(rest);
        table.row(cells.chain([format!("{seconds:.1}")]));
    }
    write!(out, "{table}")?;
    let ended = match (search.complete, search.interrupted) {
        (true, _) => "nothing near is better",
        (false, true) => "interrupted",
        (false, false) => "the time is over",
    };
    Ok(writeln!(out, "\nthe best ({ended}): {flags}")?)
}
