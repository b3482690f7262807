//! `dlfrm explain`: why a link is predicted, or is not.

use std::io::Write;

use anyhow::bail;
use clap::Args;
use dlfrm::fit::{Explainer, Explanation};

use crate::args::{GlobalArgs, ModelFileArgs, Of};
use crate::json;

#[derive(Debug, Args)]
#[command(after_help = "Example:
  dlfrm explain friends.dlfrm Ada Eve

The log-odds of a link are a sum. Each line says by what one part of it multiplies the odds, beside an average pair, with \
its 90 % interval. Parts of covariates: common neighbours, longer paths, numbers of links, the other direction, attributes. \
Parts of features: features that the two have in common, and how active the two are beside them.")]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    model: ModelFileArgs,
    /// The node that the link starts from
    #[arg(value_name = "SOURCE", allow_hyphen_values = true)]
    source: String,
    /// The node that it goes to
    #[arg(value_name = "TARGET", allow_hyphen_values = true)]
    target: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &ExplainArgs, global: &GlobalArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let model = args.model.load()?;
    let [source, target] = [&args.source, &args.target].map(|name| args.model.node(&model, name));
    let pair = (source?, target?);
    if pair.0 == pair.1 {
        bail!("a pair must have two different nodes, is '{0}' and '{0}'", args.source);
    }
    let mut explanations: Vec<Explanation<'_>> = Vec::new();
    for relation in args.model.relations(&model)? {
        model.check_pairs(relation, &[pair]).of(&args.model.file)?;
        explanations.extend(Explainer::new(&model, relation).explain(&[pair]));
    }
    args.model.warn(&model, args.model.disagreement(&model, global)?, global);
    json::show_list(&explanations, args.json, out, |out| {
        let texts: Vec<String> = explanations.iter().map(Explanation::text).collect();
        Ok(writeln!(out, "{}", texts.join("\n\n"))?)
    })
}
