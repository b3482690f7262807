//! Every bad file gets one clear message.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use dlfrm_io::{Declared, ReadOptions, parse_network, read_names, read_network, read_pairs};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

fn message(bytes: &[u8]) -> String {
    parse_network(bytes, "links", &ReadOptions::default()).unwrap_err().to_string()
}

#[test]
fn files_without_links() {
    assert_eq!(message(b""), "links is empty");
    assert_eq!(message(b"\n \n# a b\n"), "links has no rows, only blank lines and comments");
    assert_eq!(message(b"source,target\n"), "links has a header and no rows");
    assert_eq!(message(b"\xef\xbb\xbf"), "links has no rows, only blank lines and comments");
}

#[test]
fn rows_that_do_not_fit() {
    assert_eq!(message(b"alone\nalone\n"), "links, line 1: 1 column where 2 are needed (cut at spaces)");
    assert_eq!(message(b"a\tb\n\nc\n"), "links, line 3: 1 column where 2 are needed (cut at tabs)");
    assert_eq!(message(b"a,b\nc,\n"), "links, line 2, column 2: the name is empty");
    assert_eq!(message(b"a,b\n\"c,d\n"), "links, line 2: a double quote is opened and not closed");
}

#[test]
fn bytes_that_are_no_text() {
    assert_eq!(message(b"a b\n\x00\x01\x02"), "links, line 2: not UTF-8 text (byte 0x00 at position 1)");
    assert_eq!(
        message(b"\x7fELF\x02\x01\x01\x00"),
        "links, line 1: not UTF-8 text (byte 0x00 at position 8)"
    );
    assert!(message(b"PK\x03\x04....").starts_with("links is packed with zip, which is not read"));
}

#[test]
fn a_line_of_two_gigabytes_is_refused_at_once() {
    let endless = b"a b\n".chain(std::io::repeat(b'x').take(2 << 30));
    let error = parse_network(endless, "links", &ReadOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "links: line 2 is longer than 1 MiB");
}

#[test]
fn packed_files_that_are_cut_short() {
    let text: Vec<u8> = (0..5000u32).flat_map(|i| format!("{i}\t{}\n", i * 7919).into_bytes()).collect();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(&text).unwrap();
    for packed in [gzip.finish().unwrap(), compress_to_vec(text.as_slice(), CompressionLevel::Fastest)] {
        assert!(parse_network(packed.as_slice(), "links", &ReadOptions::default()).is_ok());
        let message = message(&packed[..packed.len() / 2]);
        assert!(message.ends_with("ends before its end: the file is cut short"), "{message}");
    }
}

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let options = ReadOptions::default();
    let error = read_network(folder.path(), &options).unwrap_err().to_string();
    assert!(error.ends_with("is a directory, a file is needed"), "{error}");
    let missing = folder.path().join("none.tsv");
    for error in [
        read_network(&missing, &options).unwrap_err(),
        read_names(&missing).unwrap_err(),
        read_pairs(&missing, &dlfrm::network::Entities::numbered(2), &options).unwrap_err(),
    ] {
        assert!(error.to_string().ends_with("none.tsv: there is no such file"), "{error}");
    }
    unreadable(&folder.path().join("secret.tsv"));
}

#[cfg(unix)]
fn unreadable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::write(path, "a b\n").unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o000)).unwrap();
    // The superuser reads everything.
    if fs::File::open(path).is_err() {
        let error = read_network(path, &ReadOptions::default()).unwrap_err().to_string();
        assert!(error.contains("secret.tsv cannot be read: "), "{error}");
    }
}

#[cfg(not(unix))]
fn unreadable(_path: &Path) {}

#[test]
fn matrices_that_are_no_networks() {
    let error = |text: &str| message(format!("%%MatrixMarket matrix {text}").as_bytes());
    assert_eq!(
        error("array real general\n2 2\n1\n2\n3\n4\n"),
        "links, line 1: a dense matrix (array) is not read, only coordinate ones"
    );
    assert!(error("coordinate complex general\n").contains("complex entries are not read"));
    assert!(error("coordinate real skew-symmetric\n").contains("a skew-symmetric matrix is not read"));
    assert!(error("coordinate\n").contains("the first line must be"));
    assert!(error("coordinate pattern general\n").ends_with("line 1: the file ends before its size line"));
    assert!(error("coordinate pattern general\n3 4 1\n").contains("the matrix has 3 and 4"));
    assert!(error("coordinate pattern general\n3 -3 1\n").contains("three whole numbers"));
    assert!(error("coordinate pattern general\n3 3 2\n1 2\n").ends_with("the file ends after 1"));
    assert!(error("coordinate pattern general\n3 3 1\n1 2\n2 1\n").contains("line 4: more entries"));
    assert!(error("coordinate pattern general\n3 3 1\n0 2\n").contains("from 1 to 3, is '0'"));
    assert!(error("coordinate real general\n3 3 1\n1 2\n").ends_with("the value is missing"));
    assert!(error("coordinate real general\n3 3 1\n1 2 nan\n").contains("is 'nan'"));
    assert!(
        error("coordinate pattern general\n4000000000 4000000000 1\n1 2\n").contains("more than 100000000")
    );
}

#[test]
fn more_entities_than_allowed() {
    let few = ReadOptions { max_entities: 3, ..ReadOptions::default() };
    let error = |options: &ReadOptions| {
        parse_network(&b"a b\nc a\nb d\n"[..], "links", options).unwrap_err().to_string()
    };
    assert_eq!(error(&few), "links has more than 3 entities");
    let declared = ReadOptions { entities: Some(Declared::Count(usize::MAX)), ..ReadOptions::default() };
    assert_eq!(error(&declared), "links has more than 100000000 declared entities");
    let none = ReadOptions { entities: Some(Declared::Count(0)), ..ReadOptions::default() };
    assert!(error(&none).contains("links, line 1, column 1: "), "{}", error(&none));
}
