//! Watching a run from outside: its progress, a pause, the end.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
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

    /// Called before every step of every sweep, from the chain's own thread. A sweep that is ended inside is lost.
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

    /// Whether the observer has ended the run.
    pub(crate) fn stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst)
    }
}

impl Stoppable<'_> {
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

/// Controls a run from another thread. Clones control the same run; the run has one as its [`Observer`].
///
/// ```
/// use dlfrm::fit::{Fit, RunHandle};
/// # use std::sync::Arc;
/// # use dlfrm::network::{Nodes, Network};
/// # let network = Network::new(Arc::new(Nodes::numbered(6)), false, [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4)])?;
/// let handle = RunHandle::new();
/// let control = handle.clone();
/// let fitted = std::thread::spawn(move || Fit::network(network).observer(&handle).run());
/// control.pause();
/// println!("{} sweeps", control.progress().sweeps);
/// control.resume();
/// let model = fitted.join().unwrap()?;
/// # Ok::<(), dlfrm::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct RunHandle(Arc<Shared>);

#[derive(Default)]
struct Shared {
    wanted: Mutex<Wanted>,
    changed: Condvar,
    seen: Mutex<Seen>,
    observers: Vec<Box<dyn Observer + Send>>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Wanted {
    paused: bool,
    stopped: bool,
}

#[derive(Debug, Default)]
struct Seen {
    purpose: String,
    chains: usize,
    last: BTreeMap<(usize, usize), Progress>,
}

/// How far a run is.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RunProgress {
    /// What the chains are run for: a trial on a development set, say; empty for the fit itself.
    pub purpose: String,
    /// All chains that run for it.
    pub chains: usize,
    /// Sweeps that they have made together.
    pub sweeps: usize,
    /// Sweeps that they make in all, as far as chains have begun.
    pub of: usize,
    /// The last sweep of each chain that has made one, in the order of relations and chains.
    pub last: Vec<Progress>,
}

impl RunHandle {
    /// A handle of a run that has not begun.
    pub fn new() -> Self {
        Self::default()
    }

    /// A handle that passes everything on to observers, each of which may end the run.
    pub fn with_observers(observers: Vec<Box<dyn Observer + Send>>) -> Self {
        Self(Arc::new(Shared { observers, ..Shared::default() }))
    }

    /// Has every chain wait before its next step. A run that has not begun will wait.
    pub fn pause(&self) {
        self.wanted().paused = true;
    }

    /// Has chains that wait go on.
    pub fn resume(&self) {
        self.wanted().paused = false;
        self.0.changed.notify_all();
    }

    /// Ends the run with the draws that it has, whether or not it waits.
    pub fn stop(&self) {
        self.wanted().stopped = true;
        self.0.changed.notify_all();
    }

    /// Whether the run is to wait.
    pub fn is_paused(&self) -> bool {
        self.wanted().paused
    }

    /// Whether the run is to end.
    pub fn is_stopped(&self) -> bool {
        self.wanted().stopped
    }

    /// How far the run is.
    pub fn progress(&self) -> RunProgress {
        let seen = self.seen();
        let last: Vec<Progress> = seen.last.values().copied().collect();
        RunProgress {
            purpose: seen.purpose.clone(),
            chains: seen.chains,
            sweeps: last.iter().map(|progress| progress.sweep).sum(),
            of: last.iter().map(|progress| progress.sweeps).sum(),
            last,
        }
    }

    fn wanted(&self) -> MutexGuard<'_, Wanted> {
        self.0.wanted.lock().expect("nobody panics with it")
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.seen.lock().expect("nobody panics with it")
    }

    /// What the observers want, each of which hears of everything.
    fn of_observers(&self, ask: impl Fn(&dyn Observer) -> Control) -> Control {
        let asked = self.0.observers.iter().map(|observer| ask(&**observer) == Control::Stop);
        if asked.fold(false, |stop, asked| stop | asked) { Control::Stop } else { Control::Continue }
    }
}

impl fmt::Debug for RunHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Wanted { paused, stopped } = *self.wanted();
        f.debug_struct("RunHandle")
            .field("paused", &paused)
            .field("stopped", &stopped)
            .finish_non_exhaustive()
    }
}

impl Observer for RunHandle {
    fn sweep(&self, progress: &Progress) -> Control {
        self.seen().last.insert((progress.fit, progress.chain), *progress);
        let asked = self.of_observers(|observer| observer.sweep(progress));
        if self.is_stopped() { Control::Stop } else { asked }
    }

    fn step(&self) -> Control {
        let waits = |wanted: &mut Wanted| wanted.paused && !wanted.stopped;
        let wanted = self.0.changed.wait_while(self.wanted(), waits).expect("nobody panics with it");
        let stopped = wanted.stopped;
        drop(wanted);
        let asked = self.of_observers(|observer| observer.step());
        if stopped { Control::Stop } else { asked }
    }

    fn event(&self, event: &Event<'_>) {
        if let Event::Chains { purpose, fits, settings } = event {
            let mut seen = self.seen();
            *seen = Seen {
                purpose: (*purpose).to_owned(),
                chains: fits * settings.chains,
                last: BTreeMap::new(),
            };
        }
        self.0.observers.iter().for_each(|observer| observer.event(event));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::thread::{sleep, spawn};
    use std::time::Instant;

    use super::*;
    use crate::error::Error;
    use crate::fit::{Fit, FitOptions, FittedModel};
    use crate::generate::{GenerateSettings, generate};
    use crate::model::Overrides;

    fn run(observer: &dyn Observer, draws: usize) -> crate::error::Result<FittedModel> {
        let made = generate(&GenerateSettings { nodes: 30, ..GenerateSettings::default() }).unwrap();
        let settings = Overrides {
            chains: Some(2),
            burn_in: Some(50),
            draws: Some(draws),
            thin: Some(1),
            node_effects: Some(false),
            covariates: Some(crate::covariates::CovariateSet::None),
            ..Overrides::default()
        };
        let options = FitOptions { settings, ..FitOptions::default() };
        Fit::network(made.network).options(options).observer(observer).run()
    }

    fn wait_until(what: impl Fn() -> bool) {
        let began = Instant::now();
        while !what() {
            assert!(began.elapsed() < Duration::from_secs(60), "it does not happen");
            sleep(Duration::from_millis(2));
        }
    }

    /// Counts the sweeps that it hears of.
    struct Counter(Arc<AtomicUsize>);

    impl Observer for Counter {
        fn sweep(&self, _: &Progress) -> Control {
            self.0.fetch_add(1, Ordering::SeqCst);
            Control::Continue
        }
    }

    #[test]
    fn a_paused_run_waits_and_then_finds_the_same() {
        let count = Arc::new(AtomicUsize::new(0));
        let handle = RunHandle::with_observers(vec![Box::new(Counter(Arc::clone(&count)))]);
        handle.pause();
        let observer = handle.clone();
        let fitted = spawn(move || run(&observer, 20));
        wait_until(|| handle.progress().chains == 2);
        sleep(Duration::from_millis(50));
        assert_eq!((handle.progress().sweeps, handle.is_paused()), (0, true));
        handle.resume();
        wait_until(|| handle.progress().sweeps >= 5);
        handle.pause();
        // A sweep that has begun its last step ends.
        sleep(Duration::from_millis(100));
        let before = handle.progress();
        sleep(Duration::from_millis(50));
        assert_eq!(handle.progress(), before);
        handle.resume();
        let model = fitted.join().unwrap().unwrap();
        assert!(!model.interrupted);
        let after = handle.progress();
        assert_eq!((after.sweeps, after.of, after.last.len()), (140, 140, 2));
        assert_eq!(count.load(Ordering::SeqCst), 140);
        let usual = run(&super::super::Silent, 20).unwrap();
        assert_eq!(model.relations[0].posterior.draws(), usual.relations[0].posterior.draws());
    }

    #[test]
    fn a_run_is_stopped_even_while_it_waits() {
        let handle = RunHandle::new();
        handle.pause();
        let observer = handle.clone();
        let fitted = spawn(move || run(&observer, 20));
        wait_until(|| handle.progress().chains == 2);
        handle.stop();
        assert_eq!(fitted.join().unwrap().unwrap_err(), Error::Interrupted);
        let handle = RunHandle::new();
        let observer = handle.clone();
        let fitted = spawn(move || run(&observer, 100_000));
        wait_until(|| handle.progress().last.iter().any(|progress| progress.sweep > 60));
        handle.stop();
        assert!(fitted.join().unwrap().unwrap().interrupted);
    }
}
