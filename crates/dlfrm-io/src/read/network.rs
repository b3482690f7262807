//! Reading a network from a file: the way in.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use dlfrm::network::{Entities, Relation};

use super::collect::{Collector, Plan};
use super::comments::Comments;
use super::edge_list::{self, Table, too_many};
use super::error::ReadError;
use super::input::Input;
use super::lines::Lines;
use super::matrix_market;
use super::names::{Naming, Numbering};
use super::options::{Declared, ReadOptions};
use super::report::{Counts, ReadReport};

/// What a file of links holds.
#[derive(Debug, Clone)]
pub struct Dataset {
    /// The name of the file without its folder and endings: `kinship` for `data/kinship.tsv.gz`.
    pub name: String,
    /// One network a relation over the same entities; one without a name if the file has no relations.
    pub relations: Vec<Relation>,
    /// What was found of each relation, in their order.
    pub counts: Vec<Counts>,
    /// What was found and what people should know of it.
    pub report: ReadReport,
}

/// Reads a network from a file, plain or packed with gzip or zstd, or from standard input for `-`.
pub fn read_network(path: &Path, options: &ReadOptions) -> Result<Dataset, ReadError> {
    read(Input::open(path)?, options)
}

/// Reads a network from a stream; `name` stands for it in messages and names the data set.
pub fn parse_network(reader: impl Read, name: &str, options: &ReadOptions) -> Result<Dataset, ReadError> {
    read(Input::new(reader, name)?, options)
}

fn read(input: Input<'_>, options: &ReadOptions) -> Result<Dataset, ReadError> {
    let file = input.name.clone();
    let mut lines = Lines::new(input);
    let first = lines.next_line()?.map(str::to_owned);
    match first {
        Some(banner) if matrix_market::is_banner(&banner) => {
            let matrix = matrix_market::read(&banner, lines, options)?;
            let mut remarks = Vec::new();
            if matrix.symmetric && options.directed {
                remarks.push("the matrix is symmetric, so the network is undirected".to_owned());
            }
            if options.columns.is_some() {
                remarks.push("a Matrix Market file has no columns to name".to_owned());
            }
            let Assembly { relations, counts, mut report } = assemble(Parts {
                file: &file,
                collector: matrix.collector,
                entities: matrix.entities,
                places: None,
                relations: None,
                directed: options.directed && !matrix.symmetric,
                options,
                comments: Comments::default(),
                remarks,
            })?;
            report.lines = matrix.lines;
            report.weights = matrix.weights;
            report.stored_zeros = matrix.stored_zeros;
            Ok(Dataset { name: stem(&file), relations, counts, report })
        }
        first => {
            let naming = naming(&file, options)?;
            let table = Table::new(lines, first, options, naming.known())?;
            let list = edge_list::read(table, naming, options.max_entities)?;
            let (entities, places) = list.naming.finish();
            let Assembly { relations, counts, mut report } = assemble(Parts {
                file: &file,
                collector: list.collector,
                entities,
                places,
                relations: list.relations,
                directed: options.directed,
                options,
                comments: list.comments,
                remarks: list.remarks,
            })?;
            report.lines = list.lines;
            report.weights = list.weights;
            Ok(Dataset { name: stem(&file), relations, counts, report })
        }
    }
}

fn naming(file: &str, options: &ReadOptions) -> Result<Naming, ReadError> {
    let within = |count: usize| {
        let small = u32::try_from(count).ok().filter(|&count| count <= options.max_entities);
        small.ok_or_else(|| too_many(file, options.max_entities, "declared entities"))
    };
    Ok(match &options.entities {
        None => Naming::Free(Numbering::default()),
        Some(Declared::Count(count)) => Naming::Count(within(*count)?),
        Some(Declared::Names(names)) => {
            within(names.len())?;
            Naming::Known(Arc::new(names.iter().collect()))
        }
    })
}

/// What a file held, whatever its format.
struct Parts<'a> {
    file: &'a str,
    collector: Collector,
    entities: Arc<Entities>,
    places: Option<Vec<u32>>,
    relations: Option<Numbering>,
    directed: bool,
    options: &'a ReadOptions,
    comments: Comments,
    remarks: Vec<String>,
}

struct Assembly {
    relations: Vec<Relation>,
    counts: Vec<Counts>,
    report: ReadReport,
}

fn assemble(parts: Parts<'_>) -> Result<Assembly, ReadError> {
    let Parts { file, collector, entities, places, relations, directed, options, comments, mut remarks } =
        parts;
    let rows = collector.rows();
    let unlisted = options.unlisted.unwrap_or_else(|| collector.unlisted());
    let nodes = options.entities.is_none().then_some(entities.len());
    remarks.extend(comments.remarks(nodes, rows, directed));
    let relations = collector.finish(Plan {
        file,
        entities: entities.clone(),
        places,
        relations,
        directed,
        unlisted: options.unlisted,
    })?;
    let (relations, counts): (Vec<Relation>, Vec<Counts>) = relations.into_iter().unzip();
    let mut total = Counts::default();
    for counts in &counts {
        total.add(counts);
    }
    let mut linked = vec![false; entities.len()];
    for relation in &relations {
        for &(source, target) in relation.network.links() {
            linked[source as usize] = true;
            linked[target as usize] = true;
        }
    }
    let report = ReadReport {
        lines: 0,
        rows,
        counts: total,
        weights: None,
        stored_zeros: 0,
        entities: entities.len(),
        entities_without_links: linked.iter().filter(|&&linked| !linked).count(),
        directed,
        unlisted,
        unlisted_by_default: options.unlisted.is_none(),
        remarks,
    };
    Ok(Assembly { relations, counts, report })
}

/// The name of a file without its folder, `.gz` or `.zst`, and one more ending.
fn stem(file: &str) -> String {
    let name = Path::new(file).file_name().map_or(file, |name| name.to_str().unwrap_or(file));
    let unpacked = [".gz", ".zst"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
    let endings = ["tsv", "csv", "txt", "mtx", "edges", "edgelist", "el", "dat", "tab", "ncol"];
    match unpacked.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && endings.contains(&ending) => stem.to_owned(),
        _ => unpacked.to_owned(),
    }
}
