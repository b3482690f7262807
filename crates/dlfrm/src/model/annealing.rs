//! How the costs rise in the burn-in of an annealed start: a way to a good starting point, with another target.

use super::{Loss, Start, ValidSettings};

/// The steps by which the costs of an annealed start rise, each for as many sweeps as the others.
const COST_SHARES: [f64; 2] = [0.3, 0.6];

/// The most sweeps that an annealed start makes without births; a tenth of the burn-in if that is less.
const MOST_WITHOUT_BIRTHS: usize = 5;

impl ValidSettings {
    /// The share of the full costs that sweep number `sweep` (from 1) runs with: below 1 only in the
    /// burn-in of an annealed start.
    pub fn cost_share(&self, sweep: usize) -> f64 {
        let rising = 2 * self.burn_in / 5;
        if self.start != Start::Annealed || sweep > rising {
            return 1.0;
        }
        COST_SHARES[(sweep.max(1) - 1) * COST_SHARES.len() / rising]
    }

    /// Whether sweep number `sweep` (from 1) leaves births and deaths of features out: at the very beginning of an
    /// annealed start, when the weights of the first features have not been fitted to anything yet, and everywhere in a model
    /// without features.
    pub(crate) fn births_disabled(&self, sweep: usize) -> bool {
        self.max_new == 0
            || self.start == Start::Annealed && sweep <= self.burn_in.div_ceil(10).min(MOST_WITHOUT_BIRTHS)
    }

    /// These settings with a share of the costs, as an annealed start has them while they rise. The logistic loss
    /// stands in for the hinge there, at the costs that give it the same slope: its chains find features more easily.
    pub(crate) fn with_cost_share(&self, share: f64) -> Self {
        let mut settings = self.0.clone();
        let mut factor = share;
        if share < 1.0 && settings.model.loss == Loss::Hinge {
            settings.model.loss = Loss::Logistic;
            factor *= 2.0;
        }
        settings.c_pos *= factor;
        settings.c_neg *= factor;
        Self(settings)
    }
}

#[cfg(test)]
mod tests {
    use crate::model::{Model, Settings, Variant};

    use super::*;

    #[test]
    fn costs_rise_in_the_first_part_of_the_burn_in() {
        let settings = Settings { burn_in: 100, start: Start::Annealed, ..Settings::default() };
        let settings = settings.check().unwrap();
        assert_eq!([1, 20, 21, 40, 41, 101].map(|s| settings.cost_share(s)), [0.3, 0.3, 0.6, 0.6, 1.0, 1.0]);
        assert_eq!([1, 5, 6, 101].map(|s| settings.births_disabled(s)), [true, true, false, false]);
        // However short a burn-in is, its first sweep must not see weights that were never fitted.
        let settings = Settings { burn_in: 8, ..settings.into_inner() }.check().unwrap();
        assert_eq!([1, 2].map(|s| settings.births_disabled(s)), [true, false]);
        let settings = Settings { burn_in: 0, ..settings.into_inner() }.check().unwrap();
        assert_eq!(settings.cost_share(1), 1.0);
        assert!(!settings.births_disabled(1));
    }

    /// Where no pair is near its margin, half the hinge loss and the logistic loss of twice the costs fall alike.
    #[test]
    fn the_logistic_loss_stands_in_for_the_hinge() {
        let hinge = Settings::for_model(Model { variant: Variant::Full, loss: Loss::Hinge }).check().unwrap();
        let rising = hinge.with_cost_share(0.5);
        let slope = |settings: &ValidSettings| {
            let loss =
                |logit| settings.model.loss.log_likelihood(true, logit, settings.cost(true), settings.margin);
            loss(-40.0) - loss(-41.0)
        };
        assert_eq!(rising.model.loss, Loss::Logistic);
        assert!((slope(&rising) - 0.5 * slope(&hinge)).abs() < 1e-9);
        assert_eq!(hinge.with_cost_share(1.0), hinge);
    }
}
