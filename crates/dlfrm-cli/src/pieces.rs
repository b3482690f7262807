//! What is finished of an evaluation or a search, kept in a folder: the same command goes on from there (`--checkpoint`).

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use dlfrm::evaluate::{Evaluation, EvaluationObserver, Method, Outcome};
use dlfrm::fit::{Control, Event, Observer, Progress, Trial, TrialKeeper};
use dlfrm::model::Settings;
use dlfrm_paper::piece::{Piece, Store};
use dlfrm_paper::{Provenance, crc32};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::args::{GlobalArgs, check_folder};
use crate::evaluation_progress::EvaluationProgress;

/// Where finished pieces are kept.
#[derive(Debug, Args)]
pub(crate) struct CheckpointArgs {
    /// Keep what is finished in this folder: the same command goes on from there if it was ended or killed
    #[arg(long, value_name = "FOLDER", hide_short_help = true)]
    checkpoint: Option<PathBuf>,
}

impl CheckpointArgs {
    /// The pieces of work that is decided by these arguments and files.
    pub(crate) fn pieces<'a>(
        &self,
        arguments: &Value,
        files: impl Iterator<Item = &'a Path>,
    ) -> anyhow::Result<Option<Pieces>> {
        let Some(folder) = &self.checkpoint else { return Ok(None) };
        check_folder(folder)?;
        let mut checksums = Map::new();
        for file in files {
            if file == Path::new("-") {
                bail!("--checkpoint needs a file, not standard input: another call could not read it again");
            }
            // The number of entities may stand in place of their file.
            if file.is_file() {
                checksums.insert(file.display().to_string(), crc32(file)?.into());
            }
        }
        let made_with = json!({ "arguments": arguments, "files-crc32": checksums });
        Ok(Some(Pieces { store: Store::new(folder), folder: folder.clone(), made_with }))
    }
}

/// The pieces of a command.
#[derive(Debug)]
pub(crate) struct Pieces {
    store: Store,
    folder: PathBuf,
    made_with: Value,
}

impl Pieces {
    /// Everything that decides what a piece has found.
    fn made_with(&self, own: Value) -> Value {
        let mut made_with = self.made_with.clone();
        made_with["piece"] = own;
        made_with
    }

    fn load<F: DeserializeOwned>(&self, name: &str, own: Value) -> dlfrm_paper::Result<Option<F>> {
        Ok(self.store.load(name, &self.made_with(own))?.map(|piece: Piece<F>| piece.found))
    }

    fn save<F: Serialize>(&self, name: &str, own: Value, found: F) -> dlfrm_paper::Result<()> {
        let piece = Piece { made_with: self.made_with(own), made_by: Provenance::this(), found };
        self.store.save(name, &piece)
    }

    /// How to go on.
    pub(crate) fn goes_on(&self) -> String {
        let folder = self.folder.display();
        if std::fs::read_dir(&self.folder).map_or(true, |mut files| files.next().is_none()) {
            return format!("nothing was finished, and nothing is kept in {folder}");
        }
        format!("what is finished is kept in {folder}: the same command goes on from there")
    }
}

/// Shows how an evaluation goes, and keeps what is finished.
pub(crate) struct KeptEvaluation<'a> {
    progress: EvaluationProgress,
    pieces: Option<&'a Pieces>,
    found: HashMap<(String, usize), Outcome>,
}

impl<'a> KeptEvaluation<'a> {
    /// Reads what is finished. A piece that was made with something else is refused.
    pub(crate) fn new(
        progress: EvaluationProgress,
        pieces: Option<&'a Pieces>,
        methods: &[Box<dyn Method>],
        evaluation: &Evaluation<'_>,
        global: &GlobalArgs,
    ) -> anyhow::Result<Self> {
        let (mut found, runs) = (HashMap::new(), evaluation.runs);
        // One run alone has intervals, which one of several does without.
        let has_all = |outcome: &Outcome| {
            !evaluation.intervals || outcome.measured.iter().any(|measured| measured.interval.is_some())
        };
        if let Some(pieces) = pieces {
            for method in methods {
                for run in 0..runs {
                    let (name, own) = of_run(&**method, run);
                    if let Some(outcome) = pieces.load(&name, own)?.filter(has_all) {
                        found.insert((method.name().to_owned(), run), outcome);
                    }
                }
            }
        }
        if !found.is_empty() {
            let all = methods.len() * runs;
            global.notice(&format!("{} of {all} pieces are there already and are taken", found.len()));
        }
        Ok(Self { progress, pieces, found })
    }
}

/// The name of the piece of a method in a run, and what decides it.
fn of_run(method: &dyn Method, run: usize) -> (String, Value) {
    let settings = method.settings().map(|settings| &**settings);
    let own = json!({ "method": method.name(), "run": run + 1, "settings": settings });
    (format!("{}-run-{}", method.name(), run + 1), own)
}

impl Observer for KeptEvaluation<'_> {
    fn sweep(&self, progress: &Progress) -> Control {
        self.progress.sweep(progress)
    }

    fn step(&self) -> Control {
        self.progress.step()
    }

    fn event(&self, event: &Event<'_>) {
        self.progress.event(event);
    }
}

impl EvaluationObserver for KeptEvaluation<'_> {
    fn begin(&self, method: &dyn Method, run: usize) {
        self.progress.begin(method, run);
    }

    fn found(&self, method: &dyn Method, run: usize) -> Option<Outcome> {
        self.found.get(&(method.name().to_owned(), run)).cloned()
    }

    fn end(&self, method: &dyn Method, run: usize, outcome: &Outcome) {
        self.progress.end(method, run, outcome);
        let (name, own) = of_run(method, run);
        if let Some(Err(why)) = self.pieces.map(|pieces| pieces.save(&name, own, outcome)) {
            self.progress.event(&Event::Notice(&format!("{why}; the evaluation goes on without it")));
        }
    }
}

/// Keeps the trials of a search.
pub(crate) struct KeptTrials<'a> {
    pub(crate) pieces: &'a Pieces,
    pub(crate) observer: &'a dyn Observer,
}

impl KeptTrials<'_> {
    /// The name of the piece of some settings, which tells all searches apart, and what decides it.
    fn of_settings(&self, settings: &Settings) -> (String, Value) {
        let own = json!({ "settings": settings });
        let text = self.pieces.made_with(own.clone()).to_string();
        (format!("trial-{:08x}", crc32fast::hash(text.as_bytes())), own)
    }

    fn notice(&self, text: &str) {
        self.observer.event(&Event::Notice(text));
    }
}

impl TrialKeeper for KeptTrials<'_> {
    fn find(&self, settings: &Settings) -> Option<Trial> {
        let (name, own) = self.of_settings(settings);
        self.pieces.load(&name, own).unwrap_or_else(|why| {
            self.notice(&format!("not taken: {why}"));
            None
        })
    }

    fn keep(&self, trial: &Trial) {
        let (name, own) = self.of_settings(&trial.settings);
        if let Err(why) = self.pieces.save(&name, own, trial) {
            self.notice(&format!("{why}; the search goes on without it"));
        }
    }
}
