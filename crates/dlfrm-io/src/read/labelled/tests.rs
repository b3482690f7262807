//! Labelled pairs with every option.

use super::*;
use crate::read::{ReadOptions, parse_network};

/// Pairs of three nodes and no network to learn from: columns are found, and pairs may be repeated.
fn read(text: &str, directed: bool) -> Result<Vec<(u32, u32, bool)>, String> {
    let nodes: Nodes = ["Ada", "Bob", "Cleo"].into_iter().collect();
    let options = LabelledOptions {
        nodes: &nodes,
        directed,
        relations: vec![None],
        relation: Some(0),
        columns: None,
        learned: &[],
        others: &[],
    };
    let found = parse_labelled_pairs(text.as_bytes(), "test", &options).map_err(|error| error.to_string())?;
    Ok(found.pairs[0].iter().map(|pair| (pair.source, pair.target, pair.link)).collect())
}

fn network(text: &str, directed: bool) -> Vec<Relation> {
    let options = ReadOptions { directed: Some(directed), ..ReadOptions::default() };
    parse_network(text.as_bytes(), "links", &options).unwrap().relations
}

fn held_out(text: &str, learned: &[Relation], others: &[&LabelledPairs]) -> Result<LabelledPairs, ReadError> {
    parse_labelled_pairs(text.as_bytes(), "test", &LabelledOptions::held_out(learned, others))
}

fn pair(source: u32, target: u32, link: bool) -> Pair {
    Pair { source, target, link }
}

const LABEL: &str = "a label must be 1 or 0 (or -1), yes or no, or true or false";

#[test]
fn labels_are_in_their_column() {
    let expected = Ok(vec![(1, 0, true), (0, 2, false)]);
    assert_eq!(read("Bob Ada 1\nAda Cleo 0\n", true), expected);
    assert_eq!(read("source,label,target\nBob,+1,Ada\nAda,-1,Cleo\n", true), expected);
    assert_eq!(read("Bob Ada 1\nAda Cleo 0\n", false), Ok(vec![(0, 1, true), (0, 2, false)]));
}

#[test]
fn relations_come_from_a_column_or_from_the_options() {
    let nodes: Nodes = ["Ada", "Bob"].into_iter().collect();
    let read = |text: &str, relation| {
        let options = LabelledOptions {
            nodes: &nodes,
            directed: true,
            relations: vec![Some("likes"), Some("knows")],
            relation,
            columns: None,
            learned: &[],
            others: &[],
        };
        parse_labelled_pairs(text.as_bytes(), "test", &options).map(|found| found.pairs)
    };
    let text = "relation,source,target,label\nlikes,Ada,Bob,1\nknows,Ada,Bob,0\n";
    for relation in [None, Some(1)] {
        assert_eq!(read(text, relation).unwrap(), [vec![pair(0, 1, true)], vec![pair(0, 1, false)]]);
    }
    assert_eq!(read("Ada Bob 1\n", Some(1)).unwrap(), [vec![], vec![pair(0, 1, true)]]);
    assert_eq!(
        read("Ada Bob 1\n", None).unwrap_err().to_string(),
        "test: there are 2 relations, and no column names the relation of a pair (name a column relation, or choose one of them)"
    );
}

#[test]
fn mistakes_have_their_line() {
    let error = |text: &str| read(text, false).unwrap_err();
    assert_eq!(error("Ada Bob 1\nAda Cleo 2\n"), format!("test, line 2, column 3: {LABEL}, is '2'"));
    assert_eq!(error("source,target,label\nAda,Bob,?\n"), format!("test, line 2, column 3: {LABEL}, is '?'"));
    assert_eq!(error("Ada Bob\n"), "test, line 1: 2 columns where 3 are needed (cut at spaces)");
    assert_eq!(error("Ada Zoe 1\n"), "test, line 1, column 2: 'Zoe' is not one of the 3 nodes");
    assert!(error("Ada Ada 1\n").contains("two different nodes"));
    let message = "test, line 2: the pair 'Ada', 'Bob' is a non-link, but line 1 says it is a link";
    assert_eq!(error("Ada Bob 1\nBob Ada 0\n"), message);
    let message = "test, line 2: the pair 'Ada', 'Bob' is in line 1 already";
    assert_eq!(error("Ada Bob 1\nBob Ada 1\n"), message);
}

#[test]
fn held_out_pairs_have_columns_in_a_fixed_order_unless_a_header_names_them() {
    let undirected = network("a b\nb c\nc d\n", false);
    let found = held_out("source\ttarget\tlabel\nc\ta\t1\nb\td\t-1\n", &undirected, &[]).unwrap();
    assert_eq!(found.pairs, [vec![pair(0, 2, true), pair(1, 3, false)]]);
    let relations = network("relation source target\nr a b\ns b c\n", true);
    let found = held_out("s c b 0\nr b a 1\n", &relations, &[]).unwrap();
    assert_eq!(found.pairs, [vec![pair(1, 0, true)], vec![pair(2, 1, false)]]);
    for header in ["kind,source,target,label", "relation,source,target,y"] {
        let found = held_out(&format!("{header}\ns,c,b,0\nr,b,a,1\n"), &relations, &[]).unwrap();
        assert_eq!(found.pairs, [vec![pair(1, 0, true)], vec![pair(2, 1, false)]], "{header}");
    }
    let directed = network("a b\nb c\nc d\n", true);
    for text in [
        "target,source,label\na,c,1\nd,b,0\n",
        "label,source,target\n1,c,a\n0,b,d\n",
        "to,weight,from,label\na,7,c,1\nd,8,b,-1\n",
        "u,v,y\nc,a,1\nb,d,0\n",
        "c,a,1,more\nb,d,0,more\n",
    ] {
        let found = held_out(text, &directed, &[]).map(|found| found.pairs);
        if text.starts_with('u') {
            assert!(found.unwrap_err().to_string().contains("'u' is not one of"));
        } else {
            assert_eq!(found.unwrap(), [vec![pair(2, 0, true), pair(1, 3, false)]], "{text}");
        }
    }
    let missing = held_out("source,target,label\na,c,1\n", &relations, &[]).unwrap_err().to_string();
    assert_eq!(
        missing,
        "test: there are 2 relations, and no column names the relation of a pair (name a column relation, or choose one of them)"
    );
    assert_eq!(
        held_out("a,c,1\n", &relations, &[]).unwrap_err().to_string(),
        "test, line 1: 3 columns where 4 are needed (cut at commas; the columns are relation,source,target,label)"
    );
}

#[test]
fn columns_that_are_not_used_are_named() {
    let links = network("a b\nb c\nc d\n", true);
    let warnings = |text: &str| held_out(text, &links, &[]).unwrap().warnings;
    assert_eq!(warnings("source,target,label\nc,a,1\n"), Vec::<String>::new());
    assert_eq!(
        warnings("to,weight,from,label,day\na,7,c,1,Monday\n"),
        ["the column 'weight' is not used", "the column 'day' is not used"]
    );
    assert_eq!(warnings("c,a,1,more\n"), ["column 4 has no name and is not used"]);
}

#[test]
fn comments_that_may_be_pairs_are_counted() {
    let relations = network("a,b\nb,c\nc,d\n\"#t\",a\n", false);
    let warnings = |text: &str| held_out(text, &relations, &[]).unwrap().warnings;
    assert_eq!(
        warnings("a,c,1\n#t,b,0\nb,d,0\n"),
        ["1 line among the rows begins with # or % and was skipped as a comment"]
    );
    assert_eq!(
        warnings("#t,b,0\na,c,1\nb,d,0\n"),
        [
            "1 line above the rows begins with # or % and was skipped as a comment, though it has a name of a node: put a \
             name that begins so in double quotes"
        ]
    );
    assert_eq!(warnings("# held out\na,c,1\n\"#t\",b,0\n"), Vec::<String>::new());
}

#[test]
fn held_out_pairs_are_nowhere_else() {
    let relations = network("source target label\na b 1\nb c 0\nc d 1\na e 1\n", false);
    let message = |text: &str| held_out(text, &relations, &[]).unwrap_err().to_string();
    assert_eq!(
        message("a c 1\nb a 1\n"),
        "test, line 2: the pair 'a', 'b' is a link of the network that is learned from"
    );
    assert!(
        message("c b 1\n").ends_with("the pair 'b', 'c' is a non-link of the network that is learned from")
    );
    assert_eq!(message("a c 1\nb d 0\nc a 1\n"), "test, line 3: the pair 'a', 'c' is in line 1 already");
    assert_eq!(message("a c 1\na d 2\n"), format!("test, line 2, column 3: {LABEL}, is '2'"));
    assert!(message("a c ?\n").ends_with("is '?'"));
    assert_eq!(message("a z 1\n"), "test, line 1, column 2: 'z' is not one of the 5 nodes");
    assert!(message("a a 1\n").contains("two different nodes"));
    assert!(message("a c\n").contains("2 columns where 3 are needed"));
    let first = held_out("a c 1\nb d 0\n", &relations, &[]).unwrap();
    let both = held_out("a d 1\nd b 0\n", &relations, &[&first]).unwrap_err().to_string();
    assert_eq!(both, "test, line 2: the pair 'b', 'd' is in test, line 2");
    let several = network("relation source target\nr a b\ns b c\n", true);
    let message = held_out("q a c 1\n", &several, &[]).unwrap_err().to_string();
    assert_eq!(message, "test, line 1, column 1: a relation must be one of the network's, is 'q'");
}
