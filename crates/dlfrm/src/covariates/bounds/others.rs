//! What does not depend on links: tables of pairs, and how alike the ends are.

use super::Distance;
use crate::covariates::similarity::Similarity;
use crate::covariates::{Covariates, Scale};

/// The most that all columns but those of the links add to the pairs of each node, and what the means of all columns add.
pub(super) fn most(covariates: &Covariates, slopes: &[f64]) -> Vec<f64> {
    let Covariates { topology, side_info, similarity, scales, .. } = covariates;
    let of_links = topology.as_ref().map_or(0, |topology| topology.columns().len());
    let of_pairs = side_info.pairs.as_ref().map_or(0, |table| table.names().count());
    let first = of_links + of_pairs;
    let table = side_info.pairs.as_ref().map_or(0.0, |table| {
        let columns = of_links..first;
        table.most(&slopes[columns.clone()], &scales[columns])
    });
    let means = |(slope, scale): (&f64, &Scale)| slope * scale.mean;
    let without_table = (0..scales.len()).filter(|column| !(of_links..first).contains(column));
    let shift: f64 = without_table.map(|column| means((&slopes[column], &scales[column]))).sum();
    let nodes = topology.as_ref().map(|topology| topology.outgoing.len());
    let nodes = nodes.or_else(|| side_info.nodes.as_ref().map(|attributes| attributes.nodes()));
    let nodes = nodes.or_else(|| side_info.pairs.as_ref().map(|table| table.nodes()));
    let mut most = vec![table - shift; nodes.unwrap_or(0)];
    if let Some(similarity) = similarity {
        similarity.add_most(&slopes[first..], &mut most);
    }
    most
}

/// The least and the most of each standardised column, for pairs without a link at some distance.
pub(in crate::covariates) fn ranges(covariates: &Covariates, distance: Distance) -> Vec<[f64; 2]> {
    let Covariates { topology, side_info, similarity, scales, .. } = covariates;
    let mut ranges: Vec<[f64; 2]> = topology.iter().flat_map(|topology| topology.ranges(distance)).collect();
    ranges.extend(side_info.pairs.iter().flat_map(|table| table.ranges()));
    ranges.extend(similarity.iter().flat_map(Similarity::ranges));
    let standard = |(range, scale): ([f64; 2], &Scale)| {
        range.map(|x| if scale.deviation == 0.0 { 0.0 } else { (x - scale.mean) / scale.deviation })
    };
    ranges.into_iter().zip(scales).map(standard).collect()
}
