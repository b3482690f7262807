//! How much memory a fit takes, before it takes it.

use crate::covariates::{SideInfo, bytes_a_pair};
use crate::model::{Loss, ValidSettings, ibp};
use crate::network::Division;

/// The bytes of a pair: while it is gathered and sorted, once it is in place, and its rate (and its offset, if it has one
/// of its own) in each running chain.
const GATHERED: f64 = 24.0;
const IN_PLACE: f64 = 14.0;
const RATE: f64 = 8.0;
/// What a node takes in the lists of the pairs, and in each running chain beside its features.
const LISTED: f64 = 16.0;
const NODE: f64 = 64.0;

/// Estimates the bytes of a fit to so many pairs of nodes, with as many chains running at once as there are threads; in a
/// large network one chain runs after the other.
///
/// Intercept and coefficients alone take nothing per pair beside the covariates. K is not known before: five times what the
/// buffet expects is assumed, with two alpha of the features per node. The network itself and the side information are not
/// counted, but what these add to pairs and draws is.
pub(crate) fn estimate(
    nodes: usize,
    pairs: f64,
    side_info: &SideInfo,
    settings: &ValidSettings,
    threads: usize,
) -> f64 {
    let nodes = nodes as f64;
    let features = 5.0 * settings.alpha * ibp::harmonic(nodes as usize);
    let row = 4.0 * (1.0 + 2.0 * settings.alpha);
    let lists = pairs * IN_PLACE + nodes * LISTED;
    let lines = if settings.model.diagonal() || 4.0 * pairs < nodes * nodes {
        0.0
    } else {
        // In a dense network collapsed rows have what each feature does to all nodes, on two sides; as odds, too, under the
        // logistic loss.
        let tables = if settings.model.loss == Loss::Logistic { 4.0 } else { 2.0 };
        tables * 8.0 * nodes * features
    };
    let covariates = bytes_a_pair(settings.covariates, side_info) as f64;
    let linear = pairs * covariates;
    let offset = if settings.linear() || !side_info.is_empty() { RATE } else { 0.0 };
    // An effect of each node on either end, and in a running chain the sums over the pairs of each end: of rates, and of
    // rates times covariates, which are twice as wide as in the lines of the pairs.
    let ends = settings.node_effects || side_info.nodes.is_some();
    let (effects, sums) = if ends { (16.0, 2.0 * (8.0 + 2.0 * covariates)) } else { (0.0, 0.0) };
    let rates = if settings.without_rates(0) && !ends { 0.0 } else { pairs * (RATE + offset) };
    let chain = rates + nodes * (NODE + 2.0 * row + effects + sums) + lines;
    let weights = 8.0 * if settings.model.diagonal() { features } else { features * features };
    let draws = (settings.chains * settings.draws) as f64 * (nodes * (row + effects) + weights);
    let at_once = if pairs > Division::LARGE as f64 { 1 } else { settings.chains.min(threads) };
    let running = at_once as f64 * chain + draws + linear;
    lists + running.max(pairs * GATHERED)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::covariates::{Attributes, Field, FieldValues};
    use crate::model::Settings;

    #[test]
    fn more_of_anything_takes_more() {
        let bytes = |nodes, pairs, chains, threads, model: &str| {
            let settings = Settings { chains, ..Settings::for_model(model.parse().unwrap()) };
            estimate(nodes, pairs, &SideInfo::default(), &settings.check().unwrap(), threads)
        };
        let base = bytes(1000, 1e5, 4, 2, "dlfrm-l");
        assert!(base > 1e5 * (IN_PLACE + 2.0 * RATE));
        assert!(bytes(2000, 1e5, 4, 2, "dlfrm-l") > base);
        assert!(bytes(1000, 1e6, 4, 2, "dlfrm-l") > base);
        assert!(bytes(1000, 1e5, 8, 2, "dlfrm-l") > base);
        assert!(bytes(1000, 1e5, 4, 4, "dlfrm-l") > base);
        assert!(bytes(1000, 9e5, 4, 2, "diag-dlfrm-l") < bytes(1000, 9e5, 4, 2, "dlfrm-l"));
        // Chains of large networks take turns; all that more of them leave is draws.
        assert_eq!(bytes(1000, 2e6, 4, 2, "dlfrm-l"), bytes(1000, 2e6, 4, 4, "dlfrm-l"));
        let with = |node_effects, side_info: &SideInfo| {
            let settings = Settings { node_effects, ..Settings::default() };
            estimate(1000, 1e6, side_info, &settings.check().unwrap(), 2)
        };
        let nothing = SideInfo::default();
        // As many numbers as a block has columns: however full the last block is, there is one more.
        let number = |field: u32| {
            let values = (0..1000).map(|node| Some(f64::from(node % (field + 2)))).collect();
            Field { name: format!("number {field}"), values: FieldValues::Numbers(values) }
        };
        let numbers = Attributes::new(1000, (0..8).map(number).collect()).unwrap();
        let known = SideInfo { nodes: Some(Arc::new(numbers)), pairs: None };
        // Two chains run, and each has sums of covariates, which are numbers of eight bytes, for either end.
        let columns = 2.0 * bytes_a_pair(Settings::default().covariates, &nothing) as f64;
        assert!(with(true, &nothing) > with(false, &nothing) + 2.0 * 1000.0 * 2.0 * columns);
        assert!(
            with(false, &known) > with(true, &nothing) + 1e6 * 32.0 - 1.0,
            "a further block of covariates"
        );
        // Threads without chains do nothing.
        assert_eq!(bytes(1000, 1e5, 4, 9, "dlfrm-l"), bytes(1000, 1e5, 4, 4, "dlfrm-l"));
    }
}
