//! A list that may be that of a bipartite network and is not read so: it is a forest or nearly one, a few rows are the other way
//! round, or a name is a source and a target.

use dlfrm::network::Modes;

use crate::read::old::collect::{Names, NumberedRows};

/// One row in so many may be the other way round, ...
const ROWS_PER_ONE: usize = 20;
/// ... up to this number, ...
const ONES: usize = 2;
/// ... or one row in so many; as many of the names may be in both columns.
const ROWS_PER_EACH: usize = 100;
/// In so many rows one may be the other way round. In fewer rows it is no wonder if no source is a target.
const FEW: usize = 10;

/// How often a node is a source and a target.
type Sides = [u32; 2];

/// What is said of a list in which sources and targets are, or are but for little, two kinds of nodes, and which is not read
/// so, because its modes were not found. `titled` says whether titles name two kinds.
pub(crate) fn nearly_bipartite(rows: &NumberedRows, names: &Names, titled: bool) -> Option<String> {
    let mut sides = vec![[0, 0]; names.nodes.len()];
    for (source, target) in rows.pairs() {
        sides[source as usize][0] += 1;
        sides[target as usize][1] += 1;
    }
    let both = (0..).zip(&sides).filter(|(_, sides)| !sides.contains(&0)).map(|(node, _)| node);
    let both: Vec<u32> = both.collect();
    if rows.has_self_links() {
        None
    } else if both.is_empty() {
        few_cycles(rows, &sides, titled)
    } else if titled {
        // Said of the titles.
        None
    } else {
        turned(rows, &sides, both.len(), names).or_else(|| same_name(rows, &both, names))
    }
}

/// What is said if no source is a target, but so few cycles are there that this may be by chance.
fn few_cycles(rows: &NumberedRows, sides: &[Sides], titled: bool) -> Option<String> {
    let several = [0, 1].iter().all(|&side| sides.iter().filter(|sides| sides[side] > 0).count() > 1);
    (several && (titled || rows.pairs().count() >= FEW)).then(|| {
        "no source is a target, as in a bipartite network, but with so few cycles this may be by chance, and the network is read \
         as one of one kind of nodes: if sources and targets are two kinds, say --bipartite"
            .to_owned()
    })
}

/// What is said of rows that are the other way round, if without them sources and targets are two kinds of nodes; so many
/// nodes are both now.
fn turned(rows: &NumberedRows, sides: &[Sides], both: usize, names: &Names) -> Option<String> {
    let count = rows.pairs().count();
    let most = (count / ROWS_PER_ONE).min(ONES).max(count / ROWS_PER_EACH).max(usize::from(count >= FEW));
    if both > 2 * most {
        return None;
    }
    let is_turned = |source: u32, target: u32| is_turned(sides[source as usize], sides[target as usize]);
    let mut found = rows.pairs().filter(|&(source, target)| is_turned(source, target));
    let (source, target) = found.next()?;
    let others = found.count();
    let right = rows.pairs().map(|(i, j)| if is_turned(i, j) { (j, i) } else { (i, j) });
    if others >= most || Modes::found(sides.len(), right).is_none() {
        return None;
    }
    let example = format!("('{}', '{}')", names.name(source), names.name(target));
    let (but_for, these, turn) = match others {
        0 => (format!("1 row {example}"), "it is", "turn it"),
        others => (format!("{} rows, such as {example}", others + 1), "they are", "turn them"),
    };
    Some(format!(
        "but for {but_for}, no source is a target, as in a bipartite network, but the network is read as one of one kind of \
         nodes: if {these} the other way round, {turn} or say --bipartite"
    ))
}

/// What is said of a few names that are sources and targets, if sources and targets are two kinds of nodes otherwise.
fn same_name(rows: &NumberedRows, both: &[u32], names: &Names) -> Option<String> {
    let nodes = names.nodes.len();
    if both.len() > (nodes / ROWS_PER_EACH).max(1) {
        return None;
    }
    let another = |target: u32| match both.binary_search(&target) {
        Ok(place) => (nodes + place) as u32,
        Err(_) => target,
    };
    let apart = rows.pairs().map(|(source, target)| (source, another(target)));
    Modes::found(nodes + both.len(), apart)?;
    let example = names.name(both[0]);
    let (but_for, different) = match both.len() {
        1 => (format!("1 name ('{example}')"), "it names two nodes, give them different names"),
        count => (
            format!("{count} names, such as '{example}'"),
            "each of them names two nodes, give these different names",
        ),
    };
    Some(format!(
        "but for {but_for}, no source is a target, as in a bipartite network, but the network is read as one of one kind of \
         nodes: if {different}"
    ))
}

/// Whether a row is the other way round by the other rows of its ends, given how often each of these is a
/// source and a target: the source is a target there, the target a source, and one of them may be in no other
/// row.
fn is_turned([of_source, to_source]: Sides, [of_target, to_target]: Sides) -> bool {
    // Without the row itself.
    let (of_source, to_target) = (of_source - 1, to_target - 1);
    to_source >= of_source && of_target >= to_target && to_source - of_source + of_target - to_target > 1
}
