//! Formats whose lines mean different things above and below a mark that elsewhere begins a comment: TGF and LGL.

use std::collections::HashSet;

use super::comments::skipped;

/// How to convert a file of TGF.
pub(crate) const TGF: &str = "write an edge list of the lines below the # (awk '{gsub(/\\r/, \"\")} links {print $1, $2} $0 == \"#\" {links = 1}')";

/// How to convert a file of LGL.
pub(crate) const LGL: &str = "write an edge list, one pair per line (awk '{gsub(/\\r/, \"\")} /^#/ {source = $2; next} {print source, $1}')";

fn words(line: &str) -> Vec<&str> {
    line.split_ascii_whitespace().collect()
}

/// Whether lines name nodes, each once, and below a single mark have links of them.
pub(crate) fn is_tgf(lines: &[&str]) -> bool {
    let Some(mark) = lines.iter().position(|line| *line == "#") else { return false };
    let (nodes, links) = (&lines[..mark], &lines[mark + 1..]);
    let mut ids = HashSet::new();
    let declared = nodes.iter().all(|line| !skipped(line) && ids.insert(words(line)[0]));
    // What follows an id is a label: rows of links have the names of others there.
    let labelled = nodes.iter().map(|line| words(line)).all(|words| match words[..] {
        [id, label] => id == label || !ids.contains(label),
        _ => true,
    });
    let linked =
        |line: &&str| matches!(words(line)[..], [from, to, ..] if ids.contains(from) && ids.contains(to));
    declared && labelled && !nodes.is_empty() && !links.is_empty() && links.iter().all(linked)
}

/// Whether lines are nodes behind a mark, and below each of them its neighbours, with or without a weight.
pub(crate) fn is_lgl(lines: &[&str]) -> bool {
    let mut sources = HashSet::new();
    let mut neighbours = HashSet::new();
    let mut source = None;
    for line in lines {
        match (source, &words(line)[..]) {
            (_, ["#", name]) => {
                source = Some(*name);
                sources.insert(*name);
            }
            (Some(source), [name]) if source != *name && !skipped(name) => {
                neighbours.insert(*name);
            }
            (Some(source), [name, weight])
                if source != *name && !skipped(name) && weight.parse::<f64>().is_ok() =>
            {
                neighbours.insert(*name);
            }
            _ => return false,
        }
    }
    sources.len() > 1 && !sources.is_disjoint(&neighbours)
}
