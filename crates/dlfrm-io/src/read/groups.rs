//! Reading groups of nodes: a known truth to compare features with.

mod by_node;

use std::io::Read;
use std::path::Path;

use dlfrm::network::Nodes;
use serde_json::Value;

use super::fields::{Delimiter, Fields};
use super::old::comments::{names_node, skipped};
use super::old::error::{Location, ReadError};
use super::old::input::Input;
use super::old::lines::Lines;
use by_node::{ByNode, by_node, may_be_by_node};

/// Groups of nodes from a file, and warnings for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadGroups {
    /// The members of each group.
    pub groups: Vec<Vec<u32>>,
    /// How lines were understood, if they are no groups, and those that were skipped and may be groups.
    pub warnings: Vec<String>,
}

/// Reads groups of nodes from a file (standard input for `-`): JSON, or plain text with one group per line.
///
/// JSON is what `dlfrm generate --truth` writes, an object with `groups`, a list of lists of names, or with `features`, a list
/// of objects with `members`; a list of one such object, which `dlfrm features --json` prints; or a list of lists of names. In
/// plain text names are separated by tabs, semicolons, commas or spaces, whichever the file has first in this order; blank lines
/// and comments are skipped. If the first names of all lines are
/// different nodes and most of them, and the others are repeated, a line is a node and its groups, as the LFR benchmark
/// writes it; a line of two names may be a group and a node. A name that is not among `nodes` is an error.
pub fn read_groups(path: &Path, nodes: &Nodes) -> Result<ReadGroups, ReadError> {
    groups(Input::open(path)?, nodes)
}

/// Reads groups from a stream (see [`read_groups`]); `name` is its name in messages.
pub fn parse_groups(reader: impl Read, name: &str, nodes: &Nodes) -> Result<ReadGroups, ReadError> {
    groups(Input::new(reader, name)?, nodes)
}

fn groups(input: Input<'_>, nodes: &Nodes) -> Result<ReadGroups, ReadError> {
    let file = input.name.clone();
    let bytes = input.bytes()?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let read = match bytes.trim_ascii_start().first() {
        Some(b'{' | b'[') => ReadGroups { groups: from_json(bytes, &file, nodes)?, warnings: vec![] },
        _ => from_text(bytes, &file, nodes)?,
    };
    if read.groups.iter().all(Vec::is_empty) {
        return Err(ReadError::Empty { file, what: "has no groups, or none with members" });
    }
    Ok(read)
}

fn from_text(bytes: &[u8], file: &str, nodes: &Nodes) -> Result<ReadGroups, ReadError> {
    let mut lines = Lines::new(Input::new(bytes, file)?);
    let mut rows: Vec<(u64, String)> = vec![];
    let mut comments: Vec<String> = vec![];
    while let Some(line) = lines.next_line()? {
        let line = line.to_owned();
        if skipped(&line) {
            comments.push(line);
        } else {
            rows.push((lines.number(), line));
        }
    }
    let mut fields = Fields::default();
    let separates = |delimiter: &Delimiter| {
        let mut fields = Fields::default();
        rows.iter().any(|(_, row)| fields.cut(row, *delimiter).is_ok() && fields.len() > 1 && !fields.stray())
    };
    // A group may have one member, whose name may have bars.
    let mut delimiters = Delimiter::ALL.into_iter().filter(|&delimiter| delimiter != Delimiter::Bar);
    let delimiter = delimiters.find(separates).unwrap_or(Delimiter::Tab);
    let at = |line: u64, column| Location { file: file.to_owned(), line, column };
    let mut lists: Vec<(u64, Vec<String>)> = Vec::with_capacity(rows.len());
    for (line, row) in &rows {
        if fields.cut(row, delimiter).is_err() {
            return Err(ReadError::OpenQuote { location: at(*line, None) });
        }
        lists.push((*line, fields.to_vec(row)));
    }
    let words: Vec<Vec<&str>> =
        lists.iter().map(|(_, list)| list.iter().map(String::as_str).collect()).collect();
    let like_groups = comments.iter().filter(|line| like_group(line, delimiter, nodes)).count();
    let skipped = match like_groups {
        0 => None,
        1 => Some("1 line with names of nodes begins with # or % and was skipped as a comment".to_owned()),
        count => {
            Some(format!("{count} lines with names of nodes begin with # or % and were skipped as comments"))
        }
    };
    if let Some(ByNode { groups, understood, without, odd }) = by_node(&words, nodes) {
        let without = match without {
            0 => None,
            1 => Some("1 node has no group".to_owned()),
            count => Some(format!("{count} nodes have no group")),
        };
        let without =
            without.map(|without| format!("{without} (an empty cell, NA or another missing value)"));
        let odd = odd.into_iter().map(|(group, members)| {
            let nodes = if members == 1 { "node" } else { "nodes" };
            format!(
                "'{group}' is taken for a group of {members} {nodes}: if it stands for no group, leave its cells empty"
            )
        });
        let warnings = [Some(taken_for(understood)), without].into_iter().flatten().chain(odd).chain(skipped);
        return Ok(ReadGroups { groups, warnings: warnings.collect() });
    }
    let open = may_be_by_node(&words);
    let mut groups = vec![];
    for (line, list) in lists {
        let mut group = vec![];
        for (position, name) in list.into_iter().enumerate() {
            match nodes.get(&name) {
                Some(node) => group.push(node),
                // A delimiter at the end of a line.
                None if name.is_empty() => {}
                None => {
                    let location = at(line, Some(position + 1));
                    let nodes = nodes.len();
                    return Err(ReadError::UnknownName { location, name, nodes, hint: "" });
                }
            }
        }
        groups.push(group);
    }
    Ok(ReadGroups { groups, warnings: open.map(taken_for).into_iter().chain(skipped).collect() })
}

/// What is said of how lines were understood.
fn taken_for(what: &str) -> String {
    format!("each line is taken for {what}")
}

/// Whether a comment has a name of a node at its begin, or several behind it and nothing else, or words that all begin as it
/// does.
fn like_group(line: &str, delimiter: Delimiter, nodes: &Nodes) -> bool {
    let mut fields = Fields::default();
    if fields.cut(line, delimiter).is_err() {
        return false;
    }
    let names = fields.to_vec(line);
    let known = |name: &String| nodes.get(name).is_some();
    let marked = |name: &String| {
        name.strip_prefix(['#', '%']).is_some_and(|word| word.starts_with(char::is_alphanumeric))
    };
    names.split_first().is_some_and(|(first, others)| {
        let all = |test: &dyn Fn(&String) -> bool| others.iter().all(test);
        known(first)
            || (!others.is_empty() && names_node(first, nodes) && (others.len() == 1 || all(&known)))
            || (others.len() > 1 && all(&known))
            || (!others.is_empty() && marked(first) && all(&marked))
    })
}

fn from_json(bytes: &[u8], file: &str, nodes: &Nodes) -> Result<Vec<Vec<u32>>, ReadError> {
    let refused = |message: String| ReadError::Json { file: file.to_owned(), message };
    let value: Value = serde_json::from_slice(bytes).map_err(|error| refused(error.to_string()))?;
    let lists = |value| Value::get(value, "groups").or_else(|| value.get("features"));
    let only = value.as_array().filter(|all| all.len() == 1).map_or(&value, |all| &all[0]);
    let lists = lists(only).unwrap_or(&value);
    let Some(lists) = lists.as_array() else {
        return Err(refused("there is no list of groups (groups, or features with members)".to_owned()));
    };
    let mut groups = vec![];
    for (number, list) in lists.iter().enumerate() {
        let about = |what: String| refused(format!("group {}: {what}", number + 1));
        let members = list.get("members").unwrap_or(list).as_array();
        let members = members.ok_or_else(|| about("there is no list of members".to_owned()))?;
        let node = |member: &Value| {
            let name = name(member).ok_or_else(|| about(format!("a name is needed, not {member}")))?;
            let unknown = || about(format!("'{name}' is not one of the {} nodes", nodes.len()));
            nodes.get(&name).ok_or_else(unknown)
        };
        groups.push(members.iter().map(node).collect::<Result<_, _>>()?);
    }
    Ok(groups)
}

/// The name of a member: a text, a number, or an object that has one.
fn name(member: &Value) -> Option<String> {
    match member {
        Value::String(name) => Some(name.clone()),
        Value::Number(number) => Some(number.to_string()),
        other => other.get("name").and_then(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Vec<u32>>, ReadError> {
        let nodes: Nodes = ["Ada", "Bob", "Cleo", "7", "Doe, J"].into_iter().collect();
        parse_groups(text.as_bytes(), "truth", &nodes).map(|found| found.groups)
    }

    /// As the LFR benchmark writes it.
    #[test]
    fn lines_may_have_an_node_and_its_group() {
        let nodes: Nodes = ["1", "2", "3", "4", "5", "6"].into_iter().collect();
        let read = |text: &str| parse_groups(text.as_bytes(), "community.dat", &nodes).unwrap();
        let expected = ReadGroups {
            groups: vec![vec![0, 1, 3], vec![2, 4, 5]],
            warnings: vec!["each line is taken for a node and its group".to_owned()],
        };
        for text in [
            "1\t2\n2\t2\n3\t1\n4\t2\n5\t1\n6\t1\n",
            "1 red \n2 red\n3 blue\n4 red\n5 blue\n6 blue\n",
            "node,community\n1,2\n2,2\n3,1\n4,2\n5,1\n6,1\n",
            "1\t2\t\n2\t2\t\n3\t1\t\n4\t2\t\n5\t1\t\n6\t1\t\n",
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
        let message =
            parse_groups(&b"0 1\n1 2\n2 2\n3 1\n4 2\n5 1\n"[..], "community.dat", &nodes).unwrap_err();
        assert_eq!(message.to_string(), "community.dat, line 1, column 1: '0' is not one of the 6 nodes");
        // Groups of two.
        for (text, groups) in [
            ("1 2\n3 4\n5 6\n", vec![vec![0, 1], vec![2, 3], vec![4, 5]]),
            ("1 2\n1 3\n2 3\n", vec![vec![0, 1], vec![0, 2], vec![1, 2]]),
        ] {
            assert_eq!(read(text), ReadGroups { groups, warnings: vec![] }, "{text}");
        }
        let pairs = ReadGroups {
            groups: vec![vec![0, 1], vec![2, 1], vec![3, 1]],
            warnings: vec!["each line is taken for a group of two nodes".to_owned()],
        };
        assert_eq!(read("1 2\n3 2\n4 2\n"), pairs);
        // No group has a node twice.
        let found = read("2 2\n3 2\n4 2\n");
        assert_eq!((found.groups, &found.warnings), (vec![vec![1, 2, 3]], &expected.warnings));
    }

    #[test]
    fn lines_may_have_an_node_and_several_groups() {
        let nodes: Nodes = ["1", "2", "3", "4", "5", "6"].into_iter().collect();
        let read = |text: &str| parse_groups(text.as_bytes(), "community.dat", &nodes).unwrap();
        let expected = ReadGroups {
            groups: vec![vec![0, 1, 3], vec![1, 2, 4, 5]],
            warnings: vec!["each line is taken for a node and its groups".to_owned()],
        };
        for text in [
            "1\t2 \n2\t2 1 \n3\t1 \n4\t2 \n5\t1 \n6\t1 \n",
            "1 2\n2 2 1\n3 1\n4 2\n5 1\n6 1\n",
            "1,red\n2,red,blue\n3,blue\n4,red\n5,blue\n6,blue\n",
            "1\tred\t\t\n2\tred\tblue\n3\tblue\t\n4\tred\t\n5\tblue\t\n6\tblue\t\n",
            "node,communities\n1,2\n2,2 1\n3,1\n4,2\n5,1\n6,1\n",
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
        // Words in one cell are one group.
        let teams =
            read("1\tred team\n2\tred team\n3\tblue team\n4\tblue team\n5\tblue team\n6\tblue team\n");
        assert_eq!(teams.groups, [vec![0, 1], vec![2, 3, 4, 5]]);
        assert_eq!(teams.warnings, ["each line is taken for a node and its group"]);
        let groups = vec![vec![0, 1, 3], vec![2, 4, 5]];
        let warnings = vec!["each line is taken for a group and a node of it".to_owned()];
        for text in [
            "2,1\n2,2\n1,3\n2,4\n1,5\n1,6\n",
            "community,node\nred,1\nred,2\nblue,3\nred,4\nblue,5\nblue,6\n",
        ] {
            assert_eq!(
                read(text),
                ReadGroups { groups: groups.clone(), warnings: warnings.clone() },
                "{text}"
            );
        }
        // Groups of nodes.
        for (text, warning) in [
            ("1 2 3\n4 5 6\n1 4\n", None),
            ("1 2\n1 2 3\n1 3\n", None),
            ("4 1 2\n5 1\n6 2\n3 1\n", Some("each line is taken for a node and its groups")),
            ("4 1 2\n5 1 2\n6 1\n", None),
            ("1 4\n1 5\n2 4\n2 6\n", Some("each line is taken for a group of two nodes")),
        ] {
            assert_eq!(read(text).warnings, Vec::from_iter(warning), "{text}");
        }
        let many: Nodes = (1..=9).map(|name| name.to_string()).collect();
        let some = parse_groups(&b"4 1 2\n5 1\n6 2\n3 1\n"[..], "truth", &many).unwrap();
        assert_eq!(some.groups, [vec![3, 0, 1], vec![4, 0], vec![5, 1], vec![2, 0]]);
        assert_eq!(some.warnings, ["each line is taken for a group of nodes"]);
    }

    #[test]
    fn comments_that_may_be_groups_are_counted() {
        let nodes: Nodes = ["Ada", "Bob", "Cleo", "#tag", "7"].into_iter().collect();
        let warnings = |text: &str| parse_groups(text.as_bytes(), "truth", &nodes).unwrap().warnings;
        assert_eq!(
            warnings("#tag Bob\nAda Cleo\n"),
            ["1 line with names of nodes begins with # or % and was skipped as a comment"]
        );
        assert_eq!(
            warnings("Ada Cleo\n#Bob Cleo\n"),
            ["1 line with names of nodes begins with # or % and was skipped as a comment"]
        );
        assert_eq!(
            warnings("Ada Cleo\n#Dan Ada Bob\n#tag\n"),
            ["2 lines with names of nodes begin with # or % and were skipped as comments"]
        );
        for text in ["# Ada\n#group 7\nAda Cleo\n", "#friends of Ada\nAda Bob\n", "\"#tag\" Bob\nAda Cleo\n"]
        {
            assert_eq!(warnings(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn groups_are_lines_or_lists() {
        let expected = [vec![0, 1], vec![1, 3, 2]];
        for text in [
            "Ada Bob\nBob 7 Cleo\n",
            "# two\n\nAda\tBob\t\nBob\t7\tCleo",
            "Ada,Bob\n\"Bob\",7,Cleo\n",
            r#"{"nodes": 5, "groups": [["Ada", "Bob"], ["Bob", "7", "Cleo"]]}"#,
            r#" [["Ada", "Bob"], ["Bob", 7, "Cleo"]]"#,
            r#"{"features": [{"members": ["Ada", "Bob"]}, {"members": [{"name": "Bob"}, 7, "Cleo"]}]}"#,
            r#"[{"version": 1, "features": [{"members": ["Ada", "Bob"]}, {"members": ["Bob", "7", "Cleo"]}]}]"#,
        ] {
            assert_eq!(read(text).unwrap(), expected, "{text}");
        }
        assert_eq!(read("Ada\nDoe, J\tBob\n").unwrap(), [vec![0], vec![4, 1]]);
        assert_eq!(read("Ada\n7\n").unwrap(), [[0], [3]]);
        assert_eq!(read(r#"{"groups": [[], [7]]}"#).unwrap(), [vec![], vec![3]]);
        assert_eq!(read("\u{feff}{\"groups\": [[7]]}").unwrap(), [vec![3]]);
    }

    #[test]
    fn mistakes_are_located() {
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(error("Ada Bob\nAda Zoe"), "truth, line 2, column 2: 'Zoe' is not one of the 5 nodes");
        assert_eq!(error(r#"[["Ada"], ["Zoe"]]"#), "truth: group 2: 'Zoe' is not one of the 5 nodes");
        assert_eq!(error(r#"[["Ada", null]]"#), "truth: group 1: a name is needed, not null");
        assert_eq!(error(r#"{"groups": ["Ada"]}"#), "truth: group 1: there is no list of members");
        assert!(error(r#"{"links": []}"#).starts_with("truth: there is no list of groups"));
        assert!(error("[[").starts_with("truth: EOF while parsing a list at line 1 column 2"));
        assert_eq!(error("# none\n"), "truth has no groups, or none with members");
        assert_eq!(error(r#"{"groups": []}"#), "truth has no groups, or none with members");
        assert_eq!(error("Ada Bob\n\"Bob\n"), "truth, line 2: a double quote is opened and not closed");
    }
}
