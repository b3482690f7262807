//! What the user sees when something cannot be done: one line, and an exit code.
//!
//! 2 for everything that the user can put right, 130 for a run that was interrupted, whether or not it had anything to
//! keep. A closed pipe (`dlfrm ... | head`) is no failure.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::table::counted;
use crate::terminal;

const MISTAKE: u8 = 2;
const INTERRUPTED: u8 = 130;

/// What is where the model of a fit goes, as long as the fit has no draw to save.
#[derive(Debug, Clone, Default)]
pub(crate) enum There {
    /// No model.
    #[default]
    Nothing,
    /// A model of another fit.
    Former(PathBuf),
    /// The model that the fit goes on with, and how many draws of each chain are due.
    Begun(PathBuf, usize),
}

impl fmt::Display for There {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("before the first draw was kept: no model is saved"),
            Self::Former(model) => {
                write!(f, "before the first draw was kept: {} is still the former model", model.display())
            }
            Self::Begun(model, 0) => {
                write!(f, "before a further draw was kept: {} is as it was", model.display())
            }
            Self::Begun(model, due) => write!(
                f,
                "before a further draw was kept: {} is as it was, and {} of each chain {} due",
                model.display(),
                counted(*due, "draw"),
                if *due == 1 { "is" } else { "are" }
            ),
        }
    }
}

/// A run was stopped by the user; the text says what is kept and how to go on.
#[derive(Debug, Clone)]
pub struct Stopped(pub String);

impl Stopped {
    /// A run was stopped before its figures were complete; what is finished is kept in a folder, if anything is.
    pub fn unfinished(kept: Option<PathBuf>) -> Self {
        let kept = kept.map_or_else(String::new, |folder| {
            let folder = folder.display();
            format!("; what is finished is kept in {folder}: the same command goes on from there")
        });
        Self(format!("interrupted before the figures were complete{kept}"))
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Stopped {}

/// Reports a mistake in the arguments in one line; help and version are no mistakes and are printed as they are.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        return match error.print() {
            // A closed pipe: the help is not read.
            Err(cause) if cause.kind() != io::ErrorKind::BrokenPipe => report(&terminal::named(cause).into()),
            _ => ExitCode::SUCCESS,
        };
    }
    if error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = error.print();
        return ExitCode::from(MISTAKE);
    }
    print(&usage_line(&error.to_string()));
    ExitCode::from(MISTAKE)
}

/// Reports what went wrong and chooses the exit code.
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    let closed_pipe = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe);
    if closed_pipe {
        return ExitCode::SUCCESS;
    }
    print(&causes(error));
    let interrupted = error.is::<Stopped>()
        || error.chain().any(|cause| cause.downcast_ref() == Some(&dlfrm::Error::Interrupted));
    ExitCode::from(if interrupted { INTERRUPTED } else { MISTAKE })
}

/// What went wrong and why, each cause once: some messages have that of their cause at their end.
fn causes(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

fn print(message: &str) {
    terminal::print(&format!("dlfrm: {}", one_line(message)));
}

/// Words in one line.
fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The part of clap's message that says what is wrong, without the usage that follows it.
fn usage_line(message: &str) -> String {
    let line = message.split("\n\nUsage:").next().unwrap_or(message);
    let line = line.split("\n\nFor more information").next().unwrap_or(line);
    // An argument that looks like a flag is a mistake, and seldom a value.
    let line = line.split("\n\n  tip: to pass").next().unwrap_or(line);
    let line = line.strip_prefix("error: ").unwrap_or(line).replace("\n\n  tip:", "; tip:");
    format!("{} (see --help)", one_line(&line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_in_arguments_are_reported_in_one_line() {
        let message = "error: unexpected argument '--nuu' found\n\n  tip: a similar argument exists: '--nu'\n\n\
                       Usage: dlfrm fit <NETWORK>\n\nFor more information, try '--help'.\n";
        let line = "unexpected argument '--nuu' found; tip: a similar argument exists: '--nu' (see --help)";
        assert_eq!(usage_line(message), line);
        let message = "error: invalid value 'x' for '--nu <X>': invalid float literal\n\nFor more information, \
                       try '--help'.\n";
        let line = "invalid value 'x' for '--nu <X>': invalid float literal (see --help)";
        assert_eq!(usage_line(message), line);
        let message = "error: unexpected argument '--seed' found\n\n  tip: to pass '--seed' as a value, use '-- --seed'\n\n\
                       Usage: dlfrm info <MODEL>\n\nFor more information, try '--help'.\n";
        assert_eq!(usage_line(message), "unexpected argument '--seed' found (see --help)");
    }

    #[test]
    fn a_cause_is_named_once() {
        let cause = io::Error::other("it is gone");
        let error = anyhow::Error::from(cause).context("x: it is gone").context("nothing is read");
        assert_eq!(causes(&error), "nothing is read: x: it is gone");
    }
}
