//! Ctrl-C: the first one ends a run with what it has, at once if it has nothing; the second one ends the program.

use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);
static KEPT: AtomicBool = AtomicBool::new(false);
static SAVING: AtomicBool = AtomicBool::new(false);

/// Begins to listen. Call it once, before a long run. `nothing` is the message for a run that ends with nothing to keep.
pub(crate) fn listen(nothing: impl Display + Send + 'static) -> anyhow::Result<()> {
    ctrlc::set_handler(move || {
        let again = REQUESTED.swap(true, Ordering::SeqCst);
        // A model that is being written is finished, so that no half of it is left behind.
        if SAVING.load(Ordering::SeqCst) {
            return;
        }
        // A step of a large network takes long: it is not waited for if it leaves nothing.
        if again || !KEPT.load(Ordering::SeqCst) {
            eprintln!("dlfrm: {nothing}");
            std::process::exit(130);
        }
        eprintln!("dlfrm: interrupted, ending after this sweep (once more: at once, and nothing is saved)");
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

/// From now on the results are being written and the program ends by itself.
pub(crate) fn saving() {
    SAVING.store(true, Ordering::SeqCst);
}
