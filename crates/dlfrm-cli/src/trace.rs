//! `--trace FILE`: what every kernel did in every sweep, one JSON object per line.

use std::fs::File;
use std::io::{BufWriter, Write};
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
    out: BufWriter<File>,
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
    /// Writes to a file, or nothing without one.
    pub(crate) fn new(observer: &'a dyn Observer, path: Option<&Path>) -> anyhow::Result<Self> {
        let create = |path: &Path| -> anyhow::Result<_> {
            let file = File::create(path).with_context(|| format!("{} cannot be written", path.display()))?;
            Ok(Mutex::new(Lines { out: BufWriter::new(file), purpose: String::new(), failed: None }))
        };
        Ok(Self { observer, file: path.map(create).transpose()? })
    }

    /// Ends the file; an error if not everything was written.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        let Some(file) = self.file else { return Ok(()) };
        let mut lines = file.into_inner().expect("no observer panics");
        lines.failed.map_or(Ok(()), Err)?;
        lines.out.flush()?;
        Ok(())
    }
}

impl Observer for Tracer<'_> {
    fn sweep(&self, progress: &Progress) -> Control {
        if let Some(file) = &self.file {
            let mut lines = file.lock().expect("no observer panics");
            let Lines { out, purpose, failed } = &mut *lines;
            let &Progress { fit, chain, sweep, features, log_joint, info, .. } = progress;
            // People count from 1, as the report and `dlfrm features` do.
            let (fit, chain) = (fit + 1, chain + 1);
            let line = Line { trial: purpose, fit, chain, sweep, k: features, log_joint, info };
            let written = serde_json::to_vec(&line).map_err(std::io::Error::from).and_then(|mut line| {
                line.push(b'\n');
                out.write_all(&line)
            });
            if failed.is_none() {
                *failed = written.err();
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
