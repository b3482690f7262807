//! Splits as files, so that other programs can be evaluated on the same ones.

use std::path::{Path, PathBuf};

use dlfrm::network::{Relation, Unlisted};
use dlfrm::split::Split;

/// A file with the names of the nodes, one per line. Read with the network, they give every split all nodes in the same
/// order.
pub fn of_nodes(relations: &[Relation]) -> (String, String) {
    let names = relations[0].network.nodes().names();
    ("nodes.txt".to_owned(), names.iter().map(|name| field(name) + "\n").collect())
}

/// Files in a folder that have the names of further runs than the first so many, in order.
pub fn other_runs(folder: &Path, runs: usize) -> Vec<PathBuf> {
    let run = |path: &Path| -> Option<usize> {
        let name = path.file_name()?.to_str()?.strip_prefix("run-")?;
        let number = PARTS.iter().find_map(|part| name.strip_suffix(&format!("-{part}.tsv")))?;
        number.parse().ok().filter(|_| number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = files.filter(|file| run(file).is_some_and(|run| run > runs)).collect();
    files.sort_by_key(|file| (run(file), file.clone()));
    files
}

const PARTS: [&str; 2] = ["train", "test"];

const TITLE: &str = "source\ttarget\tlabel\n";
const RELATION_TITLE: &str = "relation\tsource\ttarget\tlabel\n";
const ALL: &str = "every pair that is neither here nor in the test file is a non-link to learn from";
const LISTED: &str = "pairs that are not here are not learned from";

/// The files of a run's split of each relation, each with its name: `run-1-train.tsv` and `run-1-test.tsv`, counted from 1.
///
/// Both have a header, names, and labels (1 a link, 0 a non-link, ? unobserved). Where all pairs that are neither held out
/// nor links are training non-links, the training file lists links only and says so in its first line.
pub fn of_run(run: usize, relations: &[Relation], splits: &[Split]) -> [(String, String); 2] {
    let several = relations[0].name.is_some();
    let title = if several { RELATION_TITLE } else { TITLE };
    let listed = |split: &Split| split.train.non_link_share() < 1.0;
    let all = !splits.iter().any(listed)
        && relations.iter().all(|relation| relation.network.unlisted() == Unlisted::NonLink);
    let rest = if all { ALL } else { LISTED };
    let (mut train, mut test) = (format!("# {rest}\n{title}"), title.to_owned());
    for (relation, split) in relations.iter().zip(splits) {
        let name = relation.name.as_ref().map_or(String::new(), |name| field(name) + "\t");
        let nodes = relation.network.nodes();
        let row = |source: u32, target: u32, label: &str| {
            // The first column has the rows of a bipartite network, so that it is found again.
            let modes = relation.network.modes();
            let (source, target) = modes.map_or((source, target), |modes| modes.row_first((source, target)));
            format!("{name}{}\t{}\t{label}\n", field(nodes.name(source)), field(nodes.name(target)))
        };
        let label = |link: bool| if link { "1" } else { "0" };
        let before = train.len();
        for pair in split.train.iter().filter(|pair| pair.link || !all) {
            train += &row(pair.source, pair.target, label(pair.link));
        }
        if all {
            for &(source, target) in relation.network.unobserved() {
                train += &row(source, target, "?");
                if !split.train.symmetric() && !relation.network.directed() {
                    train += &row(target, source, "?");
                }
            }
        }
        if train.len() == before && !nodes.is_empty() {
            // A pair of a node with itself is set aside, but it keeps the relation in the file.
            train += &row(0, 0, "1");
        }
        for pair in &split.test {
            test += &row(pair.source, pair.target, label(pair.link));
        }
    }
    let name = |part: &str| format!("run-{run}-{part}.tsv");
    [(name(PARTS[0]), train), (name(PARTS[1]), test)]
}

/// A name as a field that the readers of this crate read back.
pub fn field(name: &str) -> String {
    if name.contains(['\t', '\n', '\r', '"']) || name.starts_with(['#', '%', ' ']) || name.ends_with(' ') {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}
