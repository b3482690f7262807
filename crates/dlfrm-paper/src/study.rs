//! The studies: a table for each network, and four analyses.

use dlfrm::{Error, Result};

use crate::benchmark::Benchmark;

/// What a study shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Models and baselines side by side.
    Table,
    /// AUC against the sweeps before the first draw.
    BurnIn,
    /// AUC against c+ / c-.
    Imbalance,
    /// How many features each model finds.
    Dimension,
    /// How long each model takes.
    Time,
}

/// One table or figure of the paper.
#[derive(Debug, Clone, Copy)]
pub struct Study {
    pub(crate) kind: Kind,
    pub(crate) benchmark: &'static Benchmark,
}

impl Kind {
    const ANALYSES: [Self; 4] = [Self::BurnIn, Self::Imbalance, Self::Dimension, Self::Time];

    /// The first word of the name of an analysis.
    pub(crate) fn word(self) -> Option<&'static str> {
        match self {
            Self::Table => None,
            Self::BurnIn => Some("burn-in"),
            Self::Imbalance => Some("imbalance"),
            Self::Dimension => Some("dimension"),
            Self::Time => Some("time"),
        }
    }

    /// What is varied, if the study varies something.
    pub(crate) fn varied(self) -> Option<&'static str> {
        match self {
            Self::BurnIn => Some("burn-in"),
            Self::Imbalance => Some("c+ / c-"),
            Self::Table | Self::Dimension | Self::Time => None,
        }
    }
}

impl Study {
    /// The studies of one network each, by the name of the network.
    pub const TABLES: [&str; 5] = ["nips", "kinship", "webkb", "astroph", "gowalla"];
    /// The studies that are made of several networks.
    pub const ANALYSES: [&str; 4] = ["burn-in", "imbalance", "dimension", "time"];
    /// The networks that the paper analyses.
    pub const ANALYSED: [&str; 2] = ["nips", "astroph"];

    /// The study of a name; an analysis is of `network`, of NIPS if that is `None`.
    ///
    /// ```
    /// use dlfrm_paper::Study;
    ///
    /// assert_eq!(Study::new("kinship", None)?.name(), "kinship");
    /// assert_eq!(Study::new("burn-in", Some("astroph"))?.name(), "burn-in-astroph");
    /// # Ok::<(), dlfrm::Error>(())
    /// ```
    pub fn new(name: &str, network: Option<&str>) -> Result<Self> {
        let unknown = |what, name: &str, known: &[&str]| {
            Err(Error::Unknown { what, name: name.to_owned(), known: known.join(", ") })
        };
        if let Some(&kind) = Kind::ANALYSES.iter().find(|kind| kind.word() == Some(name)) {
            return match network.unwrap_or(Self::ANALYSED[0]) {
                network if Self::ANALYSED.contains(&network) => {
                    Ok(Self { kind, benchmark: Benchmark::named(network) })
                }
                network => unknown("network of an analysis", network, &Self::ANALYSED),
            };
        }
        match network {
            _ if !Self::TABLES.contains(&name) => {
                unknown("study", name, &[&Self::TABLES[..], &Self::ANALYSES].concat())
            }
            Some(network) if network != name => unknown("network of this study", network, &[name]),
            _ => Ok(Self { kind: Kind::Table, benchmark: Benchmark::named(name) }),
        }
    }

    /// The name of its files, and of its entry in `paper.json`.
    pub fn name(&self) -> String {
        let network = self.benchmark.name;
        self.kind.word().map_or_else(|| network.to_owned(), |word| format!("{word}-{network}"))
    }

    /// A heading.
    pub fn title(&self) -> String {
        let network = self.benchmark.title;
        match self.kind {
            Kind::Table => format!("{network}: models and baselines"),
            Kind::BurnIn => format!("{network}: AUC and the sweeps before the first draw"),
            Kind::Imbalance => format!("{network}: AUC and c+ / c-"),
            Kind::Dimension => format!("{network}: how many features each model finds"),
            Kind::Time => format!("{network}: how long each model takes"),
        }
    }

    /// The values of what is varied.
    pub(crate) fn values(&self, quick: bool) -> &'static [u32] {
        match (self.kind, quick, self.benchmark.large) {
            (Kind::BurnIn, false, false) => &[1, 2, 5, 10, 20, 50, 100, 150, 200],
            (Kind::BurnIn, false, true) => &[1, 2, 5, 10, 20, 40],
            (Kind::BurnIn, true, false) => &[1, 5, 20],
            (Kind::BurnIn, true, true) => &[1, 4],
            (Kind::Imbalance, false, _) => &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
            (Kind::Imbalance, true, _) => &[1, 5, 10, 15],
            (Kind::Table | Kind::Dimension | Kind::Time, _, _) => &[],
        }
    }

    /// All studies.
    #[cfg(test)]
    pub(crate) fn all() -> Vec<Self> {
        let tables = Self::TABLES.map(|name| Self::new(name, None).unwrap());
        let analyses = Self::ANALYSES
            .into_iter()
            .flat_map(|name| Self::ANALYSED.map(|network| Self::new(name, Some(network)).unwrap()));
        tables.into_iter().chain(analyses).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::BENCHMARKS;

    #[test]
    fn names_are_found() {
        assert_eq!(Study::TABLES, BENCHMARKS.each_ref().map(|benchmark| benchmark.name));
        assert_eq!(Study::ANALYSES.map(Some), Kind::ANALYSES.map(Kind::word));
        assert_eq!(Study::new("time", None).unwrap().name(), "time-nips");
        assert_eq!(Study::all().len(), 13);
        let refused = |name, network| Study::new(name, network).unwrap_err().to_string();
        assert!(refused("nipz", None).starts_with("unknown study 'nipz'; known are nips, kinship"));
        assert!(refused("time", Some("webkb")).starts_with("unknown network of an analysis 'webkb'"));
        assert!(refused("nips", Some("astroph")).starts_with("unknown network of this study 'astroph'"));
    }
}
