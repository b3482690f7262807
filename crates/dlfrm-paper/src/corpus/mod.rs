//! Methods on a folder of networks: every method in every run of every network is a piece of work that is kept, and the
//! figures are means by domain.
//!
//! The folder has an index (`index.tsv`) with a line for each network; [`CorpusIndex`] describes it.

mod index;
mod results;
#[cfg(test)]
mod tests;
mod text;
mod work;

use std::path::PathBuf;

use dlfrm::evaluate::{Evaluation, MethodOptions, Splits};
use dlfrm::model::{Overrides, Settings};
use dlfrm::network::{HeldOut, Protocol, Relation, SplitOptions};
use dlfrm::score::Measure;

pub use index::{CorpusEntry, CorpusFilter, CorpusIndex};
pub use results::{CorpusResults, DomainFigures, Failure, MethodFigures, NetworkFigures, foreign_file};

use crate::error::Result;
use crate::methods;
use dlfrm_io::pieces::Store;
use crate::work::ReproductionObserver;
use work::{Job, Work};

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
        let names = methods::expand(&self.methods, false);
        let options = MethodOptions { settings: self.settings.clone(), ..MethodOptions::default() };
        for name in &names {
            methods::method(name, &options, false)?;
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
                work::warning(observer, failure);
            }
            jobs.push(job);
        }
        Ok(CorpusPlan { request: self.clone(), names, store, jobs, memory })
    }

    fn seed(&self) -> u64 {
        self.settings.seed.unwrap_or(Settings::default().seed)
    }

    fn split_options(&self) -> SplitOptions {
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
    request: CorpusRequest,
    names: Vec<String>,
    store: Store,
    jobs: Vec<Job>,
    memory: f64,
}

impl CorpusPlan {
    /// How many splits of each network.
    pub fn runs(&self) -> usize {
        self.request.runs
    }

    /// The estimated bytes of the largest fit.
    pub fn memory(&self) -> f64 {
        self.memory
    }

    /// Evaluates the methods whose pieces are not finished. A network that fails is reported, and the others go on; if the
    /// observer ends it, the finished pieces are kept.
    pub fn run(mut self, observer: &dyn ReproductionObserver) -> Result<CorpusResults> {
        let work = Work { request: &self.request, names: &self.names, store: &self.store, observer };
        work::finish(&work, &mut self.jobs)?;
        CorpusResults::new(&self.request, &self.names, &self.jobs)
    }
}
