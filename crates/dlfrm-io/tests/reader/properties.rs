//! Whatever the links, they come back; whatever the bytes, the readers do not panic.

use std::io::Write;

use dlfrm::network::Nodes;
use dlfrm_io::{Delimiter, ReadOptions, parse_names, parse_network, parse_pairs};
use proptest::prelude::*;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

#[derive(Debug, Clone, Copy)]
enum Packing {
    Plain,
    Gzip,
    Zstd,
}

fn pack(text: &str, packing: Packing) -> Vec<u8> {
    match packing {
        Packing::Plain => text.as_bytes().to_vec(),
        Packing::Gzip => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            encoder.write_all(text.as_bytes()).unwrap();
            encoder.finish().unwrap()
        }
        Packing::Zstd => compress_to_vec(text.as_bytes(), CompressionLevel::Fastest),
    }
}

fn packing() -> impl Strategy<Value = Packing> {
    prop_oneof![Just(Packing::Plain), Just(Packing::Gzip), Just(Packing::Zstd)]
}

fn delimiter() -> impl Strategy<Value = (Delimiter, &'static str)> {
    prop_oneof![
        Just((Delimiter::Tab, "\t")),
        Just((Delimiter::Comma, ",")),
        Just((Delimiter::Semicolon, ";")),
        Just((Delimiter::Spaces, "   ")),
    ]
}

fn quote(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Distinct names, as plain integers or as any text in quotes.
fn names() -> impl Strategy<Value = Vec<String>> {
    let integers = prop::collection::btree_set(0..10_000_000u64, 2..20)
        .prop_map(|set| set.into_iter().map(|value| value.to_string()).collect());
    let letter = prop_oneof![
        prop::char::range('a', 'z'),
        prop::sample::select(vec!['é', ',', ';', '"', ' ', '\t', '#', '%'])
    ];
    let word =
        prop::collection::vec(letter, 1..=6).prop_map(|letters| letters.into_iter().chain(['x']).collect());
    let words = prop::collection::btree_set(word, 2..20).prop_map(|set| set.into_iter().collect());
    prop_oneof![integers, words]
}

/// A line of marks and words that mean something to the readers, and of any characters.
fn line() -> impl Strategy<Value = String> {
    let known = [
        "a", "b", "c", "0", "1", "2", "3", "\"", ",", ";", "\t", " ", "#", "-1", "?", "source", "target",
        "label", "weight", "relation",
    ];
    let known = prop::sample::select(known.to_vec()).prop_map(str::to_owned);
    let any = any::<char>().prop_map(String::from);
    prop::collection::vec(prop_oneof![12 => known, 1 => any], 0..=8).prop_map(|words| words.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn links_come_back(
        names in names(),
        ends in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..60),
        (kind, between) in delimiter(),
        packing in packing(),
        directed in any::<bool>(),
        line_end in prop_oneof![Just("\n"), Just("\r\n")],
        known_delimiter in any::<bool>(),
    ) {
        let ends: Vec<(&str, &str)> =
            ends.iter().map(|(i, j)| (names[i.index(names.len())].as_str(), names[j.index(names.len())].as_str())).collect();
        let write = |name: &str| {
            if name.bytes().all(|byte| byte.is_ascii_digit()) { name.to_owned() } else { quote(name) }
        };
        let rows: Vec<String> = ends.iter().map(|(i, j)| format!("{}{between}{}", write(i), write(j))).collect();
        let text = rows.join(line_end);
        // Names with delimiters in them may be read in two ways, and semicolons are not looked for.
        let plain = names.iter().all(|name| name.bytes().all(|byte| byte.is_ascii_digit()));
        let options = ReadOptions {
            directed: Some(directed),
            header: Some(false),
            delimiter: (known_delimiter || !plain || kind == Delimiter::Semicolon).then_some(kind),
            ..ReadOptions::default()
        };
        let dataset = parse_network(pack(&text, packing).as_slice(), "test", &options).unwrap();
        let network = &dataset.relations[0].network;
        let order = |i: &str, j: &str| if directed || i < j { (i.to_owned(), j.to_owned()) } else { (j.to_owned(), i.to_owned()) };
        let mut expected: Vec<_> = ends.iter().filter(|(i, j)| i != j).map(|(i, j)| order(i, j)).collect();
        expected.sort();
        expected.dedup();
        let name = |id| network.nodes().name(id);
        let mut found: Vec<_> = network.links().iter().map(|&(i, j)| order(name(i), name(j))).collect();
        found.sort();
        prop_assert_eq!(&found, &expected);
        let counts = dataset.report.counts;
        let merged = if directed { 0 } else { counts.both_directions };
        prop_assert_eq!(
            counts.links + counts.self_links + counts.duplicates + merged,
            ends.len() as u64
        );
    }

    #[test]
    fn bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300), packing in 0..4usize) {
        let magic: [&[u8]; 4] = [b"", b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"%%MatrixMarket matrix "];
        let bytes = [magic[packing], &bytes].concat();
        let options = ReadOptions { max_nodes: 1000, ..ReadOptions::default() };
        let _ = parse_network(bytes.as_slice(), "test", &options);
        let _ = parse_pairs(bytes.as_slice(), "test", &Nodes::numbered(3), &options);
        let _ = parse_names(bytes.as_slice(), "test");
    }

    #[test]
    fn lines_never_panic(
        lines in prop::collection::vec(line(), 0..12),
        columns in prop::option::of(prop::sample::select(vec![
            "source,target", "relation,source,target", "source,target,label", "target,_,source,weight",
        ])),
        directed in any::<bool>(),
    ) {
        let options = ReadOptions {
            columns: columns.map(|columns| columns.parse().unwrap()),
            directed: Some(directed),
            ..ReadOptions::default()
        };
        let text = lines.join("\n");
        if let Ok(dataset) = parse_network(text.as_bytes(), "test", &options) {
            prop_assert!(!dataset.report.to_string().is_empty() && !dataset.relations.is_empty());
        }
        let _ = parse_network(format!("%%MatrixMarket matrix coordinate real general\n{text}").as_bytes(), "test", &options);
        let _ = parse_pairs(text.as_bytes(), "test", &["a", "b", "0"].into_iter().collect(), &options);
        let _ = parse_names(text.as_bytes(), "test");
    }
}
