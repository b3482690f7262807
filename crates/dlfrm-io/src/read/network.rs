//! Reading a network from a file: the way in.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use dlfrm::network::Relation;

use super::error::ReadError;
use super::format::Format;
use super::input::{Input, Lines};
use super::names::{Naming, Numbering};
use super::options::{Declared, ReadOptions};
use super::report::{Counts, DirectionBy, Looks, ReadReport, ReadWarning};
use super::rows::FileContents;
use super::table::unpacked;
use super::{adjacency, edge_list, graph, matrix_market};

/// What a file of links holds.
#[derive(Debug, Clone)]
pub struct Dataset {
    /// The name of the file without its folder and endings: `kinship` for `data/kinship.tsv.gz`.
    pub name: String,
    /// One network per relation, over the same nodes; one without a name if the file has no relations.
    pub relations: Vec<Relation>,
    /// What was found of each relation, in their order.
    pub counts: Vec<Counts>,
    /// What was read, in one line and as facts.
    pub report: ReadReport,
}

/// Reads a network from a file, plain or packed with gzip, zstd or bzip2, or from standard input for `-`.
pub fn read_network(path: &Path, options: &ReadOptions) -> Result<Dataset, ReadError> {
    read(Input::open(path)?, options)
}

/// Reads a network from a stream; messages and the data set use `name`.
pub fn parse_network(reader: impl Read, name: &str, options: &ReadOptions) -> Result<Dataset, ReadError> {
    read(Input::new(reader, name)?, options)
}

fn read(mut input: Input<'_>, options: &ReadOptions) -> Result<Dataset, ReadError> {
    let file = input.name.clone();
    let format = match options.format {
        Some(format) => format,
        None => Format::find(&input.head()?, &file),
    };
    let mut contents = match format {
        Format::Edges => edge_list::read(Lines::new(input)?, naming(&file, options)?, options)?,
        Format::Adjacency => adjacency::read(Lines::new(input)?, naming(&file, options)?, options)?,
        Format::Metis => adjacency::read_metis(Lines::new(input)?, options)?,
        Format::MatrixMarket => matrix_market::read(Lines::new(input)?, options)?,
        Format::GraphMl | Format::Gexf | Format::Gml | Format::Pajek => graph::read(format, input, options)?,
    };
    contents.report.format = format;
    dataset(&file, contents, options)
}

fn naming(file: &str, options: &ReadOptions) -> Result<Naming, ReadError> {
    let most = options.max_nodes;
    let naming = match &options.nodes {
        None => return Ok(Naming::Free(Numbering::default(), most)),
        Some(Declared::Count(count)) => Naming::Count(*count),
        Some(Declared::Names(names)) => Naming::Known(Arc::new(names.iter().collect())),
    };
    if naming.known() > most as usize {
        return Err(ReadError::too_many(file, most, "declared nodes"));
    }
    Ok(naming)
}

fn dataset(file: &str, contents: FileContents, options: &ReadOptions) -> Result<Dataset, ReadError> {
    let FileContents { rows, names, directed, mut modes, mut report } = contents;
    file.clone_into(&mut report.file);
    report.rows = rows.count;
    report.nodes = names.nodes.len();
    report.first_link = rows.first(&names);
    report.unlisted = options.unlisted.unwrap_or(rows.unlisted);
    if modes.is_none() && options.bipartite == Some(true) {
        modes = Some(rows.modes(file, &names)?);
        if let Some((name, count)) = rows.both_sides(&names) {
            report.warnings.push(ReadWarning::BothSides { name, count });
        }
    }
    (report.directed, report.directed_by) = match (directed, options.directed) {
        _ if modes.is_some() => (false, DirectionBy::Bipartite),
        // Nothing in the file says where a link begins.
        (Some((false, DirectionBy::Format)), asked) => {
            let added = options.adds_to_bipartite.is_some();
            report.warnings.extend((asked == Some(true) && !added).then_some(ReadWarning::Undirected));
            (false, DirectionBy::Format)
        }
        (_, Some(asked)) => (asked, DirectionBy::Options),
        (Some(said), None) => said,
        (None, None) => (true, DirectionBy::Default),
    };
    report.bipartite = modes.is_some();
    let looks_bipartite = options.bipartite.is_none() && modes.is_none() && rows.looks_bipartite(&names);
    let modes = modes.map(Arc::new);
    let relations = rows.into_networks(file, names, modes.as_ref(), report.directed, report.unlisted)?;
    let (relations, counts): (Vec<Relation>, Vec<Counts>) = relations.into_iter().unzip();
    for counts in &counts {
        report.counts.add(counts);
    }
    report.relations = relations.len();
    let mut linked = vec![false; report.nodes];
    for &(source, target) in relations.iter().flat_map(|relation| relation.network.links()) {
        linked[source as usize] = true;
        linked[target as usize] = true;
    }
    report.nodes_without_links = linked.iter().filter(|&&linked| !linked).count();
    let (links, both) = (report.counts.links, 2 * report.counts.both_directions);
    let looks_undirected =
        report.directed && report.directed_by == DirectionBy::Default && links > 0 && 10 * both >= 9 * links;
    report.looks = match (looks_bipartite, looks_undirected) {
        (true, _) => Some(Looks::Bipartite),
        (_, true) => Some(Looks::Undirected),
        _ => None,
    };
    Ok(Dataset { name: stem(file), relations, counts, report })
}

/// The name of a file without its folder, the ending of its compression, and one more ending.
fn stem(file: &str) -> String {
    let name = Path::new(file).file_name().map_or(file, |name| name.to_str().unwrap_or(file));
    let name = unpacked(name);
    let stem = name.rsplit_once('.').map(|(stem, _)| stem).filter(|stem| !stem.is_empty());
    stem.unwrap_or(name).to_owned()
}
