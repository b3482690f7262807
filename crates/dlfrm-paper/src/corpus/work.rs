//! The pieces of a corpus: finished ones are read, the others are computed and kept.

use std::path::PathBuf;

use dlfrm::evaluate::{Evaluation, Method, MethodOptions, Splits};
use dlfrm::model::{Overrides, Settings};
use dlfrm::network::Relation;
use dlfrm::score::Measure;
use dlfrm::split::{HeldOut, Protocol, SplitOptions};
use dlfrm_io::Provenance;
use dlfrm_io::pieces::{Piece, Store, checksum};
use serde_json::{Value, json};

use super::index::{CorpusEntry, CorpusFilter, CorpusIndex};
use crate::error::{Error, Result};
use crate::methods as names;
use crate::reproduction::ReproductionObserver;
use crate::results::Finding;

/// Methods to be evaluated on a folder of networks.
#[derive(Debug, Clone)]
pub struct CorpusRequest {
    /// The folder of the networks and their index.
    pub folder: PathBuf,
    /// The folder of the finished pieces and of the results.
    pub output: PathBuf,
    /// The methods, by name; names that stand for several are allowed.
    pub methods: Vec<String>,
    /// Which networks of the index.
    pub filter: CorpusFilter,
    /// What is held out.
    pub split: Protocol,
    /// How much of it.
    pub test_fraction: f64,
    /// How many splits of each network.
    pub runs: usize,
    /// Whether networks have two modes: `None` if each file shows it.
    pub bipartite: Option<bool>,
    /// Settings of models that differ from the defaults, and the seed.
    pub settings: Overrides,
}

impl CorpusRequest {
    /// Methods on all networks of a folder: one run that holds out a fifth of the links.
    pub fn new(folder: impl Into<PathBuf>, methods: &[&str]) -> Self {
        Self {
            folder: folder.into(),
            output: PathBuf::from("corpus"),
            methods: methods.iter().map(|&name| name.to_owned()).collect(),
            filter: CorpusFilter::default(),
            split: Protocol::Links,
            test_fraction: 0.2,
            runs: 1,
            bipartite: None,
            settings: Overrides::default(),
        }
    }

    /// Reads the index and the networks, and finds the pieces that are finished. Mistakes in names and settings are reported
    /// before anything is read, pieces with other settings before anything is computed.
    pub fn plan(&self, observer: &dyn ReproductionObserver) -> Result<CorpusPlan> {
        let names = names::expand(&self.methods, false);
        let options = MethodOptions { settings: self.settings.clone(), ..MethodOptions::default() };
        for name in &names {
            names::method(name, &options, false)?;
        }
        self.split_options().check()?;
        if self.runs == 0 {
            let (name, expected, value) = ("runs", "at least 1", "0".to_owned());
            return Err(dlfrm::Error::Setting { name, expected, value }.into());
        }
        let entries = CorpusIndex::read(&self.folder)?.select(&self.filter)?;
        let (store, mut memory) = (Store::new(&self.output), 0.0);
        let mut jobs = vec![];
        for entry in entries {
            let job = Job::new(self, &store, entry, &names, &mut memory)?;
            if let Some(failure) = &job.failure {
                warning(observer, failure);
            }
            jobs.push(job);
        }
        Ok(CorpusPlan { request: self.clone(), names, store, jobs, memory })
    }

    pub(super) fn seed(&self) -> u64 {
        self.settings.seed.unwrap_or(Settings::default().seed)
    }

    pub(super) fn split_options(&self) -> SplitOptions {
        let held_out = HeldOut::Fraction(self.test_fraction);
        SplitOptions { held_out, ..SplitOptions::new(self.split) }
    }

    /// The evaluation of a network: a piece has the same figures however many runs it is one of.
    fn evaluation<'a>(&self, relations: &'a [Relation]) -> Evaluation<'a> {
        Evaluation {
            splits: Splits::Drawn(self.split_options()),
            runs: self.runs,
            seed: self.seed(),
            measures: vec![Measure::Auc, Measure::AveragePrecision, Measure::LogLoss],
            intervals: false,
            ..Evaluation::new(relations)
        }
    }
}

/// A corpus whose networks were read and whose finished pieces are known.
pub struct CorpusPlan {
    pub(super) request: CorpusRequest,
    pub(super) names: Vec<String>,
    store: Store,
    pub(super) jobs: Vec<Job>,
    memory: f64,
}

impl CorpusPlan {
    /// The estimated bytes of the largest fit.
    pub fn memory(&self) -> f64 {
        self.memory
    }

    /// Computes the pieces that are missing.
    pub(super) fn finish(&mut self, observer: &dyn ReproductionObserver) -> Result<()> {
        let work = Work { request: &self.request, names: &self.names, store: &self.store, observer };
        finish(&work, &mut self.jobs)
    }
}

/// A network with its pieces.
pub(super) struct Job {
    pub(super) entry: CorpusEntry,
    pub(super) tasks: Vec<Task>,
    /// Why it cannot be evaluated.
    pub(super) failure: Option<String>,
}

/// A method in one run, and its piece if it is finished.
pub(super) struct Task {
    pub(super) method: usize,
    run: usize,
    name: String,
    made_with: Value,
    pub(super) piece: Option<Piece<Finding>>,
}

impl Job {
    /// Reads a network and the finished pieces of it; one that cannot be read has a failure and no pieces. `memory` becomes
    /// what the largest fit takes that is still to be made.
    pub(super) fn new(
        request: &CorpusRequest,
        store: &Store,
        entry: CorpusEntry,
        names: &[String],
        memory: &mut f64,
    ) -> Result<Self> {
        let dataset = match entry.read(request.bipartite) {
            Ok(dataset) => dataset,
            Err(failure) => return Ok(Self { entry, tasks: vec![], failure: Some(failure.to_string()) }),
        };
        let evaluation = request.evaluation(&dataset.relations);
        let methods = methods(request, &evaluation, names)?;
        let checksum = checksum(&entry.path)?;
        let mut tasks = vec![];
        for run in 0..request.runs {
            for (number, method) in methods.iter().enumerate() {
                let name = format!("{}-{}-{}-run-{}", entry.piece(), request.split, method.name(), run + 1);
                let bipartite = dataset.relations[0].network.modes().is_some();
                let made_with = made_with(request, &entry, &checksum, bipartite, &**method, run);
                let piece = store.load(&name, &made_with)?;
                tasks.push(Task { method: number, run, name, made_with, piece });
            }
        }
        if tasks.iter().any(|task| task.piece.is_none()) {
            *memory = memory.max(evaluation.memory(methods.iter().map(|method| &**method)));
        }
        Ok(Self { entry, tasks, failure: None })
    }

    fn missing(&self) -> usize {
        self.tasks.iter().filter(|task| task.piece.is_none()).count()
    }

    fn title(&self) -> String {
        let CorpusEntry { name, domain, nodes, links, .. } = &self.entry;
        format!("{name} ({domain}, {nodes} nodes, {links} links)")
    }
}

/// What is to be done.
#[derive(Clone, Copy)]
struct Work<'a> {
    pub(super) request: &'a CorpusRequest,
    pub(super) names: &'a [String],
    pub(super) store: &'a Store,
    pub(super) observer: &'a dyn ReproductionObserver,
}

/// Everything that decides the figures of a piece, but for the program.
fn made_with(
    request: &CorpusRequest,
    entry: &CorpusEntry,
    checksum: &str,
    bipartite: bool,
    method: &dyn Method,
    run: usize,
) -> Value {
    let options = request.split_options();
    let settings = method.settings();
    let mut made_with = json!({
        "network": entry.file,
        "network-crc32": checksum,
        "nodes": entry.nodes,
        "split": request.split.name(),
        "test-fraction": request.test_fraction,
        "negatives": request.split.samples().then_some(options.negatives),
        "seed": request.seed(),
        "run": run + 1,
        "method": method.name(),
        "settings": settings.map(|settings| &**settings),
        // What a model chooses on a development set depends on what the user leaves open.
        "chosen-settings": settings.map(|_| &request.settings),
    });
    if bipartite {
        made_with["bipartite"] = Value::Bool(true);
    }
    made_with
}

/// Computes the pieces that are missing.
fn finish(work: &Work<'_>, jobs: &mut [Job]) -> Result<()> {
    let observer = work.observer;
    let pieces: usize = jobs.iter().map(|job| job.tasks.len()).sum();
    let missing: usize = jobs.iter().map(Job::missing).sum();
    let mut progress = Progress { finished: pieces - missing, pieces, made_by: Provenance::this() };
    if progress.finished > 0 {
        warning(
            observer,
            &format!("{} of {pieces} pieces are there already and are taken", progress.finished),
        );
    }
    let count = jobs.len();
    for (number, job) in jobs.iter_mut().enumerate() {
        if job.missing() == 0 {
            continue;
        }
        warning(observer, &format!("[network {} of {count}] {}", number + 1, job.title()));
        if let Err(failure) = work.evaluate(job, &mut progress) {
            match failure {
                // Nothing but the network's own trouble is left behind.
                Error::Network { .. } | Error::Read(_) => {
                    let failure = failure.to_string();
                    warning(observer, &format!("failed: {failure}"));
                    job.failure = Some(failure);
                }
                other => return Err(other),
            }
        }
    }
    Ok(())
}

struct Progress {
    finished: usize,
    pieces: usize,
    made_by: Provenance,
}

impl Work<'_> {
    /// Computes the missing pieces of a network. A method that fails does not keep the others from their pieces.
    fn evaluate(&self, job: &mut Job, progress: &mut Progress) -> Result<()> {
        let Work { request, names, store, observer } = *self;
        let path = job.entry.path.clone();
        let failed = |source: dlfrm::Error| Error::Network { path: path.clone(), cause: source };
        let dataset = job.entry.read(request.bipartite)?;
        for text in &dataset.report.warnings {
            warning(observer, &format!("{}: {text}", path.display()));
        }
        let found = dataset.relations[0].network.links().len();
        if found != job.entry.links {
            let (file, listed) = (path.display(), job.entry.links);
            warning(observer, &format!("{file}: it has {found} links where the index has {listed}"));
        }
        let evaluation = request.evaluation(&dataset.relations);
        evaluation.check().map_err(failed)?;
        let methods = methods(request, &evaluation, names)?;
        let mut failure = None;
        for run in 0..request.runs {
            let missing = job.tasks.iter_mut().filter(|task| task.run == run && task.piece.is_none());
            let missing: Vec<&mut Task> = missing.collect();
            if missing.is_empty() {
                continue;
            }
            let splits = evaluation.evaluable(run).map_err(failed)?;
            if run == 0 {
                evaluation.warnings(&splits).iter().for_each(|found| warning(observer, &found.to_string()));
            }
            for task in missing {
                let method = &*methods[task.method];
                match evaluation.run_method(method, run, &splits, observer) {
                    Ok(outcome) => {
                        let found = Finding {
                            log_loss: outcome.measured[2].value,
                            non_links_per_link: request
                                .split
                                .samples()
                                .then(|| splits[0].1.non_links_per_link()),
                            ..Finding::new(&outcome)
                        };
                        let (made_with, made_by) = (task.made_with.clone(), progress.made_by.clone());
                        let piece = Piece { made_with, made_by, found };
                        store.save(&task.name, &piece)?;
                        task.piece = Some(piece);
                        progress.finished += 1;
                    }
                    Err(dlfrm::Error::Interrupted) => return Err(progress.interrupted()),
                    Err(source) => {
                        let source = dlfrm::Error::Network(format!("{}: {source}", method.name()));
                        // The first one is reported with the network.
                        if failure.is_some() {
                            warning(observer, &format!("failed: {source}"));
                        }
                        failure.get_or_insert(source);
                    }
                }
                if observer.stop() && progress.finished < progress.pieces {
                    return Err(progress.interrupted());
                }
            }
        }
        failure.map_or(Ok(()), |source| Err(failed(source)))
    }
}

impl Progress {
    fn interrupted(&self) -> Error {
        Error::Interrupted { finished: self.finished, pieces: self.pieces }
    }
}

/// The methods of a network: defaults depend on its pairs.
fn methods(
    request: &CorpusRequest,
    evaluation: &Evaluation<'_>,
    names: &[String],
) -> Result<Vec<Box<dyn Method>>> {
    let settings = request.settings.clone();
    let options = MethodOptions { settings, ..evaluation.method_options() };
    let made = names.iter().map(|name| names::method(name, &options, false));
    Ok(made.collect::<dlfrm::Result<_>>()?)
}

fn warning(observer: &dyn ReproductionObserver, text: &str) {
    observer.note(text);
}
