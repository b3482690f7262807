//! The modes of the entities in a model file: an array with 1 for a row, 2 for a column and 0 for neither.

use std::sync::Arc;

use dlfrm::network::{Mode, Modes};

use super::ModelFileError;
use super::arrays::ArrayReader;

/// The array.
pub(super) fn numbers(modes: &Modes) -> impl Iterator<Item = u32> {
    (0..modes.entities() as u32).map(|entity| match modes.mode(entity) {
        None => 0,
        Some(Mode::Row) => 1,
        Some(Mode::Column) => 2,
    })
}

/// The modes, if the network has two.
pub(super) fn read(
    two_mode: bool,
    entities: usize,
    arrays: &ArrayReader<'_>,
) -> Result<Option<Arc<Modes>>, ModelFileError> {
    if !two_mode {
        return Ok(None);
    }
    let numbers = arrays.u32s("modes")?;
    if numbers.len() != entities {
        return Err(arrays.broken("the modes are not those of the entities"));
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
