//! Inputs and flags that once were read wrongly, overwrote something or misled: each is refused or remarked on.

use std::fs;

use crate::shared::{FRIENDS, Folder, SHORT, json, refused};

#[test]
fn files_in_other_encodings_and_line_ends() {
    let folder = Folder::new();
    let utf16: Vec<u8> =
        [0xff, 0xfe].into_iter().chain("a,b\nb,c\n".encode_utf16().flat_map(u16::to_le_bytes)).collect();
    folder.write("wide.csv", utf16);
    assert_eq!(
        refused(&folder, &["fit", "wide.csv"]),
        "wide.csv is UTF-16 text: convert it (iconv -f UTF-16 -t UTF-8 wide.csv)"
    );
    folder.write("old.csv", "a,b\rb,c\rc,d\r");
    assert_eq!(
        refused(&folder, &["fit", "old.csv"]),
        "old.csv, line 1: a carriage return within a line; lines must end with a line feed (tr '\\r' '\\n' converts \
         them)"
    );
    folder.write("x.net", "*Vertices 999999999999\n*Edges\n1 2\n");
    assert_eq!(
        refused(&folder, &["fit", "x.net"]),
        "x.net, line 1: *Vertices must have their number, at most 4294967295, is '999999999999'"
    );
}

#[test]
fn titles_that_stand_twice_or_say_nothing() {
    let folder = Folder::new();
    folder.write("links.csv", "source,target,label,Label\na,b,1,0\nb,c,1,0\n");
    assert_eq!(
        refused(&folder, &["fit", "links.csv"]),
        "links.csv, line 1, column 4: column 3 is called 'Label', too; name the columns, as in --columns \
         source,target,skip"
    );
    folder.write("friends.tsv", FRIENDS);
    for (table, message) in [
        ("name,age,age\nAda,1,2\nBob,2,3\n", "line 1, column 3: column 2 is called 'age', too"),
        ("# people\nname,\nAda,1\nBob,2\n", "line 2, column 2: the column has no title"),
        (
            "name,age:int\nAda,1\nBob,2\n",
            "line 1, column 2: a column is age:number, age:category or age:words, is 'age:int'",
        ),
    ] {
        folder.write("people.csv", table);
        let printed = refused(&folder, &["fit", "friends.tsv", "-q", "--node-attributes", "people.csv"]);
        assert_eq!(printed, format!("people.csv, {message}"));
    }
}

#[test]
fn names_in_two_forms_are_remarked_on() {
    let folder = Folder::new();
    folder.write("links.csv", "Ada,Bob\nada,Cleo\nCleo,Dan\nDan,Bob\n");
    let args = [&["fit", "links.csv", "--undirected"], &SHORT[..]].concat();
    let output = folder.dlfrm(&args).output().unwrap();
    let notices = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.success() && notices.contains("links.csv: 'Ada' and 'ada' are two entities: "),
        "{notices}"
    );
}

#[test]
fn files_that_are_there_stay() {
    let folder = Folder::new();
    folder.fit_friends(&[]);
    folder.write("notes.txt", "mine\n");
    for args in [
        &["generate", "-o", "notes.txt", "--entities", "9"][..],
        &["generate", "-o", "new.tsv", "--truth", "notes.txt", "--entities", "9"],
    ] {
        assert_eq!(refused(&folder, args), "notes.txt is there: it is replaced with --force only");
    }
    assert_eq!(
        refused(&folder, &["fit", "friends.tsv", "-q", "-o", "friends.dlfrm", "--trace", "notes.txt"]),
        "--trace notes.txt: it is there and is not a trace; name another file"
    );
    for args in [
        &["export", "friends.dlfrm", "--format", "csv", "-o", "notes.txt"][..],
        &["evaluate", "friends.tsv", "-q", "--model", "ra", "--write-splits", "notes.txt"],
    ] {
        assert_eq!(refused(&folder, args), "notes.txt is a file, a folder is needed");
    }
    assert_eq!(fs::read_to_string(folder.path("notes.txt")).unwrap(), "mine\n");
    folder.stdout(&["generate", "-o", "notes.txt", "--entities", "9", "--force"]);
    assert_ne!(fs::read_to_string(folder.path("notes.txt")).unwrap(), "mine\n");
    // A trace replaces a trace.
    for _ in 0..2 {
        folder.fit_friends(&["--trace", "trace.jsonl"]);
    }
}

/// A full disk costs the trace and not the model.
#[cfg(target_os = "linux")]
#[test]
fn a_trace_that_cannot_be_written() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    let args = ["fit", "friends.tsv", "-q", "--undirected", "-o", "m.dlfrm", "--trace", "/dev/full"];
    let output = folder.dlfrm(&[&args[..], &SHORT].concat()).output().unwrap();
    let printed = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{printed}");
    assert!(
        printed.starts_with("dlfrm: the model is saved to m.dlfrm, but the trace could not be written: "),
        "{printed}"
    );
    assert_eq!(json(&folder.stdout(&["info", "m.dlfrm", "--json"]))["entities"], 10);
}

#[test]
fn flags_that_contradict_each_other() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    for (one, other) in [
        ("--directed", "--undirected"),
        ("--header", "--no-header"),
        ("--share-features", "--separate-features"),
    ] {
        let printed = refused(&folder, &["fit", "friends.tsv", one, other]);
        assert_eq!(printed, format!("the argument '{one}' cannot be used with '{other}' (see --help)"));
    }
}

#[test]
fn numbers_that_are_no_counts() {
    let folder = Folder::new();
    let expected = "expected a whole number from 0 to 18446744073709551615 (see --help)";
    for (args, flag) in [
        (&["predict", "m", "--top"][..], "--top <N>"),
        (&["export", "m", "--top"], "--top <N>"),
        (&["report", "m", "--top"], "--top <N>"),
        (&["evaluate", "x.tsv", "--runs"], "--runs <N>"),
        (&["evaluate", "x.tsv", "--folds"], "--folds <K>"),
        (&["generate", "--entities"], "--entities <N>"),
        (&["settings", "--pairs"], "--pairs <N>"),
        (&["corpus", "folder", "--methods", "ra", "--limit"], "--limit <N>"),
    ] {
        for value in ["-1", "1e3", "99999999999999999999"] {
            let printed = refused(&folder, &[args, &[value]].concat());
            assert_eq!(printed, format!("invalid value '{value}' for '{flag}': {expected}"));
        }
    }
    assert_eq!(
        refused(&folder, &["info", "m", "--seed", "1"]),
        "unexpected argument '--seed' found (see --help)"
    );
}

#[test]
fn causes_and_groups() {
    let folder = Folder::new();
    folder.fit_friends(&[]);
    let printed = refused(&folder, &["corpus", "none", "--methods", "ra"]);
    assert_eq!(printed.matches("No such file").count(), 1, "{printed}");
    folder.write("groups.json", "[[], []]");
    assert_eq!(
        refused(&folder, &["features", "friends.dlfrm", "--truth", "groups.json"]),
        "groups.json has no groups, or none with members"
    );
    folder.write("groups.json", "[[\"Ada\", \"Bob\"]]");
    let printed = folder.stdout(&["features", "friends.dlfrm", "--truth", "groups.json"]);
    assert!(printed.contains(" beside the 1 group of groups.json"), "{printed}");
}
