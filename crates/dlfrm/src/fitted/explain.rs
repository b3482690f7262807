//! Why a link is predicted, in facts, and the sentences that every front end shows.

use std::fmt::{self, Display, Formatter};

use serde::{Serialize, Serializer};

use crate::chain::Draw;
use crate::fit::{FittedModel, FittedRelation};
use crate::posterior::{Breakdown, FeatureRole, Part, PartKind, Prediction, feature_numbers};

/// So many names are in a sentence at most.
const NAMED: usize = 5;

/// Why a pair has the probability that it has.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation<'a> {
    /// The relation, if the network has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relation: Option<&'a str>,
    /// The node that the link starts from.
    pub source: &'a str,
    /// The node that it goes to.
    pub target: &'a str,
    /// Whether it is a link that the model was fitted to.
    pub known_link: bool,
    /// Posterior mean of its probability.
    pub probability: f64,
    /// 5 % quantile.
    pub low: f64,
    /// 95 % quantile.
    pub high: f64,
    /// The share of links among the observed pairs, whether or not their non-links were sampled.
    pub base_rate: f64,
    /// The probability of a pair that is an average one in all parts.
    pub average: f64,
    /// What covariates and the effects of nodes add to the log-odds, beside an average pair.
    pub by_covariates: f64,
    /// What features add.
    pub by_features: f64,
    /// What it is made of, the strongest first.
    pub parts: Vec<ExplainedPart<'a>>,
    /// The nodes that both ends are linked with, whatever the direction, those with the fewest links first.
    pub common_neighbours: Vec<&'a str>,
    /// The features that both ends have in the consensus of all draws, but for those of nearly all nodes.
    pub shared_features: Vec<SharedFeature>,
}

/// One part of the log-odds with what it is about.
#[derive(Debug, Clone, PartialEq)]
pub struct ExplainedPart<'a> {
    /// The numbers.
    pub part: Part,
    /// What the part is about.
    pub reason: Reason<'a>,
}

/// What a part of the log-odds is about.
#[derive(Debug, Clone, PartialEq)]
pub enum Reason<'a> {
    /// The nodes that both ends are linked with, those with the fewest links first.
    CommonNeighbours(Vec<&'a str>),
    /// Paths of more than two links, distances and walks.
    LongerPaths {
        /// Whether the two are a row and a column, which have no common neighbour.
        bipartite: bool,
    },
    /// How many links the two have beside their own.
    Activity {
        /// Their names.
        names: [&'a str; 2],
        /// The links from each and to each; in an undirected network all of them and 0.
        links: [[usize; 2]; 2],
        /// Whether a link has a direction.
        directed: bool,
        /// Whether there is a link of their own, which does not count.
        linked: bool,
    },
    /// The link in the other direction.
    Reciprocity {
        /// Where it starts.
        from: &'a str,
        /// Where it goes to.
        to: &'a str,
        /// Whether it is there.
        linked: bool,
    },
    /// Attributes of the two.
    Attributes,
    /// Covariates of the pair.
    PairCovariates,
    /// The effects of the two.
    Effects,
    /// The features that the two have in common, the strongest first.
    Features(Vec<SharedFeature>),
}

/// A feature that both ends have.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SharedFeature {
    /// Its number: 1 for the largest.
    pub feature: usize,
    /// How many nodes have it.
    pub size: usize,
    /// What it adds to the log-odds of two members.
    pub log_odds: f64,
}

/// Explains the pairs of one relation: what they have in common is computed once.
#[derive(Debug)]
pub struct Explainer<'a> {
    model: &'a FittedModel,
    relation: &'a FittedRelation,
    consensus: Option<Draw>,
    /// The number, the size and the role of each feature of the consensus.
    features: Vec<(usize, usize, FeatureRole)>,
    /// The neighbours of each node in increasing order, whatever the direction.
    neighbours: Vec<Vec<u32>>,
    /// How many links each node has: from it and to it.
    degrees: Vec<[usize; 2]>,
}

impl<'a> Explainer<'a> {
    /// For pairs of a relation of the model.
    pub fn new(model: &'a FittedModel, relation: &'a FittedRelation) -> Self {
        Self::with_consensus(model, relation, relation.posterior.consensus())
    }

    /// The same for a caller that has the consensus of the relation already.
    pub fn with_consensus(
        model: &'a FittedModel,
        relation: &'a FittedRelation,
        consensus: Option<Draw>,
    ) -> Self {
        let summaries = consensus.as_ref().map_or_else(Vec::new, |draw| relation.posterior.summarise(draw));
        let numbers = feature_numbers(&summaries);
        let mut features = vec![(0, 0, FeatureRole::Common); summaries.len()];
        for summary in &summaries {
            let (size, role) = (summary.members.len(), summary.role(model.nodes.len()));
            features[summary.feature] = (numbers[summary.feature], size, role);
        }
        let mut neighbours = vec![Vec::new(); model.nodes.len()];
        let mut degrees = vec![[0, 0]; model.nodes.len()];
        for &(source, target) in &relation.links {
            neighbours[source as usize].push(target);
            neighbours[target as usize].push(source);
            degrees[source as usize][0] += 1;
            degrees[target as usize][1] += 1;
        }
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
        }
        Self { model, relation, consensus, features, neighbours, degrees }
    }

    /// Explains pairs of different nodes.
    pub fn explain(&self, pairs: &[(u32, u32)]) -> Vec<Explanation<'a>> {
        let directed = self.model.directed;
        let oriented = |&(i, j): &(u32, u32)| if directed { (i, j) } else { (i.min(j), i.max(j)) };
        let oriented: Vec<(u32, u32)> = pairs.iter().map(oriented).collect();
        let predictions = self.model.predict(self.relation, &oriented);
        let parts = self.relation.posterior.parts(&oriented);
        let numbers = predictions.into_iter().zip(parts);
        pairs
            .iter()
            .zip(oriented)
            .zip(numbers)
            .map(|((&pair, oriented), numbers)| self.one(pair, oriented, numbers))
            .collect()
    }

    fn one(
        &self,
        (source, target): (u32, u32),
        pair: (u32, u32),
        (prediction, Breakdown { parts, average }): (Prediction, Breakdown),
    ) -> Explanation<'a> {
        let Self { model, relation, .. } = self;
        let common = self.common(source, target);
        let shared = self.shared(pair);
        let sum = |features: bool| {
            let some = parts.iter().filter(|part| (part.kind == PartKind::Features) == features);
            some.fold(0.0, |sum, part| sum + part.log_odds)
        };
        let (by_covariates, by_features) = (sum(false), sum(true));
        let known_link = relation.links.binary_search(&pair).is_ok();
        let links = relation.links.len() as f64;
        let non_links = (relation.observed as f64 - links) / relation.posterior.non_link_share();
        let common: Vec<&str> = common.iter().map(|&id| model.nodes.name(id)).collect();
        let explained = |part: Part| {
            let reason = self.reason(part.kind, (source, target), known_link, (&common, &shared));
            ExplainedPart { part, reason }
        };
        Explanation {
            relation: relation.name.as_deref(),
            source: model.nodes.name(source),
            target: model.nodes.name(target),
            known_link,
            probability: prediction.mean,
            low: prediction.low,
            high: prediction.high,
            base_rate: links / (links + non_links).max(1.0),
            average,
            by_covariates,
            by_features,
            parts: parts.into_iter().map(explained).collect(),
            common_neighbours: common,
            shared_features: shared,
        }
    }

    /// The common neighbours, those with the fewest links first: they say most.
    fn common(&self, source: u32, target: u32) -> Vec<u32> {
        let [one, other] = [source, target].map(|node| &self.neighbours[node as usize]);
        let mut common: Vec<u32> =
            one.iter().copied().filter(|node| other.binary_search(node).is_ok()).collect();
        common.sort_by_key(|&node| (self.neighbours[node as usize].len(), node));
        common
    }

    /// How much features count.
    fn share_of_features(&self) -> f64 {
        self.relation.posterior.combination().map_or(1.0, |shares| shares.features)
    }

    fn shared(&self, (source, target): (u32, u32)) -> Vec<SharedFeature> {
        let Some(draw) = &self.consensus else { return vec![] };
        let target = draw.row(target as usize);
        let both = draw.row(source as usize).iter().filter(|feature| target.contains(feature));
        let mut shared: Vec<SharedFeature> = both
            .filter(|&&feature| self.features[feature as usize].2 != FeatureRole::Common)
            .map(|&feature| {
                let (number, size, _) = self.features[feature as usize];
                let log_odds = self.share_of_features() * draw.weight(feature as usize, feature as usize);
                SharedFeature { feature: number, size, log_odds }
            })
            .collect();
        shared.sort_by(|a, b| b.log_odds.abs().total_cmp(&a.log_odds.abs()).then(a.feature.cmp(&b.feature)));
        shared
    }

    /// What a part is about. The link of a pair says nothing of the pair, so it does not count.
    fn reason(
        &self,
        kind: PartKind,
        (source, target): (u32, u32),
        linked: bool,
        (common, shared): (&[&'a str], &[SharedFeature]),
    ) -> Reason<'a> {
        let Self { model, relation, .. } = self;
        let directed = model.directed;
        let names = [source, target].map(|node| model.nodes.name(node));
        match kind {
            PartKind::CommonNeighbours => Reason::CommonNeighbours(common.to_vec()),
            PartKind::LongerPaths => Reason::LongerPaths { bipartite: relation.posterior.modes().is_some() },
            PartKind::Activity => {
                let [mut one, mut other] = [source, target].map(|node| self.degrees[node as usize]);
                if !directed {
                    [one, other] = [one, other].map(|[from, to]| [from + to, 0]);
                }
                one[0] -= usize::from(linked);
                other[usize::from(directed)] -= usize::from(linked);
                Reason::Activity { names, links: [one, other], directed, linked }
            }
            PartKind::Reciprocity => {
                let linked = relation.links.binary_search(&(target, source)).is_ok();
                Reason::Reciprocity { from: names[1], to: names[0], linked }
            }
            PartKind::Attributes => Reason::Attributes,
            PartKind::PairCovariates => Reason::PairCovariates,
            PartKind::Effects => Reason::Effects,
            PartKind::Features => Reason::Features(shared.to_vec()),
        }
    }
}

impl Serialize for ExplainedPart<'_> {
    /// The numbers, with the sentence beside them.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct WithSentence<'a> {
            #[serde(flatten)]
            part: &'a Part,
            sentence: String,
        }
        WithSentence { part: &self.part, sentence: self.to_string() }.serialize(serializer)
    }
}

impl Display for ExplainedPart<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.reason, fold(&self.part))
    }
}

impl Display for Reason<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::CommonNeighbours(common) => {
                match common[..] {
                    [] => f.write_str("no common neighbour")?,
                    [one] => write!(f, "one common neighbour ({one})")?,
                    _ => {
                        let count = common.len();
                        let names = common[..count.min(NAMED)].join(", ");
                        let more = if count > NAMED {
                            format!(" and {} more", count - NAMED)
                        } else {
                            String::new()
                        };
                        write!(f, "{count} common neighbours ({names}{more})")?;
                    }
                }
                f.write_str(", given how many links they have")
            }
            Self::LongerPaths { bipartite } => {
                let given = if *bipartite { "" } else { " and common neighbours" };
                write!(f, "longer paths and walks between them, given their links{given}")
            }
            Self::Activity { names: [source, target], links, directed, linked } => {
                let beside = if *linked { "beside this one: " } else { "" };
                let [[from, other_to], [other_from, to]] = links;
                write!(f, "how many links the two have ({beside}")?;
                if *directed {
                    write!(
                        f,
                        "{from} from and {other_to} to {source}, {other_from} from and {to} to {target})"
                    )
                } else {
                    write!(f, "{source} {from}, {target} {other_from})")
                }
            }
            Self::Reciprocity { from, to, linked } => {
                write!(f, "{} link from {from} to {to}", if *linked { "the" } else { "no" })
            }
            Self::Attributes => f.write_str("attributes of the two"),
            Self::PairCovariates => f.write_str("covariates of the pair"),
            Self::Effects => f.write_str("how active the two are"),
            Self::Features(shared) => match &shared[..] {
                [] => f.write_str("features (none in common in most draws)"),
                [SharedFeature { feature, size, log_odds }] if *log_odds < 0.0 => write!(
                    f,
                    "one feature in common (feature {feature}, whose {size} members avoid each other)"
                ),
                [SharedFeature { feature, size, .. }] => {
                    write!(f, "one feature in common (feature {feature}, {size} members)")
                }
                several => {
                    let numbers: Vec<String> =
                        several.iter().take(NAMED).map(|one| one.feature.to_string()).collect();
                    write!(f, "{} features in common ({})", several.len(), numbers.join(", "))
                }
            },
        }
    }
}

/// By what a part multiplies the odds, in words.
fn fold(part: &Part) -> String {
    let [mean, low, high] = [part.log_odds, part.low, part.high].map(|log_odds| times(log_odds.exp()));
    if part.low > 0.0 {
        format!("raises the odds {mean}-fold ({low} to {high})")
    } else if part.high < 0.0 {
        let [mean, low, high] = [part.log_odds, part.high, part.low].map(|log_odds| times((-log_odds).exp()));
        format!("lowers the odds {mean}-fold ({low} to {high})")
    } else {
        format!("no clear effect on the odds (times {mean}, {low} to {high})")
    }
}

/// So many parts of the log-odds are reasons with a sentence.
const REASONS: usize = 4;

/// What a part is about, in a word or two.
fn matter(kind: PartKind) -> &'static str {
    match kind {
        PartKind::CommonNeighbours => "common neighbours",
        PartKind::LongerPaths => "longer paths",
        PartKind::Activity => "numbers of links",
        PartKind::Reciprocity => "the other direction",
        PartKind::Attributes => "attributes",
        PartKind::PairCovariates => "covariates of pairs",
        PartKind::Effects => "activity",
        PartKind::Features => "features",
    }
}

/// A factor with two digits or so.
fn times(factor: f64) -> String {
    match factor {
        factor if factor >= 1e6 => "over a million".to_owned(),
        factor if factor < 1e-6 => "less than a millionth".to_owned(),
        // By what it rounds to, so that two factors that are alike have the same digits.
        factor if factor >= 9.95 => format!("{factor:.0}"),
        factor if factor >= 0.995 => format!("{factor:.1}"),
        factor if factor >= 0.01 => format!("{factor:.2}"),
        factor => format!("1/{:.0}", 1.0 / factor),
    }
}

impl Explanation<'_> {
    /// All of it in sentences, one on each line.
    pub fn text(&self) -> String {
        let mut lines: Vec<String> =
            self.relation.map(|name| format!("relation '{name}'")).into_iter().collect();
        lines.extend([self.headline(), String::new()]);
        let reasons = self.reasons();
        if !reasons.is_empty() {
            lines.push(format!(
                "A pair that is average in everything has {}. Beside it:",
                percent(self.average)
            ));
            lines.extend(reasons.iter().map(|reason| format!("- {reason}")));
            lines.push(String::new());
        }
        lines.extend(self.balance());
        if self.common_neighbours.len() > NAMED {
            lines.push(format!("Common neighbours: {}", self.common_neighbours.join(", ")));
        }
        lines.join("\n")
    }

    /// The sentences of the strongest parts; smaller ones are named behind them.
    pub fn reasons(&self) -> Vec<String> {
        let shown = self.parts.len().min(REASONS);
        let (strongest, others) = self.parts.split_at(shown);
        let names: Vec<&str> = others.iter().map(|part| matter(part.part.kind)).collect();
        let others = (!names.is_empty()).then(|| format!("smaller still: {}", names.join(", ")));
        strongest.iter().map(ToString::to_string).chain(others).collect()
    }

    /// The probability beside the base rate, in a sentence.
    pub fn headline(&self) -> String {
        let Self { source, target, probability, low, high, base_rate, .. } = self;
        let [probability, low, high, base] = [*probability, *low, *high, *base_rate].map(percent);
        let known = if self.known_link { "; the model was fitted to this link" } else { "" };
        format!(
            "{source} and {target}: probability {probability} (90 % interval {low} to {high}), base rate {base}{known}"
        )
    }

    /// How much of the log-odds comes from covariates and from features, and what the strongest part matters.
    pub fn balance(&self) -> Vec<String> {
        let has =
            |features: bool| self.parts.iter().any(|part| (part.part.kind == PartKind::Features) == features);
        let [others, features] = [self.by_covariates, self.by_features].map(signed);
        // Effects are a part of their own where there are no covariates of links.
        let effects = self.parts.iter().any(|part| part.part.kind == PartKind::Effects);
        let name = if effects { "effects of the two nodes" } else { "covariates" };
        let sums = match (has(false), has(true)) {
            (true, true) => format!("{name} add {others} to the log-odds and features {features}"),
            (true, false) => format!("{name} add {others} to the log-odds"),
            (false, true) => format!("features add {features} to the log-odds"),
            (false, false) => "nothing adds to the log-odds".to_owned(),
        };
        let mut lines = vec![format!("Compared with an average pair, {sums}.")];
        if let Some(ExplainedPart { part, .. }) = self.parts.first() {
            let (what, without) = (matter(part.kind), percent(part.probability_without));
            lines.push(format!(
                "If the pair were an average one in {what}, the probability would be {without}."
            ));
        }
        lines
    }

    /// The sentences of the strongest parts in one line.
    pub fn summary(&self, most: usize) -> String {
        self.parts.iter().take(most).map(ToString::to_string).collect::<Vec<_>>().join("; ")
    }
}

/// A sum of log-odds with its sign; what rounds to nothing has that of nothing.
fn signed(log_odds: f64) -> String {
    let text = format!("{log_odds:+.2}");
    if text == "-0.00" { "+0.00".to_owned() } else { text }
}

fn percent(probability: f64) -> String {
    let value = 100.0 * probability;
    match value {
        value if value >= 99.95 => "above 99.9 %".to_owned(),
        value if value >= 99.5 => format!("{value:.1} %"),
        value if value >= 10.0 => format!("{value:.0} %"),
        value if value >= 0.1 => format!("{value:.1} %"),
        value if value >= 0.001 => format!("{value:.3} %"),
        _ => "below 0.001 %".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::fit::{Fit, FitOptions};
    use crate::model::Overrides;
    use crate::network::{Network, Nodes};

    /// Sampled or not, non-links are those of the network.
    #[test]
    fn the_base_rate_is_that_of_all_pairs() {
        let nodes: Nodes = ["a", "b", "c", "d", "e", "f", "g", "h"].into_iter().collect();
        let links = (0..8).map(|node| (node, (node + 1) % 8));
        let network = Network::new(Arc::new(nodes), false, links).unwrap();
        let settings =
            Overrides { chains: Some(2), burn_in: Some(5), draws: Some(5), ..Overrides::default() };
        for negatives in [None, Some(1.0)] {
            let options = FitOptions { settings: settings.clone(), negatives, ..FitOptions::default() };
            let model = Fit::network(network.clone()).options(options).run().unwrap();
            let relation = &model.relations[0];
            assert_eq!(relation.posterior.non_link_share() < 1.0, negatives.is_some());
            let found = Explainer::new(&model, relation).explain(&[(0, 4)]).remove(0);
            assert!((found.base_rate - 8.0 / 28.0).abs() < 1e-12, "{}", found.base_rate);
        }
    }

    #[test]
    fn common_neighbours_and_links_are_named() {
        for directed in [false, true] {
            let mut people = Nodes::default();
            let links = ["Ada Bob", "Ada Cleo", "Bob Dan", "Cleo Dan", "Cleo Eve", "Eve Finn", "Finn Dan"];
            let links = links
                .map(|link| link.split_once(' ').unwrap())
                .map(|(a, b)| (people.intern(a), people.intern(b)));
            let network = Network::new(Arc::new(people), directed, links).unwrap();
            let settings =
                Overrides { chains: Some(2), burn_in: Some(5), draws: Some(5), ..Overrides::default() };
            let options = FitOptions { settings, ..FitOptions::default() };
            let model = Fit::network(network).options(options).run().unwrap();
            let explainer = Explainer::new(&model, &model.relations[0]);
            let id = |name: &str| model.nodes.id(name).unwrap();
            let explain = |one: &str, other: &str| explainer.explain(&[(id(one), id(other))]).remove(0);
            let found = explain("Ada", "Dan");
            assert_eq!(found.common_neighbours, ["Bob", "Cleo"]);
            assert!(!found.known_link && explain("Ada", "Bob").known_link);
            let total: f64 = found.parts.iter().map(|part| part.part.log_odds).sum();
            assert!((total - found.by_covariates - found.by_features).abs() < 1e-9);
            let common =
                found.parts.iter().find(|part| part.part.kind == PartKind::CommonNeighbours).unwrap();
            let counted = "2 common neighbours (Bob, Cleo), given how many links they have: ";
            assert!(common.to_string().starts_with(counted), "{common}");
            let active = found.parts.iter().find(|part| part.part.kind == PartKind::Activity).unwrap();
            let counted = if directed {
                "how many links the two have (2 from and 0 to Ada, 0 from and 3 to Dan): "
            } else {
                "how many links the two have (Ada 2, Dan 3): "
            };
            assert!(active.to_string().starts_with(counted), "{active}");
            let known = explain("Ada", "Bob");
            let active = known.parts.iter().find(|part| part.part.kind == PartKind::Activity).unwrap();
            let counted = "how many links the two have (beside this one: ";
            assert!(active.to_string().starts_with(counted), "{active}");
            let predicted = model.predict(&model.relations[0], &[(id("Ada"), id("Dan"))])[0];
            assert_eq!(
                (found.probability, found.low, found.high),
                (predicted.mean, predicted.low, predicted.high)
            );
            if directed {
                let mut back = found.parts.iter().filter(|part| part.part.kind == PartKind::Reciprocity);
                assert!(back.all(|part| part.to_string().starts_with("no link from Dan to Ada: ")));
            } else {
                let turned = explain("Dan", "Ada");
                assert!(turned.parts.iter().zip(&found.parts).all(|(one, other)| one.part == other.part));
            }
        }
    }

    #[test]
    fn factors_and_percentages_are_short() {
        assert_eq!(
            [0.0002, 0.31, 0.994, 0.998, 1.0, 3.21, 9.97, 12.4, 2e7].map(times),
            ["1/5000", "0.31", "0.99", "1.0", "1.0", "3.2", "10", "12", "over a million"]
        );
        assert_eq!(
            [1.0, 0.996, 0.5, 0.021, 3e-5, 1e-9].map(percent),
            ["above 99.9 %", "99.6 %", "50 %", "2.1 %", "0.003 %", "below 0.001 %"]
        );
        assert_eq!(
            [0.0, -0.0, -0.004, -0.5, 1.234].map(signed),
            ["+0.00", "+0.00", "+0.00", "-0.50", "+1.23"]
        );
        let part = |log_odds, low, high| {
            fold(&Part { kind: PartKind::Features, log_odds, low, high, probability_without: 0.5 })
        };
        assert_eq!(part(12f64.ln(), 6f64.ln(), 25f64.ln()), "raises the odds 12-fold (6.0 to 25)");
        assert_eq!(
            part(1e4, 1e3, 1e5),
            "raises the odds over a million-fold (over a million to over a million)"
        );
        assert_eq!(part(0.5f64.ln(), 0.2f64.ln(), 0.8f64.ln()), "lowers the odds 2.0-fold (1.2 to 5.0)");
        assert_eq!(part(0.0, -1.0, 1.0), "no clear effect on the odds (times 1.0, 0.37 to 2.7)");
    }
}
