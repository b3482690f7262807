# Sourced with `COMMIT` or `--binary FILE` as the first arguments: sets other_binary to a binary of that commit, built in a
# scratch folder that is removed at exit, and other_arguments to the number of the first argument behind them; and
# this_binary to one of this tree, or to DLFRM_BINARY if that is set.
scratch=$(mktemp -d)
project=$PWD
remove_scratch() {
    cd "$project"
    git worktree remove --force "$scratch/tree" 2>/dev/null || true
    rm -rf "$scratch"
}
trap remove_scratch EXIT
if [[ $1 == --binary ]]; then
    other_binary=$2
    other_arguments=3
else
    git worktree add --quiet --detach "$scratch/tree" "$1"
    (cd "$scratch/tree" && cargo build --quiet --release --locked --target-dir "$scratch/target")
    other_binary=$scratch/target/release/dlfrm
    other_arguments=2
fi
if [[ -z ${DLFRM_BINARY:-} ]]; then
    cargo build --quiet --release
fi
this_binary=${DLFRM_BINARY:-${CARGO_TARGET_DIR:-target}/release/dlfrm}
