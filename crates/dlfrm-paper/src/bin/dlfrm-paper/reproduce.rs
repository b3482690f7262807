//! `dlfrm-paper reproduce`: a table or a figure of the paper, reproduced beside the paper's own figures.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use clap::builder::PossibleValuesParser;
use dlfrm::evaluate::{EvaluationObserver, Method, Outcome};
use dlfrm::fit::{Control, Event, Observer, Progress};
use dlfrm_paper::{Reproduction, ReproductionObserver, Request, Study};

use dlfrm_cli::args::{GlobalArgs, MemoryArgs, SettingArgs, count};
use dlfrm_cli::interrupt::{self, Stage};
use dlfrm_cli::{RunProgress, Stopped, json};

/// The arguments of `dlfrm-paper reproduce`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dlfrm-paper reproduce nips --quick --data networks
  dlfrm-paper reproduce kinship --data networks -o figures
  dlfrm-paper reproduce burn-in --network astroph --data networks -o figures
  dlfrm-paper reproduce gowalla --model diag-dlfrm-l,cn --runs 3 --data networks -o figures

Every method in every run is a piece of work that is kept in the folder as soon as it is done. The same command goes on \
where an earlier one ended. More runs or more models are added to those that are there: a table shows all methods of the \
study that were evaluated with the same settings, with as many runs as there are.")]
pub(crate) struct ReproduceArgs {
    /// The table of a network, or an analysis
    #[arg(value_name = "NAME", value_parser = names())]
    name: String,
    /// The network of an analysis (burn-in, imbalance, dimension, time) [default: nips]
    #[arg(long, value_name = "NETWORK", value_parser = PossibleValuesParser::new(Study::ANALYSED))]
    network: Option<String>,
    /// The folder of the paper's networks [default: the folder that the variable DLFRM_DATA names]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Where tables, figures and pieces go
    #[arg(long, short, value_name = "FOLDER", default_value = "reproduction")]
    output: PathBuf,
    /// How many splits to average over [default: 5 for nips, kinship and webkb, 1 for astroph and gowalla]
    #[arg(long, value_name = "N", value_parser = count)]
    runs: Option<usize>,
    /// Evaluate only these, by name, separated by commas; models, baselines or all for several [default: those of the paper
    /// that are feasible, and all baselines]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    model: Vec<String>,
    /// One run of few and short chains, in large networks of cheap models only: to see that it works, not how well
    #[arg(long)]
    quick: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    settings: SettingArgs,
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(Study::TABLES.into_iter().chain(Study::ANALYSES))
}

impl ReproduceArgs {
    fn request(&self) -> anyhow::Result<Request> {
        if self.network.is_some() && Study::TABLES.contains(&self.name.as_str()) {
            bail!("--network is for analyses ({}): {} has its own", Study::ANALYSES.join(", "), self.name)
        }
        Ok(Request {
            data: self.data.clone(),
            output: self.output.clone(),
            runs: self.runs,
            methods: self.model.clone(),
            quick: self.quick,
            settings: self.settings.0.clone(),
            ..Request::new(Study::new(&self.name, self.network.as_deref())?)
        })
    }
}

pub(crate) fn run(args: &ReproduceArgs, global: &GlobalArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let request = args.request()?;
    let watch = Watch(RunProgress::new(global.quiet, request.runs()?));
    let plan = request.plan(&watch)?;
    let (fits, names, attributes) = plan.fits();
    args.settings.report_idle(&fits, &names.join(", "), attributes, global);
    args.memory.check(plan.memory(), global).with_context(|| plan.network().display().to_string())?;
    interrupt::listen(Stopped::unfinished(None));
    // Pieces that are complete are kept in files: the piece at work is waited for.
    Stage::Kept.begins();
    let reproduction = plan.run(&watch).map_err(crate::failure)?;
    Stage::Saving.begins();
    let files = reproduction.write(&args.output)?;
    json::show(&reproduction, args.json, out, |out| print(args, &reproduction, &files, out))
}

fn print(
    args: &ReproduceArgs,
    reproduction: &Reproduction,
    files: &[String],
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    writeln!(out, "{}", reproduction.title())?;
    writeln!(out, "paper: {}", reproduction.paper.source)?;
    for words in reproduction.paper.words.iter().filter(|_| reproduction.paper.plot_only) {
        writeln!(out, "  \"{words}\"")?;
    }
    for table in reproduction.tables() {
        write!(out, "\n{}\n{}", table.heading, table.cells)?;
    }
    writeln!(out, "\nsaved to {}: {}", args.output.display(), files.join(", "))?;
    Ok(())
}

/// The progress of an evaluation, ended by Ctrl-C after the method that is being evaluated at the latest.
pub(crate) struct Watch(pub(crate) RunProgress<'static>);

impl Observer for Watch {
    fn sweep(&self, progress: &Progress) -> Control {
        self.0.sweep(progress)
    }

    fn step(&self) -> Control {
        self.0.step()
    }

    fn event(&self, event: &Event<'_>) {
        self.0.event(event);
    }
}

impl EvaluationObserver for Watch {
    fn begin(&self, method: &dyn Method, run: usize) {
        self.0.begin(method, run);
    }

    fn end(&self, method: &dyn Method, run: usize, outcome: &Outcome) {
        self.0.end(method, run, outcome);
    }
}

impl ReproductionObserver for Watch {
    fn stop(&self) -> bool {
        interrupt::requested()
    }

    fn note(&self, text: &str) {
        self.0.note(text);
    }
}
