//! What a model file says of itself in words: settings, versions, relations.

use dlfrm::model::{Settings, Shape};
use serde::{Deserialize, Serialize};

use super::FittedRelation;
use super::given::GivenEntry;

/// The programs that the bits of a chain depend on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions {
    /// This program.
    pub dlfrm: String,
    /// Random numbers.
    pub rand: String,
    /// Random variates.
    pub rand_distr: String,
    /// Linear algebra.
    pub faer: String,
}

impl Versions {
    /// Those of this program.
    pub fn current() -> Self {
        let [dlfrm, rand, rand_distr, faer] =
            [env!("CARGO_PKG_VERSION"), "0.10.3", "0.6.0", "0.24.4"].map(str::to_owned);
        Self { dlfrm, rand, rand_distr, faer }
    }
}

/// What a model file says of itself.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub(super) network: String,
    pub(super) directed: bool,
    #[serde(default)]
    pub(super) interrupted: bool,
    pub(super) versions: Versions,
    pub(super) settings: Settings,
    #[serde(default)]
    pub(super) given: GivenEntry,
    pub(super) relations: Vec<RelationEntry>,
}

/// What a model file says of one relation.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct RelationEntry {
    pub(super) name: Option<String>,
    pub(super) symmetric: bool,
    pub(super) shape: Shape,
    #[serde(default = "all")]
    pub(super) non_link_share: f64,
    pub(super) observed: u64,
    pub(super) seconds: f64,
}

/// The share of a file that does not tell.
fn all() -> f64 {
    1.0
}

impl RelationEntry {
    pub(super) fn new(relation: &FittedRelation) -> Self {
        let posterior = &relation.posterior;
        Self {
            name: relation.name.clone(),
            symmetric: posterior.symmetric(),
            shape: posterior.draws().first().map_or(Shape::Full, |draw| draw.shape),
            non_link_share: posterior.non_link_share(),
            observed: relation.observed,
            seconds: relation.seconds,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_versions_are_those_that_the_workspace_pins() {
        let workspace = include_str!("../../../../Cargo.toml");
        let Versions { rand, rand_distr, faer, .. } = Versions::current();
        for (name, version) in [("rand", rand), ("rand_distr", rand_distr), ("faer", faer)] {
            let line = workspace.lines().find(|line| line.starts_with(&format!("{name} = "))).unwrap();
            assert!(line.contains(&format!("\"={version}\"")), "{line} is not {version}");
        }
    }
}
