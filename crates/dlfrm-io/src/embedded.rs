//! Small networks that come with the program, so that it can be tried without any file.

use crate::read::{Dataset, ReadOptions, parse_network};

/// The co-appearances of the 77 characters of Victor Hugo's Les Misérables: 254 undirected links (Knuth,
/// The Stanford GraphBase, 1993).
///
/// ```
/// let dataset = dlfrm_io::embedded::les_miserables();
/// let network = &dataset.relations[0].network;
/// assert_eq!((network.len(), network.links().len(), network.directed()), (77, 254, false));
/// let id = |name| network.nodes().get(name).unwrap();
/// assert!(network.has_link(id("Valjean"), id("Javert")));
/// ```
pub fn les_miserables() -> Dataset {
    let text = include_str!("embedded/les-miserables.tsv");
    let options = ReadOptions { directed: false, header: Some(false), ..ReadOptions::default() };
    parse_network(text.as_bytes(), "les-miserables.tsv", &options).expect("an embedded network can be read")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_it_needs_a_warning() {
        let dataset = les_miserables();
        assert_eq!(dataset.name, "les-miserables");
        assert_eq!(dataset.report.warnings(), Vec::<String>::new());
    }
}
