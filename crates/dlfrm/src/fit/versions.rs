//! The versions of the programs that the bits of a chain depend on.

use serde::{Deserialize, Serialize};

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
