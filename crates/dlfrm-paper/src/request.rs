//! A reproduction from beginning to end: what is asked for, and what comes of it.

use std::path::PathBuf;

use dlfrm::chain::Event;
use dlfrm::model::{Overrides, Settings};

use crate::data::Data;
use crate::error::{Error, Result};
use crate::paper::Paper;
use crate::piece::Store;
use crate::provenance::Provenance;
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
    /// Bytes that a fit may take: a larger one is refused before anything is fitted.
    pub memory_limit: Option<f64>,
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
            memory_limit: None,
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
    let (study, runs, seed) = (request.study, request.runs()?, request.seed());
    let store = Store::new(&request.output);
    let wanted = Wanted {
        study,
        names: &request.methods,
        quick: request.quick,
        settings: &request.settings,
        store: &store,
    };
    // Mistakes in names and settings are reported before the network is read.
    let attributes = wanted.sections(|_| 0)?.iter().any(|section| section.attributes);
    let notice = |text: &str| observer.event(&Event::Notice(text));
    let data = Data::read(request.data.as_deref(), study.benchmark, attributes, notice)?;
    let pairs = |split| evaluation(&data, split, false, runs, seed).method_options().pairs;
    let sections = wanted.sections(pairs)?;
    check_memory(request, &data, &sections)?;
    let work = Work {
        study,
        data: &data,
        sections: &sections,
        runs,
        seed,
        store: &store,
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
        network: data.facts,
        seed,
        quick: request.quick,
        made_by,
        paper_source: paper.source.clone(),
        paper: paper.study(&name).clone(),
        lines: lines.into_iter().map(beside).collect(),
        paper_table,
        name,
    })
}

/// Refuses a study with a fit that the memory does not hold.
fn check_memory(request: &Request, data: &Data, sections: &[Section]) -> Result<()> {
    let Some(limit) = request.memory_limit else { return Ok(()) };
    for section in sections {
        let evaluation = evaluation(data, section.split, section.attributes, 1, 0);
        let asked = section.entries.iter().filter(|entry| entry.asked.is_some());
        for settings in asked.filter_map(|entry| entry.method.settings()) {
            let networks = evaluation.relations.iter().map(|relation| &relation.network);
            let needed = evaluation.pair_plan().memory(networks, &evaluation.side_info, settings);
            if needed > limit {
                let source = dlfrm::Error::Memory { needed, limit };
                return Err(Error::Network { path: data.path.clone(), source });
            }
        }
    }
    Ok(())
}
