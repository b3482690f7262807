//! The command `dlfrm-paper` from outside: one program, so that it is linked once.

mod corpus;
mod figures;
mod reproduce;
#[allow(dead_code, reason = "the tests of the other command have more in common")]
#[path = "../../../dlfrm-cli/tests/command/shared.rs"]
mod shared;

/// The command that is tested.
fn program() -> assert_cmd::Command {
    assert_cmd::cargo::cargo_bin_cmd!("dlfrm-paper")
}
