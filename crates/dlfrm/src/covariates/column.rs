//! What a column of the links is: its name, what it is about, and how large it can be.

/// What a column is about: columns of one group are explained together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Group {
    /// Nodes that both ends are linked with.
    CommonNeighbours,
    /// Paths of more than two links, distances and walks.
    LongerPaths,
    /// How many links the ends and those around them have.
    Activity,
    /// The link in the other direction.
    Reciprocity,
}

/// What a column has to do with paths of length two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PathsOfTwo {
    /// Says that there is none.
    AreNone,
    /// Is zero where there is one.
    MustBeNone,
    /// Is zero where there is none.
    MustBe,
    /// Nothing.
    DoNotMatter,
}

/// A column of the links.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) group: Group,
    pub(super) paths_of_two: PathsOfTwo,
    /// It is a product of so many logarithms: none for a share, which is between 0 and 1.
    logarithms: i32,
    /// These are of 1 + so much times the largest degree at most.
    times: f64,
}

impl Column {
    /// A column about something, made of so many logarithms.
    const fn new(name: &'static str, group: Group, logarithms: i32) -> Self {
        // No sum by 1 / log degree is larger than 1.5 times the largest degree.
        Self { name, group, paths_of_two: PathsOfTwo::DoNotMatter, logarithms, times: 1.5 }
    }

    pub(super) const fn activity(name: &'static str, logarithms: i32) -> Self {
        Self::new(name, Group::Activity, logarithms)
    }

    /// About paths of length two.
    pub(super) const fn common(name: &'static str, logarithms: i32) -> Self {
        let paths_of_two = PathsOfTwo::MustBe;
        Self { paths_of_two, ..Self::new(name, Group::CommonNeighbours, logarithms) }
    }

    /// About the absence of paths of length two.
    pub(super) const fn no_common(name: &'static str, logarithms: i32) -> Self {
        let paths_of_two = if logarithms == 0 { PathsOfTwo::AreNone } else { PathsOfTwo::MustBeNone };
        Self { paths_of_two, ..Self::new(name, Group::CommonNeighbours, logarithms) }
    }

    pub(super) const fn longer(name: &'static str, logarithms: i32) -> Self {
        Self::new(name, Group::LongerPaths, logarithms)
    }

    /// About the link back, which makes a pair a near one.
    pub(super) const fn reciprocity(name: &'static str) -> Self {
        Self { paths_of_two: PathsOfTwo::MustBe, ..Self::new(name, Group::Reciprocity, 0) }
    }

    /// The same of a sum that is counted tenfold.
    pub(super) const fn tenfold(mut self) -> Self {
        self.times = 10.0;
        self
    }

    /// The most that it can be where no node has more links than this.
    pub(super) fn most(&self, largest_degree: usize) -> f64 {
        (self.times * largest_degree as f64).ln_1p().powi(self.logarithms)
    }
}
