//! `dlfrm resume`: goes on with a fit that was ended, or with a model that is to have more draws.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{anyhow, bail, ensure};
use clap::Args;
use dlfrm::fit::{Checkpoint, Fit};
use dlfrm_io::model_file::{CheckpointFile, check_writable};

use crate::args::{
    GlobalArgs, Of, check_checkpoint, check_finished, check_trace_output, load_model, model_of_checkpoint,
    unfinished,
};
use crate::run::{Run, RunArgs};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dlfrm resume friends.dlfrm
  dlfrm resume friends.dlfrm --draws +200
  dlfrm resume friends.dlfrm --until 1.05 --time 10m

The result is, bit for bit, that of a fit that was never ended, or that asked for all draws at once (and kept as many, see --keep), \
on any number of threads. \
Everything is in the checkpoint and in the model: the network's file is not needed.")]
pub(crate) struct ResumeArgs {
    /// The model of the fit (its -o), whether it is there yet or not
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// Make so many draws more of each chain
    #[arg(long, value_name = "+N", value_parser = more, allow_hyphen_values = true)]
    draws: Option<usize>,
    #[command(flatten)]
    run: RunArgs,
}

/// Without its sign the number could be taken for the draws that the model is to have.
fn more(text: &str) -> Result<usize, String> {
    let more = text.strip_prefix('+').and_then(|digits| digits.parse().ok());
    more.ok_or_else(|| "a number of further draws is needed, such as +100".to_owned())
}

pub(crate) fn run(args: &ResumeArgs, global: &GlobalArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let began = Instant::now();
    let of_checkpoint = model_of_checkpoint(&args.model);
    let model = of_checkpoint.as_deref().unwrap_or(&args.model);
    if let Some(trace) = &args.run.trace {
        check_trace_output(trace, &[], model)?;
    }
    // With the checkpoint of another fit in its place the model would be replaced.
    if let (None, Some(unfinished)) = (&of_checkpoint, unfinished(model)) {
        bail!(unfinished);
    }
    check_checkpoint(model, &[])?;
    let file = CheckpointFile::take(model, args.run.checkpoint_every)?;
    check_writable(model)?;
    let name = model.display();
    let locked = std::fs::metadata(model).is_ok_and(|found| found.permissions().readonly());
    ensure!(!locked, "{name} is read-only, and the fit would replace it: make it writable");
    let goes_on = file.exists();
    let mut checkpoint = if goes_on { read(&file, model)? } else { complete(model)? };
    if let Some(draws) = args.draws {
        checkpoint.more_draws(draws).of(model)?;
    }
    if let Some(draws) = args.run.keep {
        checkpoint.keep(draws).of(model)?;
    }
    match (args.run.until, checkpoint.goal()) {
        (Some(r_hat), _) => checkpoint.until(r_hat).of(model)?,
        (None, Some(r_hat)) => global.warning(&format!(
            "the fit goes on until R-hat is {r_hat}, as was asked for when it began: --until sets another"
        )),
        (None, None) => {}
    }
    if checkpoint.complete() && !goes_on && args.run.keep.is_none() {
        bail!("{name}: the fit is complete; --draws +N or --until R goes on with it");
    }
    let mut run = Run { trace_goes_on: true, ..Run::new(&args.run, model, model, began) };
    if !goes_on {
        run.nothing = format!("before a further draw was kept: {name} is as it was");
    }
    run.run(Fit::resume(checkpoint), file, global, out)
}

/// The checkpoint, or what to do without it.
fn read(file: &CheckpointFile, model: &Path) -> anyhow::Result<Checkpoint<'static>> {
    file.read().map_err(|error| {
        let or = if model.exists() { "remove it to go on with the model, or " } else { "" };
        anyhow!("{error}: {or}'dlfrm fit NETWORK -o {} --force' begins anew", model.display())
    })
}

/// What a complete model goes on with.
fn complete(model: &Path) -> anyhow::Result<Checkpoint<'static>> {
    let name = model.display();
    if !model.exists() {
        bail!(
            "{name}: there is neither a model nor a checkpoint of a fit; begin with 'dlfrm fit NETWORK -o {name}'"
        );
    }
    let fitted = load_model(model)?;
    check_finished(&fitted, model)?;
    fitted.into_checkpoint().of(model)
}
