//! Draws and posteriors taken apart for storage, and put together again with every array checked.

use std::sync::Arc;

use crate::covariates::Covariates;
use crate::error::{Error, Result};
use crate::model::{Linear, Settings, Shape};
use crate::network::Modes;

use super::{Draw, Posterior, Trace};

/// What a [`Draw`] is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawParts {
    /// The chain that it comes from.
    pub chain: usize,
    /// The sweep that it was kept after.
    pub sweep: usize,
    /// Its log joint density.
    pub log_joint: f64,
    /// The intercept.
    pub intercept: f64,
    /// Effects of nodes and coefficients of covariates.
    pub linear: Linear,
    /// Mass of the buffet.
    pub alpha: f64,
    /// Inverse standard deviation of the weights.
    pub nu: f64,
    /// Which weights are free.
    pub shape: Shape,
    /// How many features there are (K).
    pub features: usize,
    /// Node i's features are `items[starts[i]..starts[i + 1]]`.
    pub starts: Vec<u32>,
    /// The features of the nodes, one node after the other, each in increasing order.
    pub items: Vec<u32>,
    /// K x K weights row by row, or the K of the diagonal.
    pub weights: Vec<f64>,
    /// What the weights are multiplied by in a prediction: 1 unless the draw was [combined](super::Combination).
    pub feature_scale: f64,
}

impl Draw {
    /// Puts a draw together again.
    pub fn from_parts(parts: DrawParts) -> Result<Self> {
        let &DrawParts { log_joint, intercept, alpha, nu, shape, features, .. } = &parts;
        let DrawParts { starts, items, weights, linear, .. } = &parts;
        let needed = match shape {
            Shape::Diagonal => Some(features),
            Shape::Full | Shape::Symmetric => features.checked_mul(features),
        };
        if needed != Some(weights.len()) {
            return Err(broken(format!("{features} features cannot have {} weights", weights.len())));
        }
        if starts.first() != Some(&0) || starts.last().map(|&end| end as usize) != Some(items.len()) {
            return Err(broken(format!("the rows do not cover the {} features of all nodes", items.len())));
        }
        if starts.windows(2).any(|ends| ends[0] > ends[1]) {
            return Err(broken("the rows of the nodes overlap".to_owned()));
        }
        for ends in starts.windows(2) {
            let row = &items[ends[0] as usize..ends[1] as usize];
            let increasing = row.windows(2).all(|two| two[0] < two[1]);
            if !increasing || row.last().is_some_and(|&last| last as usize >= features) {
                return Err(broken(format!("{row:?} are not some of {features} features in order")));
            }
        }
        let nodes = starts.len() - 1;
        if linear.effects.iter().any(|effects| !effects.is_empty() && effects.len() != nodes) {
            return Err(broken(format!("{nodes} nodes do not have an effect each")));
        }
        let Linear { coefficients, effects, precisions, attributes, attribute_precisions } = linear;
        let lists = effects.iter().chain(attributes).chain(attribute_precisions);
        let linear = lists.flatten().chain(coefficients).chain(precisions);
        let numbers = [&log_joint, &intercept, &alpha, &nu].into_iter().chain(linear);
        if let Some(bad) = weights.iter().chain(numbers).find(|value| !value.is_finite()) {
            return Err(broken(format!("a number of a draw is {bad}")));
        }
        Ok(Self::of(parts))
    }
}

impl Posterior {
    /// Puts a posterior together again.
    pub fn from_parts(
        settings: Settings,
        symmetric: bool,
        non_link_share: f64,
        nodes: usize,
        covariates: Option<Covariates>,
        draws: Vec<Draw>,
        traces: Vec<Trace>,
    ) -> Result<Self> {
        let settings = settings.check()?.into_inner();
        if let Some(draw) = draws.iter().find(|draw| draw.nodes() != nodes) {
            return Err(broken(format!("a draw is about {} of {nodes} nodes", draw.nodes())));
        }
        let columns = covariates.as_ref().map_or(0, |covariates| covariates.names().len());
        if let Some(draw) = draws.iter().find(|draw| draw.linear.coefficients.len() != columns) {
            let found = draw.linear.coefficients.len();
            return Err(broken(format!("a draw has {found} coefficients of {columns} covariates")));
        }
        let attributes = covariates.as_ref().and_then(|covariates| covariates.side_info().nodes.as_deref());
        let (columns, groups) = attributes.map_or((0, 0), |known| (known.width(), known.groups().len()));
        let lengths = |count| if symmetric { [count, 0] } else { [count; 2] };
        let whole = |linear: &Linear| {
            linear.attributes.each_ref().map(Vec::len) == lengths(columns)
                && linear.attribute_precisions.each_ref().map(Vec::len) == lengths(groups)
        };
        if let Some(draw) = draws.iter().find(|draw| !whole(&draw.linear)) {
            let found = draw.linear.attributes[0].len();
            return Err(broken(format!("a draw has {found} coefficients of {columns} attributes")));
        }
        if let Some(draw) = draws.iter().find(|draw| draw.chain >= traces.len()) {
            return Err(broken(format!("a draw is of chain {} of {}", draw.chain, traces.len())));
        }
        for trace in &traces {
            if !trace.is_whole() {
                return Err(broken(format!("the trace of {} sweeps is not whole", trace.features.len())));
            }
        }
        if !(non_link_share > 0.0 && non_link_share <= 1.0) {
            return Err(broken(format!("{non_link_share} of the non-links were learned from")));
        }
        Ok(Self {
            settings,
            symmetric,
            modes: None,
            non_link_share,
            nodes,
            covariates,
            combination: None,
            draws,
            traces,
        })
    }

    /// The same of a bipartite network.
    ///
    /// # Panics
    /// If the modes are those of another number of nodes.
    #[must_use]
    pub fn with_modes(mut self, modes: Option<Arc<Modes>>) -> Self {
        assert!(modes.as_ref().is_none_or(|modes| modes.nodes() == self.nodes), "other nodes");
        self.modes = modes;
        self
    }
}

fn broken(what: String) -> Error {
    Error::Draws(what)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts() -> DrawParts {
        DrawParts {
            chain: 0,
            sweep: 7,
            log_joint: -3.0,
            intercept: 0.5,
            linear: Linear::default(),
            alpha: 1.0,
            nu: 2.0,
            shape: Shape::Full,
            features: 2,
            starts: vec![0, 2, 2, 3],
            items: vec![0, 1, 1],
            feature_scale: 1.0,
            weights: vec![1.0, 2.0, 3.0, 4.0],
        }
    }

    #[test]
    fn a_draw_is_put_together_again() {
        let draw = Draw::from_parts(parts()).unwrap();
        assert_eq!((draw.row(0), draw.row(1), draw.row(2)), (&[0, 1][..], &[][..], &[1][..]));
        assert_eq!(draw.logit(0, 2, &[]), 0.5 + 2.0 + 4.0);
        assert_eq!(*draw, parts());
    }

    #[test]
    fn what_does_not_hold_together_is_refused() {
        let refused = |change: fn(&mut DrawParts)| {
            let mut parts = parts();
            change(&mut parts);
            Draw::from_parts(parts).is_err()
        };
        assert!(refused(|parts| parts.shape = Shape::Diagonal));
        assert!(refused(|parts| parts.features = usize::MAX));
        assert!(refused(|parts| parts.starts = vec![]));
        assert!(refused(|parts| parts.starts = vec![0, 3, 2, 3]));
        assert!(refused(|parts| parts.starts = vec![0, 2]));
        assert!(refused(|parts| parts.items = vec![1, 0, 1]));
        assert!(refused(|parts| parts.items = vec![0, 2, 1]));
        assert!(refused(|parts| parts.weights[0] = f64::NAN));
        let draw = Draw::from_parts(parts()).unwrap();
        let posterior = |nodes, traces| {
            Posterior::from_parts(Settings::default(), false, 1.0, nodes, None, vec![draw.clone()], traces)
        };
        let share = |share| {
            Posterior::from_parts(Settings::default(), false, share, 3, None, vec![], vec![Trace::default()])
        };
        assert!(share(0.5).is_ok() && share(0.0).is_err() && share(1.5).is_err() && share(f64::NAN).is_err());
        assert!(posterior(3, vec![Trace::default()]).is_ok());
        assert!(posterior(4, vec![Trace::default()]).is_err());
        assert!(posterior(3, vec![]).is_err());
        assert!(posterior(3, vec![Trace { nu: vec![1.0], ..Trace::default() }]).is_err());
    }
}
