//! Model files: what a fit leaves, in one file that is written complete or not at all.
//!
//! The layout is that of safetensors: a header, then arrays. The header's `__metadata__` has one entry, `dlfrm`:
//! a JSON object with the name and the version of the format, a checksum, and a manifest (settings, versions,
//! relations). The arrays hold the names of the entities, what was given beside the links and, for each relation, its
//! links, draws and traces.

mod arrays;
mod error;
mod given;
mod manifest;
mod relation;
mod store;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use dlfrm::covariates::Given;
use dlfrm::model::Settings;
use dlfrm::network::Entities;
use dlfrm::posterior::Posterior;

pub use error::ModelFileError;
pub use manifest::Versions;
pub use store::{check_writable, write as write_file};

use arrays::{ArrayReader, ArrayWriter};
use manifest::{Manifest, RelationEntry};

/// The version of the format that this program reads and writes.
pub const FORMAT_VERSION: u32 = 4;

/// Everything that a fit to a network leaves.
#[derive(Debug, Clone)]
pub struct FittedModel {
    /// The name of the network.
    pub name: String,
    /// Its entities.
    pub entities: Arc<Entities>,
    /// Whether a link has a direction.
    pub directed: bool,
    /// Whether the fit was ended before its time.
    pub interrupted: bool,
    /// What the model was fitted with.
    pub versions: Versions,
    /// One fit a relation; one without a name if the network has no relations.
    pub relations: Vec<FittedRelation>,
}

/// The fit of one relation.
#[derive(Debug, Clone)]
pub struct FittedRelation {
    /// Its name, if the network has relations.
    pub name: Option<String>,
    /// Draws and traces.
    pub posterior: Posterior,
    /// The links that the model learned from, sorted; an undirected link once, smaller id first.
    pub links: Vec<(u32, u32)>,
    /// How many pairs it learned from, as the network counts them.
    pub observed: u64,
    /// How long the fit took.
    pub seconds: f64,
}

impl FittedModel {
    /// The settings of the fit.
    ///
    /// # Panics
    /// If the model has no relation: neither a fit nor a file makes one.
    pub fn settings(&self) -> &Settings {
        self.relations[0].posterior.settings()
    }

    /// What the fit was given beside the links.
    pub fn given(&self) -> Given {
        self.relations[0].posterior.covariates().map_or_else(Given::default, |known| known.given().clone())
    }

    /// The relation of this name.
    pub fn relation(&self, name: &str) -> Option<&FittedRelation> {
        self.relations.iter().find(|relation| relation.name.as_deref() == Some(name))
    }

    /// Writes the model to a file: when this returns, the file is complete on disk; on an error nothing of it
    /// is there and a file that was there before is untouched.
    pub fn save(&self, path: &Path) -> Result<(), ModelFileError> {
        store::write(path, &self.to_bytes())
    }

    /// Reads a model from a file.
    pub fn load(path: &Path) -> Result<Self, ModelFileError> {
        Self::from_bytes(&store::read(path)?, &path.display().to_string())
    }

    /// The bytes of a model file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut arrays = ArrayWriter::default();
        arrays.names("entities", self.entities.names());
        for (number, relation) in self.relations.iter().enumerate() {
            relation::write(relation, number, &mut arrays);
        }
        let given = given::write(&self.given(), &mut arrays);
        arrays.finish(&Manifest {
            network: self.name.clone(),
            directed: self.directed,
            interrupted: self.interrupted,
            versions: self.versions.clone(),
            settings: self.settings().clone(),
            given,
            relations: self.relations.iter().map(RelationEntry::new).collect(),
        })
    }

    /// Reads the bytes of a model file; `file` stands for it in messages.
    pub fn from_bytes(bytes: &[u8], file: &str) -> Result<Self, ModelFileError> {
        let (manifest, arrays) = ArrayReader::new(bytes, file)?;
        let names = arrays.names("entities")?;
        let entities: Entities = names.iter().collect();
        if entities.len() != names.len() {
            return Err(arrays.broken("two entities have one name"));
        }
        if manifest.relations.is_empty() {
            return Err(arrays.broken("it has no relation"));
        }
        let given = given::read(&manifest.given, entities.len(), manifest.directed, &arrays)?;
        let relations =
            manifest.relations.iter().enumerate().map(|(number, entry)| {
                relation::read(entry, number, &manifest, &given, entities.len(), &arrays)
            });
        Ok(Self {
            relations: relations.collect::<Result<_, _>>()?,
            name: manifest.network,
            entities: Arc::new(entities),
            directed: manifest.directed,
            interrupted: manifest.interrupted,
            versions: manifest.versions,
        })
    }
}
