//! What the program says of itself: `dlfrm settings`, and files for shells (`completions`) and for `man`.

use std::io::Write;
use std::str::FromStr;

use anyhow::Context;
use clap::{Args, Command};
use clap_complete::Shell;
use dlfrm::model::{Model, SETTINGS, Setting, Settings};
use serde::Serialize;

use crate::args::{count_from, model_help};
use crate::json;
use crate::table::Table;

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
    #[arg(long, value_name = "N", value_parser = count_from(1), default_value_t = 10_000)]
    pairs: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Line {
    setting: &'static str,
    default: String,
    meaning: &'static str,
}

pub(crate) fn settings(args: &SettingsArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let model = args.model.unwrap_or(Model::usual(args.pairs));
    let defaults = Settings::features_defaults(model, args.pairs);
    let line = |setting: &'static Setting| Line {
        setting: setting.name,
        default: setting.value(&defaults),
        meaning: setting.help(),
    };
    let lines: Vec<Line> = SETTINGS.iter().map(line).collect();
    json::show_list(&lines, args.json, out, |out| {
        let mut table = Table::new(["setting", "default", "meaning"]);
        for Line { setting, default, meaning } in &lines {
            let meaning = meaning.split_whitespace().collect::<Vec<_>>().join(" ");
            table.row([format!("--{setting}"), default.clone(), meaning]);
        }
        Ok(write!(out, "{model}, {} pairs\n\n{table}", args.pairs)?)
    })
}

#[derive(Debug, Args)]
#[command(after_help = "Example:
  dlfrm completions bash > ~/.local/share/bash-completion/completions/dlfrm")]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:
  dlfrm man fit | man -l -")]
pub(crate) struct ManArgs {
    /// The page of a command [default: the page of dlfrm]
    command: Option<String>,
}

pub(crate) fn completions(
    args: &CompletionsArgs,
    mut program: Command,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut program, "dlfrm", &mut text);
    Ok(out.write_all(&text)?)
}

pub(crate) fn man(args: &ManArgs, mut all: Command, out: &mut dyn Write) -> anyhow::Result<()> {
    all.build();
    let command = match &args.command {
        None => all,
        Some(name) => {
            let found = all.find_subcommand(name).with_context(|| format!("there is no command '{name}'"))?;
            // The program ends after this page.
            found.clone().name(&*format!("dlfrm-{name}").leak())
        }
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text)?;
    Ok(out.write_all(&text)?)
}
