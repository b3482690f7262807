//! How large the mean logit of a pair must be for its mean probability to reach a given one.
//!
//! Where the sigmoid is concave, the mean of probabilities is at most the probability of the mean logit (Jensen). It is not concave
//! below zero. But the logits of a pair differ from their mean by no more than some spread, and the mean of the sigmoid over numbers
//! of an interval is at most its concave envelope there: the line from the lower end that touches the sigmoid, and from that point on
//! the sigmoid itself.

use crate::model::sigmoid;

/// How far apart the logits are that the table has an entry for, and the least of them.
const STEP: f64 = 0.25;
const LEAST: f64 = -30.0;
/// Bisections of an interval.
const BISECTIONS: usize = 40;

/// The least mean logit for each mean probability.
#[derive(Debug)]
pub(super) struct LeastLogit {
    /// From here on the envelope is the sigmoid.
    kink: f64,
    /// The least mean logits for logits from [`LEAST`] to the kink.
    table: Vec<f64>,
}

impl LeastLogit {
    /// Where logits differ from their mean by no more than `spread`.
    pub(super) fn new(spread: f64) -> Self {
        let touches = |mean: f64| tangent(mean - spread) <= mean;
        let kink = bisect(0.0, spread, touches);
        let entries = ((kink - LEAST) / STEP).ceil() as usize;
        let least = |entry| {
            let logit = LEAST + entry as f64 * STEP;
            let probability = sigmoid(logit);
            // The lower end of the last interval: surely not more than the least.
            bisect(logit - spread, logit, |mean| envelope(mean, spread) >= probability) - 1e-9
        };
        Self { kink, table: (0..entries).map(least).collect() }
    }

    /// No pair with a smaller mean logit has this mean probability.
    pub(super) fn of(&self, probability: f64) -> f64 {
        let logit = (probability / (1.0 - probability)).ln();
        if logit >= self.kink {
            return logit - 1e-9 * (1.0 + logit.abs());
        }
        // No number, if the probability is negative.
        if logit.is_nan() || logit < LEAST {
            return f64::NEG_INFINITY;
        }
        self.table[((logit - LEAST) / STEP) as usize]
    }
}

/// The most that the mean probability is for logits of this mean that are within `spread` of it.
fn envelope(mean: f64, spread: f64) -> f64 {
    let (low, high) = (mean - spread, mean + spread);
    let touching = tangent(low);
    if mean >= touching {
        sigmoid(mean)
    } else if high <= touching {
        0.5 * (sigmoid(low) + sigmoid(high))
    } else {
        sigmoid(low) + slope(touching) * spread
    }
}

/// Where the line from the sigmoid at `low` touches it further up; there at once if the sigmoid is concave from `low` on.
fn tangent(low: f64) -> f64 {
    if low >= 0.0 {
        return low;
    }
    let above = |x: f64| sigmoid(x) - sigmoid(low) >= slope(x) * (x - low);
    bisect(0.0, 60.0, above)
}

fn slope(x: f64) -> f64 {
    sigmoid(x) * sigmoid(-x)
}

/// The upper end of a tiny interval within which something begins to hold, which it does at `high`.
fn bisect(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (low + high);
        if holds(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two logits, one of them at the lower end of what is allowed, or at both ends: the mean probability is never larger than
    /// the envelope, and with one that is touched it is as large.
    #[test]
    fn no_pair_of_logits_is_above_the_envelope() {
        for spread in [0.0, 0.3, 2.0, 11.0, 40.0] {
            let least = LeastLogit::new(spread);
            for step in -60..=60 {
                let mean = f64::from(step) * 0.25;
                let most = envelope(mean, spread);
                assert!(least.of(most) <= mean, "{spread} {mean}");
                let mut best = 0.0_f64;
                for part in 0..=400 {
                    let (below, above) = (spread, spread * f64::from(part) / 400.0);
                    if above == 0.0 {
                        continue;
                    }
                    // `below` with the weight that makes the mean right.
                    let weight = above / (above + below);
                    let value = weight * sigmoid(mean - below) + (1.0 - weight) * sigmoid(mean + above);
                    assert!(value <= most + 1e-12, "{spread} {mean} {part}");
                    best = best.max(value);
                }
                assert!(most - best.max(sigmoid(mean)) < 1e-3, "{spread} {mean}: {most} {best}");
            }
        }
    }

    /// A pair whose logits are all the same has that probability.
    #[test]
    fn without_spread_it_is_the_logit() {
        let least = LeastLogit::new(0.0);
        for logit in [-20.0, -1.0, 0.0, 3.0, 20.0] {
            let found = least.of(sigmoid(logit));
            assert!(found <= logit && found > logit - STEP - 1e-6, "{logit} {found}");
        }
        assert_eq!(least.of(0.0), f64::NEG_INFINITY);
        assert_eq!(least.of(-0.1), f64::NEG_INFINITY);
    }
}
