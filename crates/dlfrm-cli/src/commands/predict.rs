//! `dlfrm predict`: link probabilities of given pairs, or the most probable missing links.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use dlfrm::fit::{FittedModel, FittedRelation};
use dlfrm::posterior::Prediction;
use dlfrm_io::split_files::field;
use dlfrm_io::{Columns, ReadOptions, read_pairs};
use serde::Serialize;

use crate::args::ModelFileArgs;
use crate::missing::missing_links;

/// The arguments of `dlfrm predict`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dlfrm predict friends.dlfrm --top 10
  dlfrm predict friends.dlfrm --top 5 --node Ada
  dlfrm predict friends.dlfrm --pairs pairs.tsv --json

A line has the pair, the posterior mean of its link probability and its 90 % interval.")]
pub(crate) struct PredictArgs {
    #[command(flatten)]
    model: ModelFileArgs,
    #[command(flatten)]
    what: What,
    /// With --top: only pairs of this entity
    #[arg(long, value_name = "NAME", requires = "top")]
    node: Option<String>,
    /// With --pairs: what the columns mean, in order [default: the header's words, or source,target]
    #[arg(long, value_name = "LIST", requires = "pairs")]
    columns: Option<Columns>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Which pairs to predict.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct What {
    /// A file of pairs of names, as an edge list; - for standard input
    #[arg(long, value_name = "FILE")]
    pairs: Option<PathBuf>,
    /// The N most probable pairs that are no links of the network
    #[arg(long, value_name = "N")]
    top: Option<usize>,
}

/// One predicted link.
#[derive(Debug, Serialize)]
struct Line<'a> {
    source: &'a str,
    target: &'a str,
    probability: f64,
    low: f64,
    high: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    relation: Option<&'a str>,
}

pub(crate) fn run(args: &PredictArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let model = args.model.load()?;
    let relations = args.model.relations(&model)?;
    let lines = if let Some(count) = args.what.top {
        top(args, &model, &relations, count)?
    } else {
        let file = args.what.pairs.as_ref().expect("one of the two is required");
        let options = ReadOptions { columns: args.columns.clone(), ..ReadOptions::default() };
        let pairs = read_pairs(file, &model.entities, &options)?;
        check_known(&model, &relations, &pairs).with_context(|| file.display().to_string())?;
        given(&model, &relations, &pairs)
    };
    if args.json {
        serde_json::to_writer_pretty(&mut *out, &lines)?;
        writeln!(out)?;
        return Ok(());
    }
    let named = relations.iter().any(|relation| relation.name.is_some());
    writeln!(out, "source\ttarget\tprobability\tlow\thigh{}", if named { "\trelation" } else { "" })?;
    for line in &lines {
        write!(out, "{}\t{}\t", field(line.source), field(line.target))?;
        let [mean, low, high] = [line.probability, line.low, line.high].map(told);
        write!(out, "{mean}\t{low}\t{high}")?;
        match line.relation {
            Some(relation) => writeln!(out, "\t{}", field(relation))?,
            None => writeln!(out)?,
        }
    }
    Ok(())
}

/// Small probabilities with their exponent, so that pairs keep their order.
fn told(probability: f64) -> String {
    if probability < 1e-3 { format!("{probability:.4e}") } else { format!("{probability:.6}") }
}

/// The most probable pairs of all relations together.
fn top<'a>(
    args: &PredictArgs,
    model: &'a FittedModel,
    relations: &[&'a FittedRelation],
    count: usize,
) -> anyhow::Result<Vec<Line<'a>>> {
    let node = args.node.as_deref().map(|name| model.entities.id(name)).transpose();
    let node = node.with_context(|| args.model.file.display().to_string())?;
    let mut lines = Vec::new();
    for relation in relations {
        for (i, j, prediction) in missing_links(model, relation, count, node) {
            lines.push(line(model, relation, (i, j), prediction));
        }
    }
    // Stable: relations and pairs of the same probability stay in their order.
    lines.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    lines.truncate(count);
    Ok(lines)
}

/// Refuses a pair of which less is known than of every pair that was learned from.
pub(super) fn check_known(
    model: &FittedModel,
    relations: &[&FittedRelation],
    pairs: &[(u32, u32)],
) -> anyhow::Result<()> {
    for covariates in relations.iter().filter_map(|relation| relation.posterior.covariates()) {
        for (row, &(i, j)) in pairs.iter().enumerate() {
            if let Some(column) = covariates.unheard((i, j)) {
                let [source, target] = [i, j].map(|entity| model.entities.name(entity));
                bail!(
                    "pair {}, {source} and {target}, has no value of the covariate '{column}', which was known of \
                     every pair that was learned from: fit with a file of --pair-covariates that has it, too",
                    row + 1
                );
            }
        }
    }
    Ok(())
}

/// The given pairs in their order, once a relation. An undirected pair has one answer, however it is written.
fn given<'a>(
    model: &'a FittedModel,
    relations: &[&'a FittedRelation],
    pairs: &[(u32, u32)],
) -> Vec<Line<'a>> {
    let ordered: Vec<(u32, u32)> =
        pairs.iter().map(|&(i, j)| if model.directed { (i, j) } else { (i.min(j), i.max(j)) }).collect();
    relations
        .iter()
        .flat_map(|relation| {
            let predictions = relation.posterior.predict(&ordered);
            pairs.iter().zip(predictions).map(|(&pair, prediction)| line(model, relation, pair, prediction))
        })
        .collect()
}

fn line<'a>(
    model: &'a FittedModel,
    relation: &'a FittedRelation,
    (source, target): (u32, u32),
    prediction: Prediction,
) -> Line<'a> {
    Line {
        source: model.entities.name(source),
        target: model.entities.name(target),
        probability: prediction.mean,
        low: prediction.low,
        high: prediction.high,
        relation: relation.name.as_deref(),
    }
}
