//! The studies: a table for each network, and four analyses.

use clap::ValueEnum;

use super::subject::Subject;

/// The names that the command line has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StudyName {
    Nips,
    Kinship,
    Webkb,
    Astroph,
    Gowalla,
    BurnIn,
    Imbalance,
    Dimension,
    Time,
}

/// What is made.
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
pub(crate) struct Study {
    pub(crate) kind: Kind,
    pub(crate) subject: &'static Subject,
}

impl StudyName {
    /// What is made under this name, on a network that an analysis may be asked for.
    pub(crate) fn kind(self) -> Kind {
        match self {
            Self::Nips | Self::Kinship | Self::Webkb | Self::Astroph | Self::Gowalla => Kind::Table,
            Self::BurnIn => Kind::BurnIn,
            Self::Imbalance => Kind::Imbalance,
            Self::Dimension => Kind::Dimension,
            Self::Time => Kind::Time,
        }
    }

    /// The word that the command line has for it.
    pub(crate) fn word(self) -> String {
        self.to_possible_value().expect("no name is hidden").get_name().to_owned()
    }
}

impl Kind {
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
    /// The name of its files, and of what the paper says of it.
    pub(crate) fn name(&self) -> String {
        let network = self.subject.name;
        self.kind.word().map_or_else(|| network.to_owned(), |word| format!("{word}-{network}"))
    }

    /// The heading of what is told.
    pub(crate) fn title(&self) -> String {
        let network = self.subject.title;
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
        match (self.kind, quick, self.subject.large) {
            (Kind::BurnIn, false, false) => &[1, 2, 5, 10, 20, 50, 100, 150, 200],
            (Kind::BurnIn, false, true) => &[1, 2, 5, 10, 20, 40],
            (Kind::BurnIn, true, false) => &[1, 5, 20],
            (Kind::BurnIn, true, true) => &[1, 4],
            (Kind::Imbalance, false, _) => &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
            (Kind::Imbalance, true, _) => &[1, 5, 10, 15],
            (Kind::Table | Kind::Dimension | Kind::Time, _, _) => &[],
        }
    }

    /// Every study that the paper has.
    #[cfg(test)]
    pub(crate) fn all() -> Vec<Self> {
        let tables = super::subject::SUBJECTS.iter().map(|subject| Self { kind: Kind::Table, subject });
        let analyses = [Kind::BurnIn, Kind::Imbalance, Kind::Dimension, Kind::Time];
        let analyses = analyses
            .into_iter()
            .flat_map(|kind| ["nips", "astroph"].map(|name| Self { kind, subject: Subject::named(name) }));
        tables.chain(analyses).collect()
    }
}
