//! Checkpoints of fits: files of their own, written while the chains run.

use std::sync::Arc;

use dlfrm::fit::{ChainRun, Checkpoint, Course, SoFar, Versions};
use dlfrm::network::{Network, Relation, Unlisted};
use serde::{Deserialize, Serialize};

use super::arrays::{ArrayReader, ArrayWriter, Format};
use super::relation::{
    RunsEntry, mode_numbers, read_held_out, read_modes, read_pairs, read_runs, write_held_out, write_runs,
};
use super::side_info::{self, SideInfoEntry};
use super::{ModelFileError, read_nodes};

/// The version of the format of checkpoints.
pub const CHECKPOINT_VERSION: u32 = 1;

pub(super) const CHECKPOINT: Format = Format { name: "dlfrm checkpoint", version: CHECKPOINT_VERSION };

/// The manifest of a checkpoint.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    network: String,
    directed: bool,
    versions: Versions,
    seconds: f64,
    course: Course,
    #[serde(rename = "given")]
    side_info: SideInfoEntry,
    relations: Vec<NetworkEntry>,
    /// Whether the network has two modes: an array says of which one each node is.
    #[serde(default)]
    bipartite: bool,
    /// Whether pairs are held out: arrays have them.
    #[serde(default)]
    hold_out: bool,
    /// The chains of the covariates' posterior, for each relation that is learned from.
    covariates: Vec<RunsEntry>,
    /// The chains of the features' posterior, or the only one.
    features: Vec<RunsEntry>,
}

/// A relation as it was given.
#[derive(Debug, Serialize, Deserialize)]
struct NetworkEntry {
    name: Option<String>,
    unlisted: Unlisted,
}

/// The bytes of a checkpoint.
pub fn checkpoint_to_bytes(so_far: &SoFar<'_>) -> Vec<u8> {
    let mut arrays = ArrayWriter::default();
    let network = &so_far.relations[0].network;
    arrays.names("nodes", network.nodes().names());
    if let Some(modes) = network.modes() {
        arrays.u32s("modes", mode_numbers(modes));
    }
    for (number, Relation { network, .. }) in so_far.relations.iter().enumerate() {
        let lists = [
            ("links", network.links()),
            ("non-links", network.non_links()),
            ("unobserved", network.unobserved()),
        ];
        for (name, pairs) in lists {
            arrays.u32s(&format!("relation.{number}.{name}"), pairs.iter().flat_map(|&(i, j)| [i, j]));
        }
    }
    for (number, out) in so_far.held_out.iter().enumerate() {
        write_held_out(&format!("relation.{number}."), out, &mut arrays);
    }
    let posteriors = [("linear", &so_far.covariates), ("features", &so_far.features)];
    let [covariates, features] = posteriors.map(|(name, all)| {
        let write = |(number, runs): (usize, &Vec<&ChainRun>)| {
            write_runs(&format!("{name}.{number}."), runs, &mut arrays);
            RunsEntry::new(runs)
        };
        all.iter().enumerate().map(write).collect::<Vec<_>>()
    });
    let entry = |relation: &Relation| NetworkEntry {
        name: relation.name.clone(),
        unlisted: relation.network.unlisted(),
    };
    let side_info = side_info::write(so_far.side_info, &mut arrays);
    let manifest = Manifest {
        network: so_far.name.to_owned(),
        directed: network.directed(),
        versions: so_far.versions.clone(),
        seconds: so_far.seconds,
        course: so_far.course.clone(),
        side_info,
        relations: so_far.relations.iter().map(entry).collect(),
        bipartite: network.modes().is_some(),
        hold_out: !so_far.held_out.is_empty(),
        covariates,
        features,
    };
    arrays.finish(&CHECKPOINT, &manifest)
}

/// Reads the bytes of a checkpoint; `file` is its name in messages.
pub fn checkpoint_from_bytes(bytes: &[u8], file: &str) -> Result<Checkpoint, ModelFileError> {
    let (manifest, arrays): (Manifest, _) = ArrayReader::new(bytes, file, &CHECKPOINT)?;
    let nodes = Arc::new(read_nodes(&arrays)?);
    let Manifest { network: name, directed, versions, seconds, course, .. } = manifest;
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
    let runs = |name: &str, entries: &[RunsEntry]| {
        let read = |(number, entry)| read_runs(entry, &format!("{name}.{number}."), nodes.len(), &arrays);
        entries.iter().enumerate().map(read).collect::<Result<Vec<_>, ModelFileError>>()
    };
    Ok(Checkpoint {
        side_info: side_info::read(&manifest.side_info, nodes.len(), directed, &arrays)?,
        covariates: runs("linear", &manifest.covariates)?,
        features: runs("features", &manifest.features)?,
        name,
        relations,
        held_out,
        course,
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

        fn keep(&self, so_far: &SoFar<'_>) -> Result<(), String> {
            self.0.lock().unwrap().push(checkpoint_to_bytes(so_far));
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
        one.course == other.course
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
        let short =
            with_array_of(&CHECKPOINT, &bytes, "features.1.traces.sweeps", |sweeps| sweeps.truncate(1));
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
            let names = ["relation.0.links", "relation.1.non-links", "relation.0.unobserved", "linear.0.draws.chain",
                "linear.1.states.sweep", "linear.0.traces.sweeps", "features.0.draws.sweep", "features.1.states.chain",
                "features.0.states.starts", "features.0.states.items", "features.1.draws.features",
                "features.1.traces.sweeps"];
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
