//! The command `dlfrm` from outside: one program, so that it is linked once.

mod evaluation;
mod golden_path;
#[cfg(unix)]
mod interrupt;
mod mistakes;
mod scores;
mod shared;
mod splits;
