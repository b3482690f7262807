//! A fit that runs: watched, traced, kept in checkpoints, saved and summed up. `fit`, `resume` and `update` end here.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Context, anyhow, bail};
use dlfrm::fit::{Added, Control, Event, Fit, Observer, Progress, SweepInfo};
use dlfrm_io::ReadReport;
use dlfrm_io::model_file::CheckpointFile;
use serde::Serialize;

use crate::args::{GlobalArgs, Of, RunArgs};
use crate::interrupt;
use crate::json;
use crate::progress::FitProgress;
use crate::summary;
use crate::terminal::Stopped;
use crate::words::There;

/// How a fit is run.
pub(crate) struct Run<'a> {
    pub(crate) args: &'a RunArgs,
    /// Where the model goes.
    pub(crate) output: &'a Path,
    /// The file that messages begin with.
    pub(crate) file: &'a Path,
    /// Whether a trace that is there goes on.
    pub(crate) trace_goes_on: bool,
    pub(crate) there: There,
    /// What an update adds.
    pub(crate) added: Option<Added>,
    /// What was read.
    pub(crate) read: Option<ReadReport>,
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
        let deadline = self.args.time().and_then(|time| self.began.checked_add(time));
        let progress = FitProgress::new(global.quiet).ending(deadline);
        let tracer = Tracer::new(&progress, self.args.trace.as_deref(), self.trace_goes_on)?;
        let keeps = !self.args.checkpoint_every.is_zero();
        let mut fit = fit.observer(&tracer);
        if keeps {
            fit = fit.keeper(&checkpoint);
        }
        let memory = fit.memory().of(self.file)?;
        self.args.memory.check(memory, global).of(self.file)?;
        let output = self.output.display();
        let goes_on = if keeps { format!("; 'dlfrm resume {output}' goes on") } else { String::new() };
        let interrupted = Stopped(format!("interrupted {}{goes_on}", self.there));
        interrupt::listen(&interrupted);
        if keeps {
            interrupt::has_checkpoint();
        }
        let model = fit.run();
        interrupt::saving();
        progress.finish();
        let ended_by_time = progress.time_is_over() && !interrupt::requested();
        let traced = tracer.finish();
        let model = match model {
            Err(dlfrm::Error::Interrupted) if ended_by_time => {
                bail!("the time was over {}{goes_on}", self.there)
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
        let mut summary = summary::Fit::new(&model, self.output, self.added, progress.said());
        summary.read = self.read;
        json::show(&summary, self.args.json, out, |out| Ok(write!(out, "{summary}")?))?;
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

/// Writes a line after every sweep, and passes everything on.
struct Tracer<'a> {
    observer: &'a dyn Observer,
    file: Option<Mutex<Lines>>,
}

struct Lines {
    /// Not buffered: whoever watches the run, or looks into why it was killed, has every sweep.
    out: File,
    /// What the chains run for: empty for the fit itself.
    purpose: String,
    /// The first line that could not be written.
    failed: Option<std::io::Error>,
}

#[derive(Serialize)]
struct Line<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    trial: &'a str,
    fit: usize,
    chain: usize,
    sweep: usize,
    k: usize,
    log_joint: f64,
    #[serde(flatten)]
    info: SweepInfo,
}

impl<'a> Tracer<'a> {
    /// Writes to a file, behind the lines that it has if the trace goes on; nothing without a file.
    fn new(observer: &'a dyn Observer, path: Option<&Path>, goes_on: bool) -> anyhow::Result<Self> {
        let open = |path: &Path| {
            let mut options = OpenOptions::new();
            let opened = options.create(true).write(true).append(goes_on).truncate(!goes_on).open(path);
            let out = opened.with_context(|| format!("{} cannot be written", path.display()))?;
            anyhow::Ok(Mutex::new(Lines { out, purpose: String::new(), failed: None }))
        };
        Ok(Self { observer, file: path.map(open).transpose()? })
    }

    /// Ends the file; an error if not everything was written.
    fn finish(self) -> anyhow::Result<()> {
        let Some(file) = self.file else { return Ok(()) };
        let lines = file.into_inner().expect("no observer panics");
        Ok(lines.failed.map_or(Ok(()), Err)?)
    }
}

impl Lines {
    fn write(&mut self, progress: &Progress) -> std::io::Result<()> {
        let &Progress { fit, chain, sweep, features, log_joint, info, .. } = progress;
        // People count from 1, as the report and `dlfrm features` do.
        let (fit, chain) = (fit + 1, chain + 1);
        let line = Line { trial: &self.purpose, fit, chain, sweep, k: features, log_joint, info };
        let mut line = serde_json::to_vec(&line)?;
        line.push(b'\n');
        self.out.write_all(&line)
    }
}

impl Observer for Tracer<'_> {
    fn sweep(&self, progress: &Progress) -> Control {
        if let Some(file) = &self.file {
            let mut lines = file.lock().expect("no observer panics");
            let written = lines.write(progress);
            if lines.failed.is_none() {
                lines.failed = written.err();
            }
        }
        self.observer.sweep(progress)
    }

    fn step(&self) -> Control {
        self.observer.step()
    }

    fn event(&self, event: &Event<'_>) {
        if let (Some(file), Event::Chains { purpose, .. }) = (&self.file, event) {
            (*purpose).clone_into(&mut file.lock().expect("no observer panics").purpose);
        }
        self.observer.event(event);
    }
}
