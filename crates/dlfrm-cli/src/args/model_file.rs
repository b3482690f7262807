//! The arguments that name a fitted model.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use dlfrm::fit::{FittedModel, FittedRelation};
use dlfrm::posterior::Agreement;
use dlfrm_io::model_file::{ModelFileError, checkpoint_path, is_checkpoint};

use super::{GlobalArgs, Of};
use crate::words::{self, goes_on};

#[derive(Debug, Clone, Args)]
pub(crate) struct ModelFileArgs {
    /// A model that `dlfrm fit` saved
    #[arg(value_name = "MODEL")]
    pub(crate) file: PathBuf,
    /// Only this relation [default: all of them]
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub(crate) relation: Option<String>,
}

impl ModelFileArgs {
    pub(crate) fn load(&self) -> anyhow::Result<FittedModel> {
        load_model(&self.file)
    }

    /// What there is to say if chains do not agree on the predictions of the relations that the arguments name.
    pub(crate) fn disagreement(
        &self,
        model: &FittedModel,
        global: &GlobalArgs,
    ) -> anyhow::Result<Option<String>> {
        let relations = self.relations(model)?;
        if global.quiet {
            return Ok(None);
        }
        let found = relations.iter().map(|relation| relation.agreement());
        let disagree: Vec<_> = found.filter(Agreement::disagrees).collect();
        Ok(match (&disagree[..], relations.len()) {
            ([], _) => None,
            ([only], 1) => Some(words::probabilities(only)),
            (some, all) => Some(words::verdict_of_some(some.len(), all)),
        })
    }

    /// Says if the fit was ended early, and what there is to say of its chains.
    pub(crate) fn warn(&self, model: &FittedModel, disagreement: Option<String>, global: &GlobalArgs) {
        let early = "the fit was ended early and has fewer draws than its settings say".to_owned();
        let warnings = model.interrupted.then_some(early).into_iter().chain(disagreement);
        global.warnings(warnings.map(|warning| format!("{}: {warning}", self.file.display())));
    }

    pub(crate) fn relations<'a>(&self, model: &'a FittedModel) -> anyhow::Result<Vec<&'a FittedRelation>> {
        model.select(self.relation.as_deref()).of(&self.file)
    }

    pub(crate) fn node(&self, model: &FittedModel, name: &str) -> anyhow::Result<u32> {
        model.nodes.id(name).of(&self.file)
    }
}

/// Reads a model. A fit that was not finished is named, if it is what is there.
pub(crate) fn load_model(file: &Path) -> anyhow::Result<FittedModel> {
    let checkpoint = checkpoint_path(file);
    match dlfrm_io::load_model(file) {
        Ok(model) => Ok(model),
        Err(error @ ModelFileError::Missing { .. }) if is_checkpoint(&checkpoint) => {
            bail!("{error}, but {} has a fit that was not finished: {}", checkpoint.display(), goes_on(file))
        }
        Err(error) => match unfinished(file) {
            Some(unfinished) => bail!(unfinished),
            None => Err(error.into()),
        },
    }
}

pub(super) const NAMED_CHECKPOINT: &str = ".checkpoint";

/// What there is to say of a file that is the checkpoint of a fit that was not finished.
pub(crate) fn unfinished(file: &Path) -> Option<String> {
    let how = match model_of_checkpoint(file) {
        Some(model) => goes_on(&model),
        None => is_checkpoint(file).then(|| "its name must be MODEL.checkpoint".to_owned())?,
    };
    Some(format!("{} is the checkpoint of a fit that was not finished: {how}", file.display()))
}

pub(crate) fn model_of_checkpoint(file: &Path) -> Option<PathBuf> {
    let name = file.file_name()?.to_str()?.strip_suffix(NAMED_CHECKPOINT)?;
    (!name.is_empty() && is_checkpoint(file)).then(|| file.with_file_name(name))
}

/// Refuses a model of a fit that was not finished, for what needs its chains.
pub(crate) fn check_finished(model: &FittedModel, file: &Path) -> anyhow::Result<()> {
    let (name, checkpoint) = (file.display(), checkpoint_path(file));
    match model.interrupted && model.state.is_none() {
        false => Ok(()),
        true if checkpoint.exists() => bail!("{name}: the fit was not finished: {}", goes_on(file)),
        true => bail!("{name}: the fit was not finished, and {} is gone: fit again", checkpoint.display()),
    }
}
