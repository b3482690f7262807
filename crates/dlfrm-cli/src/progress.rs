//! The progress of one fit or of several at once, on the terminal.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use dlfrm::chain::{Control, Observer, Progress};
use dlfrm::model::Checked;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::Common;
use crate::evaluation::{Contender, Outcome, Watch};
use crate::interrupt;

/// One bar for the sweeps of all chains of all fits. It is drawn to standard error if that is a terminal.
#[derive(Debug)]
pub(crate) struct FitProgress {
    bar: ProgressBar,
    /// Features and log joint density of every chain that has made a sweep.
    latest: Mutex<Vec<Option<(usize, f64)>>>,
    chains: usize,
}

impl FitProgress {
    /// A bar for `fits` fits with the same settings.
    pub(crate) fn new(quiet: bool, fits: usize, settings: &Checked) -> Self {
        let chains = settings.chains;
        let bar = ProgressBar::new((fits * chains * settings.sweeps()) as u64);
        bar.set_draw_target(if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() });
        let template = "{bar:24} {pos}/{len} sweeps  {msg}  {per_sec}  {eta} left";
        bar.set_style(ProgressStyle::with_template(template).expect("the template is sound"));
        bar.enable_steady_tick(Duration::from_millis(500));
        Self { bar, latest: Mutex::new(vec![None; fits * chains]), chains }
    }

    /// Watches fit number `fit`; asks it to end when the user presses Ctrl-C.
    pub(crate) fn observer(&self, fit: usize) -> impl Observer + '_ {
        move |progress: &Progress| {
            self.note(fit, progress);
            if interrupt::requested() { Control::Stop } else { Control::Continue }
        }
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn note(&self, fit: usize, progress: &Progress) {
        self.bar.inc(1);
        if self.bar.is_hidden() {
            return;
        }
        let mut latest = self.latest.lock().expect("no observer panics");
        latest[fit * self.chains + progress.chain] = Some((progress.features, progress.log_joint));
        let started = latest.iter().flatten().count() as f64;
        let features = latest.iter().flatten().map(|chain| chain.0 as f64).sum::<f64>() / started;
        let log_joint = latest.iter().flatten().map(|chain| chain.1).sum::<f64>() / started;
        self.bar.set_message(format!("K {features:.1}  log joint {log_joint:.1}"));
    }
}

/// The progress of an evaluation: a bar for the fits of a run, and a line when it has ended.
#[derive(Debug)]
pub(crate) struct EvaluationProgress<'a> {
    common: &'a Common,
    runs: usize,
    fits: Mutex<Option<Arc<FitProgress>>>,
}

impl<'a> EvaluationProgress<'a> {
    /// Nothing has begun.
    pub(crate) fn new(common: &'a Common, runs: usize) -> Self {
        Self { common, runs, fits: Mutex::new(None) }
    }

    fn fits(&self) -> Option<Arc<FitProgress>> {
        self.fits.lock().expect("no observer panics").clone()
    }
}

impl Watch for EvaluationProgress<'_> {
    fn begin(&self, contender: &Contender, _: usize, relations: usize) {
        let bar = match contender {
            Contender::Model(settings) => Some(FitProgress::new(self.common.quiet, relations, settings)),
            Contender::Baseline(_) => None,
        };
        *self.fits.lock().expect("no observer panics") = bar.map(Arc::new);
    }

    fn sweep(&self, relation: usize, progress: &Progress) -> Control {
        self.fits().map_or(Control::Continue, |fits| fits.observer(relation).sweep(progress))
    }

    fn end(&self, contender: &Contender, run: usize, outcome: &Outcome) {
        if let Some(fits) = self.fits() {
            fits.finish();
        }
        let features = outcome.features.map_or(String::new(), |features| format!("  K {features:.1}"));
        self.common.notice(&format!(
            "{:12}  run {} of {}  AUC {:.4}{features}  {:.2} s",
            contender.name(),
            run + 1,
            self.runs,
            outcome.auc,
            outcome.seconds
        ));
    }
}
