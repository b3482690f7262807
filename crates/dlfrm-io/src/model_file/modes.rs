//! The modes of the nodes in a model file: an array with 1 for a row, 2 for a column and 0 for neither.

use std::sync::Arc;

use dlfrm::network::{Mode, Modes};

use super::ModelFileError;
use super::arrays::ArrayReader;

/// The array.
pub(super) fn numbers(modes: &Modes) -> impl Iterator<Item = u32> {
    (0..modes.nodes() as u32).map(|node| match modes.mode(node) {
        None => 0,
        Some(Mode::Row) => 1,
        Some(Mode::Column) => 2,
    })
}

/// The modes, if the network has two.
pub(super) fn read(
    bipartite: bool,
    nodes: usize,
    arrays: &ArrayReader<'_>,
) -> Result<Option<Arc<Modes>>, ModelFileError> {
    if !bipartite {
        return Ok(None);
    }
    let numbers = arrays.u32s("modes")?;
    if numbers.len() != nodes {
        return Err(arrays.broken("the modes are not those of the nodes"));
    }
    let mode = |number: u32| match number {
        0 => Ok(None),
        1 => Ok(Some(Mode::Row)),
        2 => Ok(Some(Mode::Column)),
        other => Err(arrays.broken(format!("a mode is {other}"))),
    };
    let modes = numbers.into_iter().map(mode).collect::<Result<_, _>>()?;
    Ok(Some(Arc::new(Modes::new(modes))))
}
