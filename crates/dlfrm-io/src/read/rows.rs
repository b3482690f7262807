//! The rows of a file by number, and the networks they become.

use std::sync::Arc;

use dlfrm::network::{Modes, Network, Nodes, Relation, Unlisted};

use super::columns::Label;
use super::error::{Location, ReadError};
use super::names::Numbering;
use super::report::{Counts, DirectionBy, ReadReport};

/// The rows of one relation, self links left out.
#[derive(Debug, Default)]
struct RelationRows {
    /// Source and target in one number: half the time to sort, and the order is the same.
    pairs: Vec<u64>,
    /// Label and line of each pair; empty where the file has no labels.
    marks: Vec<(Label, u64)>,
    self_links: u64,
}

/// The rows of a file by relation.
#[derive(Debug, Default)]
pub(crate) struct NumberedRows {
    relations: Vec<RelationRows>,
    pub(crate) count: u64,
    first: Option<(u32, u32)>,
    /// What unlisted pairs are, unless the user says so.
    pub(crate) unlisted: Unlisted,
}

pub(crate) struct Names {
    pub(crate) nodes: Arc<Nodes>,
    /// The final number of each node, where it is not the one the rows have.
    pub(crate) final_ids: Option<Vec<u32>>,
    pub(crate) relations: Option<Numbering>,
}

impl Names {
    fn id(&self, number: u32) -> u32 {
        self.final_ids.as_ref().map_or(number, |ids| ids[number as usize])
    }
}

/// All that was read from a file, whatever its format.
pub(crate) struct FileContents {
    pub(crate) rows: NumberedRows,
    pub(crate) names: Names,
    /// What the file says of directions, and where.
    pub(crate) directed: Option<(bool, DirectionBy)>,
    /// The modes of the nodes, where the format tells them.
    pub(crate) modes: Option<Modes>,
    pub(crate) report: ReadReport,
}

fn pack(source: u32, target: u32) -> u64 {
    u64::from(source) << 32 | u64::from(target)
}

fn unpack(pair: u64) -> (u32, u32) {
    ((pair >> 32) as u32, pair as u32)
}

fn unordered(pair: u64) -> u64 {
    pair.min(pair.rotate_left(32))
}

impl NumberedRows {
    /// Adds a row; `mark` is its label and line if the file has labels.
    pub(crate) fn push(&mut self, relation: u32, source: u32, target: u32, mark: Option<(Label, u64)>) {
        self.count += 1;
        self.first.get_or_insert((source, target));
        let relation = relation as usize;
        if relation >= self.relations.len() {
            self.relations.resize_with(relation + 1, RelationRows::default);
        }
        let rows = &mut self.relations[relation];
        if source == target {
            rows.self_links += 1;
            return;
        }
        rows.pairs.push(pack(source, target));
        if mark.is_some_and(|(label, _)| label == Label::NonLink) {
            self.unlisted = Unlisted::Unobserved;
        }
        rows.marks.extend(mark);
    }

    pub(crate) fn first(&self, names: &Names) -> Option<[String; 2]> {
        let name = |end: u32| names.nodes.name(names.id(end)).to_owned();
        self.first.map(|(source, target)| [name(source), name(target)])
    }

    pub(crate) fn modes(&self, file: &str, names: &Names) -> Result<Modes, ReadError> {
        Modes::asked(&names.nodes, self.named(names)).map_err(|cause| ReadError::network(file, &cause))
    }

    /// Whether the rows look like those of a bipartite network; a node that is linked to itself is a source and a target.
    pub(crate) fn looks_bipartite(&self, names: &Names) -> bool {
        self.relations.iter().all(|rows| rows.self_links == 0)
            && Modes::found(names.nodes.len(), self.named(names)).is_some()
    }

    /// A name that is a source and a target, and how many there are.
    pub(crate) fn both_sides(&self, names: &Names) -> Option<(String, u64)> {
        let mut sides = vec![0_u8; names.nodes.len()];
        for (source, target) in self.named(names) {
            sides[source as usize] |= 1;
            sides[target as usize] |= 2;
        }
        let mut both = (0..).zip(sides).filter(|&(_, side)| side == 3).map(|(node, _)| node);
        let first = names.nodes.name(both.next()?).to_owned();
        Some((first, 1 + both.count() as u64))
    }

    fn named(&self, names: &Names) -> impl Iterator<Item = (u32, u32)> + Clone {
        let pairs = self.relations.iter().flat_map(|rows| rows.pairs.iter().copied().map(unpack));
        pairs.map(|(source, target)| (names.id(source), names.id(target)))
    }

    /// One network per relation, in the order of the relations' names.
    pub(crate) fn into_networks(
        mut self,
        file: &str,
        Names { nodes, final_ids, relations }: Names,
        modes: Option<&Arc<Modes>>,
        directed: bool,
        unlisted: Unlisted,
    ) -> Result<Vec<(Relation, Counts)>, ReadError> {
        let refused = |cause| ReadError::network(file, &cause);
        let names: Vec<Option<String>> = match relations {
            None => {
                self.relations.resize_with(1, RelationRows::default);
                vec![None]
            }
            Some(numbering) => {
                let (names, order) = numbering.finish();
                self.relations.resize_with(names.len(), RelationRows::default);
                if let Some(order) = order {
                    let mut ordered: Vec<_> = order.into_iter().zip(self.relations).collect();
                    ordered.sort_unstable_by_key(|&(id, _)| id);
                    self.relations = ordered.into_iter().map(|(_, rows)| rows).collect();
                }
                names.into_iter().map(Some).collect()
            }
        };
        let mut relations = Vec::with_capacity(names.len());
        for (name, mut rows) in names.into_iter().zip(self.relations) {
            if let Some(final_ids) = &final_ids {
                for pair in &mut rows.pairs {
                    let (source, target) = unpack(*pair);
                    *pair = pack(final_ids[source as usize], final_ids[target as usize]);
                }
            }
            let (mut network, counts) = rows.into_network(file, &nodes, directed, unlisted)?;
            if let Some(modes) = modes {
                network = network.with_modes(modes.clone()).map_err(refused)?;
            }
            relations.push((Relation { name, network }, counts));
        }
        Ok(relations)
    }
}

impl RelationRows {
    fn into_network(
        self,
        file: &str,
        nodes: &Arc<Nodes>,
        directed: bool,
        unlisted: Unlisted,
    ) -> Result<(Network, Counts), ReadError> {
        let rows = self.pairs.len();
        let refused = |cause| ReadError::network(file, &cause);
        let mut lists = [Vec::new(), Vec::new(), Vec::new()];
        let labelled = !self.marks.is_empty();
        if labelled {
            lists = self.by_label(file, nodes, directed)?;
        }
        let mut pairs = self.pairs;
        sort_and_dedup(&mut pairs);
        let duplicates = rows - pairs.len();
        let once = once(&pairs);
        let mut both_directions = pairs.len() - once.len();
        if labelled && directed {
            both_directions = lists[0].len() - self::once(&lists[0]).len();
        }
        if !labelled {
            lists[0] = if directed { pairs } else { once };
        }
        let [links, non_links, unobserved] = lists.map(|list| list.into_iter().map(unpack));
        let network = Network::new(nodes.clone(), directed, links)
            .and_then(|network| network.with_labels(non_links, unobserved, unlisted))
            .map_err(refused)?;
        let counts = Counts {
            links: network.links().len() as u64,
            non_links: network.non_links().len() as u64,
            unobserved: network.unobserved().len() as u64,
            self_links: self.self_links,
            duplicates: duplicates as u64,
            both_directions: both_directions as u64,
        };
        Ok((network, counts))
    }

    /// Links, non-links and unobserved pairs; two labels for one pair are an error.
    fn by_label(&self, file: &str, nodes: &Nodes, directed: bool) -> Result<[Vec<u64>; 3], ReadError> {
        let mut marked: Vec<(u64, u64, Label)> = self
            .pairs
            .iter()
            .zip(&self.marks)
            .map(|(&pair, &(label, line))| (if directed { pair } else { unordered(pair) }, line, label))
            .collect();
        marked.sort_unstable_by_key(|&(pair, line, _)| (pair, line));
        let mut lists = [Vec::new(), Vec::new(), Vec::new()];
        let mut contradictions = vec![];
        for same in marked.chunk_by(|one, other| one.0 == other.0) {
            let (pair, first_line, first) = same[0];
            let second = same.iter().find(|&&(_, _, label)| label != first);
            contradictions.extend(second.map(|&(_, line, second)| (line, second, pair, first_line, first)));
            lists[first as usize].push(pair);
        }
        // The first one in the order of the file is the one to report.
        let Some((line, second, pair, first_line, first)) =
            contradictions.into_iter().min_by_key(|one| one.0)
        else {
            return Ok(lists);
        };
        let [from, to] = <[u32; 2]>::from(unpack(pair)).map(|end| nodes.name(end));
        let (first, second) = (first.describe(), second.describe());
        let what = format!("the pair '{from}', '{to}' is {second}, but line {first_line} says it is {first}");
        Err(ReadError::Repeated(Location::line(file, line), what))
    }
}

/// The pairs without their directions, each once.
fn once(pairs: &[u64]) -> Vec<u64> {
    let mut once: Vec<u64> = pairs.iter().copied().map(unordered).collect();
    sort_and_dedup(&mut once);
    once
}

fn sort_and_dedup(list: &mut Vec<u64>) {
    list.sort_unstable();
    list.dedup();
}
