//! Files of METIS: a line with the sizes, and below it a line of neighbours for each node.

use std::collections::HashSet;

use super::error::ReadError;
use super::layout::{SAMPLE_BYTES, SAMPLE_ROWS};

/// So many lines of neighbours, all with two of them, are no links by chance.
const ENOUGH_LINES: usize = 4;
/// So many neighbours that have each other are no accident.
const ENOUGH_NEIGHBOURS: usize = 10;

/// Refuses rows that look like a file of METIS: their first names are neighbours, and none is the node of the line.
/// `last` is the number of the last line that was read.
pub(crate) fn check_metis(sample: &[(u64, String)], last: u64, file: &str) -> Result<(), ReadError> {
    let Some(Places { first, step }) = places(sample, last) else { return Ok(()) };
    let next = if step == 1 { "i++".to_owned() } else { format!("i += {step}") };
    let how = format!(
        "write a line for each link, with the number of the row before each neighbour (awk '{{gsub(/\\r/, \"\")}} !/^%/ {{if (n++) for (i = {first}; \
         i <= NF; {next}) print n - 1, $i}}')"
    );
    Err(ReadError::Foreign { file: file.to_owned(), name: "METIS", how: how.into() })
}

/// Where the neighbours are in a line: the first one, from 1, and how far it is to the next.
struct Places {
    first: usize,
    step: usize,
}

impl Places {
    /// What the third and fourth number of the first line say: which weights stand among the neighbours.
    fn of(format: u64, weights: u64) -> Option<Self> {
        let [sizes, nodes, links] = [format / 100, format / 10 % 10, format % 10];
        if sizes.max(nodes).max(links) > 1 || weights > 100 {
            return None;
        }
        Some(Self { first: 1 + (sizes + nodes * weights) as usize, step: 1 + links as usize })
    }

    /// The neighbours of a line, if it has nothing else.
    fn neighbours(&self, text: &str) -> Option<Vec<u64>> {
        let numbers = numbers(text)?;
        let from = numbers.get(self.first - 1..)?;
        (from.len() % self.step == 0).then(|| from.iter().step_by(self.step).copied().collect())
    }
}

fn numbers(text: &str) -> Option<Vec<u64>> {
    text.split_ascii_whitespace().map(|word| word.parse().ok()).collect()
}

/// Where the neighbours are, if these lines are of METIS.
fn places(sample: &[(u64, String)], end: u64) -> Option<Places> {
    let ((top, sizes), lines) = sample.split_first()?;
    let (nodes, links, places) = match numbers(sizes)?[..] {
        [nodes, links] => (nodes, links, Places { first: 1, step: 1 }),
        [nodes, links, format] => (nodes, links, Places::of(format, 1)?),
        [nodes, links, format, weights] => (nodes, links, Places::of(format, weights)?),
        _ => return None,
    };
    let last = lines.last()?.0 - top;
    let mut pairs = HashSet::new();
    for (line, text) in lines {
        let node = line - top;
        for neighbour in places.neighbours(text)? {
            let sound = (1..=nodes).contains(&neighbour) && node <= nodes && neighbour != node;
            if !sound || !pairs.insert((node, neighbour)) {
                return None;
            }
        }
    }
    // A node without neighbours has an empty line, which is not among these.
    let seen = || pairs.iter().filter(|(_, neighbour)| *neighbour <= last);
    let mutual = seen().all(|&(node, neighbour)| pairs.contains(&(neighbour, node)));
    let bytes: usize = lines.iter().map(|(_, text)| text.len()).sum();
    let whole = sample.len() < SAMPLE_ROWS && bytes < SAMPLE_BYTES;
    let lengths: HashSet<usize> =
        lines.iter().map(|(_, text)| text.split_ascii_whitespace().count()).collect();
    let like_links = lengths.len() == 1 && lengths.contains(&2);
    let found = if whole {
        // The last nodes may have no neighbours.
        if end - top < nodes {
            return None;
        }
        let all = pairs.len() as u64 == links.saturating_mul(2) && mutual;
        (all && (!like_links || lines.len() >= ENOUGH_LINES)) || (lengths.len() > 1 && last == nodes)
    } else {
        !like_links && mutual && seen().count() >= ENOUGH_NEIGHBOURS
    };
    found.then_some(places)
}
