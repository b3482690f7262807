//! A fit that runs: watched, kept in checkpoints, saved and summed up. `fit`, `resume` and `update` end here.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, anyhow, bail};
use dlfrm::fit::{Added, Fit};
use dlfrm_io::model_file::CheckpointFile;

use crate::args::{ControlArgs, GlobalArgs, MemoryArgs};
use crate::failure::{Stopped, There};
use crate::interrupt;
use crate::json;
use crate::progress::FitProgress;
use crate::summary;
use crate::trace::Tracer;

/// How a fit is run.
pub(crate) struct Run<'a> {
    /// Where the model goes.
    pub(crate) output: &'a Path,
    /// What messages begin with.
    pub(crate) file: String,
    pub(crate) control: ControlArgs,
    pub(crate) memory: MemoryArgs,
    /// What takes less memory.
    pub(crate) less_memory: &'static str,
    pub(crate) trace: Option<&'a Path>,
    /// Whether a trace that is there goes on.
    pub(crate) trace_goes_on: bool,
    /// What is where the model goes.
    pub(crate) there: There,
    /// What an update adds.
    pub(crate) added: Option<Added>,
    pub(crate) json: bool,
    /// When the command began.
    pub(crate) began: Instant,
}

impl Run<'_> {
    pub(crate) fn run(
        self,
        fit: Fit<'_>,
        checkpoint: CheckpointFile,
        global: &GlobalArgs,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let file = || self.file.clone();
        let deadline = self.control.time().and_then(|time| self.began.checked_add(time));
        let progress = FitProgress::new(global.quiet).ending(deadline);
        let tracer = Tracer::new(&progress, self.trace, self.trace_goes_on)?;
        let keeps = !self.control.checkpoint_every.is_zero();
        let mut fit = fit.observer(&tracer);
        if keeps {
            fit = fit.keeper(&checkpoint);
        }
        self.memory.check(fit.memory().with_context(file)?, self.less_memory, global).with_context(file)?;
        let resume = || format!("; 'dlfrm resume {}' goes on", self.output.display());
        let goes_on = keeps.then(resume).unwrap_or_default();
        let interrupted = Stopped(format!("interrupted {}{goes_on}", self.there));
        interrupt::listen(&interrupted);
        if keeps {
            interrupt::has_checkpoint();
        }
        let model = fit.run();
        interrupt::saving();
        progress.finish();
        drop(fit);
        let ended_by_time = progress.time_is_over() && !interrupt::requested();
        let traced = tracer.finish();
        let model = match model {
            Err(dlfrm::Error::Interrupted) if ended_by_time => {
                bail!("the time was over {}{goes_on}", self.there)
            }
            Err(dlfrm::Error::Interrupted) => bail!(interrupted),
            model => model.with_context(file)?,
        };
        dlfrm_io::save_model(&model, self.output).map_err(|error| {
            let kept = checkpoint.exists();
            anyhow!("{error}{}", if kept { format!("{goes_on} from the checkpoint") } else { String::new() })
        })?;
        if !model.interrupted {
            checkpoint.remove()?;
        }
        let mut summary = summary::Fit::new(&model, self.output);
        summary.added = self.added;
        if self.json {
            json::print(&summary, out)?;
        } else {
            write!(out, "{summary}")?;
        }
        // A trace that could not be written costs the trace, not the model.
        traced.with_context(|| {
            format!("the model is saved to {}, but the trace could not be written", self.output.display())
        })?;
        match (model.interrupted, ended_by_time) {
            (false, _) => Ok(()),
            (true, true) => {
                global.warning(&format!("the time is over: the draws kept until then are saved{goes_on}"));
                Ok(())
            }
            // A program that calls this one must not take the model for a complete one.
            (true, false) => {
                let output = self.output.display();
                Err(Stopped(format!("interrupted: the draws kept until then are saved to {output}{goes_on}"))
                    .into())
            }
        }
    }
}
