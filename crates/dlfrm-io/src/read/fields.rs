//! Cutting a line into fields.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use memchr::memchr;
use serde::Serialize;

/// The delimiter between the fields of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Delimiter {
    /// One tab.
    Tab,
    /// One comma.
    Comma,
    /// One semicolon.
    Semicolon,
    /// Any run of spaces and tabs.
    Spaces,
    /// One vertical bar.
    Bar,
}

impl Delimiter {
    /// All of them, the surest sign first: a name rarely has a tab in it, sometimes a comma, often a space. Accession numbers
    /// have bars (`sp|P12345|NAME`), so a bar counts where nothing else cuts.
    pub(crate) const ALL: [Self; 5] = [Self::Tab, Self::Semicolon, Self::Comma, Self::Spaces, Self::Bar];

    fn byte(self) -> u8 {
        match self {
            Self::Tab => b'\t',
            Self::Comma => b',',
            Self::Semicolon => b';',
            Self::Spaces => b' ',
            Self::Bar => b'|',
        }
    }

    /// Whether it is in a text, so that a program that knows no quotes cuts there.
    pub(crate) fn is_in(self, text: &str) -> bool {
        text.bytes().any(|byte| byte == self.byte() || self == Self::Spaces && byte == b'\t')
    }

    /// The delimiter that a first line such as `sep=;` declares, as Excel writes and reads it.
    pub(crate) fn declared(line: &str) -> Option<Self> {
        let line = line.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(line);
        let (word, delimiter) = line.split_once('=')?;
        word.trim().eq_ignore_ascii_case("sep").then(|| delimiter.parse().ok())?
    }

    /// A text without this delimiter at its end, if it is there.
    pub(crate) fn strip_end(self, text: &str) -> Option<&str> {
        text.as_bytes().last().filter(|&&last| last == self.byte()).map(|_| &text[..text.len() - 1])
    }
}

impl fmt::Display for Delimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tab => "tab",
            Self::Comma => "comma",
            Self::Semicolon => "semicolon",
            Self::Spaces => "space",
            Self::Bar => "bar",
        })
    }
}

/// A word of an option that means nothing, and those that do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnknownWord(pub(super) String);

impl FromStr for Delimiter {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "tab" | "\t" | "\\t" => Ok(Self::Tab),
            "comma" | "," => Ok(Self::Comma),
            "semicolon" | ";" => Ok(Self::Semicolon),
            "space" | "spaces" | " " => Ok(Self::Spaces),
            "bar" | "pipe" | "|" => Ok(Self::Bar),
            other => Err(UnknownWord(format!(
                "the delimiter must be tab, comma, semicolon, space or bar, is '{other}'"
            ))),
        }
    }
}

/// A quote is opened and not closed on the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OpenQuote;

/// Where the fields of one line are. Kept from line to line so that no line needs memory of its own.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    spans: Vec<Span>,
    stray: bool,
}

#[derive(Debug, Clone, Copy)]
struct Span {
    start: usize,
    end: usize,
    /// Quotes are doubled inside.
    doubled: bool,
}

impl Fields {
    /// Cuts `line`. Spaces around a field do not count, except inside double quotes.
    pub(crate) fn cut(&mut self, line: &str, delimiter: Delimiter) -> Result<(), OpenQuote> {
        self.spans.clear();
        self.stray = false;
        let bytes = line.as_bytes();
        let spaces = delimiter == Delimiter::Spaces;
        let blank = |byte: u8| byte == b' ' || (byte == b'\t' && delimiter != Delimiter::Tab);
        let skip = |mut at: usize| {
            while at < bytes.len() && blank(bytes[at]) {
                at += 1;
            }
            at
        };
        let mut at = skip(0);
        if spaces && at == bytes.len() {
            return Ok(());
        }
        loop {
            let span = if bytes.get(at) == Some(&b'"') {
                let (span, after) = quoted(bytes, at)?;
                at = skip(after);
                self.stray |= spaces && at == after && at < bytes.len();
                if !spaces && at < bytes.len() && bytes[at] != delimiter.byte() {
                    // Text behind the closing quote, as in "Bob" Smith: the quotes are part of the name.
                    let end = field_end(bytes, at, delimiter);
                    self.stray = true;
                    at = end;
                    trimmed(bytes, span.start - 1, end)
                } else {
                    span
                }
            } else {
                let end = field_end(bytes, at, delimiter);
                let span =
                    if spaces { Span { start: at, end, doubled: false } } else { trimmed(bytes, at, end) };
                at = if spaces { skip(end) } else { end };
                span
            };
            self.spans.push(span);
            if at == bytes.len() {
                return Ok(());
            }
            if !spaces {
                at = skip(at + 1);
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether text follows a closing quote: a sign that the delimiter is another one.
    pub(crate) fn stray(&self) -> bool {
        self.stray
    }

    /// Field number `index` of `line`, which must be the line that was cut.
    pub(crate) fn get<'a>(&self, line: &'a str, index: usize) -> Cow<'a, str> {
        let span = self.spans[index];
        let text = &line[span.start..span.end];
        if span.doubled { Cow::Owned(text.replace("\"\"", "\"")) } else { Cow::Borrowed(text) }
    }

    pub(crate) fn to_vec(&self, line: &str) -> Vec<String> {
        (0..self.len()).map(|index| self.get(line, index).into_owned()).collect()
    }
}

/// The field that the quote at `open` begins, and the position behind its closing quote.
fn quoted(bytes: &[u8], open: usize) -> Result<(Span, usize), OpenQuote> {
    let mut doubled = false;
    let mut at = open + 1;
    loop {
        let quote = at + memchr(b'"', &bytes[at..]).ok_or(OpenQuote)?;
        if bytes.get(quote + 1) != Some(&b'"') {
            return Ok((Span { start: open + 1, end: quote, doubled }, quote + 1));
        }
        doubled = true;
        at = quote + 2;
    }
}

fn field_end(bytes: &[u8], at: usize, delimiter: Delimiter) -> usize {
    let stops = |&byte: &u8| match delimiter {
        Delimiter::Spaces => byte == b' ' || byte == b'\t',
        other => byte == other.byte(),
    };
    // Fields are short: a plain loop beats a search that has to be set up.
    at + bytes[at..].iter().position(stops).unwrap_or(bytes.len() - at)
}

fn trimmed(bytes: &[u8], start: usize, mut end: usize) -> Span {
    while end > start && (bytes[end - 1] == b' ' || bytes[end - 1] == b'\t') {
        end -= 1;
    }
    Span { start, end, doubled: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(line: &str, delimiter: Delimiter) -> Vec<String> {
        let mut fields = Fields::default();
        fields.cut(line, delimiter).unwrap();
        fields.to_vec(line)
    }

    #[test]
    fn delimiters_cut_outside_of_quotes() {
        assert_eq!(cut("a b\t c\t", Delimiter::Tab), ["a b", "c", ""]);
        assert_eq!(cut("a, b ,,d", Delimiter::Comma), ["a", "b", "", "d"]);
        assert_eq!(cut("  a   b\t c ", Delimiter::Spaces), ["a", "b", "c"]);
        assert_eq!(cut("", Delimiter::Spaces), Vec::<String>::new());
        assert_eq!(cut("", Delimiter::Comma), [""]);
        assert_eq!(cut(r#""Doe, ""Jo""" , "Roe" ,x"y"#, Delimiter::Comma), ["Doe, \"Jo\"", "Roe", "x\"y"]);
        assert_eq!(cut(r#""a b" "c""#, Delimiter::Spaces), ["a b", "c"]);
        assert_eq!(cut("\" a\"\t\"\"", Delimiter::Tab), [" a", ""]);
        assert_eq!(cut(r#""Bob" Smith,x"#, Delimiter::Comma), ["\"Bob\" Smith", "x"]);
        assert_eq!(Fields::default().cut("a,\"b", Delimiter::Comma), Err(OpenQuote));
    }

    #[test]
    fn delimiters_have_words() {
        for delimiter in Delimiter::ALL {
            assert_eq!(delimiter.to_string().parse(), Ok(delimiter));
        }
        assert_eq!(Delimiter::declared("sep=;"), Some(Delimiter::Semicolon));
        assert_eq!(Delimiter::declared("\"SEP=\t\""), Some(Delimiter::Tab));
        assert_eq!(Delimiter::declared("sep=a b"), None);
        assert_eq!(Delimiter::declared("sep=|"), Some(Delimiter::Bar));
        assert!("colon".parse::<Delimiter>().unwrap_err().to_string().contains("'colon'"));
    }
}
