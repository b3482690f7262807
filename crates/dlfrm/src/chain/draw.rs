//! What a chain leaves: the draws that it kept, its trace, and where it is.

use std::ops::Deref;
use std::sync::Mutex;

use crate::covariates::Attributes;
use crate::error::{Error, Result};
use crate::model::{Features, Linear, Nu, Settings, Shape, State, ValidSettings, Weights};

use super::{Nanoseconds, SweepInfo};

/// A draw from the posterior, without augmentation variables: its [parts](DrawParts), found to hold together.
#[derive(Debug, Clone, PartialEq)]
pub struct Draw(DrawParts);

impl Deref for Draw {
    type Target = DrawParts;

    fn deref(&self) -> &DrawParts {
        &self.0
    }
}

impl Draw {
    /// Packs a state whose slots are all active. What the attributes of nodes add is counted among their effects.
    pub fn new(
        state: &State,
        attributes: Option<&Attributes>,
        chain: usize,
        sweep: usize,
        log_joint: f64,
    ) -> Self {
        let features = state.features.slots();
        let shape = state.weights.shape();
        let mut starts = vec![0];
        let mut items = Vec::new();
        for node in 0..state.features.nodes() {
            items.extend_from_slice(state.features.row(node));
            starts.push(items.len() as u32);
        }
        let weights = match shape {
            Shape::Diagonal => state.weights.diagonal()[..features].to_vec(),
            Shape::Full | Shape::Symmetric => {
                (0..features).flat_map(|k| state.weights.row(k)[..features].iter().copied()).collect()
            }
        };
        Self(DrawParts {
            chain,
            sweep,
            log_joint,
            intercept: state.intercept,
            linear: state.linear.clone().gather_attributes(attributes),
            alpha: state.alpha,
            nu: state.nu,
            shape,
            features,
            starts,
            items,
            weights,
        })
    }

    pub(crate) fn of(parts: DrawParts) -> Self {
        Self(parts)
    }

    /// The state that it was packed from, without rates and offsets. Attributes must not be among the effects.
    pub(crate) fn state(&self) -> State {
        let rows: Vec<&[u32]> = (0..self.nodes()).map(|node| self.row(node)).collect();
        let mut weights = Weights::new(self.shape, self.features());
        weights.clone().for_each_free(self.features(), |k, l, _| weights.set(k, l, self.weight(k, l)));
        State {
            features: Features::from_rows(&rows, self.features()),
            weights,
            rates: vec![],
            intercept: self.intercept,
            linear: self.linear.clone(),
            offsets: vec![],
            alpha: self.alpha,
            nu: self.nu,
        }
    }

    /// How many nodes it is about.
    pub fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many features it has.
    pub fn features(&self) -> usize {
        self.features
    }

    /// The features of a node, in increasing order.
    #[inline]
    pub fn row(&self, node: usize) -> &[u32] {
        &self.items[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// The weight between two features.
    #[inline]
    pub fn weight(&self, k: usize, l: usize) -> f64 {
        match self.shape {
            Shape::Diagonal if k == l => self.weights[k],
            Shape::Diagonal => 0.0,
            Shape::Full | Shape::Symmetric => self.weights[k * self.features + l],
        }
    }

    /// The logit of a pair of nodes with these covariates (none, if the fit had none).
    pub fn logit(&self, source: usize, target: usize, covariates: &[f32]) -> f64 {
        let linear = self.intercept + self.linear.of(source, target, covariates);
        linear + self.latent(source, target)
    }

    /// The same for covariates that add up to this, each times its coefficient. `spare` has a zero for each feature.
    pub(crate) fn logit_with(&self, source: usize, target: usize, covariates: f64, spare: &mut [f64]) -> f64 {
        let linear = self.intercept + self.linear.with(source, target, covariates);
        let latent = if self.shape == Shape::Diagonal {
            // Without a branch for every feature that the two do not share.
            let own = self.row(source);
            for &k in own {
                spare[k as usize] = self.weights[k as usize];
            }
            let sum = self.row(target).iter().map(|&l| spare[l as usize]).sum::<f64>();
            for &k in own {
                spare[k as usize] = 0.0;
            }
            sum
        } else {
            self.latent(source, target)
        };
        linear + latent
    }

    /// What the features of two nodes add up to.
    pub(crate) fn latent(&self, source: usize, target: usize) -> f64 {
        let mut sum = 0.0;
        let (source, target) = (self.row(source), self.row(target));
        if self.shape == Shape::Diagonal {
            for k in source {
                if target.contains(k) {
                    sum += self.weights[*k as usize];
                }
            }
        } else {
            for &k in source {
                let row = &self.weights[k as usize * self.features..(k as usize + 1) * self.features];
                for &l in target {
                    sum += row[l as usize];
                }
            }
        }
        sum
    }

    /// The nodes that have each feature.
    pub fn members(&self) -> Vec<Vec<u32>> {
        let mut members = vec![Vec::new(); self.features];
        for node in 0..self.nodes() {
            for &slot in self.row(node) {
                members[slot as usize].push(node as u32);
            }
        }
        members
    }
}

/// What a [`Draw`] is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawParts {
    /// The chain that it comes from.
    pub chain: usize,
    /// The sweep that it was kept after.
    pub sweep: usize,
    /// Its log joint density.
    pub log_joint: f64,
    /// The intercept.
    pub intercept: f64,
    /// Effects of nodes and coefficients of covariates.
    pub linear: Linear,
    /// Mass of the buffet.
    pub alpha: f64,
    /// Inverse standard deviations of the weights.
    pub nu: Nu,
    /// Which weights are free.
    pub shape: Shape,
    /// How many features there are (K).
    pub features: usize,
    /// Node i's features are `items[starts[i]..starts[i + 1]]`.
    pub starts: Vec<u32>,
    /// The features of the nodes, one node after the other, each in increasing order.
    pub items: Vec<u32>,
    /// K x K weights row by row, or the K of the diagonal.
    pub weights: Vec<f64>,
}

impl Draw {
    /// Puts a draw together again.
    pub fn from_parts(parts: DrawParts) -> Result<Self> {
        let &DrawParts { log_joint, intercept, alpha, nu, shape, features, .. } = &parts;
        let DrawParts { starts, items, weights, linear, .. } = &parts;
        let needed = match shape {
            Shape::Diagonal => Some(features),
            Shape::Full | Shape::Symmetric => features.checked_mul(features),
        };
        if needed != Some(weights.len()) {
            return Err(broken(format!("{features} features cannot have {} weights", weights.len())));
        }
        if starts.first() != Some(&0) || starts.last().map(|&end| end as usize) != Some(items.len()) {
            return Err(broken(format!("the rows do not cover the {} features of all nodes", items.len())));
        }
        if starts.windows(2).any(|ends| ends[0] > ends[1]) {
            return Err(broken("the rows of the nodes overlap".to_owned()));
        }
        for ends in starts.windows(2) {
            let row = &items[ends[0] as usize..ends[1] as usize];
            let increasing = row.windows(2).all(|two| two[0] < two[1]);
            if !increasing || row.last().is_some_and(|&last| last as usize >= features) {
                return Err(broken(format!("{row:?} are not some of {features} features in order")));
            }
        }
        let nodes = starts.len() - 1;
        if linear.effects.iter().any(|effects| !effects.is_empty() && effects.len() != nodes) {
            return Err(broken(format!("{nodes} nodes do not have an effect each")));
        }
        let Linear { coefficients, effects, precisions, attributes, attribute_precisions } = linear;
        let lists = effects.iter().chain(attributes).chain(attribute_precisions);
        let linear = lists.flatten().chain(coefficients).chain(precisions);
        let numbers = [&log_joint, &intercept, &alpha, &nu.own, &nu.between].into_iter().chain(linear);
        if let Some(bad) = weights.iter().chain(numbers).find(|value| !value.is_finite()) {
            return Err(broken(format!("a number of a draw is {bad}")));
        }
        Ok(Self::of(parts))
    }
}

fn broken(what: String) -> Error {
    Error::Draws(what)
}

/// The trace of one chain over all of its sweeps, burn-in included.
#[derive(Debug, Clone, Default)]
pub struct Trace {
    /// Active features.
    pub features: Vec<f64>,
    /// Log joint density.
    pub log_joint: Vec<f64>,
    /// Mass of the buffet.
    pub alpha: Vec<f64>,
    /// Inverse standard deviation of the weights of features with themselves.
    pub nu: Vec<f64>,
    /// Of the weights between two features.
    pub nu_between: Vec<f64>,
    /// Intercept.
    pub intercept: Vec<f64>,
    /// What the kernels did in all sweeps together.
    pub total: SweepInfo,
}

impl PartialEq for Trace {
    /// Whether the chains went the same way, however long it took.
    fn eq(&self, other: &Self) -> bool {
        let work = |trace: &Self| SweepInfo { nanoseconds: Nanoseconds::default(), ..trace.total };
        self.columns() == other.columns() && work(self) == work(other)
    }
}

impl Trace {
    fn columns(&self) -> [&Vec<f64>; 6] {
        [&self.features, &self.log_joint, &self.alpha, &self.nu, &self.nu_between, &self.intercept]
    }

    /// Whether all columns have as many sweeps.
    pub(crate) fn is_whole(&self) -> bool {
        self.columns().iter().all(|column| column.len() == self.features.len())
    }

    /// Its first sweeps, without what the kernels did.
    pub(crate) fn beginning(&self, sweeps: usize) -> Self {
        let [features, log_joint, alpha, nu, nu_between, intercept] =
            self.columns().map(|column| column[..sweeps].to_vec());
        Self { features, log_joint, alpha, nu, nu_between, intercept, total: SweepInfo::default() }
    }

    pub(crate) fn push(&mut self, state: &State, log_joint: f64, info: SweepInfo) {
        self.features.push(state.features.active() as f64);
        self.log_joint.push(log_joint);
        self.alpha.push(state.alpha);
        self.nu.push(state.nu.own);
        self.nu_between.push(state.nu.between);
        self.intercept.push(state.intercept);
        self.total += info;
    }
}

/// A chain so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ChainRun {
    /// The kept draws.
    pub draws: Vec<Draw>,
    /// Its trace over all sweeps.
    pub trace: Trace,
    /// Where it is after its last sweep, effects without what attributes add to them; `None` before its first sweep.
    pub state: Option<Draw>,
}

/// The chains of a posterior, for each relation. A chain that runs locks its own.
pub(crate) type Slots = Vec<Vec<Mutex<ChainRun>>>;

/// Which sweeps of a chain are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Length {
    /// Sweeps before the first of which some are kept.
    pub(crate) burn_in: usize,
    pub(crate) draws: usize,
    pub(crate) thin: usize,
    /// The most draws that are kept. Where there are more, every second one is dropped, as often as it takes.
    pub(crate) most: usize,
    /// Of how many draws one is kept at least.
    pub(crate) every: usize,
}

impl Length {
    /// As the settings say, with some sweeps more before the first draw. All draws are kept.
    pub(crate) fn new(settings: &ValidSettings, later: usize) -> Self {
        let Settings { burn_in, draws, thin, .. } = **settings;
        Self { burn_in: burn_in + later, draws, thin, most: usize::MAX, every: 1 }
    }

    pub(crate) fn sweeps(self) -> usize {
        self.burn_in + self.draws * self.thin
    }

    /// How many draws a chain has made after so many sweeps.
    pub(crate) fn made(self, sweeps: usize) -> usize {
        sweeps.saturating_sub(self.burn_in) / self.thin
    }

    /// Of how many draws one is kept after so many sweeps.
    pub(crate) fn every(self, sweeps: usize) -> usize {
        let mut every = self.every;
        while self.made(sweeps) / every > self.most {
            every *= 2;
        }
        every
    }

    /// Whether the draw after a sweep (from 1) is kept when so many sweeps are made.
    pub(crate) fn keeps(self, sweep: usize, sweeps: usize) -> bool {
        sweep > self.burn_in && (sweep - self.burn_in).is_multiple_of(self.thin * self.every(sweeps))
    }
}

impl ChainRun {
    /// How many sweeps the chain has made.
    pub fn sweeps(&self) -> usize {
        self.trace.features.len()
    }

    /// Drops the draws that are not kept any more.
    pub(crate) fn thin_out(&mut self, length: Length) {
        let sweeps = self.sweeps();
        if self.draws.len() > length.made(sweeps) / length.every(sweeps) {
            self.draws.retain(|draw| length.keeps(draw.sweep, sweeps));
        }
    }

    /// Where the chain is, without its draws.
    pub(crate) fn position(&self) -> Self {
        Self { draws: vec![], trace: self.trace.clone(), state: self.state.clone() }
    }

    /// The chain as it was when it kept its first draw, for another to go on from there. It has no attributes.
    pub(crate) fn at_first_draw(&self) -> Option<Self> {
        let state = self.draws.first()?;
        Some(Self { draws: vec![], trace: self.trace.beginning(state.sweep), state: Some(state.clone()) })
    }

    /// Refuses what chain number `chain` cannot have left.
    pub(crate) fn check(&self, chain: usize, length: Length) -> Result<()> {
        let sweeps = self.sweeps();
        let kept = (1..=sweeps).filter(|&sweep| length.keeps(sweep, sweeps)).map(|sweep| (chain, sweep));
        let whole = sweeps <= length.sweeps()
            && self.trace.is_whole()
            && self.state.as_ref().map(|state| (state.chain, state.sweep))
                == (sweeps > 0).then_some((chain, sweeps))
            && kept.eq(self.draws.iter().map(|draw| (draw.chain, draw.sweep)));
        if whole {
            return Ok(());
        }
        Err(Error::Draws(format!(
            "chain {chain} with {sweeps} sweeps does not have the draws of these settings"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts() -> DrawParts {
        DrawParts {
            chain: 0,
            sweep: 7,
            log_joint: -3.0,
            intercept: 0.5,
            linear: Linear::default(),
            alpha: 1.0,
            nu: Nu::same(2.0),
            shape: Shape::Full,
            features: 2,
            starts: vec![0, 2, 2, 3],
            items: vec![0, 1, 1],
            weights: vec![1.0, 2.0, 3.0, 4.0],
        }
    }

    #[test]
    fn a_draw_is_put_together_again() {
        let draw = Draw::from_parts(parts()).unwrap();
        assert_eq!((draw.row(0), draw.row(1), draw.row(2)), (&[0, 1][..], &[][..], &[1][..]));
        assert_eq!(draw.logit(0, 2, &[]), 0.5 + 2.0 + 4.0);
        assert_eq!(*draw, parts());
    }

    #[test]
    fn what_does_not_hold_together_is_refused() {
        let refused = |change: fn(&mut DrawParts)| {
            let mut parts = parts();
            change(&mut parts);
            Draw::from_parts(parts).is_err()
        };
        assert!(refused(|parts| parts.shape = Shape::Diagonal));
        assert!(refused(|parts| parts.features = usize::MAX));
        assert!(refused(|parts| parts.starts = vec![]));
        assert!(refused(|parts| parts.starts = vec![0, 3, 2, 3]));
        assert!(refused(|parts| parts.starts = vec![0, 2]));
        assert!(refused(|parts| parts.items = vec![1, 0, 1]));
        assert!(refused(|parts| parts.items = vec![0, 2, 1]));
        assert!(refused(|parts| parts.weights[0] = f64::NAN));
    }
}
