//! The part `features`: latent features, whose chains may go on from those of a trial.

use super::Part;
use crate::chain::{ChainRun, Slots, noted};

/// The part of the burn-in that chains have once more, if they go on from those of a trial with the pairs that were held out of
/// it.
const AGAIN: usize = 4;

impl Part {
    /// Has its chains go on from those of a trial at their first draw, if they can.
    pub(in crate::fit) fn go_on_from_trial(&mut self, trial: Vec<Vec<ChainRun>>, slots: &Slots) {
        let (burn_in, swept) = (self.settings.burn_in, trial[0][0].sweeps());
        let later = (swept + burn_in / AGAIN).saturating_sub(burn_in);
        // A chain cannot have more sweeps than there may be.
        if self.settings.with_longer_burn_in(later).into_inner().check().is_err() {
            return;
        }
        self.later = later;
        for (slot, run) in slots.iter().flatten().zip(trial.into_iter().flatten()) {
            *noted(slot) = run;
        }
    }
}
