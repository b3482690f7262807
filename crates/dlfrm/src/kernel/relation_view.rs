//! Relations that share their features: each has pairs, weights and a linear part of its own.
//! See "Relations with shared features" in `docs/model.md`.

use crate::model::State;

use super::Context;

/// One of several relations. The features of all their states are the same ones: what changes them changes all.
#[derive(Debug)]
pub struct RelationView<'a> {
    /// Its pairs, settings and random streams: no two relations have the same streams.
    pub context: Context<'a>,
    /// Its state.
    pub state: &'a mut State,
}
