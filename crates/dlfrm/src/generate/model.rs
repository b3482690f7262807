//! Networks drawn from the model, with the features that made them.

use std::sync::Arc;

use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;

use crate::covariates::Design;
use crate::error::{Error, Result};
use crate::model::number;
use crate::model::{
    Features, Linear, Loss, Losses, Nu, Settings, Shape, State, Weights, ibp, log_joint, sigmoid,
};
use crate::network::{Mode, Modes, Network, Nodes};
use crate::posterior::Draw;
use crate::random::{Purpose, stream};

/// What network to draw.
#[derive(Debug, Clone, PartialEq)]
pub struct GenerateSettings {
    /// How many nodes.
    pub nodes: usize,
    /// Whether links have a direction.
    pub directed: bool,
    /// In a bipartite network the first so many nodes are rows, the others are columns; links have no direction then.
    pub rows: Option<usize>,
    /// Whether features interact with themselves only.
    pub diagonal: bool,
    /// Mass of the Indian buffet process: the mean number of features of a node.
    pub alpha: f64,
    /// Inverse standard deviation of the weights.
    pub nu: f64,
    /// What is added to every logit: the lower, the fewer links.
    pub intercept: f64,
    /// Random seed.
    pub seed: u64,
}

impl Default for GenerateSettings {
    /// A hundred nodes with two features each on average; nodes without a feature in common are
    /// linked with probability 0.05, and most features stand out from that clearly.
    fn default() -> Self {
        Self {
            nodes: 100,
            directed: false,
            rows: None,
            diagonal: false,
            alpha: 2.0,
            nu: 0.4,
            intercept: -3.0,
            seed: 1,
        }
    }
}

/// A network with the truth behind it.
#[derive(Debug, Clone)]
pub struct Generated {
    /// The network; its nodes are numbered.
    pub network: Network,
    /// The features and weights that it was drawn with.
    pub truth: Draw,
}

impl Generated {
    /// The probability that a link was drawn with.
    pub fn probability(&self, source: u32, target: u32) -> f64 {
        sigmoid(self.truth.logit(source as usize, target as usize, &[]))
    }
}

/// Draws features from the Indian buffet process, weights from their prior, then the links.
///
/// ```
/// use dlfrm::generate::{GenerateSettings, generate};
///
/// let made = generate(&GenerateSettings { nodes: 30, ..GenerateSettings::default() })?;
/// assert_eq!(made.network.len(), 30);
/// assert!((0.0..=1.0).contains(&made.probability(0, 1)));
/// # Ok::<(), dlfrm::Error>(())
/// ```
pub fn generate(settings: &GenerateSettings) -> Result<Generated> {
    check(settings)?;
    let mut rng = stream(settings.seed, 0, 0, Purpose::Generate, 0);
    let features = ibp::draw(settings.nodes, settings.alpha, &mut rng);
    let slots = features.slots();
    let shape = match (settings.diagonal, settings.directed) {
        (true, _) => Shape::Diagonal,
        (false, true) => Shape::Full,
        (false, false) => Shape::Symmetric,
    };
    let mut weights = Weights::new(shape, slots);
    Weights::new(shape, slots).for_each_free(slots, |k, l, _| {
        let normal: f64 = StandardNormal.sample(&mut rng);
        weights.set(k, l, normal / settings.nu);
    });
    generate_links(features, weights, settings)
}

/// Draws the links for features and weights of one's own choice, whose shape decides whether the weights
/// are diagonal; `alpha` and `nu` are only noted.
///
/// # Panics
/// If the features are of another number of nodes, or full weights meet an undirected network.
pub fn generate_links(
    mut features: Features,
    mut weights: Weights,
    settings: &GenerateSettings,
) -> Result<Generated> {
    check(settings)?;
    assert_eq!(features.nodes(), settings.nodes, "one row of features per node");
    assert!(settings.directed || weights.shape() != Shape::Full, "undirected links need symmetric weights");
    let mut order = Vec::new();
    features.compact(&mut order);
    weights.compact(&order, &mut Vec::new());
    let GenerateSettings { alpha, nu, intercept, .. } = *settings;
    let state = State {
        features,
        weights,
        rates: vec![],
        intercept,
        linear: Linear::default(),
        offsets: vec![],
        alpha,
        nu: Nu::same(nu),
    };
    let (links, log_likelihood) = links(&state, settings);
    let nodes = Arc::new(Nodes::numbered(settings.nodes));
    let mut network = Network::new(nodes, settings.directed, links)?;
    if let Some(rows) = settings.rows {
        let mode = |node: usize| Some(if node < rows { Mode::Row } else { Mode::Column });
        network = network.with_modes(Arc::new(Modes::new((0..settings.nodes).map(mode).collect())))?;
    }
    // The density of features, weights and intercept that a chain would report at the truth.
    let model = Settings { intercept: true, ..Settings::default() }.check()?;
    let log_prior = log_joint(&state, &model, &Design::default(), Losses::default()).total();
    let log_joint = log_prior + log_likelihood;
    Ok(Generated { network, truth: Draw::new(&state, None, 0, 0, log_joint) })
}

fn check(settings: &GenerateSettings) -> Result<()> {
    let refuse = |name, expected, value| Err(Error::Setting { name, expected, value });
    let GenerateSettings { nodes, rows, alpha, nu, intercept, .. } = *settings;
    for (name, value) in [("alpha", alpha), ("nu", nu)] {
        if !(value > 0.0 && value.is_finite()) {
            return refuse(name, "a positive number", number(value));
        }
        if !(1e-6..=1e3).contains(&value) {
            return refuse(name, "between 0.000001 and 1000", number(value));
        }
    }
    if !intercept.is_finite() {
        return refuse("intercept", "a finite number", intercept.to_string());
    }
    if let Some(rows) = rows.filter(|&rows| rows == 0 || rows >= nodes || settings.directed) {
        let expected = "at least 1 and below the number of nodes, in an undirected network";
        return refuse("rows", expected, rows.to_string());
    }
    // Every pair is looked at: beyond this it takes too long.
    if !(2..=1_000_000).contains(&nodes) {
        return refuse("nodes", "from 2 to 1000000", nodes.to_string());
    }
    // A node has alpha features on average, and all of them are in memory.
    let memberships = nodes as f64 * alpha;
    if memberships > 1e8 {
        return refuse("nodes x alpha", "at most 100000000", number(memberships));
    }
    Ok(())
}

fn links(state: &State, settings: &GenerateSettings) -> (Vec<(u32, u32)>, f64) {
    let nodes = settings.nodes;
    let rows: Vec<(Vec<(u32, u32)>, f64)> = (0..nodes)
        .into_par_iter()
        .map(|source| {
            // A stream a row, so that the links do not depend on the number of threads.
            let mut rng = stream(settings.seed, 0, 0, Purpose::Generate, source as u64 + 1);
            let first = if settings.directed { 0 } else { source + 1 };
            // In a bipartite network only columns are targets, and they are no sources.
            let columns = settings.rows.map_or(0, |rows| if source < rows { rows } else { nodes });
            let (mut links, mut log_probability) = (Vec::new(), 0.0);
            for target in (first.max(columns)..nodes).filter(|&target| target != source) {
                let logit = state.intercept + state.latent(source, target);
                let link = rng.random::<f64>() < sigmoid(logit);
                log_probability += Loss::Logistic.log_likelihood(link, logit, 1.0, 1.0);
                if link {
                    links.push((source as u32, target as u32));
                }
            }
            (links, log_probability)
        })
        .collect();
    let log_probability = rows.iter().map(|row| row.1).sum();
    (rows.into_iter().flat_map(|row| row.0).collect(), log_probability)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_as_frequent_as_their_probabilities() {
        // About 20,000 independent links: five deviations fail by chance with probability 6e-7.
        for directed in [false, true] {
            let settings = GenerateSettings { nodes: 150, directed, seed: 3, ..Default::default() };
            let made = generate(&settings).unwrap();
            let (mut mean, mut variance) = (0.0, 0.0);
            for pair in made.network.observed() {
                let probability = made.probability(pair.source, pair.target);
                mean += probability;
                variance += probability * (1.0 - probability);
            }
            let seen = made.network.links().len() as f64;
            assert!((seen - mean).abs() < 5.0 * variance.sqrt(), "{seen} {mean} {variance}");
        }
    }

    #[test]
    fn seeds_decide_and_threads_do_not() {
        let make = |threads, seed| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let settings = GenerateSettings { diagonal: true, seed, ..Default::default() };
            let made = pool.install(|| generate(&settings)).unwrap();
            (made.network.links().to_vec(), made.truth)
        };
        assert_eq!(make(1, 1), make(4, 1));
        assert_ne!(make(1, 1), make(1, 2));
    }
}
