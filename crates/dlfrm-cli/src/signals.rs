//! Signals that end no run: a file that grows beyond the limit of the shell (`ulimit -f`), and the end of a terminal under
//! `nohup`.

#[cfg(any(target_os = "linux", target_os = "macos"))]
#[expect(unsafe_code, reason = "the standard library has no other way to ignore a signal")]
mod unix {
    use std::ffi::c_int;

    unsafe extern "C" {
        fn signal(number: c_int, action: usize) -> usize;
    }
    const SIGHUP: c_int = 1;
    const SIGXFSZ: c_int = 25;
    const IGNORE: usize = 1;

    /// Ignores a signal, and says whether it was ignored before.
    fn ignore(number: c_int) -> bool {
        // SAFETY: `signal` of the C library with a signal that both systems number so and with the action to ignore it, which
        // runs no code of ours.
        unsafe { signal(number, IGNORE) == IGNORE }
    }

    /// Has a write beyond the limit fail as one to a full disk does.
    pub(crate) fn fail_beyond_file_limit() {
        ignore(SIGXFSZ);
    }

    /// Ignores the end of the terminal, and says whether it was ignored before.
    pub(crate) fn ignore_hang_up() -> bool {
        ignore(SIGHUP)
    }
}

/// Other systems have no such signals.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
mod unix {
    pub(crate) fn fail_beyond_file_limit() {}

    pub(crate) fn ignore_hang_up() -> bool {
        false
    }
}

pub(crate) use unix::{fail_beyond_file_limit, ignore_hang_up};
