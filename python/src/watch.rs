//! Work without the interpreter's lock, in the threads of one pool: long work while the caller's thread looks for signals and
//! reports progress.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use dlfrm::evaluate::{EvaluationObserver, Method, Outcome};
use dlfrm::fit::{Control, Event, Observer, Progress};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::{Value, json};

use crate::words::{self, panicked};

/// How long the caller's thread sleeps before it looks for signals again.
const PAUSE: Duration = Duration::from_millis(50);

/// What is reported to the caller: its kind, and what it says.
type Message = (&'static str, Value);

/// Gathers what the work reports, and passes on that it is to end.
pub(crate) struct Relay {
    stop: AtomicBool,
    /// When the work is to end.
    deadline: Option<Instant>,
    sweeps: bool,
    messages: Mutex<Vec<Message>>,
    /// How methods did, run by run.
    figures: Mutex<Vec<Value>>,
    done: Mutex<bool>,
    wake: Condvar,
}

impl Relay {
    fn push(&self, kind: &'static str, says: Value) {
        lock(&self.messages).push((kind, says));
    }

    /// Whether the work is to end.
    pub(crate) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// How methods did, run by run.
    pub(crate) fn figures(&self) -> Vec<Value> {
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
            self.push(
                "sweep",
                json!({
                    "chain": progress.chain,
                    "sweep": progress.sweep,
                    "sweeps": progress.sweeps,
                    "features": progress.features,
                    "log_joint": progress.log_joint,
                    "seconds": progress.elapsed.as_secs_f64(),
                }),
            );
        }
        self.step()
    }

    fn step(&self) -> Control {
        if self.stopped() { Control::Stop } else { Control::Continue }
    }

    fn event(&self, event: &Event<'_>) {
        match event {
            Event::Warning(warning) => self.push("warning", words::warning(warning)),
            Event::Chains { purpose, fits, settings } => {
                let sweeps = fits * settings.chains * settings.sweeps();
                self.push("chains", json!({ "purpose": purpose, "sweeps": sweeps }));
            }
            _ => {}
        }
    }
}

impl EvaluationObserver for Relay {
    fn begin(&self, method: &dyn Method, run: usize) {
        self.push("method", json!({ "method": method.name(), "run": run }));
    }

    fn end(&self, method: &dyn Method, run: usize, outcome: &Outcome) {
        let values: Vec<_> = outcome.measured.iter().map(|measured| measured.value).collect();
        let seconds = outcome.seconds;
        lock(&self.figures)
            .push(json!({ "method": method.name(), "run": run, "values": values, "seconds": seconds }));
    }
}

/// What long work came to.
pub(crate) struct Watched<T> {
    /// The result of the work.
    pub(crate) result: T,
    /// What a signal or the callback raised: the work was asked to end.
    pub(crate) raised: Option<PyErr>,
}

/// Runs long work without the interpreter's lock, with so many threads. `callback(kind, what it says as JSON)` is called in the caller's
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
    for (kind, says) in messages {
        callback.call1(py, (*kind, says.to_string()))?;
    }
    Ok(())
}

/// The pool of a process. A process that was forked has none of the threads of its parent and needs its own.
static SHARED: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// The pool for so many jobs; `None` or -1 for one thread per core.
fn pool(jobs: Option<isize>) -> PyResult<Arc<ThreadPool>> {
    let build = |threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map(Arc::new).map_err(|error| PyRuntimeError::new_err(error.to_string()))
    };
    match jobs {
        None | Some(-1) => {
            let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
            let process = std::process::id();
            if let Some((owner, pool)) = &*shared
                && *owner == process
            {
                return Ok(pool.clone());
            }
            let pool = build(0)?;
            // Dropping the pool of a parent would wait for threads that are not there.
            std::mem::forget(shared.replace((process, pool.clone())));
            Ok(pool)
        }
        Some(jobs @ 1..=1024) => build(jobs as usize),
        Some(jobs) => Err(PyValueError::new_err(format!(
            "n_jobs must be None, -1 or a number from 1 to 1024, is {jobs}"
        ))),
    }
}

/// Runs something without the interpreter's lock, in the pool of the process. A panic is an exception.
pub(crate) fn run<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let pool = pool(None)?;
    let result = py.detach(|| catch_unwind(AssertUnwindSafe(|| pool.install(work))));
    result.map_err(|payload| panicked(&*payload))
}
