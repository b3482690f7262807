//! Names that may be lists of names, such as `Ada;Bob`.

use std::collections::{HashMap, HashSet};

use dlfrm::network::Nodes;

use super::alike::more_such;

/// What may be between the names of a list.
const BETWEEN: [char; 3] = [';', '|', ','];

/// What is said of names with parts that are names, too.
pub(crate) fn lists(nodes: &Nodes) -> Option<String> {
    BETWEEN.into_iter().find_map(|between| {
        let names = || nodes.names().iter().filter(move |name| name.contains(between));
        let moving = if between == ',' { HashSet::new() } else { moving(names(), between, nodes.len()) };
        let known = |part: &&str| nodes.get(part).is_some() || moving.contains(part);
        let found = names().filter_map(|name| {
            let mut parts: Vec<&str> = parts(name, between).filter(known).collect();
            parts.dedup();
            (parts.len() > 1).then_some((name, parts))
        });
        let found: Vec<_> = found.collect();
        let (name, parts) = found.iter().min_by_key(|(name, _)| name.len())?;
        let more = more_such(found.len() - 1, "name");
        Some(format!(
            "'{name}' is one node, though '{}' and '{}' are in other names, too: if it is a list, write a line for each \
             link{more}",
            parts[0], parts[1]
        ))
    })
}

fn parts(name: &str, between: char) -> impl Iterator<Item = &str> {
    name.split(between).map(str::trim).filter(|part| !part.is_empty())
}

/// Parts that stand at different places of names, as they do in lists, but not in codes or in paths from the
/// general to the special. Nothing if nearly all names have parts, as pairs of coordinates have.
fn moving<'a>(names: impl Iterator<Item = &'a String>, between: char, all: usize) -> HashSet<&'a str> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut moving = HashSet::new();
    let mut count = 0;
    for name in names {
        count += 1;
        for (place, part) in parts(name, between).enumerate() {
            if *places.entry(part).or_insert(place) != place {
                moving.insert(part);
            }
        }
    }
    if 10 * count > 9 * all { HashSet::new() } else { moving }
}
