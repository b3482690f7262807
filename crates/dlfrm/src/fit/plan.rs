//! What a fit would do, before it does it.

use super::options::{FitOptions, PairPlan, Sharing, check_network, learnable};
use super::part::Parts;
use super::state::FitState;
use crate::covariates::{CovariateSet, SideInfo};
use crate::error::{Error, Result};
use crate::model::{Model, Overrides, SETTINGS, Setting, Settings, ValidSettings, Variant};
use crate::network::{Network, Relation};
use crate::warning::{OtherDefault, Warning};

/// What a fit would do.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Where it would begin.
    pub state: FitState,
    /// The estimated memory, in bytes.
    pub memory: f64,
    /// What a user should know before it begins.
    pub warnings: Vec<Warning>,
}

impl Plan {
    pub(super) fn new(relations: &[Relation], side_info: &SideInfo, options: &FitOptions) -> Result<Self> {
        let networks = || relations.iter().map(|relation| &relation.network);
        let pairs = PairPlan::new(networks(), options.asymmetric, options.negatives);
        // A link that stands in both directions would be predicted by its own reverse.
        let both_ways = options.asymmetric && networks().any(|network| !network.directed());
        let largest = pairs.largest(networks());
        let model = options.model.unwrap_or_else(|| Model::usual(pairs.all(networks()) as usize));
        let parts = Parts::new(model, &options.settings, largest as usize, both_ways)?;
        let features = parts.features().settings.clone();
        let covariates = features.covariates;
        if both_ways && covariates != CovariateSet::None {
            return Err(Error::CovariatesOfBothDirections { covariates: covariates.to_string() });
        }
        let sharing = sharing(relations, options.sharing, largest, both_ways)?;
        let memory = parts.memory(pairs, &networks(), side_info);
        pairs.check(networks())?;
        let (kept, mut warnings) = some_learnable(relations)?;
        if let (Some(per_link), None) = (pairs.negatives, options.negatives) {
            warnings.push(Warning::NonLinksSampled { per_link });
        }
        match (options.asymmetric, both_ways) {
            (true, false) => warnings.push(Warning::AsymmetricWithoutEffect),
            (true, true) => warnings.push(Warning::PaperModel {
                node_effects: features.node_effects,
                side_info: !side_info.is_empty(),
                other_defaults: parts.other_defaults(&options.settings, largest as usize),
            }),
            (false, _) => warnings.extend(parts.one_posterior(&options.settings, largest as usize)),
        }
        if options.asymmetric && model.diagonal() {
            let full = Model { variant: Variant::Full, loss: model.loss };
            warnings.push(Warning::DiagonalWeights { model, full });
        }
        let (fits, name) = ([&*features], model.name());
        let coefficients = parts.covariates().is_some() || !side_info.is_empty();
        let idle = options.settings.without_effect(&fits, name, coefficients);
        warnings
            .extend(idle.into_iter().map(|(setting, why)| Warning::SettingWithoutEffect { setting, why }));
        Ok(Self { state: FitState::new(kept, pairs, sharing, parts), memory, warnings })
    }

    /// The settings before any choice on a development set.
    pub fn settings(&self) -> &ValidSettings {
        &self.state.parts.features().settings
    }
}

impl Parts {
    /// That there is one posterior with covariates, because of settings that the caller gives; nothing for other fits. What
    /// differs are other defaults than those of the features' posterior for so many pairs.
    pub fn one_posterior(&self, given: &Overrides, pairs: usize) -> Option<Warning> {
        if self.features().settings.covariates == CovariateSet::None {
            return None;
        }
        let causes = [
            ("covariates", given.covariates.is_some()),
            ("c-pos", given.c_pos.is_some()),
            ("c-neg", given.c_neg.is_some()),
        ];
        let other_defaults = self.other_defaults(given, pairs);
        let given = if self.features().settings.max_new == 0 {
            vec!["max-new"]
        } else {
            causes.into_iter().filter_map(|(name, is)| is.then_some(name)).collect()
        };
        Some(Warning::OnePosterior { given, other_defaults })
    }

    /// What differs from the defaults of the features' posterior for so many pairs.
    fn other_defaults(&self, given: &Overrides, pairs: usize) -> Vec<OtherDefault> {
        let usual = given.over(Settings::features_defaults(self.features().settings.model, pairs));
        let other = |setting: &Setting| {
            let value = setting.value(&self.features().settings);
            (value != setting.value(&usual)).then_some(OtherDefault { setting: setting.name, value })
        };
        SETTINGS.iter().filter_map(other).collect()
    }
}

pub(super) fn check_memory(needed: f64, limit: Option<f64>) -> Result<()> {
    match limit {
        Some(limit) if needed > limit => Err(Error::Memory { needed, limit }),
        _ => Ok(()),
    }
}

/// The relations that something can be learned from. Of several, those without are left out with a warning.
fn some_learnable(relations: &[Relation]) -> Result<(Vec<usize>, Vec<Warning>)> {
    let (mut kept, mut refused) = (vec![], vec![]);
    for (number, Relation { name, network }) in relations.iter().enumerate() {
        match learnable(network) {
            Ok(()) => kept.push(number),
            Err(why) => refused.push((name.as_deref(), why)),
        }
    }
    if kept.is_empty() {
        let (name, why) = refused[0];
        return Err(Error::NothingToLearn(why).in_relation(name));
    }
    let left_out = |(name, why): (Option<&str>, _)| Warning::RelationLeftOut {
        relation: name.unwrap_or_default().to_owned(),
        why,
    };
    Ok((kept, refused.into_iter().map(left_out).collect()))
}

/// Whether relations share their features. They stay apart, as in the paper, where they are `ordered` as there or too large to
/// be fitted at once.
pub(crate) fn sharing(relations: &[Relation], asked: Sharing, pairs: f64, ordered: bool) -> Result<Sharing> {
    let several = relations.len() > 1;
    match asked {
        Sharing::Shared if !several => Err(Error::OneRelation),
        Sharing::Auto if !several || ordered || pairs > Settings::LARGE as f64 => Ok(Sharing::Separate),
        asked => Ok(asked),
    }
}

/// Refuses relations of which none can be learned from, or that are too large together.
pub(crate) fn check_relations(relations: &[Relation], pairs: PairPlan) -> Result<()> {
    let networks = || relations.iter().map(|relation| &relation.network);
    pairs.check(networks())?;
    if networks().any(|network: &Network| check_network(network).is_ok()) {
        return Ok(());
    }
    check_network(&relations[0].network)
}
