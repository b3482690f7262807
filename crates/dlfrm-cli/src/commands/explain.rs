//! `dlfrm explain`: why a link is predicted, or is not.

use std::io::Write;

use anyhow::{Context, bail};
use clap::Args;
use dlfrm::fit::{Explainer, Explanation};

use crate::args::{GlobalArgs, ModelFileArgs};
use crate::json;

/// The arguments of `dlfrm explain`.
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
    let model = args.model.load(global)?;
    let relations = args.model.relations(&model)?;
    let file = || args.model.file.display().to_string();
    let id = |name: &str| args.model.node(&model, name);
    let (source, target) = (id(&args.source)?, id(&args.target)?);
    if source == target {
        bail!("a pair must have two different nodes, is '{0}' and '{0}'", args.source);
    }
    let mut explanations: Vec<Explanation<'_>> = Vec::new();
    for relation in relations {
        model.check_pairs(relation, &[(source, target)]).with_context(file)?;
        explanations.extend(Explainer::new(&model, relation).explain(&[(source, target)]));
    }
    args.model.remark(&model, args.model.disagreement(&model, global)?, global);
    if args.json {
        json::print_list(&explanations, out)?;
        return Ok(());
    }
    for (number, explanation) in explanations.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{}", explanation.text())?;
    }
    Ok(())
}
