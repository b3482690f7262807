//! The neighbourhoods of the ends of a pair: how many of an end's neighbours are linked to each other, and how many links
//! these neighbours have.

use rayon::prelude::*;

use crate::graph::Adjacency;

/// Of every node, over its neighbours.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Neighbourhood {
    /// Ordered pairs of neighbours that are linked.
    closed: Vec<f64>,
    /// The sum of the logarithms of their degrees.
    degrees: Vec<f64>,
    /// The logarithm of the degree of each node, as a neighbour.
    logarithms: Vec<f64>,
}

/// Of one end of a pair, its own link apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Around {
    /// The share of the ordered pairs of neighbours that are linked; 0 with fewer than two.
    pub(super) clustering: f64,
    /// The mean of the logarithms of their degrees; 0 without any.
    pub(super) degree: f64,
}

impl Neighbourhood {
    /// Of the neighbours in one list, linked by another, with the degrees of a third.
    pub(super) fn new(neighbours: &Adjacency, links: &Adjacency, degrees: &Adjacency) -> Self {
        let nodes = neighbours.len();
        let logarithms: Vec<f64> = (0..nodes as u32).map(|u| (degrees.degree(u) as f64).ln_1p()).collect();
        let closed = (0..nodes as u32).into_par_iter().map_init(
            || vec![false; nodes],
            |marked, node| {
                let around = neighbours.neighbours(node);
                for &u in around {
                    marked[u as usize] = true;
                }
                let linked = |&u: &u32| links.neighbours(u).iter().filter(|&&v| marked[v as usize]).count();
                let count: usize = around.iter().map(linked).sum();
                for &u in around {
                    marked[u as usize] = false;
                }
                count as f64
            },
        );
        let sum = |u: u32| neighbours.neighbours(u).iter().map(|&v| logarithms[v as usize]).sum();
        Self { closed: closed.collect(), degrees: (0..nodes as u32).map(sum).collect(), logarithms }
    }

    /// Around a node with so many neighbours but for the other end of the pair. If that is a neighbour, it is so in
    /// `closing` of the linked pairs.
    pub(super) fn around(&self, node: u32, others: f64, own: Option<(u32, f64)>) -> Around {
        let node = node as usize;
        let (degree, closing) =
            own.map_or((0.0, 0.0), |(end, closing)| (self.logarithms[end as usize], closing));
        let (closed, degrees) = (self.closed[node] - closing, self.degrees[node] - degree);
        Around {
            clustering: if others < 2.0 { 0.0 } else { closed / (others * (others - 1.0)) },
            degree: if others < 1.0 { 0.0 } else { degrees / others },
        }
    }
}
