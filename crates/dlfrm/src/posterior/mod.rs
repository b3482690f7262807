//! The posterior of a fit: draws and traces, and what is computed from them.

mod agreement;
pub mod diagnose;
mod explain;
mod features;
mod pool;
mod predict;
mod top;

pub use crate::chain::{Draw, DrawParts, Trace};
pub use agreement::{Agreement, Convergence, More, Remedy, Verdict};
pub use explain::{Breakdown, Part, PartKind};
pub use features::{FeatureRole, FeatureSummary, Interaction, Member, feature_numbers};
pub use pool::Combination;
pub(crate) use pool::Relation as CombinedRelation;
pub use predict::{Coefficient, Prediction};
pub use top::TopPairs;

use std::sync::Arc;

use crate::chain::{ChainRun, Length, Observer, continue_chains, no_runs, taken};
use crate::covariates::{Covariates, Matrix, SideInfo};
use crate::error::{Error, Result};
use crate::model::{Linear, Settings, ValidSettings};
use crate::network::{Modes, Pairs};

/// The draws of all chains with what is needed to turn them into predictions.
#[derive(Debug, Clone, PartialEq)]
pub struct Posterior {
    settings: Settings,
    symmetric: bool,
    modes: Option<Arc<Modes>>,
    non_link_share: f64,
    nodes: usize,
    covariates: Option<Covariates>,
    /// The other part, if this is a mixture of two.
    beside: Option<Beside>,
    draws: Vec<Draw>,
    traces: Vec<Trace>,
}

/// The other part of a mixture: draws of coefficients without features.
#[derive(Debug, Clone, PartialEq)]
struct Beside {
    draws: Vec<Draw>,
    settings: Settings,
    combination: Combination,
}

impl Posterior {
    /// Gathers the draws of a fit to `pairs`.
    pub fn new(
        pairs: &Pairs,
        settings: &ValidSettings,
        covariates: Option<Covariates>,
        draws: Vec<Draw>,
        traces: Vec<Trace>,
    ) -> Self {
        Self {
            settings: settings.clone().into_inner(),
            symmetric: pairs.symmetric(),
            modes: pairs.modes().cloned(),
            non_link_share: pairs.non_link_share(),
            nodes: pairs.nodes(),
            covariates,
            beside: None,
            draws,
            traces,
        }
    }

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
            return Err(Error::Draws(format!("a draw is about {} of {nodes} nodes", draw.nodes())));
        }
        let columns = covariates.as_ref().map_or(0, |covariates| covariates.names().len());
        if let Some(draw) = draws.iter().find(|draw| draw.linear.coefficients.len() != columns) {
            let found = draw.linear.coefficients.len();
            return Err(Error::Draws(format!("a draw has {found} coefficients of {columns} covariates")));
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
            return Err(Error::Draws(format!("a draw has {found} coefficients of {columns} attributes")));
        }
        if let Some(draw) = draws.iter().find(|draw| draw.chain >= traces.len()) {
            return Err(Error::Draws(format!("a draw is of chain {} of {}", draw.chain, traces.len())));
        }
        for trace in &traces {
            if !trace.is_whole() {
                return Err(Error::Draws(format!(
                    "the trace of {} sweeps is not whole",
                    trace.features.len()
                )));
            }
        }
        if !(non_link_share > 0.0 && non_link_share <= 1.0) {
            return Err(Error::Draws(format!("{non_link_share} of the non-links were learned from")));
        }
        Ok(Self {
            settings,
            symmetric,
            modes: None,
            non_link_share,
            nodes,
            covariates,
            beside: None,
            draws,
            traces,
        })
    }

    /// The same of a bipartite network. Panics if the modes are those of another number of nodes.
    #[must_use]
    pub fn with_modes(mut self, modes: Option<Arc<Modes>>) -> Self {
        assert!(modes.as_ref().is_none_or(|modes| modes.nodes() == self.nodes), "other nodes");
        self.modes = modes;
        self
    }

    /// Gathers what the chains of a fit to `pairs` have.
    pub(crate) fn of_runs(
        pairs: &Pairs,
        settings: &ValidSettings,
        covariates: Option<Covariates>,
        runs: impl IntoIterator<Item = ChainRun>,
    ) -> Self {
        let (draws, mut traces): (Vec<_>, Vec<Trace>) =
            runs.into_iter().map(|run| (run.draws, run.trace)).unzip();
        // Chains that a run which was ended did not come to.
        traces
            .truncate(traces.iter().rposition(|trace| !trace.features.is_empty()).map_or(0, |last| last + 1));
        Self::new(pairs, settings, covariates, draws.into_iter().flatten().collect(), traces)
    }

    /// The settings of the fit.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Whether (i, j) and (j, i) are one pair.
    pub fn symmetric(&self) -> bool {
        self.symmetric
    }

    /// Which nodes are rows and which are columns, in a bipartite network: only pairs of a row and a column are predicted.
    pub fn modes(&self) -> Option<&Arc<Modes>> {
        self.modes.as_ref()
    }

    /// Whether two nodes can be linked.
    fn possible(&self, i: u32, j: u32) -> bool {
        i != j && self.modes.as_ref().is_none_or(|modes| modes.across(i, j))
    }

    /// The part of the observed non-links that was learned from: 1 unless they were sampled.
    pub fn non_link_share(&self) -> f64 {
        self.non_link_share
    }

    /// What unequal costs and missing non-links add to the logit of every pair.
    fn raised_log_odds(&self) -> f64 {
        self.raised_by(&self.settings)
    }

    /// The same in a posterior with other settings.
    fn raised_by(&self, settings: &Settings) -> f64 {
        (settings.c_pos / (settings.c_neg * self.non_link_share)).ln()
    }

    /// What computes the covariates of a pair, if the fit had any.
    pub fn covariates(&self) -> Option<&Covariates> {
        self.covariates.as_ref()
    }

    /// The covariates of some pairs, in their order; empty ones if the fit had none.
    fn covariates_of(&self, pairs: &[(u32, u32)]) -> Matrix {
        let none = || Matrix::new(0, pairs.len());
        self.covariates.as_ref().map_or_else(none, |covariates| covariates.rows(pairs))
    }

    /// The kept draws, chain after chain; in a mixture those of the features.
    pub fn draws(&self) -> &[Draw] {
        &self.draws
    }

    /// The kept draws, and those of the other part of a mixture, where nothing else is needed.
    pub(crate) fn into_draws(self) -> (Vec<Draw>, Vec<Draw>) {
        (self.draws, self.beside.map_or(vec![], |beside| beside.draws))
    }

    /// One trace a chain, over all sweeps.
    pub fn traces(&self) -> &[Trace] {
        &self.traces
    }

    /// The posterior mean of the number of features.
    pub fn mean_features(&self) -> f64 {
        self.draws.iter().map(|draw| draw.features() as f64).sum::<f64>() / self.draws.len() as f64
    }
}

/// Runs all chains over the pairs of one relation and gathers their draws. `fit` is the number that the observer knows the
/// fit by. The draws do not depend on the number of threads.
pub fn run_chains(
    pairs: &Pairs,
    side_info: &SideInfo,
    settings: &ValidSettings,
    fit: usize,
    observer: &dyn Observer,
) -> Result<Posterior> {
    let slots = no_runs(settings);
    let length = Length::new(settings, 0);
    let covariates = continue_chains(pairs, side_info, settings, length, fit, observer, &slots)?;
    Ok(Posterior::of_runs(pairs, settings, covariates, slots.into_iter().map(taken)))
}

#[cfg(test)]
pub(crate) mod tests {
    use crate::chain::Silent;
    use crate::model::{Features, Nu, Shape, State, Weights};
    use crate::network::Pair;

    use super::*;

    /// A short fit to a network of two groups.
    pub(crate) fn small_posterior(model: &str, directed: bool, nodes: u32) -> Posterior {
        let ordered = (0..nodes).flat_map(|i| (0..nodes).map(move |j| (i, j)));
        let pairs = ordered.filter(|&(i, j)| i != j && (directed || i < j)).map(|(source, target)| Pair {
            source,
            target,
            link: (source * 7 + target) % 3 == 0,
        });
        let pairs = Pairs::new(nodes as usize, !directed, pairs);
        let settings = Settings {
            model: model.parse().unwrap(),
            chains: 2,
            burn_in: 10,
            draws: 8,
            ..Settings::default()
        };
        run_chains(&pairs, &SideInfo::default(), &settings.check().unwrap(), 0, &Silent).unwrap()
    }

    /// A draw with the given rows of features and the weight 10 k + l between features k <= l.
    pub(crate) fn draw_of(shape: Shape, rows: &[&[u32]], log_joint: f64) -> Draw {
        let slots = rows.iter().flat_map(|row| row.iter()).max().map_or(0, |&last| last as usize + 1);
        let mut weights = Weights::new(shape, slots);
        weights.clone().for_each_free(slots, |k, l, _| weights.set(k, l, (10 * k + l) as f64));
        let features = Features::from_rows(rows, slots);
        let state = State {
            features,
            weights,
            rates: vec![],
            intercept: 0.0,
            linear: Linear::default(),
            offsets: vec![],
            alpha: 1.0,
            nu: Nu::same(1.0),
        };
        Draw::new(&state, None, 0, 1, log_joint)
    }

    #[test]
    fn a_posterior_that_does_not_hold_together_is_refused() {
        let draw = draw_of(Shape::Diagonal, &[&[0], &[], &[0]], 0.0);
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
