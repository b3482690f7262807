//! `dlfrm export`: a fitted network for other programs.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use dlfrm_io::export::{Export, csv_files, gexf, graphml, picture};
use dlfrm_io::model_file::check_writable;

use crate::args::{GlobalArgs, ModelFileArgs, check_absent, check_distinct, count, make_folder};
use crate::interrupt::write_file;

/// A format of other programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Graphml,
    Gexf,
    Csv,
    Svg,
}

impl Format {
    fn ending(self) -> &'static str {
        match self {
            Self::Graphml => "graphml",
            Self::Gexf => "gexf",
            Self::Csv => "csv",
            Self::Svg => "svg",
        }
    }

    /// The format of a file with this name, if its ending names one.
    fn of(file: &Path) -> Option<Self> {
        let ending = file.extension()?.to_str()?;
        [Self::Graphml, Self::Gexf, Self::Svg]
            .into_iter()
            .find(|format| format.ending().eq_ignore_ascii_case(ending))
    }
}

/// The arguments of `dlfrm export`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dlfrm export friends.dlfrm --format graphml -o friends.graphml
  dlfrm export friends.dlfrm --format gexf -o friends.gexf --top 50
  dlfrm export friends.dlfrm --format csv -o tables
  dlfrm export friends.dlfrm -o friends.svg

GraphML and GEXF have a node for each node, with its groups and the probability that it is in each, and an edge for each \
link and each predicted link (kind is link or predicted), with its probability and interval. CSV is a folder with \
groups.csv, members.csv, links.csv and predicted.csv. Gephi, Cytoscape, igraph and networkx read them. SVG is a picture of \
a network of up to 300 nodes with its groups, for light and dark screens. Features that nearly all nodes have are part \
of the intercept and no groups: they are left out.")]
#[command(mut_arg("relation", |relation| relation.help("The relation to write; needed if the model has several")))]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    model: ModelFileArgs,
    /// What to write [default: what the ending of -o says; graphml without -o and for standard output]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,
    /// The file, or the folder of csv; - for standard output [default: the model's name with the format's ending; for
    /// csv the model's name with -tables]
    #[arg(long, short, value_name = "PATH")]
    output: Option<PathBuf>,
    /// How many predicted links [default: 100; 10 in a picture]
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    top: Option<usize>,
    /// Replace files that are there
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(args: &ExportArgs, global: &GlobalArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let format = args.format()?;
    let output = args.output(format);
    check_distinct("-o", &output, &[&args.model.file])?;
    let printed = output == Path::new("-");
    if format == Format::Csv && printed {
        bail!("csv is a folder of four tables and is not written to standard output: name a folder with -o");
    }
    if format != Format::Csv && !printed {
        check_absent(&output, args.force)?;
        check_writable(&output)?;
    }
    let model = args.model.load(global)?;
    let relations = args.model.relations(&model)?;
    let &[relation] = &relations[..] else {
        let names: Vec<&str> = relations.iter().filter_map(|relation| relation.name.as_deref()).collect();
        bail!(
            "{}: the model has {} relations ({}): choose one with --relation",
            args.model.file.display(),
            relations.len(),
            names.join(", ")
        );
    };
    let disagreement = args.model.disagreement(&model, global)?;
    let top = args.top.unwrap_or(if format == Format::Svg { 10 } else { 100 });
    let export = Export::new(&model, relation, top);
    let text = match format {
        Format::Graphml => graphml(&export),
        Format::Gexf => gexf(&export),
        Format::Svg => picture(&export).with_context(|| args.model.file.display().to_string())?,
        Format::Csv => {
            let files = csv_files(&export);
            for (name, _) in &files {
                let file = output.join(name);
                check_distinct("-o", &file, &[&args.model.file])?;
                check_absent(&file, args.force)?;
            }
            make_folder(&output)?;
            for (name, text) in &files {
                write_file(&output.join(name), text.as_bytes())?;
            }
            args.model.remark(&model, disagreement, global);
            report_left_out(export.left_out(), global);
            let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
            writeln!(out, "saved to {}: {}", output.display(), names.join(", "))?;
            return Ok(());
        }
    };
    args.model.remark(&model, disagreement, global);
    report_left_out(export.left_out(), global);
    if printed {
        out.write_all(text.as_bytes())?;
    } else {
        write_file(&output, text.as_bytes())?;
        writeln!(out, "saved to {}", output.display())?;
    }
    Ok(())
}

/// Says which features are not exported.
fn report_left_out(features: &[usize], global: &GlobalArgs) {
    let numbers = features.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    match features.len() {
        0 => {}
        1 => global.warning(&format!(
            "feature {numbers} is left out: nearly all nodes have it, so that it is part of the intercept and no group"
        )),
        _ => global.warning(&format!(
            "features {numbers} are left out: nearly all nodes have them, so that they are part of the intercept and no \
             groups"
        )),
    }
}

impl ExportArgs {
    fn format(&self) -> anyhow::Result<Format> {
        let Some(output) = self.output.as_deref().filter(|output| *output != Path::new("-")) else {
            return Ok(self.format.unwrap_or(Format::Graphml));
        };
        match (self.format, Format::of(output)) {
            (Some(asked), Some(named)) if asked != named => {
                bail!(
                    "-o {}: the file is named as {}, and --format asks for {}",
                    output.display(),
                    named.ending(),
                    asked.ending()
                )
            }
            (None, None) => {
                bail!(
                    "-o {}: its ending names no format (.graphml, .gexf, .svg): give --format",
                    output.display()
                )
            }
            (asked, named) => Ok(asked.or(named).expect("one of them is there")),
        }
    }

    fn output(&self, format: Format) -> PathBuf {
        self.output.clone().unwrap_or_else(|| match format {
            Format::Graphml | Format::Gexf | Format::Svg => self.model.file.with_extension(format.ending()),
            Format::Csv => {
                let stem = self.model.file.with_extension("");
                PathBuf::from(format!("{}-tables", stem.display()))
            }
        })
    }
}
