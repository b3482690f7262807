//! Whatever the bytes, reading a model or a checkpoint ends in one or in an error; what is read goes on or is refused.
//!
//! Checksums would refuse every change: they are put right, so that the arrays and the manifest themselves are read.
#![no_main]

use dlfrm::fit::Fit;
use dlfrm_io::model_file::{checkpoint_from_bytes, from_bytes};
use libfuzzer_sys::fuzz_target;
use safetensors::SafeTensors;
use serde_json::Value;

/// The same file with the checksum that its arrays and its manifest have.
fn restamped(data: &[u8]) -> Option<Vec<u8>> {
    let length = usize::try_from(u64::from_le_bytes(data.get(..8)?.try_into().ok()?)).ok()?;
    let header = data.get(8..8_usize.checked_add(length)?)?;
    let text = serde_json::from_slice::<Value>(header).ok()?["__metadata__"]["dlfrm"].as_str()?.to_owned();
    let manifest = text.split_once(r#""manifest":"#)?.1.strip_suffix('}')?;
    let tensors = SafeTensors::deserialize(data).ok()?;
    let mut arrays: Vec<_> = tensors.iter().map(|(name, view)| (name, view.data())).collect();
    arrays.sort_unstable_by_key(|&(name, _)| name);
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(manifest.as_bytes());
    arrays.iter().for_each(|(name, bytes)| {
        hasher.update(name.as_bytes());
        hasher.update(bytes);
    });
    // A checksum has as many digits as the one that it replaces.
    let at = header.windows(12).position(|found| found == br#"\"crc32\":\""#.as_slice())? + 8 + 12;
    let mut file = data.to_vec();
    file.get_mut(at..at + 8)?.copy_from_slice(format!("{:08x}", hasher.finalize()).as_bytes());
    Some(file)
}

fuzz_target!(|data: &[u8]| {
    let stamped = restamped(data);
    let data = stamped.as_deref().unwrap_or(data);
    if let Ok(model) = from_bytes(data, "fuzz") {
        model.relations[0].posterior.predict(&[(0, 1)]);
    }
    if let Ok(checkpoint) = checkpoint_from_bytes(data, "fuzz")
        && checkpoint.relations.iter().all(|relation| relation.network.len() < 100)
        && checkpoint.features.iter().flatten().all(|run| run.sweeps() < 100)
    {
        let fit = Fit::resume(checkpoint);
        // One sweep shows whether it can go on.
        let stop = |_: &dlfrm::fit::Progress| dlfrm::fit::Control::Stop;
        let _ = fit.observer(&stop).run();
    }
});
