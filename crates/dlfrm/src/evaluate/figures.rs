//! The figures of an evaluation: what a method did in a run, and over all runs, means and deviations over runs, under the names that JSON has.

use std::collections::BTreeMap;

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use crate::fit::Choice;
use crate::model::Settings;
use crate::network::Relation;
use crate::score::{CalibrationBin, Measure, deviation, mean};
use crate::warning::{Said, Warning};

use super::methods::Method;

/// How a method did in one run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Outcome {
    /// In the order of the measures of the evaluation.
    pub measured: Vec<Measured>,
    /// The mean over the relations that were evaluated.
    pub auc: f64,
    /// The AUC of the test pairs of all these relations, ranked together.
    pub pooled_auc: f64,
    /// The calibration curve of all test pairs, of what gives probabilities, where test pairs are like training pairs.
    pub curve: Option<Vec<CalibrationBin>>,
    /// The posterior mean of K, averaged over these relations.
    pub features: Option<f64>,
    /// How long fitting and scoring took.
    pub seconds: f64,
    /// What was chosen on a development set.
    pub choices: Vec<Choice>,
    /// The AUC of each relation, in their order.
    pub each: Vec<Option<f64>>,
}

/// One measure of one run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Of rankings the mean over the relations that leave it defined; of probabilities, that of all their test pairs
    /// together, for models, where test pairs are as training pairs are.
    pub value: Option<f64>,
    /// The middle 95 % of what resampled test pairs give: of AUC and average precision, if there are intervals.
    pub interval: Option<(f64, f64)>,
}

/// Everything that an evaluation found.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// How each method did.
    pub models: Vec<ModelFigures>,
    /// Only of networks with several relations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relations: Option<RelationsFigures>,
    /// What a user should know of the splits.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "said")]
    pub warnings: Vec<Warning>,
    /// Whether it was ended before all runs were complete.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
    /// How many runs every method has ended. If there is none, the figures are those of the methods that have ended the first.
    pub complete_runs: usize,
}

fn said<S: Serializer>(warnings: &[Warning], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(warnings.iter().map(Said::from))
}

/// How a model or a baseline did. With several relations the AUC of a run is the mean over those that have a
/// test link (and a test non-link) in it, and so are AP and K.
#[derive(Debug, Clone, Serialize)]
pub struct ModelFigures {
    /// The name of the method.
    pub model: String,
    /// What was measured.
    #[serde(flatten)]
    pub scores: Scores,
    /// Of what gives probabilities, where test pairs are like training pairs; over all runs.
    pub calibration_curve: Option<Vec<CurveBin>>,
    /// Fitting all chains and predicting, by the clock on the wall.
    pub seconds_mean: f64,
    /// None of a baseline.
    pub k_mean: Option<f64>,
    /// Before any choice; of the features, with the covariates of the other posterior, if there are two.
    pub settings: Option<Settings>,
    /// What each run chose on a development set, of the runs that had a choice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Vec<Choice>>,
}

/// What was measured, in the order of the measures of the evaluation; in JSON one field per figure.
#[derive(Debug, Clone)]
pub struct Scores(Vec<(Measure, Figure)>);

/// A measure over the runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figure {
    /// None if a run leaves it undefined, or if it is one of probabilities and there are none.
    pub mean: Option<f64>,
    /// The sample deviation over runs; none of a single run.
    pub sd: Option<f64>,
    /// Of a single run, AUC and average precision alone: the middle 95 % of what resampled test pairs give.
    pub interval: Option<(f64, f64)>,
}

/// The test pairs of all runs whose probabilities fell into one bin.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CurveBin {
    /// How many pairs it has.
    pub pairs: usize,
    /// The mean of their probabilities.
    pub mean_probability: f64,
    /// The share of links among them.
    pub link_rate: f64,
}

impl Scores {
    /// What was measured of this kind.
    pub fn get(&self, measure: Measure) -> Option<Figure> {
        self.0.iter().find(|(known, _)| *known == measure).map(|(_, figure)| *figure)
    }
}

impl Serialize for Scores {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (measure, figure) in &self.0 {
            let name = match measure {
                Measure::CalibrationError => "calibration_error".to_owned(),
                other => other.to_string().replace('@', "_at_").replace('-', "_"),
            };
            map.serialize_entry(&format!("{name}_mean"), &figure.mean)?;
            map.serialize_entry(&format!("{name}_sd"), &figure.sd)?;
            if matches!(measure, Measure::Auc | Measure::AveragePrecision) {
                map.serialize_entry(&format!("{name}_low"), &figure.interval.map(|(low, _)| low))?;
                map.serialize_entry(&format!("{name}_high"), &figure.interval.map(|(_, high)| high))?;
            }
        }
        map.end()
    }
}

/// What several relations add.
#[derive(Debug, Clone, Serialize)]
pub struct RelationsFigures {
    /// Each relation, in their order.
    pub each: Vec<RelationFigures>,
    /// By model: the mean over the relations that have a test link, as `auc_mean` above.
    pub mean: BTreeMap<String, f64>,
    /// By model: the AUC of the test pairs of these relations ranked together, mean over runs.
    pub pooled: BTreeMap<String, f64>,
}

/// How a relation was predicted.
#[derive(Debug, Clone, Serialize)]
pub struct RelationFigures {
    /// Its name.
    pub relation: String,
    /// Its links.
    pub links: usize,
    /// In how many runs it could be evaluated.
    pub runs_with_test_link: usize,
    /// By model, the mean over these runs; none if there is no such run.
    pub auc_mean: BTreeMap<String, Option<f64>>,
}

impl Report {
    pub(super) fn new(
        relations: &[Relation],
        measures: &[Measure],
        methods: &[(&dyn Method, Vec<Outcome>)],
        warnings: Vec<Warning>,
        interrupted: bool,
        complete_runs: usize,
    ) -> Self {
        let models = methods.iter().map(|(method, outcomes)| model(measures, *method, outcomes)).collect();
        let several = relations.iter().any(|relation| relation.name.is_some());
        let relations = several.then(|| by_relation(relations, methods));
        Self { models, relations, warnings, interrupted, complete_runs }
    }
}

fn model(measures: &[Measure], method: &dyn Method, outcomes: &[Outcome]) -> ModelFigures {
    let known = |figure: &dyn Fn(&Outcome) -> Option<f64>| {
        outcomes.iter().map(figure).collect::<Option<Vec<f64>>>().filter(|values| !values.is_empty())
    };
    let scores = measures.iter().enumerate().map(|(position, &measure)| {
        let values = known(&|outcome| outcome.measured[position].value);
        let figure = Figure {
            mean: values.as_deref().map(mean),
            sd: values.as_deref().and_then(deviation),
            interval: if let [only] = outcomes { only.measured[position].interval } else { None },
        };
        (measure, figure)
    });
    ModelFigures {
        model: method.name().to_owned(),
        scores: Scores(scores.collect()),
        calibration_curve: outcomes
            .iter()
            .map(|outcome| outcome.curve.as_deref())
            .collect::<Option<Vec<_>>>()
            .map(|curves| together(&curves)),
        seconds_mean: mean(&outcomes.iter().map(|outcome| outcome.seconds).collect::<Vec<_>>()),
        k_mean: known(&|outcome| outcome.features).as_deref().map(mean),
        settings: method.reported_settings(),
        choices: outcomes
            .iter()
            .map(|outcome| outcome.choices.clone())
            .filter(|made| !made.is_empty())
            .collect(),
    }
}

/// The curves of some runs as one; empty bins are left out.
fn together(curves: &[&[CalibrationBin]]) -> Vec<CurveBin> {
    let mut bins = [CurveBin { pairs: 0, mean_probability: 0.0, link_rate: 0.0 }; Measure::CALIBRATION_BINS];
    for bin in curves.iter().copied().flatten() {
        // A mean of probabilities lies in their bin.
        let position = (bin.mean_probability * bins.len() as f64) as usize;
        let all = &mut bins[position.min(Measure::CALIBRATION_BINS - 1)];
        let part = bin.count as f64 / (all.pairs + bin.count) as f64;
        all.mean_probability += part * (bin.mean_probability - all.mean_probability);
        all.link_rate += part * (bin.link_rate - all.link_rate);
        all.pairs += bin.count;
    }
    bins.into_iter().filter(|bin| bin.pairs > 0).collect()
}

fn by_relation(relations: &[Relation], methods: &[(&dyn Method, Vec<Outcome>)]) -> RelationsFigures {
    let by_model = |figure: fn(&Outcome) -> f64| {
        let one = |(method, outcomes): &(&dyn Method, Vec<Outcome>)| {
            (method.name().to_owned(), mean(&outcomes.iter().map(figure).collect::<Vec<_>>()))
        };
        methods.iter().map(one).collect()
    };
    let each = relations.iter().enumerate().map(|(number, relation)| {
        let scored =
            |outcomes: &[Outcome]| outcomes.iter().filter_map(|o| o.each[number]).collect::<Vec<f64>>();
        let mean_of = |(method, outcomes): &(&dyn Method, Vec<Outcome>)| {
            let aucs = scored(outcomes);
            (method.name().to_owned(), (!aucs.is_empty()).then(|| mean(&aucs)))
        };
        RelationFigures {
            relation: relation.name.clone().unwrap_or_default(),
            links: relation.network.links().len(),
            runs_with_test_link: methods.first().map_or(0, |(_, outcomes)| scored(outcomes).len()),
            auc_mean: methods.iter().map(mean_of).collect(),
        }
    });
    RelationsFigures {
        each: each.collect(),
        mean: by_model(|outcome| outcome.auc),
        pooled: by_model(|outcome| outcome.pooled_auc),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_are_put_together_bin_by_bin() {
        let bin = |count, mean_probability, link_rate| CalibrationBin { count, mean_probability, link_rate };
        let (one, other) = ([bin(3, 0.02, 0.0), bin(1, 0.95, 1.0)], [bin(1, 0.06, 1.0), bin(2, 0.5, 0.5)]);
        let all = together(&[&one, &other]);
        let counts: Vec<usize> = all.iter().map(|bin| bin.pairs).collect();
        assert_eq!(counts, [4, 2, 1]);
        assert!((all[0].mean_probability - 0.03).abs() < 1e-12 && (all[0].link_rate - 0.25).abs() < 1e-12);
    }
}
