//! The arguments that say what is held out.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, ensure};
use clap::Args;
use dlfrm::Error;
use dlfrm::evaluate::{Evaluation, Splits};
use dlfrm::fit::PairPlan;
use dlfrm::network::{Network, Relation};
use dlfrm::split::{HeldOut, Protocol, Split, SplitOptions, TestNegatives, Training};
use dlfrm_io::{Dataset, LabelledOptions, LabelledPairs, read_labelled_pairs, split_files};
use serde_json::{Value, json};

use crate::args::{GlobalArgs, Of, check_distinct, count_from, make_folder, number, runs};
use crate::interrupt::write_file;
use crate::words::counted;

#[derive(Debug, Args)]
#[command(next_help_heading = "Splits")]
pub(crate) struct SplitArgs {
    /// What is held out: pairs, links and non-links alike; links, with as many non-links, the other links being
    /// trained on with sampled non-links; connected, pairs that leave every node a link; or paper-pairs and
    /// paper-links, as pairs and links over ordered pairs, as in the paper: these leak the reverse of undirected links
    /// [default: pairs, or links where there are more than 50 million pairs]
    #[arg(long, value_name = "SPLIT")]
    split: Option<Protocol>,
    /// Non-links per link in training, for links and paper-links
    #[arg(long, value_name = "X", value_parser = number, default_value_t = Protocol::NEGATIVES, hide_short_help = true)]
    negatives: f64,
    /// Which non-links are tested, for links and paper-links: uniform, any; degree, those that nodes with many links
    /// meet by chance; hard, those two steps apart in training. The last two mean links, if no split is given
    #[arg(long, value_name = "KIND", default_value_t = TestNegatives::Uniform, hide_short_help = true)]
    test_negatives: TestNegatives,
    /// How many splits to average over [default: 5; 1 with --test]
    #[arg(long, value_name = "N", value_parser = runs, conflicts_with = "folds")]
    runs: Option<usize>,
    /// Hold everything out once, in so many parts: the runs are the folds
    #[arg(long, value_name = "K", value_parser = count_from(2), conflicts_with = "test_fraction")]
    folds: Option<usize>,
    /// The part of the pairs, or of the links, that is held out [default: 0.2; 0.1 for links and paper-links]
    #[arg(long, value_name = "X", value_parser = number, hide_short_help = true)]
    test_fraction: Option<f64>,
    /// Evaluate on the pairs of this file (source, target, label 1 or 0, or yes or no), which NETWORK must not have: it is what is
    /// learned from
    #[arg(long, value_name = "FILE")]
    #[arg(conflicts_with_all = ["split", "folds", "negatives", "test_fraction", "test_negatives", "write_splits"])]
    test: Option<PathBuf>,
    /// Learn nothing from the pairs of this file either, which is like that of --test, but choose by them between
    /// covariates and none, and whether features are shared; without it training pairs are held out to choose by
    #[arg(long, value_name = "FILE", requires = "test", hide_short_help = true)]
    validation: Option<PathBuf>,
    /// With --test: the non-links that NETWORK lists are a random part of all, as --write-splits leaves them under
    /// links
    #[arg(long, requires = "test", hide_short_help = true)]
    sampled_non_links: bool,
    /// Write the splits into this folder: a train and a test file per run, and the nodes
    #[arg(long, value_name = "FOLDER", hide_short_help = true)]
    write_splits: Option<PathBuf>,
    /// Replace the splits of all runs that are in the folder of --write-splits
    #[arg(long, requires = "write_splits", hide_short_help = true)]
    force: bool,
}

impl SplitArgs {
    /// Refuses what no network could make possible.
    pub(crate) fn check(&self) -> dlfrm::Result<()> {
        self.split_options(self.protocol(false)).check()
    }

    /// What is held out: where non-links are sampled or chosen, links are.
    fn protocol(&self, sampled: bool) -> Protocol {
        let links = sampled || self.test_negatives != TestNegatives::Uniform;
        self.split.unwrap_or(if links { Protocol::Links } else { Protocol::Pairs })
    }

    /// What decides the pairs of a run, and its figures, by the names of the flags.
    pub(crate) fn decisive(&self) -> Value {
        json!({
            "split": self.split.map(Protocol::name),
            "negatives": self.negatives,
            "test-negatives": self.test_negatives.name(),
            "folds": self.folds,
            "test-fraction": self.test_fraction,
            "test": self.test,
            "validation": self.validation,
            "sampled-non-links": self.sampled_non_links,
        })
    }

    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.test.iter().chain(&self.validation).map(PathBuf::as_path)
    }

    fn split_options(&self, protocol: Protocol) -> SplitOptions {
        let held_out = match (self.folds, self.test_fraction) {
            (Some(of), _) => HeldOut::Fold { number: 0, of },
            (None, Some(fraction)) => HeldOut::Fraction(fraction),
            (None, None) => HeldOut::Fraction(protocol.test_fraction()),
        };
        SplitOptions { protocol, held_out, negatives: self.negatives, test_negatives: self.test_negatives }
    }

    /// Where an evaluation takes its splits from: those of the test file, or new ones of every run.
    pub(crate) fn splits<'a>(
        &self,
        dataset: &Dataset,
        read: Option<&'a [Split]>,
    ) -> dlfrm::Result<Splits<'a>> {
        if let Some(splits) = read {
            return Ok(Splits::Fixed(splits));
        }
        let protocol = self.protocol(sampled(dataset).is_some());
        let options = self.split_options(protocol);
        options.check()?;
        if self.negatives != Protocol::NEGATIVES && !protocol.samples() {
            let expected = "left out unless the split is links or paper-links";
            return Err(Error::Setting { name: "negatives", expected, value: self.negatives.to_string() });
        }
        Ok(self.folds.map_or(Splits::Drawn(options), |folds| Splits::Folds(options, folds)))
    }

    pub(crate) fn runs(&self) -> usize {
        self.folds.or(self.runs).unwrap_or(if self.test.is_some() { 1 } else { 5 })
    }

    /// One split for each relation, from the test file if there is one.
    pub(crate) fn read(
        &self,
        dataset: &Dataset,
        seed: u64,
        global: &GlobalArgs,
    ) -> anyhow::Result<Option<Vec<Split>>> {
        let Some(path) = &self.test else { return Ok(None) };
        let read = |path: &Path, others: &[&LabelledPairs], kind: &str| {
            let read = read_labelled_pairs(path, &LabelledOptions::held_out(&dataset.relations, others))?;
            global.warnings(&read.warnings);
            let labels = || read.pairs.iter().flatten().map(|pair| pair.link);
            let (file, links, count) =
                (path.display(), labels().filter(|&link| link).count(), labels().count());
            ensure!(links > 0, "{file}: none of the {count} {kind} pairs is a link, so they say nothing");
            ensure!(links < count, "{file}: all {count} {kind} pairs are links, so they say nothing");
            Ok(read)
        };
        let test = read(path, &[], "test")?;
        let validation =
            self.validation.as_ref().map(|path| read(path, &[&test], "validation")).transpose()?;
        let relations = with_modes(&dataset.relations, [Some(&test), validation.as_ref()]).of(path)?;
        let listed = |network: &Network| !network.non_links().is_empty();
        let sample = dataset.relations.iter().any(|relation| listed(&relation.network));
        ensure!(sample || !self.sampled_non_links, "--sampled-non-links: the network lists no non-links");
        let training = if self.sampled_non_links {
            Training::ListedSample
        } else {
            sampled(dataset).map_or(Training::Observed, |negatives| Training::Sampled { negatives, seed })
        };
        let split = |(number, relation): (usize, &Relation)| {
            let hidden = validation.as_ref().map_or(&[][..], |held_out| &held_out.pairs[number][..]);
            Split::from_pairs(&relation.network, &test.pairs[number], hidden, training)
        };
        let splits: Result<_, _> = relations.iter().enumerate().map(split).collect();
        Ok(Some(splits.of(path)?))
    }

    pub(crate) fn write(
        &self,
        evaluation: &Evaluation<'_>,
        inputs: &[&Path],
        global: &GlobalArgs,
    ) -> anyhow::Result<()> {
        let Some(folder) = &self.write_splits else { return Ok(()) };
        let relations = evaluation.relations;
        let files = |run: usize| -> anyhow::Result<Vec<(PathBuf, String)>> {
            let of_run = split_files::of_run(run + 1, relations, &evaluation.draw(run)?);
            let all = (run == 0).then(|| split_files::of_nodes(relations)).into_iter().chain(of_run);
            Ok(all.map(|(name, text)| (folder.join(name), text)).collect())
        };
        // Splits of two evaluations in one folder would pass for those of one.
        let other_runs = split_files::other_runs(folder, evaluation.runs);
        let check = |file: &Path, text: Option<&str>| {
            check_distinct("--write-splits", file, inputs)?;
            let there = std::fs::read(file).unwrap_or_default();
            let same = there.is_empty() || text.is_some_and(|text| there == text.as_bytes());
            let file = file.display();
            ensure!(
                same || self.force,
                "--write-splits: {file} is there and is of other splits: it is replaced with --force only"
            );
            Ok(())
        };
        for run in (0..evaluation.runs).filter(|_| folder.exists()) {
            files(run)?.iter().try_for_each(|(file, text)| check(file, Some(text)))?;
        }
        other_runs.iter().try_for_each(|file| check(file, None))?;
        // A split that nothing can be evaluated on leaves no file.
        evaluation.evaluable(0)?;
        make_folder(folder)?;
        for run in 0..evaluation.runs {
            files(run)?.iter().try_for_each(|(file, text)| write_file(file, text.as_bytes()))?;
        }
        for file in other_runs {
            std::fs::remove_file(&file).with_context(|| format!("{} cannot be removed", file.display()))?;
        }
        let runs = match evaluation.runs {
            1 => "run-1-train.tsv, run-1-test.tsv".to_owned(),
            runs => format!("run-R-train.tsv and run-R-test.tsv for R from 1 to {runs}"),
        };
        global.warning(&format!("splits are saved to {}: nodes.txt, {runs}", folder.display()));
        Ok(())
    }

    pub(crate) fn description(&self, splits: &Splits<'_>) -> String {
        let runs = counted(self.runs(), "run");
        if let (Splits::Fixed(splits), Some(file)) = (splits, &self.test) {
            let links: usize = splits.iter().map(Split::test_links).sum();
            let pairs: usize = splits.iter().map(|split| split.test.len()).sum();
            let [links, others] = [counted(links, "test link"), counted(pairs - links, "test non-link")];
            return format!("{}: {links} and {others}, {runs}", file.display());
        }
        let Some((options, folds)) = options(splits) else { return String::new() };
        let of = if options.protocol.samples() { " of the links" } else { "" };
        let out = match folds {
            Some(folds) => format!("all{of} held out in {folds} folds"),
            None => format!("{} %{of} held out, {runs}", 100.0 * options.held_out.share()),
        };
        let kind = match options.test_negatives {
            TestNegatives::Uniform => String::new(),
            other => format!(" with {other} non-links"),
        };
        let fewer = match options.protocol {
            Protocol::Connected => " (of links fewer, if a node would lose its last one)",
            _ => "",
        };
        format!("split {}{kind}, {out}{fewer}", options.protocol)
    }
}

/// How splits are drawn, and in how many folds, unless they are from files.
pub(crate) fn options(splits: &Splits<'_>) -> Option<(SplitOptions, Option<usize>)> {
    match *splits {
        Splits::Drawn(options) => Some((options, None)),
        Splits::Folds(options, folds) => Some((options, Some(folds))),
        Splits::Fixed(_) => None,
    }
}

pub(crate) fn facts(splits: &Splits<'_>) -> [(&'static str, Value); 4] {
    let (options, folds) = options(splits).unzip();
    let sampling = options.filter(|options| options.protocol.samples());
    [
        ("split", options.map_or("files", |options| options.protocol.name()).into()),
        ("test_fraction", options.map(|options| options.held_out.share()).into()),
        ("folds", folds.flatten().into()),
        ("test_negatives", sampling.map(|options| options.test_negatives.name()).into()),
    ]
}

/// How many non-links are drawn for a link, if there are too many to learn from all.
fn sampled(dataset: &Dataset) -> Option<f64> {
    PairPlan::new(dataset.relations.iter().map(|relation| &relation.network), false, None).negatives
}

/// The relations, of which those of a bipartite network know the modes of nodes that only held-out pairs name.
fn with_modes(relations: &[Relation], held_out: [Option<&LabelledPairs>; 2]) -> dlfrm::Result<Vec<Relation>> {
    let Some(modes) = relations[0].network.modes() else { return Ok(relations.to_vec()) };
    let pairs = held_out.into_iter().flatten().flat_map(|held_out| held_out.pairs.iter().flatten());
    let pairs: Vec<(u32, u32)> = pairs.map(|pair| (pair.source, pair.target)).collect();
    let modes = Arc::new(modes.extended(modes.nodes(), &pairs));
    let with = |Relation { name, network }: &Relation| {
        Ok(Relation { name: name.clone(), network: network.clone().with_modes(modes.clone())? })
    };
    relations.iter().map(with).collect()
}
