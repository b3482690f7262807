//! `dlfrm resume`: goes on with a fit that was ended, or with a model that is to have more draws.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;
use dlfrm::fit::{Checkpoint, Fit, FittedModel, Versions};
use dlfrm_io::model_file::{CheckpointFile, check_writable};

use crate::args::{ControlArgs, GlobalArgs, MemoryArgs, check_trace_output};
use crate::run::Run;

/// The arguments of `dlfrm resume`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dlfrm resume friends.dlfrm
  dlfrm resume friends.dlfrm --draws +200
  dlfrm resume friends.dlfrm --until 1.05 --time 10m

The result is, bit for bit, that of a fit that was never ended, or that asked for all draws at once, on any number of threads.
Everything is in the checkpoint and in the model: the network's file is not needed.")]
pub(crate) struct ResumeArgs {
    /// The model of the fit (its -o), whether it is there yet or not
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// Keep so many draws more of each chain
    #[arg(long, value_name = "+N", value_parser = more, allow_hyphen_values = true)]
    draws: Option<usize>,
    /// Write what every kernel did in every sweep to this file, one JSON object per line
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    trace: Option<PathBuf>,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    control: ControlArgs,
    #[command(flatten)]
    memory: MemoryArgs,
}

fn more(text: &str) -> Result<usize, String> {
    let number = text.strip_prefix('+').unwrap_or(text);
    let digits = number.bytes().all(|byte| byte.is_ascii_digit());
    number
        .parse()
        .ok()
        .filter(|_| digits)
        .ok_or_else(|| "a number of draws is needed, such as +100".to_owned())
}

pub(crate) fn run(args: &ResumeArgs, global: &GlobalArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let began = Instant::now();
    if let Some(trace) = &args.trace {
        check_trace_output(trace, &[], &args.model)?;
    }
    let file = CheckpointFile::take(&args.model, args.control.checkpoint_every)?;
    check_writable(&args.model)?;
    let mut checkpoint = if file.exists() { file.read()? } else { complete(args)? };
    let named = || args.model.display().to_string();
    // A model that cannot be read is replaced, too.
    let of_another = |model: FittedModel| !of_this_network(&model, &checkpoint);
    if file.exists() && dlfrm_io::load_model(&args.model).is_ok_and(of_another) {
        let (checkpoint, model) = (file.path().display(), named());
        global.notice(&format!("{checkpoint} is of another network than {model}, which will be replaced"));
    }
    if let Some(draws) = args.draws {
        checkpoint.more_draws(draws).with_context(named)?;
    }
    if let Some(r_hat) = args.control.until {
        checkpoint.until(r_hat).with_context(named)?;
    }
    if checkpoint.complete() && !file.exists() {
        bail!("{}: the fit is complete; --draws +N or --until R goes on with it", named());
    }
    if checkpoint.versions != Versions::current() {
        global.notice("the fit began with another version of dlfrm: its draws may go on with other bits");
    }
    let run = Run {
        output: &args.model,
        file: named(),
        control: args.control,
        memory: args.memory,
        trace: args.trace.as_deref(),
        json: args.json,
        began,
    };
    run.run(Fit::resume(checkpoint), file, global, out)
}

/// What a complete model goes on with.
fn complete(args: &ResumeArgs) -> anyhow::Result<Checkpoint> {
    if !args.model.exists() {
        bail!(
            "{}: there is neither a model nor a checkpoint of a fit; begin with 'dlfrm fit NETWORK -o {0}'",
            args.model.display()
        );
    }
    let model = dlfrm_io::load_model(&args.model)?;
    model.into_checkpoint().with_context(|| args.model.display().to_string())
}

/// Whether a model that is there is of the same network as a checkpoint, as far as its name and its entities tell.
fn of_this_network(model: &FittedModel, checkpoint: &Checkpoint) -> bool {
    let entities = checkpoint.relations[0].network.entities();
    model.name == checkpoint.name && model.entities.names() == entities.names()
}
