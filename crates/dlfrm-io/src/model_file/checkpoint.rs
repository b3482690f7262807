//! Checkpoints of fits: files of their own, written while the chains run.

use std::borrow::Cow;
use std::sync::Arc;

use dlfrm::fit::{Checkpoint, Versions};
use dlfrm::network::{Network, Relation, Unlisted};
use serde::{Deserialize, Serialize};

use super::arrays::{ArrayReader, ArrayWriter, Format};
use super::relation::{mode_numbers, read_held_out, read_modes, read_pairs, write_held_out};
use super::side_info::{self, SideInfoEntry};
use super::state::{self, StateEntry};
use super::{ModelFileError, read_nodes};

/// The version of the format of checkpoints.
pub const CHECKPOINT_VERSION: u32 = 3;

pub(super) const CHECKPOINT: Format = Format { name: "dlfrm checkpoint", version: CHECKPOINT_VERSION };

/// The manifest of a checkpoint.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest<'a> {
    network: String,
    directed: bool,
    versions: Versions,
    seconds: f64,
    state: StateEntry<'a>,
    #[serde(rename = "given")]
    side_info: SideInfoEntry,
    relations: Vec<NetworkEntry>,
    /// Whether the network has two modes: an array says of which one each node is.
    #[serde(default)]
    bipartite: bool,
    /// Whether pairs are held out: arrays have them.
    #[serde(default)]
    hold_out: bool,
}

/// A relation as it was given.
#[derive(Debug, Serialize, Deserialize)]
struct NetworkEntry {
    name: Option<String>,
    unlisted: Unlisted,
}

/// The bytes of a checkpoint.
pub fn checkpoint_to_bytes(checkpoint: &Checkpoint<'_>) -> Vec<u8> {
    let mut arrays = ArrayWriter::default();
    let network = &checkpoint.relations[0].network;
    arrays.names("nodes", network.nodes().names());
    if let Some(modes) = network.modes() {
        arrays.u32s("modes", mode_numbers(modes));
    }
    for (number, Relation { network, .. }) in checkpoint.relations.iter().enumerate() {
        let lists = [
            ("links", network.links()),
            ("non-links", network.non_links()),
            ("unobserved", network.unobserved()),
        ];
        for (name, pairs) in lists {
            arrays.u32s(&format!("relation.{number}.{name}"), pairs.iter().flat_map(|&(i, j)| [i, j]));
        }
    }
    for (number, out) in checkpoint.held_out.iter().enumerate() {
        write_held_out(&format!("relation.{number}."), out, &mut arrays);
    }
    let entry = |relation: &Relation| NetworkEntry {
        name: relation.name.clone(),
        unlisted: relation.network.unlisted(),
    };
    let side_info = side_info::write(&checkpoint.side_info, &mut arrays);
    let manifest = Manifest {
        network: checkpoint.name.clone().into_owned(),
        directed: network.directed(),
        versions: checkpoint.versions.clone(),
        seconds: checkpoint.seconds,
        state: state::write(&checkpoint.state, &mut arrays),
        side_info,
        relations: checkpoint.relations.iter().map(entry).collect(),
        bipartite: network.modes().is_some(),
        hold_out: !checkpoint.held_out.is_empty(),
    };
    arrays.finish(&CHECKPOINT, &manifest)
}

/// Reads the bytes of a checkpoint; `file` is its name in messages.
pub fn checkpoint_from_bytes(bytes: &[u8], file: &str) -> Result<Checkpoint<'static>, ModelFileError> {
    let (manifest, arrays): (Manifest<'_>, _) = ArrayReader::new(bytes, file, &CHECKPOINT)?;
    let nodes = Arc::new(read_nodes(&arrays)?);
    let Manifest { network: name, directed, versions, seconds, .. } = manifest;
    if manifest.relations.is_empty() || !seconds.is_finite() {
        return Err(arrays.broken("it has no relation"));
    }
    let modes = read_modes(manifest.bipartite, nodes.len(), &arrays)?;
    let relation = |(number, entry): (usize, NetworkEntry)| {
        let list = |name| read_pairs(name, &format!("relation.{number}."), nodes.len(), directed, &arrays);
        let refused = |error: dlfrm::Error| arrays.broken(error.to_string());
        let network = Network::new(Arc::clone(&nodes), directed, list("links")?).map_err(refused)?;
        let network = network.with_labels(list("non-links")?, list("unobserved")?, entry.unlisted);
        let mut network = network.map_err(refused)?;
        if let Some(modes) = &modes {
            network = network.with_modes(Arc::clone(modes)).map_err(refused)?;
        }
        Ok(Relation { name: entry.name, network })
    };
    let relations = manifest.relations.into_iter().enumerate().map(relation);
    let relations = relations.collect::<Result<Vec<_>, ModelFileError>>()?;
    let out = |number: usize| {
        let listed = relations[number].network.unlisted() == Unlisted::Unobserved;
        read_held_out(&format!("relation.{number}."), nodes.len(), directed, listed, &arrays)
    };
    let count = if manifest.hold_out { relations.len() } else { 0 };
    let held_out = (0..count).map(out).collect::<Result<Vec<_>, _>>()?;
    Ok(Checkpoint {
        side_info: Cow::Owned(side_info::read(&manifest.side_info, nodes.len(), directed, &arrays)?),
        state: state::read(manifest.state, nodes.len(), &arrays)?,
        name: name.into(),
        relations: relations.into(),
        held_out: held_out.into(),
        versions,
        seconds,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use dlfrm::fit::{Fit, FitOptions, FittedModel, Keeper, Sharing};
    use dlfrm::generate::{GenerateSettings, generate};
    use dlfrm::model::Overrides;
    use proptest::prelude::*;

    use super::super::tests::with_array_of;
    use super::super::{from_bytes, to_bytes};
    use super::*;

    /// Keeps every checkpoint that there could be.
    #[derive(Default)]
    struct All(Mutex<Vec<Vec<u8>>>);

    impl Keeper for All {
        fn due(&self) -> bool {
            true
        }

        fn keep(&self, checkpoint: &Checkpoint<'_>) -> Result<(), String> {
            self.0.lock().unwrap().push(checkpoint_to_bytes(checkpoint));
            Ok(())
        }
    }

    fn relations() -> Vec<Relation> {
        let network = |seed| {
            let settings = GenerateSettings { nodes: 30, seed, ..GenerateSettings::default() };
            generate(&settings).unwrap().network
        };
        ["one", "two"]
            .into_iter()
            .zip(1..)
            .map(|(name, seed)| Relation { name: Some(name.to_owned()), network: network(seed) })
            .collect()
    }

    fn options(sharing: Sharing, draws: usize) -> FitOptions {
        let settings =
            Overrides { chains: Some(2), burn_in: Some(6), draws: Some(draws), ..Overrides::default() };
        FitOptions { settings, sharing, ..FitOptions::default() }
    }

    /// The posteriors, and where the chains are.
    fn same(one: &FittedModel, other: &FittedModel) -> bool {
        one.state == other.state
            && one.relations.iter().zip(&other.relations).all(|(one, other)| {
                one.posterior == other.posterior && one.chains == other.chains && one.links == other.links
            })
    }

    fn resumed(bytes: &[u8]) -> FittedModel {
        Fit::resume(checkpoint_from_bytes(bytes, "c").unwrap()).run().unwrap()
    }

    #[test]
    fn every_checkpoint_leads_to_the_same_model() {
        let relations = relations();
        for sharing in [Sharing::Separate, Sharing::Shared, Sharing::Auto] {
            let all = All::default();
            let fit = Fit::relations(&relations).options(options(sharing, 5)).keeper(&all);
            let whole = fit.run().unwrap();
            let kept = all.0.into_inner().unwrap();
            assert!(kept.len() > 20);
            for bytes in kept.iter().step_by(9).chain(kept.last()) {
                assert!(same(&resumed(bytes), &whole), "{sharing:?}");
            }
            // A complete model goes on, too.
            let read = from_bytes(&to_bytes(&whole), "m").unwrap();
            let mut checkpoint = read.into_checkpoint().unwrap();
            assert!(checkpoint.complete());
            checkpoint.more_draws(3).unwrap();
            let longer = Fit::resume(checkpoint).run().unwrap();
            let at_once = Fit::relations(&relations).options(options(sharing, 8)).run().unwrap();
            assert!(same(&longer, &at_once), "{sharing:?}: more draws");
        }
    }

    #[test]
    fn what_is_cut_or_damaged_is_refused() {
        let all = All::default();
        Fit::relations(&relations()).options(options(Sharing::Separate, 2)).keeper(&all).run().unwrap();
        let bytes = all.0.into_inner().unwrap().pop().unwrap();
        for length in (0..bytes.len()).step_by(97) {
            assert!(checkpoint_from_bytes(&bytes[..length], "c").is_err(), "{length} bytes");
        }
        let message = from_bytes(&bytes, "c").unwrap_err().to_string();
        assert_eq!(message, "c is not a model file of dlfrm");
        let short = with_array_of(&CHECKPOINT, &bytes, "chains.features.1.traces.sweeps", |sweeps| {
            sweeps.truncate(1);
        });
        let message = checkpoint_from_bytes(&short, "c").unwrap_err().to_string();
        assert!(message.starts_with("c is damaged: "), "{message}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(192))]

        /// Whatever stands in an array, a checkpoint is read or refused, and what is read goes on or is refused.
        #[test]
        fn any_array_is_read_or_refused(
            array in 0_usize..12,
            position: prop::sample::Index,
            value in prop_oneof![0_u32..20, any::<u32>()],
            longer: bool,
        ) {
            thread_local!(static BYTES: Vec<u8> = {
                let all = All::default();
                Fit::relations(&relations()).options(options(Sharing::Separate, 2)).keeper(&all).run().unwrap();
                let kept = all.0.into_inner().unwrap();
                kept[kept.len() - 3].clone()
            });
            let names = ["relation.0.links", "relation.1.non-links", "relation.0.unobserved", "chains.covariates.0.draws.chain",
                "chains.covariates.1.states.sweep", "chains.covariates.0.traces.sweeps", "chains.features.0.draws.sweep", "chains.features.1.states.chain",
                "chains.features.0.states.starts", "chains.features.0.states.items", "chains.features.1.draws.features",
                "chains.features.1.traces.sweeps"];
            let bytes = BYTES.with(|bytes| with_array_of(&CHECKPOINT, bytes, names[array], |values| {
                if longer || values.is_empty() {
                    values.push(value);
                } else {
                    let position = position.index(values.len());
                    values[position] = value;
                }
            }));
            if let Ok(checkpoint) = checkpoint_from_bytes(&bytes, "c") {
                let _ = Fit::resume(checkpoint).run();
            }
        }
    }
}
