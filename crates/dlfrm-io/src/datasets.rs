//! Networks known by name: those of the paper, with where they come from and how their files are read, and one that comes with the program.

use std::path::{Path, PathBuf};

use crate::read::{Columns, Dataset, Declared, ReadOptions, parse_network};

/// The variable that names the folder of the files.
pub const FOLDER_VARIABLE: &str = "DLFRM_DATA";

/// A network that is known by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownDataset {
    /// Its name.
    pub name: &'static str,
    /// Its file.
    pub file: &'static str,
    /// The SHA-256 of the file, in hexadecimal.
    pub sha256: &'static str,
    /// How many nodes it has; some have no link.
    pub nodes: usize,
    /// How many lines the file has.
    pub lines: usize,
    /// Whether its links have a direction.
    pub directed: bool,
    /// The columns of the file.
    pub columns: &'static str,
    /// The file of attributes of its nodes, if there is one: a node and its words on each line.
    pub attributes: Option<&'static str>,
    /// What it is and where it was published.
    pub origin: &'static str,
}

/// All of them.
pub const KNOWN: [KnownDataset; 5] = [
    KnownDataset {
        name: "nips234",
        file: "nips234.tsv.gz",
        sha256: "0a9282f32c26a4e6bb0122deb3d4adebda1cf776034c5d8a183e75770677610a",
        nodes: 234,
        lines: 598,
        directed: false,
        columns: "source,target",
        attributes: None,
        origin: "Coauthorship among the 234 authors of NIPS 1-17 that published with the most other authors. \
                 Globerson, Chechik, Pereira & Tishby, Euclidean Embedding of Co-occurrence Data, JMLR 8, 2007; \
                 subset of Miller, Griffiths & Jordan, NIPS 2009, as it came with the code of Lloyd, Orbanz, \
                 Ghahramani & Roy, NIPS 2012.",
    },
    KnownDataset {
        name: "kinship",
        file: "kinship.tsv.gz",
        sha256: "8ba87068763a5a66465224100d73e8f2226c5baee58cf513a41b9bc7519090d6",
        nodes: 104,
        lines: 10_790,
        directed: true,
        columns: "relation,source,target",
        attributes: None,
        origin: "Alyawarra kinship terms, 26 relations. Denham, The detection of patterns in Alyawarra \
                 nonverbal behavior, PhD thesis, University of Washington, 1973; as prepared by Kemp, \
                 Tenenbaum, Griffiths, Yamada & Ueda, AAAI 2006.",
    },
    KnownDataset {
        name: "webkb",
        file: "webkb.tsv.gz",
        sha256: "a2f804634de7f7b44b96e243ebc60112491283bdd650cdb744c3259a37d52b9c",
        nodes: 877,
        lines: 1_516,
        directed: true,
        columns: "source,target",
        attributes: Some("webkb-words.tsv.gz"),
        origin: "Links between web pages of four universities, self links left out. Craven et al., Learning \
                 to Extract Symbolic Knowledge from the World Wide Web, AAAI 1998; selection of LINQS: Sen \
                 et al., Collective Classification in Network Data, AI Magazine 29(3), 2008.",
    },
    KnownDataset {
        name: "astroph",
        file: "astroph.tsv.gz",
        sha256: "892b69f860082fdb20d6e270d4c5438eeffe942fc2359e612c2a5f574cb62da7",
        nodes: 17_903,
        lines: 196_972,
        directed: false,
        columns: "source,target",
        attributes: None,
        origin: "Collaboration among the authors of arXiv astro-ph, largest component (SNAP ca-AstroPh). \
                 Leskovec, Kleinberg & Faloutsos, Graph Evolution: Densification and Shrinking Diameters, \
                 ACM TKDD 1(1), 2007.",
    },
    KnownDataset {
        name: "gowalla",
        file: "gowalla.tsv.gz",
        sha256: "ce7006df6d7abe0d7f0527d9a198d7402407fc544da61bb2d03cbaeb53c0658a",
        nodes: 196_591,
        lines: 950_327,
        directed: false,
        columns: "source,target",
        attributes: None,
        origin: "Friendships of Gowalla (SNAP loc-Gowalla). Cho, Myers & Leskovec, Friendship and Mobility: \
                 User Movement in Location-Based Social Networks, KDD 2011.",
    },
];

/// The network of this name.
pub fn known(name: &str) -> Option<&'static KnownDataset> {
    KNOWN.iter().find(|dataset| dataset.name == name)
}

/// The folder that the variable `DLFRM_DATA` names, if it is set and not empty.
pub fn folder() -> Option<PathBuf> {
    std::env::var_os(FOLDER_VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from)
}

impl KnownDataset {
    /// Its file in `folder`.
    pub fn path(&self, folder: &Path) -> PathBuf {
        folder.join(self.file)
    }

    /// How its file is to be read.
    pub fn options(&self) -> ReadOptions {
        let columns: Columns = self.columns.parse().expect("the columns of the table are checked by a test");
        ReadOptions {
            columns: Some(columns),
            directed: Some(self.directed),
            nodes: Some(Declared::Count(self.nodes)),
            ..ReadOptions::default()
        }
    }
}

/// The co-appearances of the 77 characters of Victor Hugo's Les Misérables: 254 undirected links (Knuth,
/// The Stanford GraphBase, 1993).
///
/// ```
/// let dataset = dlfrm_io::datasets::les_miserables();
/// let network = &dataset.relations[0].network;
/// assert_eq!((network.len(), network.links().len(), network.directed()), (77, 254, false));
/// let id = |name| network.nodes().get(name).unwrap();
/// assert!(network.has_link(id("Valjean"), id("Javert")));
/// ```
pub fn les_miserables() -> Dataset {
    let text = include_str!("embedded/les-miserables.tsv");
    let options = ReadOptions { directed: Some(false), header: Some(false), ..ReadOptions::default() };
    parse_network(text.as_bytes(), "les-miserables.tsv", &options).expect("an embedded network can be read")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        for dataset in &KNOWN {
            assert_eq!(known(dataset.name), Some(dataset));
            assert!(dataset.sha256.len() == 64 && dataset.options().columns.is_some());
            assert!(!dataset.origin.contains("  "), "{}", dataset.origin);
        }
        assert_eq!(known("facebook"), None);
    }

    #[test]
    fn nothing_in_it_needs_a_warning() {
        let dataset = les_miserables();
        assert_eq!(dataset.name, "les-miserables");
        assert_eq!(dataset.report.warnings, []);
    }
}
