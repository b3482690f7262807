//! The command and the library are one workflow: the same file fitted both ways gives the same model.

use std::sync::Arc;

use dlfrm::covariates::{Attributes, SideInfo};
use dlfrm::fit::{Fit, FitOptions};
use dlfrm_io::{ReadOptions, load_model, read_attributes, read_network};

use crate::shared::{FRIENDS, Folder};

#[test]
fn the_command_and_the_library_have_the_same_model() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    folder.write("people.csv", "name,age\nAda,30\nBob,40\nCleo,35\n");
    folder.write("kin.txt", "likes a b\nlikes b c\nlikes c a\nknows a d\nknows d b\nknows c d\nknows b a\n");
    let columns = "relation,source,target";
    let undirected = || ReadOptions { directed: Some(false), ..ReadOptions::default() };
    let relations = ReadOptions { columns: Some(columns.parse().unwrap()), ..ReadOptions::default() };
    for (file, flags, options) in [
        ("friends.tsv", &["--undirected"][..], undirected()),
        ("friends.tsv", &["--undirected", "--node-attributes", "people.csv"], undirected()),
        ("kin.txt", &["--columns", columns], relations),
    ] {
        folder.stdout(&[&["fit", file, "-o", "m.dlfrm", "-q"], flags].concat());
        let by_command = load_model(&folder.path("m.dlfrm")).unwrap();
        let dataset = read_network(&folder.path(file), &options).unwrap();
        let nodes = dataset.relations[0].network.nodes();
        let attributes = flags.contains(&"people.csv").then(|| {
            let fields = read_attributes(&folder.path("people.csv"), nodes).unwrap().fields;
            Arc::new(Attributes::new(nodes.len(), fields).unwrap())
        });
        let side_info = SideInfo { nodes: attributes, pairs: None };
        let fit = Fit::relations(&dataset.relations).name(&dataset.name).side_info(side_info);
        let by_library = fit.options(FitOptions::default()).run().unwrap();
        assert_eq!((&by_command.name, &by_command.versions), (&by_library.name, &by_library.versions));
        assert_eq!(by_command.nodes.names(), by_library.nodes.names());
        assert_eq!(by_command.relations.len(), by_library.relations.len());
        for (one, other) in by_command.relations.iter().zip(&by_library.relations) {
            assert_eq!((&one.name, &one.links, one.observed), (&other.name, &other.links, other.observed));
            assert_eq!(one.posterior, other.posterior);
        }
    }
}

#[test]
fn numbers_stand_to_the_right() {
    let mut table = dlfrm_cli::Table::new(["model", "AUC", "K"]);
    table.row(["dlfrm-l", "0.9812", "27"]);
    table.row(["cn", "0.9", "-"]);
    assert_eq!(table.to_string(), "model       AUC   K\ndlfrm-l  0.9812  27\ncn          0.9   -\n");
}
