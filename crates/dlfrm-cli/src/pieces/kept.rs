//! What an evaluation and a search keep of what they finish.

use std::collections::HashMap;

use dlfrm::evaluate::{Evaluation, EvaluationObserver, Method, Outcome};
use dlfrm::fit::{Control, Event, Observer, Progress, Trial, TrialKeeper};
use dlfrm::model::Settings;
use dlfrm::warning::{Kept, Warning};
use serde_json::{Value, json};

use super::Pieces;
use crate::args::GlobalArgs;
use crate::progress::EvaluationProgress;

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
            global.warning(&format!("{} of {all} pieces are there already and are taken", found.len()));
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
            let warning = Warning::NotKept { what: Kept::Outcome, why: why.to_string() };
            self.progress.event(&Event::Warning(&warning));
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

    fn warning(&self, warning: &Warning) {
        self.observer.event(&Event::Warning(warning));
    }
}

impl TrialKeeper for KeptTrials<'_> {
    fn find(&self, settings: &Settings) -> Option<Trial> {
        let (name, own) = self.of_settings(settings);
        self.pieces.load(&name, own).unwrap_or_else(|why| {
            self.warning(&Warning::NotTaken { why: why.to_string() });
            None
        })
    }

    fn keep(&self, trial: &Trial) {
        let (name, own) = self.of_settings(&trial.settings);
        if let Err(why) = self.pieces.save(&name, own, trial) {
            self.warning(&Warning::NotKept { what: Kept::Trial, why: why.to_string() });
        }
    }
}
