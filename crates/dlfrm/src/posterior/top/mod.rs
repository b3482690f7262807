//! The most probable links among the pairs that are not known to be linked.

mod candidate;
mod cells;
mod finalists;
mod from_first;
mod latent;
mod least_logit;
mod mean_draw;
mod node;
mod scorer;
mod search;
mod variation;

use std::borrow::Cow;

use rayon::prelude::*;

use crate::model::{Settings, sigmoid};

use super::{Draw, DrawParts, Posterior, Prediction};
use candidate::{Best, Candidate};
use search::Search;

/// Probabilities of pairs in single draws: where there are fewer, all pairs are scored.
const FEW: usize = 1_000_000;

/// Which of the most probable pairs to list.
#[derive(Clone, Copy)]
pub struct TopPairs<'a> {
    /// At most so many.
    pub count: usize,
    /// Only pairs of this node: in a directed network those from it and to it.
    pub node: Option<u32>,
    /// Says which pairs to leave out: those that are known to be linked, say.
    pub exclude: &'a (dyn Fn(u32, u32) -> bool + Sync),
}

impl Posterior {
    /// The most probable pairs, the most probable first, ties in the order of ids.
    ///
    /// In a symmetric network a pair is listed once, the smaller id first; in a bipartite network only pairs of a row and a
    /// column. The pairs and their predictions are those that scoring all pairs would give. In large networks bounds show of most pairs that they are not among the best; where bounds are too
    /// loose the time grows with the square of the number of nodes. The memory grows with that number and with `count`. The
    /// result does not depend on the number of threads; it is empty if there is no draw.
    ///
    /// # Panics
    /// If `node` is not a node of the network.
    pub fn top_pairs(&self, query: &TopPairs<'_>) -> Vec<(u32, u32, Prediction)> {
        if query.count == 0 || self.draws().is_empty() {
            return Vec::new();
        }
        let pairs = self.nodes().saturating_mul(self.nodes());
        if query.node.is_none() && pairs.saturating_mul(self.draws().len()) < FEW {
            return self.best_of_all(query);
        }
        let corrected = &self.corrected();
        match query.node {
            Some(node) => node::of_node(self, corrected, query, node),
            None => Search::new(self, corrected, query).run().0,
        }
    }

    /// The same posterior with draws whose logits are log-odds of links as they are: nothing is left to correct or to scale.
    fn corrected(&self) -> Cow<'_, Self> {
        let raised = self.raised_log_odds();
        if raised == 0.0 && self.draws.iter().all(|draw| draw.feature_scale == 1.0) {
            return Cow::Borrowed(self);
        }
        let correct = |draw: &Draw| {
            let mut parts = DrawParts { intercept: draw.intercept - raised, ..(**draw).clone() };
            if parts.feature_scale == 0.0 {
                (parts.features, parts.items, parts.weights) = (0, vec![], vec![]);
                parts.starts.fill(0);
            }
            parts.weights.iter_mut().for_each(|weight| *weight *= draw.feature_scale);
            Draw::of(DrawParts { feature_scale: 1.0, ..parts })
        };
        let settings = Settings { c_pos: 1.0, c_neg: 1.0, ..self.settings.clone() };
        Cow::Owned(Self {
            draws: self.draws.iter().map(correct).collect(),
            settings,
            non_link_share: 1.0,
            ..self.clone()
        })
    }

    /// The most probable pairs after scoring all of them.
    fn best_of_all(&self, &TopPairs { count, exclude, .. }: &TopPairs<'_>) -> Vec<(u32, u32, Prediction)> {
        let nodes = self.nodes() as u32;
        let from = |source: u32| {
            let first = if self.symmetric() { source + 1 } else { 0 };
            let wanted = |&target: &u32| self.possible(source, target) && !exclude(source, target);
            let targets = (first..nodes).filter(wanted);
            let pairs: Vec<(u32, u32)> = targets.map(|target| (source, target)).collect();
            let mut best = Best::new(count);
            for (&(source, target), mean) in pairs.iter().zip(self.predict_mean(&pairs)) {
                best.offer(Candidate { mean, source, target });
            }
            best
        };
        let best = (0..nodes).into_par_iter().map(from).reduce(|| Best::new(count), Best::merge);
        let mut ranked = best.into_vec();
        ranked.sort_unstable();
        let pairs: Vec<(u32, u32)> = ranked.iter().map(|c| (c.source, c.target)).collect();
        pairs.iter().zip(self.predict(&pairs)).map(|(&(i, j), prediction)| (i, j, prediction)).collect()
    }

    /// Pairs with their mean probabilities, where nothing is left to correct.
    fn candidates(&self, pairs: &[(u32, u32)]) -> Vec<Candidate> {
        let covariates = self.covariates_of(pairs);
        let candidate = |(number, &(source, target)): (usize, &(u32, u32))| {
            let line = covariates.row(number);
            let logits = self.draws().iter().map(|draw| draw.logit(source as usize, target as usize, line));
            let mean = logits.map(sigmoid).sum::<f64>() / self.draws().len() as f64;
            Candidate { mean, source, target }
        };
        pairs.par_iter().enumerate().map(candidate).collect()
    }
}

#[cfg(test)]
mod tests;
