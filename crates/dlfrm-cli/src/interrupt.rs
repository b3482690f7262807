//! Ctrl-C: the first one ends a run with what it has, at once if it has nothing; the second one ends the program.

use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::standard_error;

static REQUESTED: AtomicBool = AtomicBool::new(false);
static KEPT: AtomicBool = AtomicBool::new(false);
static CHECKPOINT: AtomicBool = AtomicBool::new(false);
static SAVING: AtomicBool = AtomicBool::new(false);

/// How long a run without a draw has to write a checkpoint.
const PATIENCE: Duration = Duration::from_secs(2);

/// Begins to listen. Call it once, before a long run. `nothing` is the message for a run that ends with nothing to keep.
pub(crate) fn listen(nothing: impl Display + Send + Sync + 'static) -> anyhow::Result<()> {
    let nothing = Arc::new(nothing);
    ctrlc::set_handler(move || {
        let again = REQUESTED.swap(true, Ordering::SeqCst);
        // A model that is being written is finished, so that no half of it is left behind.
        if SAVING.load(Ordering::SeqCst) {
            return;
        }
        let nothing = Arc::clone(&nothing);
        let end = move || {
            standard_error::print(&format!("dlfrm: {nothing}"));
            std::process::exit(130);
        };
        // A step of a large network takes long: it is not waited for if it leaves nothing.
        match (again, KEPT.load(Ordering::SeqCst), CHECKPOINT.load(Ordering::SeqCst)) {
            (false, true, _) => {
                standard_error::print(
                    "dlfrm: interrupted, ending after this step (once more: at once, and no draw is saved)",
                );
            }
            // The last checkpoint is there whatever happens; perhaps there is time for another one.
            (false, false, true) => drop(std::thread::spawn(move || {
                std::thread::sleep(PATIENCE);
                if !SAVING.load(Ordering::SeqCst) {
                    end();
                }
            })),
            _ => end(),
        }
    })?;
    Ok(())
}

/// Whether the user has interrupted the run.
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}

/// From now on the run has something that is worth to be waited for.
pub(crate) fn keep() {
    KEPT.store(true, Ordering::SeqCst);
}

/// The run has checkpoints.
pub(crate) fn has_checkpoint() {
    CHECKPOINT.store(true, Ordering::SeqCst);
}

/// From now on the results are being written and the program ends by itself.
pub(crate) fn saving() {
    SAVING.store(true, Ordering::SeqCst);
}
