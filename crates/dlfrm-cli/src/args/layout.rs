//! The arguments that say how the rows of a file of pairs are laid out.

use clap::Args;
use dlfrm_io::{Columns, Delimiter, ReadOptions};

use super::settings::switch;

/// How the rows of a file of pairs are laid out.
#[derive(Debug, Clone, Args)]
pub(crate) struct LayoutArgs {
    /// What the columns mean, in order: source, target, relation, label, weight, skip [default: the header's
    /// words, or source,target]
    #[arg(long, value_name = "LIST")]
    columns: Option<Columns>,
    /// What stands between the columns: tab, comma, semicolon, space or bar [default: found in the file]
    #[arg(long, value_name = "WORD", hide_short_help = true)]
    delimiter: Option<Delimiter>,
    /// The first row is a header [default: found in the file]
    #[arg(long, conflicts_with = "no_header", hide_short_help = true)]
    header: bool,
    /// The first row is a link
    #[arg(long, conflicts_with = "header", hide_short_help = true)]
    no_header: bool,
}

impl LayoutArgs {
    /// The layout, with all else by default.
    pub(crate) fn options(&self) -> ReadOptions {
        ReadOptions {
            columns: self.columns.clone(),
            delimiter: self.delimiter,
            header: switch(self.header, self.no_header),
            ..ReadOptions::default()
        }
    }

    /// The flags with what was given.
    pub(crate) fn given(&self) -> [(&'static str, Option<String>); 3] {
        [
            ("columns", self.columns.as_ref().map(ToString::to_string)),
            ("delimiter", self.delimiter.map(|delimiter| delimiter.to_string())),
            ("header", switch(self.header, self.no_header).map(|header| header.to_string())),
        ]
    }
}
