//! The columns of the links: their names, what they are about, and how large they can be.

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

/// Whether there is a path of length two between the ends of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Distance {
    /// There is none.
    Far,
    /// There is one.
    Near,
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

    const fn activity(name: &'static str, logarithms: i32) -> Self {
        Self::new(name, Group::Activity, logarithms)
    }

    const fn common(name: &'static str, logarithms: i32) -> Self {
        let paths_of_two = PathsOfTwo::MustBe;
        Self { paths_of_two, ..Self::new(name, Group::CommonNeighbours, logarithms) }
    }

    const fn no_common(name: &'static str, logarithms: i32) -> Self {
        let paths_of_two = if logarithms == 0 { PathsOfTwo::AreNone } else { PathsOfTwo::MustBeNone };
        Self { paths_of_two, ..Self::new(name, Group::CommonNeighbours, logarithms) }
    }

    const fn longer(name: &'static str, logarithms: i32) -> Self {
        Self::new(name, Group::LongerPaths, logarithms)
    }

    /// About the link back, which makes a pair a near one.
    const fn reciprocity(name: &'static str) -> Self {
        Self { paths_of_two: PathsOfTwo::MustBe, ..Self::new(name, Group::Reciprocity, 0) }
    }

    /// The same of a sum that is counted tenfold.
    const fn tenfold(mut self) -> Self {
        self.times = 10.0;
        self
    }

    /// The most that it can be where no node has more links than this.
    pub(super) fn most(&self, largest_degree: usize) -> f64 {
        (self.times * largest_degree as f64).ln_1p().powi(self.logarithms)
    }
}

/// The columns of paths of up to three steps, or of all lengths, of a pair that stands for both directions. The last one of each
/// list is left out of networks that are too large for it.
pub(super) const UNDIRECTED: [Column; 24] = [
    Column::no_common("no common neighbour", 0),
    Column::common("log common neighbours", 1),
    Column::common("squared log common neighbours", 2),
    Column::common("log Adamic/Adar", 1),
    Column::common("log resource allocation", 1).tenfold(),
    Column::common("cosine", 0),
    Column::activity("log larger degree", 1),
    Column::activity("log smaller degree", 1),
    Column::no_common("no common neighbour x log larger degree", 1),
    Column::no_common("no common neighbour x log smaller degree", 1),
    Column::activity("squared log larger degree", 2),
    Column::activity("squared log smaller degree", 2),
    Column::activity("log larger degree x log smaller degree", 2),
    Column::activity("smaller degree is 0", 0),
    Column::activity("clustering around the larger", 0),
    Column::activity("clustering around the smaller", 0),
    Column::activity("no triangle around the larger", 0),
    Column::activity("mean log degree around the larger", 1),
    Column::activity("mean log degree around the smaller", 1),
    Column::longer("no path of length 3", 0).tenfold(),
    Column::longer("log paths of length 3", 1).tenfold(),
    Column::longer("squared log paths of length 3", 2).tenfold(),
    Column::longer("log paths of length 3 by degrees", 1).tenfold(),
    Column::longer("log paths of all lengths", 1),
];

/// The same of a pair from i to j.
pub(super) const DIRECTED: [Column; 24] = [
    Column::reciprocity("reverse link"),
    Column::no_common("no path of length 2", 0),
    Column::common("log paths i -> u -> j", 1),
    Column::common("resource allocation i -> u -> j", 1).tenfold(),
    Column::common("log paths i -> u <- j", 1),
    Column::common("resource allocation i -> u <- j", 1).tenfold(),
    Column::common("log paths i <- u -> j", 1),
    Column::common("resource allocation i <- u -> j", 1).tenfold(),
    Column::common("log paths i <- u <- j", 1),
    Column::common("resource allocation i <- u <- j", 1).tenfold(),
    Column::activity("log links from i", 1),
    Column::activity("log links to j", 1),
    Column::activity("log links to i", 1),
    Column::activity("log links from j", 1),
    Column::activity("log links from i x log links to j", 2),
    Column::activity("no link from i", 0),
    Column::activity("no link to j", 0),
    Column::activity("clustering among those i links to", 0),
    Column::activity("clustering among those that link to j", 0),
    Column::activity("mean log links to those i links to", 1),
    Column::activity("mean log links from those that link to j", 1),
    Column::longer("no path i -> u <- v -> j", 0).tenfold(),
    Column::longer("log paths i -> u <- v -> j", 1).tenfold(),
    Column::longer("log paths of all lengths", 1),
];

/// The same of a bipartite network: a row and a column have no common neighbour, and no triangle is around them.
pub(super) const BIPARTITE: [Column; 14] = [
    Column::activity("log row degree", 1),
    Column::activity("log column degree", 1),
    Column::activity("squared log row degree", 2),
    Column::activity("squared log column degree", 2),
    Column::activity("log row degree x log column degree", 2),
    Column::activity("row degree is 0", 0),
    Column::activity("column degree is 0", 0),
    Column::activity("mean log degree around the row", 1),
    Column::activity("mean log degree around the column", 1),
    Column::longer("no path of length 3", 0).tenfold(),
    Column::longer("log paths of length 3", 1).tenfold(),
    Column::longer("squared log paths of length 3", 2).tenfold(),
    Column::longer("log paths of length 3 by degrees", 1).tenfold(),
    Column::longer("log paths of all lengths", 1),
];

/// The columns of what lies further.
pub(super) const FAR: [Column; 10] = [
    Column::longer("log distance", 1),
    Column::longer("squared log distance", 2),
    Column::longer("even distance", 0),
    Column::longer("not connected", 0),
    Column::longer("log smaller component if not connected", 1),
    Column::longer("log larger component if not connected", 1),
    Column::activity("larger degree is 1", 0),
    Column::activity("larger degree is 2", 0),
    Column::activity("smaller degree is 1", 0),
    Column::longer("log walks of length 2 to 10", 1),
];

/// The same of a bipartite network, where no row is an even distance from a column.
pub(super) const FAR_BIPARTITE: [Column; 10] = [
    Column::longer("log distance", 1),
    Column::longer("squared log distance", 2),
    Column::longer("not connected", 0),
    Column::longer("log smaller component if not connected", 1),
    Column::longer("log larger component if not connected", 1),
    Column::activity("row degree is 1", 0),
    Column::activity("row degree is 2", 0),
    Column::activity("column degree is 1", 0),
    Column::activity("column degree is 2", 0),
    Column::longer("log walks of length 2 to 10", 1),
];
