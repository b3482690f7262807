//! Model files come back as they were; whatever is wrong with one is an error and never a panic.

use std::fs;
use std::sync::Arc;

use dlfrm::covariates::{
    Attributes, CovariateSet, Field, FieldValues, PairColumn, PairTable, PairValues, SideInfo,
};
use dlfrm::fit::{Fit, FitOptions, FittedModel, Sharing};
use dlfrm::model::{Model, Overrides};
use dlfrm::network::{Network, Nodes, Relation, Unlisted};
use proptest::prelude::*;
use safetensors::tensor::SafeTensors;

use super::*;

/// Two relations over six named nodes, a few sweeps each.
fn small(model: Model, directed: bool) -> FittedModel {
    small_with(model, directed, &SideInfo::default())
}

/// What may be known of the six nodes and of some pairs.
fn known(directed: bool) -> SideInfo {
    let words = FieldValues::Words {
        words: ["x", "ü"].map(str::to_owned).to_vec(),
        lists: vec![vec![(0, 1.0)], vec![], vec![(0, 2.0), (1, 1.0)], vec![(1, 1.0)], vec![], vec![]],
    };
    let numbers = FieldValues::Numbers(vec![Some(0.1), None, Some(3.0), None, Some(-1.0), Some(0.0)]);
    let field = |name: &str, values| Field { name: name.to_owned(), values };
    let fields = vec![field("words", words), field("number", numbers)];
    let column = |name: &str, values| PairColumn { name: name.to_owned(), values };
    let categories = PairValues::Categories {
        names: ["near", "far"].map(str::to_owned).to_vec(),
        chosen: vec![None, Some(1), Some(0)],
    };
    let columns =
        vec![column("km", PairValues::Numbers(vec![Some(1.5), None, Some(7.0)])), column("kind", categories)];
    let pairs = [(4, 1), (0, 2), (3, 5)];
    SideInfo {
        nodes: Some(Arc::new(Attributes::new(6, fields).unwrap())),
        pairs: Some(Arc::new(PairTable::new(6, !directed, &pairs, &columns).unwrap())),
    }
}

fn small_with(model: Model, directed: bool, side_info: &SideInfo) -> FittedModel {
    let nodes: Arc<Nodes> = Arc::new(["Ada", "Böb", "", "d e", "5", "f"].into_iter().collect());
    let settings = Overrides {
        chains: Some(2),
        burn_in: Some(2),
        draws: Some(2),
        learn_alpha: Some(true),
        learn_nu: Some(true),
        intercept: Some(true),
        nu: Some(0.1 + 0.2),
        covariates: Some(CovariateSet::Topology),
        ..Overrides::default()
    };
    let relation = |name: &str, links: &[(u32, u32)], non_links: &[(u32, u32)]| {
        let network = Network::new(nodes.clone(), directed, links.iter().copied()).unwrap();
        let network = network.with_labels(non_links.iter().copied(), [], Unlisted::NonLink).unwrap();
        Relation { name: Some(name.to_owned()), network }
    };
    let relations = [
        relation("likes", &[(0, 1), (1, 2), (0, 2), (3, 4)], &[(2, 3), (1, 5)]),
        relation("knows", &[(4, 5), (3, 5), (0, 5)], &[]),
    ];
    let options =
        FitOptions { model: Some(model), settings, sharing: Sharing::Separate, ..FitOptions::default() };
    Fit::relations(&relations).name("small").side_info(side_info.clone()).options(options).run().unwrap()
}

fn same(one: &FittedModel, other: &FittedModel) {
    assert_eq!((&one.name, one.directed, &one.versions), (&other.name, other.directed, &other.versions));
    assert_eq!(one.nodes.names(), other.nodes.names());
    assert_eq!(one.relations.len(), other.relations.len());
    for (one, other) in one.relations.iter().zip(&other.relations) {
        assert_eq!((&one.name, &one.links, one.observed), (&other.name, &other.links, other.observed));
        assert_eq!(one.non_links, other.non_links);
        assert_eq!((one.seconds, &one.posterior), (other.seconds, &other.posterior));
        assert!(one.chains.is_some() && one.chains == other.chains);
    }
}

fn message(bytes: &[u8]) -> String {
    from_bytes(bytes, "m").unwrap_err().to_string()
}

/// The same file with one array replaced and the checksum put right.
fn with_array(bytes: &[u8], name: &str, change: impl FnOnce(&mut Vec<u32>)) -> Vec<u8> {
    with_array_of(&MODEL, bytes, name, change)
}

pub(super) fn with_array_of(
    format: &Format,
    bytes: &[u8],
    name: &str,
    change: impl FnOnce(&mut Vec<u32>),
) -> Vec<u8> {
    let (manifest, arrays): (serde_json::Value, _) = ArrayReader::new(bytes, "m", format).unwrap();
    let tensors = SafeTensors::deserialize(bytes).unwrap();
    let mut changed = arrays.u32s(name).unwrap();
    change(&mut changed);
    let mut writer = ArrayWriter::default();
    for (other, view) in tensors.iter().filter(|(other, _)| *other != name) {
        writer.raw(other, view.dtype(), view.shape()[0], view.data());
    }
    writer.u32s(name, changed);
    writer.finish(format, &manifest)
}

#[test]
fn models_come_back_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    for model in Model::ALL {
        for directed in [true, false] {
            let path = folder.path().join("m.dlfrm");
            let written = small(model, directed);
            save_model(&written, &path).unwrap();
            same(&written, &load_model(&path).unwrap());
            let written = small_with(model, directed, &known(directed));
            save_model(&written, &path).unwrap();
            let read = load_model(&path).unwrap();
            same(&written, &read);
            assert_eq!(read.side_info(), known(directed));
        }
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
}

#[test]
fn every_cut_and_every_flipped_bit_is_noticed() {
    let bytes = to_bytes(&small(Model::ALL[3], false));
    for length in 0..bytes.len() {
        assert!(from_bytes(&bytes[..length], "m").is_err(), "{length} bytes are a model");
    }
    assert_eq!(message(&bytes[..bytes.len() / 2]), "m is cut short: its length does not fit its header");
    assert_eq!(message(&bytes[..100]), "m is cut short: its length does not fit its header");
    assert_eq!(message(&[&bytes[..], b"x"].concat()), "m is damaged: it goes on behind its last array");
    let mut flipped = bytes.clone();
    for position in 0..bytes.len() {
        flipped[position] ^= 1 << (position % 8);
        assert!(from_bytes(&flipped, "m").is_err(), "bit {} of byte {position}", position % 8);
        flipped[position] = bytes[position];
    }
}

#[test]
fn mistakes_are_named() {
    let bytes = to_bytes(&small(Model::ALL[0], true));
    assert_eq!(message(b""), "m is not a model file of dlfrm");
    assert_eq!(message(b"source,target\nAda,Bob\n"), "m is not a model file of dlfrm");
    let version = br#"\"version\":"#;
    let position = bytes.windows(version.len()).position(|text| text == version).unwrap() + version.len();
    let mut other = bytes.clone();
    other[position] = b'9';
    assert_eq!(
        message(&other),
        format!("m was written in format 9, this program reads format {FORMAT_VERSION}")
    );
    let mut damaged = bytes.clone();
    *damaged.last_mut().unwrap() ^= 1;
    assert!(message(&damaged).starts_with("m is damaged: its checksum is "));
    let far = with_array(&bytes, "relation.1.links", |links| links[0] = 6);
    assert_eq!(message(&far), "m is damaged: the links are not pairs of 6 nodes");
    let turned = with_array(&bytes, "relation.0.non-links", |pairs| pairs.swap(0, 2));
    assert_eq!(message(&turned), "m is damaged: the non-links are not in order");
    let short = with_array(&bytes, "relation.0.draws.sweep", |sweeps| sweeps.truncate(1));
    assert_eq!(message(&short), "m is damaged: 4 draws have [1, 4, 4, 4, 4, 4, 4] numbers");
    let chain = with_array(&bytes, "relation.0.draws.chain", |chains| chains[0] = 9);
    assert_eq!(message(&chain), "m is damaged: a draw is of chain 9 of 2");
}

#[test]
fn paths_that_cannot_be_used() {
    let folder = tempfile::tempdir().unwrap();
    let error = load_model(folder.path()).unwrap_err().to_string();
    assert!(error.ends_with("is a directory, a file is needed"), "{error}");
    let error = load_model(&folder.path().join("none")).unwrap_err().to_string();
    assert!(error.ends_with("there is no such file"), "{error}");
    assert!(check_writable(folder.path()).unwrap_err().to_string().contains("is a directory"));
    let error = check_writable(&folder.path().join("none/m")).unwrap_err().to_string();
    let none = folder.path().join("none");
    assert_eq!(error, format!("{0}/m cannot be written: there is no folder {0}", none.display()));
    #[cfg(unix)]
    {
        let error = load_model(std::path::Path::new("/dev/zero")).unwrap_err().to_string();
        assert_eq!(error, "/dev/zero is not a model file of dlfrm");
    }
    check_writable(&folder.path().join("m")).unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "the check leaves nothing");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400), opened: bool) {
        let mut file = bytes;
        if opened {
            let opening = br#"{"__metadata__":{"dlfrm":""#;
            file.splice(0..0, (file.len() as u64 + 26).to_le_bytes().into_iter().chain(*opening));
        }
        prop_assert!(from_bytes(&file, "m").is_err());
    }

    #[test]
    fn any_array_is_read_or_refused(
        array in 0_usize..8,
        position: prop::sample::Index,
        value in prop_oneof![0_u32..20, any::<u32>()],
        longer: bool,
    ) {
        let names = ["links", "draws.chain", "draws.sweep", "draws.features", "draws.starts", "draws.items",
            "traces.sweeps", "non-links"];
        thread_local!(static BYTES: Vec<u8> = to_bytes(&small(Model::ALL[0], true)));
        let name = format!("relation.0.{}", names[array]);
        let bytes = BYTES.with(|bytes| with_array(bytes, &name, |values| {
            if longer || values.is_empty() {
                values.push(value);
            } else {
                let position = position.index(values.len());
                values[position] = value;
            }
        }));
        if let Ok(model) = from_bytes(&bytes, "m") {
            model.relations[0].posterior.predict(&[(0, 1), (5, 2)]);
        }
    }
}
