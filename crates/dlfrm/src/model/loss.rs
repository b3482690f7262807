//! The two losses of the paper as pseudo-likelihoods, and what their augmentation makes of a pair.

use serde::{Deserialize, Serialize};

/// A loss. Given its augmentation variable a pair contributes exp(pull * w - rate * w^2 / 2) to the
/// posterior, w being the logit (Lemma 1 of the paper; kappa = pull, rho = rate).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Loss {
    /// exp(c ytilde w) / (1 + exp w)^c.
    Logistic,
    /// exp(-2 c (margin - y w)_+).
    Hinge,
}

impl Loss {
    /// The logarithm of the pseudo-likelihood of a pair (see "Losses and the posterior" in `docs/model.md`).
    #[inline]
    pub fn log_likelihood(self, link: bool, logit: f64, cost: f64, margin: f64) -> f64 {
        let towards = if link { logit } else { -logit };
        match self {
            Self::Logistic => -cost * softplus(-towards),
            Self::Hinge => -2.0 * cost * (margin - towards).max(0.0),
        }
    }

    /// The logit that suits all pairs best, if they have one in common; `links` and `non_links` are summed costs.
    pub(crate) fn best_constant(self, links: f64, non_links: f64, margin: f64) -> f64 {
        match self {
            Self::Logistic => (links / non_links).ln(),
            Self::Hinge if links > non_links => margin,
            Self::Hinge => -margin,
        }
    }

    /// The linear coefficient of a pair (kappa), which its label and its rate determine.
    #[inline]
    pub fn pull(self, link: bool, rate: f64, cost: f64, margin: f64) -> f64 {
        let size = match self {
            Self::Logistic => 0.5 * cost,
            // c (1 + c margin gamma) with rate = c^2 gamma.
            Self::Hinge => cost + margin * rate,
        };
        if link { size } else { -size }
    }
}

/// log(1 + exp x) without overflow.
#[inline]
pub(crate) fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// 1 / (1 + exp(-x)).
#[inline]
pub(crate) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logistic_loss_is_a_powered_likelihood() {
        for (logit, cost) in [(0.3, 1.0), (-2.0, 0.3), (40.0, 10.0), (-800.0, 3.0)] {
            let link = Loss::Logistic.log_likelihood(true, logit, cost, 1.0);
            let expected =
                if logit < -700.0 { cost * logit } else { cost * (logit - (1.0 + f64::exp(logit)).ln()) };
            assert!((link - expected).abs() < 1e-9 * expected.abs().max(1.0), "{link} {expected}");
            assert_eq!(link, Loss::Logistic.log_likelihood(false, -logit, cost, 1.0));
        }
    }

    #[test]
    fn no_constant_is_better_than_the_best() {
        for loss in [Loss::Logistic, Loss::Hinge] {
            for (links, non_links) in [(3.0, 40.0), (8.0, 0.3)] {
                let fit = |logit| {
                    loss.log_likelihood(true, logit, links, 2.0)
                        + loss.log_likelihood(false, logit, non_links, 2.0)
                };
                let best = loss.best_constant(links, non_links, 2.0);
                assert!((-80..80).all(|step| fit(0.1 * f64::from(step)) <= fit(best) + 1e-12), "{best}");
            }
        }
    }

    #[test]
    fn the_hinge_is_flat_beyond_the_margin() {
        assert_eq!(Loss::Hinge.log_likelihood(true, 2.0, 3.0, 1.0), 0.0);
        assert_eq!(Loss::Hinge.log_likelihood(false, 0.5, 2.0, 1.0), -6.0);
        assert_eq!(Loss::Hinge.pull(false, 4.0, 2.0, 0.5), -4.0);
    }
}
