//! What one end adds to the bound of a pair, or the most that any of several nodes adds.

use super::Distance;
use super::reach::Reach;

/// One end of a pair.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct End {
    /// The most that it adds by itself, by distance.
    pub(super) own: [f64; 2],
    /// The logarithm of 1 + its degree: the least and the most.
    pub(super) logarithm: [f64; 2],
    /// The logarithm of its degree, at least zero: the least and the most.
    pub(super) size: [f64; 2],
    /// What steps from it reach, by distance: only where there is no path of length two its neighbours do not count.
    pub(super) reach: [Reach; 2],
}

impl End {
    /// An end that only adds something by itself.
    pub(super) fn of_itself(own: f64) -> Self {
        Self { own: [own; 2], ..Self::default() }
    }

    /// A node of such a degree.
    pub(super) fn of_degree(own: [f64; 2], degree: f64, reach: [Reach; 2]) -> Self {
        Self { own, logarithm: [degree.ln_1p(); 2], size: [degree.max(1.0).ln(); 2], reach }
    }

    /// An end that adds so much more by itself.
    pub(crate) fn with(mut self, more: f64) -> Self {
        self.own = self.own.map(|own| own + more);
        self
    }

    /// The most that it adds by itself to a pair without a path of length two.
    pub(crate) fn own(&self) -> f64 {
        self.own[Distance::Far as usize]
    }

    /// The logarithm of 1 + its degree, at least.
    pub(crate) fn least_logarithm(&self) -> f64 {
        self.logarithm[0]
    }

    /// The logarithm of 1 + its degree, at most.
    pub(crate) fn logarithm(&self) -> f64 {
        self.logarithm[1]
    }

    /// An end that adds at least as much as either of two.
    pub(crate) fn or(&self, other: &Self) -> Self {
        let place = [Distance::Far as usize, Distance::Near as usize];
        let hull = |one: [f64; 2], other: [f64; 2]| [one[0].min(other[0]), one[1].max(other[1])];
        Self {
            own: place.map(|place| self.own[place].max(other.own[place])),
            logarithm: hull(self.logarithm, other.logarithm),
            size: hull(self.size, other.size),
            reach: place.map(|place| self.reach[place].or(&other.reach[place])),
        }
    }
}
