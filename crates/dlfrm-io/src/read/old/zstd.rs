//! Unpacking zstd: frame after frame, with the checksum of each compared.

use std::error::Error;
use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::gzip::MORE;

/// A stream of unpacked bytes. Memory is bounded: a frame that asks for a window above 128 MiB is refused, as zstd itself does.
pub(crate) struct ZstdReader<R> {
    source: R,
    decoder: FrameDecoder,
}

impl<R: BufRead> ZstdReader<R> {
    pub(crate) fn new(source: R) -> Self {
        Self { source, decoder: FrameDecoder::new() }
    }

    /// Begins the next frame, or skips one that holds no data.
    fn begin_frame(&mut self) -> io::Result<()> {
        match self.decoder.init(&mut self.source) {
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length, ..
            })) => {
                let length = u64::from(length);
                let skipped = io::copy(&mut self.source.by_ref().take(length), &mut io::sink())?;
                if skipped == length { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
            }
            other => other.map_err(as_io_error),
        }
    }

    fn compare_checksum(&self) -> io::Result<()> {
        let written = self.decoder.get_checksum_from_data();
        if written.is_some() && written != self.decoder.get_calculated_checksum() {
            return Err(io::Error::other("the checksum is not that of the data"));
        }
        Ok(())
    }
}

impl<R: BufRead> Read for ZstdReader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.decoder.can_collect() == 0 {
            if !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.source, one).map_err(as_io_error)?;
                continue;
            }
            self.compare_checksum()?;
            match self.source.fill_buf()?.first() {
                None => return Ok(0),
                // A frame begins with the first byte, one without data with one of the others.
                Some(byte) if !matches!(byte, 0x28 | 0x50..=0x5f) => return Err(io::Error::other(MORE)),
                Some(_) => self.begin_frame()?,
            }
        }
        self.decoder.read(into)
    }
}

/// The source's own error where there is one: what the system says, or that the data ends too early.
fn as_io_error(error: FrameDecoderError) -> io::Error {
    let mut cause: Option<&(dyn Error + 'static)> = Some(&error);
    while let Some(one) = cause {
        if let Some(found) = one.downcast_ref::<io::Error>() {
            return found.raw_os_error().map_or_else(|| found.kind().into(), io::Error::from_raw_os_error);
        }
        cause = one.source();
    }
    io::Error::other(error)
}
