//! What was found in a file: counts, and sentences for users.

use dlfrm::network::Unlisted;

/// What was found of one relation, or of all together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Links, each once.
    pub links: u64,
    /// Pairs listed as non-links, each once.
    pub non_links: u64,
    /// Pairs listed as unobserved, each once.
    pub unobserved: u64,
    /// Rows that pair a node with itself; they are set aside.
    pub self_links: u64,
    /// How many of these rows list something else than a link.
    pub self_others: u64,
    /// Rows that repeat an earlier row in the same direction.
    pub duplicates: u64,
    /// Pairs of nodes that are listed in both directions; as links, in a directed network. In an undirected one they
    /// count once.
    pub both_directions: u64,
}

impl Counts {
    pub(crate) fn add(&mut self, other: &Self) {
        self.links += other.links;
        self.non_links += other.non_links;
        self.unobserved += other.unobserved;
        self.self_links += other.self_links;
        self.self_others += other.self_others;
        self.duplicates += other.duplicates;
        self.both_directions += other.both_directions;
    }
}

/// The weights of a file, which are read and not used.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// How many there are.
    pub count: u64,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// How many links have 0.
    pub zeros: u64,
    /// How many links have a negative one.
    pub negative: u64,
}

impl Weights {
    pub(crate) fn add(all: &mut Option<Self>, weight: f64, link: bool) {
        let all = all.get_or_insert(Self { count: 0, min: weight, max: weight, zeros: 0, negative: 0 });
        all.count += 1;
        all.min = all.min.min(weight);
        all.max = all.max.max(weight);
        all.zeros += u64::from(link && weight == 0.0);
        all.negative += u64::from(link && weight < 0.0);
    }
}

/// What was found in a file of links.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct ReadReport {
    /// Lines of the file, comments and blank lines among them.
    pub lines: u64,
    /// Rows of data.
    pub rows: u64,
    /// What was found, summed over the relations.
    pub counts: Counts,
    /// The weights, if the file has them.
    pub weights: Option<Weights>,
    /// Entries of a Matrix Market file whose value is 0; they are no links.
    pub stored_zeros: u64,
    /// How many nodes there are.
    pub nodes: usize,
    /// How many of them have no link in any relation.
    pub nodes_without_links: usize,
    /// Whether the network was read as a directed one.
    pub directed: bool,
    /// What the pairs that the file does not list are.
    pub unlisted: Unlisted,
    /// Whether the listed non-links, and not the user, decided that.
    pub unlisted_by_default: bool,
    /// Whether neither the user nor the file says that links have a direction.
    pub directed_by_default: bool,
    /// Whether the first row of an edge list was taken for a link.
    pub first_row_is_link: bool,
    /// Warnings about how the file was understood.
    pub remarks: Vec<String>,
}

/// So few links may have one direction by chance.
const FEW: u64 = 10;

impl ReadReport {
    /// One sentence for each thing that a user may not expect; none for a clean file.
    pub fn warnings(&self) -> Vec<String> {
        let counts = &self.counts;
        let mut all = self.remarks.clone();
        let mut warning = |count: u64, one: &str, many: &str| match count {
            0 => {}
            1 => all.push(format!("1 {one}")),
            _ => all.push(format!("{count} {many}")),
        };
        let what = if counts.self_others == 0 { "link" } else { "pair" };
        warning(
            counts.self_links,
            &format!("self {what} was set aside"),
            &format!("self {what}s were set aside"),
        );
        warning(
            counts.duplicates,
            "row repeats another and counts once",
            "rows repeat others and count once",
        );
        if !self.directed {
            warning(
                counts.both_directions,
                "pair is listed in both directions and counts once",
                "pairs are listed in both directions and count once",
            );
        }
        warning(self.stored_zeros, "stored zero is not a link", "stored zeros are not links");
        let unlisted = match (self.unlisted, self.unlisted_by_default) {
            (Unlisted::Unobserved, true) => ", so pairs that are not listed count as unobserved",
            _ => "",
        };
        warning(
            counts.non_links,
            &format!("non-link is listed{unlisted}"),
            &format!("non-links are listed{unlisted}"),
        );
        warning(
            counts.unobserved,
            "pair is marked unobserved and left out",
            "pairs are marked unobserved and left out",
        );
        warning(self.nodes_without_links as u64, "node has no link", "nodes have no link");
        if let Some(Weights { count, min, max, zeros, negative }) = self.weights {
            let still = match (zeros, negative) {
                (0, 0) => String::new(),
                (_, 0) => format!(" ({zeros} of them 0 and still links)"),
                (0, _) => format!(" ({negative} of them negative and still links)"),
                _ => format!(" ({zeros} of them 0, {negative} negative, and still links)"),
            };
            all.push(if count == 1 {
                format!("1 weight, {min}, was read and is not used{still}")
            } else {
                format!("{count} weights from {min} to {max} were read and are not used{still}")
            });
        }
        let both = 2 * counts.both_directions;
        if self.directed && counts.links > 0 && counts.links == both {
            all.push("every link is listed in both directions: is the network undirected?".to_owned());
        } else if self.directed
            && self.directed_by_default
            && counts.links >= FEW
            && 10 * both >= 9 * counts.links
        {
            all.push(format!(
                "{both} of {} links are listed in both directions: is the network undirected (--undirected)?",
                counts.links
            ));
        }
        if self.directed && self.directed_by_default && counts.links >= FEW && counts.both_directions == 0 {
            all.push(
                "the network is read as directed, and no link is listed in both directions: if links have no direction, \
                 say so (--undirected)"
                    .to_owned(),
            );
        }
        all
    }
}
