//! The progress of fits and evaluations on the terminal.

use std::fmt;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use dlfrm::evaluate::{EvaluationObserver, Method, Outcome};
use dlfrm::fit::{Control, Event, Observer, Progress};
use dlfrm::warning::Said;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::pieces::KeptOutcomes;
use crate::{interrupt, terminal, words};

/// One bar for the sweeps of all chains that run at once. It is drawn to standard error if that is a terminal. Ends the
/// run when the user presses Ctrl-C.
#[derive(Debug, Default)]
pub(crate) struct FitProgress {
    quiet: bool,
    /// What is said of a candidate that is complete is worth to be waited for at Ctrl-C.
    search: bool,
    deadline: Option<Instant>,
    running: Mutex<Option<Running>>,
    said: Mutex<Vec<Said>>,
}

/// Chains that run at once.
#[derive(Debug)]
struct Running {
    bar: ProgressBar,
    purpose: String,
    chains: usize,
    /// The sweep after which a chain has a draw of the fit itself; none if the chains are for a choice.
    first_draw: Option<usize>,
    /// Sweeps that every chain has made.
    sweeps: Vec<usize>,
    /// Features and log joint density of every chain that has made a sweep.
    latest: Vec<Option<(usize, f64)>>,
}

impl FitProgress {
    pub(crate) fn new(quiet: bool) -> Self {
        Self { quiet, ..Self::default() }
    }

    pub(crate) fn of_search(self) -> Self {
        Self { search: true, ..self }
    }

    /// The same for a run that ends then.
    pub(crate) fn ending(self, deadline: Option<Instant>) -> Self {
        Self { deadline, ..self }
    }

    pub(crate) fn time_is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// What was said, in JSON.
    pub(crate) fn said(&self) -> Vec<Said> {
        self.said.lock().expect("no observer panics").clone()
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        if let Some(running) = self.running().take() {
            running.bar.finish_and_clear();
        }
    }

    /// Prints a line for people, above the bar.
    pub(crate) fn warning(&self, text: &str) {
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

impl Observer for FitProgress {
    fn sweep(&self, progress: &Progress) -> Control {
        if let Some(running) = &mut *self.running() {
            running.note(progress);
        }
        self.step()
    }

    fn step(&self) -> Control {
        if interrupt::requested() || self.time_is_over() { Control::Stop } else { Control::Continue }
    }

    fn event(&self, event: &Event<'_>) {
        match event {
            Event::Warning(warning) => {
                if self.search {
                    interrupt::keep();
                }
                let said = words::said(warning);
                self.warning(&said.text);
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
                let purpose = if purpose.is_empty() { String::new() } else { format!("{purpose}  ") };
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
            interrupt::keep();
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
        self.bar.set_message(format!("{}K {features:.1}  log joint {log_joint:.1}", self.purpose));
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

/// Shows how an evaluation goes, and keeps what it finishes.
#[derive(Debug)]
pub struct EvaluationProgress<'a> {
    runs: usize,
    fits: FitProgress,
    kept: Option<KeptOutcomes<'a>>,
}

impl<'a> EvaluationProgress<'a> {
    /// The progress of so many runs.
    pub fn new(quiet: bool, runs: usize) -> Self {
        Self { runs, fits: FitProgress::new(quiet), kept: None }
    }

    pub(crate) fn keeping(self, kept: Option<KeptOutcomes<'a>>) -> Self {
        Self { kept, ..self }
    }

    /// Prints a line for people.
    pub fn note(&self, text: &str) {
        self.fits.warning(text);
    }
}

impl Observer for EvaluationProgress<'_> {
    fn sweep(&self, progress: &Progress) -> Control {
        self.fits.sweep(progress)
    }

    fn step(&self) -> Control {
        self.fits.step()
    }

    fn event(&self, event: &Event<'_>) {
        self.fits.event(event);
    }
}

impl EvaluationObserver for EvaluationProgress<'_> {
    fn begin(&self, _: &dyn Method, _: usize) {
        self.fits.finish();
    }

    fn found(&self, method: &dyn Method, run: usize) -> Option<Outcome> {
        self.kept.as_ref()?.find(method, run)
    }

    fn end(&self, method: &dyn Method, run: usize, outcome: &Outcome) {
        interrupt::keep();
        self.fits.finish();
        let choices = outcome.choices.iter().map(|choice| choice.warning().to_string());
        let choices: Vec<String> = choices.collect();
        let gap = if choices.is_empty() { "" } else { "  " };
        let features = outcome.features.map_or(String::new(), |features| format!("  K {features:.1}"));
        self.fits.warning(&format!(
            "{:12}  run {} of {}  AUC {:.4}{features}  {:.2} s{gap}{}",
            method.name(),
            run + 1,
            self.runs,
            outcome.auc,
            outcome.seconds,
            choices.join(", ")
        ));
        if let Some(Err(warning)) = self.kept.as_ref().map(|kept| kept.keep(method, run, outcome)) {
            self.event(&Event::Warning(&warning));
        }
    }
}
