//! The linear part of the logit: what nodes and covariates add to it, beside intercept and features.

use crate::covariates::Attributes;

/// Effects of nodes, and coefficients of covariates of pairs and of attributes of nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct Linear {
    /// A coefficient for each covariate of pairs.
    pub coefficients: Vec<f64>,
    /// What each node adds to the pairs that start at it, and to those that end at it; nothing without effects, and
    /// all in the first list where a pair stands for both directions.
    pub effects: [Vec<f64>; 2],
    /// The inverse variances of the effects.
    pub precisions: [f64; 2],
    /// A coefficient for each attribute of the node that a pair starts at, and of that it ends at; all in the first list
    /// where a pair stands for both directions.
    pub attributes: [Vec<f64>; 2],
    /// The inverse variances of these, one for each group of attributes.
    pub attribute_precisions: [Vec<f64>; 2],
}

impl Default for Linear {
    fn default() -> Self {
        Self::new(0, [0; 2], [0; 2], 0)
    }
}

impl Linear {
    /// No effect and no coefficient yet: all of them zero.
    pub(crate) fn new(covariates: usize, effects: [usize; 2], attributes: [usize; 2], groups: usize) -> Self {
        let zeros = |count| vec![0.0; count];
        Self {
            coefficients: zeros(covariates),
            effects: effects.map(zeros),
            precisions: [1.0; 2],
            attributes: attributes.map(zeros),
            attribute_precisions: attributes.map(|count| vec![1.0; if count == 0 { 0 } else { groups }]),
        }
    }

    /// Whether there is nothing that could be added.
    pub fn is_empty(&self) -> bool {
        self.coefficients.is_empty() && !self.of_nodes()
    }

    /// Whether nodes add something to their pairs.
    pub fn of_nodes(&self) -> bool {
        !self.effects[0].is_empty() || !self.attributes[0].is_empty()
    }

    /// What it adds to the logit of a pair with these covariates, where the effects hold all that nodes add: in a draw
    /// they have what attributes add, too.
    pub fn of(&self, source: usize, target: usize, covariates: &[f32]) -> f64 {
        let products = self.coefficients.iter().zip(covariates).map(|(beta, &x)| beta * f64::from(x));
        self.with(source, target, products.sum())
    }

    /// The same for covariates that add up to this, each times its coefficient.
    pub(crate) fn with(&self, source: usize, target: usize, covariates: f64) -> f64 {
        self.source(source) + self.target(target) + covariates
    }

    /// The same with what the attributes of each node add counted among its effects, so that they need not be asked
    /// again for every pair.
    pub(crate) fn gather_attributes(mut self, known: Option<&Attributes>) -> Self {
        if let Some(known) = known {
            for (effects, coefficients) in self.effects.iter_mut().zip(&self.attributes) {
                if !coefficients.is_empty() {
                    effects.resize(known.nodes(), 0.0);
                    known.add_products(coefficients, effects);
                }
            }
        }
        self
    }

    /// What a node adds to the pairs that start at it.
    pub fn source(&self, node: usize) -> f64 {
        self.effects[0].get(node).copied().unwrap_or_default()
    }

    /// What a node adds to the pairs that end at it.
    pub fn target(&self, node: usize) -> f64 {
        let [senders, receivers] = &self.effects;
        let effects = if receivers.is_empty() { senders } else { receivers };
        effects.get(node).copied().unwrap_or_default()
    }
}
