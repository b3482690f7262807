//! The commands, one file each.

mod fit;
mod info;

use std::io::Write;

use clap::Subcommand;

use crate::args::Cli;

/// What can be asked of the program.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Fits a model to a network and saves it
    Fit(fit::FitArgs),
    /// Shows what a model file holds: settings, sizes, the posterior of K
    Info(info::InfoArgs),
}

/// Does what was asked; results go to `out`.
pub(crate) fn run(cli: &Cli, out: &mut impl Write) -> anyhow::Result<()> {
    match &cli.command {
        Command::Fit(args) => fit::run(args, &cli.common, out),
        Command::Info(args) => info::run(args, out),
    }
}
