//! The arguments that name a fitted model.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use dlfrm::fit::{FittedModel, FittedRelation};
use dlfrm::posterior::Agreement;
use dlfrm_io::model_file::{ModelFileError, checkpoint_path, is_checkpoint, read_checkpoint};

use super::global::GlobalArgs;

/// A model file, or one relation of it.
#[derive(Debug, Clone, Args)]
pub(crate) struct ModelFileArgs {
    /// A model that `dlfrm fit` saved
    #[arg(value_name = "MODEL")]
    pub(crate) file: PathBuf,
    /// Only this relation [default: all of them]
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    relation: Option<String>,
}

impl ModelFileArgs {
    /// Reads the model, and says if it is the former one because a later fit was not finished.
    pub(crate) fn load(&self, global: &GlobalArgs) -> anyhow::Result<FittedModel> {
        load_noting(&self.file, global)
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
        let found = relations.iter().map(|relation| relation.posterior.agreement(&relation.links));
        let disagree: Vec<_> = found.filter(Agreement::disagrees).collect();
        Ok(match (&disagree[..], relations.len()) {
            ([], _) => None,
            ([only], 1) => Some(only.verdict()),
            (some, all) => Some(format!(
                "Chains do not agree on the predictions of {} of {all} relations yet. Let them go on: dlfrm resume MODEL --until \
                 1.05.",
                some.len()
            )),
        })
    }

    /// Says if the fit was ended early, and what there is to say of its chains.
    pub(crate) fn remark(&self, model: &FittedModel, disagreement: Option<String>, global: &GlobalArgs) {
        let early = "the fit was ended early and has fewer draws than its settings say".to_owned();
        let remarks = model.interrupted.then_some(early).into_iter().chain(disagreement);
        global.warnings_of(&self.file, &remarks.collect::<Vec<_>>());
    }

    /// The relations that the arguments name.
    pub(crate) fn relations<'a>(&self, model: &'a FittedModel) -> anyhow::Result<Vec<&'a FittedRelation>> {
        model.select(self.relation()).with_context(|| self.file.display().to_string())
    }

    /// The number of a node.
    pub(crate) fn node(&self, model: &FittedModel, name: &str) -> anyhow::Result<u32> {
        model.nodes.id(name).with_context(|| self.file.display().to_string())
    }

    /// The name of the relation, if the arguments have one.
    pub(crate) fn relation(&self) -> Option<&str> {
        self.relation.as_deref()
    }
}

/// Reads a model, and says if it is the former one because a later fit was not finished.
pub(crate) fn load_noting(file: &Path, global: &GlobalArgs) -> anyhow::Result<FittedModel> {
    let model = load_model(file)?;
    if let Some(remark) = of_a_later_fit(&model, file) {
        global.warning(&remark);
    }
    Ok(model)
}

/// Reads a model. A fit that was not finished is named, if it is what is there.
pub(crate) fn load_model(file: &Path) -> anyhow::Result<FittedModel> {
    match (dlfrm_io::load_model(file), checkpoint_path(file)) {
        (Err(error @ ModelFileError::Missing { .. }), checkpoint) if is_checkpoint(&checkpoint) => {
            let checkpoint = checkpoint.display();
            bail!("{error}, but {checkpoint} has a fit that was not finished: {}", goes_on(file))
        }
        (Err(error), _) => match unfinished(file) {
            Some(unfinished) => bail!(unfinished),
            None => Err(error.into()),
        },
        (Ok(model), _) => Ok(model),
    }
}

/// What goes on with the fit of a model.
fn goes_on(model: &Path) -> String {
    format!("'dlfrm resume {}' goes on with it", model.display())
}

/// How the names of checkpoints end.
pub(super) const NAMED_CHECKPOINT: &str = ".checkpoint";

/// What there is to say of a file that is the checkpoint of a fit that was not finished, whatever its name is.
pub(crate) fn unfinished(file: &Path) -> Option<String> {
    let name = file.display();
    let how = match model_of_checkpoint(file) {
        Some(model) => goes_on(&model),
        None if is_checkpoint(file) => {
            format!("rename it to {}, and {}", checkpoint_path(file).display(), goes_on(file))
        }
        None => return None,
    };
    Some(format!("{name} is the checkpoint of a fit that was not finished: {how}"))
}

/// What there is to say if the checkpoint beside a model is of another fit. One that cannot be read is the matter of commands
/// that go on with it.
fn of_a_later_fit(model: &FittedModel, file: &Path) -> Option<String> {
    let path = checkpoint_path(file);
    let checkpoint = read_checkpoint(&path).ok().filter(|checkpoint| !checkpoint.continues(model))?;
    let other =
        if checkpoint.name == model.name { String::new() } else { format!(" to {}", checkpoint.name) };
    let (path, name) = (path.display(), file.display());
    Some(format!(
        "{path} has a later fit{other} that was not finished: {name} is the former model ('dlfrm resume {name}' goes on \
         with the fit and replaces it)"
    ))
}

/// The model that a checkpoint is of, if the file is one.
pub(crate) fn model_of_checkpoint(file: &Path) -> Option<PathBuf> {
    let name = file.file_name()?.to_str()?.strip_suffix(NAMED_CHECKPOINT)?;
    (!name.is_empty() && is_checkpoint(file)).then(|| file.with_file_name(name))
}

/// Refuses a model of a fit that was not finished, for what needs its chains.
pub(crate) fn check_finished(model: &FittedModel, file: &Path) -> anyhow::Result<()> {
    let (name, checkpoint) = (file.display(), checkpoint_path(file));
    match model.interrupted && model.course.is_none() {
        false => Ok(()),
        true if checkpoint.exists() => {
            bail!("{name}: the fit was not finished: 'dlfrm resume {name}' goes on with it")
        }
        true => bail!("{name}: the fit was not finished, and {} is gone: fit again", checkpoint.display()),
    }
}
