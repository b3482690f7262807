//! `dlfrm fit`: fits a model, saves it, and prints a summary.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, bail};
use clap::Args;
use dlfrm::fit::{Fit, FitOptions};
use dlfrm::model::{Model, Settings};
use dlfrm_io::Dataset;
use dlfrm_io::model_file::check_writable;

use crate::args::{
    GlobalArgs, MemoryArgs, NetworkArgs, SettingArgs, SharingArgs, SideInfoArgs, check_distinct,
    check_model_output, model_help,
};
use crate::failure::{Interrupted, Partial};
use crate::interrupt;
use crate::progress::FitProgress;
use crate::summary;
use crate::trace::Tracer;

/// The arguments of `dlfrm fit`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dlfrm fit friends.tsv --undirected -o friends.dlfrm
  dlfrm fit kinship.tsv.gz --columns relation,source,target --model diag-dlfrm-h
  dlfrm fit webkb.tsv.gz --entities 877 --node-attributes webkb-words.tsv.gz -o webkb.dlfrm
  zcat links.csv.gz | dlfrm fit - -o links.dlfrm --chains 2 --draws 50

Ctrl-C ends the fit: the draws kept so far are saved. Without a draw nothing is saved. The exit code is 130 in both cases.")]
pub(crate) struct FitArgs {
    /// Where the model is saved; a model that is there is replaced [default: the network's name with .dlfrm]
    #[arg(long, short, value_name = "MODEL")]
    output: Option<PathBuf>,
    /// Replace a file that is no model of dlfrm
    #[arg(long, hide_short_help = true)]
    force: bool,
    #[arg(long, value_name = "MODEL", value_parser = Model::from_str, help = model_help("The model"))]
    model: Option<Model>,
    /// Treat an undirected link as two directed ones with a full weight matrix, as the paper does
    #[arg(long, hide_short_help = true)]
    asymmetric: bool,
    #[command(flatten)]
    sharing: SharingArgs,
    /// Learn from all links and this many non-links per link, drawn at random [default: from all non-links; 10 per link
    /// where there are more than 50 million pairs]
    #[arg(long, value_name = "X", allow_negative_numbers = true, hide_short_help = true)]
    negatives: Option<f64>,
    /// Write what every kernel did in every sweep to this file, one JSON object per line
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    trace: Option<PathBuf>,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    side_info: SideInfoArgs,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    network: NetworkArgs,
    #[command(flatten)]
    settings: SettingArgs,
}

impl FitArgs {
    fn options(&self) -> FitOptions {
        FitOptions {
            model: self.model.unwrap_or(Model::DEFAULT),
            settings: self.settings.0.clone(),
            asymmetric: self.asymmetric,
            negatives: self.negatives,
            sharing: self.sharing.sharing(),
            memory_limit: None,
        }
    }

    /// Where the model goes, found out to be writable.
    fn output(&self, dataset: &Dataset) -> anyhow::Result<PathBuf> {
        if let Some(output) = &self.output {
            return Ok(output.clone());
        }
        if self.network.network == Path::new("-") {
            bail!("a network from standard input has no name: say with -o where the model is saved");
        }
        let output = PathBuf::from(format!("{}.dlfrm", dataset.name));
        self.check_output(&output)?;
        Ok(output)
    }

    /// The files that are read.
    fn inputs(&self) -> Vec<&Path> {
        self.network.files().into_iter().chain(self.side_info.files()).collect()
    }

    /// Refuses an output that would overwrite something.
    fn check_output(&self, output: &Path) -> anyhow::Result<()> {
        check_distinct("-o", output, &self.inputs())?;
        check_model_output(output, self.force)?;
        Ok(check_writable(output)?)
    }
}

pub(crate) fn run(args: &FitArgs, global: &GlobalArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let options = args.options();
    // Mistakes in settings are reported before the network is read; the network decides some defaults.
    options.settings.over(Settings::defaults(options.model, 0)).check()?;
    args.output.as_deref().map_or(Ok(()), |output| args.check_output(output))?;
    let dataset = args.network.read(global)?;
    let output = args.output(&dataset)?;
    if let Some(trace) = &args.trace {
        check_distinct("--trace", trace, &[args.inputs(), vec![&output]].concat())?;
    }
    let side_info = args.side_info.read(&dataset, global)?;
    let progress = FitProgress::new(global.quiet);
    let tracer = Tracer::new(&progress, args.trace.as_deref())?;
    let fit = Fit::relations(&dataset.relations)
        .name(&dataset.name)
        .options(options)
        .side_info(side_info)
        .observer(&tracer);
    let file = || args.network.network.display().to_string();
    let plan = fit.plan().with_context(file)?;
    args.memory.check(plan.memory, global).with_context(file)?;
    interrupt::listen(Interrupted)?;
    let model = fit.run();
    progress.finish();
    tracer.finish().context("the trace could not be written")?;
    let model = match model {
        Err(dlfrm::Error::Interrupted) => bail!(Interrupted),
        model => model.with_context(file)?,
    };
    interrupt::saving();
    dlfrm_io::save_model(&model, &output)?;
    let summary = summary::Fit::new(&model, &output);
    if args.json {
        serde_json::to_writer_pretty(&mut *out, &summary)?;
        writeln!(out)?;
    } else {
        write!(out, "{summary}")?;
    }
    // A program that calls this one must not take the model for a complete one.
    if model.interrupted { Err(Partial { output }.into()) } else { Ok(()) }
}
