//! Ctrl-C: the first one ends a run with what it has, the second one ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::Interrupted;

static REQUESTED: AtomicBool = AtomicBool::new(false);
static SAVING: AtomicBool = AtomicBool::new(false);

/// Begins to listen. Call it once, before a long run.
pub(crate) fn listen() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        let again = REQUESTED.swap(true, Ordering::SeqCst);
        // A model that is being written is finished, so that no half of it is left behind.
        if again && !SAVING.load(Ordering::SeqCst) {
            eprintln!("dlfrm: {Interrupted}");
            std::process::exit(130);
        }
    })?;
    Ok(())
}

/// Whether the user has interrupted the run.
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}

/// From now on the results are being written and the program ends by itself.
pub(crate) fn saving() {
    SAVING.store(true, Ordering::SeqCst);
}
