//! `dlfrm reproduce`: a table or a figure of the paper made anew, beside what the paper says.

mod data;
mod sections;
mod work;

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use dlfrm::model::Settings;
use dlfrm::network::Protocol;
use dlfrm_io::model_file::write_file;

use crate::args::{GlobalArgs, MemoryArgs, SettingArgs};
use crate::commands::evaluate;
use crate::reproduce::{
    Kind, Line, Maker, Paper, Reproduction, Store, Study, StudyName, Subject, drawings, markdown, tables,
};
use crate::{interrupt, learn};

use data::Data;
use sections::{Section, Wanted};
use work::Work;

/// The arguments of `dlfrm reproduce`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dlfrm reproduce nips --quick --data networks
  dlfrm reproduce kinship --data networks -o figures
  dlfrm reproduce burn-in --network astroph --data networks -o figures
  dlfrm reproduce gowalla --model diag-dlfrm-l,cn --runs 3 --data networks -o figures

Every contender in every run is a piece of work that is kept in the folder as soon as it is done. The same command goes on
where an earlier one ended. More runs or more models are added to those that are there: a table shows everybody of the
study who was judged with the same settings, with as many runs as there are.")]
pub(crate) struct ReproduceArgs {
    /// The table of a network, or an analysis
    #[arg(value_enum, value_name = "NAME")]
    name: StudyName,
    /// The network of an analysis (burn-in, imbalance, dimension, time) [default: nips]
    #[arg(long, value_enum, value_name = "NETWORK")]
    network: Option<Analysed>,
    /// The folder of the paper's networks [default: what the variable DLFRM_DATA names]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Where tables, figures and pieces go
    #[arg(long, short, value_name = "FOLDER", default_value = "reproduction")]
    output: PathBuf,
    /// How many splits to average over [default: 5 for nips, kinship and webkb, 1 for astroph and gowalla]
    #[arg(long, value_name = "N")]
    runs: Option<usize>,
    /// Judge these only, by name, separated by commas; models, baselines or all for several [default: those of the paper
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

/// The networks that the paper analyses.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Analysed {
    Nips,
    Astroph,
}

impl ReproduceArgs {
    fn study(&self) -> anyhow::Result<Study> {
        let kind = self.name.kind();
        let subject = match (kind, self.network) {
            (Kind::Table, Some(_)) => {
                bail!(
                    "--network is for analyses (burn-in, imbalance, dimension, time): {} has its own",
                    self.name.word()
                )
            }
            (Kind::Table, None) => Subject::named(&self.name.word()),
            (_, Some(Analysed::Astroph)) => Subject::named("astroph"),
            (_, Some(Analysed::Nips) | None) => Subject::named("nips"),
        };
        Ok(Study { kind, subject })
    }

    fn runs(&self, study: &Study) -> dlfrm::Result<usize> {
        match self.runs {
            Some(0) => {
                Err(dlfrm::Error::Setting { name: "runs", expected: "at least 1", value: "0".to_owned() })
            }
            Some(runs) => Ok(runs),
            None => Ok(if self.quick { 1 } else { study.subject.runs }),
        }
    }
}

pub(crate) fn run(args: &ReproduceArgs, global: &GlobalArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let study = args.study()?;
    let runs = args.runs(&study)?;
    let store = Store::new(&args.output);
    let wanted =
        Wanted { study, names: &args.model, quick: args.quick, settings: &args.settings, store: &store };
    // Mistakes in names and settings are told before the network is read.
    let attributes = wanted.sections(|_| 0)?.iter().any(|section| section.attributes);
    let data = Data::read(args.data.as_deref(), study.subject, attributes, common)?;
    let sections = wanted.sections(|split| pairs(&data, split))?;
    for section in &sections {
        check(section, &data, args.memory, common).with_context(|| data.path.display().to_string())?;
    }
    let seed = args.settings.settings(Settings::default().model, 0, false).seed;
    interrupt::listen()?;
    let work = Work {
        study,
        data: &data,
        sections: &sections,
        runs,
        seed,
        store: &store,
        maker: Maker::this(),
        common,
    };
    let (lines, made_by) = work.finish()?;
    let (paper, name) = (Paper::read(), study.name());
    let paper_table = paper.study(study.subject.name);
    let beside = |line: Line| {
        let row = paper_table.row(&line.contender);
        line.beside(row)
    };
    let reproduction = Reproduction {
        study,
        network: data.facts.clone(),
        seed,
        quick: args.quick,
        made_by,
        paper_source: &paper.source,
        paper: paper.study(&name),
        paper_table,
        lines: lines.into_iter().map(beside).collect(),
        name,
    };
    interrupt::saving();
    let files = write(&reproduction, args)?;
    if args.json {
        serde_json::to_writer_pretty(&mut *out, &reproduction)?;
        writeln!(out)?;
        return Ok(());
    }
    writeln!(out, "{}", study.title())?;
    writeln!(out, "paper: {}", reproduction.paper.source)?;
    for words in reproduction.paper.words.iter().filter(|_| reproduction.paper.plot_only) {
        writeln!(out, "  \"{words}\"")?;
    }
    for (heading, table) in tables(&reproduction) {
        write!(out, "\n{heading}\n{table}")?;
    }
    writeln!(out, "\nsaved to {}: {}", args.output.display(), files.join(", "))?;
    Ok(())
}

/// How many pairs are learned from, as the defaults count them.
fn pairs(data: &Data, split: Protocol) -> usize {
    let networks = data.dataset.relations.iter().map(|relation| &relation.network);
    let pairs = learn::most_pairs(networks, split.ordered(), negatives(split));
    (pairs * (1.0 - split.test_fraction())) as usize
}

fn negatives(split: Protocol) -> Option<f64> {
    split.samples().then_some(Protocol::NEGATIVES)
}

/// Refuses what cannot be judged, and what the memory does not hold.
fn check(section: &Section, data: &Data, memory: MemoryArgs, global: &GlobalArgs) -> anyhow::Result<()> {
    let (ordered, negatives) = (section.split.ordered(), negatives(section.split));
    evaluate::check(&data.dataset, ordered, negatives)?;
    let asked = section.entries.iter().filter(|entry| entry.asked.is_some());
    let contenders = asked.map(|entry| &entry.contender);
    let given = data.given(section.attributes);
    memory.check(evaluate::memory(&data.dataset, contenders, ordered, negatives, &given), common)
}

/// Writes everything but the pieces; gives the names of the files.
fn write(of: &Reproduction<'_>, args: &ReproduceArgs) -> anyhow::Result<Vec<String>> {
    fs::create_dir_all(&args.output).with_context(|| format!("{} cannot be made", args.output.display()))?;
    let drawings = drawings(of);
    let names: Vec<String> = drawings.iter().map(|(name, _)| name.clone()).collect();
    let json = serde_json::to_string_pretty(of)? + "\n";
    let texts = [(format!("{}.md", of.name), markdown(of, &names)), (format!("{}.json", of.name), json)];
    let mut files = vec![];
    for (name, text) in texts.into_iter().chain(drawings) {
        write_file(&args.output.join(&name), text.as_bytes())?;
        files.push(name);
    }
    Ok(files)
}
