//! The arguments of the command line.

mod given;
mod memory;
mod model_file;
mod network;
mod settings;
mod sharing;

use clap::{Args, Parser};

pub(crate) use given::SideInfoArgs;
pub(crate) use memory::MemoryArgs;
pub(crate) use model_file::ModelFileArgs;
pub(crate) use network::NetworkArgs;
pub(crate) use settings::{Lengths, SettingArgs, model_help};
pub(crate) use sharing::{Sharing, SharingArgs};

use crate::commands::Command;

/// Predicts missing links of a network with latent features, and says how sure it is.
#[derive(Debug, Parser)]
#[command(name = "dlfrm", version, arg_required_else_help = true, disable_help_subcommand = true)]
#[command(after_help = "Example:
  dlfrm fit friends.tsv --undirected -o friends.dlfrm
  dlfrm predict friends.dlfrm --top 10")]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) common: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What every command understands.
#[derive(Debug, Clone, Args)]
pub(crate) struct GlobalArgs {
    /// Use so many threads; the answers are the same for any number [default: one a core]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Print no progress and no notices
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
}

impl GlobalArgs {
    /// Tells the user something that is no result.
    pub(crate) fn notice(&self, text: &str) {
        if !self.quiet {
            eprintln!("{text}");
        }
    }
}
