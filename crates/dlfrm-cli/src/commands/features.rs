//! `dlfrm features`: who has which feature, and how features interact, by what draws agree on.

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use dlfrm::fit::{Feature, FittedModel, FittedRelation};
use dlfrm::posterior::FeatureRole;
use dlfrm::score::onmi;
use dlfrm_io::{ReadError, read_groups};
use serde::Serialize;

use crate::args::{GlobalArgs, ModelFileArgs, count};
use crate::json;
use crate::words::{counted, counted_as};

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
    #[arg(long, value_name = "N", value_parser = count, default_value_t = 20)]
    members: usize,
    /// Compare the features with known groups by their overlapping normalised mutual information (ONMI, from 0 to 1): a
    /// file of `dlfrm generate --truth`, one group per line, or a node and its group on each line (LFR's community.dat)
    #[arg(long, value_name = "FILE")]
    truth: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
pub(crate) struct Picture<'a> {
    relation: Option<&'a str>,
    chain: usize,
    sweep: usize,
    log_joint: f64,
    intercept: f64,
    pub(crate) features: Vec<Feature<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    truth: Option<Comparison>,
}

#[derive(Debug, Serialize)]
struct Comparison {
    file: String,
    onmi: f64,
    groups_found: usize,
    groups_true: usize,
}

pub(crate) fn run(args: &FeaturesArgs, global: &GlobalArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let model = args.model.load()?;
    let truth = args.truth.as_deref().map(|file| -> Result<_, ReadError> {
        let read = read_groups(file, &model.nodes)?;
        global.warnings(&read.warnings);
        let grouped: HashSet<u32> = read.groups.iter().flatten().copied().collect();
        let (all, file) = (model.nodes.len(), file.display().to_string());
        if grouped.len() < all {
            let of = [format!("of {all} nodes is"), format!("of {all} nodes are")];
            let lone = counted_as(all - grouped.len(), &of[0], &of[1]);
            global.warning(&format!("{lone} in no group of {file}"));
        }
        Ok((file, read.groups))
    });
    let truth = truth.transpose()?;
    args.model.warn(&model, args.model.disagreement(&model, global)?, global);
    let relations = args.model.relations(&model)?.into_iter();
    let pictures: Vec<_> = relations.map(|relation| picture(&model, relation, truth.as_ref())).collect();
    json::show_list(&pictures, args.json, out, |out| {
        for (number, picture) in pictures.iter().enumerate() {
            write!(out, "{}", if number > 0 { "\n" } else { "" })?;
            print(picture, model.nodes.len(), args.members, out)?;
        }
        Ok(())
    })
}

/// The features of a relation, beside the groups of a file.
pub(crate) fn picture<'a>(
    model: &'a FittedModel,
    relation: &'a FittedRelation,
    truth: Option<&(String, Vec<Vec<u32>>)>,
) -> Picture<'a> {
    let draw = relation.posterior.consensus().expect("a fitted relation has draws");
    let (features, nodes) = (model.features_of(relation), &model.nodes);
    let members = |feature: &Feature<'_>| -> Vec<u32> {
        let members = feature.members.iter();
        members.map(|member| nodes.get(member.name).expect("a member is a node")).collect()
    };
    let groups = features.iter().filter(|feature| feature.role == FeatureRole::Group);
    let found: Vec<Vec<u32>> = groups.map(members).collect();
    Picture {
        relation: relation.name.as_deref(),
        chain: draw.chain + 1,
        sweep: draw.sweep,
        log_joint: draw.log_joint,
        intercept: draw.intercept,
        truth: truth.map(|(file, groups)| Comparison {
            file: file.clone(),
            onmi: onmi(&found, groups, nodes.len()),
            groups_found: found.len(),
            groups_true: groups.len(),
        }),
        features,
    }
}

/// Prints features with at most so many members each, all if it is 0.
pub(crate) fn print(
    picture: &Picture<'_>,
    nodes: usize,
    most: usize,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let of = picture.relation.map_or(String::new(), |name| format!("relation '{name}': "));
    writeln!(out, "{of}{} that most draws have", counted(picture.features.len(), "feature"))?;
    if let Some(Comparison { file, onmi, groups_found, groups_true }) = &picture.truth {
        let (found, known) = (counted(*groups_found, "group"), counted(*groups_true, "group"));
        writeln!(out, "ONMI {onmi:.4}: {found} among the features beside the {known} of {file}")?;
    }
    let (common, others): (Vec<_>, Vec<_>) =
        picture.features.iter().partition(|feature| feature.role == FeatureRole::Common);
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
        let avoidance = if feature.role == FeatureRole::Avoidance {
            ", no group: its members avoid each other"
        } else {
            ""
        };
        writeln!(out, "\nfeature {number}: size {size}, own weight {own_weight:+.2}{stability}{avoidance}")?;
        let strongest = feature.interactions.iter().take(3);
        let strongest: Vec<_> =
            strongest.map(|other| format!("{} ({:+.2})", other.feature, other.weight)).collect();
        if !strongest.is_empty() {
            wrapped(&format!("strongest towards {}", strongest.join(", ")), out)?;
        }
        let shown = if most == 0 { *size } else { most.min(*size) };
        let names: Vec<_> = feature.members[..shown].iter().map(|member| member.name).collect();
        let more = if shown < *size { format!(", and {} more", size - shown) } else { String::new() };
        wrapped(&format!("{}{more}", names.join(", ")), out)?;
    }
    Ok(())
}

/// Words in indented lines of at most 100 characters.
fn wrapped(text: &str, out: &mut dyn Write) -> std::io::Result<()> {
    let mut line = String::from(" ");
    for word in text.split_whitespace() {
        if line.chars().count() + 1 + word.chars().count() > 100 && line != " " {
            writeln!(out, "{line}")?;
            " ".clone_into(&mut line);
        }
        line = format!("{line} {word}");
    }
    writeln!(out, "{line}")
}
