//! Chains over several relations that share their features: one Z for all, weights and a linear part for each.

use std::sync::Arc;

use rayon::prelude::*;

use crate::covariates::Design;
use crate::error::{Error, Result};
use crate::kernel::layers::Layer;
use crate::kernel::{features, flips, hyper};
use crate::model::{Settings, ValidSettings, start_with};
use crate::network::{Division, Pairs};
use crate::random::{Purpose, run_seed, stream};

use super::{Chain, Step};

/// One Markov chain over several relations with the same features. Each relation is a chain of its own as far as features
/// are not concerned; what changes these changes them in all.
#[derive(Debug)]
pub struct SharedChain<'a> {
    relations: Vec<Chain<'a>>,
    features: features::layers::Scratch,
    flips: flips::layers::Scratch,
}

impl<'a> SharedChain<'a> {
    /// Starts chain number `chain` over some relations, each with what its linear part is linear in and with settings that
    /// differ in nothing but the seed.
    pub fn new(relations: &'a [SharedRelation<'_>], chain: usize) -> Result<Self> {
        let mut chains = vec![];
        for SharedRelation { pairs, design, settings, division } in relations {
            let (design, division) = (Arc::clone(design), Arc::clone(division));
            chains.push(Chain::divided(pairs, design, settings, chain, division)?);
        }
        let features = chains[0].state.features.clone();
        for chain in &mut chains[1..] {
            let Chain { pairs, design, division, settings, augmentation, place, .. } = &*chain;
            let mut rng = stream(place.seed, place.chain, 0, Purpose::Start, 1);
            let features = features.clone();
            chain.state =
                start_with(features, &mut rng, pairs, settings, design, augmentation, division, *place);
        }
        Ok(Self {
            relations: chains,
            features: features::layers::Scratch::default(),
            flips: flips::layers::Scratch::default(),
        })
    }

    /// The chains of the relations.
    pub fn relations(&self) -> &[Chain<'a>] {
        &self.relations
    }

    /// One sweep in the standard order.
    pub fn sweep(&mut self) {
        self.relations.iter_mut().for_each(Chain::begin_sweep);
        for step in Step::SWEEP {
            self.step(step);
        }
    }

    fn step(&mut self, step: Step) {
        let Self { relations, features, flips } = self;
        let (settings, sweep) = (relations[0].settings.clone(), relations[0].place.sweep);
        match step {
            Step::Features if settings.rests(sweep as usize) => {}
            Step::Features => features::layers::update(&mut layers(relations), &settings, features),
            Step::Flips => flips::layers::update(&mut layers(relations), &settings, flips),
            Step::Alpha => {
                let place = relations[0].place;
                hyper::update_alpha(&mut relations[0].state, &settings, place);
                let alpha = relations[0].state.alpha;
                for chain in relations {
                    chain.state.alpha = alpha;
                }
            }
            Step::Weights | Step::Intercept | Step::Linear | Step::Nu | Step::Augment => {
                relations.par_iter_mut().for_each(|chain| chain.step(step));
            }
        }
    }

    /// The log joint density of all relations, the features counted once.
    pub fn log_joint(&mut self) -> f64 {
        let parts: Vec<_> = self.relations.iter_mut().map(Chain::parts_of_log_joint).collect();
        parts[0].features + parts.iter().map(|part| part.weights + part.labels).sum::<f64>()
    }
}

/// The relations as the kernels of features see them.
fn layers<'b>(relations: &'b mut [Chain<'_>]) -> Vec<Layer<'b>> {
    let layer =
        |chain: &'b mut Chain<'_>| Layer { pairs: chain.pairs, state: &mut chain.state, place: chain.place };
    relations.iter_mut().map(layer).collect()
}

/// What is known of one relation before any chain runs.
#[derive(Debug)]
pub struct SharedRelation<'a> {
    pairs: &'a Pairs,
    design: Arc<Design>,
    settings: ValidSettings,
    division: Arc<Division>,
}

impl<'a> SharedRelation<'a> {
    /// Relation number `number` of several.
    pub fn new(
        pairs: &'a Pairs,
        design: Arc<Design>,
        settings: &ValidSettings,
        number: usize,
    ) -> Result<Self> {
        let division = Division::new(pairs);
        if division.coloured() {
            return Err(Error::Network(format!(
                "features are shared by relations of at most {} pairs each, this one has {}",
                Division::LARGE,
                pairs.len()
            )));
        }
        // No two relations may draw the same random numbers.
        let seed = if number == 0 { settings.seed } else { run_seed(settings.seed, number as u64) };
        let settings = Settings { seed, ..settings.clone().into_inner() }.check()?;
        Ok(Self { pairs, design, settings, division: Arc::new(division) })
    }

    /// What the linear part is linear in.
    pub(super) fn design(&self) -> &Design {
        &self.design
    }
}
