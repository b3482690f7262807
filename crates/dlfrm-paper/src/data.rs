//! The network of a study, from the folder of the paper's networks.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dlfrm::covariates::{Attributes, SideInfo};
use dlfrm_io::datasets;
use dlfrm_io::pieces::checksum;
use dlfrm_io::{Dataset, read_attributes, read_network};

use crate::benchmark::Benchmark;
use crate::error::{Error, Result};
use crate::results::NetworkFacts;

/// A network and the attributes of its nodes.
pub(crate) struct Data {
    pub(crate) path: PathBuf,
    pub(crate) dataset: Dataset,
    pub(crate) facts: NetworkFacts,
    /// Empty, unless attributes were asked for.
    side_info: SideInfo,
    pub(crate) attributes_crc32: Option<String>,
}

impl Data {
    /// Reads the network of a benchmark, with the attributes of its nodes if they are wanted; `warning` gets what the
    /// user should know of the files.
    pub(crate) fn read(
        folder: Option<&Path>,
        benchmark: &Benchmark,
        attributes: bool,
        warning: impl Fn(&str),
    ) -> Result<Self> {
        let folder = folder.map(Path::to_owned).or_else(datasets::folder).ok_or(Error::NoFolder)?;
        let known = benchmark.dataset();
        let path = known.path(&folder);
        let words = known.attributes.filter(|_| attributes).map(|file| folder.join(file));
        for (file, what) in [(Some(&path), "the network"), (words.as_ref(), "the attributes of the nodes")] {
            if let Some(missing) = file.filter(|file| !file.is_file()) {
                return Err(Error::Missing {
                    path: missing.clone(),
                    what,
                    network: benchmark.title,
                    origin: known.origin,
                });
            }
        }
        let dataset = read_network(&path, &known.options())?;
        for text in &dataset.report.warnings {
            warning(&format!("{}: {text}", path.display()));
        }
        let as_in_the_paper = dataset.report.lines == known.lines as u64;
        if !as_in_the_paper {
            let (lines, expected) = (dataset.report.lines, known.lines);
            warning(&format!(
                "{}: it has {lines} lines where the network of the paper has {expected}, so it is another one",
                path.display()
            ));
        }
        let networks = || dataset.relations.iter().map(|relation| &relation.network);
        Ok(Self {
            facts: NetworkFacts {
                name: dataset.name.clone(),
                file: known.file,
                crc32: checksum(&path)?,
                nodes: known.nodes,
                links: networks().map(|network| network.links().len()).sum(),
                relations: dataset.relations.len(),
                directed: known.directed,
                as_in_the_paper,
            },
            attributes_crc32: words.as_deref().map(checksum).transpose()?,
            side_info: match &words {
                None => SideInfo::default(),
                Some(file) => side_info(file, &dataset, warning)?,
            },
            dataset,
            path,
        })
    }

    /// What methods know beside the links.
    pub(crate) fn side_info(&self, attributes: bool) -> SideInfo {
        if attributes { self.side_info.clone() } else { SideInfo::default() }
    }
}

fn side_info(file: &Path, dataset: &Dataset, warning: impl Fn(&str)) -> Result<SideInfo> {
    let nodes = dataset.relations[0].network.nodes();
    let read = read_attributes(file, nodes)?;
    read.warnings.iter().for_each(|said| warning(&said.to_string()));
    let attributes = Attributes::new(nodes.len(), read.fields)
        .map_err(|source| Error::Network { path: file.to_owned(), cause: source })?;
    Ok(SideInfo { nodes: Some(Arc::new(attributes)), pairs: None })
}
