//! The pairs that a model learns from (the paper's set I), reachable from both of their ends.

use std::sync::Arc;

use super::Modes;

/// A pair of nodes with its label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pair {
    /// The node that the link would start from (the smaller id in an undirected network).
    pub source: u32,
    /// The node that the link would go to.
    pub target: u32,
    /// Whether the link is there.
    pub link: bool,
}

/// The observed pairs with their labels: by source, and by target through an index.
///
/// A pair's number is its place in the order of (source, target).
#[derive(Debug, Clone)]
pub struct Pairs {
    nodes: usize,
    symmetric: bool,
    modes: Option<Arc<Modes>>,
    non_link_share: f64,
    /// How active each node is as a source and as a target, if non-links were sampled.
    activity: Vec<[u32; 2]>,
    links: usize,
    starts: Vec<usize>,
    targets: Vec<u32>,
    labels: Vec<bool>,
    back_starts: Vec<usize>,
    back_sources: Vec<u32>,
    back_numbers: Vec<u32>,
    /// The labels once more, in the order of targets: looked up by number they would be all over the memory.
    back_labels: Vec<bool>,
}

impl Pairs {
    /// Gathers pairs of `nodes` nodes. `symmetric` says that a pair stands for both directions
    /// (then the caller gives each unordered pair once).
    ///
    /// # Panics
    /// If a pair stands twice, joins a node to itself, or names a node that is not there.
    pub fn new(nodes: usize, symmetric: bool, pairs: impl IntoIterator<Item = Pair>) -> Self {
        let mut list: Vec<Pair> = pairs.into_iter().collect();
        list.sort_unstable_by_key(|pair| (pair.source, pair.target));
        assert!(u32::try_from(list.len()).is_ok(), "more than 2^32 pairs");
        assert!(
            list.windows(2).all(|two| (two[0].source, two[0].target) != (two[1].source, two[1].target)),
            "a pair stands twice"
        );
        let mut starts = vec![0; nodes + 1];
        let mut back_starts = vec![0; nodes + 1];
        for pair in &list {
            assert!(pair.source != pair.target, "a self pair");
            starts[pair.source as usize + 1] += 1;
            back_starts[pair.target as usize + 1] += 1;
        }
        for i in 0..nodes {
            starts[i + 1] += starts[i];
            back_starts[i + 1] += back_starts[i];
        }
        let mut next = back_starts.clone();
        let mut back_sources = vec![0; list.len()];
        let mut back_numbers = vec![0; list.len()];
        let mut back_labels = vec![false; list.len()];
        for (number, pair) in list.iter().enumerate() {
            let place = &mut next[pair.target as usize];
            back_sources[*place] = pair.source;
            back_numbers[*place] = number as u32;
            back_labels[*place] = pair.link;
            *place += 1;
        }
        Self {
            nodes,
            symmetric,
            modes: None,
            non_link_share: 1.0,
            activity: vec![],
            links: list.iter().filter(|pair| pair.link).count(),
            starts,
            targets: list.iter().map(|pair| pair.target).collect(),
            labels: list.iter().map(|pair| pair.link).collect(),
            back_starts,
            back_sources,
            back_numbers,
            back_labels,
        }
    }

    /// The same pairs with word that their non-links are a sample: a random part of all that were observed.
    #[must_use]
    pub fn with_non_link_share(mut self, share: f64) -> Self {
        self.non_link_share = share;
        self.activity = if share < 1.0 { self.find_activity() } else { vec![] };
        self
    }

    /// The activity of an average node.
    pub(crate) const ACTIVITY_UNIT: u32 = 16;

    /// How active each node is as a source and as a target, if non-links were sampled: its number of links plus one, over
    /// the average of this, in sixteenths and at least one.
    pub(crate) fn activity(&self) -> &[[u32; 2]] {
        &self.activity
    }

    fn find_activity(&self) -> Vec<[u32; 2]> {
        let mut degrees = vec![[1_u32; 2]; self.nodes];
        for pair in self.iter().filter(|pair| pair.link) {
            degrees[pair.source as usize][0] += 1;
            degrees[pair.target as usize][1] += 1;
            if self.symmetric {
                degrees[pair.source as usize][1] += 1;
                degrees[pair.target as usize][0] += 1;
            }
        }
        let ends = if self.symmetric { 2.0 } else { 1.0 };
        let mean = 1.0 + ends * self.links as f64 / self.nodes as f64;
        let unit = f64::from(Self::ACTIVITY_UNIT) / mean;
        degrees
            .into_iter()
            .map(|own| own.map(|own| ((f64::from(own) * unit).round() as u32).max(1)))
            .collect()
    }

    /// The same pairs with word of which nodes are rows and which are columns, if they are of a bipartite network.
    ///
    /// # Panics
    /// If a pair is not of a row and a column.
    #[must_use]
    pub fn with_modes(mut self, modes: Option<&Arc<Modes>>) -> Self {
        let across = |modes: &Modes| self.iter().all(|pair| modes.across(pair.source, pair.target));
        assert!(modes.is_none_or(|modes| across(modes)), "a pair within a mode");
        self.modes = modes.cloned();
        self
    }

    /// Which nodes are rows and which are columns, if the pairs are of a bipartite network.
    pub fn modes(&self) -> Option<&Arc<Modes>> {
        self.modes.as_ref()
    }

    /// The part of the observed non-links that is among the pairs: 1 unless they were sampled.
    pub fn non_link_share(&self) -> f64 {
        self.non_link_share
    }

    /// How many nodes the pairs are drawn from.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// How many of the pairs are links.
    pub fn links(&self) -> usize {
        self.links
    }

    /// Whether a pair stands for both directions.
    pub fn symmetric(&self) -> bool {
        self.symmetric
    }

    /// Whether at least half of all pairs of nodes are observed.
    pub fn dense(&self) -> bool {
        let directions = if self.symmetric { 2.0 } else { 1.0 };
        let nodes = self.nodes as f64;
        2.0 * directions * self.len() as f64 >= nodes * nodes
    }

    /// Whether pair number `pair` is a link.
    pub fn label(&self, pair: usize) -> bool {
        self.labels[pair]
    }

    /// The labels by pair number.
    pub fn labels(&self) -> &[bool] {
        &self.labels
    }

    /// The numbers of the pairs that start at `source`; their targets are `targets()[range]`.
    pub fn from(&self, source: usize) -> std::ops::Range<usize> {
        self.starts[source]..self.starts[source + 1]
    }

    /// The target of each pair, by pair number.
    pub fn targets(&self) -> &[u32] {
        &self.targets
    }

    /// The source of a pair, found by bisection.
    pub fn source(&self, pair: usize) -> usize {
        self.starts.partition_point(|&start| start <= pair) - 1
    }

    /// The pairs that end at `target`: their sources, and their numbers beside them.
    pub fn to(&self, target: usize) -> (&[u32], &[u32]) {
        let range = self.to_range(target);
        (&self.back_sources[range.clone()], &self.back_numbers[range])
    }

    /// The numbers of all pairs in the order of targets: those that end at `target` are `numbers_to()[to_range(target)]`.
    pub fn numbers_to(&self) -> &[u32] {
        &self.back_numbers
    }

    /// Where the pairs that end at `target` stand in the order of targets.
    pub fn to_range(&self, target: usize) -> std::ops::Range<usize> {
        self.back_starts[target]..self.back_starts[target + 1]
    }

    /// The labels of the pairs that end at `target`, in the order of [`to`](Self::to).
    pub fn labels_to(&self, target: usize) -> &[bool] {
        &self.back_labels[self.to_range(target)]
    }

    /// The nodes that share a pair with `node`, in increasing order, each with how many of the two pairs
    /// with it are non-links and how many are links.
    #[inline]
    pub fn around(&self, node: usize) -> impl Iterator<Item = (u32, [u8; 2])> + '_ {
        let outgoing = self.from(node);
        let (targets, labels) = (&self.targets[outgoing.clone()], &self.labels[outgoing]);
        let (sources, back_labels) = (self.to(node).0, self.labels_to(node));
        let (mut out, mut back) = (0, 0);
        std::iter::from_fn(move || {
            let target = targets.get(out).copied().unwrap_or(u32::MAX);
            let source = sources.get(back).copied().unwrap_or(u32::MAX);
            let partner = target.min(source);
            if partner == u32::MAX {
                return None;
            }
            let mut kinds = [0; 2];
            if target == partner {
                kinds[usize::from(labels[out])] += 1;
                out += 1;
            }
            if source == partner {
                kinds[usize::from(back_labels[back])] += 1;
                back += 1;
            }
            Some((partner, kinds))
        })
    }

    /// All pairs in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = Pair> + '_ {
        (0..self.nodes).flat_map(move |i| {
            self.from(i).map(move |d| Pair {
                source: i as u32,
                target: self.targets[d],
                link: self.labels[d],
            })
        })
    }
}
