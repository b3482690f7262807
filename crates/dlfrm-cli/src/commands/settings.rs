//! `dlfrm settings`: the defaults of a model for a network of some size, in one table.

use std::io::Write;
use std::str::FromStr;

use clap::Args;
use dlfrm::model::{Model, SETTINGS, Settings};
use serde::Serialize;

use crate::args::{count, model_help};
use crate::json;
use crate::table::Table;

/// The arguments of `dlfrm settings`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  dlfrm settings --model dlfrm-l --pairs 2000000

The values are those of the posterior of the features, which the default fit combines with one of the covariates. \
With --c-pos, --c-neg or --covariates topology a fit has one joint posterior, with --asymmetric an undirected network has the \
paper's model, and a fit says which of its defaults differ. Every \
setting is a flag of fit, evaluate and tune.")]
pub(crate) struct SettingsArgs {
    #[arg(long, value_name = "MODEL", value_parser = Model::from_str, help = model_help("The model"))]
    model: Option<Model>,
    /// How many pairs the network has: the length of chains depends on it
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true, default_value_t = 10_000)]
    pairs: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// One setting.
#[derive(Debug, Serialize)]
struct Line {
    setting: &'static str,
    default: String,
    meaning: &'static str,
}

pub(crate) fn run(args: &SettingsArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    if args.pairs == 0 {
        let (name, expected, value) = ("pairs", "at least 1", "0".to_owned());
        return Err(dlfrm::Error::Setting { name, expected, value }.into());
    }
    let model = args.model.unwrap_or(Model::DEFAULT);
    let defaults = Settings::features_defaults(model, args.pairs);
    let lines: Vec<Line> = SETTINGS
        .iter()
        .map(|setting| Line {
            setting: setting.name,
            default: setting.value(&defaults),
            meaning: setting.help(),
        })
        .collect();
    if args.json {
        json::print_list(&lines, out)?;
        return Ok(());
    }
    writeln!(out, "{model}, {} pairs\n", args.pairs)?;
    let mut table = Table::new(["setting", "default", "meaning"]);
    for Line { setting, default, meaning } in lines {
        table.row([
            format!("--{setting}"),
            default,
            meaning.split_whitespace().collect::<Vec<_>>().join(" "),
        ]);
    }
    write!(out, "{table}")?;
    Ok(())
}
