//! Relations that share their features: each has pairs, weights and a linear part of its own.

use crate::model::State;
use crate::network::Pairs;

use super::StreamKey;

/// One of several relations. The features of all their states are the same ones: what changes them changes all.
#[derive(Debug)]
pub struct Layer<'a> {
    /// The pairs of the relation.
    pub pairs: &'a Pairs,
    /// Its state.
    pub state: &'a mut State,
    /// Where its random streams are: no two relations have the same.
    pub place: StreamKey,
}
