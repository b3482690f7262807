//! The arguments that say which fitted model to ask.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use dlfrm::fit::{FittedModel, FittedRelation};

/// A model file, or one relation of it.
#[derive(Debug, Clone, Args)]
pub(crate) struct ModelFileArgs {
    /// A model that `dlfrm fit` saved
    #[arg(value_name = "MODEL")]
    pub(crate) file: PathBuf,
    /// Only this relation [default: all of them]
    #[arg(long, value_name = "NAME")]
    relation: Option<String>,
}

impl ModelFileArgs {
    /// Reads the model.
    pub(crate) fn load(&self) -> anyhow::Result<FittedModel> {
        Ok(dlfrm_io::load_model(&self.file)?)
    }

    /// The relations that were asked for.
    pub(crate) fn relations<'a>(&self, model: &'a FittedModel) -> anyhow::Result<Vec<&'a FittedRelation>> {
        let Some(name) = &self.relation else {
            return Ok(model.relations.iter().collect());
        };
        if let Some(relation) = model.relation(name) {
            return Ok(vec![relation]);
        }
        let file = self.file.display();
        let known: Vec<_> = model.relations.iter().filter_map(|relation| relation.name.as_deref()).collect();
        if known.is_empty() {
            bail!("{file}: the model has no relations, so none is called '{name}'");
        }
        bail!("{file}: no relation is called '{name}'; there are {}", known.join(", "))
    }
}
