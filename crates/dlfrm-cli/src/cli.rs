//! The arguments of the program and its commands.

use std::io::Write;

use clap::{CommandFactory, Parser, Subcommand};

use crate::Program;
use crate::args::GlobalArgs;
use crate::commands::{
    demo, evaluate, explain, export, features, fit, generate, info, manual, predict, report, resume, tune,
    update,
};

/// Bayesian link prediction: missing links of a network, with probabilities and intervals.
#[derive(Debug, Parser)]
#[command(name = "dlfrm", version = env!("DLFRM_VERSION"), arg_required_else_help = true)]
#[command(after_help = "Example:
  dlfrm fit friends.tsv --undirected -o friends.dlfrm
  dlfrm predict friends.dlfrm --top 10")]
pub struct Cli {
    #[command(flatten)]
    global: GlobalArgs,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
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
    Settings(manual::SettingsArgs),
    /// Prints completions for a shell
    Completions(manual::CompletionsArgs),
    /// Prints the manual page of a command
    Man(manual::ManArgs),
}

impl Program for Cli {
    fn global(&self) -> &GlobalArgs {
        &self.global
    }

    fn writes_pairs(&self) -> bool {
        matches!(self.command, Command::Predict(_))
    }

    fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let global = &self.global;
        match &self.command {
            Command::Fit(args) => fit::run(args, global, out),
            Command::Resume(args) => resume::run(args, global, out),
            Command::Update(args) => update::run(args, global, out),
            Command::Evaluate(args) => evaluate::run(args, global, out),
            Command::Tune(args) => tune::run(args, global, out),
            Command::Demo(args) => demo::run(args, global, out),
            Command::Generate(args) => generate::run(args, global, out),
            Command::Predict(args) => predict::run(args, global, out),
            Command::Export(args) => export::run(args, global, out),
            Command::Explain(args) => explain::run(args, global, out),
            Command::Features(args) => features::run(args, global, out),
            Command::Info(args) => info::run(args, out),
            Command::Report(args) => report::run(args, global, out),
            Command::Settings(args) => manual::settings(args, out),
            Command::Completions(args) => manual::completions(args, Self::command(), out),
            Command::Man(args) => manual::man(args, Self::command(), out),
        }
    }
}
