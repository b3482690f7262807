//! `dlfrm update`: new links, non-links and nodes for a model, whose chains go on.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use dlfrm::fit::{Added, Fit};
use dlfrm::warning::Warning;
use serde_json::json;

use crate::args::{GlobalArgs, LayoutArgs, Of, check_finished, load_model, read_added};
use crate::interrupt::write_file;
use crate::run::{self, Run, RunArgs};
use crate::summary;

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
    #[command(flatten)]
    run: RunArgs,
}

pub(crate) fn run(args: &UpdateArgs, global: &GlobalArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let began = Instant::now();
    let UpdateArgs { model: former_model, more, output, force, .. } = args;
    let inputs = [&**former_model, &**more];
    let file = run::begin(&args.run, output, &inputs, *force)?;
    let model = load_model(former_model)?;
    check_finished(&model, former_model)?;
    let read = read_added(more, &args.layout, &model, global)?;
    let (mut checkpoint, added) = model.update(&read.relations).of(former_model)?;
    if added == Added::default() {
        // There is nothing to add: the model is saved as it is.
        file.remove()?;
        let name = former_model.display();
        let bytes = std::fs::read(former_model).with_context(|| format!("{name} cannot be read"))?;
        write_file(output, &bytes)?;
        global.warning(&format!("nothing is new: the model is that of {name}, with its draws"));
        let printed = vec![("warnings", json!([]))];
        return summary::print(&load_model(output)?, output, printed, args.run.json, out);
    }
    if let Some(r_hat) = args.run.until {
        checkpoint.until(r_hat).of(former_model)?;
    }
    if let Some(draws) = args.run.keep {
        checkpoint.keep(draws).of(former_model)?;
    }
    let left = checkpoint.held_out.iter().map(|out| out.pairs.len()).sum();
    let held_out = Warning::HeldOutLearned { pairs: added.held_out, left };
    global.warning(&Warning::Added(added).to_string());
    if added.held_out > 0 {
        global.warning(&held_out.to_string());
    }
    let printed = vec![("added", json!(added)), ("read", json!(read.report))];
    let run = Run { printed, ..Run::new(&args.run, output, former_model, began) };
    run.run(Fit::resume(checkpoint), file, global, out)
}
