//! The network of a study, from the folder of the paper's networks.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use dlfrm::covariates::SideInfo;
use dlfrm_io::datasets::{self, FOLDER_VARIABLE};
use dlfrm_io::{Dataset, read_network};

use crate::args::{GlobalArgs, SideInfoArgs};
use crate::reproduce::{NetworkFacts, Subject};

/// A network and what is known of its entities.
pub(super) struct Data {
    pub(super) path: PathBuf,
    pub(super) dataset: Dataset,
    pub(super) facts: NetworkFacts,
    /// Nothing, unless attributes were asked for.
    known: SideInfo,
    pub(super) attributes_crc32: Option<String>,
}

impl Data {
    /// Reads the network of a subject, with the attributes of its entities if they are wanted.
    pub(super) fn read(
        folder: Option<&Path>,
        subject: &Subject,
        attributes: bool,
        common: &GlobalArgs,
    ) -> anyhow::Result<Self> {
        let Some(folder) = folder.map(Path::to_owned).or_else(datasets::folder) else {
            bail!(
                "the folder of the paper's networks is not known: name it by --data or in the variable {FOLDER_VARIABLE}"
            );
        };
        let known = subject.dataset();
        let path = known.path(&folder);
        let words = known.attributes.filter(|_| attributes).map(|file| folder.join(file));
        for (file, what) in [(Some(&path), "the network"), (words.as_ref(), "what is known of the entities")]
        {
            if let Some(missing) = file.filter(|file| !file.is_file()) {
                bail!(
                    "{}: there is no such file; it is {what} of {}: {}",
                    missing.display(),
                    subject.title,
                    known.origin
                );
            }
        }
        let dataset = read_network(&path, &known.options())?;
        for notice in dataset.report.notices() {
            common.notice(&format!("{}: {notice}", path.display()));
        }
        let as_in_the_paper = dataset.report.lines == known.lines as u64;
        if !as_in_the_paper {
            let (lines, expected) = (dataset.report.lines, known.lines);
            common.notice(&format!(
                "{}: it has {lines} lines where the network of the paper has {expected}, so it is another one",
                path.display()
            ));
        }
        let networks = || dataset.relations.iter().map(|relation| &relation.network);
        Ok(Self {
            facts: NetworkFacts {
                name: dataset.name.clone(),
                file: known.file,
                crc32: crc32(&path)?,
                entities: known.entities,
                links: networks().map(|network| network.links().len()).sum(),
                relations: dataset.relations.len(),
                directed: known.directed,
                as_in_the_paper,
            },
            attributes_crc32: words.as_deref().map(crc32).transpose()?,
            known: match words {
                None => SideInfo::default(),
                Some(file) => SideInfoArgs::attributes(file).read(&dataset, common)?,
            },
            dataset,
            path,
        })
    }

    /// What contenders are told beside the links.
    pub(super) fn given(&self, attributes: bool) -> SideInfo {
        if attributes { self.known.clone() } else { SideInfo::default() }
    }
}

fn crc32(file: &Path) -> anyhow::Result<String> {
    let bytes = fs::read(file).with_context(|| file.display().to_string())?;
    Ok(format!("{:08x}", crc32fast::hash(&bytes)))
}
