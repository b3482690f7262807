//! Metropolis-Hastings moves of whole features, with the augmentation integrated out.
//!
//! One entry of Z at a time, a feature that several entities should have must be begun by one of them alone, and with diagonal
//! weights such a beginning explains nothing. These moves change several entries at once. Like the flips they leave rates
//! behind that are not valid: the augmentation must follow.
//!
//! Features have no order, so a state is a set of columns with their weights, and its density has alpha^K and, for a column
//! of m owners, (N - m)! (m - 1)! / N! (Griffiths & Ghahramani 2005, times the K! orders of a labelled matrix).

pub mod births;
pub mod swaps;

use crate::model::{Checked, Shape, State};
use crate::network::Pairs;

/// The pairs that a move touches, reused from move to move.
#[derive(Debug, Default)]
struct Touched {
    pairs: Vec<u32>,
}

impl Touched {
    /// Those that change when each of `owners` takes or gives up a feature whose owners are then among `others`: with diagonal
    /// weights pairs between the two, with others all pairs of the owners.
    fn find(&mut self, owners: &[u32], others: &[u32], pairs: &Pairs, state: &State) {
        self.pairs.clear();
        for &owner in owners {
            if state.weights.shape() == Shape::Diagonal {
                for &other in others {
                    let both = [pairs.find(owner, other), pairs.find(other, owner)];
                    self.pairs.extend(both.into_iter().flatten().map(|pair| pair as u32));
                }
            } else {
                self.pairs.extend(pairs.from(owner as usize).map(|pair| pair as u32));
                self.pairs.extend_from_slice(pairs.to(owner as usize).1);
            }
        }
        self.pairs.sort_unstable();
        self.pairs.dedup();
    }

    /// The log likelihood of these pairs.
    fn log_likelihood(&self, pairs: &Pairs, state: &State, settings: &Checked) -> f64 {
        let of = |&pair: &u32| {
            let pair = pair as usize;
            let (source, target) = (pairs.source(pair), pairs.targets()[pair] as usize);
            let (link, logit) = (pairs.label(pair), state.offset(pair) + state.latent(source, target));
            settings.model.loss.log_likelihood(link, logit, settings.cost(link), settings.margin)
        };
        self.pairs.iter().map(of).sum()
    }
}
