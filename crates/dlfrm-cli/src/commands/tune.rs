//! `dlfrm tune`: settings for a network, compared on a development set of its pairs.

use std::collections::HashSet;
use std::io::Write;
use std::str::FromStr;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;
use dlfrm::covariates::{CovariateSet, SideInfo};
use dlfrm::model::{Model, Settings};
use dlfrm::network::Pairs;
use dlfrm::tune::{Development, SHARE};
use rayon::prelude::*;
use serde::Serialize;

use crate::args::{GlobalArgs, NetworkArgs, SettingArgs, SideInfoArgs, model_help};
use crate::table::Table;
use crate::{choice, interrupt, learn};

/// The arguments of `dlfrm tune`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  dlfrm tune friends.tsv --undirected --budget 60

A tenth of the pairs is held out as a development set; the others are learned from with each candidate. It begins with the
defaults (and what the flags say), changes one setting at a time and goes on from the best, until nothing is better or the
time is over. To judge the result on other pairs, tune on the training part alone (evaluate --write-splits writes it).")]
pub(crate) struct TuneArgs {
    #[command(flatten)]
    network: NetworkArgs,
    #[arg(long, value_name = "MODEL", value_parser = Model::from_str, help = model_help("The model"))]
    model: Option<Model>,
    /// Begin no further candidates after so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 300.0, allow_negative_numbers = true)]
    budget: f64,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    given: SideInfoArgs,
    #[command(flatten)]
    settings: SettingArgs,
}

/// A candidate and how it did.
#[derive(Debug, Clone, Serialize)]
struct Trial {
    /// What is other than in the candidate it comes from.
    change: String,
    auc: f64,
    seconds: f64,
    settings: Settings,
}

/// Everything that is told.
#[derive(Debug, Serialize)]
struct Told<'a> {
    network: &'a str,
    development_links: usize,
    /// Whether the search ended by itself, and not by the clock.
    complete: bool,
    best: &'a Trial,
    flags: String,
    trials: &'a [Trial],
}

pub(crate) fn run(args: &TuneArgs, common: &GlobalArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let model = args.model.unwrap_or(Settings::default().model);
    args.settings.settings(model, 0, false).check()?;
    if !(args.budget >= 0.0 && args.budget.is_finite()) {
        let (expected, value) = ("a number of seconds", args.budget.to_string());
        return Err(dlfrm::Error::Setting { name: "budget", expected, value }.into());
    }
    let dataset = args.network.read(common)?;
    let file = || args.network.network.display().to_string();
    let networks = || dataset.relations.iter().map(|relation| &relation.network);
    let negatives = learn::negatives(networks(), false, None);
    learn::check_size(networks(), false, negatives).with_context(file)?;
    let pairs = learn::most_pairs(networks(), false, negatives);
    let first = args.settings.settings(model, pairs as usize, false);
    let relations = networks().map(|network| learn::from(network, false, negatives, first.seed));
    let relations: Vec<Pairs> = relations.collect::<dlfrm::Result<_>>().with_context(file)?;
    let relations: Vec<&Pairs> = relations.iter().collect();
    let development = Development::new(&relations, SHARE, first.seed).with_context(file)?;
    let given = args.given.read(&dataset, common)?;
    interrupt::listen()?;
    let mut search = Search {
        development: &development,
        given: &given,
        common,
        ends: Instant::now() + Duration::try_from_secs_f64(args.budget).unwrap_or(Duration::MAX / 4),
        tried: HashSet::new(),
        trials: vec![],
    };
    let complete = search.run(&first)?;
    let best = search.best();
    let told = Told {
        network: &dataset.name,
        development_links: development.links(),
        complete,
        best,
        flags: flags(&best.settings),
        trials: &search.trials,
    };
    if args.json {
        serde_json::to_writer_pretty(&mut *out, &told)?;
        writeln!(out)?;
    } else {
        print(&told, out)?;
    }
    Ok(())
}

/// A search from candidate to candidate.
struct Search<'a> {
    development: &'a Development,
    given: &'a SideInfo,
    common: &'a GlobalArgs,
    ends: Instant,
    tried: HashSet<String>,
    trials: Vec<Trial>,
}

impl Search<'_> {
    /// Searches until nothing is better (true) or the time is over. The first candidate is tried whatever the time.
    fn run(&mut self, first: &Settings) -> anyhow::Result<bool> {
        self.tried.insert(key(first));
        let trial = self.judge("as given".to_owned(), first.clone())?;
        self.note(trial);
        loop {
            let best = self.best().clone();
            let mut candidates: Vec<(String, Settings)> = neighbours(&best.settings);
            candidates.retain(|(_, settings)| self.tried.insert(key(settings)));
            // Some at a time, so that the clock is looked at.
            for some in candidates.chunks(rayon::current_num_threads().max(1)) {
                if Instant::now() >= self.ends {
                    return Ok(false);
                }
                let judged: Vec<Trial> = some
                    .par_iter()
                    .map(|(change, settings)| self.judge(change.clone(), settings.clone()))
                    .collect::<anyhow::Result<_>>()?;
                for trial in judged {
                    self.note(trial);
                }
            }
            if self.best().auc <= best.auc {
                return Ok(true);
            }
        }
    }

    fn judge(&self, change: String, settings: Settings) -> anyhow::Result<Trial> {
        let began = Instant::now();
        let auc = choice::judge(self.development, self.given, &settings, false)?.auc();
        Ok(Trial { change, auc, seconds: began.elapsed().as_secs_f64(), settings })
    }

    fn note(&mut self, trial: Trial) {
        self.common.notice(&format!("{:28}  AUC {:.4}  {:.1} s", trial.change, trial.auc, trial.seconds));
        self.trials.push(trial);
    }

    /// The best so far, the first of equals.
    fn best(&self) -> &Trial {
        let better = |best: &'_ &Trial, trial: &'_ &Trial| best.auc.total_cmp(&trial.auc);
        self.trials.iter().rev().max_by(better).expect("one was tried")
    }
}

/// Settings that differ in one thing.
fn neighbours(settings: &Settings) -> Vec<(String, Settings)> {
    let mut all = vec![];
    let mut add = |change: String, other: Settings| all.push((change, other));
    for factor in [1.0 / 3.0, 3.0] {
        let (c_pos, c_neg) = (settings.c_pos * factor, settings.c_neg * factor);
        add(format!("c-pos {c_pos:.3}, c-neg {c_neg:.3}"), Settings { c_pos, c_neg, ..settings.clone() });
        add(format!("c-neg {c_neg:.3}"), Settings { c_neg, ..settings.clone() });
    }
    for factor in [0.5, 2.0] {
        let (nu, alpha) = (settings.nu * factor, settings.alpha * factor);
        add(format!("nu {nu:.3}"), Settings { nu, ..settings.clone() });
        add(format!("alpha {alpha:.3}"), Settings { alpha, ..settings.clone() });
    }
    let covariates = match settings.covariates {
        CovariateSet::None => CovariateSet::Topology,
        CovariateSet::Topology => CovariateSet::None,
    };
    add(format!("covariates {covariates}"), Settings { covariates, ..settings.clone() });
    let node_effects = !settings.node_effects;
    let effects = if node_effects { "node effects" } else { "no node effects" };
    add(effects.to_owned(), Settings { node_effects, ..settings.clone() });
    all
}

/// What tells candidates apart: factors of three and back leave nothing but rounding.
fn key(settings: &Settings) -> String {
    let Settings { c_pos, c_neg, nu, alpha, covariates, node_effects, .. } = settings;
    format!("{c_pos:.6e} {c_neg:.6e} {nu:.6e} {alpha:.6e} {covariates} {node_effects}")
}

/// The flags that ask for these settings.
fn flags(settings: &Settings) -> String {
    let Settings { model, c_pos, c_neg, nu, alpha, covariates, node_effects, .. } = settings;
    let effects = if *node_effects { "--node-effects" } else { "--no-node-effects" };
    format!(
        "--model {model} --c-pos {c_pos} --c-neg {c_neg} --nu {nu} --alpha {alpha} --covariates {covariates} {effects}"
    )
}

fn print(told: &Told<'_>, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "{}: {} links in the development set\n", told.network, told.development_links)?;
    let mut table =
        Table::new(["AUC", "c-pos", "c-neg", "nu", "alpha", "covariates", "node effects", "seconds"]);
    let mut trials: Vec<&Trial> = told.trials.iter().collect();
    trials.sort_by(|a, b| b.auc.total_cmp(&a.auc));
    for Trial { auc, seconds, settings, .. } in trials {
        let Settings { c_pos, c_neg, nu, alpha, covariates, node_effects, .. } = settings;
        let numbers = [c_pos, c_neg, nu, alpha].map(|value| format!("{value:.3}"));
        let rest = [covariates.name().to_owned(), if *node_effects { "yes" } else { "no" }.to_owned()];
        let cells = std::iter::once(format!("{auc:.4}")).chain(numbers).chain(rest);
        table.row(cells.chain([format!("{seconds:.1}")]));
    }
    write!(out, "{table}")?;
    let ended = if told.complete { "nothing near is better" } else { "the time is over" };
    writeln!(out, "\nthe best ({ended}): {}", told.flags)?;
    Ok(())
}
