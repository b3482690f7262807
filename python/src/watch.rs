//! Long work: runs in a thread of its own while the caller's thread looks for signals and reports progress.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use dlfrm::evaluate::{EvaluationObserver, Method, Outcome};
use dlfrm::fit::{Control, Event, Observer, Progress};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::panicked;
use crate::threads::pool;

/// How long the caller's thread sleeps before it looks for signals again.
const PAUSE: Duration = Duration::from_millis(50);

/// What is reported to the caller.
enum Message {
    Warning(String),
    Chains { purpose: String, chains: usize, sweeps: usize },
    Sweep(Box<Progress>),
    Method { name: String, run: usize, begins: bool },
}

impl Message {
    /// The kind of the message, and what it says.
    fn to_python<'py>(&self, py: Python<'py>) -> PyResult<(&'static str, Bound<'py, PyDict>)> {
        let values = PyDict::new(py);
        let kind = match self {
            Self::Warning(text) => {
                values.set_item("text", text)?;
                "warning"
            }
            Self::Chains { purpose, chains, sweeps } => {
                values.set_item("purpose", purpose)?;
                values.set_item("chains", chains)?;
                values.set_item("sweeps", sweeps)?;
                "chains"
            }
            Self::Sweep(progress) => {
                values.set_item("fit", progress.fit)?;
                values.set_item("chain", progress.chain)?;
                values.set_item("sweep", progress.sweep)?;
                values.set_item("sweeps", progress.sweeps)?;
                values.set_item("features", progress.features)?;
                values.set_item("log_joint", progress.log_joint)?;
                values.set_item("seconds", progress.elapsed.as_secs_f64())?;
                "sweep"
            }
            Self::Method { name, run, begins } => {
                values.set_item("method", name)?;
                values.set_item("run", run)?;
                if *begins { "begin" } else { "end" }
            }
        };
        Ok((kind, values))
    }
}

/// How a method did in one run.
pub(crate) struct RunFigures {
    pub(crate) method: String,
    pub(crate) run: usize,
    pub(crate) values: Vec<Option<f64>>,
    pub(crate) seconds: f64,
}

/// Gathers what the work reports, and passes on that it is to end.
pub(crate) struct Relay {
    stop: AtomicBool,
    /// When the work is to end.
    deadline: Option<Instant>,
    sweeps: bool,
    messages: Mutex<Vec<Message>>,
    figures: Mutex<Vec<RunFigures>>,
    done: Mutex<bool>,
    wake: Condvar,
}

impl Relay {
    fn push(&self, message: Message) {
        lock(&self.messages).push(message);
    }

    /// Whether the work is to end.
    pub(crate) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// How methods did, run by run.
    pub(crate) fn figures(&self) -> Vec<RunFigures> {
        std::mem::take(&mut *lock(&self.figures))
    }

    /// Sleeps for a while, or until the work is done.
    fn pause(&self) -> bool {
        let done = lock(&self.done);
        let waited = self.wake.wait_timeout_while(done, PAUSE, |done| !*done);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }

    fn finish(&self) {
        *lock(&self.done) = true;
        self.wake.notify_all();
    }
}

/// No lock is held where something may panic, so that a poisoned one is as good as any.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Observer for Relay {
    fn sweep(&self, progress: &Progress) -> Control {
        if self.sweeps {
            self.push(Message::Sweep(Box::new(*progress)));
        }
        self.step()
    }

    fn step(&self) -> Control {
        if self.stopped() { Control::Stop } else { Control::Continue }
    }

    fn event(&self, event: &Event<'_>) {
        match event {
            Event::Warning(warning) => self.push(Message::Warning(warning.to_string())),
            Event::Chains { purpose, fits, settings } => {
                let (purpose, chains) = ((*purpose).to_owned(), fits * settings.chains);
                self.push(Message::Chains { purpose, chains, sweeps: settings.sweeps() });
            }
            _ => {}
        }
    }
}

impl EvaluationObserver for Relay {
    fn begin(&self, method: &dyn Method, run: usize) {
        self.push(Message::Method { name: method.name().to_owned(), run, begins: true });
    }

    fn end(&self, method: &dyn Method, run: usize, outcome: &Outcome) {
        let name = method.name().to_owned();
        let values = outcome.measured.iter().map(|measured| measured.value).collect();
        lock(&self.figures).push(RunFigures { method: name.clone(), run, values, seconds: outcome.seconds });
        self.push(Message::Method { name, run, begins: false });
    }
}

/// What long work came to.
pub(crate) struct Watched<T> {
    /// The result of the work.
    pub(crate) result: T,
    /// What a signal or the callback raised: the work was asked to end.
    pub(crate) raised: Option<PyErr>,
}

/// Runs long work without the interpreter's lock, with so many threads. `callback(kind, values)` is called in the caller's
/// thread; an exception of it, or of a signal, asks the work to end, as the end of its time does.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    jobs: Option<isize>,
    time: Option<Duration>,
    callback: Option<&Py<PyAny>>,
    work: impl FnOnce(&Relay) -> T + Send,
) -> PyResult<Watched<T>> {
    let pool = pool(jobs)?;
    let relay = Relay {
        stop: AtomicBool::new(false),
        deadline: time.and_then(|time| Instant::now().checked_add(time)),
        sweeps: callback.is_some_and(|callback| wants_sweeps(py, callback)),
        messages: Mutex::default(),
        figures: Mutex::default(),
        done: Mutex::new(false),
        wake: Condvar::new(),
    };
    let mut raised = None;
    let result = py.detach(|| {
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| {
                let result = catch_unwind(AssertUnwindSafe(|| pool.install(|| work(&relay))));
                relay.finish();
                result
            });
            loop {
                let done = relay.pause();
                let messages = std::mem::take(&mut *lock(&relay.messages));
                if let Err(error) = Python::attach(|py| report(py, callback, &messages, raised.is_some())) {
                    relay.stop.store(true, Ordering::Relaxed);
                    raised.get_or_insert(error);
                }
                if done {
                    return worker.join().expect("its panics are caught");
                }
            }
        })
    });
    let result = result.map_err(|payload| panicked(&*payload))?;
    Ok(Watched { result, raised })
}

/// Whether a callback is called after every sweep: unless its attribute `sweeps` says no.
fn wants_sweeps(py: Python<'_>, callback: &Py<PyAny>) -> bool {
    callback.getattr(py, "sweeps").and_then(|sweeps| sweeps.extract(py)).unwrap_or(true)
}

/// Looks for signals and calls the callback, unless the work is ending already.
fn report(py: Python<'_>, callback: Option<&Py<PyAny>>, messages: &[Message], ending: bool) -> PyResult<()> {
    py.check_signals()?;
    let Some(callback) = callback.filter(|_| !ending) else { return Ok(()) };
    for message in messages {
        callback.call1(py, message.to_python(py)?)?;
    }
    Ok(())
}
