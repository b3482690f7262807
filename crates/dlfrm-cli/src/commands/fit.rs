//! `dlfrm fit`: fits one model a relation, saves it, and tells how it went.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args;
use dlfrm::chain;
use dlfrm::covariates::{CovariateSet, SideInfo};
use dlfrm::fit::{FittedModel, FittedRelation, Versions};
use dlfrm::model::{Model, Settings, ValidSettings};
use dlfrm::network::Pairs;
use dlfrm::network::Relation;
use dlfrm::posterior::Posterior;
use dlfrm_io::Dataset;
use dlfrm_io::model_file::check_writable;
use rayon::prelude::*;

use crate::args::{
    GlobalArgs, MemoryArgs, NetworkArgs, SettingArgs, Sharing, SharingArgs, SideInfoArgs, model_help,
};
use crate::choice::Candidates;
use crate::failure::{Interrupted, Unfinished};
use crate::progress::FitProgress;
use crate::summary;
use crate::{interrupt, learn};

/// The arguments of `dlfrm fit`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dlfrm fit friends.tsv --undirected -o friends.dlfrm
  dlfrm fit kinship.tsv.gz --columns relation,source,target --model diag-dlfrm-h
  dlfrm fit webkb.tsv.gz --entities 877 --node-attributes webkb-words.tsv.gz -o webkb.dlfrm
  zcat links.csv.gz | dlfrm fit - -o links.dlfrm --chains 2 --draws 50

Ctrl-C ends the fit with the draws kept so far; without a draw nothing is saved and the exit code is 130.")]
pub(crate) struct FitArgs {
    /// Where the model is saved; a file that is there is replaced [default: the network's name with .dlfrm]
    #[arg(long, short, value_name = "MODEL")]
    output: Option<PathBuf>,
    #[arg(long, value_name = "MODEL", value_parser = Model::from_str, help = model_help("The model"))]
    model: Option<Model>,
    /// Treat an undirected link as two directed ones with a full weight matrix, as the paper does
    #[arg(long)]
    asymmetric: bool,
    #[command(flatten)]
    sharing: SharingArgs,
    /// Learn from all links and this many non-links a link, drawn at random [default: from all non-links; 10 a
    /// link where there are more than 50 million pairs]
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    negatives: Option<f64>,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    given: SideInfoArgs,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    network: NetworkArgs,
    #[command(flatten)]
    settings: SettingArgs,
}

pub(crate) fn run(args: &FitArgs, common: &GlobalArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let model = args.model.unwrap_or(Settings::default().model);
    // Mistakes are told before the network is read; the network decides some defaults.
    args.settings.settings(model, 0, false).check()?;
    args.output.as_deref().map_or(Ok(()), check_writable)?;
    let dataset = args.network.read(common)?;
    let output = output(args, &dataset)?;
    let networks = || dataset.relations.iter().map(|relation| &relation.network);
    let negatives = learn::negatives(networks(), args.asymmetric, args.negatives);
    let pairs = learn::most_pairs(networks(), args.asymmetric, negatives);
    // A link that stands in both directions would tell itself by its reverse.
    let both_ways = args.asymmetric && networks().any(|network| !network.directed());
    let candidates = args.settings.candidates(model, pairs as usize, both_ways)?;
    let settings = &candidates.usual;
    if both_ways && settings.covariates != CovariateSet::None {
        bail!(
            "--covariates {} with --asymmetric: each link of an undirected network would be told by its reverse; leave \
             one of them out",
            settings.covariates
        );
    }
    let given = args.given.read(&dataset, common)?;
    let sharing = args.sharing.sharing(&dataset, &args.network.network, pairs, both_ways)?;
    let relations = learnable(args, common, &dataset, negatives)?;
    let bytes = learn::memory(networks(), args.asymmetric, negatives, &given, settings);
    args.memory.check(bytes, common).with_context(|| args.network.network.display().to_string())?;
    interrupt::listen()?;
    let how = How { candidates: &candidates, sharing, given: &given, negatives };
    let model = fit_all(args, common, &how, &dataset.name, &relations)?;
    interrupt::saving();
    dlfrm_io::save_model(&model, &output)?;
    if args.json {
        serde_json::to_writer_pretty(&mut *out, &summary::Fit::new(&model, &output))?;
        writeln!(out)?;
    } else {
        write!(out, "{}", summary::Fit::new(&model, &output))?;
    }
    Ok(())
}

/// Where the model goes, found out to be writable.
fn output(args: &FitArgs, dataset: &Dataset) -> anyhow::Result<PathBuf> {
    if let Some(output) = &args.output {
        return Ok(output.clone());
    }
    if args.network.network == Path::new("-") {
        bail!("a network from standard input has no name: say with -o where the model is saved");
    }
    let output = PathBuf::from(format!("{}.dlfrm", dataset.name));
    check_writable(&output)?;
    Ok(output)
}

/// The relations that something can be learned from. Of several, those without are left out with a notice.
fn learnable<'a>(
    args: &FitArgs,
    common: &GlobalArgs,
    dataset: &'a Dataset,
    negatives: Option<f64>,
) -> anyhow::Result<Vec<&'a Relation>> {
    let networks = dataset.relations.iter().map(|relation| &relation.network);
    learn::check_size(networks, args.asymmetric, negatives)
        .with_context(|| args.network.network.display().to_string())?;
    let mut kept = Vec::new();
    let mut refused = Vec::new();
    for relation in &dataset.relations {
        match learn::check(&relation.network).with_context(|| place(args, relation)) {
            Ok(()) => kept.push(relation),
            Err(error) => refused.push(error),
        }
    }
    if kept.is_empty() {
        return Err(refused.swap_remove(0));
    }
    for error in refused {
        common.notice(&format!("{error:#}; it is left out"));
    }
    Ok(kept)
}

/// What relations are fitted with.
struct How<'a> {
    candidates: &'a Candidates,
    sharing: Sharing,
    given: &'a SideInfo,
    /// So many non-links a link, if not all.
    negatives: Option<f64>,
}

fn fit_all(
    args: &FitArgs,
    common: &GlobalArgs,
    &How { candidates, sharing, given, negatives }: &How<'_>,
    name: &str,
    relations: &[&Relation],
) -> anyhow::Result<FittedModel> {
    let pairs = relations
        .iter()
        .map(|relation| {
            learn::from(&relation.network, args.asymmetric, negatives, candidates.usual.seed)
                .with_context(|| place(args, relation))
        })
        .collect::<anyhow::Result<Vec<_>>>()?;
    if let (Some(negatives), None) = (negatives, args.negatives) {
        common.notice(&format!(
            "there are too many pairs to learn from all of them: {negatives} non-links a link are sampled \
             (--negatives)"
        ));
    }
    let all: Vec<&Pairs> = pairs.iter().collect();
    let chosen = candidates
        .choose(&all, &[], given, sharing, candidates.usual.seed)
        .map_err(|error| if error.is::<Unfinished>() { Interrupted.into() } else { error })?;
    for choice in &chosen.choices {
        common.notice(&choice.sentence());
    }
    let settings = &chosen.settings;
    let fits_at_once = if chosen.share_features { 1 } else { relations.len() };
    let progress = FitProgress::new(common.quiet, fits_at_once, settings);
    let network = &relations[0].network;
    let fits = if chosen.share_features {
        fit_shared(relations, &pairs, settings, given, &progress)
    } else {
        (relations, pairs)
            .into_par_iter()
            .enumerate()
            .map(|(number, (relation, pairs))| fit(number, relation, &pairs, settings, given, &progress))
            .collect::<anyhow::Result<Vec<_>>>()
    };
    progress.finish();
    // A relation that had no draw when the user ended the fit has nothing to predict with.
    let (relations, without): (Vec<_>, Vec<_>) =
        fits?.into_iter().partition(|fit| !fit.posterior.draws().is_empty());
    if relations.is_empty() {
        bail!(Interrupted);
    }
    for relation in without {
        let name = relation.name.unwrap_or_default();
        common.notice(&format!("relation '{name}' has no draw yet and is left out of the model"));
    }
    Ok(FittedModel {
        name: name.to_owned(),
        entities: network.entities().clone(),
        directed: network.directed(),
        interrupted: interrupt::requested(),
        versions: Versions::current(),
        relations,
    })
}

fn fit(
    number: usize,
    relation: &Relation,
    pairs: &Pairs,
    settings: &ValidSettings,
    given: &SideInfo,
    progress: &FitProgress,
) -> anyhow::Result<FittedRelation> {
    let began = Instant::now();
    let posterior = chain::fit_given(pairs, given, settings, &progress.observer(number))?;
    Ok(fitted(relation, pairs, posterior, began.elapsed()))
}

/// Fits all relations at once, with the same features.
fn fit_shared(
    relations: &[&Relation],
    pairs: &[Pairs],
    settings: &ValidSettings,
    given: &SideInfo,
    progress: &FitProgress,
) -> anyhow::Result<Vec<FittedRelation>> {
    let began = Instant::now();
    let all: Vec<&Pairs> = pairs.iter().collect();
    let posteriors = chain::fit_shared(&all, given, settings, &progress.observer(0))?;
    let fits = relations.iter().zip(pairs).zip(posteriors);
    Ok(fits
        .map(|((relation, pairs), posterior)| fitted(relation, pairs, posterior, began.elapsed()))
        .collect())
}

fn fitted(relation: &Relation, pairs: &Pairs, posterior: Posterior, took: Duration) -> FittedRelation {
    FittedRelation {
        name: relation.name.clone(),
        posterior,
        links: relation.network.links().to_vec(),
        // As the network counts them: an undirected pair in both directions is one.
        observed: if pairs.non_link_share() < 1.0 {
            pairs.len() as u64
        } else {
            relation.network.observed_count()
        },
        seconds: took.as_secs_f64(),
    }
}

/// The file, and the relation if there are several.
fn place(args: &FitArgs, relation: &Relation) -> String {
    let file = args.network.network.display();
    match &relation.name {
        None => file.to_string(),
        Some(name) => format!("{file}, relation '{name}'"),
    }
}
