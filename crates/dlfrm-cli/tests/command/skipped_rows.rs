//! Rows that begin as comments, first lines that are no links, and networks of KONECT: what the command says of them.

use crate::shared::{Folder, refused};

#[test]
fn a_test_file_without_relations() {
    let folder = Folder::new();
    folder.write("links.csv", "relation,source,target\nr,a,b\ns,b,c\nr,c,a\ns,a,d\nr,d,b\n");
    let refused = |test: &str| {
        folder.write("test.csv", test);
        refused(&folder, &["evaluate", "links.csv", "-q", "--model", "ra", "--test", "test.csv"])
    };
    assert_eq!(
        refused("source,target,label\na,c,1\nb,a,0\n"),
        "test.csv: there are 2 relations, and no column names the relation of a pair (name a column relation, or choose one of \
         them)"
    );
    assert_eq!(
        refused("a,c,1\nb,a,0\n"),
        "test.csv, line 1: 3 columns where 4 are needed (cut at commas; the columns are relation,source,target,label)"
    );
}
