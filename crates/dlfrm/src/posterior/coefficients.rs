//! What the covariates are worth: their coefficients with intervals.

use serde::Serialize;

use super::Posterior;
use super::predict::quantile;

/// The coefficient of a covariate: what one standard deviation of it adds to a logit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Coefficient {
    /// The covariate.
    pub covariate: &'static str,
    /// Posterior mean.
    pub mean: f64,
    /// 5 % quantile.
    pub low: f64,
    /// 95 % quantile.
    pub high: f64,
}

impl Posterior {
    /// The coefficients of all covariates that vary, in their order.
    pub fn coefficients(&self) -> Vec<Coefficient> {
        let Some(covariates) = self.covariates() else { return vec![] };
        let columns = covariates.names().iter().zip(covariates.scales()).enumerate();
        let told = columns.filter(|(_, (_, scale))| scale.deviation > 0.0).map(|(column, (covariate, _))| {
            let mut values: Vec<f64> =
                self.draws().iter().map(|draw| draw.linear.coefficients[column]).collect();
            values.sort_unstable_by(f64::total_cmp);
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            Coefficient { covariate, mean, low: quantile(&values, 0.05), high: quantile(&values, 0.95) }
        });
        told.collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::posterior::tests::small_posterior;

    #[test]
    fn intervals_hold_the_mean() {
        for directed in [false, true] {
            let posterior = small_posterior("dlfrm-l", directed, 12);
            let coefficients = posterior.coefficients();
            assert!(coefficients.len() > 5);
            for one in coefficients {
                assert!(one.low <= one.mean && one.mean <= one.high && one.low < one.high, "{one:?}");
            }
        }
    }
}
