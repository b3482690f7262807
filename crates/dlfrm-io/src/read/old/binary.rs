//! Files of other programs that are no text, known by their first bytes: refused with how to convert them.

use super::error::ReadError;

/// The first bytes of a format, which no text has, its name, and how to convert it.
const FORMATS: [(&[u8], &str, &str); 5] = [
    (
        b"\x93NUMPY",
        "numpy (.npy)",
        "write text, for example with numpy: np.savetxt('links.tsv', np.load('FILE'), fmt='%s', delimiter='\\t')",
    ),
    (
        b"PAR1\x15",
        "Parquet",
        "write CSV, for example with pandas: pd.read_parquet('FILE').to_csv('links.csv', index=False)",
    ),
    (
        b"ARROW1\0",
        "Arrow",
        "write CSV, for example with pandas: pd.read_feather('FILE').to_csv('links.csv', index=False)",
    ),
    (
        b"\x89HDF",
        "HDF5",
        "write CSV, for example with pandas: pd.read_hdf('FILE').to_csv('links.csv', index=False)",
    ),
    (b"\xd0\xcf\x11\xe0", "a spreadsheet program (.xls)", SAVE),
];

const SAVE: &str = "save it as CSV there";

const PICKLE: &str =
    "write CSV, for example with pandas: pd.read_pickle('FILE').to_csv('links.csv', index=False)";

/// How an archive of zip begins.
pub(crate) const ZIP: &[u8] = b"PK\x03\x04";

/// Names of files within an archive of zip, and what the archive is then.
const WITHIN_ZIP: [(&[u8], &str, &str); 4] = [
    (b"[Content_Types].xml", "a spreadsheet program (.xlsx)", SAVE),
    (b"xl/", "a spreadsheet program (.xlsx)", SAVE),
    (b"opendocument.spreadsheet", "a spreadsheet program (.ods)", SAVE),
    (
        b".npy",
        "numpy (.npz)",
        "write text, for example with numpy: np.savetxt('links.tsv', np.load('FILE')['arr_0'], fmt='%s', delimiter='\\t')",
    ),
];

/// Refuses a file that begins with these bytes, if they are of such a format.
pub(crate) fn check(head: &[u8], file: &str) -> Result<(), ReadError> {
    let refused =
        |name, how: &'static str| Err(ReadError::Foreign { file: file.to_owned(), name, how: how.into() });
    // The second byte is the version.
    if let [0x80, 2..=5, ..] = head {
        return refused("Python (pickle)", PICKLE);
    }
    if let Some(&(_, name, how)) = FORMATS.iter().find(|(magic, ..)| head.starts_with(magic)) {
        return refused(name, how);
    }
    if head.starts_with(ZIP) {
        let has = |name: &[u8]| head.windows(name.len()).any(|window| window == name);
        if let Some(&(_, name, how)) = WITHIN_ZIP.iter().find(|(within, ..)| has(within)) {
            return refused(name, how);
        }
    }
    Ok(())
}

/// Whether a file begins as a model file does: the length of a header in eight bytes, and our name in it.
pub(crate) fn is_model(head: &[u8]) -> bool {
    let header = head.get(8..).unwrap_or_default();
    let metadata = &header[..header.len().min(100)];
    header.starts_with(b"{") && metadata.windows(7).any(|window| window == b"\"dlfrm\"")
}
