//! The arguments of the command line.

mod control;
mod layout;
mod memory;
mod model_file;
mod network;
mod numbers;
mod output;
mod settings;
mod sharing;
mod side_info;

use std::path::Path;

use clap::{Args, Parser};

pub(crate) use control::{ControlArgs, duration};
pub(crate) use layout::LayoutArgs;
pub use memory::{LESS_MEMORY_OF_CHAINS, MemoryArgs};
pub(crate) use memory::{LESS_MEMORY, LESS_MEMORY_TO_GO_ON};
pub(crate) use model_file::{
    ModelFileArgs, check_finished, load_model, load_noting, model_of_checkpoint, unfinished,
};
pub use network::ModeArgs;
pub(crate) use network::{NetworkArgs, read_added};
pub use numbers::{count, number, runs};
pub(crate) use numbers::{between, count_from, whole_number};
pub(crate) use output::{
    check_absent, check_checkpoint, check_distinct, check_folder, check_model_output, check_page_output,
    check_trace_output, foreign_ending, former, make_folder, read_only,
};
pub use settings::SettingArgs;
pub(crate) use settings::model_help;
pub(crate) use sharing::SharingArgs;
pub(crate) use side_info::SideInfoArgs;

use crate::commands::Command;

/// Bayesian link prediction: missing links of a network, with probabilities and intervals.
#[derive(Debug, Parser)]
#[command(name = "dlfrm", version = env!("DLFRM_VERSION"), arg_required_else_help = true)]
#[command(after_help = "Example:
  dlfrm fit friends.tsv --undirected -o friends.dlfrm
  dlfrm predict friends.dlfrm --top 10")]
pub struct Cli {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What every command understands.
#[derive(Debug, Clone, Args)]
pub struct GlobalArgs {
    /// Number of threads; results are the same for any number [default: one per core]
    #[arg(long, global = true, value_name = "N", value_parser = between(1, 1024), allow_negative_numbers = true)]
    pub threads: Option<usize>,
    /// Print no progress and no warnings
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

impl GlobalArgs {
    /// Prints something that is no result to standard error.
    pub(crate) fn warning(&self, text: &str) {
        if !self.quiet {
            crate::standard_error::print(text);
        }
    }

    /// Prints what is said of a file.
    pub(crate) fn warnings_of(&self, file: &Path, warnings: &[String]) {
        let file = if file == Path::new("-") { Path::new("standard input") } else { file };
        for warning in warnings {
            self.warning(&format!("{}: {warning}", file.display()));
        }
    }
}
