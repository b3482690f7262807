//! The networks of the paper are read whole: their counts are those of the published table.
//!
//! Needs the folder that the variable `DLFRM_DATA` names; without it the tests say so and pass.

use dlfrm_io::datasets::{KnownDataset, folder, known};
use dlfrm_io::{Dataset, ReadOptions, read_network};

fn read(name: &str, options: impl Fn(&KnownDataset) -> ReadOptions) -> Option<Dataset> {
    let Some(folder) = folder() else {
        eprintln!("skipped: DLFRM_DATA does not name a folder with the networks");
        return None;
    };
    let dataset = known(name).unwrap();
    Some(read_network(&dataset.path(&folder), &options(dataset)).unwrap())
}

fn check(name: &str, links: u64, without_links: usize) {
    let Some(dataset) = read(name, KnownDataset::options) else { return };
    let expected = known(name).unwrap();
    let report = &dataset.report;
    assert_eq!(dataset.name, name);
    assert_eq!(dataset.relations.len(), 1);
    assert_eq!(report.lines, expected.lines as u64);
    assert_eq!((report.counts.links, report.counts.self_links, report.counts.duplicates), (links, 0, 0));
    assert_eq!(dataset.relations[0].network.len(), expected.nodes);
    assert_eq!(dataset.relations[0].network.links().len() as u64, links);
    assert_eq!(dataset.relations[0].network.directed(), expected.directed);
    assert_eq!(report.nodes_without_links, without_links);
}

#[test]
fn nips234() {
    check("nips234", 598, 9);
}

#[test]
fn webkb() {
    check("webkb", 1_516, 18);
    let Some(dataset) = read("webkb", KnownDataset::options) else { return };
    assert_eq!(dataset.report.counts.both_directions, 128);
    assert_eq!(dataset.report.nodes_without_links, 18);
    assert_eq!(dataset.report.warnings, []);
}

#[test]
fn astroph() {
    check("astroph", 196_972, 0);
}

#[test]
fn gowalla() {
    check("gowalla", 950_327, 0);
    // Every node has a link and names are integers: the same network comes without any declaration.
    let Some(dataset) = read("gowalla", |_| ReadOptions { directed: Some(false), ..ReadOptions::default() })
    else {
        return;
    };
    let network = &dataset.relations[0].network;
    assert_eq!((network.len(), network.links().len()), (196_591, 950_327));
    assert!(network.nodes().names().iter().enumerate().all(|(id, name)| *name == id.to_string()));
    assert!(dataset.report.warnings.is_empty());
}

#[test]
fn kinship() {
    let Some(dataset) = read("kinship", KnownDataset::options) else { return };
    let expected = [
        228, 489, 231, 379, 493, 508, 453, 817, 805, 462, 505, 739, 299, 447, 43, 943, 1256, 392, 569, 13,
        272, 142, 193, 0, 2, 6,
    ];
    assert_eq!(dataset.relations.len(), 26);
    for (number, relation) in dataset.relations.iter().enumerate() {
        assert_eq!(relation.name.as_deref(), Some(number.to_string().as_str()));
        assert_eq!(relation.network.links().len(), expected[number], "relation {number}");
        assert_eq!(relation.network.len(), 104);
        assert_eq!(dataset.counts[number].self_links, if number == 23 { 104 } else { 0 });
    }
    assert_eq!(dataset.report.counts.links, 10_686);
    assert_eq!(dataset.report.counts.self_links, 104);
}
