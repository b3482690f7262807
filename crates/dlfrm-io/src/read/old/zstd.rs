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

#[cfg(test)]
mod tests {
    use super::*;

    /// Written by zstd 1.5 (`zstd -19`), with a checksum at its end.
    const SQUARES: &[u8] = include_bytes!("samples/squares.zst");

    fn unpack(packed: &[u8]) -> io::Result<Vec<u8>> {
        let mut all = vec![];
        ZstdReader::new(packed).read_to_end(&mut all)?;
        Ok(all)
    }

    #[test]
    fn files_of_the_reference_program_are_read() {
        let text: Vec<u8> = (0..300).flat_map(|i| format!("{i}\t{}\n", i * i).into_bytes()).collect();
        assert!(unpack(SQUARES).unwrap() == text);
        assert!(unpack(&[SQUARES, SQUARES].concat()).unwrap() == text.repeat(2));
    }

    #[test]
    fn a_wrong_checksum_is_noticed() {
        let mut wrong = SQUARES.to_vec();
        *wrong.last_mut().unwrap() ^= 1;
        assert_eq!(unpack(&wrong).unwrap_err().to_string(), "the checksum is not that of the data");
    }

    #[test]
    fn what_follows_the_last_frame_must_be_a_frame() {
        assert_eq!(unpack(&[SQUARES, b"more"].concat()).unwrap_err().to_string(), MORE);
        let error = unpack(&[SQUARES, &SQUARES[..9]].concat()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn huge_windows_are_refused_before_they_are_allocated() {
        // A frame with no content size and a window of 2^41 bytes.
        let error = unpack(b"\x28\xb5\x2f\xfd\x00\xf8\x01\x00\x00").unwrap_err();
        assert!(error.to_string().to_lowercase().contains("window"), "{error}");
    }
}
