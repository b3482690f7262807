//! The progress of an evaluation on the terminal: a bar for the fits of a run, a line when a run has ended.

use dlfrm::evaluate::{EvaluationObserver, Method, Outcome};
use dlfrm::fit::{Choice, Control, Event, Observer, Progress};

use crate::interrupt;
use crate::progress::FitProgress;

/// Shows how an evaluation goes.
#[derive(Debug)]
pub struct EvaluationProgress {
    runs: usize,
    fits: FitProgress,
}

impl EvaluationProgress {
    pub fn new(quiet: bool, runs: usize) -> Self {
        Self { runs, fits: FitProgress::new(quiet) }
    }
}

impl Observer for EvaluationProgress {
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

impl EvaluationObserver for EvaluationProgress {
    fn begin(&self, _: &dyn Method, _: usize) {
        self.fits.finish();
    }

    fn end(&self, method: &dyn Method, run: usize, outcome: &Outcome) {
        interrupt::keep();
        self.fits.finish();
        let choices: Vec<String> = outcome.choices.iter().map(Choice::sentence).collect();
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
    }
}
