//! Files as ordinary programs write them (`scripts/golden-files`), read as what they mean or refused with the right error.

use std::path::{Path, PathBuf};

use dlfrm_io::{Dataset, ReadOptions, read_network};

/// One line of `expected.tsv`.
struct Expected<'a> {
    file: &'a str,
    flags: &'a str,
    /// Nodes, links, direction and checksum of the links, or the code of an error.
    meaning: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn expected(table: &str) -> impl Iterator<Item = Expected<'_>> {
    table.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let &[file, flags, nodes, links, direction, crc, error] = cells.as_slice() else {
            panic!("{line}");
        };
        let read = format!("{nodes} nodes, {links} links, {direction}, {crc}");
        Expected { file, flags, meaning: if error.is_empty() { read } else { error.to_owned() } }
    })
}

/// What the flags of the command mean.
fn options(flags: &str) -> ReadOptions {
    let mut options = ReadOptions::default();
    let mut words = flags.split_whitespace();
    while let Some(flag) = words.next() {
        let mut value = || words.next().expect("a value");
        match flag {
            "--columns" => options.columns = Some(value().parse().unwrap()),
            "--delimiter" => options.delimiter = Some(value().parse().unwrap()),
            "--header" => options.header = Some(true),
            "--bipartite" => options.bipartite = Some(true),
            "--directed" | "--undirected" => options.directed = Some(flag == "--directed"),
            "--format" => options.format = Some(value().parse().unwrap()),
            other => panic!("{other}"),
        }
    }
    options
}

/// Nodes, links, direction and checksum, as `expected.tsv` has them.
fn meaning(dataset: &Dataset) -> String {
    let network = &dataset.relations[0].network;
    let direction = match network.modes() {
        Some(_) => "bipartite",
        None if network.directed() => "directed",
        None => "undirected",
    };
    let mut lines = Vec::new();
    for relation in &dataset.relations {
        for &link in relation.network.links() {
            let (source, target) = network.modes().map_or(link, |modes| modes.row_first(link));
            let mut ends = [source, target].map(|node| network.nodes().name(node));
            if direction == "undirected" {
                ends.sort_unstable();
            }
            let name = relation.name.as_ref().map_or(String::new(), |name| format!("\t{name}"));
            lines.push(format!("{}\t{}{name}\n", ends[0], ends[1]));
        }
    }
    lines.sort_unstable();
    let (nodes, links, crc) = (network.len(), lines.len(), crc32fast::hash(lines.concat().as_bytes()));
    format!("{nodes} nodes, {links} links, {direction}, {crc:08x}")
}

#[test]
fn every_file_is_read_as_what_it_means() {
    let table = std::fs::read_to_string(folder().join("expected.tsv")).unwrap();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for Expected { file, flags, meaning: meant } in expected(&table) {
        seen += 1;
        let (found, said) = match read_network(&folder().join(file), &options(flags)) {
            Ok(dataset) => (meaning(&dataset), String::new()),
            Err(error) => (error.code().to_owned(), format!(" ({error})")),
        };
        if found != meant {
            wrong.push(format!("{file} {flags}: {found}{said}, expected {meant}"));
        }
    }
    assert!(seen >= 60 && wrong.is_empty(), "{} of {seen} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
