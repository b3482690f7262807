//! `--trace FILE`: what every kernel did in every sweep, one JSON object per line.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;

use anyhow::Context;
use dlfrm::fit::{Control, Event, Observer, Progress, SweepInfo};
use serde::Serialize;

/// Writes a line after every sweep, and passes everything on.
pub(crate) struct Tracer<'a> {
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
    pub(crate) fn new(
        observer: &'a dyn Observer,
        path: Option<&Path>,
        goes_on: bool,
    ) -> anyhow::Result<Self> {
        let open = |path: &Path| {
            let mut options = OpenOptions::new();
            let opened = options.create(true).write(true).append(goes_on).truncate(!goes_on).open(path);
            opened.with_context(|| format!("{} cannot be written", path.display()))
        };
        let lines = |out| Mutex::new(Lines { out, purpose: String::new(), failed: None });
        Ok(Self { observer, file: path.map(open).transpose()?.map(lines) })
    }

    /// Ends the file; an error if not everything was written.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
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

#[cfg(test)]
mod tests {
    use dlfrm::fit::Silent;

    use super::*;

    #[test]
    fn a_sweep_is_there_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trace.jsonl");
        let tracer = Tracer::new(&Silent, Some(&path), false).unwrap();
        let mut progress = Progress {
            fit: 0,
            chain: 0,
            sweep: 1,
            sweeps: 2,
            features: 3,
            log_joint: -1.5,
            elapsed: std::time::Duration::ZERO,
            info: SweepInfo::default(),
        };
        for sweep in 1..=2 {
            progress.sweep = sweep;
            tracer.sweep(&progress);
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(text.lines().count() == sweep && text.ends_with('\n'), "{text}");
        }
        tracer.finish().unwrap();
    }
}
