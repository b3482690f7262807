//! The arguments that name a fitted model.

use std::path::PathBuf;

use anyhow::Context;
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

    /// The relations that the arguments name.
    pub(crate) fn relations<'a>(&self, model: &'a FittedModel) -> anyhow::Result<Vec<&'a FittedRelation>> {
        model.select(self.relation()).with_context(|| self.file.display().to_string())
    }

    /// The name of the relation, if the arguments have one.
    pub(crate) fn relation(&self) -> Option<&str> {
        self.relation.as_deref()
    }
}
