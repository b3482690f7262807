//! The arguments that say which network to read, how its rows are laid out and whether its relations share features.

use std::path::{Path, PathBuf};

use anyhow::{bail, ensure};
use clap::Args;
use dlfrm::fit::{FittedModel, Sharing};
use dlfrm::network::Unlisted;
use dlfrm_io::{Columns, Dataset, Declared, Delimiter, Format, ReadOptions, read_names, read_network};
use serde_json::{Value, json};

use super::GlobalArgs;
use super::values::switch;
use crate::words::{self, counted};

#[derive(Debug, Clone, Args)]
pub(crate) struct LayoutArgs {
    /// What the columns mean: in order, of source, target, relation, label, weight and skip, or by titles, as in
    /// source=protein_A,target=protein_B [default: the header's words, or source,target]
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
    pub(crate) fn options(&self) -> ReadOptions {
        ReadOptions {
            columns: self.columns.clone(),
            delimiter: self.delimiter,
            header: switch(self.header, self.no_header),
            ..ReadOptions::default()
        }
    }

    pub(crate) fn given(&self) -> [(&'static str, Option<String>); 3] {
        [
            ("columns", self.columns.as_ref().map(ToString::to_string)),
            ("delimiter", self.delimiter.map(|delimiter| delimiter.to_string())),
            ("header", switch(self.header, self.no_header).map(|header| header.to_string())),
        ]
    }
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Network")]
pub(crate) struct NetworkArgs {
    /// The links: an edge list, or a SNAP, KONECT, Matrix Market, METIS, GraphML, GEXF, GML or Pajek file, plain, .gz, .zst
    /// or .bz2; - for standard input
    #[arg(help_heading = "Arguments")]
    pub(crate) network: PathBuf,
    #[command(flatten)]
    layout: LayoutArgs,
    /// The format: edges, adjacency, metis, matrixmarket, graphml, gexf, gml or pajek [default: found in the file, except
    /// adjacency]
    #[arg(long, value_name = "WORD", hide_short_help = true)]
    format: Option<Format>,
    /// A link has no direction
    #[arg(long, conflicts_with = "directed")]
    undirected: bool,
    /// A link goes from source to target [default, unless the file says otherwise]
    #[arg(long, conflicts_with = "undirected", hide_short_help = true)]
    directed: bool,
    #[command(flatten)]
    modes: ModeArgs,
    /// Nodes that are there with or without links: a number N for the ids 0 to N - 1, or a file of names
    #[arg(long, alias = "entities", value_name = "N|FILE", hide_short_help = true)]
    nodes: Option<String>,
    /// What pairs that the file does not list are [default: unobserved if it lists non-links, else non-links]
    #[arg(long, value_parser = ["non-links", "unobserved"], value_name = "WHAT", hide_short_help = true)]
    unlisted: Option<String>,
}

/// Whether sources and targets are two kinds of nodes.
#[derive(Debug, Clone, Copy, Default, Args)]
#[command(next_help_heading = "Network")]
pub struct ModeArgs {
    /// Sources and targets are two kinds of nodes (people and boards): only pairs of both kinds count, and links have no
    /// direction [default: as the format says, else any two nodes may be linked]
    #[arg(long, conflicts_with = "unipartite", hide_short_help = true)]
    bipartite: bool,
    /// Any two nodes may be linked
    #[arg(long, hide_short_help = true)]
    unipartite: bool,
}

impl ModeArgs {
    /// What was asked for, if anything.
    pub fn bipartite(self) -> Option<bool> {
        switch(self.bipartite, self.unipartite)
    }
}

impl NetworkArgs {
    pub(crate) fn files(&self) -> Vec<&Path> {
        self.nodes.iter().map(Path::new).chain([self.network.as_path()]).collect()
    }

    /// What decides what is read, by the names of the flags.
    pub(crate) fn decisive(&self) -> Value {
        let mut decisive = json!({
            "file": self.network,
            "undirected": self.undirected,
            "directed": self.directed,
            "bipartite": self.modes.bipartite(),
            "format": self.format.map(Format::word),
            "nodes": self.nodes,
            "unlisted": self.unlisted,
        });
        for (flag, given) in self.layout.given() {
            decisive[flag] = given.into();
        }
        decisive
    }

    /// How the file is to be read; reads the names of the nodes if a file of them is given.
    fn options(&self) -> anyhow::Result<ReadOptions> {
        let nodes = self.nodes.as_deref().map(declared).transpose()?;
        if self.directed && self.modes.bipartite() == Some(true) {
            bail!(
                "--bipartite: links between two kinds of nodes have no direction, so --directed does not go with it"
            );
        }
        let unipartite = self.directed.then_some(false);
        Ok(ReadOptions {
            format: self.format,
            bipartite: self.modes.bipartite().or(unipartite),
            directed: switch(self.directed, self.undirected),
            nodes,
            unlisted: self.unlisted.as_deref().map(|what| match what {
                "unobserved" => Unlisted::Unobserved,
                _ => Unlisted::NonLink,
            }),
            ..self.layout.options()
        })
    }

    pub(crate) fn read(&self, global: &GlobalArgs) -> anyhow::Result<Dataset> {
        let dataset = read_network(&self.network, &self.options()?)?;
        say(&dataset, global);
        Ok(dataset)
    }
}

/// Reads pairs that are to be added to the network of a model: what that network is decides how.
pub(crate) fn read_added(
    file: &Path,
    layout: &LayoutArgs,
    model: &FittedModel,
    global: &GlobalArgs,
) -> anyhow::Result<Dataset> {
    let options = ReadOptions {
        directed: Some(model.directed),
        bipartite: Some(false),
        adds_to_bipartite: Some(model.modes().is_some()),
        ..layout.options()
    };
    let mut dataset = read_network(file, &options)?;
    // The model decides what pairs are that are not listed, and its nodes may have links there.
    let non_links = std::mem::take(&mut dataset.report.counts.non_links);
    dataset.report.nodes_without_links = 0;
    dataset.report.unlisted = Unlisted::NonLink;
    say(&dataset, global);
    let names = dataset.relations[0].network.nodes().names();
    let new = names.iter().filter(|name| model.nodes.get(name).is_none()).count();
    let shown = file.display();
    if new == names.len() && new > 0 {
        bail!(
            "{shown}: none of its {new} names, such as '{}', is one of the {} nodes of the model: is it a file of another \
             network?",
            names[0],
            model.nodes.len()
        );
    }
    if non_links > 0 {
        let chains = model.relations[0].chains.as_ref();
        let unobserved = chains.is_some_and(|chains| chains.unlisted == Unlisted::Unobserved);
        let others = if unobserved { "unobserved" } else { "non-links, too" };
        let listed = counted(non_links as usize, "listed non-link");
        global
            .warning(&format!("{shown}: {listed}; pairs that are not listed are {others}, as in the model"));
    }
    let known = model.side_info();
    for (what, known) in
        [("attributes", known.nodes.is_some()), ("covariates of pairs", known.pairs.is_some())]
    {
        if known && new > 0 {
            global.warning(&format!("{shown}: {what} of {} are not known", counted(new, "new node")));
        }
    }
    Ok(dataset)
}

fn say(dataset: &Dataset, global: &GlobalArgs) {
    let report = &dataset.report;
    global.warning(&words::read_line(report));
    global.warnings(report.warnings.iter().map(|warning| words::of_file(report, warning)));
}

/// A number of nodes, or a file of their names. What looks like a number is one unless there is such a file.
fn declared(text: &str) -> anyhow::Result<Declared> {
    let number = text.parse::<f64>().is_ok();
    match text.parse::<usize>() {
        Ok(count) if count >= 2 => Ok(Declared::Count(count)),
        Err(_) if !text.is_empty() && (!number || Path::new(text).exists()) => {
            let file = Path::new(text);
            Ok(Declared::Names(read_names(file)?))
        }
        _ => bail!(
            "--nodes must be a whole number of at least 2, such as 1000, or a file of names, is {}",
            if text.is_empty() { "empty" } else { text }
        ),
    }
}

#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct SharingArgs {
    /// Let all relations have the same features, and weights of their own [default: if a development set is clearly better
    /// predicted so]
    #[arg(long, conflicts_with = "separate_features", hide_short_help = true)]
    share_features: bool,
    /// Fit each relation by itself, as the paper does
    #[arg(long, conflicts_with = "share_features", hide_short_help = true)]
    separate_features: bool,
}

impl SharingArgs {
    /// Refuses to keep the features of relations apart where there is one relation; the library refuses to share them.
    pub(crate) fn check(self, dataset: &Dataset) -> anyhow::Result<()> {
        let apart = self.separate_features && dataset.relations.len() == 1;
        ensure!(!apart, "features cannot be kept apart: there is one relation");
        Ok(())
    }

    pub(crate) fn sharing(self) -> Sharing {
        match switch(self.share_features, self.separate_features) {
            Some(true) => Sharing::Shared,
            Some(false) => Sharing::Separate,
            None => Sharing::Auto,
        }
    }
}
