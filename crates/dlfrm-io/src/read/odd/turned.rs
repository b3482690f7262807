//! A list that would be that of a two-mode network but for a few rows, which may be the other way round.

use dlfrm::network::Modes;

use crate::read::collect::NumberedRows;

/// One row in so many may be the other way round, ...
const ROWS_PER_ONE: usize = 20;
/// ... up to this number, ...
const ONES: usize = 2;
/// ... or one row in so many.
const ROWS_PER_EACH: usize = 100;

/// What is said of rows that are the other way round, if without them sources and targets are two kinds of
/// entities. `name` is the name of an entity.
pub(in crate::read) fn turned(
    rows: &NumberedRows,
    entities: usize,
    name: impl Fn(u32) -> String,
) -> Option<String> {
    let count = rows.pairs().count();
    let most = (count / ROWS_PER_ONE).min(ONES).max(count / ROWS_PER_EACH);
    let mut sides = vec![[0_u32; 2]; entities];
    for (source, target) in rows.pairs() {
        sides[source as usize][0] += 1;
        sides[target as usize][1] += 1;
    }
    let both = sides.iter().filter(|sides| !sides.contains(&0)).count();
    if both == 0 || both > 2 * most || rows.has_self_links() {
        return None;
    }
    let is_turned = |source: u32, target: u32| is_turned(sides[source as usize], sides[target as usize]);
    let mut found = rows.pairs().filter(|&(source, target)| is_turned(source, target));
    let (source, target) = found.next()?;
    let others = found.count();
    let right = rows.pairs().map(|(i, j)| if is_turned(i, j) { (j, i) } else { (i, j) });
    if others >= most || Modes::found(entities, right).is_none() {
        return None;
    }
    let example = format!("('{}', '{}')", name(source), name(target));
    let (but_for, these, turn) = match others {
        0 => (format!("1 row {example}"), "it is", "turn it"),
        others => (format!("{} rows, such as {example}", others + 1), "they are", "turn them"),
    };
    Some(format!(
        "but for {but_for}, no source is a target, as in a two-mode network, but the network is read as one of one kind of \
         entities: if {these} the other way round, {turn} or say --two-mode"
    ))
}

/// Whether a row is the other way round by the other rows of its ends, given how often each of these is a
/// source and a target: the source is a target there, the target a source, and one of them may be in no other
/// row.
fn is_turned([of_source, to_source]: [u32; 2], [of_target, to_target]: [u32; 2]) -> bool {
    // Without the row itself.
    let (of_source, to_target) = (of_source - 1, to_target - 1);
    to_source >= of_source && of_target >= to_target && to_source - of_source + of_target - to_target > 1
}
