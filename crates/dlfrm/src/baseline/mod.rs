//! Baselines: heuristics that score a pair by the training links around it, and block models.
//!
//! The heuristics see the training **links** only; a training non-link and an unobserved pair are the same to them. Their scores
//! are ranks, not probabilities. Below, N(i) are the neighbours of i and d(i) = |N(i)|.
//!
//! | name | score of the pair (i, j) |
//! |---|---|
//! | `cn` | common neighbours, \|N(i) ∩ N(j)\| |
//! | `jaccard` | common neighbours as a share of all, \|N(i) ∩ N(j)\| / \|N(i) ∪ N(j)\|; 0 if there are none |
//! | `aa` | Adamic and Adar: the sum over common neighbours u of 1 / log d(u) |
//! | `ra` | resource allocation: the sum over common neighbours u of 1 / d(u) |
//! | `pa` | preferential attachment: d(i) d(j) |
//! | `katz` | the sum over walks from i to j of beta^length |
//! | `lp` | local paths: the number of walks of length 2 from i to j, plus 0.01 times that of walks of length 3 |
//! | `lrw` | superposed local random walks: the sum over t from 1 to 10 of d(i) p_ij(t) / L, with p_ij(t) the probability that a random walk from i is at j after t steps and L links |
//! | `ppr` | personalised PageRank, symmetrised: r_ij + r_ji, with r_ij = 0.15 times the sum over t from 0 of 0.85^t p_ij(t) |
//! | `spd` | 1 / the length of the shortest path from i to j without their own link; 0 if there is none |
//!
//! For Katz beta is 0.05, or 0.9 / r if that is smaller, where r bounds the spectral radius of the adjacency matrix A: the 64th
//! root of the largest row sum of A^64. With 200 training links or more it is the best of this and of 0.01, 0.03, 0.1, 0.3 and 1
//! times 0.9 / r, by AUC on a tenth of the training links. Beyond 2e8 nodes times links (each direction counted) `katz`, `lrw`
//! and `ppr` have walks of length 3 or less; beyond 1e9 the search of a shortest path looks at 1,000 links.
//!
//! `irm` and `mmsb` are block models: they are fitted to links and non-links and give probabilities.
//!
//! # Directed networks
//! networkx refuses all of these scores but Katz for directed graphs, so what follows for ordered pairs is a convention:
//! - `cn`, `jaccard`, `aa`, `ra`, `lp`, `lrw`, `ppr` and `spd` forget the direction: neighbours are linked to or from, and counted once.
//! - `pa` is the out-degree of the source times the in-degree of the target.
//! - `katz` counts directed paths from source to target: forgetting the direction would give a mean AUC of 0.80 and not 0.61
//!   on WebKB (five splits of 20 %), and 0.99 and not 0.90 on `paper-pairs` of NIPS234, where the reverse of a test link would
//!   be a path of length 1.

mod blocks;
mod heuristics;
mod irm;
mod mmsb;

pub use blocks::{BLOCK_MODELS, BlockModel};
pub use heuristics::{HEURISTICS, Heuristic};
