//! `dlfrm features`: who has which feature, and how features interact, by what draws agree on.

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use dlfrm::fit::{Feature, FittedModel, FittedRelation};
use dlfrm::network::Nodes;
use dlfrm::score::onmi;
use dlfrm_io::{ReadError, read_groups};
use serde::Serialize;

use crate::args::{GlobalArgs, ModelFileArgs, count};
use crate::json;
use crate::table::counted;

/// Interactions of a feature that are printed.
const PRINTED: usize = 3;

/// The arguments of `dlfrm features`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dlfrm features friends.dlfrm
  dlfrm features friends.dlfrm --members 0 --json
  dlfrm features links.dlfrm --truth truth.json

The features are those that most draws of all chains have, the largest first; the members are \
named the surest first. A positive weight makes links more probable, a negative one less. Stability says how much of \
a feature the other draws contain: near 1 for one that all of them have.")]
pub(crate) struct FeaturesArgs {
    #[command(flatten)]
    model: ModelFileArgs,
    /// Name at most so many members of a feature, 0 for all; JSON always has all
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true, default_value_t = 20)]
    members: usize,
    /// Compare the features with known groups by their overlapping normalised mutual information (ONMI, from 0 to 1): a
    /// file of `dlfrm generate --truth`, one group per line, or a node and its group on each line (LFR's community.dat)
    #[arg(long, value_name = "FILE")]
    truth: Option<PathBuf>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    truth: Option<Comparison>,
}

/// The features beside known groups.
#[derive(Debug, Serialize)]
struct Comparison {
    file: String,
    onmi: f64,
    groups_found: usize,
    groups_true: usize,
}

/// Known groups.
struct Truth {
    file: String,
    groups: Vec<Vec<u32>>,
}

impl Truth {
    fn compare(&self, features: &[Feature<'_>], nodes: &Nodes) -> Comparison {
        let members = |feature: &Feature<'_>| -> Vec<u32> {
            let members = feature.members.iter();
            members.map(|member| nodes.get(member.name).expect("a member is a node")).collect()
        };
        let groups = features.iter().filter(|feature| feature.is_group(nodes.len()));
        let found: Vec<Vec<u32>> = groups.map(members).collect();
        Comparison {
            file: self.file.clone(),
            onmi: onmi(&found, &self.groups, nodes.len()),
            groups_found: found.len(),
            groups_true: self.groups.len(),
        }
    }
}

pub(crate) fn run(args: &FeaturesArgs, global: &GlobalArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let model = args.model.load(global)?;
    let truth = args.truth.as_ref().map(|file| -> Result<Truth, ReadError> {
        let read = read_groups(file, &model.nodes)?;
        global.warnings_of(file, &read.warnings);
        let grouped: HashSet<u32> = read.groups.iter().flatten().copied().collect();
        let all = model.nodes.len();
        match all - grouped.len() {
            0 => {}
            1 => global.warning(&format!("1 of {all} nodes is in no group of {}", file.display())),
            none => global.warning(&format!("{none} of {all} nodes are in no group of {}", file.display())),
        }
        Ok(Truth { file: file.display().to_string(), groups: read.groups })
    });
    let truth = truth.transpose()?;
    args.model.remark(&model, args.model.disagreement(&model, global)?, global);
    let relations = args.model.relations(&model)?.into_iter();
    let pictures: Vec<_> = relations.map(|relation| picture(&model, relation, truth.as_ref())).collect();
    if args.json {
        json::print_list(&pictures, out)?;
        return Ok(());
    }
    for (number, picture) in pictures.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        print(picture, model.nodes.len(), args.members, out)?;
    }
    Ok(())
}

fn picture<'a>(model: &'a FittedModel, relation: &'a FittedRelation, truth: Option<&Truth>) -> Picture<'a> {
    let draw = relation.posterior.consensus().expect("a fitted relation has draws");
    let features = model.features_of(relation);
    Picture {
        relation: relation.name.as_deref(),
        chain: draw.chain + 1,
        sweep: draw.sweep,
        log_joint: draw.log_joint,
        intercept: draw.intercept,
        truth: truth.map(|truth| truth.compare(&features, &model.nodes)),
        features,
    }
}

fn print(picture: &Picture, nodes: usize, most: usize, out: &mut dyn Write) -> std::io::Result<()> {
    let of = picture.relation.map_or(String::new(), |name| format!("relation '{name}': "));
    let count = picture.features.len();
    let features = if count == 1 { "feature" } else { "features" };
    writeln!(out, "{of}{count} {features} that most draws have")?;
    if let Some(Comparison { file, onmi, groups_found, groups_true }) = &picture.truth {
        writeln!(
            out,
            "ONMI {onmi:.4}: {} among the features beside the {} of {file}",
            counted(*groups_found, "group"),
            counted(*groups_true, "group")
        )?;
    }
    let (common, others): (Vec<_>, Vec<_>) =
        picture.features.iter().partition(|feature| feature.is_common(nodes));
    for Feature { number, size, own_weight, .. } in common {
        writeln!(
            out,
            "\nfeature {number}: {size} of {nodes} nodes have it (own weight {own_weight:+.2}), so it is part of the intercept"
        )?;
    }
    for feature in others {
        let Feature { number, size, own_weight, .. } = feature;
        let stability =
            feature.stability.map_or(String::new(), |stability| format!(", stability {stability:.2}"));
        let avoidance = if feature.is_avoidance() { ", no group: its members avoid each other" } else { "" };
        writeln!(out, "\nfeature {number}: size {size}, own weight {own_weight:+.2}{stability}{avoidance}")?;
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
