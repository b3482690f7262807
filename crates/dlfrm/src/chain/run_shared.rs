//! Running chains over several relations with shared features.

use std::sync::Arc;

use rayon::prelude::*;

use crate::covariates::{Covariates, SideInfo};
use crate::error::Result;
use crate::model::ValidSettings;
use crate::network::Pairs;
use crate::posterior::{Draw, Posterior, Trace};

use super::run::{check, sweeps};
use super::{Observer, SharedChain, SharedRelation};

/// Fits one model to several relations of the same entities, with features that all of them share; a posterior for each.
/// The draws do not depend on the number of threads.
pub fn fit_shared(
    relations: &[&Pairs],
    side_info: &SideInfo,
    settings: &ValidSettings,
    observer: &(impl Observer + ?Sized),
) -> Result<Vec<Posterior>> {
    let mut known = vec![];
    let mut covariates = vec![];
    for (number, &pairs) in relations.iter().enumerate() {
        check(pairs)?;
        let (told, design) = Covariates::of_pairs(pairs, settings.covariates, side_info);
        covariates.push(told);
        known.push(SharedRelation::new(pairs, Arc::new(design), settings, number)?);
    }
    let runs: Vec<Vec<(Vec<Draw>, Trace)>> = (0..settings.chains)
        .into_par_iter()
        .map(|chain| run(&known, settings, chain, observer))
        .collect::<Result<_>>()?;
    let mut gathered: Vec<(Vec<Draw>, Vec<Trace>)> = vec![Default::default(); relations.len()];
    for run in runs {
        for ((draws, trace), (all, traces)) in run.into_iter().zip(&mut gathered) {
            all.extend(draws);
            traces.push(trace);
        }
    }
    let posteriors = relations.iter().zip(covariates).zip(gathered);
    Ok(posteriors
        .map(|((pairs, covariates), (draws, traces))| {
            Posterior::new(pairs, settings, covariates, draws, traces)
        })
        .collect())
}

/// Runs one chain; draws and a trace for each relation.
fn run(
    known: &[SharedRelation<'_>],
    settings: &ValidSettings,
    number: usize,
    observer: &(impl Observer + ?Sized),
) -> Result<Vec<(Vec<Draw>, Trace)>> {
    let mut chain = SharedChain::new(known, number)?;
    let mut kept = vec![(Vec::with_capacity(settings.draws), Trace::default()); known.len()];
    sweeps(settings, number, observer, |sweep, keep| {
        chain.sweep();
        let log_joint = chain.log_joint();
        for ((chain, known), (draws, trace)) in chain.relations().iter().zip(known).zip(&mut kept) {
            trace.push(chain.state(), log_joint);
            if keep {
                let attributes = known.design().entities.as_deref();
                draws.push(Draw::new(chain.state(), attributes, number, sweep, log_joint));
            }
        }
        (chain.relations()[0].state().features.active(), log_joint)
    });
    Ok(kept)
}
