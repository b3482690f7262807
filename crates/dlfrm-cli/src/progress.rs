//! How fits and evaluations go: on the terminal, and sweep by sweep in a trace.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant};

use anyhow::Context;
use dlfrm::evaluate::{EvaluationObserver, Method, Outcome};
use dlfrm::fit::{Control, Event, Observer, Progress, SweepInfo};
use dlfrm::warning::Said;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use serde::Serialize;

use crate::interrupt::{self, Stage};
use crate::pieces::Pieces;
use crate::{terminal, words};

/// One bar for the sweeps of all chains that run at once, and a line for every method that ends. The bar is drawn to standard
/// error if that is a terminal. Ends the run when the user presses Ctrl-C.
#[derive(Debug, Default)]
pub struct RunProgress<'a> {
    quiet: bool,
    runs: usize,
    pub(crate) deadline: Option<Instant>,
    pub(crate) kept: Option<&'a Pieces>,
    pub(crate) trace: Option<Trace>,
    running: Mutex<Option<Running>>,
    said: Mutex<Vec<Said>>,
}

/// Chains that run at once.
#[derive(Debug)]
struct Running {
    bar: ProgressBar,
    /// What they run for: empty for the fit itself.
    purpose: String,
    chains: usize,
    /// The sweep after which a chain has a draw of the fit itself; none if the chains are for a choice.
    first_draw: Option<usize>,
    /// Sweeps that every chain has made.
    sweeps: Vec<usize>,
    /// Features and log joint density of every chain that has made a sweep.
    latest: Vec<Option<(usize, f64)>>,
}

impl RunProgress<'_> {
    /// The progress of a fit, or of so many runs of methods.
    pub fn new(quiet: bool, runs: usize) -> Self {
        Self { quiet, runs, ..Self::default() }
    }

    pub(crate) fn time_is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    pub(crate) fn said(&self) -> Vec<Said> {
        self.said.lock().expect("no observer panics").clone()
    }

    pub(crate) fn finish(&self) {
        if let Some(running) = self.running().take() {
            running.bar.finish_and_clear();
        }
    }

    /// Prints a line for people, above the bar.
    pub fn note(&self, text: &str) {
        match &*self.running() {
            _ if self.quiet => {}
            Some(running) => running.bar.suspend(|| terminal::print(text)),
            None => terminal::print(text),
        }
    }

    fn running(&self) -> MutexGuard<'_, Option<Running>> {
        self.running.lock().expect("no observer panics")
    }
}

impl Observer for RunProgress<'_> {
    fn sweep(&self, progress: &Progress) -> Control {
        if let Some(running) = &mut *self.running() {
            running.note(progress);
            if let Some(trace) = &self.trace {
                trace.write(&running.purpose, progress);
            }
        }
        self.step()
    }

    fn step(&self) -> Control {
        if interrupt::requested() || self.time_is_over() { Control::Stop } else { Control::Continue }
    }

    fn event(&self, event: &Event<'_>) {
        match event {
            Event::Warning(warning) => {
                let said = words::said(warning);
                self.note(&said.text);
                self.said.lock().expect("no observer panics").push(said);
            }
            Event::Chains { purpose, fits, settings } => {
                self.finish();
                let chains = settings.chains;
                let bar = ProgressBar::new((fits * chains * settings.sweeps()) as u64);
                bar.set_draw_target(if self.quiet {
                    ProgressDrawTarget::hidden()
                } else {
                    ProgressDrawTarget::stderr()
                });
                bar.set_style(style());
                bar.enable_steady_tick(Duration::from_millis(500));
                let first_draw = purpose.is_empty().then_some(settings.burn_in + settings.thin);
                let purpose = (*purpose).to_owned();
                let (latest, sweeps) = (vec![None; fits * chains], vec![0; fits * chains]);
                *self.running() = Some(Running { bar, purpose, chains, first_draw, sweeps, latest });
            }
            _ => {}
        }
    }
}

impl Running {
    fn note(&mut self, progress: &Progress) {
        let number = progress.fit * self.chains + progress.chain;
        if let Some(sweeps) = self.sweeps.get_mut(number) {
            // A chain that goes on has made some before; one of another trial begins again.
            self.bar.inc(progress.sweep.saturating_sub(*sweeps) as u64);
            *sweeps = progress.sweep;
        }
        if self.first_draw.is_some_and(|first| progress.sweep >= first) {
            Stage::Kept.begins();
        }
        if self.bar.is_hidden() {
            return;
        }
        if let Some(latest) = self.latest.get_mut(number) {
            *latest = Some((progress.features, progress.log_joint));
        }
        let started = self.latest.iter().flatten().count().max(1) as f64;
        let features = self.latest.iter().flatten().map(|chain| chain.0 as f64).sum::<f64>() / started;
        let log_joint = self.latest.iter().flatten().map(|chain| chain.1).sum::<f64>() / started;
        let gap = if self.purpose.is_empty() { "" } else { "  " };
        self.bar.set_message(format!("{}{gap}K {features:.1}  log joint {log_joint:.1}", self.purpose));
    }
}

fn style() -> ProgressStyle {
    let template = "{bar:24} {pos}/{len}  {msg}  {rate}  {eta} left";
    ProgressStyle::with_template(template)
        .expect("the template is sound")
        // The bar's own rate has four decimals.
        .with_key("rate", |state: &ProgressState, text: &mut dyn fmt::Write| {
            let _ = write!(text, "{:.1} sweeps/s", state.per_sec());
        })
}

impl EvaluationObserver for RunProgress<'_> {
    fn begin(&self, _: &dyn Method, _: usize) {
        self.finish();
    }

    fn found(&self, method: &dyn Method, run: usize) -> Option<Outcome> {
        self.kept?.outcome(method, run, self.runs == 1).ok()?
    }

    fn end(&self, method: &dyn Method, run: usize, outcome: &Outcome) {
        Stage::Kept.begins();
        self.finish();
        let choices: Vec<String> =
            outcome.choices.iter().map(|choice| choice.warning().to_string()).collect();
        let gap = if choices.is_empty() { "" } else { "  " };
        let features = outcome.features.map_or(String::new(), |features| format!("  K {features:.1}"));
        self.note(&format!(
            "{:12}  run {} of {}  AUC {:.4}{features}  {:.2} s{gap}{}",
            method.name(),
            run + 1,
            self.runs,
            outcome.auc,
            outcome.seconds,
            choices.join(", ")
        ));
        if let Some(Err(warning)) = self.kept.map(|kept| kept.keep(method, run, outcome)) {
            self.event(&Event::Warning(&warning));
        }
    }
}

/// A line of a trace for every sweep.
#[derive(Debug)]
pub(crate) struct Trace {
    /// Not buffered: whoever watches the run, or looks into why it was killed, has every sweep.
    out: File,
    failed: OnceLock<io::Error>,
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

impl Trace {
    /// Writes to a file, behind the lines that it has if the trace goes on.
    pub(crate) fn new(path: &Path, goes_on: bool) -> anyhow::Result<Self> {
        let mut options = OpenOptions::new();
        let opened = options.create(true).write(true).append(goes_on).truncate(!goes_on).open(path);
        let out = opened.with_context(|| format!("{} cannot be written", path.display()))?;
        Ok(Self { out, failed: OnceLock::new() })
    }

    fn write(&self, trial: &str, progress: &Progress) {
        let &Progress { fit, chain, sweep, features: k, log_joint, info, .. } = progress;
        // People count from 1, as the report and `dlfrm features` do.
        let line = Line { trial, fit: fit + 1, chain: chain + 1, sweep, k, log_joint, info };
        let mut line = serde_json::to_vec(&line).expect("a line is JSON");
        line.push(b'\n');
        if let Err(why) = (&self.out).write_all(&line) {
            let _ = self.failed.set(why);
        }
    }

    /// An error if not everything was written.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        Ok(self.failed.into_inner().map_or(Ok(()), Err)?)
    }
}
