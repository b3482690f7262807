//! Whether several relations have the same features.

use std::path::Path;

use anyhow::bail;
use clap::Args;
use dlfrm::network::LARGE_NETWORK;
use dlfrm_io::Dataset;

use super::settings::switch;

/// The flags for it.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct SharingArgs {
    /// Let all relations have the same features, and weights of their own [default: if a development set is clearly better
    /// predicted so]
    #[arg(long, overrides_with = "separate_features")]
    share_features: bool,
    /// Fit each relation by itself, as the paper does
    #[arg(long, overrides_with = "share_features")]
    separate_features: bool,
}

/// What is known of it before there is anything to learn from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sharing {
    /// Each relation has features of its own.
    Separate,
    /// All relations have the same.
    Shared,
    /// The pairs to learn from decide.
    Open,
}

impl SharingArgs {
    /// For the relations of a file, the largest with so many pairs. They stay as in the paper where that is asked for, or
    /// where they are too large to be fitted at once.
    pub(crate) fn sharing(
        self,
        dataset: &Dataset,
        file: &Path,
        pairs: f64,
        plain: bool,
    ) -> anyhow::Result<Sharing> {
        let several = dataset.relations.len() > 1;
        match switch(self.share_features, self.separate_features) {
            Some(true) if !several => bail!("--share-features: {} has one relation", file.display()),
            Some(true) => Ok(Sharing::Shared),
            None if several && !plain && pairs <= LARGE_NETWORK as f64 => Ok(Sharing::Open),
            Some(false) | None => Ok(Sharing::Separate),
        }
    }
}
