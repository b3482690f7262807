//! `dlfrm export`: a fitted network for other programs.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use dlfrm::posterior::FeatureRole;
use dlfrm_io::export::{Export, csv_files, gexf, graphml, picture};

use crate::args::{
    GlobalArgs, ModelFileArgs, Of, check_absent, check_distinct, check_new, count, make_folder,
};
use crate::interrupt::write_file;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Graphml,
    Gexf,
    Csv,
    Svg,
}

impl Format {
    fn ending(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dlfrm export friends.dlfrm --format graphml -o friends.graphml
  dlfrm export friends.dlfrm --format gexf -o friends.gexf --top 50
  dlfrm export friends.dlfrm --format csv -o tables
  dlfrm export friends.dlfrm -o friends.svg

GraphML and GEXF have a node for each node, with its groups and the probability that it is in each, and an edge for each \
link and each predicted link (kind is link or predicted), with its probability and interval. CSV is a folder with \
groups.csv, members.csv, links.csv and predicted.csv. Gephi, Cytoscape, igraph and networkx read them. SVG is a picture of \
a network of up to 300 nodes with its groups, for light and dark screens. Features that are no groups are left \
out: nearly all nodes have them, or their members avoid each other.")]
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
    #[arg(long, value_name = "N", value_parser = count)]
    top: Option<usize>,
    /// Replace files that are there
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(args: &ExportArgs, global: &GlobalArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let format = args.format()?;
    let model_file = &args.model.file;
    let output = args.output.clone().unwrap_or_else(|| match format {
        Format::Csv => PathBuf::from(format!("{}-tables", model_file.with_extension("").display())),
        _ => model_file.with_extension(format.ending()),
    });
    let printed = output == Path::new("-");
    if format == Format::Csv && printed {
        bail!("csv is a folder of four tables and is not written to standard output: name a folder with -o");
    }
    if format != Format::Csv && !printed {
        check_new("-o", &output, &[model_file], args.force)?;
    }
    let model = args.model.load()?;
    let relations = args.model.relations(&model)?;
    let &[relation] = &relations[..] else {
        let names: Vec<&str> = relations.iter().filter_map(|relation| relation.name.as_deref()).collect();
        let (file, names, all) = (model_file.display(), names.join(", "), relations.len());
        bail!("{file}: the model has {all} relations ({names}): choose one with --relation");
    };
    let disagreement = args.model.disagreement(&model, global)?;
    let top = args.top.unwrap_or(if format == Format::Svg { 10 } else { 100 });
    let export = Export::new(&model, relation, top);
    let files = match format {
        Format::Graphml => vec![(output.clone(), graphml(&export))],
        Format::Gexf => vec![(output.clone(), gexf(&export))],
        Format::Svg => vec![(output.clone(), picture(&export).of(model_file)?)],
        Format::Csv => {
            let files = csv_files(&export).into_iter().map(|(name, text)| (output.join(name), text));
            files.collect()
        }
    };
    args.model.warn(&model, disagreement, global);
    for (feature, role) in export.left_out() {
        let why = match role {
            FeatureRole::Avoidance => "its members avoid each other, so that it is no group",
            _ => "nearly all nodes have it, so that it is part of the intercept and no group",
        };
        global.warning(&format!("feature {feature} is left out: {why}"));
    }
    if printed {
        return Ok(out.write_all(files[0].1.as_bytes())?);
    }
    if format == Format::Csv {
        for (file, _) in &files {
            check_distinct("-o", file, &[model_file])?;
            check_absent(file, args.force)?;
        }
        make_folder(&output)?;
    }
    for (file, text) in &files {
        write_file(file, text.as_bytes())?;
    }
    Ok(writeln!(out, "saved to {}", output.display())?)
}

impl ExportArgs {
    fn format(&self) -> anyhow::Result<Format> {
        let Some(output) = self.output.as_deref().filter(|output| *output != Path::new("-")) else {
            return Ok(self.format.unwrap_or(Format::Graphml));
        };
        let ending = output.extension().unwrap_or_default().to_string_lossy();
        let named = Format::from_str(&ending, true).ok().filter(|format| *format != Format::Csv);
        let output = output.display();
        match (self.format, named) {
            (Some(asked), Some(named)) if asked != named => {
                let (named, asked) = (named.ending(), asked.ending());
                bail!("-o {output}: the file is named as {named}, and --format asks for {asked}")
            }
            (asked, named) => asked.or(named).with_context(|| {
                format!("-o {output}: its ending names no format (.graphml, .gexf, .svg): give --format")
            }),
        }
    }
}
