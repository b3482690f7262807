//! How many features there are: the posterior of K.

use std::collections::BTreeMap;

use super::Posterior;
use super::predict::quantile;

impl Posterior {
    /// Every number of features that some draw has, in increasing order, with its posterior probability.
    pub fn features_distribution(&self) -> Vec<(usize, f64)> {
        let mut counts = BTreeMap::new();
        for draw in self.draws() {
            *counts.entry(draw.features()).or_insert(0_usize) += 1;
        }
        counts
            .into_iter()
            .map(|(features, count)| (features, count as f64 / self.draws().len() as f64))
            .collect()
    }

    /// The 90 % interval of the number of features; `None` without draws.
    pub fn features_interval(&self) -> Option<(f64, f64)> {
        let mut counts: Vec<f64> = self.draws().iter().map(|draw| draw.features() as f64).collect();
        counts.sort_unstable_by(f64::total_cmp);
        (!counts.is_empty()).then(|| (quantile(&counts, 0.05), quantile(&counts, 0.95)))
    }

    /// The mean of the log joint density over the draws.
    pub fn mean_log_joint(&self) -> f64 {
        self.draws().iter().map(|draw| draw.log_joint).sum::<f64>() / self.draws().len() as f64
    }
}
