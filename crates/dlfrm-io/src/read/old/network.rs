//! Reading a network from a file: the way in.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use dlfrm::network::Relation;

use super::binary::is_model;
use super::collect::FileContents;
use super::edge_list;
use super::error::ReadError;
use super::foreign::{Foreign, foreign};
use super::graph;
use super::input::Input;
use super::layout::ENDS;
use super::lines::Lines;
use super::matrix_market;
use super::names::{Naming, Numbering};
use super::odd::{
    alike, colons, comments_behind, kept_quotes, marks_around, missing, nearly_bipartite, odd_relations,
    rewritten,
};
use super::options::{Declared, ReadOptions};
use super::report::{Counts, ReadReport};
use super::table::Table;
use super::titles::{is_title, titles_a_list};

/// What a file of links holds.
#[derive(Debug, Clone)]
pub struct Dataset {
    /// The name of the file without its folder and endings: `kinship` for `data/kinship.tsv.gz`.
    pub name: String,
    /// One network per relation, over the same nodes; one without a name if the file has no relations.
    pub relations: Vec<Relation>,
    /// What was found of each relation, in their order.
    pub counts: Vec<Counts>,
    /// Counts over the whole file, and warnings for the user.
    pub report: ReadReport,
}

/// Reads a network from a file, plain or packed with gzip or zstd, or from standard input for `-`.
pub fn read_network(path: &Path, options: &ReadOptions) -> Result<Dataset, ReadError> {
    read(Input::open(path)?, options)
}

/// Reads a network from a stream; messages and the data set use `name`.
pub fn parse_network(reader: impl Read, name: &str, options: &ReadOptions) -> Result<Dataset, ReadError> {
    read(Input::new(reader, name)?, options)
}

fn read(mut input: Input<'_>, options: &ReadOptions) -> Result<Dataset, ReadError> {
    let file = input.name.clone();
    let head = input.head()?;
    if is_model(&head) {
        let needed = "a file of links is needed (dlfrm export writes those of a model)";
        return Err(ReadError::Model { file, needed });
    }
    match foreign(&head) {
        Some(Foreign::Read(format)) => return dataset(&file, graph::read(format, input, options)?, options),
        Some(Foreign::Refused(name, how)) => return Err(ReadError::Foreign { file, name, how: how.into() }),
        None => {}
    }
    let mut lines = Lines::new(input);
    let first = lines.next_line()?.map(str::to_owned);
    let contents = match first {
        Some(banner) if matrix_market::is_banner(&banner) => matrix_market::read(&banner, lines, options)?,
        first => {
            let naming = naming(&file, options)?;
            let table = Table::new(lines, first, options, naming.known(), &ENDS)?;
            edge_list::read(table, naming, options)?
        }
    };
    dataset(&file, contents, options)
}

fn naming(file: &str, options: &ReadOptions) -> Result<Naming, ReadError> {
    let within = |count: usize| {
        let small = u32::try_from(count).ok().filter(|&count| count <= options.max_nodes);
        small.ok_or_else(|| ReadError::too_many(file, options.max_nodes, "declared nodes"))
    };
    Ok(match &options.nodes {
        None => Naming::Free(Numbering::default()),
        Some(Declared::Count(count)) => Naming::Count(within(*count)?),
        Some(Declared::Names(names)) => {
            within(names.len())?;
            Naming::Known(Arc::new(names.iter().collect()))
        }
    })
}

fn dataset(file: &str, contents: FileContents, options: &ReadOptions) -> Result<Dataset, ReadError> {
    let FileContents {
        rows,
        names,
        directed,
        directed_by_default,
        first_row_is_link,
        weights,
        stored_zeros,
        lines,
        comments,
        mut remarks,
        mut modes,
        unclear,
        kinds,
    } = contents;
    let count = rows.count();
    let unlisted = options.unlisted.unwrap_or_else(|| rows.unlisted());
    let nodes = names.nodes.len();
    remarks.extend(comments.remarks(options.nodes.is_none().then_some(nodes), count, directed));
    remarks.extend(comments.row_remarks(&names.nodes));
    if options.nodes.is_none() {
        remarks.extend(missing(&rows, &names));
        remarks.extend(kept_quotes(names.nodes.names()));
        remarks.extend(comments_behind(&names.nodes));
        remarks.extend(colons(&rows, &names).or_else(|| marks_around(&names.nodes)));
        remarks.extend(rewritten(&names.nodes));
    }
    // Names of a file that adds to a network are compared with those of the network, too (`alike_names`).
    if options.adds_to.is_none() {
        remarks.extend(alike(names.nodes.names(), "nodes"));
    }
    if let Some(relations) = names.relations.as_ref().map(Numbering::names) {
        remarks.extend(alike(&relations, "relations"));
        remarks.extend(odd_relations(&relations, &rows.of_relations()));
    }
    if modes.is_none() {
        modes = rows.modes(file, &names, options.bipartite)?;
        remarks.extend(match &modes {
            Some(modes) => Some(modes.warning(options.bipartite)),
            None if options.bipartite.is_none() => nearly_bipartite(&rows, &names, kinds.is_some()),
            None => None,
        });
    }
    remarks.extend(modes.as_ref().and_then(|modes| modes.without_mode(&names.nodes)));
    // A link between two kinds of nodes has no direction.
    let directed = directed && modes.is_none();
    if let Some([source, target]) = unclear.filter(|_| directed) {
        // Said of the header where that is reported.
        if let Some(header) = remarks.iter_mut().find(|remark| remark.ends_with(") was taken for a header")) {
            *header = format!("{header}: links go from {source} to {target}");
        }
    }
    let modes = modes.map(Arc::new);
    let is_count = matches!(options.nodes, Some(Declared::Count(_)));
    let no_row_has_0 = is_count && names.nodes.name(0) == "0" && rows.with_node(&names, 0) == 0;
    let relations = rows.into_networks(file, names, modes.as_ref(), directed, unlisted)?;
    let (relations, counts): (Vec<Relation>, Vec<Counts>) = relations.into_iter().unzip();
    let mut total = Counts::default();
    for counts in &counts {
        total.add(counts);
    }
    let mut linked = vec![false; nodes];
    for &(source, target) in relations.iter().flat_map(|relation| relation.network.links()) {
        linked[source as usize] = true;
        linked[target as usize] = true;
    }
    let isolated = linked.iter().filter(|&&linked| !linked).count();
    if let Some(Declared::Names(names)) = &options.nodes
        && (is_title(&names[0]) || isolated == 1 && titles_a_list(names))
        && !linked[0]
    {
        let first = &names[0];
        remarks.push(format!(
            "'{first}' is the first of the declared nodes and has no link: if it is a title, take it out of the list"
        ));
    }
    if no_row_has_0 && isolated == 1 && !linked[0] {
        remarks.push(
            "0 is the only one of the declared ids without a link: if ids begin at 1, there is no such node, so leave --nodes \
             out"
                .to_owned(),
        );
    }
    let report = ReadReport {
        lines,
        rows: count,
        counts: total,
        weights,
        stored_zeros,
        nodes,
        nodes_without_links: isolated,
        directed,
        unlisted,
        unlisted_by_default: options.unlisted.is_none(),
        directed_by_default,
        first_row_is_link,
        remarks,
    };
    Ok(Dataset { name: stem(file), relations, counts, report })
}

/// The name of a file without its folder, `.gz` or `.zst`, and one more ending.
fn stem(file: &str) -> String {
    let name = Path::new(file).file_name().map_or(file, |name| name.to_str().unwrap_or(file));
    let unpacked = [".gz", ".zst"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
    let endings = [
        "tsv", "csv", "txt", "mtx", "edges", "edgelist", "el", "dat", "tab", "ncol", "graphml", "gexf",
        "gml", "net",
    ];
    match unpacked.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && endings.contains(&ending) => stem.to_owned(),
        _ => unpacked.to_owned(),
    }
}
