//! `dlfrm fit`: fits one model a relation and tells how it went.

use std::io::Write;
use std::str::FromStr;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;
use dlfrm::chain;
use dlfrm::model::{Checked, Model, Settings};
use dlfrm::network::{Network, Pair, Pairs, Unlisted};
use dlfrm::posterior::Posterior;
use dlfrm_io::Relation;
use rayon::prelude::*;

use crate::args::{Common, NetworkArgs, SettingArgs, model_help};
use crate::failure::Interrupted;
use crate::interrupt;
use crate::progress::FitProgress;
use crate::table::Table;

/// More pairs than this need the methods for large networks.
const MOST_PAIRS: u64 = 200_000_000;

/// The arguments of `dlfrm fit`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dlfrm fit friends.tsv --undirected
  dlfrm fit kinship.tsv.gz --columns relation,source,target --model diag-dlfrm-h")]
pub(crate) struct FitArgs {
    #[command(flatten)]
    network: NetworkArgs,
    #[arg(long, value_name = "MODEL", value_parser = Model::from_str, help = model_help("The model"))]
    model: Option<Model>,
    /// Treat an undirected link as two directed ones with a full weight matrix, as the paper does
    #[arg(long)]
    asymmetric: bool,
    #[command(flatten)]
    settings: SettingArgs,
}

/// The fit of one relation.
struct Fitted<'a> {
    relation: &'a Relation,
    posterior: Posterior,
    seconds: f64,
}

pub(crate) fn run(args: &FitArgs, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let settings = args.settings.settings(args.model.unwrap_or(Settings::default().model)).check()?;
    let dataset = args.network.read(common)?;
    for relation in &dataset.relations {
        check(relation, args.asymmetric).with_context(|| place(args, relation))?;
    }
    interrupt::listen()?;
    let progress = FitProgress::new(common.quiet, dataset.relations.len(), &settings);
    let fits: anyhow::Result<Vec<Fitted>> = dataset
        .relations
        .par_iter()
        .enumerate()
        .map(|(number, relation)| fit(number, relation, args.asymmetric, &settings, &progress))
        .collect();
    progress.finish();
    let mut fits = fits?;
    fits.retain(|fit| !fit.posterior.draws().is_empty());
    if fits.is_empty() {
        bail!(Interrupted);
    }
    interrupt::saving();
    write!(out, "{}", summary(&fits))?;
    Ok(())
}

fn fit<'a>(
    number: usize,
    relation: &'a Relation,
    asymmetric: bool,
    settings: &Checked,
    progress: &FitProgress,
) -> anyhow::Result<Fitted<'a>> {
    let began = Instant::now();
    let pairs = observed(&relation.network, asymmetric);
    let posterior = chain::fit(&pairs, settings, &progress.observer(number))?;
    Ok(Fitted { relation, posterior, seconds: began.elapsed().as_secs_f64() })
}

/// All observed pairs; with `asymmetric` an undirected one in both directions.
fn observed(network: &Network, asymmetric: bool) -> Pairs {
    let doubled = asymmetric && !network.directed();
    let back = |pair: &Pair| doubled.then_some(Pair { source: pair.target, target: pair.source, ..*pair });
    let pairs = network.observed().flat_map(|pair| std::iter::once(pair).chain(back(&pair)));
    Pairs::new(network.len(), !network.directed() && !asymmetric, pairs)
}

/// Refuses what nothing can be learned from, before anything is computed.
fn check(relation: &Relation, asymmetric: bool) -> anyhow::Result<()> {
    let network = &relation.network;
    let n = network.len() as u64;
    let links = network.links().len() as u64;
    let pairs = match network.unlisted() {
        Unlisted::NonLink => {
            let all = n * n.saturating_sub(1) / if network.directed() { 1 } else { 2 };
            all - network.unobserved().len() as u64
        }
        Unlisted::Unobserved => links + network.non_links().len() as u64,
    };
    let fitted = if asymmetric && !network.directed() { 2 * pairs } else { pairs };
    match (n, pairs, links) {
        (0 | 1, _, _) => bail!("a network needs at least two entities, this one has {n}"),
        (_, 0, _) => bail!("no pair is observed, so there is nothing to learn"),
        (_, _, 0) => bail!("none of the {pairs} pairs is a link, so there is nothing to learn"),
        _ if links == pairs => bail!("all {pairs} observed pairs are links, so there is nothing to learn"),
        _ if fitted > MOST_PAIRS => {
            bail!("{fitted} pairs are more than {MOST_PAIRS}: networks of this size come in a later version")
        }
        _ => Ok(()),
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

fn summary(fits: &[Fitted]) -> Table {
    let mut table =
        Table::new(["relation", "entities", "links", "K", "90 %", "log joint", "seconds", "sweeps/s"]);
    for Fitted { relation, posterior, seconds } in fits {
        let (low, high) = posterior.features_interval().expect("fits without draws are left out");
        let sweeps: usize = posterior.traces().iter().map(|trace| trace.features.len()).sum();
        table.row([
            relation.name.clone().unwrap_or_else(|| "all".to_owned()),
            relation.network.len().to_string(),
            relation.network.links().len().to_string(),
            format!("{:.1}", posterior.mean_features()),
            format!("{low:.0} to {high:.0}"),
            format!("{:.1}", posterior.mean_log_joint()),
            format!("{seconds:.1}"),
            format!("{:.0}", sweeps as f64 / seconds),
        ]);
    }
    table
}
