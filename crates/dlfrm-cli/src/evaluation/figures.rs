//! The figures of an evaluation: means and deviations over runs, under the names that JSON has.

use std::collections::BTreeMap;

use dlfrm::model::Settings;
use dlfrm::score::{CalibrationBin, Measure};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::choice::Choice;

use super::{Contender, Outcome, Plan};

/// Everything that an evaluation found.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Evaluation {
    pub(crate) models: Vec<ModelFigures>,
    /// Only of networks with several relations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) relations: Option<RelationsFigures>,
}

/// How a model or a baseline did. With several relations the AUC of a run is the mean over those that have a
/// test link (and a test non-link) in it, and so are AP and K.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ModelFigures {
    pub(crate) model: &'static str,
    #[serde(flatten)]
    pub(crate) scores: Scores,
    /// Of what gives probabilities, where they are told; over all runs.
    pub(crate) calibration_curve: Option<Vec<CurveBin>>,
    /// Fitting all chains and predicting, by the clock on the wall.
    pub(crate) seconds_mean: f64,
    /// None of a baseline.
    pub(crate) k_mean: Option<f64>,
    /// Before any choice.
    pub(crate) settings: Option<Settings>,
    /// What each run chose on a development set, of the runs that had a choice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) choices: Vec<Vec<Choice>>,
}

/// What was measured, in the order in which it is told; in JSON one field a figure.
#[derive(Debug, Clone)]
pub(crate) struct Scores(Vec<(Measure, Figure)>);

/// A measure over the runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Figure {
    /// None if a run leaves it undefined, or if it is one of probabilities and there are none.
    pub(crate) mean: Option<f64>,
    /// The sample deviation over runs; none of a single run.
    pub(crate) sd: Option<f64>,
    /// Of a single run, AUC and average precision alone: the middle 95 % of what resampled test pairs give.
    pub(crate) interval: Option<(f64, f64)>,
}

/// The test pairs of all runs whose probabilities fell into one bin.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct CurveBin {
    pub(crate) pairs: usize,
    pub(crate) mean_probability: f64,
    pub(crate) link_rate: f64,
}

impl Scores {
    /// What was measured of this kind.
    pub(crate) fn get(&self, measure: Measure) -> Option<Figure> {
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
pub(crate) struct RelationsFigures {
    pub(crate) each: Vec<RelationFigures>,
    /// By model: the mean over the relations that have a test link, as `auc_mean` above.
    pub(crate) mean: BTreeMap<&'static str, f64>,
    /// By model: the AUC of the test pairs of these relations ranked together, mean over runs.
    pub(crate) pooled: BTreeMap<&'static str, f64>,
}

/// How a relation was predicted.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct RelationFigures {
    pub(crate) relation: String,
    pub(crate) links: usize,
    /// In how many runs it could be judged.
    pub(crate) runs_with_test_link: usize,
    /// By model, the mean over these runs; none if there is no such run.
    pub(crate) auc_mean: BTreeMap<&'static str, Option<f64>>,
}

impl Evaluation {
    /// From the outcomes of each contender, run by run.
    pub(super) fn new(plan: &Plan<'_>, contenders: &[Contender], outcomes: &[Vec<Outcome>]) -> Self {
        let models = contenders.iter().zip(outcomes).map(|(c, outcomes)| model(plan, c, outcomes)).collect();
        let several = plan.relations.iter().any(|relation| relation.name.is_some());
        let relations = several.then(|| relations(plan, contenders, outcomes));
        Self { models, relations }
    }
}

fn model(plan: &Plan<'_>, contender: &Contender, outcomes: &[Outcome]) -> ModelFigures {
    let known = |figure: &dyn Fn(&Outcome) -> Option<f64>| {
        outcomes.iter().map(figure).collect::<Option<Vec<f64>>>().filter(|values| !values.is_empty())
    };
    let scores = plan.measures.iter().enumerate().map(|(place, &measure)| {
        let values = known(&|outcome| outcome.measured[place].value);
        let figure = Figure {
            mean: values.as_deref().map(mean),
            sd: values.as_deref().and_then(deviation),
            interval: if let [only] = outcomes { only.measured[place].interval } else { None },
        };
        (measure, figure)
    });
    ModelFigures {
        model: contender.name(),
        scores: Scores(scores.collect()),
        calibration_curve: outcomes
            .iter()
            .map(|outcome| outcome.curve.as_deref())
            .collect::<Option<Vec<_>>>()
            .map(|curves| together(&curves)),
        seconds_mean: mean(&outcomes.iter().map(|outcome| outcome.seconds).collect::<Vec<_>>()),
        k_mean: known(&|outcome| outcome.features).as_deref().map(mean),
        settings: contender.settings().map(|settings| settings.clone().into_inner()),
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
        // A mean of probabilities is where they are, so it tells the bin.
        let place = (bin.mean_probability * bins.len() as f64) as usize;
        let all = &mut bins[place.min(Measure::CALIBRATION_BINS - 1)];
        let part = bin.count as f64 / (all.pairs + bin.count) as f64;
        all.mean_probability += part * (bin.mean_probability - all.mean_probability);
        all.link_rate += part * (bin.link_rate - all.link_rate);
        all.pairs += bin.count;
    }
    bins.into_iter().filter(|bin| bin.pairs > 0).collect()
}

fn relations(plan: &Plan<'_>, contenders: &[Contender], outcomes: &[Vec<Outcome>]) -> RelationsFigures {
    let by_model = |figure: fn(&Outcome) -> f64| {
        let one = |outcomes: &Vec<Outcome>| mean(&outcomes.iter().map(figure).collect::<Vec<_>>());
        contenders.iter().map(Contender::name).zip(outcomes.iter().map(one)).collect()
    };
    let each = plan.relations.iter().enumerate().map(|(number, relation)| {
        let judged =
            |outcomes: &Vec<Outcome>| outcomes.iter().filter_map(|o| o.each[number]).collect::<Vec<f64>>();
        RelationFigures {
            relation: relation.name.clone().unwrap_or_default(),
            links: relation.network.links().len(),
            runs_with_test_link: outcomes.first().map_or(0, |outcomes| judged(outcomes).len()),
            auc_mean: contenders
                .iter()
                .map(Contender::name)
                .zip(outcomes.iter().map(judged).map(|aucs| (!aucs.is_empty()).then(|| mean(&aucs))))
                .collect(),
        }
    });
    RelationsFigures {
        each: each.collect(),
        mean: by_model(|outcome| outcome.auc),
        pooled: by_model(|outcome| outcome.pooled_auc),
    }
}

/// The mean of some values.
pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The sample standard deviation (n - 1); none of a single value.
pub(crate) fn deviation(values: &[f64]) -> Option<f64> {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (values.len() > 1).then(|| (squares / (values.len() - 1) as f64).sqrt())
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

    #[test]
    fn deviations_are_those_of_a_sample() {
        assert_eq!(deviation(&[0.5]), None);
        assert_eq!(deviation(&[1.0, 3.0]), Some(2.0_f64.sqrt()));
    }
}
