//! The paper's tables and figures, reproduced.

pub mod svm;
