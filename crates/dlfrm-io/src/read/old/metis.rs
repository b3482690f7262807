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

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use crate::read::{ReadOptions, parse_network};

    fn read(text: &str) -> Result<usize, String> {
        let read = parse_network(text.as_bytes(), "links", &ReadOptions::default());
        read.map(|read| read.report.rows as usize).map_err(|error| error.to_string())
    }

    fn refused(places: &str) -> Result<usize, String> {
        Err(format!(
            "links is a file of METIS, which is not read: write a line for each link, with the number of the row before each \
             neighbour (awk '{{gsub(/\\r/, \"\")}} !/^%/ {{if (n++) for ({places}) print n - 1, $i}}')"
        ))
    }

    #[test]
    fn lines_of_neighbours_are_refused() {
        let plain = || refused("i = 1; i <= NF; i++");
        assert_eq!(read("% a graph\n5 6\n2 3\n1 3 4\n1 2 5\n2 5\n3 4\n"), plain());
        // A node without neighbours, a ring, and links of one direction.
        assert_eq!(read("5 4\n2 4\n1 3\n2 4\n1 3\n\n"), plain());
        assert_eq!(read("4 3\n2 3\n\n1 4\n3\n"), plain());
        assert_eq!(read("5 5\n2 5\n1 3\n2 4\n3 5\n4 1\n"), plain());
        assert_eq!(read("3 3\n2 3\n3\n1\n"), plain());
        // With weights of links, of nodes, and of both.
        assert_eq!(read("3 2 1\n2 7\n1 7 3 8\n2 8\n"), refused("i = 1; i <= NF; i += 2"));
        assert_eq!(read("3 2 010\n9 2\n9 1 3\n8 2\n"), refused("i = 2; i <= NF; i++"));
        assert_eq!(read("3 2 11 2\n9 9 2 7\n9 9 1 7 3 8\n8 8 2 8\n"), refused("i = 3; i <= NF; i += 2"));
        // More lines than are looked at.
        let mut large = "3000 2999\n2\n".to_owned();
        for i in 2..3000 {
            writeln!(large, "{} {}", i - 1, i + 1).unwrap();
        }
        assert_eq!(read(&format!("{large}2999\n")), plain());
    }

    #[test]
    fn edge_lists_and_adjacency_lists_are_none() {
        assert_eq!(read("3 3\n2 3\n1 3\n1 2\n"), Ok(4));
        assert_eq!(read("5 5\n2 5\n1 3\n2 4\n3 5\n4 2\n"), Ok(6));
        let lists = read("1 2 3\n2 1\n3 1\n").unwrap_err();
        assert!(lists.contains("look like an adjacency list"), "{lists}");
        let lists = read("3 1 2\n2 3\n1 3\n4 1\n").unwrap_err();
        assert!(lists.contains("look like an adjacency list"), "{lists}");
    }
}
