//! Networks with planted overlapping groups: the recipe of Lancichinetti and Fortunato (Physical Review E 80, 2009).
//!
//! Degrees and sizes of groups follow power laws. Every node has a share of its links, the mixing, outside of its groups;
//! the others are divided evenly among its groups. Given that, links are drawn at random.

mod checks;
mod graph;
mod memberships;
mod power_law;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use rand::RngExt;
use rand::seq::SliceRandom;

use checks::{Plan, infeasible};
use graph::{Graph, Member};

use crate::error::Result;
use crate::network::{Network, Nodes};
use crate::random::{Purpose, Stream, stream};

/// Draws of a small network that may fail before the settings are called infeasible. A large one fails for a reason.
const ATTEMPTS: u64 = 10;
const SMALL: usize = 10_000;
/// The share of the links inside groups, and of those outside, that may be lost where no partner is left.
const LOSS: f64 = 0.02;

/// What network to plant.
#[derive(Debug, Clone, PartialEq)]
pub struct PlantedSettings {
    /// How many nodes.
    pub nodes: usize,
    /// The mean number of links of a node.
    pub mean_degree: f64,
    /// The most links of a node; `None` for 2.5 times the mean, or less if the largest group cannot hold so many.
    pub max_degree: Option<usize>,
    /// The exponent of the degrees' power law.
    pub degree_exponent: f64,
    /// The smallest and the largest group; `None` for the mean degree and five times as many.
    pub group_size: Option<(usize, usize)>,
    /// The exponent of the power law of the groups' sizes.
    pub size_exponent: f64,
    /// The share of a node's links that leave its groups.
    pub mixing: f64,
    /// How many nodes are in several groups.
    pub overlapping: usize,
    /// In how many groups each of them is.
    pub memberships: usize,
    /// Random seed.
    pub seed: u64,
}

impl Default for PlantedSettings {
    /// 200 nodes with ten links each on average, a fifth of them outside of their groups, which do not overlap.
    fn default() -> Self {
        Self {
            nodes: 200,
            mean_degree: 10.0,
            max_degree: None,
            degree_exponent: 2.0,
            group_size: None,
            size_exponent: 1.0,
            mixing: 0.2,
            overlapping: 0,
            memberships: 2,
            seed: 1,
        }
    }
}

/// A network with the groups that were planted.
#[derive(Debug, Clone)]
pub struct Planted {
    /// The network; its nodes are numbered.
    pub network: Network,
    /// The members of each group, in order.
    pub groups: Vec<Vec<u32>>,
}

impl Planted {
    /// The groups of each node, in order.
    pub fn memberships(&self) -> Vec<Vec<u32>> {
        let mut all = vec![vec![]; self.network.len()];
        for (number, members) in self.groups.iter().enumerate() {
            for &node in members {
                all[node as usize].push(number as u32);
            }
        }
        all
    }

    /// The share of the links whose ends have no group in common: close to the mixing that was asked for.
    pub fn mixing(&self) -> f64 {
        let groups = self.memberships();
        let apart = |&&(i, j): &&(u32, u32)| !memberships::common(&groups[i as usize], &groups[j as usize]);
        let links = self.network.links();
        links.iter().filter(apart).count() as f64 / (links.len() as f64).max(1.0)
    }
}

/// Plants a network.
///
/// ```
/// use dlfrm::generate::{PlantedSettings, plant};
///
/// let planted = plant(&PlantedSettings { mixing: 0.1, overlapping: 40, ..PlantedSettings::default() })?;
/// assert_eq!(planted.network.len(), 200);
/// assert_eq!(planted.groups.iter().map(Vec::len).sum::<usize>(), 240);
/// assert!((planted.mixing() - 0.1).abs() < 0.01);
/// # Ok::<(), dlfrm::Error>(())
/// ```
///
/// Settings that no network can have are an error: groups that are too small for the degrees of their members, say.
pub fn plant(settings: &PlantedSettings) -> Result<Planted> {
    let plan = Plan::new(settings)?;
    let mut tried = plan.attempt(0);
    // A draw of few groups may leave no room where the next one has some.
    for number in 1..ATTEMPTS {
        if tried.is_ok() || settings.nodes > SMALL {
            break;
        }
        tried = plan.attempt(number);
    }
    tried
}

/// What the random streams of an attempt are used for; those of the groups' links follow.
const DEGREES: u64 = 0;
const SIZES: u64 = 1;
const MEMBERS: u64 = 2;
const SHARES: u64 = 3;
const PARITY: u64 = 4;
const OUTSIDE: u64 = 5;
const GROUPS: u64 = 6;

impl Plan<'_> {
    fn attempt(&self, number: u64) -> Result<Planted> {
        let settings = self.settings;
        let random = |block: u64| stream(settings.seed, number, 0, Purpose::Planted, block);
        let degrees = self.degrees(&mut random(DEGREES));
        let mut rng = random(MEMBERS);
        let inside = self.inside(&degrees, &mut rng);
        let counts = self.counts(&mut rng);
        let sizes = self.sizes.sizes(self.slots(), &mut random(SIZES)).ok_or_else(|| self.indivisible())?;
        let needs: Vec<u32> =
            inside.iter().zip(&counts).map(|(&inside, &count)| inside.div_ceil(count)).collect();
        let groups_of =
            memberships::assign(&needs, &counts, &sizes, &mut rng).ok_or_else(|| self.no_room())?;
        let mut outside: Vec<u32> =
            degrees.iter().zip(&inside).map(|(degree, inside)| degree - inside).collect();
        let mut groups = divide(&inside, &groups_of, sizes.len(), &mut random(SHARES));
        self.make_even(&mut groups, &mut outside, &mut random(PARITY));
        let mut graph = Graph::new(settings.nodes);
        let mut lost = 0;
        for (number, members) in groups.iter().enumerate() {
            lost += graph.wire_group(members, &mut random(GROUPS + number as u64));
        }
        let wanted: u32 = groups.iter().flatten().map(|member| member.links).sum();
        if lost as f64 > LOSS * f64::from(wanted) + 2.0 {
            return Err(infeasible(format!(
                "{lost} of {wanted} ends of links inside groups find no partner: take larger groups, fewer links or more mixing"
            )));
        }
        let apart = |i: u32, j: u32| !memberships::common(&groups_of[i as usize], &groups_of[j as usize]);
        let (lost, wanted) =
            (graph.wire_outside(&outside, apart, &mut random(OUTSIDE)), outside.iter().sum::<u32>());
        if lost as f64 > LOSS * f64::from(wanted) + 2.0 {
            return Err(infeasible(format!(
                "{lost} of {wanted} ends of links between groups find no partner: take smaller groups, fewer memberships or \
                 less mixing"
            )));
        }
        let nodes = Arc::new(Nodes::numbered(settings.nodes));
        Ok(Planted {
            network: Network::new(nodes, false, graph.links())?,
            groups: groups.iter().map(|members| members.iter().map(|member| member.node).collect()).collect(),
        })
    }

    /// The links of each node: quantiles of their distribution, one in each of N equal parts, so that the mean of a small
    /// network is near its target too.
    fn degrees(&self, rng: &mut Stream) -> Vec<u32> {
        let count = self.settings.nodes;
        let quantile = |number: usize| (number as f64 + rng.random::<f64>()) / count as f64;
        let mut degrees: Vec<u32> =
            (0..count).map(quantile).map(|share| self.degrees.quantile(share)).collect();
        degrees.shuffle(rng);
        degrees
    }

    /// The links of each node inside its groups, rounded at random such that their sum is exact to one link.
    fn inside(&self, degrees: &[u32], rng: &mut Stream) -> Vec<u32> {
        let mut before = rng.random::<f64>();
        let one = |&degree: &u32| {
            let after = before + (1.0 - self.settings.mixing) * f64::from(degree);
            let whole = after.floor() - before.floor();
            before = after;
            (whole as u32).min(degree)
        };
        degrees.iter().map(one).collect()
    }

    /// In how many groups each node is.
    fn counts(&self, rng: &mut Stream) -> Vec<u32> {
        let mut order: Vec<usize> = (0..self.settings.nodes).collect();
        let (chosen, _) = order.partial_shuffle(rng, self.settings.overlapping);
        let mut counts = vec![1; self.settings.nodes];
        for &node in &*chosen {
            counts[node] = self.settings.memberships as u32;
        }
        counts
    }

    /// A group has an even number of ends of links: one is taken from outside or goes there, in turn.
    fn make_even(&self, groups: &mut [Vec<Member>], outside: &mut [u32], rng: &mut Stream) {
        let mut inward = rng.random();
        for members in groups {
            if members.iter().map(|member| member.links).sum::<u32>().is_multiple_of(2) {
                continue;
            }
            let (size, first) = (members.len(), rng.random_range(0..members.len()));
            let order = || (first..size).chain(0..first);
            let gains = |&position: &usize| {
                let Member { node, links } = members[position];
                outside[node as usize] > 0 && (links as usize) < size - 1
            };
            let gaining = order().find(gains).filter(|_| inward);
            if let Some(position) = gaining {
                members[position].links += 1;
                outside[members[position].node as usize] -= 1;
            } else {
                let position = order().find(|&position| members[position].links > 0);
                let position = position.expect("an odd sum is not zero");
                members[position].links -= 1;
                // Without mixing no link leaves a group.
                outside[members[position].node as usize] += u32::from(self.settings.mixing > 0.0);
            }
            inward = !inward;
        }
    }
}

/// The members of each group with their links in it: a node's links inside are divided evenly among its groups.
fn divide(inside: &[u32], groups_of: &[Vec<u32>], count: usize, rng: &mut Stream) -> Vec<Vec<Member>> {
    let mut groups = vec![vec![]; count];
    for (node, (&inside, own)) in inside.iter().zip(groups_of).enumerate() {
        let (share, more) = (inside / own.len() as u32, inside as usize % own.len());
        // The groups that get one more are consecutive ones from a random one on.
        let first = rng.random_range(0..own.len());
        for (position, &group) in own.iter().enumerate() {
            let extra = (position + own.len() - first) % own.len() < more;
            groups[group as usize].push(Member { node: node as u32, links: share + u32::from(extra) });
        }
    }
    groups
}
