//! The commands, one file each.

mod corpus;
mod demo;
mod evaluate;
mod explain;
mod export;
mod features;
mod fit;
mod generate;
mod info;
mod manual;
mod predict;
mod report;
mod reproduce;
mod resume;
mod settings;
mod tune;
mod update;

use std::io::Write;

use clap::Subcommand;

use crate::args::Cli;

/// The commands of the program.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Fits a model to a network and saves it
    Fit(fit::FitArgs),
    /// Goes on with a fit that was ended, or with a model that is to have more draws
    Resume(resume::ResumeArgs),
    /// Adds links, non-links and nodes to a model, whose chains go on
    Update(update::UpdateArgs),
    /// Predicts links: pairs of a file, or the most probable missing ones
    Predict(predict::PredictArgs),
    /// Explains the probability of a link: common neighbours, paths, features, each with its effect on the odds
    Explain(explain::ExplainArgs),
    /// Shows the features that were found, their members and how they interact
    Features(features::FeaturesArgs),
    /// Shows what a model file holds: settings, sizes, the posterior of K
    Info(info::InfoArgs),
    /// Writes a report as one HTML page: groups, missing links, how good it is, whether to trust it
    Report(report::ReportArgs),
    /// Writes groups and predicted links for other programs: GraphML, GEXF, CSV, or a picture
    Export(export::ExportArgs),
    /// Evaluates models and baselines on held-out pairs
    Evaluate(evaluate::EvaluateArgs),
    /// Compares settings on a development set of a network's pairs
    Tune(tune::TuneArgs),
    /// Draws a network from the model
    Generate(generate::GenerateArgs),
    /// Shows on a small embedded network what the program finds
    Demo(demo::DemoArgs),
    /// Shows the defaults of a model's settings in one table
    Settings(settings::SettingsArgs),
    /// Prints completions for a shell
    Completions(manual::CompletionsArgs),
    /// Prints the manual page of a command
    Man(manual::ManArgs),
    // Listed under a heading of its own (see `args`).
    /// Reproduces a table or a figure of the paper, beside the paper's own figures
    #[command(hide = true)]
    Reproduce(reproduce::ReproduceArgs),
    /// Evaluates methods on a folder of networks, with means by domain
    #[command(hide = true)]
    Corpus(corpus::CorpusArgs),
}

impl Command {
    /// Whether what it prints are pairs that a program may read again.
    pub(crate) fn writes_pairs(&self) -> bool {
        matches!(self, Self::Predict(_))
    }
}

/// Runs a command; results go to `out`.
pub(crate) fn run(cli: &Cli, out: &mut impl Write) -> anyhow::Result<()> {
    match &cli.command {
        Command::Fit(args) => fit::run(args, &cli.global, out),
        Command::Resume(args) => resume::run(args, &cli.global, out),
        Command::Update(args) => update::run(args, &cli.global, out),
        Command::Evaluate(args) => evaluate::run(args, &cli.global, out),
        Command::Tune(args) => tune::run(args, &cli.global, out),
        Command::Demo(args) => demo::run(args, &cli.global, out),
        Command::Generate(args) => generate::run(args, &cli.global, out),
        Command::Predict(args) => predict::run(args, &cli.global, out),
        Command::Export(args) => export::run(args, &cli.global, out),
        Command::Explain(args) => explain::run(args, &cli.global, out),
        Command::Features(args) => features::run(args, &cli.global, out),
        Command::Info(args) => info::run(args, &cli.global, out),
        Command::Report(args) => report::run(args, &cli.global, out),
        Command::Settings(args) => settings::run(args, out),
        Command::Completions(args) => manual::completions(args, out),
        Command::Man(args) => manual::man(args, out),
        Command::Reproduce(args) => reproduce::run(args, &cli.global, out),
        Command::Corpus(args) => corpus::run(args, &cli.global, out),
    }
}
