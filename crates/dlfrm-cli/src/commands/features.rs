//! `dlfrm features`: who has which feature, and how features interact, in one representative draw.

use std::io::Write;

use clap::Args;
use dlfrm::fit::{Feature, FittedModel, FittedRelation};
use serde::Serialize;

use crate::args::ModelFileArgs;

/// Interactions of a feature that are printed.
const PRINTED: usize = 3;

/// The arguments of `dlfrm features`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dlfrm features friends.dlfrm
  dlfrm features friends.dlfrm --members 0 --json

The features are those of the kept draw with the highest log joint density, the largest first; the members are
named the surest first. A positive weight makes links more probable, a negative one less. Stability says how much of
a feature the other draws contain: near 1 for one that all of them have.")]
pub(crate) struct FeaturesArgs {
    #[command(flatten)]
    model: ModelFileArgs,
    /// Name at most so many members of a feature, 0 for all; JSON always has all
    #[arg(long, value_name = "N", default_value_t = 20)]
    members: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The features of one relation.
#[derive(Debug, Serialize)]
struct Picture<'a> {
    relation: Option<&'a str>,
    chain: usize,
    sweep: usize,
    log_joint: f64,
    intercept: f64,
    features: Vec<Feature<'a>>,
}

pub(crate) fn run(args: &FeaturesArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let model = args.model.load()?;
    let pictures: Vec<_> =
        args.model.relations(&model)?.into_iter().map(|relation| picture(&model, relation)).collect();
    if args.json {
        serde_json::to_writer_pretty(&mut *out, &pictures)?;
        writeln!(out)?;
        return Ok(());
    }
    for (number, picture) in pictures.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        print(picture, args.members, out)?;
    }
    Ok(())
}

fn picture<'a>(model: &'a FittedModel, relation: &'a FittedRelation) -> Picture<'a> {
    let draw = relation.posterior.representative().expect("a fitted relation has draws");
    Picture {
        relation: relation.name.as_deref(),
        chain: draw.chain,
        sweep: draw.sweep,
        log_joint: draw.log_joint,
        intercept: draw.intercept,
        features: model.features_of(relation),
    }
}

fn print(picture: &Picture, most: usize, out: &mut impl Write) -> std::io::Result<()> {
    let of = picture.relation.map_or(String::new(), |name| format!("relation '{name}': "));
    let count = picture.features.len();
    writeln!(out, "{of}{count} features (chain {}, sweep {})", picture.chain + 1, picture.sweep)?;
    for feature in &picture.features {
        let Feature { number, size, own_weight, .. } = feature;
        let stability =
            feature.stability.map_or(String::new(), |stability| format!(", stability {stability:.2}"));
        writeln!(out, "\nfeature {number}: size {size}, own weight {own_weight:+.2}{stability}")?;
        let strongest = feature.interactions.iter().take(PRINTED);
        let strongest: Vec<_> =
            strongest.map(|other| format!("{} ({:+.2})", other.feature, other.weight)).collect();
        if !strongest.is_empty() {
            writeln!(out, "  strongest towards {}", strongest.join(", "))?;
        }
        let shown = if most == 0 { *size } else { most.min(*size) };
        let names: Vec<_> = feature.members[..shown].iter().map(|member| member.name).collect();
        let more = if shown < *size { format!(", and {} more", size - shown) } else { String::new() };
        writeln!(out, "  {}{more}", names.join(", "))?;
    }
    Ok(())
}
