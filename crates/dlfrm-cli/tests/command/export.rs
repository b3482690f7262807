//! Exports are well-formed, hold every name as it is, and are read back.

use std::collections::HashMap;
use std::fs;

use quick_xml::Reader;
use quick_xml::events::Event;

use crate::shared::{FRIENDS, Folder, SHORT, refused};

/// The elements of a file: name and attributes, with the text of those that have some.
fn elements(xml: &str) -> Vec<(String, HashMap<String, String>, String)> {
    let mut reader = Reader::from_str(xml);
    let mut all: Vec<(String, HashMap<String, String>, String)> = Vec::new();
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
            Event::GeneralRef(entity) => {
                let name = entity.to_string();
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
        let named = |(tag, attributes, text): &(String, HashMap<String, String>, String)| {
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
    assert_eq!(printed, "saved to m-tables: groups.csv, members.csv, links.csv, predicted.csv\n");
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
        refused(&folder, &["export", "m.dlfrm", "-o", "m.dlfrm", "--force"]),
        "-o m.dlfrm: the command reads or writes this file already; name another one"
    );
}
