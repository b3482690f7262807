//! Moves that change several entries of Z at once, with the augmentation integrated out.
//!
//! One entry at a time, a chain that would have to pass through an unlikely state stays where it is: two features that
//! should be one, one that should be two, an entity that has a feature in place of a similar one. Like the flips these
//! moves leave rates behind that are not valid: the augmentation must follow.
//!
//! Features have no order, so a state is a set of columns with their weights, and its density has alpha^K and, for a column
//! of m owners, (N - m)! (m - 1)! / N! (Griffiths & Ghahramani 2005, times the K! orders of a labelled matrix).

pub mod rows;
pub mod split_merge;
