//! The arrays of a model file by name, with the header around them and a checksum over all.

use std::collections::HashMap;

use safetensors::SafeTensorError;
use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::ModelFileError;

/// A kind of file.
pub(super) struct Format {
    pub(super) name: &'static str,
    pub(super) version: u32,
}

const ENTRY: &str = "dlfrm";
/// How the header of every file begins.
pub(super) const OPENING: &[u8] = br#"{"__metadata__":{"dlfrm":""#;

/// What every version of the format begins with.
#[derive(Deserialize)]
struct Stamp {
    format: String,
    version: u64,
}

/// The entry of the header in this version. The manifest is kept as its text, which the checksum is over.
#[derive(Serialize, Deserialize)]
struct Envelope {
    format: String,
    version: u32,
    crc32: String,
    manifest: Box<RawValue>,
}

/// Gathers arrays.
#[derive(Debug, Default)]
pub(super) struct ArrayWriter {
    arrays: Vec<(String, Dtype, usize, Vec<u8>)>,
}

impl ArrayWriter {
    pub(super) fn u32s(&mut self, name: &str, values: impl IntoIterator<Item = u32>) {
        // A loop: the size hints of flattened iterators were 22,000 of the 411,000 lines of LLVM IR of this crate.
        let mut bytes = vec![];
        for value in values {
            bytes.extend_from_slice(&value.to_le_bytes());
        }
        self.arrays.push((name.to_owned(), Dtype::U32, bytes.len() / 4, bytes));
    }

    pub(super) fn f64s(&mut self, name: &str, values: impl IntoIterator<Item = f64>) {
        let mut bytes = vec![];
        for value in values {
            bytes.extend_from_slice(&value.to_le_bytes());
        }
        self.arrays.push((name.to_owned(), Dtype::F64, bytes.len() / 8, bytes));
    }

    /// Text: all bytes one after the other, and where each name ends.
    pub(super) fn names(&mut self, name: &str, names: &[String]) {
        let ends = names.iter().scan(0_u64, |end, name| {
            *end += name.len() as u64;
            Some(*end)
        });
        let ends: Vec<u8> = ends.flat_map(u64::to_le_bytes).collect();
        self.arrays.push((format!("{name}.ends"), Dtype::U64, names.len(), ends));
        let bytes = names.concat().into_bytes();
        self.arrays.push((format!("{name}.text"), Dtype::U8, bytes.len(), bytes));
    }

    #[cfg(test)]
    pub(super) fn raw(&mut self, name: &str, dtype: Dtype, length: usize, bytes: &[u8]) {
        self.arrays.push((name.to_owned(), dtype, length, bytes.to_vec()));
    }

    /// The file.
    pub(super) fn finish(mut self, format: &Format, manifest: &impl Serialize) -> Vec<u8> {
        self.arrays.sort_by(|a, b| a.0.cmp(&b.0));
        let manifest = to_raw_value(manifest).expect("a manifest is plain data");
        let views = self.arrays.iter().map(|(name, dtype, length, bytes)| {
            (name.as_str(), TensorView::new(*dtype, vec![*length], bytes).expect("lengths are counted"))
        });
        let views: Vec<_> = views.collect();
        let crc32 = checksum(manifest.get(), views.iter().map(|(name, view)| (*name, view.data())));
        let envelope = Envelope { format: format.name.to_owned(), version: format.version, crc32, manifest };
        let entry = serde_json::to_string(&envelope).expect("an envelope is plain data");
        serialize(views, Some(HashMap::from([(ENTRY.to_owned(), entry)])))
            .expect("the header has a few entries per relation")
    }
}

/// Over the manifest, and over name and bytes of every array in the order of the names.
fn checksum<'a>(manifest: &str, arrays: impl Iterator<Item = (&'a str, &'a [u8])>) -> String {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(manifest.as_bytes());
    for (name, bytes) in arrays {
        hasher.update(name.as_bytes());
        hasher.update(bytes);
    }
    format!("{:08x}", hasher.finalize())
}

/// Whether bytes follow the last array.
fn longer(bytes: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Offsets {
        data_offsets: (usize, usize),
    }
    let end = || -> Option<usize> {
        let header = 8 + usize::try_from(u64::from_le_bytes(bytes.get(..8)?.try_into().ok()?)).ok()?;
        let mut entries: HashMap<String, serde_json::Value> =
            serde_json::from_slice(bytes.get(8..header)?).ok()?;
        entries.remove("__metadata__");
        let ends = entries
            .into_values()
            .map(|entry| Some(serde_json::from_value::<Offsets>(entry).ok()?.data_offsets.1));
        Some(header + ends.collect::<Option<Vec<_>>>()?.into_iter().max()?)
    };
    end().is_some_and(|end| end < bytes.len())
}

/// The arrays of a file whose checksum is right.
pub(super) struct ArrayReader<'a> {
    file: &'a str,
    bytes: usize,
    tensors: SafeTensors<'a>,
}

impl<'a> ArrayReader<'a> {
    /// Checks everything but the meaning of the arrays.
    pub(super) fn new<M: DeserializeOwned>(
        bytes: &'a [u8],
        file: &'a str,
        format: &Format,
    ) -> Result<(M, Self), ModelFileError> {
        let kind = format.name;
        let not_a_model = || ModelFileError::NotAModel { file: file.to_owned(), kind };
        let cut_short = || ModelFileError::CutShort { file: file.to_owned() };
        let broken = |what: String| ModelFileError::Broken { file: file.to_owned(), what };
        let opening = bytes.get(8..).unwrap_or_default();
        let seen = opening.len().min(OPENING.len());
        if seen == 0 || opening[..seen] != OPENING[..seen] {
            return Err(not_a_model());
        }
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(|error| match error {
            SafeTensorError::MetadataIncompleteBuffer if longer(bytes) => {
                ModelFileError::Longer { file: file.to_owned() }
            }
            SafeTensorError::InvalidHeaderLength | SafeTensorError::MetadataIncompleteBuffer => cut_short(),
            other => broken(other.to_string()),
        })?;
        let entry =
            header.metadata().as_ref().and_then(|entries| entries.get(ENTRY)).ok_or_else(not_a_model)?;
        let stamp: Stamp = serde_json::from_str(entry).map_err(|_| not_a_model())?;
        if stamp.format != format.name {
            return Err(not_a_model());
        }
        if stamp.version != u64::from(format.version) {
            let (found, read) = (stamp.version, format.version);
            return Err(ModelFileError::OtherVersion { file: file.to_owned(), found, read });
        }
        let envelope: Envelope = serde_json::from_str(entry).map_err(|error| broken(error.to_string()))?;
        let tensors = SafeTensors::deserialize(bytes).map_err(|error| broken(error.to_string()))?;
        let mut arrays: Vec<_> = tensors.iter().map(|(name, view)| (name, view.data())).collect();
        arrays.sort_unstable_by_key(|&(name, _)| name);
        let found = checksum(envelope.manifest.get(), arrays.into_iter());
        if found != envelope.crc32 {
            return Err(ModelFileError::Checksum { file: file.to_owned(), found, expected: envelope.crc32 });
        }
        let manifest =
            serde_json::from_str(envelope.manifest.get()).map_err(|error| broken(error.to_string()))?;
        Ok((manifest, Self { file, bytes: bytes.len(), tensors }))
    }

    /// The error for parts that do not fit together.
    pub(super) fn broken(&self, what: impl Into<String>) -> ModelFileError {
        ModelFileError::Broken { file: self.file.to_owned(), what: what.into() }
    }

    /// How many bytes the file has.
    pub(super) fn len(&self) -> usize {
        self.bytes
    }

    /// Whether there is an array of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.tensors.tensor(name).is_ok()
    }

    fn bytes(&self, name: &str, dtype: Dtype) -> Result<&'a [u8], ModelFileError> {
        let view =
            self.tensors.tensor(name).map_err(|_| self.broken(format!("the array '{name}' is missing")))?;
        if view.dtype() != dtype {
            return Err(self.broken(format!("the array '{name}' is of {}, not of {dtype}", view.dtype())));
        }
        Ok(view.data())
    }

    pub(super) fn u32s(&self, name: &str) -> Result<Vec<u32>, ModelFileError> {
        let (values, _) = self.bytes(name, Dtype::U32)?.as_chunks();
        Ok(values.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect())
    }

    pub(super) fn f64s(&self, name: &str) -> Result<Vec<f64>, ModelFileError> {
        let (values, _) = self.bytes(name, Dtype::F64)?.as_chunks();
        Ok(values.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect())
    }

    pub(super) fn names(&self, name: &str) -> Result<Vec<&'a str>, ModelFileError> {
        let (ends, _) = self.bytes(&format!("{name}.ends"), Dtype::U64)?.as_chunks();
        let text = self.bytes(&format!("{name}.text"), Dtype::U8)?;
        let wrong = || self.broken(format!("the names of the {name} cannot be read"));
        let text = std::str::from_utf8(text).map_err(|_| wrong())?;
        let mut start = 0;
        let mut names = Vec::with_capacity(ends.len());
        for &end in ends {
            let end = usize::try_from(u64::from_le_bytes(end)).map_err(|_| wrong())?;
            names.push(text.get(start..end).ok_or_else(wrong)?);
            start = end;
        }
        Ok(names)
    }
}
