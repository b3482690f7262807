//! The progress of one fit or of several at once, on the terminal.

use std::fmt;
use std::sync::Mutex;
use std::time::Duration;

use dlfrm::chain::{Control, Observer, Progress};
use dlfrm::model::ValidSettings;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

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
    pub(crate) fn new(quiet: bool, fits: usize, settings: &ValidSettings) -> Self {
        let chains = settings.chains;
        let bar = ProgressBar::new((fits * chains * settings.sweeps()) as u64);
        bar.set_draw_target(if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() });
        bar.set_style(style());
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

fn style() -> ProgressStyle {
    let template = "{bar:24} {pos}/{len}  {msg}  {rate}  {eta} left";
    ProgressStyle::with_template(template)
        .expect("the template is sound")
        // The bar's own rate has four decimals.
        .with_key("rate", |state: &ProgressState, text: &mut dyn fmt::Write| {
            let _ = write!(text, "{:.1} sweeps/s", state.per_sec());
        })
}
