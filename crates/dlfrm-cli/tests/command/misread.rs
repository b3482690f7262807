//! Files that could be read otherwise than they are meant: the command reads them rightly, remarks on them or refuses them.

use crate::shared::{Folder, refused};

#[test]
fn a_model_is_no_network() {
    let folder = Folder::new();
    folder.fit_friends(&[]);
    assert_eq!(
        refused(&folder, &["fit", "friends.dlfrm", "-o", "x"]),
        "friends.dlfrm is a model or a checkpoint of dlfrm, a file of links is needed (dlfrm export writes those of a model)"
    );
}

#[test]
fn attributes_are_given_once() {
    let folder = Folder::new();
    folder.fit_friends(&[]);
    folder.write("people.csv", "name,age\nAda,1\nBob,2\n");
    let files = ["--node-attributes", "people.csv", "--node-attributes", "./people.csv"];
    assert_eq!(
        refused(&folder, &[&["fit", "friends.tsv", "-q", "-o", "m"], &files[..]].concat()),
        "--node-attributes ./people.csv: the command reads or writes this file already; name another one"
    );
}
