//! `dlfrm predict`: link probabilities of pairs in a file, the most probable missing links, and those of new nodes.

use std::io::Write;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use dlfrm::fit::{Explainer, FittedModel, FittedRelation, MissingLink, MissingLinks};
use dlfrm::posterior::Prediction;
use dlfrm_io::split_files::field;
use dlfrm_io::{RelationPair, read_pairs};
use serde::Serialize;

use crate::args::{GlobalArgs, LayoutArgs, ModelFileArgs, Of, check_finished, count, read_added};
use crate::json;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dlfrm predict friends.dlfrm --top 10
  dlfrm predict friends.dlfrm --top 5 --node Ada
  dlfrm predict friends.dlfrm --pairs pairs.tsv --json
  dlfrm predict friends.dlfrm --new links-of-grace.tsv --top 5

A line has the pair, the posterior mean of its link probability, its 90 % interval, and a score: log-odds that rank pairs \
better than the mean. --top lists pairs in the order of their scores. With --pairs it also says whether \
the pair is a link that the model was fitted to. The output can be read as --pairs. With --new the features and effects of \
nodes that were not there at the fit are drawn given their links, and nothing else changes.")]
pub(crate) struct PredictArgs {
    #[command(flatten)]
    model: ModelFileArgs,
    #[command(flatten)]
    what: What,
    /// With --top: only pairs of this node
    #[arg(long, value_name = "NAME", allow_hyphen_values = true, conflicts_with = "pairs")]
    node: Option<String>,
    #[command(flatten, next_help_heading = "The file of --pairs or --new")]
    layout: LayoutArgs,
    /// Add why: what raises or lowers the odds most, as `dlfrm explain` says it
    #[arg(long)]
    explain: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
struct What {
    /// A file of pairs of names, as an edge list; a column relation says in which relation; - for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["top", "new"])]
    pairs: Option<PathBuf>,
    /// The N pairs with the highest scores that the network lists neither as links nor as non-links
    #[arg(long, value_name = "N", value_parser = count)]
    top: Option<usize>,
    /// Links of nodes that were not there at the fit: their N most probable further links each [default: --top 10]
    #[arg(long, value_name = "FILE")]
    new: Option<PathBuf>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Line<'a> {
    pub(crate) source: &'a str,
    pub(crate) target: &'a str,
    pub(crate) probability: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
    score: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    relation: Option<&'a str>,
    /// Whether the pair is a link that was learned from; nothing for pairs that were searched for among the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    known_link: Option<bool>,
    /// The strongest reasons, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

impl<'a> Line<'a> {
    pub(crate) fn new(MissingLink { relation, source, target, prediction }: MissingLink<'a>) -> Self {
        let Prediction { mean: probability, low, high, score } = prediction;
        Self { source, target, probability, low, high, score, relation, known_link: None, why: None }
    }
}

pub(crate) fn run(args: &PredictArgs, global: &GlobalArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut model = args.model.load()?;
    // New nodes have no say in whether chains agree.
    let disagreement = args.model.disagreement(&model, global)?;
    let nodes = new_nodes(args, &mut model, global)?;
    if let Some(node) = &args.node {
        args.model.node(&model, node)?;
    }
    let relations = args.model.relations(&model)?;
    let mut lines: Vec<Line<'_>> = vec![];
    if let Some(file) = &args.what.pairs {
        let all: Vec<_> = model.relations.iter().map(|relation| relation.name.as_deref()).collect();
        let only = args.model.relation.as_deref();
        let read = read_pairs(file, &model.nodes, &all, only, &args.layout.options())?;
        global.warnings(&read.warnings);
        lines = of_pairs(&model, &relations, &read.pairs).of(file)?;
    } else {
        for node in nodes.iter().map(Option::as_deref) {
            let (count, relation) = (args.what.top.unwrap_or(10), args.model.relation.as_deref());
            let links = model.missing_links(&MissingLinks { count, node, relation }).of(&args.model.file)?;
            if links.is_empty() && count > 0 {
                let of = node.map_or(String::new(), |node| format!(" of '{node}'"));
                global.warning(&format!("no pair{of} is left that is neither a link nor a listed non-link"));
            }
            lines.extend(links.into_iter().map(Line::new));
        }
    }
    if !lines.is_empty() {
        args.model.warn(&model, disagreement, global);
    }
    if args.explain {
        explain(&model, &relations, &mut lines);
    }
    json::show_list(&lines, args.json, out, |out| {
        let named = relations.iter().any(|relation| relation.name.is_some());
        let further = [("relation", named), ("known_link", args.what.pairs.is_some()), ("why", args.explain)];
        let titles = further.into_iter().filter_map(|(title, there)| there.then_some(title));
        let titles = ["source", "target", "probability", "low", "high", "score"].into_iter().chain(titles);
        writeln!(out, "{}", titles.collect::<Vec<_>>().join("\t"))?;
        Ok(lines.iter().try_for_each(|line| writeln!(out, "{}", row(line)))?)
    })
}

fn row(line: &Line<'_>) -> String {
    let [mean, low, high] = [line.probability, line.low, line.high].map(readable);
    let further = [
        line.relation.map(field),
        line.known_link.map(|known| if known { "yes" } else { "no" }.to_owned()),
        line.why.as_deref().map(field),
    ];
    let score = format!("{:.4}", line.score);
    let cells = [field(line.source), field(line.target), mean, low, high, score];
    cells.into_iter().chain(further.into_iter().flatten()).collect::<Vec<_>>().join("\t")
}

/// Adds the nodes of `--new` to the model, and returns whose links are asked for: those of nobody in particular, of the
/// node of `--node`, or of the new ones in turn.
fn new_nodes(
    args: &PredictArgs,
    model: &mut FittedModel,
    global: &GlobalArgs,
) -> anyhow::Result<Vec<Option<String>>> {
    let given = args.layout.given().into_iter().find(|given| given.1.is_some());
    if let (Some((flag, _)), None, None) = (given, &args.what.pairs, &args.what.new) {
        bail!("--{flag} needs --pairs or --new");
    }
    let Some(file) = &args.what.new else { return Ok(vec![args.node.clone()]) };
    check_finished(model, &args.model.file)?;
    let links = read_added(file, &args.layout, model, global)?;
    let known = model.nodes.len();
    *model = model.with_new_nodes(&links.relations).of(file)?;
    let new = &model.nodes.names()[known..];
    match &args.node {
        None => Ok(new.iter().cloned().map(Some).collect()),
        Some(node) if new.contains(node) => Ok(vec![Some(node.clone())]),
        Some(node) => bail!("{}: --node '{node}' is not a new node", file.display()),
    }
}

/// Adds to each line the two reasons that matter most in it.
fn explain(model: &FittedModel, relations: &[&FittedRelation], lines: &mut [Line<'_>]) {
    for &relation in relations {
        let explainer = Explainer::new(model, relation);
        let id = |name: &str| model.nodes.get(name).expect("predicted pairs are of the model");
        let mut mine: Vec<&mut Line<'_>> =
            lines.iter_mut().filter(|line| line.relation == relation.name.as_deref()).collect();
        let pairs: Vec<(u32, u32)> = mine.iter().map(|line| (id(line.source), id(line.target))).collect();
        for (line, explanation) in mine.iter_mut().zip(explainer.explain(&pairs)) {
            line.why = Some(explanation.summary(2));
        }
    }
}

/// Small probabilities with their exponent, so that pairs keep their order.
fn readable(probability: f64) -> String {
    if probability < 1e-3 { format!("{probability:.4e}") } else { format!("{probability:.6}") }
}

/// The predictions for the pairs of a file, in its order: in the relation that a row names, or else in each relation in turn.
fn of_pairs<'a>(
    model: &'a FittedModel,
    relations: &[&'a FittedRelation],
    pairs: &[RelationPair],
) -> anyhow::Result<Vec<Line<'a>>> {
    let named = pairs.iter().any(|(relation, _)| relation.is_some());
    let mut lines = Vec::new();
    for relation in relations {
        let named =
            |number: &Option<usize>| number.is_none_or(|at| model.relations[at].name == relation.name);
        let mine = pairs.iter().enumerate().filter(|(_, (number, _))| named(number));
        let (positions, mine): (Vec<usize>, Vec<(u32, u32)>) =
            mine.map(|(position, &(_, pair))| (position, pair)).unzip();
        model.check_pairs(relation, &mine)?;
        for ((position, pair), prediction) in
            positions.into_iter().zip(&mine).zip(model.predict(relation, &mine))
        {
            let [source, target] = [pair.0, pair.1].map(|id| model.nodes.name(id));
            let found = MissingLink { relation: relation.name.as_deref(), source, target, prediction };
            let (one, other) = *pair;
            let link = if model.directed || one < other { (one, other) } else { (other, one) };
            let known_link = Some(relation.links.binary_search(&link).is_ok());
            lines.push((position, Line { known_link, ..Line::new(found) }));
        }
    }
    if named {
        lines.sort_by_key(|&(position, _)| position);
    }
    Ok(lines.into_iter().map(|(_, line)| line).collect())
}
