//! `dlfrm update`: new links, non-links and nodes for a model, whose chains go on.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;
use dlfrm::fit::{Added, Fit};
use dlfrm_io::model_file::{CheckpointFile, check_writable};

use crate::args::{
    ControlArgs, GlobalArgs, LESS_MEMORY_TO_GO_ON, LayoutArgs, MemoryArgs, check_checkpoint, check_distinct,
    check_finished, check_model_output, former, load_model, load_noting, read_added,
};
use crate::interrupt::write_file;
use crate::json;
use crate::run::Run;
use crate::summary;
use crate::table::{counted, counted_as};

/// The arguments of `dlfrm update`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dlfrm update friends.dlfrm new-friends.tsv -o friends-2.dlfrm
  dlfrm update kinship.dlfrm more.tsv --columns relation,source,target -o kinship-2.dlfrm

Names that the model does not have are new nodes. A pair that is given again with another label is what it is given as last: \
a link (1), a non-link (0) or unobserved (?). \
Chains go on from where they are, with a few sweeps before the first draw, until earlier and later draws agree.")]
pub(crate) struct UpdateArgs {
    /// A model that `dlfrm fit` saved
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// New links, and non-links and unobserved pairs if it has labels: read as the network of a fit is, directed if that was
    #[arg(value_name = "MORE")]
    more: PathBuf,
    /// Where the new model is saved
    #[arg(long, short, value_name = "MODEL")]
    output: PathBuf,
    #[command(flatten)]
    layout: LayoutArgs,
    /// Replace a file that is no model of dlfrm, or a fit that was not finished
    #[arg(long, hide_short_help = true)]
    force: bool,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    control: ControlArgs,
    #[command(flatten)]
    memory: MemoryArgs,
}

pub(crate) fn run(args: &UpdateArgs, global: &GlobalArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let began = Instant::now();
    check_distinct("-o", &args.output, &[&args.model, &args.more])?;
    check_model_output(&args.output, args.force)?;
    check_writable(&args.output)?;
    check_checkpoint(&args.output, &[&args.model, &args.more])?;
    let file = CheckpointFile::take(&args.output, args.control.checkpoint_every)?;
    if file.exists() && !args.force {
        let (path, output) = (file.path().display(), args.output.display());
        bail!(
            "{path} has a fit that was not finished: 'dlfrm resume {output}' goes on with it, --force begins anew"
        );
    }
    let model = load_noting(&args.model, global)?;
    check_finished(&model, &args.model)?;
    let more = read_added(&args.more, &args.layout, &model, global)?;
    let names = more.relations[0].network.nodes().names();
    if !names.is_empty() && names.iter().all(|name| model.nodes.get(name).is_none()) {
        let (file, model) = (args.more.display(), args.model.display());
        global.warning(&format!("{file}: {model} knows none of its names: is it a file of another network?"));
    }
    let named = || args.model.display().to_string();
    let (mut checkpoint, added) = model.update(&more.relations).with_context(named)?;
    if added == Added::default() {
        file.remove()?;
        return copy(args, global, out);
    }
    if let Some(r_hat) = args.control.until {
        checkpoint.until(r_hat).with_context(named)?;
    }
    global.warning(&format!("new: {added}"));
    if added.held_out > 0 {
        let left: usize = checkpoint.held_out.iter().map(|out| out.pairs.len()).sum();
        let (was, out) = (if added.held_out == 1 { "was" } else { "were" }, counted(added.held_out, "pair"));
        global.warning(&format!(
            "{out} of them {was} held out and will be learned from: {} left to score the model on",
            counted_as(left, "held-out pair is", "held-out pairs are")
        ));
    }
    let run = Run {
        output: &args.output,
        file: named(),
        control: args.control,
        memory: args.memory,
        less_memory: LESS_MEMORY_TO_GO_ON,
        trace: None,
        trace_goes_on: false,
        there: former(&args.output),
        added: Some(added),
        json: args.json,
        began,
    };
    run.run(Fit::resume(checkpoint), file, global, out)
}

/// Saves the model as it is, because there is nothing to add to it.
fn copy(args: &UpdateArgs, global: &GlobalArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let named = args.model.display();
    let bytes = std::fs::read(&args.model).with_context(|| format!("{named} cannot be read"))?;
    write_file(&args.output, &bytes)?;
    global.warning(&format!("nothing is new: the model is that of {named}, with its draws"));
    let summary = summary::Fit::new(&load_model(&args.output)?, &args.output);
    if args.json { json::print(&summary, out) } else { Ok(write!(out, "{summary}")?) }
}
