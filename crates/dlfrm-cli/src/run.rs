//! A fit that runs: watched, traced, kept in checkpoints, saved and summed up. `fit`, `resume` and `update` end here.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use dlfrm::fit::Fit;
use dlfrm_io::model_file::{CheckpointFile, check_writable, is_model};
use serde_json::{Value, json};

use crate::args::{
    GlobalArgs, MemoryArgs, Of, check_checkpoint, check_distinct, check_model_output, check_trace_output,
    duration, number,
};
use crate::interrupt::{self, Stage};
use crate::progress::{RunProgress, Trace};
use crate::summary;
use crate::terminal::Stopped;
use crate::words::goes_on;

/// How a fit runs: the same for `fit`, `resume` and `update`.
#[derive(Debug, Clone, Args)]
pub(crate) struct RunArgs {
    /// Print the summary as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Go on with more draws until link probabilities have at most this R-hat, e.g. 1.05
    ///
    /// 95 of 100 must. Each round doubles the draws of a chain, and the second half of them counts; ends after 10 minutes if there
    /// is no --time
    #[arg(long, value_name = "R", value_parser = number)]
    pub(crate) until: Option<f64>,
    /// End after this time with the draws kept until then, e.g. 90s, 10m or 2h
    #[arg(long, value_name = "T", value_parser = duration, allow_hyphen_values = true)]
    time: Option<Duration>,
    /// Keep at most so many draws of all chains: where there are more, every second one is dropped, as often as it takes [default:
    /// 1000, or all that `fit --draws` asks for]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub(crate) keep: Option<usize>,
    /// Write a checkpoint at most this often, e.g. 60s; 0 writes none
    #[arg(long, value_name = "T", value_parser = duration, allow_hyphen_values = true, default_value = "60s", hide_short_help = true)]
    pub(crate) checkpoint_every: Duration,
    /// Write what every kernel did in every sweep to this file, one JSON object per line; `resume` adds lines to a trace that is
    /// there, others replace it
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) trace: Option<PathBuf>,
    #[command(flatten)]
    memory: MemoryArgs,
}

pub(crate) struct Run<'a> {
    pub(crate) args: &'a RunArgs,
    pub(crate) output: &'a Path,
    /// The file that messages begin with.
    pub(crate) file: &'a Path,
    pub(crate) began: Instant,
    pub(crate) trace_goes_on: bool,
    /// What is said of a fit that has no draw to save.
    pub(crate) nothing: String,
    pub(crate) printed: Vec<(&'static str, Value)>,
}

/// Refuses an output that would replace something else.
pub(crate) fn check_output(output: &Path, inputs: &[&Path], force: bool) -> anyhow::Result<()> {
    check_distinct("-o", output, inputs)?;
    check_model_output(output, force)?;
    Ok(check_writable(output)?)
}

pub(crate) fn begin(
    args: &RunArgs,
    output: &Path,
    inputs: &[&Path],
    force: bool,
) -> anyhow::Result<CheckpointFile> {
    check_output(output, inputs, force)?;
    check_checkpoint(output, inputs)?;
    if let Some(trace) = &args.trace {
        check_trace_output(trace, inputs, output)?;
    }
    let checkpoint = CheckpointFile::take(output, args.checkpoint_every)?;
    if checkpoint.exists() && !force {
        let path = checkpoint.path().display();
        bail!("{path} has a fit that was not finished: {}, --force begins anew", goes_on(output));
    }
    Ok(checkpoint)
}

impl<'a> Run<'a> {
    pub(crate) fn new(args: &'a RunArgs, output: &'a Path, file: &'a Path, began: Instant) -> Self {
        let nothing = if is_model(output) {
            format!("before the first draw was kept: {} is still the former model", output.display())
        } else {
            "before the first draw was kept: no model is saved".to_owned()
        };
        Self { args, output, file, began, trace_goes_on: false, nothing, printed: vec![] }
    }

    pub(crate) fn run(
        mut self,
        fit: Fit<'_>,
        checkpoint: CheckpointFile,
        global: &GlobalArgs,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let mut progress = RunProgress::new(global.quiet, 1);
        let time = self.args.time.or(self.args.until.map(|_| Duration::from_secs(600)));
        progress.deadline = time.and_then(|time| self.began.checked_add(time));
        let trace = self.args.trace.as_ref().map(|path| Trace::new(path, self.trace_goes_on));
        progress.trace = trace.transpose()?;
        let keeps = !self.args.checkpoint_every.is_zero();
        let mut fit = fit.observer(&progress);
        if keeps {
            fit = fit.keeper(&checkpoint);
        }
        let memory = fit.memory().of(self.file)?;
        self.args.memory.check(memory, global).of(self.file)?;
        let output = self.output.display();
        let goes_on = if keeps { format!("; 'dlfrm resume {output}' goes on") } else { String::new() };
        let interrupted = Stopped(format!("interrupted {}{goes_on}", self.nothing));
        interrupt::listen(&interrupted);
        if keeps {
            Stage::Checkpoints.begins();
        }
        let model = fit.run();
        Stage::Saving.begins();
        progress.finish();
        let ended_by_time = progress.time_is_over() && !interrupt::requested();
        let traced = progress.trace.take().map_or(Ok(()), Trace::finish);
        let model = match model {
            Err(dlfrm::Error::Interrupted) if ended_by_time => {
                bail!("the time was over {}{goes_on}", self.nothing)
            }
            Err(dlfrm::Error::Interrupted) => bail!(interrupted),
            model => model.of(self.file)?,
        };
        dlfrm_io::save_model(&model, self.output).map_err(|error| {
            if checkpoint.exists() { anyhow!("{error}{goes_on} from the checkpoint") } else { error.into() }
        })?;
        if !model.interrupted {
            checkpoint.remove()?;
        }
        self.printed.push(("warnings", json!(progress.said())));
        summary::print(&model, self.output, self.printed, self.args.json, out)?;
        // A trace that could not be written costs the trace, not the model.
        traced
            .with_context(|| format!("the model is saved to {output}, but the trace could not be written"))?;
        match (model.interrupted, ended_by_time) {
            (false, _) => {}
            (true, true) => {
                global.warning(&format!("the time is over: the draws kept until then are saved{goes_on}"));
            }
            // A program that calls this one must not take the model for a complete one.
            (true, false) => {
                let saved = format!("interrupted: the draws kept until then are saved to {output}{goes_on}");
                bail!(Stopped(saved))
            }
        }
        Ok(())
    }
}
