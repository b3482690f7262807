//! A file that grows beyond the limit of the shell (`ulimit -f`): a write that fails, and not the end of the program.

/// Has such a write fail as one to a full disk does.
#[cfg(any(target_os = "linux", target_os = "macos"))]
#[expect(unsafe_code, reason = "the standard library has no other way to ignore a signal")]
pub(crate) fn fail_beyond() {
    use std::ffi::c_int;

    unsafe extern "C" {
        fn signal(number: c_int, action: usize) -> usize;
    }
    const SIGXFSZ: c_int = 25;
    const IGNORE: usize = 1;
    // SAFETY: `signal` of the C library with a signal that both systems number so and with the action to ignore it, which runs no
    // code of ours.
    unsafe { signal(SIGXFSZ, IGNORE) };
}

/// Other systems have no such limit.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub(crate) fn fail_beyond() {}
