//! How to call awk for a file that is no edge list.

use crate::read::fields::Delimiter;

/// What commands of awk begin with: line ends of Windows and quotes are part of no number and of no name.
pub(crate) const PLAIN: &str = r#"{gsub(/[\r"]/, "")}"#;

/// The command that cuts lines as they were cut, and writes them so.
pub(crate) fn awk(delimiter: Delimiter) -> &'static str {
    match delimiter {
        Delimiter::Tab => r"awk -F'\t' -v OFS='\t'",
        Delimiter::Comma => "awk -F, -v OFS=,",
        Delimiter::Semicolon => "awk -F';' -v OFS=';'",
        Delimiter::Spaces => "awk",
        Delimiter::Bar => "awk -F'|' -v OFS='|'",
    }
}
