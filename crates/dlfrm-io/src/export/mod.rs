//! Fitted networks for other programs: groups, probabilities of membership and predicted links.

mod picture;
mod xml;

use dlfrm::fit::{Explainer, Feature, FittedModel, FittedRelation, Member};
use dlfrm::network::Mode;
use dlfrm::posterior::{FeatureRole, Prediction};

pub use picture::{TooLarge, picture};
pub use xml::{gexf, graphml};

/// One relation of a fitted model as it is exported.
#[derive(Debug)]
pub struct Export<'a> {
    model: &'a FittedModel,
    features: Vec<Feature<'a>>,
    /// The numbers of the features that are no groups.
    left_out: Vec<(usize, FeatureRole)>,
    /// By node: the number of each of its groups and the share of the draws in which it is a member.
    memberships: Vec<Vec<(usize, f64)>>,
    /// The links of the network and the most probable other pairs.
    links: Vec<ExportedLink>,
}

/// A link or a predicted link; in a bipartite network the row is its source.
#[derive(Debug)]
struct ExportedLink {
    source: u32,
    target: u32,
    predicted: bool,
    prediction: Prediction,
    /// The strongest reasons of a predicted link, in words.
    why: String,
}

impl ExportedLink {
    fn kind(&self) -> &'static str {
        if self.predicted { "predicted" } else { "link" }
    }
}

/// Sentences for a predicted link.
const REASONS: usize = 2;

impl<'a> Export<'a> {
    /// A relation of a model with its links and the `top` most probable missing ones.
    pub fn new(model: &'a FittedModel, relation: &FittedRelation, top: usize) -> Self {
        let mut features = model.features_of(relation);
        let others = features.extract_if(.., |feature| feature.role != FeatureRole::Group);
        let left_out = others.map(|feature| (feature.number, feature.role)).collect();
        let mut memberships = vec![Vec::new(); model.nodes.len()];
        for feature in &features {
            for member in &feature.members {
                if let Some(node) = model.nodes.get(member.name) {
                    memberships[node as usize].push((feature.number, member.certainty.unwrap_or(1.0)));
                }
            }
        }
        let links = relation.known_links();
        let known = model.predict(relation, &links);
        let link = |pair, predicted, prediction, why| {
            let (source, target) = model.row_first(pair);
            ExportedLink { source, target, predicted, prediction, why }
        };
        let known = links.iter().zip(known);
        let known = known.map(|(&pair, prediction)| link(pair, false, prediction, String::new()));
        let missing = model.missing_of(relation, top, None);
        let pairs: Vec<(u32, u32)> = missing.iter().map(|&(source, target, _)| (source, target)).collect();
        let reasons = Explainer::new(model, relation).explain(&pairs);
        let predicted = missing.into_iter().zip(&reasons);
        let predicted = predicted
            .map(|((i, j, prediction), reason)| link((i, j), true, prediction, reason.summary(REASONS)));
        let links = known.chain(predicted).collect();
        Self { model, features, left_out, memberships, links }
    }

    /// The numbers of the features that are left out, because they are no groups.
    pub fn left_out(&self) -> &[(usize, FeatureRole)] {
        &self.left_out
    }

    /// The members of each group, in the order of the groups.
    fn members(&self) -> Vec<Vec<u32>> {
        let id = |member: &Member<'_>| self.model.nodes.get(member.name);
        self.features.iter().map(|feature| feature.members.iter().filter_map(id).collect()).collect()
    }

    /// Whether a node is a row or a column, in a bipartite network.
    fn mode(&self, node: u32) -> Option<&'static str> {
        self.model.modes()?.mode(node).map(Mode::word)
    }

    /// The groups of a node, the surest first.
    fn groups(&self, node: usize) -> Vec<(usize, f64)> {
        let mut groups = self.memberships[node].clone();
        groups.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        groups
    }
}

/// The files of an export with their names.
pub fn csv_files(export: &Export<'_>) -> [(&'static str, String); 4] {
    let nodes = &export.model.nodes;
    let mut groups = "group,size,own_weight,stability\n".to_owned();
    let bipartite = export.model.modes().is_some();
    let mut members = format!("group,node,probability{}\n", if bipartite { ",mode" } else { "" });
    for feature in &export.features {
        let stability = feature.stability.map_or(String::new(), |stability| stability.to_string());
        groups += &line(&[
            &feature.number.to_string(),
            &feature.size.to_string(),
            &feature.own_weight.to_string(),
            &stability,
        ]);
        for member in &feature.members {
            let certainty = member.certainty.map_or(String::new(), |certainty| certainty.to_string());
            let mode = nodes.get(member.name).and_then(|node| export.mode(node)).unwrap_or_default();
            let cells = [&feature.number.to_string(), member.name, &certainty, mode];
            members += &line(&cells[..if bipartite { 4 } else { 3 }]);
        }
    }
    let row = |link: &ExportedLink, why: bool| {
        let [source, target] = [link.source, link.target].map(|id| nodes.name(id));
        let [mean, low, high] =
            [link.prediction.mean, link.prediction.low, link.prediction.high].map(|value| value.to_string());
        let cells = [source, target, &mean, &low, &high, &link.why];
        line(&cells[..if why { 6 } else { 5 }])
    };
    let mut links = "source,target,probability,low,high\n".to_owned();
    let mut predicted = "source,target,probability,low,high,why\n".to_owned();
    for link in &export.links {
        if link.predicted {
            predicted += &row(link, true);
        } else {
            links += &row(link, false);
        }
    }
    [("groups.csv", groups), ("members.csv", members), ("links.csv", links), ("predicted.csv", predicted)]
}

fn line(cells: &[&str]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
    cells.join(",") + "\n"
}

/// A cell that every reader of CSV, and ours, takes for the same text.
fn quoted(cell: &str) -> String {
    let special = cell.contains([',', '"', '\n', '\r', ';', '\t']);
    if special || cell.starts_with(['#', '%', ' ']) || cell.ends_with(' ') {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must() {
        assert_eq!(line(&["a", "b c", "d,e", "f \"g\"", "#h"]), "a,b c,\"d,e\",\"f \"\"g\"\"\",\"#h\"\n");
    }
}
