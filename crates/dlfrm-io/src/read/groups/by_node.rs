//! Lines that have a node and its groups, and no group of nodes, as the LFR benchmark writes them.

use std::collections::{HashMap, HashSet};

use dlfrm::network::Nodes;

use super::super::old::names::integer;
use super::super::old::odd::{is_missing, missing_value};

/// Fewer lines show nothing.
const FEW: usize = 3;

/// What lines have that are no groups of nodes.
pub(super) struct ByNode {
    /// The groups in the order in which they appear.
    pub(super) groups: Vec<Vec<u32>>,
    /// How lines were understood.
    pub(super) understood: &'static str,
    /// How many nodes have nothing but a missing value.
    pub(super) without: usize,
    /// Groups that may stand for none: what they are called, and how many nodes they have.
    pub(super) odd: Vec<(String, usize)>,
}

/// The groups of lines that have a node and its groups each, or a group and a node of it. A header is skipped.
pub(super) fn by_node(lists: &[Vec<&str>], nodes: &Nodes) -> Option<ByNode> {
    if let Some(found) = node_first(lists, nodes) {
        return Some(found);
    }
    let turned: Option<Vec<Vec<&str>>> = lists
        .iter()
        .map(|list| match without_ends(list)[..] {
            [group, node] => Some(vec![node, group]),
            _ => None,
        })
        .collect();
    let found = node_first(&turned?, nodes)?;
    Some(ByNode { understood: "a group and a node of it", ..found })
}

/// The groups of lines that begin with a node.
fn node_first(lists: &[Vec<&str>], nodes: &Nodes) -> Option<ByNode> {
    let (first, others) = lists.split_first()?;
    // Titles stand in no other line; a node that is not known has a group that others have, too.
    let again = |group: &&str| others.iter().any(|list| list.get(1) == Some(group));
    let title = first.len() <= 2 && nodes.get(first[0]).is_none() && !first.get(1).is_some_and(again);
    let lists = &lists[usize::from(title)..];
    let numbers = numbers_in_one_cell(lists);
    let (mut seen, mut known) = (HashSet::new(), HashMap::new());
    let mut groups: Vec<Vec<u32>> = vec![];
    let (mut several, mut twice, mut without) = (false, false, 0);
    for list in lists {
        let (name, cells) = without_ends(list).split_first()?;
        let node = nodes.get(name).filter(|&node| seen.insert(node))?;
        let words: Vec<&str> = if numbers {
            cells.iter().flat_map(|cell| cell.split_whitespace()).collect()
        } else {
            cells.to_vec()
        };
        several |= words.len() > 1;
        twice |= words.contains(name);
        if words.is_empty() {
            return None;
        }
        let known_words = || words.iter().copied().filter(|word| !missing_value(word));
        without += usize::from(known_words().next().is_none());
        for word in known_words() {
            let number = *known.entry(word).or_insert(groups.len());
            if number == groups.len() {
                groups.push(vec![]);
            }
            if groups[number].last() != Some(&node) {
                groups[number].push(node);
            }
        }
    }
    let repeated = lists.len() - without >= FEW && 2 * groups.len() <= lists.len() - without;
    // Where all groups are called like nodes, lines could be groups: of some nodes, and not of most. No group has an
    // node twice.
    let names = known.keys().all(|group| nodes.get(group).is_some());
    let understood = if several { "a node and its groups" } else { "a node and its group" };
    let mut odd: Vec<(&str, usize)> = known.into_iter().filter(|(group, _)| may_be_none(group)).collect();
    odd.sort_by_key(|&(_, number)| number);
    let odd = odd.into_iter().map(|(group, number)| (group.to_owned(), groups[number].len())).collect();
    (repeated && (!names || twice || 2 * lists.len() > nodes.len())).then_some(ByNode {
        groups,
        understood,
        without,
        odd,
    })
}

/// Whether a group may be that of the nodes without any, as methods that leave some out write it.
fn may_be_none(group: &str) -> bool {
    let words = ["-1", "noise", "outlier", "outliers", "unassigned"];
    is_missing(group) || words.iter().any(|word| group.eq_ignore_ascii_case(word))
}

/// The cells of a line, without empty ones behind the second: a delimiter may be at the end.
fn without_ends<'l, 't>(list: &'l [&'t str]) -> &'l [&'t str] {
    let filled = list.iter().rposition(|cell| !cell.is_empty()).map_or(0, |last| last + 1);
    &list[..filled.max(2).min(list.len())]
}

/// Whether the second and last cell of every line has numbers, and more than one in some line.
fn numbers_in_one_cell(lists: &[Vec<&str>]) -> bool {
    let mut cells = lists.iter().map(|list| match without_ends(list) {
        [_, cell] => Some(*cell),
        _ => None,
    });
    let numbers = |cell: &str| cell.split_whitespace().all(|word| integer(word).is_some());
    cells.clone().all(|cell| cell.is_some_and(numbers))
        && cells.any(|cell| cell.is_some_and(|cell| cell.split_whitespace().count() > 1))
}

/// What lines that are groups of nodes are said to be, if they may as well be nodes with their groups: few words are the
/// others than the first, or few are the first of two.
pub(super) fn may_be_by_node(lists: &[Vec<&str>]) -> Option<&'static str> {
    let few = |words: HashSet<&str>| 2 * words.len() <= lists.len();
    if lists.len() < FEW || lists.iter().any(|list| list.len() < 2) {
        return None;
    }
    let others = || few(lists.iter().flat_map(|list| list[1..].iter().copied()).collect());
    let firsts: HashSet<&str> = lists.iter().map(|list| list[0]).collect();
    if lists.iter().all(|list| list.len() == 2) {
        return (others() || few(firsts)).then_some("a group of two nodes");
    }
    (firsts.len() == lists.len() && others()).then_some("a group of nodes")
}
