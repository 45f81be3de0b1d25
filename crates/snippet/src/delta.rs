//! What is new in a snippet for a browser that has an earlier one: the later one compressed with the earlier one as its dictionary, in the
//! two content codings of Compression Dictionary Transport (RFC 9842). Made once when a snippet goes live and never per request.

use std::io::{self, Cursor, Read as _};

use brotli::enc::{BrotliEncoderParams, StandardAlloc};
use brotli::{BrotliCompressCustomIoCustomDict, Decompressor, IoReaderWrapper, IoWriterWrapper};
use sha2::{Digest as _, Sha256};
use zstd::bulk::Compressor;

/// Enough for thousands of experiments. A publication of more should not take longer for those who return; and a dictionary and the snippet
/// after it have to fit into brotli's window of 4 MiB.
const BYTES_AT_MOST: usize = 512 * 1024;

/// Of both together. Above, the best levels take many times as long and save next to nothing: most of a delta is copied.
const SLOW_LEVEL_BYTES_MAX: usize = 64 * 1024;

/// RFC 9842 section 4.
const DCB_MAGIC: [u8; 4] = [0xff, 0x44, 0x43, 0x42];

/// RFC 9842 section 5: a skippable frame of 32 bytes, which decoders of Zstandard pass over.
const DCZ_MAGIC: [u8; 8] = [0x5e, 0x2a, 0x4d, 0x18, 0x20, 0, 0, 0];

/// A snippet as a browser gets it that has the dictionary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delta {
    /// The SHA-256 of the dictionary, by which browsers name it.
    pub dictionary: [u8; 32],
    /// In the content coding `dcb`; `None` if it cannot be told so.
    pub brotli: Option<Vec<u8>>,
    /// In the content coding `dcz`; `None` if it cannot be told so.
    pub zstandard: Option<Vec<u8>>,
}

/// The script `javascript` for a browser that has `dictionary`; `None` if one of them is too large.
#[must_use]
pub fn delta(dictionary: &[u8], javascript: &[u8]) -> Option<Delta> {
    if dictionary.is_empty() || dictionary.len().max(javascript.len()) > BYTES_AT_MOST {
        return None;
    }
    let hash: [u8; 32] = Sha256::digest(dictionary).into();
    let framed = |magic: &[u8], stream: Vec<u8>| [magic, &hash, &stream].concat();
    Some(Delta {
        dictionary: hash,
        brotli: brotli(dictionary, javascript).ok().map(|stream| framed(&DCB_MAGIC, stream)),
        zstandard: zstandard(dictionary, javascript).ok().map(|stream| framed(&DCZ_MAGIC, stream)),
    })
}

fn is_small(dictionary: &[u8], javascript: &[u8]) -> bool {
    dictionary.len() + javascript.len() <= SLOW_LEVEL_BYTES_MAX
}

fn brotli(dictionary: &[u8], javascript: &[u8]) -> io::Result<Vec<u8>> {
    let quality = if is_small(dictionary, javascript) { 11 } else { 5 };
    let params = BrotliEncoderParams { quality, size_hint: javascript.len(), ..Default::default() };
    let mut out = Vec::new();
    BrotliCompressCustomIoCustomDict(
        &mut IoReaderWrapper(&mut &javascript[..]),
        &mut IoWriterWrapper(&mut out),
        &mut vec![0; javascript.len().max(1)],
        &mut [0; 4096],
        &params,
        StandardAlloc::default(),
        &mut |_, _, _, _| (),
        dictionary,
        io::Error::from(io::ErrorKind::UnexpectedEof),
    )?;
    // The encoder may copy from the dictionary's end on into the script's beginning, which RFC 9841 section 5.1 and browsers refuse.
    // Their rules are the decoder's.
    let is_read = decoded(&out, dictionary)? == javascript;
    is_read.then_some(out).ok_or_else(|| io::Error::from(io::ErrorKind::InvalidData))
}

fn decoded(stream: &[u8], dictionary: &[u8]) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    Decompressor::new_with_custom_dict(Cursor::new(stream), 0, dictionary.to_vec().into())
        .read_to_end(&mut text)?;
    Ok(text)
}

fn zstandard(dictionary: &[u8], javascript: &[u8]) -> io::Result<Vec<u8>> {
    let level = if is_small(dictionary, javascript) { 19 } else { 9 };
    Compressor::with_dictionary(level, dictionary)?.compress(javascript)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use zstd::bulk::Decompressor;

    use super::*;

    const HEADER_BYTES: usize = 36;

    #[test]
    fn a_changed_text_is_some_bytes_beyond_the_header() {
        let script = |text: &str| {
            let calls = (0..400).map(|n| format!("f{n}({});", n * 7919 % 1000));
            calls.collect::<Vec<_>>().concat() + text
        };
        let (before, after) = (script("'Ship fast'"), script("'Ship faster'"));

        let delta = delta(before.as_bytes(), after.as_bytes()).unwrap();

        let (dcb, dcz) = (delta.brotli.unwrap(), delta.zstandard.unwrap());
        assert!(dcb.len() < HEADER_BYTES + 40, "{}", dcb.len());
        assert!(dcz.len() < HEADER_BYTES + 44, "{}", dcz.len());
        assert_eq!(dcb[..4], *b"\xffDCB");
        assert_eq!((&dcb[4..36], &dcz[8..40]), (&delta.dictionary[..], &delta.dictionary[..]));
        assert_eq!(delta.dictionary[..], Sha256::digest(before)[..]);
    }

    #[test]
    fn what_is_too_large_has_no_delta() {
        let (large, small) = (vec![b'a'; BYTES_AT_MOST + 1], b"a");

        assert_eq!((delta(&large, small), delta(small, &large)), (None, None));
        assert_eq!(delta(b"", small), None);
    }

    #[test]
    fn a_large_snippet_has_a_delta_too() {
        let script = |end: &str| {
            (0_u32..100_000).map(|n| n.wrapping_mul(2_654_435_761).to_string()).collect::<String>()
                [..500_000]
                .to_owned()
                + end
        };
        let (before, after) = (script("a"), script("b"));

        let delta = delta(before.as_bytes(), after.as_bytes()).unwrap();

        // The quick level of brotli loses its way among digits; a browser gets the shorter one.
        let lengths = [delta.brotli, delta.zstandard].map(|body| body.unwrap().len());
        assert!(lengths.iter().min() < Some(&1_000), "{lengths:?}");
    }

    proptest! {
        // Few letters, so that what crosses from the dictionary into the script repeats.
        #[test]
        fn a_delta_decodes_to_the_script(dictionary in "[ab]{1,40}", script in "[ab]{0,80}") {
            let delta = delta(dictionary.as_bytes(), script.as_bytes()).unwrap();

            if let Some(dcb) = delta.brotli {
                prop_assert_eq!(decoded(&dcb[36..], dictionary.as_bytes()).unwrap(), script.as_bytes());
            }
            let dcz = delta.zstandard.unwrap();
            let mut decompressor = Decompressor::with_dictionary(dictionary.as_bytes()).unwrap();
            prop_assert_eq!(decompressor.decompress(&dcz[40..], 80).unwrap(), script.as_bytes());
        }
    }
}
