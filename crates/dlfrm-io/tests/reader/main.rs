//! The readers seen from outside, in one program because linking four takes minutes.

mod bad_input;
mod commands;
mod graph_attributes;
mod graphs;
mod misread;
mod odd_rows;
mod properties;
mod reading;
mod real_networks;
mod unsaid;
