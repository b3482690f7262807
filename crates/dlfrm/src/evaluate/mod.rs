//! How well methods predict held-out pairs: splits x methods x scores -> figures.
//!
//! Everything that can be evaluated is a [`Method`]: the models of this crate, the [baselines](crate::baseline), or your own. All
//! of them see the same splits, and what is chosen on a development set is chosen within each run.
//!
//! ```
//! use dlfrm::evaluate::{Evaluation, MethodOptions, Quiet, method};
//! use dlfrm::generate::{GenerateSettings, generate};
//! use dlfrm::model::Overrides;
//! use dlfrm::network::Relation;
//! use dlfrm::score::Measure;
//!
//! let made = generate(&GenerateSettings { nodes: 40, ..GenerateSettings::default() })?;
//! let relations = [Relation::from(made.network)];
//! let evaluation = Evaluation { runs: 2, ..Evaluation::new(&relations) };
//!
//! let settings = Overrides { chains: Some(1), burn_in: Some(5), draws: Some(5), ..Overrides::default() };
//! let options = MethodOptions { settings, ..evaluation.method_options() };
//! let methods = [method("diag-dlfrm-l", &options)?, method("cn", &options)?];
//! for figures in evaluation.run(&methods, &Quiet)?.models {
//!     println!("{}: AUC {:?}", figures.model, figures.scores.get(Measure::Auc));
//! }
//! # Ok::<(), dlfrm::Error>(())
//! ```

mod evaluation;
mod figures;
mod methods;

pub use evaluation::{Evaluation, EvaluationObserver, Quiet, Splits};
pub use figures::{
    CurveBin, Figure, Measured, ModelFigures, Outcome, RelationFigures, RelationsFigures, Report, Scores,
};
pub use methods::{
    DEFAULT, FittedMethod, GROUPS, LFRM, Method, MethodOptions, ModelMethod, Scorer, Training,
    TrainingRelation, expand, method, model, names, scorer,
};
