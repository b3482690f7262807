//! The command and the library are one workflow: the same file fitted both ways gives the same model.

use std::path::Path;
use std::sync::Arc;

use dlfrm::covariates::{Attributes, SideInfo};
use dlfrm::fit::{Fit, FitOptions, FittedModel};
use dlfrm_io::{ReadOptions, load_model, read_attributes, read_network};

use crate::shared::{FRIENDS, Folder};

/// Every array of both models is the same; only times differ.
fn same(one: &FittedModel, other: &FittedModel) {
    assert_eq!((&one.name, one.directed, &one.versions), (&other.name, other.directed, &other.versions));
    assert_eq!(one.nodes.names(), other.nodes.names());
    assert_eq!((one.interrupted, one.relations.len()), (other.interrupted, other.relations.len()));
    for (one, other) in one.relations.iter().zip(&other.relations) {
        assert_eq!((&one.name, &one.links, one.observed), (&other.name, &other.links, other.observed));
        assert_eq!(one.posterior, other.posterior);
    }
}

/// Fits a file with the command and with the library, both with their defaults.
fn both(folder: &Folder, file: &str, flags: &[&str], options: &ReadOptions, side_info: SideInfo) {
    folder.stdout(&[&["fit", file, "-o", "command.dlfrm", "-q"], flags].concat());
    let by_command = load_model(&folder.path("command.dlfrm")).unwrap();
    let dataset = read_network(&folder.path(file), options).unwrap();
    let fit = Fit::relations(&dataset.relations).name(&dataset.name).side_info(side_info);
    let by_library = fit.options(FitOptions::default()).run().unwrap();
    same(&by_command, &by_library);
}

#[test]
fn an_undirected_network() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    let options = ReadOptions { directed: false, ..ReadOptions::default() };
    both(&folder, "friends.tsv", &["--undirected"], &options, SideInfo::default());
}

#[test]
fn several_relations() {
    let folder = Folder::new();
    folder.write("kin.tsv", "likes a b\nlikes b c\nlikes c a\nknows a d\nknows d b\nknows c d\nknows b a\n");
    let columns = "relation,source,target";
    let options = ReadOptions { columns: Some(columns.parse().unwrap()), ..ReadOptions::default() };
    both(&folder, "kin.tsv", &["--columns", columns], &options, SideInfo::default());
}

#[test]
fn attributes_of_nodes() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    folder.write("people.csv", "name,age\nAda,30\nBob,40\nCleo,35\n");
    let options = ReadOptions { directed: false, ..ReadOptions::default() };
    let dataset = read_network(&folder.path("friends.tsv"), &options).unwrap();
    let nodes = dataset.relations[0].network.nodes();
    let fields = read_attributes(Path::new(&folder.path("people.csv")), nodes).unwrap().fields;
    let attributes = Attributes::new(nodes.len(), fields).unwrap();
    let side_info = SideInfo { nodes: Some(Arc::new(attributes)), pairs: None };
    both(&folder, "friends.tsv", &["--undirected", "--node-attributes", "people.csv"], &options, side_info);
}
