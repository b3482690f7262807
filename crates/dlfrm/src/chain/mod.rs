//! Chains: a sweep is a list of steps, a run is sweeps with kept draws, several runs go in parallel.

mod info;
mod run;
mod run_shared;
pub(crate) mod shared;
pub(crate) mod single;
mod start;
pub(crate) mod step;

pub use info::{
    AugmentInfo, CollapsedRowsInfo, ConjugateGradientsInfo, FeaturesInfo, LinearInfo, Nanoseconds, SweepInfo,
    WeightsInfo,
};
pub use run::{Control, Observer, Progress, fit, fit_given};
pub use run_shared::fit_shared;
pub(crate) use shared::{SharedChain, SharedRelation};
pub(crate) use single::Chain;
pub(crate) use step::Step;
