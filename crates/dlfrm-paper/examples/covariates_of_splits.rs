//! Writes what a logistic regression on covariates learns from and is tested on: `covariates_of_splits FOLDER MAX_NODES SEED
//! OUTPUT`. `scripts/corpus-basis` reads it.
//!
//! A fifth of the links of every network of a corpus is held out. For each network the folder OUTPUT gets a CSV file with a line
//! for each pair: 1 if it is a test pair, 1 if it is a link, its standardised covariates.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use dlfrm::covariates::{CovariateSet, Covariates, SideInfo};
use dlfrm::evaluate::{Evaluation, Splits};
use dlfrm::split::{Protocol, SplitOptions};
use dlfrm_paper::corpus::{CorpusFilter, CorpusIndex};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, nodes, seed, output] = &arguments[..] else {
        return Err("usage: covariates_of_splits FOLDER MAX_NODES SEED OUTPUT".into());
    };
    let filter = CorpusFilter { max_nodes: Some(nodes.parse()?), ..CorpusFilter::default() };
    for entry in CorpusIndex::read(Path::new(folder))?.select(&filter)? {
        let data = entry.read(Some(false))?;
        let mut evaluation = Evaluation::new(&data.relations);
        evaluation.splits = Splits::Drawn(SplitOptions::new(Protocol::Links));
        evaluation.seed = seed.parse()?;
        let Ok(splits) = evaluation.evaluable(0) else { continue };
        let Some((_, split)) = splits.first() else { continue };
        let (covariates, design) =
            Covariates::of_pairs(&split.train, CovariateSet::Topology, &SideInfo::default());
        let Some(covariates) = covariates else { continue };
        let tested = covariates.rows(&split.test_pairs());
        let name = format!("{}.{}.csv", entry.domain, entry.name);
        let mut file = BufWriter::new(File::create(Path::new(output).join(name))?);
        let names: Vec<String> = covariates.names().iter().map(|name| name.replace(',', "")).collect();
        writeln!(file, "test,link,{}", names.join(","))?;
        let learned =
            split.train.iter().enumerate().map(|(line, pair)| (0, pair.link, design.pairs.row(line)));
        let labels = split.test_labels();
        let held_out = labels.iter().enumerate().map(|(line, &link)| (1, link, tested.row(line)));
        for (test, link, row) in learned.chain(held_out) {
            let values: Vec<String> = row.iter().map(f32::to_string).collect();
            writeln!(file, "{test},{},{}", u8::from(link), values.join(","))?;
        }
        file.flush()?;
    }
    Ok(())
}
