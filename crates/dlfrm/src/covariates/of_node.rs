//! The covariates of many pairs of one node, after a walk from it.

use super::sources::Sources;
use super::{Covariates, Distance, Matrix, Walker, bounds};

impl Covariates {
    /// Whether some say what the links around a pair say of it.
    pub(crate) fn know_links(&self) -> bool {
        self.topology.is_some()
    }

    /// What walks along the links, if they matter.
    pub(crate) fn walker(&self) -> Option<Walker> {
        self.topology.as_ref().map(Walker::new)
    }

    /// Walks from a node.
    pub(crate) fn walk(&self, walker: Option<&mut Walker>, from: u32) {
        if let (Some(topology), Some(walker)) = (&self.topology, walker) {
            walker.walk(topology, from);
        }
    }

    /// The nodes that a walk has reached, and those that link to the one it is from: the others are far.
    pub(crate) fn near<'a>(&'a self, walker: &'a Walker, from: u32) -> [&'a [u32]; 2] {
        let topology = self.topology.as_ref().filter(|topology| topology.directed);
        let linked = topology.map_or(&[][..], |topology| topology.incoming().neighbours(from));
        [walker.reached(), linked]
    }

    /// The least and the most of each standardised column, for pairs without a link that a walk has reached or has not. In a
    /// directed network pairs with a link back count as reached.
    pub(crate) fn ranges(&self, distance: Distance) -> Vec<[f64; 2]> {
        bounds::ranges(self, distance)
    }

    /// Whether the covariates know of a link.
    pub(crate) fn linked(&self, source: u32, target: u32) -> bool {
        self.topology.as_ref().is_some_and(|topology| topology.linked(source, target))
    }

    /// All links that the covariates know of, an undirected one once.
    pub(crate) fn links(&self) -> impl Iterator<Item = (u32, u32)> {
        self.topology.iter().flat_map(|topology| {
            let sources = 0..topology.outgoing.len() as u32;
            let link = move |source: u32| {
                let targets = topology.outgoing.neighbours(source).iter();
                targets.map(move |&target| (source, target))
            };
            sources.flat_map(link).filter(|&(i, j)| topology.directed || i < j)
        })
    }

    /// The covariates of pairs from the node that was walked from to others, or if `back` from others to it; pairs that are
    /// linked are of the first kind only. They may differ from [`rows`](Self::rows) in their last bits.
    pub(crate) fn rows_of(&self, walker: Option<&Walker>, node: u32, others: &[u32], back: bool) -> Matrix {
        let mut matrix = Matrix::new(self.names.len(), others.len());
        if let (Some(topology), Some(walker)) = (&self.topology, walker) {
            let columns = topology.near();
            for (line, &other) in matrix.lines_mut().into_iter().zip(others) {
                let line = &mut line.as_flattened_mut()[..columns];
                if back {
                    walker.fill_to(topology, other, node, line);
                } else {
                    walker.fill_from(topology, node, other, line);
                }
            }
            // What lies further has no direction.
            topology.far.fill(&Sources::from(node, others), columns, &mut matrix);
        }
        let target = [node];
        let sources = if back { Sources::to(others, &target) } else { Sources::from(node, others) };
        self.fill_others(&sources, &mut matrix);
        matrix.scale(&self.scales);
        matrix
    }
}
