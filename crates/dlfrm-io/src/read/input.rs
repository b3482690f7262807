//! Opening files and standard input: compression and foreign formats are known by their first bytes, lines are checked to be text.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;
use memchr::{memchr, memchr_iter};
use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::error::{Location, ReadError};

const BUFFER: usize = 1 << 16;
const HEAD: usize = 1 << 16;
const LARGEST: u32 = 1 << 30;
const LONGEST: usize = 1 << 20;
/// How many bytes are read at once: small enough to stay in the cache.
const CHUNK: usize = 1 << 17;

const CSV: &str = "write it as CSV";
const UNPACK: &str = "unpack it, or use .gz, .zst or .bz2";
const EDGE_LIST: &str = "write a list of links, a pair of names in each line";
const LINK: &str = "is it the page that links to the data?";
const UTF8: &str = "write it as UTF-8";

/// The first bytes of what is not read, its name, and what to do. Words stand without capitals.
const FOREIGN: [(&[u8], &str, &str); 33] = [
    (b"\x1f\x8b", "packed twice", "unpack it once"),
    (b"PK\x03\x04", "a zip archive or a spreadsheet (.xlsx, .ods, .npz)", "unpack it, or write it as CSV"),
    (b"\xfd7zXZ\0", "packed with xz", UNPACK),
    (b"7z\xbc\xaf\x27\x1c", "packed with 7-Zip", UNPACK),
    (b"Rar!", "packed with RAR", UNPACK),
    (b"\xd0\xcf\x11\xe0", "a spreadsheet (.xls)", CSV),
    (b"\x93NUMPY", "a numpy array", CSV),
    (b"PAR1\x15", "a Parquet file", CSV),
    (b"ARROW1\0", "an Arrow file", CSV),
    (b"\x89HDF", "an HDF5 file", CSV),
    (b"\x80", "a Python pickle", CSV),
    (b"RDX", "a file of R (.rdata)", CSV),
    (b"SQLite format 3\0", "an SQLite database", CSV),
    (b"%PDF-", "a PDF file", CSV),
    (b"\xff\xfe", "UTF-16 text", UTF8),
    (b"\xfe\xff", "UTF-16 text", UTF8),
    (b"version https://git-lfs", "a pointer of Git LFS", "git lfs pull fetches the data"),
    (b"<!doctype html", "a web page", LINK),
    (b"<html", "a web page", LINK),
    (b"nodedef>", "a GDF file", EDGE_LIST),
    (b"dl n", "a UCINET (DL) file", EDGE_LIST),
    (b"*node data", "a NetDraw (VNA) file", EDGE_LIST),
    (b"*tie data", "a NetDraw (VNA) file", EDGE_LIST),
    (b"/* created by igraph", "a Graphviz (DOT) file", EDGE_LIST),
    (b"graph {", "a Graphviz (DOT) file", EDGE_LIST),
    (b"graph g", "a Graphviz (DOT) file", EDGE_LIST),
    (b"digraph", "a Graphviz (DOT) file", EDGE_LIST),
    (b"strict ", "a Graphviz (DOT) file", EDGE_LIST),
    (b"{\"", "JSON", EDGE_LIST),
    (b"{\n", "JSON", EDGE_LIST),
    (b"[{", "JSON", EDGE_LIST),
    (b"[[", "JSON", EDGE_LIST),
    (b"[(", "a Python list", EDGE_LIST),
];

/// A stream of unpacked bytes that knows its name.
pub(crate) struct Input<'a> {
    pub(crate) name: String,
    reader: Box<dyn Read + 'a>,
    compression: Option<&'static str>,
}

impl<'a> Input<'a> {
    pub(crate) fn open(path: &Path) -> Result<Input<'static>, ReadError> {
        if path == Path::new("-") {
            return Input::new(io::stdin().lock(), "standard input");
        }
        let file = path.display().to_string();
        let opened = File::open(path).map_err(|cause| ReadError::unreadable(&file, &cause))?;
        Input::new(opened, &file)
    }

    /// Takes any stream; `name` is its name in messages.
    pub(crate) fn new(reader: impl Read + 'a, name: &str) -> Result<Self, ReadError> {
        Self::unpacked(Box::new(reader), name)
    }

    /// Takes a boxed stream: the decompressors are compiled once, not for each kind of stream.
    fn unpacked(reader: Box<dyn Read + 'a>, name: &str) -> Result<Self, ReadError> {
        let mut input = Self { name: name.to_owned(), reader, compression: None };
        let head = input.head()?;
        let packed = BufReader::with_capacity(BUFFER, input.reader);
        let (reader, compression): (Box<dyn Read + 'a>, _) = match head[..] {
            [0x1f, 0x8b, ..] => (Box::new(MultiGzDecoder::new(packed)), Some("gzip")),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => {
                (Box::new(ZstdReader { source: packed, decoder: FrameDecoder::new() }), Some("zstd"))
            }
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, ..] => {
                (Box::new(MultiBzDecoder::new(packed)), Some("bzip2"))
            }
            _ => (Box::new(packed), None),
        };
        Ok(Self { reader, compression, ..input })
    }

    fn refuse(&mut self) -> Result<(), ReadError> {
        let head = self.head()?;
        let refused = |format, instead| Err(ReadError::Foreign(self.name.clone(), format, instead));
        let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head).trim_ascii_start();
        let begins = |magic: &[u8]| {
            head.starts_with(magic)
                || text
                    .get(..magic.len())
                    .is_some_and(|text| text.is_ascii() && text.eq_ignore_ascii_case(magic))
        };
        if head.get(257..262) == Some(b"ustar") {
            return refused("a tar archive", "unpack it");
        }
        // The length of a header in eight bytes, then our name in it.
        let header = head.get(8..108).unwrap_or(head.get(8..).unwrap_or_default());
        if header.starts_with(b"{") && header.windows(7).any(|at| at == b"\"dlfrm\"") {
            return refused("a model or a checkpoint of dlfrm", "a text file is needed");
        }
        match FOREIGN.iter().find(|(magic, ..)| begins(magic)) {
            // A name may begin like a graph of Graphviz; that has a brace.
            Some((b"graph g" | b"digraph" | b"strict ", ..)) if memchr(b'{', text).is_none() => Ok(()),
            Some((b"dl n", ..)) if !text.to_ascii_lowercase().windows(5).any(|at| at == b"data:") => Ok(()),
            Some(&(_, format, instead)) => refused(format, instead),
            None => Ok(()),
        }
    }

    /// Reads some bytes; 0 at the end. `line` is the line that is being read, for the message.
    fn read(&mut self, into: &mut [u8], line: u64) -> Result<usize, ReadError> {
        loop {
            match self.reader.read(into) {
                Ok(count) => return Ok(count),
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
                Err(cause) => return Err(self.failure(&cause, line)),
            }
        }
    }

    /// The first bytes, which show the format and stay to be read.
    pub(crate) fn head(&mut self) -> Result<Vec<u8>, ReadError> {
        let mut head = Vec::with_capacity(HEAD);
        if let Err(cause) = self.reader.by_ref().take(HEAD as u64).read_to_end(&mut head) {
            return Err(self.failure(&cause, line_after(&head)));
        }
        let rest = std::mem::replace(&mut self.reader, Box::new(io::empty()));
        self.reader = Box::new(Cursor::new(head.clone()).chain(rest));
        Ok(head)
    }

    /// All bytes of a file that is held in memory as a whole, such as JSON or XML.
    pub(crate) fn bytes(mut self) -> Result<Vec<u8>, ReadError> {
        let mut all = Vec::new();
        match self.reader.by_ref().take(u64::from(LARGEST) + 1).read_to_end(&mut all) {
            Ok(count) if count > LARGEST as usize => Err(ReadError::too_many(&self.name, LARGEST, "bytes")),
            Ok(_) => Ok(all),
            Err(cause) => Err(self.failure(&cause, line_after(&all))),
        }
    }

    /// The same as text.
    pub(crate) fn text(self) -> Result<String, ReadError> {
        let name = self.name.clone();
        let mut bytes = self.bytes()?;
        if bytes.starts_with(b"\xef\xbb\xbf") {
            bytes.drain(..3);
        }
        String::from_utf8(bytes).map_err(|error| {
            let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let what = format!("not UTF-8 text (byte 0x{:02x})", error.as_bytes()[before.len()]);
            ReadError::NotText(Location::line(name, line_after(before)), what)
        })
    }

    fn failure(&self, cause: &io::Error, line: u64) -> ReadError {
        let what = match (self.compression, cause.kind()) {
            // An error of the system has a number, one of a decompressor has none.
            (None, _) => return ReadError::unreadable(&self.name, cause),
            _ if cause.raw_os_error().is_some() => return ReadError::unreadable(&self.name, cause),
            (Some(packed), io::ErrorKind::UnexpectedEof) => {
                format!("the {packed} data ends before its end: the file is cut short")
            }
            (Some(packed), _) => format!("the {packed} data is damaged: {cause}"),
        };
        ReadError::Damaged(Location::line(&self.name, line), what)
    }
}

fn line_after(bytes: &[u8]) -> u64 {
    1 + memchr_iter(b'\n', bytes).count() as u64
}

/// A stream of unpacked bytes, frame after frame, with the checksum of each compared: the library reads one frame.
struct ZstdReader<R> {
    source: R,
    decoder: FrameDecoder,
}

impl<R: BufRead> Read for ZstdReader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.decoder.can_collect() == 0 {
            if !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.source, one).map_err(as_io_error)?;
                continue;
            }
            let written = self.decoder.get_checksum_from_data();
            if written.is_some() && written != self.decoder.get_calculated_checksum() {
                return Err(io::Error::other("the checksum is not that of the data"));
            }
            if self.source.fill_buf()?.is_empty() {
                return Ok(0);
            }
            self.decoder.init(&mut self.source).map_err(as_io_error)?;
        }
        self.decoder.read(into)
    }
}

/// The source's own error where there is one: what the system says, or that the data ends too early.
fn as_io_error(error: FrameDecoderError) -> io::Error {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(&error);
    while let Some(one) = cause {
        if let Some(found) = one.downcast_ref::<io::Error>() {
            return found.raw_os_error().map_or_else(|| found.kind().into(), io::Error::from_raw_os_error);
        }
        cause = one.source();
    }
    io::Error::other(error)
}

/// The lines of an input, one at a time, without ever holding more than one long line.
pub(crate) struct Lines<'a> {
    input: Input<'a>,
    buffer: Vec<u8>,
    /// The line begins here, ...
    start: usize,
    /// ... has no line end before here, ...
    scanned: usize,
    /// ... and the bytes read so far end here.
    end: usize,
    at_end: bool,
    /// How many lines were read; the number of the line that was returned last.
    pub(crate) number: u64,
}

impl<'a> Lines<'a> {
    /// Begins with the first line; what is no text that is read is refused.
    pub(crate) fn new(mut input: Input<'a>) -> Result<Self, ReadError> {
        input.refuse()?;
        let buffer = vec![0; LONGEST + CHUNK];
        Ok(Self { input, buffer, start: 0, scanned: 0, end: 0, at_end: false, number: 0 })
    }

    pub(crate) fn file(&self) -> &str {
        &self.input.name
    }

    pub(crate) fn location(&self) -> Location {
        Location::line(&self.input.name, self.number)
    }

    /// The next line without its line end, or nothing at the end of the input.
    pub(crate) fn next_line(&mut self) -> Result<Option<&str>, ReadError> {
        let (start, mut stop) = loop {
            if let Some(length) = memchr(b'\n', &self.buffer[self.scanned..self.end]) {
                let stop = self.scanned + length;
                break (std::mem::replace(&mut self.start, stop + 1), stop);
            }
            self.scanned = self.end;
            if self.end - self.start > LONGEST {
                break (self.start, self.end);
            }
            if self.at_end {
                if self.start == self.end {
                    return Ok(None);
                }
                break (std::mem::replace(&mut self.start, self.end), self.end);
            }
            self.fill()?;
        };
        self.scanned = self.start;
        self.number += 1;
        let refused = |what: String| ReadError::NotText(self.location(), what);
        if stop - start > LONGEST {
            return Err(refused("the line is longer than 1 MiB".to_owned()));
        }
        if stop > start && self.buffer[stop - 1] == b'\r' {
            stop -= 1;
        }
        let line = &self.buffer[start..stop];
        let line = if self.number == 1 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line };
        match std::str::from_utf8(line) {
            Ok(text) => match line.iter().find(|&&byte| byte == 0 || byte == b'\r') {
                None => Ok(Some(text)),
                Some(0) => Err(refused("a byte of zero: the file is binary or damaged".to_owned())),
                Some(_) => Err(refused(
                    "a carriage return within the line: lines must end with a line feed".to_owned(),
                )),
            },
            Err(error) => Err(refused(format!(
                "not UTF-8 text (byte 0x{:02x} at position {})",
                line[error.valid_up_to()],
                error.valid_up_to() + 1
            ))),
        }
    }

    fn fill(&mut self) -> Result<(), ReadError> {
        if self.start == self.end || self.buffer.len() - self.end < CHUNK {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.scanned = self.end;
            self.start = 0;
        }
        let room = self.end..(self.end + CHUNK).min(self.buffer.len());
        let count = self.input.read(&mut self.buffer[room], self.number + 1)?;
        self.at_end = count == 0;
        self.end += count;
        Ok(())
    }
}

/// Whether a line is no row: blank, or a comment behind # or %.
pub(crate) fn skipped(line: &str) -> bool {
    matches!(line.trim_ascii_start().as_bytes().first(), None | Some(b'#' | b'%'))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    fn lines(bytes: &[u8]) -> Result<Vec<String>, ReadError> {
        let mut lines = Lines::new(Input::new(bytes, "test")?)?;
        let mut all = Vec::new();
        while let Some(line) = lines.next_line()? {
            all.push(line.to_owned());
        }
        Ok(all)
    }

    #[test]
    fn packed_files_may_have_several_parts() {
        let unpack = |bytes: &[u8]| Input::new(bytes, "test").and_then(Input::bytes);
        let text: Vec<u8> = (0..2000u32).flat_map(|i| format!("{i}\t{}\n", i * i).into_bytes()).collect();
        let zstd = |text: &[u8]| compress_to_vec(text, CompressionLevel::Fastest);
        let frames = [zstd(b""), zstd(&text[..50]), zstd(&text[50..])].concat();
        let gzip = |text: &[u8]| {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
            encoder.write_all(text).unwrap();
            encoder.finish().unwrap()
        };
        let members = [gzip(&text[..50]), gzip(&text[50..])].concat();
        for packed in [text.clone(), frames, members] {
            assert!(unpack(&packed).unwrap() == text);
        }
        // A window too large for the memory is refused before it is allocated.
        let error = unpack(b"\x28\xb5\x2f\xfd\x00\xf8\x01\x00\x00").unwrap_err().to_string();
        assert!(error.to_lowercase().contains("window"), "{error}");
    }

    #[test]
    fn lines_end_as_on_any_system_and_are_not_too_long() {
        assert_eq!(lines(b"\xef\xbb\xbfa\r\nb\n\nc").unwrap(), ["a", "b", "", "c"]);
        assert!(lines(b"").unwrap().is_empty());
        for (length, fits) in [(LONGEST, true), (LONGEST + 1, false), (4 * LONGEST, false)] {
            let text = [b"first\n", vec![b'x'; length].as_slice(), b"\nlast"].concat();
            assert_eq!(lines(&text).is_ok_and(|all| all[1].len() == length && all[2] == "last"), fits);
        }
        let all: Vec<String> = (0..60_000).map(|i| format!("{i} {}", "y".repeat(i % 97))).collect();
        assert!(lines(all.join("\n").as_bytes()).unwrap() == all, "chunks are crossed unharmed");
    }
}
