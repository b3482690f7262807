//! Watching a run from outside, and ending it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::model::ValidSettings;
use crate::warning::Warning;

use super::SweepInfo;

/// What an observer learns after every sweep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// The fit, where several run at once: the number of the relation.
    pub fit: usize,
    /// The chain.
    pub chain: usize,
    /// Sweeps made so far.
    pub sweep: usize,
    /// All sweeps that the chain will make.
    pub sweeps: usize,
    /// Active features (K).
    pub features: usize,
    /// Log joint density.
    pub log_joint: f64,
    /// Time since the chain started.
    pub elapsed: Duration,
    /// What the kernels did in the sweep.
    pub info: SweepInfo,
}

/// Whether a run goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// Go on.
    Continue,
    /// End with the draws kept so far.
    Stop,
}

/// What an observer learns between sweeps.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Event<'a> {
    /// Something that a user should know.
    Warning(&'a Warning),
    /// Chains begin to run.
    Chains {
        /// What they are run for: a trial on a development set, say; empty for the fit itself.
        purpose: &'a str,
        /// How many fits run at once, with as many chains each as the settings say.
        fits: usize,
        /// Their settings.
        settings: &'a ValidSettings,
    },
}

/// Watches a run. A closure that takes a [`Progress`] is one.
pub trait Observer: Sync {
    /// Called after every sweep of every chain, from the chain's own thread.
    fn sweep(&self, _progress: &Progress) -> Control {
        Control::Continue
    }

    /// Called before every step of every sweep, from the chain's own thread: what waits here pauses the run. A sweep that is
    /// ended inside is lost.
    fn step(&self) -> Control {
        Control::Continue
    }

    /// Called between sweeps.
    fn event(&self, _event: &Event<'_>) {}
}

impl<F: Fn(&Progress) -> Control + Sync> Observer for F {
    fn sweep(&self, progress: &Progress) -> Control {
        self(progress)
    }
}

/// Watches nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {}

/// Watches the chains of a trial: warnings are not passed on, as chains of the fit give them again.
pub(crate) struct OfTrial<'a>(pub(crate) &'a dyn Observer);

impl Observer for OfTrial<'_> {
    fn sweep(&self, progress: &Progress) -> Control {
        self.0.sweep(progress)
    }

    fn step(&self) -> Control {
        self.0.step()
    }

    fn event(&self, event: &Event<'_>) {
        if !matches!(event, Event::Warning(_)) {
            self.0.event(event);
        }
    }
}

/// Passes everything on and remembers whether the run was ended.
pub(crate) struct Stoppable<'a> {
    observer: &'a dyn Observer,
    stopped: AtomicBool,
}

impl<'a> Stoppable<'a> {
    pub(crate) fn new(observer: &'a dyn Observer) -> Self {
        Self { observer, stopped: AtomicBool::new(false) }
    }

    pub(crate) fn stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst)
    }

    fn note(&self, control: Control) -> Control {
        if control == Control::Stop {
            self.stopped.store(true, Ordering::SeqCst);
        }
        control
    }
}

impl Observer for Stoppable<'_> {
    fn sweep(&self, progress: &Progress) -> Control {
        self.note(self.observer.sweep(progress))
    }

    fn step(&self) -> Control {
        self.note(self.observer.step())
    }

    fn event(&self, event: &Event<'_>) {
        self.observer.event(event);
    }
}
