//! Whether several relations have the same features.

use anyhow::bail;
use clap::Args;
use dlfrm::fit::Sharing;
use dlfrm_io::Dataset;

/// The flags for it.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct SharingArgs {
    /// Let all relations have the same features, and weights of their own [default: if a development set is clearly better
    /// predicted so]
    #[arg(long, conflicts_with = "separate_features", hide_short_help = true)]
    share_features: bool,
    /// Fit each relation by itself, as the paper does
    #[arg(long, conflicts_with = "share_features", hide_short_help = true)]
    separate_features: bool,
}

impl SharingArgs {
    /// Refuses to keep the features of relations apart where there is one relation; the library refuses to share them.
    pub(crate) fn check(self, dataset: &Dataset) -> anyhow::Result<()> {
        if self.separate_features && dataset.relations.len() == 1 {
            bail!("features cannot be kept apart: there is one relation");
        }
        Ok(())
    }

    /// What the flags say.
    pub(crate) fn sharing(self) -> Sharing {
        match super::settings::switch(self.share_features, self.separate_features) {
            Some(true) => Sharing::Shared,
            Some(false) => Sharing::Separate,
            None => Sharing::Auto,
        }
    }
}
