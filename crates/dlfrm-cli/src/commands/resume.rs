//! `dlfrm resume`: goes on with a fit that was ended, or with a model that is to have more draws.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;
use dlfrm::fit::{Checkpoint, Fit, FittedModel, Versions};
use dlfrm_io::model_file::{CheckpointFile, check_writable, checkpoint_path};

use crate::args::{
    ControlArgs, GlobalArgs, LESS_MEMORY_TO_GO_ON, MemoryArgs, check_checkpoint, check_finished,
    check_trace_output, load_model, model_of_checkpoint, read_only, unfinished,
};
use crate::failure::There;
use crate::run::Run;
use crate::table::counted;

/// The arguments of `dlfrm resume`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dlfrm resume friends.dlfrm
  dlfrm resume friends.dlfrm --draws +200
  dlfrm resume friends.dlfrm --until 1.05 --time 10m

The result is, bit for bit, that of a fit that was never ended, or that asked for all draws at once, on any number of threads. \
Everything is in the checkpoint and in the model: the network's file is not needed.")]
pub(crate) struct ResumeArgs {
    /// The model of the fit (its -o), whether it is there yet or not
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// Keep so many draws more of each chain
    #[arg(long, value_name = "+N", value_parser = more, allow_hyphen_values = true)]
    draws: Option<usize>,
    /// Write what every kernel did in every sweep to this file, one JSON object per line; lines are added to a
    /// trace that is there
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
    let more = number.parse().ok().filter(|_| digits);
    match more {
        // It could be taken for the draws that the model is to have.
        Some(more) if !text.starts_with('+') => {
            Err(format!("write +{more} for {more} draws more of each chain"))
        }
        more => more.ok_or_else(|| "a number of draws is needed, such as +100".to_owned()),
    }
}

pub(crate) fn run(args: &ResumeArgs, global: &GlobalArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let began = Instant::now();
    let of_checkpoint = model_of_checkpoint(&args.model);
    let model = of_checkpoint.as_deref().unwrap_or(&args.model);
    if let Some(trace) = &args.trace {
        check_trace_output(trace, &[], model)?;
    }
    // With the checkpoint of another fit in its place the model would be replaced.
    if of_checkpoint.is_none()
        && let Some(unfinished) = unfinished(model)
    {
        bail!(unfinished);
    }
    if checkpoint_path(model).is_dir() {
        check_checkpoint(model, &[])?;
    }
    let file = CheckpointFile::take(model, args.control.checkpoint_every)?;
    check_writable(model)?;
    if read_only(model) {
        bail!("{} is read-only, and the fit would replace it: make it writable", model.display());
    }
    let mut checkpoint = if file.exists() { read(&file, model)? } else { complete(model)? };
    let named = || model.display().to_string();
    // A model that cannot be read is replaced, too.
    let former = if file.exists() { dlfrm_io::load_model(model).ok() } else { None };
    let another = former.as_ref().filter(|former| !checkpoint.continues(former));
    if let Some(former) = another {
        let what = if of_this_network(former, &checkpoint) { "fit" } else { "network" };
        let (checkpoint, there) = (file.path().display(), named());
        global.warning(&format!("{checkpoint} is of another {what} than {there}, which will be replaced"));
    }
    let begun = !file.exists() || (former.is_some() && another.is_none());
    if let Some(draws) = args.draws {
        let due = checkpoint.draws_due();
        checkpoint.more_draws(draws).with_context(named)?;
        if file.exists() && due > 0 {
            let (path, all) = (file.path().display(), checkpoint.draws_due());
            let due = counted(due, "draw");
            global.warning(&format!(
                "{path} has {due} of each chain to make already: with {draws} more these are {all}"
            ));
        }
    }
    match (args.control.until, checkpoint.goal()) {
        (Some(r_hat), _) => checkpoint.until(r_hat).with_context(named)?,
        (None, Some(r_hat)) => global.warning(&format!(
            "the fit goes on until R-hat is {r_hat}, as was asked for when it began: --until sets another"
        )),
        (None, None) => {}
    }
    if checkpoint.complete() && !file.exists() {
        bail!("{}: the fit is complete; --draws +N or --until R goes on with it", named());
    }
    if checkpoint.versions != Versions::current() {
        global.warning("the fit began with another version of dlfrm: its draws may go on with other bits");
    }
    let run = Run {
        output: model,
        file: named(),
        control: args.control,
        memory: args.memory,
        less_memory: LESS_MEMORY_TO_GO_ON,
        trace: args.trace.as_deref(),
        trace_goes_on: true,
        there: match (begun, another) {
            (true, _) => There::Begun(model.to_owned(), checkpoint.draws_due()),
            (false, Some(_)) => There::Former(model.to_owned()),
            (false, None) => There::Nothing,
        },
        added: None,
        json: args.json,
        began,
    };
    run.run(Fit::resume(checkpoint), file, global, out)
}

/// The checkpoint, or what to do without it.
fn read(file: &CheckpointFile, model: &Path) -> anyhow::Result<Checkpoint> {
    file.read().map_err(|error| {
        let anew = format!("'dlfrm fit NETWORK -o {} --force' begins anew", model.display());
        let or = if model.exists() { "remove it to go on with the model, or " } else { "" };
        anyhow::anyhow!("{error}: {or}{anew}")
    })
}

/// What a complete model goes on with.
fn complete(model: &Path) -> anyhow::Result<Checkpoint> {
    if !model.exists() {
        bail!(
            "{}: there is neither a model nor a checkpoint of a fit; begin with 'dlfrm fit NETWORK -o {0}'",
            model.display()
        );
    }
    let fitted = load_model(model)?;
    check_finished(&fitted, model)?;
    fitted.into_checkpoint().with_context(|| model.display().to_string())
}

/// Whether a model that is there is of the same network as a checkpoint, as far as its name and its nodes tell.
fn of_this_network(model: &FittedModel, checkpoint: &Checkpoint) -> bool {
    let nodes = checkpoint.relations[0].network.nodes();
    model.name == checkpoint.name && model.nodes.names() == nodes.names()
}
