//! Every error: what it is called, where it is, and which value is wrong.

use std::fs;
use std::io::{Read, Write};

use dlfrm_io::{Declared, Delimiter, ReadError, ReadOptions, parse_network, read_network};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

fn error_with(text: &[u8], name: &str, options: &ReadOptions) -> ReadError {
    parse_network(text, name, options).unwrap_err()
}

/// The code and the text of an error.
fn refused(text: impl AsRef<[u8]>) -> (&'static str, String) {
    let error = error_with(text.as_ref(), "links", &ReadOptions::default());
    (error.code(), error.to_string())
}

fn with_columns(columns: &str) -> ReadOptions {
    ReadOptions { columns: Some(columns.parse().unwrap()), ..ReadOptions::default() }
}

#[test]
fn files_that_cannot_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    let options = ReadOptions::default();
    for (path, end) in [
        (folder.path().to_owned(), " is a directory, a file is needed"),
        (folder.path().join("none.tsv"), ": there is no such file"),
    ] {
        let error = read_network(&path, &options).unwrap_err();
        assert_eq!((error.code(), error.to_string()), ("unreadable", format!("{}{end}", path.display())));
    }
}

#[test]
fn packed_files_that_are_cut_short_or_damaged() {
    let text: Vec<u8> = (0..5000u32).flat_map(|i| format!("{i}\t{}\n", i * 7919).into_bytes()).collect();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(&text).unwrap();
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(&text).unwrap();
    let zstd = compress_to_vec(text.as_slice(), CompressionLevel::Fastest);
    for packed in [gzip.finish().unwrap(), zstd, bzip2.finish().unwrap()] {
        let dataset = parse_network(packed.as_slice(), "links", &ReadOptions::default()).unwrap();
        assert_eq!(dataset.report.rows, 5000);
        let (code, message) = refused(&packed[..packed.len() / 2]);
        assert_eq!(code, "damaged");
        assert!(message.contains("the file is cut short") && message.contains("links, line "), "{message}");
        let mut damaged = packed.clone();
        damaged[20..60].fill(0xaa);
        assert_eq!(refused(&damaged).0, "damaged");
    }
}

#[test]
fn formats_that_are_not_read() {
    for (text, format) in [
        ("digraph g {\n a -> b;\n}\n", "a Graphviz (DOT) file"),
        ("dl n=2 format=edgelist1\ndata:\n1 2\n", "a UCINET (DL) file"),
        ("*Node data\nID sex\na F\n", "a NetDraw (VNA) file"),
        (" {\"nodes\": []}", "JSON"),
        ("<!DOCTYPE html>\n<html>", "a web page"),
        ("nodedef>name VARCHAR\na\n", "a GDF file"),
        ("version https://git-lfs.github.com/spec/v1\n", "a pointer of Git LFS"),
        ("PK\u{3}\u{4}....", "a zip archive or a spreadsheet (.xlsx, .ods, .npz)"),
        ("%%MatrixMarket matrix array real general\n2 2\n1\n", "a dense Matrix Market file"),
    ] {
        let (code, message) = refused(text);
        assert_eq!(code, "foreign", "{text}");
        assert!(message.starts_with(&format!("links is {format}, which is not read: ")), "{message}");
    }
    // Names that look like them are names.
    for text in ["version two\ntwo three\n", "graph theory\nset theory\n", "dl x\nx y\n", "[x] [y]\n{y} z\n"]
    {
        assert!(parse_network(text.as_bytes(), "links", &ReadOptions::default()).is_ok(), "{text}");
    }
}

#[test]
fn files_without_links() {
    for (text, message) in [
        ("", "links is empty"),
        ("\n \n# a b\n", "links has no rows"),
        ("source,target\n", "links has a header and no rows"),
        ("<graphml><graph></graph></graphml>\n", "links has no nodes"),
    ] {
        assert_eq!(refused(text), ("empty", message.to_owned()));
    }
}

#[test]
fn bytes_that_are_no_text() {
    for (text, message) in [
        (&b"Jos\xe9,Ada\n"[..], "links, line 1: not UTF-8 text (byte 0xe9 at position 4)"),
        (b"a b\n\x00\x01\x02", "links, line 2: a byte of zero: the file is binary or damaged"),
        (b"a b\nb\rc\n", "links, line 2: a carriage return within the line: lines must end with a line feed"),
        (b"<graphml>\n\xff</graphml>", "links, line 2: not UTF-8 text (byte 0xff)"),
    ] {
        assert_eq!(refused(text), ("not-text", message.to_owned()));
    }
    let endless = b"a b\n".chain(std::io::repeat(b'x').take(2 << 30));
    let error = parse_network(endless, "links", &ReadOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "links, line 2: the line is longer than 1 MiB");
}

#[test]
fn rows_that_do_not_fit() {
    for (text, code, message) in [
        ("a\tb\n\nc\n", "ragged", "links, line 3: 1 field where 2 are needed (cut at tab)"),
        ("a b\nb c d\nc\n", "ragged", "links, line 2: 3 fields where 2 are needed (cut at space)"),
        ("a,b\n\"c,d\n", "syntax", "links, line 2: a double quote is opened and not closed"),
        ("from,to\na,b\nfrom,to\n", "syntax", "links, line 3: the header is there again"),
        ("a,b\nc,\n", "value", "links, line 2, column 2: a target must not be empty, is ''"),
    ] {
        assert_eq!(refused(text), (code, message.to_owned()));
    }
    // Behind the rows that show the layout, too.
    let row = |i: usize| format!("{i} {}\n", i + 1);
    let long: String = (0..1500).map(row).collect();
    assert_eq!(
        refused(format!("{long}7 8 9\n")),
        ("ragged", "links, line 1501: 3 fields where 2 are needed (cut at space)".to_owned())
    );
}

#[test]
fn files_that_can_be_read_in_two_ways() {
    assert_eq!(
        refused("1 2 0,5\n2 3 0,7\n"),
        (
            "delimiters",
            "links can be read in two ways: 2 columns by comma (1 2 0 | 5); or 3 columns by space (1 | 2 | 0,5)"
                .to_owned()
        )
    );
    let comma = ReadOptions { delimiter: Some(Delimiter::Comma), ..ReadOptions::default() };
    assert!(parse_network(&b"1 2 0,5\n2 3 0,7\n"[..], "links", &comma).is_ok());
}

#[test]
fn columns_without_a_meaning() {
    let unnamed = "and no header says which are source and target";
    for (text, message) in [
        (
            "alone\nalone\n",
            "1 column (cut at space) where a source and a target are needed; the first rows are [alone] [alone]",
        ),
        (
            "a,b,1\nb,c,0\n",
            &format!("3 columns (cut at comma), {unnamed}; the first rows are [a | b | 1] [b | c | 0]"),
        ),
        (
            "x,y,z\na,b,c\n",
            &format!("3 columns (cut at comma), {unnamed}; the first rows are [x | y | z] [a | b | c]"),
        ),
        (
            "from,to,to\na,b,c\n",
            "two columns are called 'to'; the first rows are [from | to | to] [a | b | c]",
        ),
    ] {
        assert_eq!(refused(text), ("columns", format!("links, line 1: {message}")));
    }
    let message = |columns| error_with(b"a,b\nc,d\n", "links", &with_columns(columns)).to_string();
    assert!(message("source,target,label").contains("3 columns are declared, the file has 2"));
    assert!(message("source=a,target=x").contains("no column is called 'x'; the header has a, b"));
}

#[test]
fn values_without_a_meaning() {
    let label = "a label must be 1 or 0, yes or no, true or false, or ? if it is unobserved";
    for (text, message) in [
        ("source,target,label\na,b,1\na,c,O\n", format!("links, line 3, column 3: {label}, is 'O'")),
        (
            "source,target,weight\na,b,0,5\n",
            "links, line 2: 4 fields where 3 are needed (cut at comma)".to_owned(),
        ),
        (
            "source,target,weight\na,b,inf\n",
            "links, line 2, column 3: a weight must be a finite number, is 'inf'".to_owned(),
        ),
        (
            "relation,source,target\n,a,b\n",
            "links, line 2, column 1: a relation must not be empty, is ''".to_owned(),
        ),
    ] {
        assert_eq!(refused(text).1, message);
    }
    // The first row may be a header that is not known as one.
    let error = error_with(b"a,b,since\nc,d,1\n", "links", &with_columns("source,target,weight"));
    assert!(matches!(error, ReadError::Value(_, _, true)), "{error}");
}

#[test]
fn names_that_are_not_declared() {
    let count = ReadOptions { nodes: Some(Declared::Count(5)), ..ReadOptions::default() };
    let error = error_with(b"3 1\n5 1\n", "l", &count);
    assert_eq!(
        (error.code(), error.to_string().as_str()),
        ("unknown-name", "l, line 2, column 1: '5' is not one of the 5 nodes")
    );
    let names = Declared::Names(["c", "b", "a"].map(String::from).to_vec());
    let names = ReadOptions { nodes: Some(names), ..ReadOptions::default() };
    let error = error_with(b"a b\nb z\n", "l", &names).to_string();
    assert_eq!(error, "l, line 2, column 2: 'z' is not one of the 3 nodes");
    let error = error_with(b"person,pal\na,b\n", "l", &names);
    assert!(matches!(error, ReadError::UnknownName(_, _, true)), "{error}");
}

#[test]
fn pairs_with_two_labels() {
    let labelled = with_columns("source,target,label");
    let undirected = ReadOptions { directed: Some(false), ..labelled.clone() };
    let error = error_with(b"a b 1\nc d 1\nb a 0\n", "l", &undirected);
    assert_eq!(error.code(), "repeated");
    let message = "l, line 3: the pair 'a', 'b' is a non-link, but line 1 says it is a link";
    assert_eq!(error.to_string(), message);
    assert!(parse_network(&b"a b 1\nb a 0\n"[..], "l", &labelled).is_ok());
    assert!(parse_network(&b"a b 1\na b ?\n"[..], "l", &labelled).is_err());
    // The same pair in two relations is two pairs.
    let relations = with_columns("relation,source,target,label");
    assert!(parse_network(&b"r a b 1\ns a b 0\n"[..], "l", &relations).is_ok());
}

#[test]
fn more_than_allowed() {
    let rows = |max_rows| ReadOptions { max_rows, ..ReadOptions::default() };
    let text = &b"source,target\na,b\n# a comment is no row\nc,a\nb,c\n"[..];
    assert_eq!(error_with(text, "links", &rows(2)).to_string(), "links has more than 2 rows");
    assert!(parse_network(text, "links", &rows(3)).is_ok());
    let endless = b"a b\n".repeat(3000);
    assert_eq!(error_with(&endless, "links", &rows(2500)).code(), "too-many");
    let few = ReadOptions { max_nodes: 3, ..ReadOptions::default() };
    assert_eq!(error_with(b"a b\nc a\nb d\n", "links", &few).to_string(), "links has more than 3 nodes");
    let declared = ReadOptions { nodes: Some(Declared::Count(usize::MAX)), ..ReadOptions::default() };
    let message = "links has more than 100000000 declared nodes";
    assert_eq!(error_with(b"1 2\n", "links", &declared).to_string(), message);
}

#[test]
fn matrices_and_lists_that_break_their_rules() {
    let matrix = |text: &str| refused(format!("%%MatrixMarket matrix {text}")).1;
    for (text, end) in [
        ("coordinate complex general\n", "complex entries are not read, only pattern, real and integer ones"),
        ("coordinate\n", "the first line must be '%%MatrixMarket matrix coordinate FIELD SYMMETRY'"),
        ("coordinate pattern general\n", "line 1: the file ends before its size line"),
        ("coordinate pattern general\n3 4 1\n4 1\n", "the row must be a whole number from 1 to 3, is '4'"),
        (
            "coordinate pattern general\n3 3 2\n1 2\n",
            "the size line says 2 entries, but the file ends after 1",
        ),
        ("coordinate pattern general\n3 3 1\n1 2\n2 1\n", "line 4: more entries than the 1 of the size line"),
        ("coordinate real general\n3 3 1\n1 2 nan\n", "the value must be a finite number, is 'nan'"),
        ("coordinate pattern general\n4000000000 9 1\n1 2\n", "has more than 100000000 nodes"),
    ] {
        assert!(matrix(text).ends_with(end), "{text}: {}", matrix(text));
    }
    let metis = |text: &str| error_with(text.as_bytes(), "x.graph", &ReadOptions::default()).to_string();
    for (text, end) in [
        ("3\n", "line 1: the first line must be whole numbers: nodes, links, and which weights there are"),
        ("3 2\n2\n1 3\n4\n", "line 4: a neighbour must be from 1 to 3, is 4"),
        ("3 2\n2\n1 3\n", "line 3: the first line says 3 nodes, but the file ends after 2"),
        ("2 1\n2\n1\n1\n", "line 4: a line more than the 2 nodes of the first line"),
        (
            "3 3\n2\n1 3\n2\n",
            "the first line says 3 links, but 4 neighbours are listed and not twice as many",
        ),
    ] {
        assert!(metis(text).ends_with(end), "{text}: {}", metis(text));
    }
}

#[test]
fn bipartite_networks_need_two_kinds() {
    let bipartite = ReadOptions { bipartite: Some(true), ..ReadOptions::default() };
    let error = error_with(b"a b\nb c\nc a\n", "links", &bipartite);
    assert_eq!(error.code(), "network");
    assert!(error.to_string().contains("odd length"), "{error}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tsv");
    fs::write(&path, "a\tb\nc\tb\n").unwrap();
    assert!(read_network(&path, &bipartite).unwrap().report.bipartite);
}
