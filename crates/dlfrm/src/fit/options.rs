//! What a caller may choose about a fit.

use serde::{Deserialize, Serialize};

use crate::model::{Model, Overrides};

/// Whether several relations have the same features.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sharing {
    /// A development set decides, in networks that are not large.
    #[default]
    Auto,
    /// Each relation has features of its own, as in the paper.
    Separate,
    /// All relations have the same features, and weights of their own.
    Shared,
}

/// What a caller may choose about a fit. The default is what `dlfrm fit` does without flags.
#[derive(Debug, Clone, PartialEq)]
pub struct FitOptions {
    /// The model.
    pub model: Model,
    /// Settings that differ from the defaults of the model and of the size of the network.
    pub settings: Overrides,
    /// Treat an undirected link as two directed ones with a full weight matrix, as the paper does.
    pub asymmetric: bool,
    /// Non-links per link that are learned from, drawn at random. `None` learns from all of them, or from ten per link
    /// where there are more than 50 million pairs.
    pub negatives: Option<f64>,
    /// Whether several relations have the same features.
    pub sharing: Sharing,
    /// The share of the pairs that is held out of the fit to be scored on; of the links, with as many non-links, where
    /// non-links are sampled.
    pub hold_out: Option<f64>,
    /// Bytes that the fit may take: it is refused if the estimate is larger.
    pub memory_limit: Option<f64>,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self {
            model: Model::DEFAULT,
            settings: Overrides::default(),
            asymmetric: false,
            negatives: None,
            sharing: Sharing::default(),
            hold_out: None,
            memory_limit: None,
        }
    }
}
