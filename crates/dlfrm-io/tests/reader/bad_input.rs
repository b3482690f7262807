//! Every bad file gets one clear message.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use dlfrm::network::Nodes;
use dlfrm_io::{Declared, ReadOptions, parse_network, parse_pairs, read_names, read_network, read_pairs};
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

/// A label that is none is refused: the other rows would become links.
#[test]
fn labels_that_are_none() {
    let hint = "a label must be 1 or 0, yes or no, true or false, or ? if it is unobserved (if 'label' is no column \
                of labels, --columns can skip it), is ";
    let rows = |odd: &str| {
        let row = |i: usize| format!("e{i},e{},{}\n", i + 1, if i == 150 { odd } else { "0" });
        format!("source,target,label\n{}", (0..190).map(row).collect::<String>())
    };
    assert_eq!(message(rows("O").as_bytes()), format!("links, line 152, column 3: {hint}'O'"));
    assert_eq!(
        message(b"source,target,label\na,b,friends\n"),
        format!("links, line 2, column 3: {hint}'friends'")
    );
    let read = |text: &[u8]| parse_network(text, "links", &ReadOptions::default()).unwrap();
    let dataset = read(b"source,target,label\na,b,yes\nb,c,no\nc,a,No\n");
    assert_eq!((dataset.report.counts.links, dataset.report.counts.non_links), (1, 2));
    let dataset = read(b"source,target,label\na,b,?\nb,c,?\n");
    assert_eq!((dataset.report.counts.links, dataset.report.counts.unobserved), (0, 2));
    // Drawing programs write an empty column of this title; a value further down is not overlooked.
    let row = |i: usize| format!("e{i},e{},\n", i + 1);
    let empty: String = (0..1200).map(row).collect();
    let empty = format!("Source,Target,Label\n{empty}");
    assert_eq!(read(empty.as_bytes()).report.counts.links, 1200);
    assert_eq!(
        message(format!("{empty}x,y,0\n").as_bytes()),
        "links, line 1202, column 3: a column of labels that is empty at first must be empty to its end, or named by \
         --columns, is '0'"
    );
}

#[test]
fn columns_without_a_meaning() {
    let adjacency = "3 columns where 2 are understood: rows that differ in length look like an adjacency list, which is \
                     not read: write a line for each link (awk '{gsub(/[\\r\"]/, \"\")} {for (i = 2; i <= NF; i++) print $1, $i}'), or name the \
                     columns, as in --columns source,target,skip; if names have spaces in them, put tabs or commas \
                     between the columns";
    assert_eq!(message(b"a b\nb c d\nc\n"), format!("links, line 2: {adjacency}"));
    let row = |i: usize| format!("{i} {}\n", i + 1);
    let long: String = (0..1500).map(row).collect();
    assert_eq!(
        message(format!("{long}7 8 9\n").as_bytes()),
        "links, line 1501: 3 columns where 2 are understood: the rows before have no more; name the columns, as in \
         --columns source,target,skip"
    );
}

#[test]
fn files_of_other_formats_are_refused_by_name() {
    let other = |name: &str, how: &str| format!("links is a file of {name}, which is not read: {how}");
    let networkx = "write an edge list, for example with networkx: nx.write_edgelist(nx.nx_pydot.read_dot('FILE'), \
                    'links.tsv', delimiter='\\t', data=False)";
    let edge_list = "write an edge list, one pair per line";
    let tgf = "write an edge list of the lines below the # (awk '{gsub(/\\r/, \"\")} links {print $1, $2} $0 == \"#\" {links = 1}')";
    let lgl = "write an edge list, one pair per line (awk '{gsub(/\\r/, \"\")} /^#/ {source = $2; next} {print source, $1}')";
    let gdf = "write an edge list of the lines below edgedef> (sed '1,/^edgedef>/d')";
    let lfs = "it only says where the data is (git lfs pull fetches it)";
    for (text, name, how) in [
        ("digraph g {\n a -> b;\n}\n", "Graphviz (DOT)", networkx),
        ("graph {\n a -- b;\n}\n", "Graphviz (DOT)", networkx),
        ("dl n=2 format=edgelist1\ndata:\n1 2\n", "UCINET (DL)", edge_list),
        ("*Node data\nID sex\na F\nb M\n*Tie data\nfrom to\na b\n", "NetDraw (VNA)", edge_list),
        ("*tie data\nfrom to strength\na b 1\n", "NetDraw (VNA)", edge_list),
        (" {\"nodes\": []}", "JSON", edge_list),
        ("[[1, 2], [2, 3]]", "JSON", edge_list),
        ("<!DOCTYPE html>\n<html>", "HTML", "is it the page that links to the data?"),
        ("<svg></svg>", "XML", edge_list),
        ("1 Ada\n2 Bob\n3 Cleo\n#\n1 2\n2 3\n", "TGF (Trivial Graph Format)", tgf),
        ("1 Ada Roe\n2\n#\n1 2 knows", "TGF (Trivial Graph Format)", tgf),
        ("# a\nb 1.0\nc 2.0\n# b\nc 0.5\n", "LGL (Large Graph Layout)", lgl),
        ("nodedef>name VARCHAR\na\nb\nedgedef>node1 VARCHAR,node2 VARCHAR\na,b\n", "GDF", gdf),
        ("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", "Git LFS", lfs),
    ] {
        assert_eq!(message(text.as_bytes()), other(name, how), "{text}");
        let marked = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        assert_eq!(message(marked.as_bytes()), other(name, how), "{text}");
    }
    // Names that look like them are names.
    for text in [
        "version two\ntwo three\n",
        "# monday\n1 2\n3 4\n# tuesday\n5 6\n",
        "a b\nb c\n#\n# more\n#\nc a\n",
        "graph theory\nset theory\n",
        "dl x\nx y\n",
        "<a> <b>\n<b> <c>\n",
        "[x] [y]\n{y} z\n",
    ] {
        assert!(parse_network(text.as_bytes(), "links", &ReadOptions::default()).is_ok(), "{text}");
    }
}

#[test]
fn a_first_row_of_titles_is_no_link() {
    let read = |text: &[u8]| parse_network(text, "links", &ReadOptions::default()).unwrap();
    let dataset = read(b"user,item\nAda,tea\nBob,tea\n");
    assert_eq!((dataset.report.nodes, dataset.report.counts.links), (3, 2));
    assert_eq!(dataset.report.warnings(), ["the first row (user, item) was taken for a header"]);
    let dataset = read(b"0,1\np3,p7\np7,p9\np9,p3\n");
    assert_eq!((dataset.report.nodes, dataset.report.counts.links), (3, 3));
    assert_eq!(dataset.report.warnings(), ["the first row (0, 1) was taken for a header"]);
    let dataset = read(b"parent,child\nAda,Bob\nBob,Cleo\nCleo,Ada\n");
    assert_eq!(
        dataset.report.warnings(),
        ["the first row (parent, child) was taken for a header: links go from parent to child"]
    );
    let dataset = read(b"end,start\nAda,Bob\nBob,Cleo\n");
    assert_eq!(
        (dataset.report.warnings().len(), dataset.relations[0].network.links()),
        (1, &[(0, 1), (2, 0)][..])
    );
    let dataset = read(b"alice,bob\nv1,v2\nv2,v3\nv3,v1\n");
    assert_eq!(
        dataset.report.warnings(),
        [
            "the first row (alice, bob) was taken for a link, and its names are in no other row: --header takes it for \
             a header"
        ]
    );
    let no_header = ReadOptions { header: Some(false), ..ReadOptions::default() };
    let dataset = parse_network(&b"user,item\nAda,tea\nBob,tea\n"[..], "links", &no_header).unwrap();
    assert_eq!(dataset.report.counts.links, 3);
}

#[test]
fn bytes_that_are_no_text() {
    let binary = "a byte of zero is in no text, so the file is binary or damaged";
    assert_eq!(
        message(b"a b\n\x00\x01\x02"),
        format!("links, line 2: not UTF-8 text (byte 0x00 at position 1): {binary}")
    );
    assert_eq!(
        message(b"\x7fELF\x02\x01\x01\x00"),
        format!("links, line 1: not UTF-8 text (byte 0x00 at position 8): {binary}")
    );
    assert_eq!(
        message(b"Jos\xe9,Ada\n"),
        "links, line 1: not UTF-8 text (byte 0xe9 at position 4): if it is Latin-1, convert it (iconv -f LATIN1 -t \
         UTF-8 links)"
    );
    let wide = |bytes: fn(u16) -> [u8; 2]| "a,b\nb,c\n".encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    for (bytes, encoding) in [(wide(u16::to_le_bytes), "UTF-16LE"), (wide(u16::to_be_bytes), "UTF-16BE")] {
        let expected = format!("links is UTF-16 text: convert it (iconv -f {encoding} -t UTF-8 links)");
        assert_eq!(message(&bytes), expected);
    }
    let wider = |text: &str, bytes: fn(u32) -> [u8; 4]| {
        text.chars().map(u32::from).flat_map(bytes).collect::<Vec<u8>>()
    };
    for (bytes, encoding) in [
        (wider("\u{feff}a,b\n", u32::to_le_bytes), "UTF-32"),
        (wider("\u{feff}a,b\n", u32::to_be_bytes), "UTF-32"),
        (wider("a,b\n", u32::to_le_bytes), "UTF-32LE"),
        (wider("a,b\n", u32::to_be_bytes), "UTF-32BE"),
    ] {
        let expected = format!("links is UTF-32 text: convert it (iconv -f {encoding} -t UTF-8 links)");
        assert_eq!(message(&bytes), expected);
    }
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
        read_pairs(&missing, &Nodes::numbered(2), &options).unwrap_err(),
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
    assert!(
        error("coordinate pattern general\n3 4 1\n4 1\n")
            .contains("the row must be a whole number from 1 to 3")
    );
    assert!(error("coordinate pattern general\n3 -3 1\n").contains("three whole numbers"));
    assert!(error("coordinate pattern general\n3 3 2\n1 2\n").ends_with("the file ends after 1"));
    assert!(error("coordinate pattern general\n3 3 1\n1 2\n2 1\n").contains("line 4: more entries"));
    assert!(error("coordinate pattern general\n3 3 1\n0 2\n").contains("from 1 to 3, is '0'"));
    assert!(error("coordinate real general\n3 3 1\n1 2\n").ends_with("the value is missing"));
    assert!(error("coordinate real general\n3 3 1\n1 2 nan\n").contains("is 'nan'"));
    assert!(
        error("coordinate pattern general\n4000000000 4000000000 1\n1 2\n").contains("more than 100000000")
    );
    assert!(
        error("coordinate pattern general\n4000000000 3000000000 1\n1 2\n").contains("more than 100000000")
    );
}

#[test]
fn more_rows_than_allowed() {
    let options = |max_rows| ReadOptions { max_rows, ..ReadOptions::default() };
    let text = &b"source,target\na,b\n# a comment is no row\nc,a\nb,c\n"[..];
    let error = parse_network(text, "links", &options(2)).unwrap_err();
    assert_eq!(error.to_string(), "links has more than 2 rows");
    assert!(parse_network(text, "links", &options(3)).is_ok());
    let nodes: Nodes = ["a", "b", "c"].into_iter().collect();
    let error = parse_pairs(text, "pairs", &nodes, &options(2)).unwrap_err();
    assert_eq!(error.to_string(), "pairs has more than 2 rows");
    assert_eq!(parse_pairs(text, "pairs", &nodes, &options(3)).unwrap().len(), 3);
    // Rows behind those that show the layout count, too.
    let endless = b"a b\n".repeat(3000);
    let error = parse_network(&endless[..], "links", &options(2500)).unwrap_err();
    assert_eq!(error.to_string(), "links has more than 2500 rows");
}

#[test]
fn more_nodes_than_allowed() {
    let few = ReadOptions { max_nodes: 3, ..ReadOptions::default() };
    let error = |options: &ReadOptions| {
        parse_network(&b"a b\nc a\nb d\n"[..], "links", options).unwrap_err().to_string()
    };
    assert_eq!(error(&few), "links has more than 3 nodes");
    let declared = ReadOptions { nodes: Some(Declared::Count(usize::MAX)), ..ReadOptions::default() };
    assert_eq!(error(&declared), "links has more than 100000000 declared nodes");
    let none = ReadOptions { nodes: Some(Declared::Count(0)), ..ReadOptions::default() };
    assert!(error(&none).contains("links, line 1, column 1: "), "{}", error(&none));
}
