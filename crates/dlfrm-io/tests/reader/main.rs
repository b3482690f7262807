//! The reader of networks seen from outside, in one program because linking four takes minutes.

mod errors;
mod graphs;
mod properties;
mod reading;
mod real_networks;
