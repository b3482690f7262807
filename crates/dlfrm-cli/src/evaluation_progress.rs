//! The progress of an evaluation on the terminal: a bar for the fits of a run, a line when it has ended.

use std::sync::{Arc, Mutex};

use dlfrm::chain::{Control, Observer, Progress};
use dlfrm::model::ValidSettings;

use crate::args::GlobalArgs;
use crate::choice::Choice;
use crate::evaluation::{Contender, Outcome, Watch};
use crate::progress::FitProgress;

/// Tells the user how an evaluation goes.
#[derive(Debug)]
pub(crate) struct EvaluationProgress<'a> {
    common: &'a GlobalArgs,
    runs: usize,
    fits: Mutex<Option<Arc<FitProgress>>>,
}

impl<'a> EvaluationProgress<'a> {
    /// Nothing has begun.
    pub(crate) fn new(common: &'a GlobalArgs, runs: usize) -> Self {
        Self { common, runs, fits: Mutex::new(None) }
    }

    fn fits(&self) -> Option<Arc<FitProgress>> {
        self.fits.lock().expect("no observer panics").clone()
    }
}

impl Watch for EvaluationProgress<'_> {
    fn begin(&self, contender: &Contender, _: usize, fits: usize) {
        if let Some(before) = self.fits() {
            before.finish();
        }
        let new = |settings: &ValidSettings| FitProgress::new(self.common.quiet, fits, settings);
        let bar = contender.settings().map(new);
        *self.fits.lock().expect("no observer panics") = bar.map(Arc::new);
    }

    fn sweep(&self, fit: usize, progress: &Progress) -> Control {
        self.fits().map_or(Control::Continue, |fits| fits.observer(fit).sweep(progress))
    }

    fn end(&self, contender: &Contender, run: usize, outcome: &Outcome) {
        if let Some(fits) = self.fits() {
            fits.finish();
        }
        let choices: Vec<String> = outcome.choices.iter().map(Choice::sentence).collect();
        let gap = if choices.is_empty() { "" } else { "  " };
        let features = outcome.features.map_or(String::new(), |features| format!("  K {features:.1}"));
        self.common.notice(&format!(
            "{:12}  run {} of {}  AUC {:.4}{features}  {:.2} s{gap}{}",
            contender.name(),
            run + 1,
            self.runs,
            outcome.auc,
            outcome.seconds,
            choices.join(", ")
        ));
    }
}
