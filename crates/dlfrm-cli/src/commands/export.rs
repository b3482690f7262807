//! `dlfrm export`: a fitted network for other programs.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use dlfrm_io::export::{Export, csv_files, gexf, graphml};
use dlfrm_io::model_file::{check_writable, write_file};

use crate::args::{ModelFileArgs, check_distinct};

/// A format of other programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Graphml,
    Gexf,
    Csv,
}

/// The arguments of `dlfrm export`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dlfrm export friends.dlfrm --format graphml -o friends.graphml
  dlfrm export friends.dlfrm --format gexf -o friends.gexf --top 50
  dlfrm export friends.dlfrm --format csv -o tables

GraphML and GEXF have a node for each entity, with its groups and the probability that it is in each, and an edge for each
link and each predicted link (kind is link or predicted), with its probability and interval. CSV is a folder with
groups.csv, members.csv, links.csv and predicted.csv. Gephi, Cytoscape, igraph and networkx read them.")]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    model: ModelFileArgs,
    /// What to write
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "graphml")]
    format: Format,
    /// The file, or the folder of csv; - for standard output [default: the model's name with the format's ending; for
    /// csv the model's name with -tables]
    #[arg(long, short, value_name = "PATH")]
    output: Option<PathBuf>,
    /// How many predicted links
    #[arg(long, value_name = "N", default_value_t = 100)]
    top: usize,
    /// Replace files that are there
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(args: &ExportArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let output = args.output();
    let printed = output == Path::new("-");
    if args.format == Format::Csv && printed {
        bail!("csv is a folder of four tables and is not written to standard output: name a folder with -o");
    }
    check_distinct("-o", &output, &[&args.model.file])?;
    if args.format != Format::Csv && !printed {
        check_absent(&output, args.force)?;
        check_writable(&output)?;
    }
    let model = args.model.load()?;
    let relations = args.model.relations(&model)?;
    let &[relation] = &relations[..] else {
        bail!(
            "{}: the model has {} relations: choose one with --relation",
            args.model.file.display(),
            relations.len()
        );
    };
    let export = Export::new(&model, relation, args.top);
    let text = match args.format {
        Format::Graphml => graphml(&export),
        Format::Gexf => gexf(&export),
        Format::Csv => {
            let files = csv_files(&export);
            for (name, _) in &files {
                check_absent(&output.join(name), args.force)?;
            }
            fs::create_dir_all(&output).with_context(|| format!("{} cannot be made", output.display()))?;
            for (name, text) in &files {
                write_file(&output.join(name), text.as_bytes())?;
            }
            let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
            writeln!(out, "saved to {}: {}", output.display(), names.join(", "))?;
            return Ok(());
        }
    };
    if printed {
        out.write_all(text.as_bytes())?;
    } else {
        write_file(&output, text.as_bytes())?;
        writeln!(out, "saved to {}", output.display())?;
    }
    Ok(())
}

impl ExportArgs {
    fn output(&self) -> PathBuf {
        self.output.clone().unwrap_or_else(|| match self.format {
            Format::Graphml => self.model.file.with_extension("graphml"),
            Format::Gexf => self.model.file.with_extension("gexf"),
            Format::Csv => {
                let stem = self.model.file.with_extension("");
                PathBuf::from(format!("{}-tables", stem.display()))
            }
        })
    }
}

/// Refuses to replace a file, unless it is empty or `force` is given.
fn check_absent(file: &Path, force: bool) -> anyhow::Result<()> {
    if !force && fs::metadata(file).is_ok_and(|found| found.is_file() && found.len() > 0) {
        bail!("{} is there: it is replaced with --force only", file.display());
    }
    Ok(())
}
