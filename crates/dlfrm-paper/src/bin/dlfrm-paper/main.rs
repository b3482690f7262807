//! The command `dlfrm-paper`: the paper's tables and figures, and methods on a folder of networks.

mod corpus;
mod reproduce;

use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use dlfrm_cli::Program;
use dlfrm_cli::Stopped;
use dlfrm_cli::args::GlobalArgs;

/// Bayesian link prediction (Chen et al., AAAI 2016): the paper's figures, and figures on many networks.
#[derive(Debug, Parser)]
#[command(name = "dlfrm-paper", version, arg_required_else_help = true)]
struct Cli {
    #[command(flatten)]
    global: GlobalArgs,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Reproduces a table or a figure of the paper, beside the paper's own figures
    Reproduce(reproduce::ReproduceArgs),
    /// Evaluates methods on a folder of networks, with means by domain
    Corpus(corpus::CorpusArgs),
}

impl Program for Cli {
    fn global(&self) -> &GlobalArgs {
        &self.global
    }

    fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        match &self.command {
            Command::Reproduce(args) => reproduce::run(args, &self.global, out),
            Command::Corpus(args) => corpus::run(args, &self.global, out),
        }
    }
}

fn main() -> ExitCode {
    dlfrm_cli::execute::<Cli>()
}

/// What an interrupted run says is no mistake of the user.
fn failure(error: dlfrm_paper::Error) -> anyhow::Error {
    match error {
        dlfrm_paper::Error::Interrupted { .. } => Stopped(error.to_string()).into(),
        error => error.into(),
    }
}
