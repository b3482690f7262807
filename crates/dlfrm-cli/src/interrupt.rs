//! Ctrl-C: the first one ends a run with what it has, at once if it has nothing; the second one ends the program.

use std::fmt::Display;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::SeqCst};
use std::time::Duration;

use dlfrm_io::model_file::ModelFileError;

use crate::terminal;

static REQUESTED: AtomicBool = AtomicBool::new(false);
static STAGE: AtomicU8 = AtomicU8::new(0);

/// How far a run is, which says what is waited for when it is interrupted.
#[derive(Debug, Clone, Copy)]
pub enum Stage {
    /// It has checkpoints.
    Checkpoints = 1,
    /// It has something that is worth to be waited for.
    Kept,
    /// Results are being written, and the program ends by itself.
    Saving,
}

impl Stage {
    /// From now on the run is at least as far as this.
    pub fn begins(self) {
        STAGE.fetch_max(self as u8, SeqCst);
    }

    fn has_begun(self) -> bool {
        STAGE.load(SeqCst) >= self as u8
    }
}

/// What is said of a run that ends with nothing to keep.
static NOTHING: Mutex<String> = Mutex::new(String::new());

/// Begins to listen. Call it once, before anything is read.
pub(crate) fn begin() -> anyhow::Result<()> {
    listen("interrupted before the command was complete");
    let nohup = ignore_hang_up();
    ctrlc::set_handler(|| {
        let again = REQUESTED.swap(true, SeqCst);
        // A file that is being written is finished, so that no half of it is left behind.
        if Stage::Saving.has_begun() {
            return;
        }
        let end = || {
            let nothing = NOTHING.lock().map_or_else(|_| String::new(), |nothing| nothing.clone());
            terminal::print(&format!("dlfrm: {nothing}"));
            std::process::exit(130);
        };
        // A step of a large network takes long: it is not waited for if it leaves nothing.
        match (again, Stage::Kept.has_begun(), Stage::Checkpoints.has_begun()) {
            (false, true, _) => terminal::print(
                "dlfrm: interrupted, ending after this step (once more: at once, and nothing more is saved)",
            ),
            // The last checkpoint is there whatever happens; perhaps there is time for another one.
            (false, false, true) => drop(std::thread::spawn(move || {
                std::thread::sleep(Duration::from_secs(2));
                if !Stage::Saving.has_begun() {
                    end();
                }
            })),
            _ => end(),
        }
    })?;
    // The handler has taken the signal that `nohup` has a program ignore.
    if nohup {
        ignore_hang_up();
    }
    Ok(())
}

/// A run that may take long begins: the message if it is ended with nothing to keep.
pub fn listen(nothing: impl Display) {
    *NOTHING.lock().expect("nobody panics with it") = nothing.to_string();
}

/// Whether the user has interrupted the run.
pub fn requested() -> bool {
    REQUESTED.load(SeqCst)
}

/// Writes a file, and is not interrupted before it is complete.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), ModelFileError> {
    let before = STAGE.swap(Stage::Saving as u8, SeqCst);
    let written = dlfrm_io::model_file::write_file(path, bytes);
    STAGE.store(before, SeqCst);
    written
}

/// Ignores the end of the terminal, and says whether it was ignored before, as `nohup` has it.
#[cfg(any(target_os = "linux", target_os = "macos"))]
#[expect(unsafe_code, reason = "the standard library has no other way to ignore a signal")]
fn ignore_hang_up() -> bool {
    unsafe extern "C" {
        fn signal(number: std::ffi::c_int, action: usize) -> usize;
    }
    const SIGHUP: std::ffi::c_int = 1;
    const IGNORE: usize = 1;
    // SAFETY: `signal` of the C library with a signal that both systems number so and with the action to ignore it, which runs
    // no code of ours.
    unsafe { signal(SIGHUP, IGNORE) == IGNORE }
}

/// Other systems have no such signal.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn ignore_hang_up() -> bool {
    false
}
