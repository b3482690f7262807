//! Opening files and standard input, and unpacking gzip and zstd, known by their first bytes.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;

use super::binary;
use super::error::{Location, ReadError};
use super::gzip::GzipReader;
use super::zstd::ZstdReader;

const BUFFER: usize = 1 << 16;
/// How many of the first bytes show the format.
pub(crate) const HEAD: usize = 1 << 16;
/// How many of the first bytes show the compression, or a format that is no text.
const MAGIC: usize = TAR_AT + TAR.len();
/// What an archive of tar has behind the name and the sizes of its first file.
const TAR: &[u8] = b"ustar";
const TAR_AT: usize = 257;
const GZIP: &[u8] = b"\x1f\x8b";
const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";
/// The largest file that is held in memory as a whole.
const LARGEST: u32 = 1 << 30;
const PACKED: [(&[u8], &str); 3] = [(binary::ZIP, "zip"), (b"BZh", "bzip2"), (b"\xfd7zXZ\0", "xz")];

/// A stream of unpacked bytes that knows its name.
pub(crate) struct Input<'a> {
    pub(crate) name: String,
    reader: Box<dyn Read + 'a>,
    compression: Option<&'static str>,
}

impl<'a> Input<'a> {
    /// Opens a file, or standard input for `-`.
    pub(crate) fn open(path: &Path) -> Result<Input<'static>, ReadError> {
        if path == Path::new("-") {
            return Input::new(io::stdin().lock(), "standard input");
        }
        let file = path.display().to_string();
        // Checked before opening because some systems open a directory and fail at the first read only.
        if path.is_dir() {
            return Err(ReadError::Directory { file });
        }
        match File::open(path) {
            Ok(opened) => Input::new(opened, &file),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Err(ReadError::Missing { file }),
            Err(cause) => Err(ReadError::Unreadable { file, cause }),
        }
    }

    /// Takes any stream; `name` is its name in messages.
    pub(crate) fn new(reader: impl Read + 'a, name: &str) -> Result<Self, ReadError> {
        Self::unpacked(Box::new(reader), name)
    }

    /// Takes a boxed stream: the decompressors are compiled once, not for each kind of stream.
    fn unpacked(mut reader: Box<dyn Read + 'a>, name: &str) -> Result<Self, ReadError> {
        let file = name.to_owned();
        let mut magic = Vec::with_capacity(MAGIC);
        for count in [MAGIC, HEAD] {
            if let Err(cause) = reader.by_ref().take(count as u64).read_to_end(&mut magic) {
                return Err(ReadError::Unreadable { file, cause });
            }
            // What is in an archive stands further on.
            if !magic.starts_with(binary::ZIP) {
                break;
            }
        }
        check_magic(&magic, &file)?;
        let (gzip, zstandard) = (magic.starts_with(GZIP), magic.starts_with(ZSTD));
        let whole = Cursor::new(magic).chain(reader);
        let (reader, compression): (Box<dyn Read + 'a>, _) = if gzip {
            (Box::new(GzipReader::new(BufReader::with_capacity(BUFFER, whole))), Some("gzip"))
        } else if zstandard {
            (Box::new(ZstdReader::new(BufReader::with_capacity(BUFFER, whole))), Some("zstd"))
        } else {
            (Box::new(whole), None)
        };
        let mut input = Self { name: file, reader, compression };
        if compression.is_some() {
            let unpacked = input.first_bytes(MAGIC)?;
            check_magic(&unpacked, name)?;
            if unpacked.starts_with(GZIP) || unpacked.starts_with(ZSTD) {
                return Err(ReadError::PackedTwice { file: input.name });
            }
        }
        Ok(input)
    }

    /// Reads some bytes; 0 at the end. `line` is the line that is being read, for the message.
    pub(crate) fn read(&mut self, into: &mut [u8], line: u64) -> Result<usize, ReadError> {
        loop {
            match self.reader.read(into) {
                Ok(count) => return Ok(count),
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
                Err(cause) => return Err(self.failure(cause, line)),
            }
        }
    }

    /// The first bytes, which show the format and stay to be read.
    pub(crate) fn head(&mut self) -> Result<Vec<u8>, ReadError> {
        self.first_bytes(HEAD)
    }

    fn first_bytes(&mut self, count: usize) -> Result<Vec<u8>, ReadError> {
        let mut head = Vec::with_capacity(count);
        let outcome = self.reader.by_ref().take(count as u64).read_to_end(&mut head);
        if let Err(cause) = outcome {
            let line = 1 + memchr::memchr_iter(b'\n', &head).count() as u64;
            return Err(self.failure(cause, line));
        }
        let rest = std::mem::replace(&mut self.reader, Box::new(io::empty()));
        self.reader = Box::new(Cursor::new(head.clone()).chain(rest));
        Ok(head)
    }

    /// All bytes of a file that is held in memory as a whole, such as JSON.
    pub(crate) fn bytes(self) -> Result<Vec<u8>, ReadError> {
        self.bytes_up_to(LARGEST)
    }

    fn bytes_up_to(mut self, largest: u32) -> Result<Vec<u8>, ReadError> {
        let mut all = Vec::new();
        match self.reader.by_ref().take(u64::from(largest) + 1).read_to_end(&mut all) {
            Ok(count) if count as u64 > u64::from(largest) => {
                Err(ReadError::too_many(&self.name, largest, "bytes"))
            }
            Ok(_) => Ok(all),
            Err(cause) => {
                let line = 1 + memchr::memchr_iter(b'\n', &all).count() as u64;
                Err(self.failure(cause, line))
            }
        }
    }

    fn failure(&self, cause: io::Error, line: u64) -> ReadError {
        let location = Location { file: self.name.clone(), line, column: None };
        match self.compression {
            // An error of the system has a number, one of a decompressor has none.
            Some(_) if cause.kind() == io::ErrorKind::UnexpectedEof => ReadError::CutShort { location },
            Some(compression) if cause.raw_os_error().is_none() => {
                ReadError::Damaged { location, compression, cause: cause.to_string() }
            }
            _ => ReadError::Unreadable { file: self.name.clone(), cause },
        }
    }
}

/// Refuses what these first bytes show to be packed otherwise, or text of two or four bytes per character.
fn check_magic(magic: &[u8], file: &str) -> Result<(), ReadError> {
    let file = file.to_owned();
    if let Some(encoding) = wide(magic) {
        return Err(ReadError::Wide { file, encoding });
    }
    binary::check(magic, &file)?;
    let tar = magic.get(TAR_AT..).is_some_and(|behind| behind.starts_with(TAR)).then_some("tar");
    let packed = PACKED.iter().find(|(bytes, _)| magic.starts_with(bytes)).map(|(_, kind)| *kind);
    match packed.or(tar) {
        Some(kind) => Err(ReadError::Packed { file, kind }),
        None => Ok(()),
    }
}

/// The name of the encoding of a file that begins with these bytes, if it is UTF-16 or UTF-32, with a mark or without.
fn wide(magic: &[u8]) -> Option<&'static str> {
    let plain = |byte: u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    match *magic {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => Some("UTF-32"),
        [one, 0, 0, 0, two, 0, 0, 0, ..] if plain(one) && plain(two) => Some("UTF-32LE"),
        [0, 0, 0, one, 0, 0, 0, two, ..] if plain(one) && plain(two) => Some("UTF-32BE"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some("UTF-16"),
        [one, 0, two, 0, ..] if plain(one) && plain(two) => Some("UTF-16LE"),
        [0, one, 0, two, ..] if plain(one) && plain(two) => Some("UTF-16BE"),
        _ => None,
    }
}
