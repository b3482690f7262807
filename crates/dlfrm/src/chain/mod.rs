//! Chains: a sweep is a list of steps, a run is sweeps with kept draws, several runs go in parallel.

mod chain_run;
mod handle;
mod info;
mod observer;
pub(crate) mod run;
pub(crate) mod shared;
pub(crate) mod single;
mod start;
pub(crate) mod step;

pub use chain_run::ChainRun;
pub(crate) use chain_run::{Length, Slots};
pub use handle::{RunHandle, RunProgress};
pub use info::{
    AugmentInfo, CollapsedRowsInfo, ConjugateGradientsInfo, FeaturesInfo, LinearInfo, Nanoseconds, SweepInfo,
    WeightsInfo,
};
pub use observer::{Control, Event, Observer, Progress, Silent};
pub(crate) use observer::{OfTrial, Stoppable};
pub(crate) use run::{continue_chains, continue_shared_chains, no_runs, noted};
pub(crate) use shared::{SharedChain, SharedRelation};
pub(crate) use single::Chain;
pub(crate) use step::Step;
