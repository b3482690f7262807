//! `dlfrm generate`: a network drawn from the model or with planted groups, for tests and for teaching.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::Args;
use dlfrm::generate::{GenerateSettings, PlantedSettings, generate, plant};
use dlfrm::model;
use dlfrm::network::Network;
use serde_json::{Value, json};

use crate::args::{GlobalArgs, check_new, count, count_from, number, whole_number};
use crate::interrupt::write_file;
use crate::json;
use crate::words::counted;

#[derive(Debug, Args)]
#[command(after_help = "Example:
  dlfrm generate -o links.tsv --nodes 100 --truth truth.json
  dlfrm evaluate links.tsv --undirected --nodes 100
  dlfrm generate --planted -o links.tsv --nodes 200 --mixing 0.1 --overlapping 40 --truth truth.json
  dlfrm fit links.tsv --undirected --nodes 200 -o links.dlfrm
  dlfrm features links.dlfrm --truth truth.json

Features come from the Indian buffet process, weights from their Gaussian prior, and a link is drawn with the \
probability sigmoid(intercept + the weights between the features of its two ends). With --planted nodes are in groups \
instead, by the recipe of Lancichinetti and Fortunato (2009), and the model has to find them.")]
pub(crate) struct GenerateArgs {
    /// Where the links go, one per line; a file that is there is replaced with --force only; - for standard output [default:
    /// standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Save the features and weights, or the groups, that the links were drawn with, as JSON
    #[arg(long, value_name = "FILE")]
    truth: Option<PathBuf>,
    /// Replace files that are there
    #[arg(long)]
    force: bool,
    /// How many nodes
    #[arg(long, value_name = "N", value_parser = count_from(2), default_value_t = GenerateSettings::default().nodes)]
    nodes: usize,
    /// Links have a direction
    #[arg(long, conflicts_with = "planted")]
    directed: bool,
    /// A bipartite network: the first so many nodes are rows, the others columns, and only rows and columns are linked
    #[arg(long, value_name = "N", value_parser = count_from(1), conflicts_with_all = ["planted", "directed"])]
    rows: Option<usize>,
    /// Mean number of features per node
    #[arg(long, value_name = "X", value_parser = number)]
    #[arg(default_value_t = GenerateSettings::default().alpha, conflicts_with = "planted")]
    alpha: f64,
    /// Inverse standard deviation of a weight
    #[arg(long, value_name = "X", value_parser = number)]
    #[arg(default_value_t = GenerateSettings::default().nu, conflicts_with = "planted")]
    nu: f64,
    /// What is added to every logit: the lower, the fewer links
    #[arg(long, value_name = "X", value_parser = number)]
    #[arg(default_value_t = GenerateSettings::default().intercept, conflicts_with = "planted")]
    intercept: f64,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = GenerateSettings::default().seed)]
    #[arg(value_parser = whole_number)]
    seed: u64,
    #[command(flatten)]
    planted: PlantedArgs,
}

pub(crate) fn run(args: &GenerateArgs, global: &GlobalArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let to_file = |file: &&PathBuf| **file != Path::new("-");
    ensure!(
        args.truth.iter().all(|file| to_file(&file)),
        "--truth is not written to standard output: name a file"
    );
    let output = args.output.as_ref().filter(to_file);
    let files = || output.into_iter().chain(&args.truth);
    if let Some(output) = output {
        check_new("-o", output, &[], args.force)?;
    }
    if let Some(truth) = &args.truth {
        let others: Vec<&Path> = output.iter().map(|output| output.as_path()).collect();
        check_new("--truth", truth, &others, args.force)?;
    }
    let drawn = if args.planted.planted { args.planted.draw(args.nodes, args.seed)? } else { args.draw()? };
    if let Some(file) = &args.truth {
        write_file(file, &json::to_vec(&drawn.truth)?)?;
    }
    match output {
        Some(file) => write_file(file, drawn.links.as_bytes())?,
        None => out.write_all(drawn.links.as_bytes())?,
    }
    global.warning(&drawn.summary);
    let saved: Vec<String> = files().map(|file| file.display().to_string()).collect();
    if !saved.is_empty() {
        global.warning(&format!("saved to {}", saved.join(", ")));
    }
    Ok(())
}

struct Drawn {
    links: String,
    truth: Value,
    summary: String,
}

impl GenerateArgs {
    fn draw(&self) -> anyhow::Result<Drawn> {
        let &Self { nodes, directed, rows, alpha, nu, intercept, seed, .. } = self;
        let settings = GenerateSettings {
            nodes,
            directed,
            rows,
            alpha,
            nu,
            intercept,
            seed,
            ..GenerateSettings::default()
        };
        let made = generate(&settings)?;
        let (links, draw) = (made.network.links().len(), &made.truth);
        let [a, n, b] = [alpha, nu, intercept].map(model::number);
        let (kind, bipartite) = match (directed, rows) {
            (true, _) => ("Directed", ""),
            (false, None) => ("Undirected", ""),
            (false, Some(_)) => ("Bipartite", " --bipartite"),
        };
        let comment = format!(
            "# {kind} network of {nodes} nodes drawn from the latent feature model with full weights:\n\
             # alpha {a}, nu {n}, intercept {b}, seed {seed}. Some nodes may have no link: read it with \
             --nodes {nodes}{bipartite}.\n"
        );
        let feature = |(feature, members)| json!({ "feature": feature, "members": members });
        let row = |k| (0..draw.features()).map(|l| draw.weight(k, l)).collect();
        let weights: Vec<Vec<f64>> = (0..draw.features()).map(row).collect();
        let truth = json!({
            "nodes": nodes,
            "directed": directed,
            "intercept": intercept,
            "alpha": alpha,
            "nu": nu,
            "features": draw.members().into_iter().enumerate().map(feature).collect::<Vec<_>>(),
            "weights": weights,
        });
        let [drawn, features] = [counted(links, "link"), counted(draw.features(), "feature")];
        Ok(Drawn {
            links: comment + &edge_list(&made.network),
            truth,
            summary: format!("{nodes} nodes, {drawn}, {features}"),
        })
    }
}

fn edge_list(network: &Network) -> String {
    let line = |(source, target): &(u32, u32)| format!("{source}\t{target}\n");
    network.links().iter().map(line).collect::<Vec<_>>().concat()
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Planted groups")]
struct PlantedArgs {
    /// Plant groups that may overlap, in place of features of the model
    #[arg(long)]
    planted: bool,
    /// Mean number of links per node
    #[arg(long, value_name = "X", value_parser = number, requires = "planted")]
    #[arg(default_value_t = PlantedSettings::default().mean_degree)]
    mean_degree: f64,
    /// Sizes of the smallest and the largest group [default: the mean degree and five times as many]
    #[arg(long, value_names = ["MIN", "MAX"], num_args = 2, value_parser = count_from(2), requires = "planted")]
    group_size: Option<Vec<usize>>,
    /// Share of a node's links that leave its groups
    #[arg(long, value_name = "X", value_parser = number, requires = "planted")]
    #[arg(default_value_t = PlantedSettings::default().mixing)]
    mixing: f64,
    /// How many nodes are in several groups
    #[arg(long, value_name = "N", value_parser = count, requires = "planted")]
    #[arg(default_value_t = PlantedSettings::default().overlapping)]
    overlapping: usize,
    /// In how many groups each of them is
    #[arg(long, value_name = "N", value_parser = count_from(1), requires = "planted")]
    #[arg(default_value_t = PlantedSettings::default().memberships)]
    memberships: usize,
}

impl PlantedArgs {
    fn draw(&self, nodes: usize, seed: u64) -> anyhow::Result<Drawn> {
        let settings = PlantedSettings {
            nodes,
            mean_degree: self.mean_degree,
            group_size: self.group_size.as_deref().map(|sizes| (sizes[0], sizes[1])),
            mixing: self.mixing,
            overlapping: self.overlapping,
            memberships: self.memberships,
            seed,
            ..PlantedSettings::default()
        };
        let planted = plant(&settings)?;
        let (links, groups) = (planted.network.links().len(), planted.groups.len());
        let (degree, mixing) = (2.0 * links as f64 / nodes as f64, planted.mixing());
        let name = |&node: &u32| planted.network.nodes().name(node);
        let names = |members: &Vec<u32>| members.iter().map(name).collect::<Vec<_>>();
        let truth = json!({
            "nodes": nodes,
            "directed": false,
            "mean_degree": degree,
            "mixing": mixing,
            "overlapping": self.overlapping,
            "memberships": self.memberships,
            "seed": seed,
            "groups": planted.groups.iter().map(names).collect::<Vec<_>>(),
        });
        let comment = format!(
            "# Undirected network of {nodes} nodes with {}: mean degree {}, mixing {},\n\
             # {} in {} each, seed {seed}. Read it with --nodes {nodes}.\n",
            counted(groups, "planted group"),
            self.mean_degree,
            self.mixing,
            counted(self.overlapping, "node"),
            counted(self.memberships, "group"),
        );
        let [drawn, found] = [counted(links, "link"), counted(groups, "group")];
        Ok(Drawn {
            links: comment + &edge_list(&planted.network),
            truth,
            summary: format!("{nodes} nodes, {drawn}, {found}, mean degree {degree:.2}, mixing {mixing:.3}"),
        })
    }
}
