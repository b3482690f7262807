//! Writing splits to files, so that other programs can be evaluated on the same ones.

use std::path::Path;

use dlfrm::network::{Relation, Split, Unlisted};

use crate::model_file::{ModelFileError, write_file};

/// Writes the names of the entities, one per line. Read with the network, they give every split all entities in the same order.
pub fn write_entities(folder: &Path, relations: &[Relation]) -> Result<(), ModelFileError> {
    write_file(&folder.join(ENTITIES), names(relations).as_bytes())
}

const ENTITIES: &str = "entities.txt";

fn names(relations: &[Relation]) -> String {
    let names = relations[0].network.entities().names();
    names.iter().map(|name| field(name) + "\n").collect()
}

/// Whether a file is one that was written here, for the same entities.
pub fn is_of_a_split(file: &Path, content: &[u8], relations: &[Relation]) -> bool {
    if is_entities(file) {
        return content == names(relations).as_bytes();
    }
    let begins = |text: &str| content.starts_with(text.as_bytes());
    [TITLE, RELATION_TITLE].into_iter().any(begins)
        || [ALL, LISTED].into_iter().any(|rest| begins(&format!("# {rest}\n")))
}

/// Whether a file would have the entities of splits.
pub fn is_entities(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name == ENTITIES)
}

const TITLE: &str = "source\ttarget\tlabel\n";
const RELATION_TITLE: &str = "relation\tsource\ttarget\tlabel\n";
const ALL: &str = "every pair that is neither here nor in the test file is a non-link to learn from";
const LISTED: &str = "pairs that are not here are not learned from";

/// Writes a run's split of each relation into a folder: `run-1-train.tsv` and `run-1-test.tsv`, counted from 1.
///
/// Both have a header, names, and labels (1 a link, 0 a non-link, ? unobserved). Where all pairs that are neither held out
/// nor links are training non-links, the training file lists links only and says so in its first line.
pub fn write_split(
    folder: &Path,
    run: usize,
    relations: &[Relation],
    splits: &[Split],
) -> Result<(), ModelFileError> {
    let several = relations[0].name.is_some();
    let title = if several { RELATION_TITLE } else { TITLE };
    let listed = |split: &Split| split.train.non_link_share() < 1.0;
    let all = !splits.iter().any(listed)
        && relations.iter().all(|relation| relation.network.unlisted() == Unlisted::NonLink);
    let rest = if all { ALL } else { LISTED };
    let (mut train, mut test) = (format!("# {rest}\n{title}"), title.to_owned());
    for (relation, split) in relations.iter().zip(splits) {
        let name = relation.name.as_ref().map_or(String::new(), |name| field(name) + "\t");
        let entities = relation.network.entities();
        let row = |source: u32, target: u32, label: &str| {
            // The first column has the rows of a two-mode network, so that it is found again.
            let modes = relation.network.modes();
            let (source, target) = modes.map_or((source, target), |modes| modes.row_first((source, target)));
            format!("{name}{}\t{}\t{label}\n", field(entities.name(source)), field(entities.name(target)))
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
        if train.len() == before && !entities.is_empty() {
            // A pair of an entity with itself is set aside, but it keeps the relation in the file.
            train += &row(0, 0, "1");
        }
        for pair in &split.test {
            test += &row(pair.source, pair.target, label(pair.link));
        }
    }
    for (part, text) in [("train", train), ("test", test)] {
        write_file(&folder.join(format!("run-{run}-{part}.tsv")), text.as_bytes())?;
    }
    Ok(())
}

/// A name as a field that the readers of this crate read back.
pub fn field(name: &str) -> String {
    if name.contains(['\t', '\n', '\r', '"']) || name.starts_with(['#', '%', ' ']) || name.ends_with(' ') {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}
