//! What every command understands.

use std::path::Path;

use clap::Args;

use super::values::between;
use crate::terminal;

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
            terminal::print(text);
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
