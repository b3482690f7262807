//! The arguments of the command line.

mod memory;
mod model_file;
mod network;
mod output;
mod settings;
mod side_info;
mod values;

use std::fmt::Display;
use std::path::Path;

use anyhow::Context;
use clap::Args;

use crate::terminal;

pub use memory::MemoryArgs;
pub(crate) use model_file::{ModelFileArgs, check_finished, load_model, model_of_checkpoint, unfinished};
pub use network::ModeArgs;
pub(crate) use network::{LayoutArgs, NetworkArgs, SharingArgs, read_added};
pub(crate) use output::{
    check_absent, check_checkpoint, check_distinct, check_folder, check_model_output, check_new,
    check_page_output, check_trace_output, make_folder,
};
pub use settings::SettingArgs;
pub(crate) use settings::model_help;
pub(crate) use side_info::SideInfoArgs;
pub use values::{count, number, runs};
pub(crate) use values::{count_from, duration, whole_number};

/// What every command understands.
#[derive(Debug, Clone, Args)]
pub struct GlobalArgs {
    /// Number of threads; results are the same for any number [default: one per core]
    #[arg(long, global = true, value_name = "N", value_parser = values::between(1, 1024))]
    pub threads: Option<usize>,
    /// Print no progress and no warnings
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

impl GlobalArgs {
    /// Prints something that is no result to standard error.
    pub(crate) fn warning(&self, text: &str) {
        if !self.quiet {
            terminal::print(text);
        }
    }

    pub(crate) fn warnings<T: Display>(&self, all: impl IntoIterator<Item = T>) {
        all.into_iter().for_each(|warning| self.warning(&warning.to_string()));
    }
}

/// An error of a file, which its message begins with.
pub(crate) trait Of<T> {
    fn of(self, file: &Path) -> anyhow::Result<T>;
}

impl<T, E: Into<anyhow::Error>> Of<T> for Result<T, E> {
    fn of(self, file: &Path) -> anyhow::Result<T> {
        self.map_err(Into::into).with_context(|| file.display().to_string())
    }
}
