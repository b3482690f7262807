//! The command `dlfrm`.

fn main() {}
