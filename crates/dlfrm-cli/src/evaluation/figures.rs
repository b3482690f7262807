//! The figures of an evaluation: means and deviations over runs, under the names that JSON has.

use std::collections::BTreeMap;

use dlfrm::model::Settings;
use serde::Serialize;

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
    pub(crate) auc_mean: f64,
    /// The sample deviation over runs; none of a single run.
    pub(crate) auc_sd: Option<f64>,
    pub(crate) ap_mean: f64,
    /// None of a baseline, and where non-links are sampled for the test.
    pub(crate) calibration_error_mean: Option<f64>,
    /// Fitting all chains and predicting, by the clock on the wall.
    pub(crate) seconds_mean: f64,
    /// None of a baseline.
    pub(crate) k_mean: Option<f64>,
    pub(crate) settings: Option<Settings>,
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
        let models = contenders.iter().zip(outcomes).map(|(c, outcomes)| model(c, outcomes)).collect();
        let several = plan.relations.iter().any(|relation| relation.name.is_some());
        let relations = several.then(|| relations(plan, contenders, outcomes));
        Self { models, relations }
    }
}

fn model(contender: &Contender, outcomes: &[Outcome]) -> ModelFigures {
    let over = |figure: fn(&Outcome) -> f64| outcomes.iter().map(figure).collect::<Vec<_>>();
    let aucs = over(|outcome| outcome.auc);
    let known = |figure: fn(&Outcome) -> Option<f64>| -> Option<f64> {
        outcomes.iter().map(figure).collect::<Option<Vec<f64>>>().map(|values| mean(&values))
    };
    ModelFigures {
        model: contender.name(),
        auc_mean: mean(&aucs),
        auc_sd: deviation(&aucs),
        ap_mean: mean(&over(|outcome| outcome.average_precision)),
        calibration_error_mean: known(|outcome| outcome.calibration_error),
        seconds_mean: mean(&over(|outcome| outcome.seconds)),
        k_mean: known(|outcome| outcome.features),
        settings: contender.settings().cloned(),
    }
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

pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The sample standard deviation (n - 1).
fn deviation(values: &[f64]) -> Option<f64> {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (values.len() > 1).then(|| (squares / (values.len() - 1) as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviations_are_those_of_a_sample() {
        assert_eq!(deviation(&[0.5]), None);
        assert_eq!(deviation(&[1.0, 3.0]), Some(2.0_f64.sqrt()));
    }
}
