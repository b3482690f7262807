//! The arguments for what is known beside the links.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use clap::Args;
use dlfrm::covariates::{Attributes, SideInfo};
use dlfrm_io::{Dataset, ReadAttributes, read_all_attributes, read_pair_table};
use serde_json::{Value, json};

use super::GlobalArgs;
use super::output::check_distinct;

#[derive(Debug, Clone, Args)]
pub(crate) struct SideInfoArgs {
    /// Attributes of nodes: a table with a header, first column the node, the others numbers, categories or words; or,
    /// without a header, a node and its words on each line
    ///
    /// A title says the kind if it ends in :number, :category or :words. Words are separated by spaces. May be repeated
    #[arg(long, value_name = "FILE")]
    node_attributes: Vec<PathBuf>,
    /// Covariates of pairs: a table with a header, source, target and numbers or categories
    ///
    /// A table of the links alone, such as strengths of ties, gives the links away: give the values of all pairs
    #[arg(long, value_name = "FILE")]
    pair_covariates: Option<PathBuf>,
}

impl SideInfoArgs {
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.with_flags().map(|(_, file)| file)
    }

    /// The files that are read, with the flags that name them.
    pub(crate) fn with_flags(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let attributes = self.node_attributes.iter().map(|file| ("--node-attributes", file.as_path()));
        attributes.chain(self.pair_covariates.iter().map(|file| ("--pair-covariates", file.as_path())))
    }

    /// The flags with their files, each after a space, as a shell reads them.
    pub(crate) fn flags(&self) -> String {
        let flag = |(flag, file): (&str, &Path)| {
            let text = file.display().to_string();
            let plain = text.chars().all(|c| c.is_alphanumeric() || "/._-+:,@%".contains(c));
            let quoted = || format!("'{}'", text.replace('\'', "'\\''"));
            format!(" {flag} {}", if plain { text.clone() } else { quoted() })
        };
        self.with_flags().map(flag).collect()
    }

    pub(crate) fn decisive(&self) -> Value {
        json!({ "node-attributes": self.node_attributes, "pair-covariates": self.pair_covariates })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.files().next().is_none()
    }

    pub(crate) fn read(&self, dataset: &Dataset, global: &GlobalArgs) -> anyhow::Result<SideInfo> {
        let network = &dataset.relations[0].network;
        let nodes = network.nodes();
        let files: Vec<&Path> = self.node_attributes.iter().map(PathBuf::as_path).collect();
        for (position, file) in files.iter().enumerate() {
            check_distinct("--node-attributes", file, &files[..position])?;
        }
        let ReadAttributes { fields, warnings } = read_all_attributes(&self.node_attributes, nodes)?;
        global.warnings(&warnings);
        let attributes = (!fields.is_empty()).then(|| Attributes::new(nodes.len(), fields));
        let attributes = attributes.transpose().context("the attributes of all files")?;
        let pairs = self.pair_covariates.as_ref().map(|file| -> anyhow::Result<_> {
            let read = read_pair_table(file, nodes, network.directed())?;
            global.warnings(&read.warnings);
            let of_file = |warning: &_| format!("{}: {warning}", file.display());
            global.warnings(read.table.warnings(&dataset.relations).iter().map(of_file));
            Ok(Arc::new(read.table))
        });
        Ok(SideInfo { nodes: attributes.map(Arc::new), pairs: pairs.transpose()? })
    }
}
