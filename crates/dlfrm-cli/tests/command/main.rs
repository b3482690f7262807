//! The command `dlfrm` from outside: one program, so that it is linked once.

mod golden_path;
#[cfg(unix)]
mod interrupt;
mod mistakes;
mod shared;
