//! Networks with planted overlapping groups: the recipe of Lancichinetti and Fortunato (Physical Review E 80, 2009).
//!
//! Degrees and sizes of groups follow power laws. Every node has a share of its links, the mixing, outside of its groups;
//! the others are divided evenly among its groups. Given that, links are drawn at random.

use std::sync::Arc;

use rand::RngExt;
use rand::seq::SliceRandom;

use crate::error::{Error, Result};
use crate::model::number;
use crate::network::{Network, Nodes};
use crate::random::{Purpose, Stream, stream};

use super::planting::{self, Graph, Member, PowerLaw};

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
        let apart = |&&(i, j): &&(u32, u32)| !planting::common(&groups[i as usize], &groups[j as usize]);
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
        let groups_of = planting::assign(&needs, &counts, &sizes, &mut rng).ok_or_else(|| {
            let (low, high) = self.group_size;
            Error::Infeasible(format!(
                "groups of {low} to {high} members have no room for all nodes with their links inside: take larger groups, \
                 fewer links, a lower max-degree or more mixing"
            ))
        })?;
        let mut outside: Vec<u32> =
            degrees.iter().zip(&inside).map(|(degree, inside)| degree - inside).collect();
        let mut groups = divide(&inside, &groups_of, sizes.len(), &mut random(SHARES));
        self.make_even(&mut groups, &mut outside, &mut random(PARITY));
        let mut graph = Graph::new(settings.nodes);
        let check = |lost: usize, wanted: u32, place: &str, advice: &str| {
            let enough = lost as f64 <= LOSS * f64::from(wanted) + 2.0;
            let told =
                || format!("{lost} of {wanted} ends of links {place} groups find no partner: take {advice}");
            if enough { Ok(()) } else { Err(Error::Infeasible(told())) }
        };
        let mut lost = 0;
        for (number, members) in groups.iter().enumerate() {
            lost += graph.wire_group(members, &mut random(GROUPS + number as u64));
        }
        let wanted = groups.iter().flatten().map(|member| member.links).sum();
        check(lost, wanted, "inside", "larger groups, fewer links or more mixing")?;
        let apart = |i: u32, j: u32| !planting::common(&groups_of[i as usize], &groups_of[j as usize]);
        let lost = graph.wire_outside(&outside, apart, &mut random(OUTSIDE));
        check(lost, outside.iter().sum(), "between", "smaller groups, fewer memberships or less mixing")?;
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

/// The largest degree by default, in mean degrees, and the largest group, in smallest ones.
const SPREAD_OF_DEGREES: f64 = 2.5;
const SPREAD_OF_SIZES: usize = 5;

/// Settings that were checked, with what they leave open.
struct Plan<'a> {
    settings: &'a PlantedSettings,
    degrees: PowerLaw,
    sizes: PowerLaw,
    group_size: (usize, usize),
}

impl<'a> Plan<'a> {
    fn new(settings: &'a PlantedSettings) -> Result<Self> {
        ranges(settings)?;
        let group_size = settings.group_size.unwrap_or_else(|| {
            let smallest = (settings.mean_degree.round() as usize).max(3).min(settings.nodes);
            (smallest, (SPREAD_OF_SIZES * smallest).min(settings.nodes))
        });
        let max_degree = max_degree(settings, group_size.1)?;
        let PlantedSettings { mean_degree, degree_exponent, size_exponent, .. } = *settings;
        let degrees = PowerLaw::with_mean(mean_degree, max_degree, degree_exponent).ok_or_else(|| {
            Error::Infeasible(format!(
                "degrees from 1 to {max_degree} with exponent {degree_exponent} have a mean above {mean_degree}: take a \
                 lower max-degree"
            ))
        })?;
        let sizes = PowerLaw::between(group_size.0, group_size.1, size_exponent);
        let plan = Self { settings, degrees, sizes, group_size };
        // As many groups as possible.
        let groups = plan.slots() / group_size.0;
        if groups * group_size.1 < plan.slots() {
            return Err(plan.indivisible());
        }
        if settings.overlapping > 0 && groups < settings.memberships {
            return Err(Error::Infeasible(format!(
                "there are at most {groups} groups of at least {} members, but a node is to be in {} of them",
                group_size.0, settings.memberships
            )));
        }
        Ok(plan)
    }

    fn slots(&self) -> usize {
        self.settings.nodes + self.settings.overlapping * (self.settings.memberships - 1)
    }

    fn indivisible(&self) -> Error {
        let (low, high) = self.group_size;
        Error::Infeasible(format!(
            "{} memberships cannot be divided into groups of {low} to {high}",
            self.slots()
        ))
    }
}

fn ranges(settings: &PlantedSettings) -> Result<()> {
    let refuse = |name, expected, value: String| Err(Error::Setting { name, expected, value });
    let PlantedSettings { nodes, mean_degree, mixing, overlapping, memberships, .. } = *settings;
    if !(2..=10_000_000).contains(&nodes) {
        return refuse("nodes", "from 2 to 10000000", nodes.to_string());
    }
    if !(mean_degree >= 1.0 && mean_degree <= (nodes - 1) as f64) {
        return refuse("mean-degree", "from 1 to the number of other nodes", number(mean_degree));
    }
    for (name, exponent) in
        [("degree-exponent", settings.degree_exponent), ("size-exponent", settings.size_exponent)]
    {
        if !(0.0..=10.0).contains(&exponent) {
            return refuse(name, "from 0 to 10", number(exponent));
        }
    }
    if !(0.0..=1.0).contains(&mixing) {
        return refuse("mixing", "from 0 to 1", number(mixing));
    }
    if overlapping > nodes {
        return refuse("overlapping", "at most the number of nodes", overlapping.to_string());
    }
    if !(1..=1000).contains(&memberships) {
        return refuse("memberships", "from 1 to 1000", memberships.to_string());
    }
    match settings.group_size {
        Some((low, high)) if low < 2 || low > high || high > nodes => refuse(
            "group-size",
            "two numbers in order, from 2 to the number of nodes",
            format!("{low} {high}"),
        ),
        _ => Ok(()),
    }
}

/// The largest degree. Its links inside a group must fit into the largest one.
fn max_degree(settings: &PlantedSettings, largest: usize) -> Result<usize> {
    let PlantedSettings { nodes, mean_degree, mixing, overlapping, memberships, .. } = *settings;
    // Nodes in several groups divide their links among them, but there may be others.
    let parts = if overlapping == nodes { memberships as f64 } else { 1.0 };
    let inside = |degree: f64| (1.0 - mixing) * degree / parts;
    let most = |degree: f64| inside(degree) <= (largest - 1) as f64;
    let asked = if let Some(degree) = settings.max_degree {
        if !(mean_degree..=(nodes - 1) as f64).contains(&(degree as f64)) {
            return Err(Error::Setting {
                name: "max-degree",
                expected: "from the mean degree to the number of other nodes",
                value: degree.to_string(),
            });
        }
        degree
    } else {
        let usual = (SPREAD_OF_DEGREES * mean_degree).round().min((nodes - 1) as f64);
        let fitting = (largest - 1) as f64 / inside(1.0);
        usual.min(fitting.floor()).max(mean_degree.ceil()) as usize
    };
    if most(asked as f64) {
        return Ok(asked);
    }
    Err(Error::Infeasible(format!(
        "a node with {asked} links has {:.1} of them in a group, but the largest group has {largest} members: take larger \
         groups, fewer links or more mixing",
        inside(asked as f64)
    )))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Links inside and outside of a node's groups.
    fn ends(planted: &Planted) -> Vec<(u32, u32)> {
        let groups = planted.memberships();
        let mut ends = vec![(0, 0); planted.network.len()];
        for &(i, j) in planted.network.links() {
            let inside = planting::common(&groups[i as usize], &groups[j as usize]);
            for node in [i, j] {
                let (inner, outer) = &mut ends[node as usize];
                *if inside { inner } else { outer } += 1;
            }
        }
        ends
    }

    fn check(settings: &PlantedSettings, most: u32) -> Planted {
        let planted = plant(settings).unwrap();
        let (count, links) = (settings.nodes, planted.network.links());
        let distinct: HashSet<_> = links.iter().collect();
        assert!(distinct.len() == links.len() && links.iter().all(|(i, j)| i < j));
        let mean = 2.0 * links.len() as f64 / count as f64;
        assert!((mean / settings.mean_degree - 1.0).abs() < 0.02, "{settings:?}: mean degree {mean}");
        let mixing = planted.mixing();
        assert!((mixing - settings.mixing).abs() < 0.03 * settings.mixing, "{settings:?}: mixing {mixing}");
        // A node's own share is as close as whole links can be; parities and lost links move few of them.
        let ends = ends(&planted);
        assert!(ends.iter().all(|&(inner, outer)| (1..=most).contains(&(inner + outer))));
        let off = |&(inner, outer): &(u32, u32)| {
            (f64::from(outer) - settings.mixing * f64::from(inner + outer)).abs() > 1.0
        };
        assert!(ends.iter().filter(|node| off(node)).count() <= count / 10, "{settings:?}");
        let groups = planted.memberships();
        let several = groups.iter().filter(|own| own.len() == settings.memberships).count();
        assert_eq!(several, settings.overlapping);
        assert!(groups.iter().all(|own| own.len() == 1 || own.len() == settings.memberships));
        planted
    }

    #[test]
    fn small_networks_are_what_was_asked_for() {
        for mixing in [0.1, 0.3] {
            for overlapping in [0, 40, 100] {
                for seed in 1..=5 {
                    let settings =
                        PlantedSettings { mixing, overlapping, seed, ..PlantedSettings::default() };
                    let planted = check(&settings, 25);
                    let sizes = || planted.groups.iter().map(Vec::len);
                    assert!(sizes().all(|size| (10..=50).contains(&size)));
                    assert_eq!(sizes().sum::<usize>(), 200 + overlapping);
                }
            }
        }
    }

    #[test]
    fn settings_decide() {
        let settings = PlantedSettings {
            nodes: 600,
            mean_degree: 15.0,
            max_degree: Some(60),
            group_size: Some((30, 80)),
            mixing: 0.4,
            overlapping: 150,
            memberships: 3,
            ..PlantedSettings::default()
        };
        let planted = check(&settings, 60);
        assert!(planted.groups.iter().all(|group| (30..=80).contains(&group.len())));
        let largest = ends(&planted).iter().map(|(inner, outer)| inner + outer).max().unwrap();
        assert!(largest > 50, "the tail of the power law is reached: {largest}");
        // All links leave the groups.
        let planted = plant(&PlantedSettings { mixing: 1.0, ..PlantedSettings::default() }).unwrap();
        assert_eq!(planted.mixing(), 1.0);
    }

    #[test]
    fn mistakes_are_named() {
        let plain = PlantedSettings::default();
        let cases = [
            (PlantedSettings { degree_exponent: f64::NAN, ..plain.clone() }, "degree-exponent", "NaN"),
            (PlantedSettings { overlapping: 201, ..plain.clone() }, "overlapping", "201"),
            (PlantedSettings { memberships: 0, ..plain.clone() }, "memberships", "0"),
            (PlantedSettings { max_degree: Some(9), ..plain.clone() }, "max-degree", "9"),
            (PlantedSettings { group_size: Some((30, 20)), ..plain.clone() }, "group-size", "30 20"),
        ];
        for (settings, name, value) in cases {
            let message = plant(&settings).unwrap_err().to_string();
            assert!(message.starts_with(&format!("{name} must be ")), "{message}");
            assert!(message.ends_with(&format!(", is {value}")), "{message}");
        }
    }

    #[test]
    fn what_no_network_can_have_is_refused() {
        let plain = PlantedSettings { mixing: 0.1, ..PlantedSettings::default() };
        let of = |low, high| PlantedSettings { group_size: Some((low, high)), ..plain.clone() };
        let cases = [
            (of(5, 8), "a node with 10 links has 9.0 of them in a group, but the largest"),
            (
                PlantedSettings { max_degree: Some(100), ..plain.clone() },
                "a node with 100 links has 90.0 of them",
            ),
            (of(30, 30), "200 memberships cannot be divided into groups of 30 to 30"),
            (
                PlantedSettings { overlapping: 50, memberships: 3, ..of(150, 200) },
                "there are at most 2 groups",
            ),
            (
                PlantedSettings { mean_degree: 2.5, max_degree: Some(60), ..of(20, 80) },
                "degrees from 1 to 60 with exponent 2 have a mean above 2.5",
            ),
            // Nine of ten nodes fit into groups of 24 only, and few groups are so large.
            (
                PlantedSettings { mean_degree: 22.0, max_degree: Some(24), mixing: 0.05, ..of(10, 24) },
                "groups of 10 to 24 members have no room",
            ),
        ];
        for (settings, expected) in cases {
            let why = plant(&settings).unwrap_err().to_string();
            assert!(why.starts_with(&format!("no network can be planted so: {expected}")), "{why}");
        }
        // Two groups with all nodes in both: no pair is apart.
        let both = plant(&PlantedSettings { overlapping: 200, mixing: 0.3, ..of(200, 200) });
        assert!(both.unwrap_err().to_string().contains("links between groups find no partner"));
    }
}
