//! `dlfrm report`: one page that shows what a fit found and how far to trust it.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use dlfrm::fit::{FittedModel, FittedRelation};
use dlfrm_io::model_file::check_writable;
use dlfrm_io::report::{Labelled, Report, ReportOptions, page};
use dlfrm_io::{Columns, LabelledOptions, read_labelled_pairs};

use crate::args::{GlobalArgs, ModelFileArgs, check_distinct, check_page_output, count, whole_number};
use crate::interrupt::write_file;
use crate::words::counted;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dlfrm report friends.dlfrm -o friends.html
  dlfrm report friends.dlfrm -o friends.html --test held-out.tsv

The page needs no network and no other file. Without --test its curves are drawn on the pairs that `dlfrm fit --hold-out` held \
out, else on those that were learned from, and it says so: how well new links are predicted only held-out pairs show.")]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    model: ModelFileArgs,
    /// Where the page goes, - for standard output; a report that is there is replaced [default: the model's name with .html]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace a file that is no report
    #[arg(long)]
    force: bool,
    /// Held-out pairs to evaluate on: an edge list with a label, 1 or 0, for each; - for standard input
    #[arg(long, value_name = "FILE")]
    test: Option<PathBuf>,
    /// With --test: what the columns mean, in order [default: the header's words, or source,target,label]
    #[arg(long, value_name = "LIST", requires = "test")]
    columns: Option<Columns>,
    /// Show the N most probable missing links of each relation, 0 for none
    #[arg(long, value_name = "N", value_parser = count, default_value_t = 200)]
    top: usize,
    /// Random seed of the sample of pairs that a large network is evaluated on
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole_number)]
    seed: u64,
}

pub(crate) fn run(args: &ReportArgs, global: &GlobalArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let output = args.output.clone().unwrap_or_else(|| args.model.file.with_extension("html"));
    let printed = output == Path::new("-");
    let inputs: Vec<&Path> = args.test.iter().chain([&args.model.file]).map(PathBuf::as_path).collect();
    check_distinct("-o", &output, &inputs)?;
    if !printed {
        check_page_output(&output, args.force)?;
        check_writable(&output)?;
    }
    let model = args.model.load()?;
    // The page says itself if chains do not agree.
    args.model.warn(&model, None, global);
    let relations = args.model.relations(&model)?;
    let test = args.test.as_deref().map(|file| read_test(args, file, &model, &relations, global));
    let test = test.transpose()?;
    let options = ReportOptions { top: args.top, seed: args.seed, test: test.as_deref() };
    let page = page(&Report::new(&model, &relations, options))?;
    if printed {
        return Ok(out.write_all(page.as_bytes())?);
    }
    write_file(&output, page.as_bytes())?;
    Ok(writeln!(out, "saved to {}", output.display())?)
}

/// Reads the held-out pairs of the relations that are shown, and says if the model learned from some.
fn read_test(
    args: &ReportArgs,
    file: &Path,
    model: &FittedModel,
    shown: &[&FittedRelation],
    global: &GlobalArgs,
) -> anyhow::Result<Vec<Labelled>> {
    let number = |shown: &&FittedRelation| model.relations.iter().position(|known| known.name == shown.name);
    let numbers: Vec<usize> = shown.iter().filter_map(number).collect();
    let options = LabelledOptions {
        nodes: &model.nodes,
        directed: model.directed,
        relations: model.relations.iter().map(|relation| relation.name.as_deref()).collect(),
        relation: if let [only] = numbers[..] { Some(only) } else { None },
        columns: args.columns.clone(),
        learned: &[],
        others: &[],
    };
    let read = read_labelled_pairs(file, &options)?;
    global.warnings(&read.warnings);
    let labels = || read.pairs.iter().flatten().map(|pair| pair.link);
    let (links, pairs) = (labels().filter(|&link| link).count(), counted(labels().count(), "pair"));
    let name = file.display();
    if links == 0 || links == labels().count() {
        let what = if links == 0 { "a non-link" } else { "a link" };
        global.warning(&format!(
            "{name}: of {pairs} every one is {what}, so there is no AUC and no average precision"
        ));
    }
    let test: Vec<_> = numbers.iter().map(|&number| Labelled::new(&read.pairs[number])).collect();
    let learned: usize = test.iter().zip(shown).map(|(test, relation)| test.learned(model, relation)).sum();
    if learned > 0 {
        let model = args.model.file.display();
        global.warning(&format!(
            "{name}: {model} learned from {learned} of {pairs}, as links or as non-links: they are not held out, and the curves \
             do not show how well new links are predicted (to hold pairs out, list them with label ? in the network of the fit)"
        ));
    }
    Ok(test)
}
