//! Model files: a fitted model in one file that is written complete or not at all.
//!
//! The layout is that of safetensors: a header, then arrays. The header's `__metadata__` has one entry, `dlfrm`:
//! a JSON object with the name and the version of the format, a checksum, and a manifest (settings, versions,
//! relations). The arrays hold the names of the nodes, the side information and, for each relation, its
//! links, draws and traces.

mod arrays;
mod checkpoint;
mod checkpoint_file;
mod draws;
mod error;
mod relation;
mod side_info;
mod state;
mod store;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use dlfrm::fit::FittedModel;
use dlfrm::network::Nodes;

pub use checkpoint::{CHECKPOINT_VERSION, checkpoint_from_bytes, checkpoint_to_bytes};
pub use checkpoint_file::{CheckpointFile, checkpoint_path, is_checkpoint, read_checkpoint};
pub use error::ModelFileError;
pub use store::{check_writable, is_model, remove_parts, write as write_file};

use arrays::{ArrayReader, ArrayWriter, Format};
use relation::{Manifest, RelationEntry, mode_numbers, read_modes};

/// The version of the format that this program reads and writes.
pub const FORMAT_VERSION: u32 = 7;

const MODEL: Format = Format { name: "dlfrm model", version: FORMAT_VERSION };

/// Writes the model to a file: when this returns, the file is complete on disk; on an error nothing of it
/// is there and a file that was there before is untouched.
pub fn save_model(model: &FittedModel, path: &Path) -> Result<(), ModelFileError> {
    store::write(path, &to_bytes(model))
}

/// Reads a model from a file.
pub fn load_model(path: &Path) -> Result<FittedModel, ModelFileError> {
    from_bytes(&store::read(path, &MODEL)?, &path.display().to_string())
}

/// The bytes of a model file.
pub fn to_bytes(model: &FittedModel) -> Vec<u8> {
    let mut arrays = ArrayWriter::default();
    arrays.names("nodes", model.nodes.names());
    if let Some(modes) = model.modes() {
        arrays.u32s("modes", mode_numbers(modes));
    }
    for (number, relation) in model.relations.iter().enumerate() {
        relation::write(relation, number, &mut arrays);
    }
    let side_info = side_info::write(&model.side_info(), &mut arrays);
    let manifest = Manifest {
        network: model.name.clone(),
        directed: model.directed,
        bipartite: model.modes().is_some(),
        interrupted: model.interrupted,
        versions: model.versions.clone(),
        settings: model.settings().clone(),
        side_info,
        relations: model.relations.iter().map(RelationEntry::new).collect(),
        state: model.state.as_ref().map(|fit| state::write(fit, &mut arrays)),
    };
    arrays.finish(&MODEL, &manifest)
}

/// Reads the bytes of a model file; `file` is its name in messages.
pub fn from_bytes(bytes: &[u8], file: &str) -> Result<FittedModel, ModelFileError> {
    let (manifest, arrays): (Manifest<'_>, _) = ArrayReader::new(bytes, file, &MODEL)?;
    let nodes = read_nodes(&arrays)?;
    if manifest.relations.is_empty() {
        return Err(arrays.broken("it has no relation"));
    }
    let side_info = side_info::read(&manifest.side_info, nodes.len(), manifest.directed, &arrays)?;
    let modes = read_modes(manifest.bipartite && !manifest.directed, nodes.len(), &arrays)?;
    let relations = manifest.relations.iter().enumerate().map(|(number, entry)| {
        relation::read(entry, number, &manifest, &side_info, modes.as_ref(), nodes.len(), &arrays)
    });
    let relations = relations.collect::<Result<_, _>>()?;
    let fit = manifest.state.map(|entry| state::read(entry, nodes.len(), &arrays)).transpose()?;
    Ok(FittedModel {
        relations,
        state: fit,
        name: manifest.network,
        nodes: Arc::new(nodes),
        directed: manifest.directed,
        interrupted: manifest.interrupted,
        versions: manifest.versions,
    })
}

fn read_nodes(arrays: &ArrayReader<'_>) -> Result<Nodes, ModelFileError> {
    let names = arrays.names("nodes")?;
    let nodes: Nodes = names.iter().collect();
    if nodes.len() == names.len() { Ok(nodes) } else { Err(arrays.broken("two nodes have one name")) }
}
