//! The text that names flags and commands, made from typed values of the library.

use std::path::Path;

use dlfrm::posterior::{Agreement, More};
use dlfrm::warning::{RoundsEnd, Said, Warning};
use dlfrm_io::{ColumnsProblem, Looks, ReadError, ReadReport, ReadWarning};

pub(crate) fn goes_on(model: &Path) -> String {
    format!("'dlfrm resume {}' goes on with it", model.display())
}

/// A warning of the library, with the flags that have to do with it.
pub(crate) fn warning(warning: &Warning) -> String {
    match warning {
        Warning::SettingWithoutEffect { setting, why } => format!("--{setting} has no effect {why}"),
        Warning::AsymmetricWithoutEffect => "--asymmetric has no effect: links have a direction".to_owned(),
        Warning::NonLinksSampled { .. } => format!("{warning} (--negatives)"),
        Warning::DiagonalWeights { full, .. } => format!("{warning} (--model {full})"),
        Warning::Diverged { .. } => format!("{warning} (--step)"),
        Warning::Ended { why: RoundsEnd::NoMoreDraws, .. } => format!("{warning} (--draws)"),
        _ => warning.to_string(),
    }
}

pub(crate) fn said(of: &Warning) -> Said {
    Said { warning: of.clone(), text: warning(of) }
}

/// Whether chains agree, a line for each purpose, with the command that makes probabilities more exact.
pub(crate) fn verdict(agreement: &Agreement) -> String {
    agreement.to_string().replace(&agreement.probabilities(), &probabilities(agreement))
}

/// How exact probabilities are, with the command that makes them more exact.
pub(crate) fn probabilities(agreement: &Agreement) -> String {
    let said = agreement.probabilities();
    let said = said.trim_end_matches('.');
    match agreement.remedy.map(|remedy| remedy.more) {
        Some(More::Draws(draws)) => format!("{said}: dlfrm resume MODEL --draws +{draws}."),
        Some(More::Chains(chains)) => format!("{said}: the same dlfrm fit with --chains {chains}."),
        None => format!("{said}."),
    }
}

pub(crate) fn verdict_of_some(disagree: usize, all: usize) -> String {
    format!(
        "Chains do not agree on the predictions of {disagree} of {all} relations yet. Run longer: {LONGER}."
    )
}

const LONGER: &str = "dlfrm resume MODEL --until 1.05";

/// The line that says what was read, with the flag that reads it as what it looks like.
pub(crate) fn read_line(report: &ReadReport) -> String {
    let hint = match report.looks {
        Some(Looks::Undirected) => " (--undirected)",
        Some(Looks::Bipartite) => " (--bipartite)",
        None => "",
    };
    format!("{report}{hint}")
}

/// What a user may not expect of a file, with the flag that reads it otherwise.
pub(crate) fn of_file(report: &ReadReport, warning: &ReadWarning) -> String {
    let hint = match warning {
        ReadWarning::FirstRow { .. } => " (--header, or --no-header)",
        _ => "",
    };
    format!("{}: {warning}{hint}", report.file)
}

/// The flags that may help with a file that cannot be read.
pub(crate) fn flags_for(error: &ReadError) -> Option<String> {
    Some(match error {
        ReadError::Delimiters(_, readings) => {
            format!("--delimiter {} or --delimiter {}", readings[0].0, readings[1].0)
        }
        ReadError::Columns { other: Some(other), problem: ColumnsProblem::One(_), .. } => {
            format!("--delimiter {other}")
        }
        ReadError::Columns { problem: ColumnsProblem::Unnamed(count, _), .. } => {
            let skips = ",skip".repeat(count - 2);
            format!(
                "name the columns, as in --columns source,target{skips}, or by titles: --columns source=A,target=B"
            )
        }
        ReadError::Value(_, _, true) | ReadError::UnknownName(_, _, true) => {
            "if the first row is a header: --header".to_owned()
        }
        _ => return None,
    })
}

pub(crate) const LESS_MEMORY: &str = "run fewer chains at once (--threads), keep fewer draws (--draws) or sample fewer non-links (--negatives)";

/// A number of things: 1 link, 2 links.
pub fn counted(count: usize, what: &str) -> String {
    counted_as(count, what, &format!("{what}s"))
}

/// The same for words with another plural: 1 of them is, 2 of them are.
pub(crate) fn counted_as(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
