//! The coefficients of the covariates, with intervals.

use serde::Serialize;

use crate::covariates::Attributes;
use crate::model::Linear;

use super::Posterior;
use super::predict::quantile;

/// The coefficient of a covariate: what one standard deviation of it adds to a logit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Coefficient {
    /// The covariate.
    pub covariate: String,
    /// Posterior mean.
    pub mean: f64,
    /// 5 % quantile.
    pub low: f64,
    /// 95 % quantile.
    pub high: f64,
}

impl Posterior {
    /// The coefficients of all covariates of pairs that vary, in their order.
    pub fn coefficients(&self) -> Vec<Coefficient> {
        let Some(covariates) = self.covariates() else { return vec![] };
        let coefficients = covariates.varying().map(|column| {
            self.coefficient(covariates.names()[column].clone(), |linear| linear.coefficients[column])
        });
        coefficients.collect()
    }

    /// The coefficients of the attributes of nodes, those of the source before those of the target, in their order.
    pub fn attribute_coefficients(&self) -> Vec<Coefficient> {
        let attributes = self.covariates().and_then(|covariates| covariates.side_info().nodes.as_deref());
        let names = attributes.map_or(&[][..], Attributes::names);
        let ends: &[&str] = if self.symmetric() { &["either end"] } else { &["source", "target"] };
        let coefficients = ends.iter().enumerate().flat_map(|(end, title)| {
            let named = names.iter().enumerate();
            named.map(move |(column, name)| {
                self.coefficient(format!("{title}: {name}"), |linear| linear.attributes[end][column])
            })
        });
        coefficients.collect()
    }

    /// One number of the linear part over all draws.
    fn coefficient(&self, covariate: String, of: impl Fn(&Linear) -> f64) -> Coefficient {
        let mut values: Vec<f64> = self.draws().iter().map(|draw| of(&draw.linear)).collect();
        values.sort_unstable_by(f64::total_cmp);
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        Coefficient { covariate, mean, low: quantile(&values, 0.05), high: quantile(&values, 0.95) }
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
