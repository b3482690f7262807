//! Compares ways to join covariates and features on the networks of a corpus: `ways_to_join FOLDER MAX_NODES SEED...`.
//!
//! For every network and seed a fifth of the pairs is held out. Printed are means of AUC, average precision and log-loss:
//!
//! - `linear`: covariates alone; `features`: features and effects of nodes alone.
//! - `combined`: 0.7 of the logit of the first and 0.3 of that of the second; `default`: the same with learned weights.
//! - `cut`: features are drawn without the covariates; their logit is one more covariate, and coefficients are drawn given it.
//! - `degrees`: features given covariates of degrees only, in place of effects of nodes, combined as above.
//! - `residual`: covariates of common neighbours and paths of three links in which a link counts by how little features explain
//!   it, with degrees and the logit of the features.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use dlfrm::covariates::{CovariateSet, PairColumn, PairTable, PairValues, SideInfo};
use dlfrm::evaluate::{Evaluation, Quiet, Splits, Training, TrainingRelation, method};
use dlfrm::model::Overrides;
use dlfrm::network::Pair;
use dlfrm::score::{auc, average_precision, deviation, log_loss, mean};
use dlfrm::split::{Protocol, Split, SplitOptions};
use dlfrm_paper::corpus::{CorpusFilter, CorpusIndex};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const WAYS: [&str; 7] = ["linear", "features", "combined", "default", "cut", "degrees", "residual"];

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, nodes, seeds @ ..] = &arguments[..] else {
        return Err("usage: ways_to_join FOLDER MAX_NODES SEED...".into());
    };
    let filter = CorpusFilter { max_nodes: Some(nodes.parse()?), ..CorpusFilter::default() };
    let index = CorpusIndex::read(Path::new(folder))?;
    let mut figures: Vec<[[f64; 3]; WAYS.len()]> = vec![];
    for seed in seeds {
        for entry in index.select(&filter)? {
            let data = entry.read(Some(false))?;
            let mut evaluation = Evaluation::new(&data.relations);
            evaluation.splits = Splits::Drawn(SplitOptions::new(Protocol::Pairs));
            evaluation.seed = seed.parse()?;
            let Ok(splits) = evaluation.evaluable(0) else { continue };
            let Some((_, split)) = splits.first() else { continue };
            figures.push(Case::new(&evaluation, split).figures()?);
            eprintln!("seed {seed}: {}", entry.name);
        }
    }
    println!(
        "{} runs\n\n| | AUC | AP | log-loss | AUC less that of `linear` (standard error) |",
        figures.len()
    );
    println!("|---|---|---|---|---|");
    for (way, name) in WAYS.iter().enumerate() {
        let column = |score: usize| -> Vec<f64> { figures.iter().map(|run| run[way][score]).collect() };
        let gains: Vec<f64> = figures.iter().map(|run| run[way][0] - run[0][0]).collect();
        let error = deviation(&gains).unwrap_or(f64::NAN) / (gains.len() as f64).sqrt();
        let [area, precision, loss] = [0, 1, 2].map(|score| mean(&column(score)));
        println!("| {name} | {area:.4} | {precision:.4} | {loss:.4} | {:+.4} ({error:.4}) |", mean(&gains));
    }
    Ok(())
}

/// One split of a network.
struct Case<'a> {
    evaluation: &'a Evaluation<'a>,
    split: &'a Split,
    /// The pairs to learn from, then those of the test.
    pairs: Vec<(u32, u32)>,
    learned: Vec<Pair>,
}

/// A covariate of all pairs.
type Column = (&'static str, Vec<f64>);

impl<'a> Case<'a> {
    fn new(evaluation: &'a Evaluation<'a>, split: &'a Split) -> Self {
        let learned: Vec<Pair> = split.train.iter().collect();
        let pairs = learned.iter().map(|pair| (pair.source, pair.target)).chain(split.test_pairs()).collect();
        Self { evaluation, split, pairs, learned }
    }

    /// AUC, average precision and log-loss of each way.
    fn figures(&self) -> Result<[[f64; 3]; WAYS.len()]> {
        let none = Overrides { covariates: Some(CovariateSet::None), ..Overrides::default() };
        let linear = self.logits("linear", &Overrides::default(), &[])?;
        let default = self.logits("diag-dlfrm-l", &Overrides::default(), &[])?;
        let features = self.logits("diag-dlfrm-l", &none, &[])?;
        let of_features = ("features", features.clone());
        let cut = self.logits("linear", &Overrides::default(), std::slice::from_ref(&of_features))?;
        let without_effects = Overrides { node_effects: Some(false), ..none };
        let degrees = self.logits("diag-dlfrm-l", &without_effects, &self.degrees())?;
        let columns: Vec<Column> =
            self.residual(&features).into_iter().chain(self.degrees()).chain([of_features]).collect();
        let without_features = Overrides { max_new: Some(0), ..without_effects };
        let residual = self.logits("diag-dlfrm-l", &without_features, &columns)?;
        let combined = combined(&linear, &features);
        let degrees = self::combined(&linear, &degrees);
        let labels = self.split.test_labels();
        let scores = |logits: &Vec<f64>| {
            let held_out: Vec<f64> =
                logits[self.learned.len()..].iter().map(|logit| 1.0 / (1.0 + (-logit).exp())).collect();
            let area = auc(&held_out, &labels).unwrap_or(f64::NAN);
            let precision = average_precision(&held_out, &labels).unwrap_or(f64::NAN);
            [area, precision, log_loss(&held_out, &labels).unwrap_or(f64::NAN)]
        };
        Ok([linear, features, combined, default, cut, degrees, residual].each_ref().map(scores))
    }

    /// The logits of all pairs by a method with some settings and covariates of pairs.
    fn logits(&self, name: &str, settings: &Overrides, columns: &[Column]) -> Result<Vec<f64>> {
        let train = &self.split.train;
        let column = |(name, values): &Column| PairColumn {
            name: (*name).to_owned(),
            values: PairValues::Numbers(values.iter().copied().map(Some).collect()),
        };
        // A column that is the same for all pairs says nothing.
        let varying = columns.iter().filter(|(_, values)| values.iter().any(|value| *value != values[0]));
        let columns: Vec<PairColumn> = varying.map(column).collect();
        let table = || PairTable::new(train.nodes(), train.symmetric(), &self.pairs, &columns).map(Arc::new);
        let pairs = (!columns.is_empty()).then(table).transpose()?;
        let side_info = SideInfo { pairs, ..SideInfo::default() };
        let mut options = self.evaluation.method_options();
        options.settings = settings.clone();
        let method = method(name, &options)?;
        let validation = &self.split.validation;
        let relations = vec![TrainingRelation { number: 0, name: None, pairs: train, validation }];
        let seed = self.evaluation.seed;
        let fitted = method.fit(&Training { relations, side_info: &side_info, seed, observer: &Quiet })?;
        let logit = |p: &f64| {
            let p = p.clamp(1e-9, 1.0 - 1e-9);
            (p / (1.0 - p)).ln()
        };
        Ok(fitted.score(0, &self.pairs)?.iter().map(logit).collect())
    }

    /// The degrees of the ends of each pair without its own link.
    fn degrees(&self) -> Vec<Column> {
        let mut degree = vec![0.0_f64; self.split.train.nodes()];
        for pair in self.learned.iter().filter(|pair| pair.link) {
            degree[pair.source as usize] += 1.0;
            degree[pair.target as usize] += 1.0;
        }
        let own = |place: usize| f64::from(u8::from(self.learned.get(place).is_some_and(|pair| pair.link)));
        let ends = |(place, &(i, j)): (usize, &(u32, u32))| {
            let [one, other] = [i, j].map(|end| (degree[end as usize] - own(place)).ln_1p());
            [one.max(other), one.min(other)]
        };
        let ends: Vec<[f64; 2]> = self.pairs.iter().enumerate().map(ends).collect();
        let column = |value: fn(&[f64; 2]) -> f64| ends.iter().map(value).collect();
        vec![
            ("larger", column(|ends| ends[0])),
            ("smaller", column(|ends| ends[1])),
            ("product", column(|ends| ends[0] * ends[1])),
        ]
    }

    /// Common neighbours, resource allocation and paths of three links, where a link counts by how little features explain it.
    fn residual(&self, features: &[f64]) -> Vec<Column> {
        let mut links: Vec<Vec<(usize, f64)>> = vec![vec![]; self.split.train.nodes()];
        for (pair, logit) in self.learned.iter().zip(features).filter(|(pair, _)| pair.link) {
            let [i, j] = [pair.source, pair.target].map(|end| end as usize);
            let left = 1.0 / (1.0 + logit.exp());
            links[i].push((j, left));
            links[j].push((i, left));
        }
        let sums: Vec<f64> =
            links.iter().map(|links| links.iter().map(|link| link.1).sum::<f64>().max(1e-9)).collect();
        let mut near = vec![0.0; links.len()];
        let mut columns = [vec![], vec![], vec![]];
        for &(i, j) in &self.pairs {
            let [i, j] = [i, j].map(|end| end as usize);
            links[j].iter().for_each(|&(u, left)| near[u] = left);
            let mut values = [0.0; 3];
            for &(u, left) in links[i].iter().filter(|(u, _)| *u != j) {
                values[0] += left * near[u];
                values[1] += 10.0 * left * near[u] / sums[u];
                for &(v, further) in links[u].iter().filter(|(v, _)| *v != i) {
                    values[2] += 10.0 * left * further * near[v] / (sums[u] * sums[v]).sqrt();
                }
            }
            links[j].iter().for_each(|&(u, _)| near[u] = 0.0);
            for (column, value) in columns.iter_mut().zip(values) {
                column.push(value.ln_1p());
            }
        }
        ["common neighbours", "resource allocation", "paths of length 3"].into_iter().zip(columns).collect()
    }
}

fn combined(linear: &[f64], features: &[f64]) -> Vec<f64> {
    linear.iter().zip(features).map(|(linear, features)| 0.7 * linear + 0.3 * features).collect()
}
