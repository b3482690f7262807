//! What a fit would do, before it does it.

use super::{Candidates, FitOptions, PairPlan, Sharing, check_network};
use crate::covariates::{CovariateSet, SideInfo};
use crate::error::{Error, Result};
use crate::model::{Model, Overrides, SETTINGS, Setting, Settings, ValidSettings, Variant};
use crate::network::{Network, Relation};

/// What a fit would do.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The numbers of the relations that something can be learned from.
    pub relations: Vec<usize>,
    /// Which pairs are learned from.
    pub pairs: PairPlan,
    /// Whether the relations have the same features, as far as it is decided.
    pub sharing: Sharing,
    /// The estimated memory, in bytes.
    pub memory: f64,
    pub(super) candidates: Candidates,
    warnings: Vec<String>,
}

impl Plan {
    pub(super) fn new(relations: &[Relation], side_info: &SideInfo, options: &FitOptions) -> Result<Self> {
        let networks = || relations.iter().map(|relation| &relation.network);
        let pairs = PairPlan::new(networks(), options.asymmetric, options.negatives);
        // A link that stands in both directions would be predicted by its own reverse.
        let both_ways = options.asymmetric && networks().any(|network| !network.directed());
        let largest = pairs.largest(networks());
        let candidates = Candidates::new(options.model, &options.settings, largest as usize, both_ways)?;
        let covariates = candidates.usual.covariates;
        if both_ways && covariates != CovariateSet::None {
            return Err(Error::Network(format!(
                "covariates {covariates} with asymmetric pairs: each link of an undirected network would be predicted by its \
                 reverse; leave one of them out"
            )));
        }
        let sharing = sharing(relations, options.sharing, largest, both_ways)?;
        let memory = candidates.memory(pairs, &networks(), side_info);
        pairs.check(networks())?;
        let (kept, mut warnings) = learnable(relations)?;
        if let (Some(negatives), None) = (pairs.negatives, options.negatives) {
            warnings.push(format!(
                "there are too many pairs to learn from all of them: {negatives} non-links per link are sampled (negatives)"
            ));
        }
        let other = || candidates.other_defaults(&options.settings, largest as usize);
        match (options.asymmetric, both_ways) {
            (true, false) => warnings.push("asymmetric has no effect: links have a direction".to_owned()),
            (true, true) => {
                let parts = match (candidates.usual.node_effects, side_info.is_empty()) {
                    (false, true) => "without covariates and effects of nodes",
                    (true, true) => "without covariates, but with effects of nodes",
                    (false, false) => "without effects of nodes, but with the side information",
                    (true, false) => "but with effects of nodes and the side information",
                };
                let paper = "asymmetric is given, so the model is that of the paper";
                warnings.push(format!("{paper}, {parts}{}", other()));
            }
            (false, _) => warnings.extend(candidates.remark(&options.settings).map(|what| what + &other())),
        }
        if options.asymmetric && options.model.diagonal() {
            let full = Model { variant: Variant::Full, loss: options.model.loss };
            let diagonal = options.model;
            warnings.push(format!(
                "{diagonal} has diagonal weights, which are symmetric: {full} has a full weight matrix"
            ));
        }
        let (fits, name) = ([&**candidates.settings()], options.model.name());
        let coefficients = candidates.linear.is_some() || !side_info.is_empty();
        let idle = options.settings.without_effect(&fits, name, coefficients);
        warnings.extend(idle.iter().map(|(name, reason)| format!("{name} has no effect {reason}")));
        Ok(Self { relations: kept, pairs, sharing, memory, candidates, warnings })
    }

    /// The settings before any choice on a development set.
    pub fn settings(&self) -> &ValidSettings {
        &self.candidates.usual
    }

    /// What a user should know before the fit begins.
    pub fn warnings(&self) -> impl Iterator<Item = &str> {
        self.warnings.iter().map(String::as_str)
    }

    /// Refuses a plan that takes more memory than it may.
    pub fn check_memory(&self, limit: Option<f64>) -> Result<()> {
        check_memory(self.memory, limit)
    }
}

impl Candidates {
    /// Why there is one posterior with covariates, because of a setting that the caller gives; nothing for other fits.
    pub fn remark(&self, given: &Overrides) -> Option<String> {
        if self.usual.covariates == CovariateSet::None {
            return None;
        }
        if self.usual.max_new == 0 {
            return Some("max-new is 0, so covariates are fitted alone".to_owned());
        }
        let causes = [
            ("covariates", given.covariates.is_some()),
            ("c-pos", given.c_pos.is_some()),
            ("c-neg", given.c_neg.is_some()),
        ];
        let causes: Vec<&str> = causes.into_iter().filter_map(|(name, is)| is.then_some(name)).collect();
        let verb = if causes.len() == 1 { "is" } else { "are" };
        Some(format!(
            "{} {verb} given, so covariates and features have one joint posterior",
            causes.join(", ")
        ))
    }

    /// What differs from the defaults of the features' posterior for so many pairs, as the end of a sentence.
    pub fn other_defaults(&self, given: &Overrides, pairs: usize) -> String {
        let usual = given.over(Settings::features_defaults(self.usual.model, pairs));
        let value = |setting: &Setting| setting.value(&self.usual);
        let other = SETTINGS.iter().filter(|setting| value(setting) != setting.value(&usual));
        let other: Vec<String> =
            other.map(|setting| format!("{} {}", setting.name, value(setting))).collect();
        if other.is_empty() { String::new() } else { format!(", with other defaults: {}", other.join(", ")) }
    }
}

/// Refuses to take more memory than allowed.
pub(super) fn check_memory(needed: f64, limit: Option<f64>) -> Result<()> {
    match limit {
        Some(limit) if needed > limit => Err(Error::Memory { needed, limit }),
        _ => Ok(()),
    }
}

/// The relations that something can be learned from. Of several, those without are left out with a warning.
fn learnable(relations: &[Relation]) -> Result<(Vec<usize>, Vec<String>)> {
    let (mut kept, mut refused) = (vec![], vec![]);
    for (number, Relation { name, network }) in relations.iter().enumerate() {
        match check_network(network) {
            Ok(()) => kept.push(number),
            Err(error) => refused.push(error.in_relation(name.as_deref())),
        }
    }
    if kept.is_empty() {
        return Err(refused.swap_remove(0));
    }
    Ok((kept, refused.iter().map(|error| format!("{error}; it is left out")).collect()))
}

/// Whether relations share their features. They stay apart, as in the paper, where they are `ordered` as there or too large to
/// be fitted at once.
pub(crate) fn sharing(relations: &[Relation], asked: Sharing, pairs: f64, ordered: bool) -> Result<Sharing> {
    let several = relations.len() > 1;
    match asked {
        Sharing::Shared if !several => {
            Err(Error::Network("features cannot be shared: there is one relation".to_owned()))
        }
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
