//! The command `dlfrm`: from an edge list to predicted links.

mod args;
mod commands;
mod evaluation_progress;
mod failure;
mod interrupt;
mod json;
mod pieces;
mod plain_output;
mod progress;
mod run;
mod signals;
mod standard_error;
mod summary;
mod table;
mod trace;

use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use clap::Parser;
use plain_output::PlainOutput;

fn main() -> ExitCode {
    signals::fail_beyond_file_limit();
    let cli = match args::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return failure::usage(&error),
    };
    let stdout = io::stdout().lock();
    // Names of predicted pairs are read again as they are; on a terminal nobody reads them but a person.
    let raw = cli.command.writes_pairs() && !stdout.is_terminal();
    let mut out = PlainOutput { inner: BufWriter::new(stdout), raw };
    let done = interrupt::begin()
        .and_then(|()| start_threads(&cli.global))
        .and_then(|()| commands::run(&cli, &mut out))
        .and_then(|()| out.flush().map_err(anyhow::Error::from));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // What an interrupted run has found is printed.
            if failure::printed(&error) {
                let _ = out.flush();
            }
            // What a full disk or a closed pipe left in the buffer must not be tried again when it is dropped.
            let _ = out.inner.into_parts();
            failure::report(&error)
        }
    }
}

/// Every parallel part of the program uses one pool. Results do not depend on its size.
fn start_threads(global: &args::GlobalArgs) -> anyhow::Result<()> {
    if let Some(threads) = global.threads {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    }
    Ok(())
}
