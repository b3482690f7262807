//! `dlfrm generate --planted`: the arguments of a planted network, and the network as it is written.

use clap::Args;
use dlfrm::generate::{PlantedSettings, plant};
use serde::Serialize;

use super::{Drawn, edge_list};
use crate::args::{count, count_from, number};
use crate::json;
use crate::table::{counted, counted_as};

/// What is planted.
#[derive(Debug, Args)]
#[command(next_help_heading = "Planted groups")]
pub(super) struct PlantedArgs {
    /// Plant groups that may overlap, in place of features of the model
    #[arg(long)]
    pub(super) planted: bool,
    /// Mean number of links per node
    #[arg(long, value_name = "X", value_parser = number, requires = "planted", allow_negative_numbers = true)]
    #[arg(default_value_t = PlantedSettings::default().mean_degree)]
    mean_degree: f64,
    /// Most links of a node [default: 2.5 times the mean, less if no group holds so many]
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true, requires = "planted")]
    max_degree: Option<usize>,
    /// Exponent of the power law of the degrees
    #[arg(long, value_name = "X", value_parser = number, requires = "planted", allow_negative_numbers = true)]
    #[arg(default_value_t = PlantedSettings::default().degree_exponent)]
    degree_exponent: f64,
    /// Sizes of the smallest and the largest group [default: the mean degree and five times as many]
    #[arg(long, value_names = ["MIN", "MAX"], num_args = 2, value_parser = count_from(2), allow_negative_numbers = true, requires = "planted")]
    group_size: Option<Vec<usize>>,
    /// Exponent of the power law of the sizes
    #[arg(long, value_name = "X", value_parser = number, requires = "planted", allow_negative_numbers = true)]
    #[arg(default_value_t = PlantedSettings::default().size_exponent)]
    size_exponent: f64,
    /// Share of a node's links that leave its groups
    #[arg(long, value_name = "X", value_parser = number, requires = "planted", allow_negative_numbers = true)]
    #[arg(default_value_t = PlantedSettings::default().mixing)]
    mixing: f64,
    /// How many nodes are in several groups
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true, requires = "planted")]
    #[arg(default_value_t = PlantedSettings::default().overlapping)]
    overlapping: usize,
    /// In how many groups each of them is
    #[arg(long, value_name = "N", value_parser = count_from(1), allow_negative_numbers = true, requires = "planted")]
    #[arg(default_value_t = PlantedSettings::default().memberships)]
    memberships: usize,
}

/// What was planted.
#[derive(Debug, Serialize)]
struct Truth {
    nodes: usize,
    directed: bool,
    mean_degree: f64,
    /// The share of the links between nodes without a common group.
    mixing: f64,
    overlapping: usize,
    memberships: usize,
    seed: u64,
    /// The names of the members of each group.
    groups: Vec<Vec<String>>,
}

impl PlantedArgs {
    /// Plants the network.
    pub(super) fn draw(&self, nodes: usize, seed: u64) -> anyhow::Result<Drawn> {
        let settings = PlantedSettings {
            nodes,
            mean_degree: self.mean_degree,
            max_degree: self.max_degree,
            degree_exponent: self.degree_exponent,
            group_size: self.group_size.as_deref().map(|sizes| (sizes[0], sizes[1])),
            size_exponent: self.size_exponent,
            mixing: self.mixing,
            overlapping: self.overlapping,
            memberships: self.memberships,
            seed,
        };
        let planted = plant(&settings)?;
        let (links, groups) = (planted.network.links().len(), planted.groups.len());
        let truth = Truth {
            nodes,
            directed: false,
            mean_degree: 2.0 * links as f64 / nodes as f64,
            mixing: planted.mixing(),
            overlapping: settings.overlapping,
            memberships: settings.memberships,
            seed,
            groups: planted
                .groups
                .iter()
                .map(|members| {
                    members.iter().map(|&node| planted.network.nodes().name(node).to_owned()).collect()
                })
                .collect(),
        };
        let comment = format!(
            "# Undirected network of {nodes} nodes with {}: mean degree {}, mixing {},\n\
             # {} in {} each, seed {seed}. Read it with --nodes {nodes}.\n",
            counted(groups, "planted group"),
            settings.mean_degree,
            settings.mixing,
            counted_as(settings.overlapping, "node", "nodes"),
            counted(settings.memberships, "group"),
        );
        Ok(Drawn {
            links: comment + &edge_list(&planted.network),
            truth: json::to_vec(&truth)?,
            summary: format!(
                "{nodes} nodes, {}, {}, mean degree {:.2}, mixing {:.3}",
                counted(links, "link"),
                counted(groups, "group"),
                truth.mean_degree,
                truth.mixing
            ),
        })
    }
}
