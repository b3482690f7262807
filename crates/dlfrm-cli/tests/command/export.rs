//! Exports are well-formed, hold every name as it is, and are read back.

use std::collections::HashMap;
use std::fs;

use quick_xml::Reader;
use quick_xml::events::Event;

use crate::shared::{FRIENDS, Folder, SHORT, refused};

type Element = (String, HashMap<String, String>, String);

/// The elements of a file: name and attributes, with the text of those that have some.
fn elements(xml: &str) -> Vec<Element> {
    let mut reader = Reader::from_str(xml);
    let mut all: Vec<Element> = Vec::new();
    let mut depth = 0;
    loop {
        let event = reader.read_event().expect("well-formed XML");
        match event {
            Event::Eof => break,
            Event::Start(ref tag) | Event::Empty(ref tag) => {
                let attributes = tag.attributes().map(|attribute| {
                    let attribute = attribute.unwrap();
                    let key = attribute.key.as_ref().to_owned();
                    let value = attribute.value.to_string();
                    (key, quick_xml::escape::unescape(&value).unwrap().into_owned())
                });
                let name = tag.name().as_ref().to_owned();
                all.push((name, attributes.collect(), String::new()));
                depth += i32::from(matches!(event, Event::Start(_)));
            }
            Event::End(_) => depth -= 1,
            Event::Text(text) => {
                if let Some(last) = all.last_mut() {
                    last.2 += &text;
                }
            }
            Event::GeneralRef(node) => {
                let name = node.to_string();
                all.last_mut().unwrap().2 += &quick_xml::escape::unescape(&format!("&{name};")).unwrap();
            }
            _ => {}
        }
    }
    assert_eq!(depth, 0, "every element is closed");
    all
}

fn fitted() -> Folder {
    let folder = Folder::new();
    folder.write("links", FRIENDS.replace("Ada", "A <&> \u{202e}\u{1}da"));
    let fit = ["fit", "links", "-q", "--undirected", "--start", "prior", "-o", "m.dlfrm"];
    folder.stdout(&[&fit[..], &SHORT].concat());
    folder
}

#[test]
fn graphml_and_gexf_are_read_back() {
    let folder = fitted();
    for (format, label) in [("graphml", "data"), ("gexf", "node")] {
        folder.stdout(&["export", "m.dlfrm", "--format", format, "--top", "5"]);
        let xml = fs::read_to_string(folder.path(&format!("m.{format}"))).unwrap();
        let elements = elements(&xml);
        let count = |name: &str| elements.iter().filter(|(tag, ..)| tag == name).count();
        assert_eq!((elements[0].0.as_str(), count("node"), count("edge")), (format, 10, 17 + 5));
        let shown = "A <&> \\u202e\\u0001da";
        let named = |(tag, attributes, text): &Element| {
            tag == label
                && (text.trim() == shown || attributes.get("label").is_some_and(|label| label == shown))
        };
        assert_eq!(elements.iter().filter(|element| named(element)).count(), 1, "{xml}");
        // Ends of edges are nodes, and every value is of an attribute that is declared.
        let ids = |tag: &str, key: &str| -> Vec<String> {
            let of = elements.iter().filter(|(name, ..)| name == tag);
            of.filter_map(|(_, attributes, _)| attributes.get(key).cloned()).collect()
        };
        let nodes = ids("node", "id");
        assert!(ids("edge", "source").iter().chain(&ids("edge", "target")).all(|end| nodes.contains(end)));
        let (declared, used) = match format {
            "graphml" => (ids("key", "id"), ids("data", "key")),
            _ => (ids("attribute", "id"), ids("attvalue", "for")),
        };
        assert!(!used.is_empty() && used.iter().all(|id| declared.contains(id)));
        let kinds = |kind: &str| {
            xml.matches(&format!(">{kind}<")).count() + xml.matches(&format!("\"{kind}\"")).count()
        };
        assert_eq!((kinds("link"), kinds("predicted")), (17, 5));
        let again = refused(&folder, &["export", "m.dlfrm", "--format", format]);
        assert_eq!(again, format!("m.{format} is there: it is replaced with --force only"));
        let printed = folder.stdout(&["export", "m.dlfrm", "--format", format, "--top", "5", "-o", "-"]);
        assert_eq!(printed, xml);
    }
}

#[test]
fn tables_are_files_of_a_folder() {
    let folder = fitted();
    let printed = folder.stdout(&["export", "m.dlfrm", "--format", "csv", "--top", "4"]);
    assert_eq!(printed, "saved to m-tables\n");
    let table = |name: &str| fs::read_to_string(folder.path(&format!("m-tables/{name}.csv"))).unwrap();
    assert_eq!(table("links").lines().count(), 1 + 17);
    assert!(table("predicted").starts_with("source,target,probability,low,high,why\n"));
    assert_eq!(table("predicted").lines().count(), 1 + 4);
    assert!(table("groups").starts_with("group,size,own_weight,stability\n"));
    let sizes: usize = table("groups")
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(1).unwrap().parse::<usize>().unwrap())
        .sum();
    assert_eq!(table("members").lines().count(), 1 + sizes);
    // Our own reader reads the links again.
    let predicted = folder.stdout(&["predict", "m.dlfrm", "--pairs", "m-tables/links.csv"]);
    assert_eq!(predicted.lines().count(), 1 + 17);
    assert_eq!(
        refused(&folder, &["export", "m.dlfrm", "--format", "csv", "-o", "-"]),
        "csv is a folder of four tables and is not written to standard output: name a folder with -o"
    );
    assert_eq!(
        refused(&folder, &["export", "m.dlfrm", "--format", "gexf", "-o", "m.dlfrm", "--force"]),
        "-o m.dlfrm: the command reads or writes this file already; name another one"
    );
    folder.stdout(&["export", "m.dlfrm", "--format", "graphml", "-o", "m.xml"]);
}

#[test]
fn the_picture_follows_the_file_s_ending() {
    let folder = fitted();
    assert_eq!(folder.stdout(&["export", "m.dlfrm", "-o", "m.svg"]), "saved to m.svg\n");
    let svg = fs::read_to_string(folder.path("m.svg")).unwrap();
    let elements = elements(&svg);
    assert_eq!(elements[0].0, "svg");
    let texts: Vec<&str> =
        elements.iter().filter(|(tag, ..)| tag == "text").map(|(.., text)| text.trim()).collect();
    for name in ["Bob", "Cleo", "Jo", "A <&> \\u202e\\u0001da"] {
        assert!(texts.contains(&name), "{name}: {texts:?}");
    }
    assert!(svg.contains("prefers-color-scheme: dark") && !svg.contains("NaN") && !svg.contains("<script"));
    assert!(texts.last().unwrap().ends_with("dashed: the 10 most probable missing links."), "{texts:?}");
    let without = folder.stdout(&["export", "m.dlfrm", "--format", "svg", "-o", "-", "--top", "0"]);
    assert!(without.starts_with("<svg ") && !without.contains("dashed: "));
    assert_eq!(
        refused(&folder, &["export", "m.dlfrm", "--format", "gexf", "-o", "x.svg"]),
        "-o x.svg: the file is named as svg, and --format asks for gexf"
    );
    assert_eq!(
        refused(&folder, &["export", "m.dlfrm", "-o", "x.csv"]),
        "-o x.csv: its ending names no format (.graphml, .gexf, .svg): give --format"
    );
}

/// What nearly all nodes have is no group, and it is said that it is left out.
#[test]
fn features_that_nearly_all_have_are_said_to_be_left_out() {
    let folder = Folder::new();
    // All pairs but a few are links: one feature explains them.
    let pairs = (0..12_u32).flat_map(|i| (i + 1..12).map(move |j| (i, j)));
    let links = pairs.filter(|&(i, j)| (i + 2 * j) % 7 != 0).map(|(i, j)| format!("{i}\t{j}\n"));
    folder.write("links.tsv", links.collect::<String>());
    let length =
        ["--chains", "2", "--burn-in", "50", "--draws", "20", "--covariates", "none", "--no-intercept"];
    folder.stdout(&[&["fit", "links.tsv", "--undirected", "-q", "-o", "m"], &length[..]].concat());
    let shown = folder.stdout(&["features", "m"]);
    let common: Vec<&str> = shown.lines().filter(|line| line.contains("part of the intercept")).collect();
    assert!(!common.is_empty(), "{shown}");
    let printed = folder.warnings(&["export", "m", "-o", "m.graphml"]);
    assert!(printed.contains(" is left out: nearly all nodes have it"), "{printed}");
    assert_eq!(folder.warnings(&["export", "m", "-o", "m.gexf", "-q"]), "");
}
