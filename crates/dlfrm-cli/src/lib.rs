//! The command `dlfrm`, and what a program with other commands shares with it: arguments, progress, Ctrl-C, tables and
//! exit codes.

pub mod args;
mod cli;
mod commands;
pub mod interrupt;
pub mod json;
mod pieces;
mod progress;
mod run;
mod summary;
mod table;
mod terminal;
mod words;

use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use clap::{Command, Parser};
use terminal::PlainOutput;

pub use cli::Cli;
pub use commands::methods;
pub use progress::RunProgress;
pub use table::{Table, cell};
pub use terminal::Stopped;
pub use words::counted;

/// A program: its arguments, and what it does with them.
pub trait Program: Parser {
    /// What every command understands.
    fn global(&self) -> &args::GlobalArgs;

    /// Whether what it prints are pairs that another program may read again.
    fn writes_pairs(&self) -> bool {
        false
    }

    /// Runs the command; results go to `out`.
    fn run(&self, out: &mut dyn Write) -> anyhow::Result<()>;
}

/// Reads the arguments of the process and runs the program.
pub fn execute<P: Program>() -> ExitCode {
    let mut command = with_negative_numbers(P::command());
    let read = P::from_arg_matches_mut(&mut command.get_matches_mut());
    let program = read.unwrap_or_else(|error| error.format(&mut command).exit());
    let stdout = io::stdout().lock();
    // Names of predicted pairs are read again as they are; on a terminal nobody reads them but a person.
    let raw = program.writes_pairs() && !stdout.is_terminal();
    let mut out = PlainOutput { inner: BufWriter::new(stdout), raw };
    let done = interrupt::begin()
        .and_then(|()| start_threads(program.global().threads))
        .and_then(|()| program.run(&mut out))
        .and_then(|()| out.flush().map_err(anyhow::Error::from));
    let Err(error) = done else { return ExitCode::SUCCESS };
    // What an interrupted run has found is printed.
    if error.is::<Stopped>() {
        let _ = out.flush();
    }
    // What a full disk or a closed pipe left in the buffer must not be tried again when it is dropped.
    let _ = out.inner.into_parts();
    terminal::report(&error)
}

/// A negative number is a value, and no flag that nobody knows: the message says what is expected of it.
fn with_negative_numbers(command: Command) -> Command {
    let command = command.mut_args(|arg| {
        let takes_values = arg.get_action().takes_values();
        arg.allow_negative_numbers(takes_values)
    });
    command.mut_subcommands(with_negative_numbers)
}

/// Every parallel part of the program uses one pool. Results do not depend on its size.
fn start_threads(threads: Option<usize>) -> anyhow::Result<()> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build_global()?)
}
