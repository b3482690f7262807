//! What a user would pick instead: scores of a pair from the training links around it, without learning.
//!
//! All of them see the training **links** only; a training non-link and an unknown pair are alike to them.
//! They rank; their numbers are not probabilities.
//!
//! # Directed networks
//! The literature defines these scores for undirected graphs, and networkx refuses all of them but Katz
//! for directed ones, so what follows is a convention, and we state it. For training pairs that stand for both
//! directions ([`Pairs::symmetric`]) every score is the usual one on the undirected graph of the links.
//! For ordered pairs:
//! - `cn`, `jaccard`, `aa` and `ra` forget the direction: a neighbour is whom the entity links to or is
//!   linked from, counted once, and degrees are counts of such neighbours. So (i, j) and (j, i) score alike.
//! - `pa` is the out-degree of the source times the in-degree of the target.
//! - `katz` counts directed paths from source to target.
//!
//! # What the split `paper-pairs` does to them
//! On an undirected network that split leaves the reverse of most test links in training, and forgetting
//! the direction restores there the whole undirected graph less the few links that are held out both ways.
//! A link of i and j does not make them their own common neighbours, so `cn`, `aa` and `ra` do not read
//! the answer off the reverse; but they do see the neighbourhoods nearly complete, and `jaccard` counts
//! i and j in the union if they are linked. To `katz` a direct link from source to target is a path of
//! length 1 and a reverse link is none. A test pair itself is never in training, so on both splits `katz`
//! rests on longer paths.
//!
//! What that choice costs, as mean AUC over five splits of 20 %: forgetting the direction in `katz` too
//! would give 0.80 and not 0.61 on WebKB, and 0.99 and not 0.90 on `paper-pairs` of NIPS234, where it
//! would count the reverse of a test link as a path of length 1.

mod blocks;
#[cfg(test)]
mod data_tests;
mod irm;
pub(crate) mod katz;
mod katz_beta;
mod mmsb;
mod neighbours;
#[cfg(test)]
mod tests;

use rayon::prelude::*;

pub use blocks::BlockModel;

use crate::named::named;
use crate::network::{Adjacency, Pairs};

/// A score of pairs that needs no fitting. Below, N(i) are the neighbours of i and d(i) = |N(i)|.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Baseline {
    /// Common neighbours, |N(i) ∩ N(j)| (name: `cn`).
    CommonNeighbours,
    /// Common neighbours as a part of all, |N(i) ∩ N(j)| / |N(i) ∪ N(j)|, 0 if there are none (`jaccard`).
    Jaccard,
    /// Adamic and Adar: the sum over common neighbours u of 1 / log d(u) (`aa`).
    ///
    /// A common neighbour has two neighbours at least, so the logarithm is never 0.
    AdamicAdar,
    /// Resource allocation: the sum over common neighbours u of 1 / d(u) (`ra`).
    ResourceAllocation,
    /// Preferential attachment: d(i) d(j); for ordered pairs out-degree of i times in-degree of j (`pa`).
    PreferentialAttachment,
    /// Katz: the sum over paths from i to j, entities repeated at will, of beta^length (`katz`).
    ///
    /// beta is 0.05, or 0.9 / r if that is smaller. Here r is the 64th root of the largest row sum of A^64
    /// for the adjacency matrix A: never below the spectral radius, so the sum converges for sure, and in
    /// an undirected network of n entities above it by a factor of n^(1/128) at most. Paths of all lengths
    /// are summed, to a relative error of about 1e-12, while entities times links (each direction counted)
    /// are at most 2e8; in larger networks only paths of length 3 or less.
    ///
    /// With all lengths and 200 training links or more, beta is the best of this and of 0.01, 0.03, 0.1, 0.3 and 1 times
    /// 0.9 / r, by AUC on a tenth of the training links and as many training non-links, which the other links predict.
    Katz,
}

impl Baseline {
    /// Every baseline that there is.
    pub const ALL: [Self; 6] = [
        Self::CommonNeighbours,
        Self::Jaccard,
        Self::AdamicAdar,
        Self::ResourceAllocation,
        Self::PreferentialAttachment,
        Self::Katz,
    ];

    /// The name that commands and files use.
    pub fn name(self) -> &'static str {
        match self {
            Self::CommonNeighbours => "cn",
            Self::Jaccard => "jaccard",
            Self::AdamicAdar => "aa",
            Self::ResourceAllocation => "ra",
            Self::PreferentialAttachment => "pa",
            Self::Katz => "katz",
        }
    }

    /// One score for each pair (source, target) of `test`, from the links in `train`; larger is likelier.
    ///
    /// The scores do not depend on the number of threads, nor on which other pairs are asked for.
    ///
    /// ```
    /// use dlfrm::baseline::Baseline;
    /// use dlfrm::network::{Pair, Pairs};
    ///
    /// let links = [(0, 1), (0, 2), (1, 2), (2, 3)];
    /// let train = Pairs::new(4, true, links.map(|(source, target)| Pair { source, target, link: true }));
    /// let scores = Baseline::CommonNeighbours.score(&train, &[(0, 3), (1, 3), (0, 1)]);
    /// assert_eq!(scores, [1.0, 1.0, 1.0]);
    /// ```
    ///
    /// # Panics
    /// If a pair names an entity that `train` does not have.
    pub fn score(self, train: &Pairs, test: &[(u32, u32)]) -> Vec<f64> {
        if let Some(bad) = test.iter().flat_map(|&(i, j)| [i, j]).find(|&id| id as usize >= train.entities())
        {
            panic!("a test pair names entity {bad} of {}", train.entities());
        }
        match self {
            Self::PreferentialAttachment => {
                let (outgoing, incoming) = (Adjacency::outgoing(train), Adjacency::incoming(train));
                test.iter().map(|&(i, j)| outgoing.degree(i) as f64 * incoming.degree(j) as f64).collect()
            }
            Self::Katz => katz::score(train, test),
            Self::CommonNeighbours => each_pair(train, test, neighbours::common),
            Self::Jaccard => each_pair(train, test, neighbours::jaccard),
            Self::AdamicAdar => each_pair(train, test, neighbours::adamic_adar),
            Self::ResourceAllocation => each_pair(train, test, neighbours::resource_allocation),
        }
    }
}

/// Scores every pair by itself in the graph without directions.
fn each_pair(
    train: &Pairs,
    test: &[(u32, u32)],
    score: impl Fn(&Adjacency, u32, u32) -> f64 + Sync,
) -> Vec<f64> {
    let graph = Adjacency::undirected(train);
    test.par_iter().with_min_len(1024).map(|&(i, j)| score(&graph, i, j)).collect()
}

named!(Baseline, "baseline", Self::ALL);
