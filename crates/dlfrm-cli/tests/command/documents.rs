//! What the documents say: links lead somewhere, prose wraps, and commands print what is shown.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::shared::Folder;

const LESMIS: &[u8] = include_bytes!("../../../dlfrm-io/src/embedded/les-miserables.tsv");

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All pages with their texts.
fn pages() -> Vec<(PathBuf, String)> {
    let mut folders = vec![project().join("docs")];
    let mut files: Vec<PathBuf> = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "python/README.md"]
        .map(|file| project().join(file))
        .into();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                files.push(path);
            }
        }
    }
    files.sort();
    files.into_iter().map(|file| (file.clone(), fs::read_to_string(file).unwrap())).collect()
}

/// The lines of a page outside of code, with their numbers.
fn prose(text: &str) -> Vec<(usize, &str)> {
    let mut code = false;
    let mut lines = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            code = !code;
        } else if !code {
            lines.push((number + 1, line));
        }
    }
    lines
}

/// The anchors of a page, made from its headings as on GitHub.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = prose(text).into_iter().filter(|(_, line)| line.starts_with('#'));
    let anchor = |line: &str| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(|(_, line)| anchor(line)).collect()
}

/// The targets of the links of a line.
fn targets(line: &str) -> Vec<&str> {
    line.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target).collect()
}

#[test]
fn links_lead_somewhere() {
    let mut checked = 0;
    for (file, text) in pages() {
        // A link may be broken over two lines, between its words.
        let whole = prose(&text).into_iter().map(|(_, line)| line).collect::<Vec<_>>().join("\n");
        for target in targets(&whole) {
            if target.contains("://") {
                continue;
            }
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = if path.is_empty() { file.clone() } else { file.parent().unwrap().join(path) };
            assert!(path.exists(), "{}: {target} is not there", file.display());
            if !anchor.is_empty() {
                let there = anchors(&fs::read_to_string(&path).unwrap());
                assert!(there.contains(anchor), "{}: {target} is none of {there:?}", file.display());
            }
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked}");
}

/// Tables, formulas and what cannot be broken are as long as they are; pages of results are written by the program.
#[test]
fn prose_wraps_at_a_hundred_columns() {
    for (file, text) in pages() {
        if file
            .components()
            .any(|part| ["results", "CHANGELOG.md"].iter().any(|left| part.as_os_str() == *left))
        {
            continue;
        }
        for (number, line) in prose(&text) {
            let whole = ["|", "#", "![", "<!--", "    "].iter().any(|begin| line.starts_with(begin));
            assert!(whole || line.chars().count() <= 100, "{}, line {number}: {line}", file.display());
        }
    }
}

#[test]
fn the_readme_is_one_page() {
    let text = fs::read_to_string(project().join("README.md")).unwrap();
    assert!(text.lines().count() <= 100, "{} lines", text.lines().count());
}

/// Every page of the documentation can be found from its index.
#[test]
fn the_index_has_every_page() {
    let docs = project().join("docs").canonicalize().unwrap();
    let index = fs::read_to_string(docs.join("README.md")).unwrap();
    for (file, _) in pages() {
        let file = file.canonicalize().unwrap();
        let Ok(name) = file.strip_prefix(&docs) else { continue };
        if name.starts_with("results") || name == Path::new("README.md") {
            continue;
        }
        assert!(
            index.contains(&format!("({})", name.display())),
            "{} is not in docs/README.md",
            name.display()
        );
    }
}

/// The words of a text, without the times: those of a table that has a column of seconds, and what stands behind "about".
fn words(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut times = 0;
    for line in text.lines() {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        if let Some(column) = words.iter().position(|word| *word == "seconds") {
            times = words.len() - column;
        } else if times > 0
            && words.len() > times
            && words[words.len() - times..].iter().all(|word| word.parse::<f64>().is_ok())
        {
            words.truncate(words.len() - times);
        } else {
            times = 0;
        }
        all.extend(words);
    }
    let mut estimated = 0;
    all.retain(|word| {
        estimated = if *word == "about" { 2 } else { usize::saturating_sub(estimated, 1) };
        estimated != 1
    });
    all
}

/// Whether a text is what is shown, where `[...]` stands for any words.
fn matches(shown: &[&str], printed: &[&str]) -> bool {
    let parts: Vec<&[&str]> = shown.split(|word| *word == "[...]").collect();
    let mut rest = printed;
    for (number, part) in parts.iter().enumerate() {
        let last = number + 1 == parts.len();
        let found = match (number, last) {
            (0, true) => return *part == rest,
            (0, false) => rest.starts_with(part).then_some(0),
            (_, true) => rest.ends_with(part).then(|| rest.len() - part.len()),
            _ => (0..=rest.len().saturating_sub(part.len())).find(|start| rest[*start..].starts_with(part)),
        };
        let Some(start) = found else { return false };
        rest = &rest[start + part.len()..];
    }
    true
}

/// The commands of a page with what it shows them to print.
fn commands(text: &str) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for block in text.split("```text\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for part in format!("\n{block}").split("\n$ ").skip(1) {
            let (command, shown) = part.split_once('\n').unwrap_or((part, ""));
            all.push((command.to_owned(), shown.to_owned()));
        }
    }
    all
}

/// The README and the tutorial, word by word.
#[test]
fn commands_print_what_is_shown() {
    let folder = Folder::new();
    folder.write("les-miserables.tsv", LESMIS);
    let mut known: Vec<(String, String)> = Vec::new();
    let mut checked = 0;
    for page in ["docs/tutorial.md", "README.md"] {
        for (command, shown) in commands(&fs::read_to_string(project().join(page)).unwrap()) {
            if !known.iter().any(|(run, _)| *run == command) {
                let args: Vec<&str> = command.split_whitespace().collect();
                assert_eq!(args[0], "dlfrm", "{page}: {command}");
                known.push((command.clone(), folder.stdout(&args[1..])));
            }
            let (_, printed) = known.iter().find(|(run, _)| *run == command).unwrap();
            assert!(matches(&words(&shown), &words(printed)), "{page}: {command}\n{shown}\nis\n{printed}");
            checked += 1;
        }
    }
    assert!(checked >= 12, "{checked}");
    // The picture has the names and groups that the command draws now; places may differ in their last digits.
    let texts = |svg: &str| -> Vec<String> {
        let texts = svg.split("<text ").skip(1).filter_map(|text| text.split_once('>'));
        texts.map(|(_, text)| text.split('<').next().unwrap().to_owned()).collect()
    };
    let [drawn, kept] = [folder.path("les-miserables.svg"), project().join("docs/les-miserables.svg")]
        .map(|file| texts(&fs::read_to_string(file).unwrap()));
    assert!(drawn.len() > 77 && drawn == kept, "docs/les-miserables.svg is another picture");
}

/// The fields of objects, those of settings aside.
fn fields(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::Array(list) => list.iter().for_each(|one| fields(one, into)),
        Value::Object(object) => {
            for (name, value) in object {
                into.insert(name.clone());
                if !["settings", "versions"].contains(&name.as_str()) {
                    fields(value, into);
                }
            }
        }
        _ => {}
    }
}

/// docs/json.md names every field that a command prints.
#[test]
fn every_field_of_json_is_documented() {
    let folder = Folder::new();
    folder.fit_friends(&["--model", "dlfrm-l"]);
    folder.write("groups.txt", "Ada Bob Cleo Dan Eve\nFinn Gus Hal Ida Jo\n");
    folder.write("pairs.tsv", "Ada\tBob\n");
    let short = |args: &[&'static str]| {
        [args, &["--undirected", "-q", "--json", "--chains", "2", "--burn-in", "5", "--draws", "5"]].concat()
    };
    let page = fs::read_to_string(project().join("docs/json.md")).unwrap();
    let mut named = BTreeSet::new();
    for call in [
        short(&["fit", "friends.tsv", "-o", "again.dlfrm"]),
        short(&["evaluate", "friends.tsv", "--runs", "2", "--model", "linear,ra"]),
        short(&["tune", "friends.tsv", "--budget", "1"]),
        vec!["info", "friends.dlfrm", "--json"],
        vec!["features", "friends.dlfrm", "--truth", "groups.txt", "--json"],
        vec!["predict", "friends.dlfrm", "--pairs", "pairs.tsv", "--explain", "--json"],
        vec!["explain", "friends.dlfrm", "Ada", "Eve", "--json"],
        vec!["settings", "--json"],
    ] {
        fields(&folder.json(&call), &mut named);
    }
    // Scores have a mean, a deviation and an interval; the page has one of each.
    let score = |name: &str| {
        let endings = ["_mean", "_sd", "_low", "_high"];
        let base = endings.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
        page.contains(base)
    };
    let missing: Vec<&String> = named
        .iter()
        .filter(|name| {
            !page.contains(&format!("`{name}`")) && !page.contains(&format!("\"{name}\"")) && !score(name)
        })
        .collect();
    assert!(missing.is_empty() && named.len() > 60, "{missing:?} of {}", named.len());
}
