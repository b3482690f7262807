//! Lines of a stream, checked to be text, without ever holding more than one long line.

use memchr::memchr;

use super::binary::is_model;
use super::error::{Location, ReadError};
use super::input::Input;

/// The longest line that is read.
const LONGEST: usize = 1 << 20;
/// How many bytes are read at once: small enough to stay in the cache.
const CHUNK: usize = 1 << 17;

/// The lines of an input, one at a time.
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
    number: u64,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(input: Input<'a>) -> Self {
        let buffer = vec![0; LONGEST + CHUNK];
        Self { input, buffer, start: 0, scanned: 0, end: 0, at_end: false, number: 0 }
    }

    /// The name of the file for messages.
    pub(crate) fn file(&self) -> &str {
        &self.input.name
    }

    /// How many lines were read; the number of the line that was returned last.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The location of the line that was returned last.
    pub(crate) fn location(&self) -> Location {
        Location { file: self.input.name.clone(), line: self.number, column: None }
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
        if stop - start > LONGEST {
            return Err(ReadError::LongLine { file: self.input.name.clone(), line: self.number });
        }
        if stop > start && self.buffer[stop - 1] == b'\r' {
            stop -= 1;
        }
        // Old programs end a text with Ctrl-Z.
        if self.at_end && stop == self.end && stop > start && self.buffer[stop - 1] == b'\x1a' {
            stop -= 1;
        }
        let line = &self.buffer[start..stop];
        // A byte order mark begins a file, and files may have been put one behind the other.
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        match (memchr(0, line), std::str::from_utf8(line)) {
            (None, Ok(_)) if memchr(b'\r', line).is_some() => {
                Err(ReadError::CarriageReturn { location: self.location() })
            }
            (None, Ok(text)) => Ok(Some(text)),
            _ if self.number == 1 && is_model(line) => {
                let file = self.input.name.clone();
                Err(ReadError::Model { file, needed: "a text file is needed" })
            }
            (zero, text) => {
                let position = text.err().map_or(usize::MAX, |error| error.valid_up_to());
                let position = position.min(zero.unwrap_or(usize::MAX));
                Err(ReadError::NotText {
                    location: self.location(),
                    byte: line[position],
                    position: position + 1,
                })
            }
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
