//! Unpacking gzip: member after member, and nothing else behind them.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

/// A member begins with this byte.
const MAGIC: u8 = 0x1f;

/// What is said of bytes behind the end of compressed data.
pub(crate) const MORE: &str = "other bytes follow its end";

/// A stream of unpacked bytes.
pub(crate) struct GzipReader<R> {
    /// There is always one.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> GzipReader<R> {
    pub(crate) fn new(source: R) -> Self {
        Self { member: Some(GzDecoder::new(source)) }
    }
}

impl<R: BufRead> Read for GzipReader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let Some(member) = &mut self.member else { return Ok(0) };
            let count = member.read(into)?;
            if count > 0 || into.is_empty() {
                return Ok(count);
            }
            match member.get_mut().fill_buf()?.first() {
                None => return Ok(0),
                Some(&MAGIC) => {
                    self.member = self.member.take().map(|member| GzDecoder::new(member.into_inner()));
                }
                Some(_) => return Err(io::Error::other(MORE)),
            }
        }
    }
}
