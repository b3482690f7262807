//! The linear part of the logit: what entities and covariates add to it, beside intercept and features.

/// Effects of entities and coefficients of covariates.
#[derive(Debug, Clone, PartialEq)]
pub struct Linear {
    /// A coefficient for each covariate of pairs.
    pub coefficients: Vec<f64>,
    /// What each entity adds to the pairs that start at it, and to those that end at it; nothing without effects, and
    /// all in the first list where a pair stands for both directions.
    pub effects: [Vec<f64>; 2],
    /// The inverse variances of the effects.
    pub precisions: [f64; 2],
}

impl Default for Linear {
    fn default() -> Self {
        Self::new(0, [0; 2])
    }
}

impl Linear {
    /// No effect and no coefficient yet: all of them zero.
    pub(crate) fn new(covariates: usize, effects: [usize; 2]) -> Self {
        let zeros = |count| vec![0.0; count];
        Self { coefficients: zeros(covariates), effects: effects.map(zeros), precisions: [1.0; 2] }
    }

    /// Whether there is nothing that could be added.
    pub fn is_empty(&self) -> bool {
        self.coefficients.is_empty() && self.effects[0].is_empty()
    }

    /// What it adds to the logit of a pair with these covariates.
    pub fn of(&self, source: usize, target: usize, covariates: &[f32]) -> f64 {
        let products = self.coefficients.iter().zip(covariates).map(|(beta, &x)| beta * f64::from(x));
        self.source(source) + self.target(target) + products.sum::<f64>()
    }

    /// What an entity adds to the pairs that start at it.
    pub fn source(&self, entity: usize) -> f64 {
        self.effects[0].get(entity).copied().unwrap_or_default()
    }

    /// What an entity adds to the pairs that end at it.
    pub fn target(&self, entity: usize) -> f64 {
        let [senders, receivers] = &self.effects;
        let effects = if receivers.is_empty() { senders } else { receivers };
        effects.get(entity).copied().unwrap_or_default()
    }
}
