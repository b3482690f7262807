//! Reading files whose lines are lists: names, one per line, groups of nodes, and words of nodes.

use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::path::Path;

use dlfrm::network::Nodes;
use serde_json::Value;

use super::cells::{Fact, TableWarning, missing};
use super::error::{Location, ReadError};
use super::fields::{Delimiter, Fields};
use super::input::{Input, Lines, skipped};
use super::options::ReadOptions;
use super::table::of_ending;

/// Fewer lines do not show that they are nodes with their groups.
const FEW: usize = 3;

/// Reads names, one per line, from a file (standard input for `-`). Blank lines and comments are skipped; a name that begins
/// with `#` or `%` must be in double quotes. A repeated name is an error.
pub fn read_names(path: &Path) -> Result<Vec<String>, ReadError> {
    names(Input::open(path)?)
}

/// Reads names from a stream (see [`read_names`]); `name` is its name in messages.
pub fn parse_names(reader: impl Read, name: &str) -> Result<Vec<String>, ReadError> {
    names(Input::new(reader, name)?)
}

fn names(input: Input<'_>) -> Result<Vec<String>, ReadError> {
    let most = ReadOptions::default().max_nodes;
    let mut lines = Lines::new(input)?;
    let mut seen: HashMap<String, u64> = HashMap::new();
    let mut all = Vec::new();
    let mut fields = Fields::default();
    while let Some(line) = lines.next_line()? {
        if skipped(line) {
            continue;
        }
        let line = line.trim_ascii();
        let mut name = line.to_owned();
        if line.starts_with('"') {
            if fields.cut(line, Delimiter::Tab).is_err() {
                return Err(ReadError::open_quote(lines.file(), lines.number));
            }
            if fields.len() == 1 {
                name = fields.get(line, 0).into_owned();
            }
        }
        if all.len() as u64 == u64::from(most) {
            return Err(ReadError::too_many(lines.file(), most, "names"));
        }
        if let Some(first) = seen.insert(name.clone(), lines.number) {
            let what = format!("the name '{name}' is in line {first} already");
            return Err(ReadError::Repeated(lines.location(), what));
        }
        all.push(name);
    }
    if all.is_empty() { Err(ReadError::empty(lines.file(), "has no names")) } else { Ok(all) }
}

/// Lines cut into cells, as many as each line has.
pub(super) struct Lists {
    pub(super) rows: Vec<(u64, Vec<String>)>,
    /// How many comments there are below the first one.
    comments: u64,
}

impl Lists {
    /// Cuts the lines of a file at tabs if there are any, else at commas, else at spaces.
    pub(super) fn read(bytes: &[u8], file: &str) -> Result<Self, ReadError> {
        let mut lines = Lines::new(Input::new(bytes, file)?)?;
        let mut texts: Vec<(u64, String)> = vec![];
        let mut comments = 0;
        while let Some(line) = lines.next_line()? {
            if !skipped(line) {
                let text = line.to_owned();
                texts.push((lines.number, text));
            } else if !texts.is_empty() {
                comments += u64::from(!line.trim_ascii().is_empty());
            }
        }
        let Some((_, first)) = texts.first() else {
            return Err(ReadError::empty(file, "has no rows"));
        };
        let mut fields = Fields::default();
        let delimiter = of_ending(file, first).unwrap_or_else(|| {
            let mut cuts = |delimiter: &Delimiter| {
                let mut one =
                    |text: &str| fields.cut(text, *delimiter).is_ok() && fields.len() > 1 && !fields.stray();
                texts.iter().any(|(_, text)| one(text))
            };
            [Delimiter::Tab, Delimiter::Comma].into_iter().find(&mut cuts).unwrap_or(Delimiter::Spaces)
        });
        let mut rows = Vec::with_capacity(texts.len());
        for (line, text) in texts {
            fields.cut(&text, delimiter).map_err(|_| ReadError::open_quote(file, line))?;
            let mut cells = fields.to_vec(&text);
            // A delimiter may be at the end of a line.
            while cells.len() > 2 && cells.last().is_some_and(String::is_empty) {
                cells.pop();
            }
            rows.push((line, cells));
        }
        Ok(Self { rows, comments })
    }
}

pub(super) fn first_name(bytes: &[u8], file: &str) -> Result<Option<String>, ReadError> {
    let mut lines = Lines::new(Input::new(bytes, file)?)?;
    while let Some(line) = lines.next_line()? {
        if !skipped(line) {
            let line = line.to_owned();
            return Ok(Lists::read(line.as_bytes(), file)?.rows.swap_remove(0).1.into_iter().next());
        }
    }
    Ok(None)
}

/// Groups of nodes from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadGroups {
    /// The members of each group.
    pub groups: Vec<Vec<u32>>,
    /// How lines were understood, if they are no groups.
    pub warnings: Vec<TableWarning>,
}

/// Reads groups of nodes from a file (standard input for `-`): JSON, or plain text with one group per line.
///
/// JSON has lists of names, under `groups` or `features` with `members` unless they are all. A line of plain text is a node
/// and its groups, as the LFR benchmark writes it, if lines begin with different nodes and groups are repeated.
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
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let (groups, facts) = match text.trim_ascii_start().first() {
        Some(b'{' | b'[') => (from_json(text, &file, nodes)?, vec![]),
        _ => from_lines(Lists::read(text, &file)?, &file, nodes)?,
    };
    if groups.iter().all(Vec::is_empty) {
        return Err(ReadError::empty(&file, "has no groups, or none with members"));
    }
    Ok(ReadGroups { groups, warnings: TableWarning::all(&file, facts) })
}

type Groups = (Vec<Vec<u32>>, Vec<Fact>);

fn from_lines(lists: Lists, file: &str, nodes: &Nodes) -> Result<Groups, ReadError> {
    let Lists { rows, comments } = lists;
    let member = |line: u64, column: usize, name: &String| {
        let location = Location::line(file, line).field(column);
        nodes.get(name).ok_or_else(|| ReadError::unknown(location, name, nodes.len(), false))
    };
    let group = |(line, cells): &(u64, Vec<String>)| {
        let cells = cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty());
        cells.map(|(column, cell)| member(*line, column, cell)).collect()
    };
    let (groups, mut facts) = if let Some(found) = by_node(&rows, nodes) {
        found
    } else {
        (rows.iter().map(group).collect::<Result<_, _>>()?, vec![])
    };
    facts.extend(super::cells::comments(comments));
    Ok((groups, facts))
}

/// The groups of lines that have a node and its groups each; a header is skipped.
fn by_node(rows: &[(u64, Vec<String>)], nodes: &Nodes) -> Option<Groups> {
    let (first, others) = rows.split_first()?;
    // Titles stand in no other line; a node that is not known has a group that others have, too.
    let again = |group: &String| others.iter().any(|(_, cells)| cells.get(1) == Some(group));
    let title = first.1.len() == 2 && nodes.get(&first.1[0]).is_none() && !again(&first.1[1]);
    let rows = if title { others } else { rows };
    let number = |word: &str| word.parse::<u64>().is_ok();
    // Numbers of several groups may be in one cell.
    let numbers = rows.iter().all(|(_, cells)| cells.len() == 2 && cells[1].split_whitespace().all(number));
    let mut begun = HashSet::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut groups: Vec<Vec<u32>> = vec![];
    let mut without = 0;
    for (_, cells) in rows {
        let (name, cells) = cells.split_first().filter(|(_, cells)| !cells.is_empty())?;
        let node = nodes.get(name).filter(|&node| begun.insert(node))?;
        let words: Vec<&str> = if numbers {
            cells[0].split_whitespace().collect()
        } else {
            cells.iter().map(String::as_str).filter(|cell| !missing(cell)).collect()
        };
        without += usize::from(words.is_empty());
        for word in words {
            let group = *known.entry(word).or_insert(groups.len());
            if group == groups.len() {
                groups.push(vec![]);
            }
            if groups[group].last() != Some(&node) {
                groups[group].push(node);
            }
        }
    }
    let grouped = rows.len() - without;
    let repeated = grouped >= FEW && 2 * groups.len() <= grouped;
    // Where all groups are called like nodes, lines could be groups: of some nodes, and not of most.
    let called_like_nodes = known.keys().all(|group| nodes.get(group).is_some());
    let by_node = repeated && (!called_like_nodes || 2 * rows.len() > nodes.len());
    by_node.then(|| {
        (groups, vec![("node-and-groups", "each line was read as a node and its groups".to_owned())])
    })
}

fn from_json(bytes: &[u8], file: &str, nodes: &Nodes) -> Result<Vec<Vec<u32>>, ReadError> {
    let refused = |what: String| ReadError::Syntax(Location::file(file), what);
    let value: Value = serde_json::from_slice(bytes).map_err(|error| refused(error.to_string()))?;
    let lists = |value| Value::get(value, "groups").or_else(|| value.get("features"));
    let only = value.as_array().filter(|all| all.len() == 1).map_or(&value, |all| &all[0]);
    let Some(lists) = lists(only).unwrap_or(&value).as_array() else {
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

    #[test]
    fn names_are_one_per_line() {
        let read = |text: &str| parse_names(text.as_bytes(), "names");
        let quoted = read("# all\nDoe, J\n\n \"#tag\" \r\nBob \"B\" Roe").unwrap();
        assert_eq!(quoted, ["Doe, J", "#tag", "Bob \"B\" Roe"]);
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(error("a\nb\na\n"), "names, line 3: the name 'a' is in line 1 already");
        assert_eq!(error(""), "names has no names");
        assert!(error("\"a").contains("not closed"));
    }

    fn groups_of(text: &str, nodes: &[&str]) -> Result<ReadGroups, ReadError> {
        parse_groups(text.as_bytes(), "truth", &nodes.iter().collect())
    }

    #[test]
    fn groups_are_lines_or_lists() {
        let nodes = ["Ada", "Bob", "Cleo", "7", "Doe, J"];
        let read = |text: &str| groups_of(text, &nodes).map(|found| found.groups);
        for text in [
            "Ada Bob\nBob 7 Cleo\n",
            "# two\n\nAda\tBob\t\nBob\t7\tCleo",
            "Ada,Bob\n\"Bob\",7,Cleo\n",
            r#"{"nodes": 5, "groups": [["Ada", "Bob"], ["Bob", "7", "Cleo"]]}"#,
            r#" [["Ada", "Bob"], ["Bob", 7, "Cleo"]]"#,
            r#"{"features": [{"members": ["Ada", "Bob"]}, {"members": [{"name": "Bob"}, 7, "Cleo"]}]}"#,
            r#"[{"features": [{"members": ["Ada", "Bob"]}, {"members": ["Bob", "7", "Cleo"]}]}]"#,
        ] {
            assert_eq!(read(text).unwrap(), [vec![0, 1], vec![1, 3, 2]], "{text}");
        }
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(error("Ada Bob\nBob Zoe\n"), "truth, line 2, column 2: 'Zoe' is not one of the 5 nodes");
        assert_eq!(error(r#"[["Ada", "Zoe"]]"#), "truth: group 1: 'Zoe' is not one of the 5 nodes");
        assert_eq!(error(r#"[["Ada", true]]"#), "truth: group 1: a name is needed, not true");
        assert_eq!(error("[[]]"), "truth has no groups, or none with members");
        assert!(error("[[\"Ada\"").starts_with("truth: EOF"));
    }

    #[test]
    fn lines_may_have_a_node_and_its_groups() {
        let nodes = ["1", "2", "3", "4", "5", "6"];
        let read = |text: &str| groups_of(text, &nodes).unwrap();
        for text in [
            "1\t2\n2\t2\n3\t1\n4\t2\n5\t1\n6\t1\n",
            "1 red \n2 red\n3 blue\n4 red\n5 blue\n6 blue\n",
            "node,community\n1,2\n2,2\n3,1\n4,2\n5,1\n6,1\n",
        ] {
            let found = read(text);
            assert_eq!(found.groups, [vec![0, 1, 3], vec![2, 4, 5]], "{text}");
            assert_eq!(found.warnings[0].to_string(), "truth: each line was read as a node and its groups");
        }
        let found = read("1\t2 \n2\t2 1 \n3\t1 \n4\t2 \n5\t1 \n6\t1 \n");
        assert_eq!(found.groups, [vec![0, 1, 3], vec![1, 2, 4, 5]]);
        let found = read("1\tred team\n2\tred team\n3\tNA\n4\tblue\n5\tblue\n6\tblue\n");
        assert_eq!(found.groups, [vec![0, 1], vec![3, 4, 5]]);
        let error = groups_of("0 1\n1 2\n2 2\n3 1\n4 2\n5 1\n", &nodes).unwrap_err().to_string();
        assert_eq!(error, "truth, line 1, column 1: '0' is not one of the 6 nodes");
        // Groups of two and of three nodes.
        for (text, groups) in [
            ("1 2\n3 4\n5 6\n", vec![vec![0, 1], vec![2, 3], vec![4, 5]]),
            ("1 2 3\n4 5 6\n1 4\n", vec![vec![0, 1, 2], vec![3, 4, 5], vec![0, 3]]),
            ("1 2\n3 2\n4 2\n", vec![vec![0, 1], vec![2, 1], vec![3, 1]]),
        ] {
            assert_eq!(read(text), ReadGroups { groups, warnings: vec![] }, "{text}");
        }
    }
}
