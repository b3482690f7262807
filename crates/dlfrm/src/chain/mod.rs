//! Chains: a sweep is a list of steps, a run is sweeps with kept draws, several runs go in parallel.

mod draw;
mod observer;
pub(crate) mod run;
pub(crate) mod shared;
pub(crate) mod single;
mod start;
pub(crate) mod sweep;

pub use draw::{ChainRun, Draw, DrawParts, Trace};
pub(crate) use draw::{Length, Slots};
pub use observer::{Control, Event, Observer, Progress, Silent};
pub(crate) use observer::{OfTrial, Stoppable};
pub(crate) use run::{continue_chains, continue_shared_chains, no_runs, noted, taken};
pub(crate) use shared::{SharedChain, SharedRelation};
pub(crate) use single::Chain;
pub(crate) use sweep::Step;
pub use sweep::{
    AugmentInfo, CollapsedRowsInfo, ConjugateGradientsInfo, FeaturesInfo, LinearInfo, Nanoseconds, SweepInfo,
    WeightsInfo,
};
