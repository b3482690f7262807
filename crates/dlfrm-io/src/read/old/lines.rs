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

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Result<Vec<String>, ReadError> {
        let mut lines = Lines::new(Input::new(bytes, "test")?);
        let mut all = Vec::new();
        while let Some(line) = lines.next_line()? {
            all.push(line.to_owned());
        }
        assert_eq!(lines.number(), all.len() as u64);
        Ok(all)
    }

    #[test]
    fn line_ends_of_every_system_are_taken_off() {
        assert_eq!(lines(b"\xef\xbb\xbfa\r\nb\n\n\xef\xbb\xbfc").unwrap(), ["a", "b", "", "c"]);
        assert_eq!(lines(b"a\n").unwrap(), ["a"]);
        assert!(lines(b"").unwrap().is_empty());
        // Ctrl-Z ends a text, and stands nowhere else.
        assert_eq!(lines(b"a\r\n\x1a").unwrap(), ["a", ""]);
        assert_eq!(lines(b"a\x1ab\nc\x1a").unwrap(), ["a\x1ab", "c"]);
        let error = lines(b"a b\nb c\rc d\r").unwrap_err();
        assert_eq!(
            error.to_string(),
            "test, line 2: a carriage return within a line; lines must end with a line feed (tr '\\r' '\\n' converts them)"
        );
    }

    #[test]
    fn long_lines_are_refused_and_the_longest_allowed_is_read() {
        for (length, fits) in [(LONGEST, true), (LONGEST + 1, false), (4 * LONGEST, false)] {
            let text = [b"first\n", vec![b'x'; length].as_slice(), b"\nlast"].concat();
            match lines(&text) {
                Ok(all) => assert!(fits && all[1].len() == length && all[2] == "last"),
                Err(error) => {
                    assert!(!fits, "{length}");
                    assert_eq!(error.to_string(), "test: line 2 is longer than 1 MiB");
                }
            }
        }
        let endless = std::io::Read::take(std::io::repeat(b'x'), 2 << 30);
        let error = Lines::new(Input::new(endless, "test").unwrap()).next_line().unwrap_err();
        assert!(matches!(error, ReadError::LongLine { line: 1, .. }));
    }

    #[test]
    fn many_lines_cross_the_chunks_unharmed() {
        let all: Vec<String> = (0..60_000).map(|i| format!("{i} {}", "y".repeat(i % 97))).collect();
        let text = all.join("\n");
        assert!(lines(text.as_bytes()).unwrap() == all);
    }

    #[test]
    fn bytes_that_are_no_text_are_located() {
        let error = lines(b"a\tb\nc\t\xe9d\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            "test, line 2: not UTF-8 text (byte 0xe9 at position 3): if it is Latin-1, convert it (iconv -f LATIN1 -t \
             UTF-8 test)"
        );
        let error = lines(b"a\0\xff").unwrap_err();
        assert_eq!(
            error.to_string(),
            "test, line 1: not UTF-8 text (byte 0x00 at position 2): a byte of zero is in no text, so the file is binary or \
             damaged"
        );
    }
}
