//! Brotli and gzip, made once when a snippet is compiled and never per request.

use std::io::Write as _;

use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;

/// Above this size the best levels cost too much for what they bring: brotli's two best seconds for a percent, and its others from 6
/// up, as gzip's, several times what these take for a few thousandths (measured on 1000 experiments of ten variations).
const SLOW_LEVEL_BYTES_MAX: usize = 512 * 1024;

/// Brotli at its best level, or at 5 where that would take too long.
pub(crate) fn brotli(text: &str) -> Vec<u8> {
    let quality = if text.len() <= SLOW_LEVEL_BYTES_MAX { 11 } else { 5 };
    let params = BrotliEncoderParams { quality, size_hint: text.len(), ..Default::default() };
    let mut out = Vec::with_capacity(text.len() / 3);
    brotli::BrotliCompress(&mut text.as_bytes(), &mut out, &params)
        .expect("reading from and writing to memory cannot fail");
    out
}

/// Gzip at its best level, or at 5 where that would take too long.
pub(crate) fn gzip(text: &str) -> Vec<u8> {
    let level = if text.len() <= SLOW_LEVEL_BYTES_MAX { 9 } else { 5 };
    let mut encoder = GzEncoder::new(Vec::with_capacity(text.len() / 3), Compression::new(level));
    encoder
        .write_all(text.as_bytes())
        .and_then(|()| encoder.finish())
        .expect("writing to memory cannot fail")
}
