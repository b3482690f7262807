//! A reproduction from beginning to end: what is asked for, the pieces of it, and what comes of it. Finished pieces are
//! read, the others are computed and kept.

use std::path::{Path, PathBuf};

use dlfrm::evaluate::{Evaluation, EvaluationObserver, Outcome, Splits};
use dlfrm::model::{Overrides, Settings};
use dlfrm::score::Measure;
use dlfrm::split::{Protocol, SplitOptions};
use dlfrm_cli::methods::distinct;
use dlfrm_io::Provenance;
use dlfrm_io::pieces::{Piece, Store};
use serde_json::{Value, json};

use crate::data::Data;
use crate::error::{Error, Result};
use crate::paper::Paper;
use crate::results::{Finding, Line, Reproduction};
use crate::sections::{Entry, Section, Wanted};
use crate::study::Study;

/// A study to be reproduced.
#[derive(Debug, Clone)]
pub struct Request {
    /// The table or figure.
    pub study: Study,
    /// The folder of the paper's networks; `None` for the folder that the variable `DLFRM_DATA` names.
    pub data: Option<PathBuf>,
    /// The folder of the finished pieces and of the results.
    pub output: PathBuf,
    /// How many splits to average over; `None` for the study's own number.
    pub runs: Option<usize>,
    /// The methods to evaluate, by name; those of the study if there are none.
    pub methods: Vec<String>,
    /// One run of few and short chains, without what takes long: to see that it works.
    pub quick: bool,
    /// Settings of models that differ from the study's.
    pub settings: Overrides,
}

impl Request {
    /// A study as the paper has it, kept in the folder `reproduction`.
    pub fn new(study: Study) -> Self {
        Self {
            study,
            data: None,
            output: PathBuf::from("reproduction"),
            runs: None,
            methods: vec![],
            quick: false,
            settings: Overrides::default(),
        }
    }

    /// How many splits are averaged over.
    pub fn runs(&self) -> Result<usize> {
        match self.runs {
            Some(0) => {
                let (name, expected, value) = ("runs", "at least 1", "0".to_owned());
                Err(dlfrm::Error::Setting { name, expected, value }.into())
            }
            Some(runs) => Ok(runs),
            None => Ok(if self.quick { 1 } else { self.study.benchmark.runs }),
        }
    }

    fn seed(&self) -> u64 {
        self.settings.seed.unwrap_or(Settings::default().seed)
    }
}

/// Reproduces a study. Every method in every run is a piece of work that is kept in the folder as soon as it is done;
/// finished pieces are not computed again.
pub fn reproduce(request: &Request, observer: &dyn ReproductionObserver) -> Result<Reproduction> {
    request.plan(observer)?.run(observer)
}

/// A reproduction whose network was read and whose methods are known.
pub struct Plan {
    study: Study,
    quick: bool,
    runs: usize,
    seed: u64,
    store: Store,
    data: Data,
    sections: Vec<Section>,
}

impl Request {
    /// Reads the network and prepares the methods. Mistakes in names and settings are reported before the network is read.
    pub fn plan(&self, observer: &dyn ReproductionObserver) -> Result<Plan> {
        let (study, runs, seed) = (self.study, self.runs()?, self.seed());
        let store = Store::new(&self.output);
        let wanted = Wanted {
            study,
            names: &self.methods,
            quick: self.quick,
            settings: &self.settings,
            store: &store,
        };
        let attributes = wanted.sections(|_| 0)?.iter().any(|section| section.attributes);
        let warning = |text: &str| observer.note(text);
        let data = Data::read(self.data.as_deref(), study.benchmark, attributes, warning)?;
        let pairs = |split| evaluation(&data, split, false, runs, seed).method_options().pairs;
        let sections = wanted.sections(pairs)?;
        Ok(Plan { study, quick: self.quick, runs, seed, store, data, sections })
    }
}

impl Plan {
    /// The file of the network.
    pub fn network(&self) -> &Path {
        &self.data.path
    }

    /// The estimated bytes of the largest fit.
    pub fn memory(&self) -> f64 {
        let needed = |section: &Section| {
            let evaluation = evaluation(&self.data, section.split, section.attributes, self.runs, self.seed);
            let asked = section.entries.iter().filter(|entry| entry.asked.is_some());
            evaluation.memory(asked.map(|entry| &*entry.method))
        };
        self.sections.iter().map(needed).fold(0.0, f64::max)
    }

    /// The settings of all fits that are asked for, the names of what is fitted (of all methods if nothing is), and whether
    /// there are attributes of nodes.
    pub fn fits(&self) -> (Vec<&Settings>, Vec<&str>, bool) {
        let asked = || {
            self.sections.iter().flat_map(|section| &section.entries).filter(|entry| entry.asked.is_some())
        };
        let fitted = || asked().filter_map(|entry| Some((entry.method.name(), &**entry.method.settings()?)));
        let fits: Vec<&Settings> = fitted().map(|(_, settings)| settings).collect();
        let all = || asked().map(|entry| entry.method.name());
        let names = if fits.is_empty() { distinct(all()) } else { distinct(fitted().map(|(name, _)| name)) };
        (fits, names, self.sections.iter().any(|section| section.attributes))
    }

    /// Evaluates the methods whose pieces are not finished, and puts all figures beside the paper's.
    pub fn run(&self, observer: &dyn ReproductionObserver) -> Result<Reproduction> {
        let &Self { study, quick, runs, seed, .. } = self;
        let work = Work {
            study,
            data: &self.data,
            sections: &self.sections,
            runs,
            seed,
            store: &self.store,
            provenance: Provenance::this(),
            observer,
        };
        let (lines, made_by) = work.finish()?;
        let (paper, name) = (Paper::read(), study.name());
        let paper_table = paper.study(study.benchmark.name).clone();
        let beside = |line: Line| {
            let row = paper_table.row(&line.method);
            line.beside(row)
        };
        Ok(Reproduction {
            study,
            network: self.data.facts.clone(),
            seed,
            quick,
            made_by,
            paper_source: paper.source.clone(),
            paper: paper.study(&name).clone(),
            lines: lines.into_iter().map(beside).collect(),
            paper_table,
            name,
        })
    }
}

/// Watches a reproduction, and may end it.
pub trait ReproductionObserver: EvaluationObserver {
    /// Whether it ends after the method that is being evaluated; finished pieces are kept.
    fn stop(&self) -> bool {
        false
    }

    /// Something that a user should know.
    fn note(&self, _text: &str) {}
}

/// What is to be done.
struct Work<'a> {
    study: Study,
    data: &'a Data,
    sections: &'a [Section],
    runs: usize,
    seed: u64,
    store: &'a Store,
    provenance: Provenance,
    observer: &'a dyn ReproductionObserver,
}

/// A method in one run, and its piece if it is finished.
struct Task<'a> {
    entry: &'a Entry,
    run: usize,
    name: String,
    made_with: Value,
    piece: Option<Piece<Finding>>,
}

impl Work<'_> {
    /// Computes the pieces that are missing. Returns the lines of the result, and the programs that computed them.
    fn finish(&self) -> Result<(Vec<Line>, Vec<Provenance>)> {
        // What cannot be done is refused before hours of work and not after them.
        let mut todo = vec![];
        for section in self.sections {
            let evaluation = self.evaluation(section);
            if section.entries.iter().any(|entry| entry.asked.is_some()) {
                evaluation.check().map_err(|error| self.about_network(error))?;
            }
            todo.push((section, evaluation, self.tasks(section)?));
        }
        let all = || todo.iter().flat_map(|(_, _, tasks)| tasks).filter(|task| task.entry.asked.is_some());
        let (pieces, mut finished) = (all().count(), all().filter(|task| task.piece.is_some()).count());
        if finished > 0 {
            self.warning(&format!("{finished} of {pieces} pieces are there already and are taken"));
        }
        for (section, evaluation, tasks) in &mut todo {
            for run in 0..self.runs {
                let missing = tasks.iter_mut().filter(|task| task.run == run && task.piece.is_none());
                let mut missing: Vec<&mut Task<'_>> = missing.collect();
                missing.sort_by_key(|task| task.entry.asked);
                if missing.is_empty() {
                    continue;
                }
                let splits = evaluation.evaluable(run).map_err(|error| self.about_network(error))?;
                for task in missing {
                    let number = finished + 1;
                    self.warning(&format!("[{number} of {pieces}] {}: {}", section.split, task.title()));
                    let evaluated = evaluation.run_method(&*task.entry.method, run, &splits, self.observer);
                    let outcome = evaluated.map_err(|error| match error {
                        dlfrm::Error::Interrupted => Error::Interrupted { finished, pieces },
                        error => self.about_network(error),
                    })?;
                    task.piece = Some(self.keep(task, &outcome)?);
                    finished += 1;
                    if self.observer.stop() && finished < pieces {
                        return Err(Error::Interrupted { finished, pieces });
                    }
                }
            }
        }
        let lines = todo.iter().flat_map(|(section, _, tasks)| {
            section.entries.iter().filter_map(|entry| line(section.split, entry, tasks))
        });
        let lines = lines.collect();
        let pieces = todo.iter().flat_map(|(_, _, tasks)| tasks).filter_map(|task| task.piece.as_ref());
        Ok((lines, distinct(pieces.map(|piece| piece.made_by.clone()))))
    }

    fn evaluation(&self, section: &Section) -> Evaluation<'_> {
        evaluation(self.data, section.split, section.attributes, self.runs, self.seed)
    }

    /// A task for every run of a method that is asked for, and the finished pieces of the others.
    fn tasks<'b>(&self, section: &'b Section) -> Result<Vec<Task<'b>>> {
        let mut tasks = vec![];
        for entry in &section.entries {
            if entry.asked.is_some() {
                for run in 0..self.runs {
                    tasks.push(self.task(section, entry, run)?);
                }
            } else {
                tasks.extend(self.kept(section, entry));
            }
        }
        Ok(tasks)
    }

    /// All finished runs of an entry, from the first on. Pieces that were made with other settings are left alone.
    fn kept<'b>(&self, section: &'b Section, entry: &'b Entry) -> Vec<Task<'b>> {
        let mut tasks = vec![];
        loop {
            match self.task(section, entry, tasks.len()) {
                Ok(task) if task.piece.is_some() => tasks.push(task),
                Ok(_) => break,
                Err(error) => {
                    self.warning(&format!("not taken: {error}"));
                    break;
                }
            }
        }
        tasks
    }

    fn task<'b>(&self, section: &'b Section, entry: &'b Entry, run: usize) -> Result<Task<'b>> {
        let name = entry.piece(self.study, section.split, run);
        let made_with = self.made_with(section, entry, run);
        let piece = self.store.load(&name, &made_with)?;
        Ok(Task { entry, run, name, made_with, piece })
    }

    /// Everything that decides the figures of a piece, but for the program. The names are those of stored pieces.
    fn made_with(&self, section: &Section, entry: &Entry, run: usize) -> Value {
        let options = SplitOptions::new(section.split);
        json!({
            "network": self.data.dataset.name,
            "network-crc32": self.data.facts.crc32,
            "attributes-crc32": self.data.attributes_crc32.as_ref().filter(|_| section.attributes),
            "split": section.split.name(),
            "test-fraction": section.split.test_fraction(),
            "negatives": section.split.samples().then_some(options.negatives),
            "seed": self.seed,
            "run": run + 1,
            "contender": entry.method.name(),
            "settings": entry.method.settings().map(|settings| &**settings),
            "other-settings": entry.alternative,
        })
    }

    fn keep(&self, task: &Task<'_>, outcome: &Outcome) -> Result<Piece<Finding>> {
        let piece = Piece {
            made_with: task.made_with.clone(),
            made_by: self.provenance.clone(),
            found: Finding::new(outcome),
        };
        self.store.save(&task.name, &piece)?;
        Ok(piece)
    }

    fn warning(&self, text: &str) {
        self.observer.note(text);
    }

    fn about_network(&self, source: dlfrm::Error) -> Error {
        Error::Network { path: self.data.path.clone(), cause: source }
    }
}

/// The evaluation of a split: a piece has the same figures however many runs it is one of.
fn evaluation(data: &Data, split: Protocol, attributes: bool, runs: usize, seed: u64) -> Evaluation<'_> {
    Evaluation {
        side_info: data.side_info(attributes),
        splits: Splits::Drawn(SplitOptions::new(split)),
        runs,
        seed,
        measures: vec![Measure::Auc, Measure::AveragePrecision],
        intervals: false,
        ..Evaluation::new(&data.dataset.relations)
    }
}

impl Task<'_> {
    fn title(&self) -> String {
        let value = self.entry.value.map_or(String::new(), |value| format!(" at {value}"));
        format!("{}{value}", self.entry.label)
    }
}

/// The line of an entry; `None` without a finished piece.
fn line(split: Protocol, entry: &Entry, tasks: &[Task<'_>]) -> Option<Line> {
    let own = tasks.iter().filter(|task| std::ptr::eq(task.entry, entry));
    let findings: Vec<Finding> =
        own.filter_map(|task| task.piece.as_ref().map(|piece| piece.found.clone())).collect();
    let settings = entry.method.settings().map(|settings| settings.clone().into_inner());
    let line = || Line::new(entry.label.clone(), split, entry.value, settings, &findings);
    (!findings.is_empty()).then(line)
}
