//! A reproduction from beginning to end: what is asked for, and what comes of it.

use std::path::{Path, PathBuf};

use dlfrm::fit::Event;
use dlfrm::model::{Overrides, Settings};

use crate::data::Data;
use crate::error::Result;
use crate::paper::Paper;
use dlfrm_io::pieces::Store;
use dlfrm_io::Provenance;
use crate::results::{Line, Reproduction};
use crate::sections::{Section, Wanted};
use crate::study::Study;
use crate::work::{ReproductionObserver, Work, evaluation};

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
        let warning = |text: &str| observer.event(&Event::Warning(text));
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

    /// How many splits are averaged over.
    pub fn runs(&self) -> usize {
        self.runs
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
        let mut names: Vec<&str> = vec![];
        let some: Vec<&str> =
            if fits.is_empty() { all().collect() } else { fitted().map(|(name, _)| name).collect() };
        for name in some {
            if !names.contains(&name) {
                names.push(name);
            }
        }
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
