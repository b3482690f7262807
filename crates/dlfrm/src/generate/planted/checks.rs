//! What a planted network must fulfil, checked before anything is drawn.

use super::PlantedSettings;
use super::power_law::PowerLaw;
use crate::error::{Error, Result};
use crate::model::number;

/// The largest degree by default, in mean degrees, and the largest group, in smallest ones.
const SPREAD_OF_DEGREES: f64 = 2.5;
const SPREAD_OF_SIZES: usize = 5;

/// Settings that were checked, with what they leave open.
pub(super) struct Plan<'a> {
    pub(super) settings: &'a PlantedSettings,
    pub(super) degrees: PowerLaw,
    pub(super) sizes: PowerLaw,
    group_size: (usize, usize),
}

/// An error of settings that no network can have.
pub(super) fn infeasible(why: String) -> Error {
    Error::Infeasible(why)
}

impl<'a> Plan<'a> {
    pub(super) fn new(settings: &'a PlantedSettings) -> Result<Self> {
        ranges(settings)?;
        let group_size = settings.group_size.unwrap_or_else(|| {
            let smallest = (settings.mean_degree.round() as usize).max(3).min(settings.nodes);
            (smallest, (SPREAD_OF_SIZES * smallest).min(settings.nodes))
        });
        let max_degree = max_degree(settings, group_size.1)?;
        let PlantedSettings { mean_degree, degree_exponent, size_exponent, .. } = *settings;
        let degrees = PowerLaw::with_mean(mean_degree, max_degree, degree_exponent).ok_or_else(|| {
            infeasible(format!(
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
            return Err(infeasible(format!(
                "there are at most {groups} groups of at least {} members, but a node is to be in {} of them",
                group_size.0, settings.memberships
            )));
        }
        Ok(plan)
    }

    /// The memberships of all nodes.
    pub(super) fn slots(&self) -> usize {
        self.settings.nodes + self.settings.overlapping * (self.settings.memberships - 1)
    }

    pub(super) fn indivisible(&self) -> Error {
        let (low, high) = self.group_size;
        infeasible(format!("{} memberships cannot be divided into groups of {low} to {high}", self.slots()))
    }

    pub(super) fn no_room(&self) -> Error {
        let (low, high) = self.group_size;
        infeasible(format!(
            "groups of {low} to {high} members have no room for all nodes with their links inside: take larger groups, \
             fewer links, a lower max-degree or more mixing"
        ))
    }
}

/// Refuses values that are out of range by themselves.
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
    Err(infeasible(format!(
        "a node with {asked} links has {:.1} of them in a group, but the largest group has {largest} members: take larger \
         groups, fewer links or more mixing",
        inside(asked as f64)
    )))
}
