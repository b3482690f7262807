//! `dlfrm predict`: link probabilities of pairs in a file, or the most probable missing links.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use dlfrm::fit::{FittedModel, FittedRelation, MissingLink, MissingLinks};
use dlfrm_io::split_files::field;
use dlfrm_io::{Columns, ReadOptions, read_pairs};
use serde::Serialize;

use crate::args::ModelFileArgs;

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
    /// The N most probable pairs that the network lists neither as links nor as non-links
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
    let lines: Vec<Line<'_>> = if let Some(count) = args.what.top {
        let query = MissingLinks { count, node: args.node.as_deref(), relation: args.model.relation() };
        let links = model.missing_links(&query).with_context(|| args.model.file.display().to_string())?;
        links.into_iter().map(line).collect()
    } else {
        let file = args.what.pairs.as_ref().expect("one of the two is required");
        let options = ReadOptions { columns: args.columns.clone(), ..ReadOptions::default() };
        let pairs = read_pairs(file, &model.entities, &options)?;
        for relation in &relations {
            model.check_pairs(relation, &pairs).with_context(|| file.display().to_string())?;
        }
        relations.iter().flat_map(|relation| of_pairs(&model, relation, &pairs)).collect()
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
        let [mean, low, high] = [line.probability, line.low, line.high].map(readable);
        write!(out, "{mean}\t{low}\t{high}")?;
        match line.relation {
            Some(relation) => writeln!(out, "\t{}", field(relation))?,
            None => writeln!(out)?,
        }
    }
    Ok(())
}

/// Small probabilities with their exponent, so that pairs keep their order.
fn readable(probability: f64) -> String {
    if probability < 1e-3 { format!("{probability:.4e}") } else { format!("{probability:.6}") }
}

/// The predictions of one relation for some pairs.
fn of_pairs<'a>(model: &'a FittedModel, relation: &'a FittedRelation, pairs: &[(u32, u32)]) -> Vec<Line<'a>> {
    let predictions = model.predict(relation, pairs);
    let link = |(&(source, target), prediction)| {
        let [source, target] = [source, target].map(|id| model.entities.name(id));
        line(MissingLink { relation: relation.name.as_deref(), source, target, prediction })
    };
    pairs.iter().zip(predictions).map(link).collect()
}

fn line(MissingLink { relation, source, target, prediction }: MissingLink<'_>) -> Line<'_> {
    let (probability, low, high) = (prediction.mean, prediction.low, prediction.high);
    Line { source, target, probability, low, high, relation }
}
