//! Reading networks and reading and writing model files.
