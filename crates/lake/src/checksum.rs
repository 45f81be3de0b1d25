//! Checksums: Parquet has none that writers must write, and zstd finds no flipped bit. Each row group has one, and so has the footer, which has them all.

use std::io::{self, Write};

use sha2::{Digest as _, Sha256};

/// The footer's note with the checksums of the row groups, as hexadecimal numbers.
pub(crate) const GROUPS_KEY: &str = "assay.row_groups_crc32";

/// The footer's note with its own checksum, which is that of the footer with the placeholder.
pub(crate) const FOOTER_KEY: &str = "assay.footer_crc32";
pub(crate) const FOOTER_PLACEHOLDER: &str = "00000000";

/// After a note's key, Thrift's compact protocol has one byte for the field and one for the length of the value.
const BEFORE_VALUE: usize = 2;

/// Writes on, and adds up what it writes.
pub(crate) struct Summed<W> {
    inner: W,
    group: crc32fast::Hasher,
    all: Sha256,
    bytes: u64,
    /// The footer, as soon as it begins: it is written when its checksum is known.
    footer: Option<Vec<u8>>,
}

impl<W: Write> Summed<W> {
    pub(crate) fn new(inner: W) -> Self {
        let group = crc32fast::Hasher::new();
        Self { inner, group, all: Sha256::new(), bytes: 0, footer: None }
    }

    /// The checksum of what was written since the last time.
    pub(crate) fn end_group(&mut self) -> u32 {
        std::mem::take(&mut self.group).finalize()
    }

    pub(crate) fn begin_footer(&mut self) {
        self.footer = Some(Vec::new());
    }

    /// Writes the footer. Tells what everything was written to, how many bytes these were and their SHA-256.
    pub(crate) fn finish(mut self) -> io::Result<(W, u64, [u8; 32])> {
        let mut footer = self.footer.take().unwrap_or_default();
        let sum = format!("{:08x}", crc32fast::hash(&footer));
        let place = footer_place(&footer)
            .ok_or_else(|| io::Error::other("the footer has no place for its checksum"))?;
        footer[place..place + sum.len()].copy_from_slice(sum.as_bytes());
        self.write_all(&footer)?;
        self.inner.flush()?;
        Ok((self.inner, self.bytes, self.all.finalize().into()))
    }
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(footer) = &mut self.footer {
            footer.extend_from_slice(bytes);
            return Ok(bytes.len());
        }
        let written = self.inner.write(bytes)?;
        self.group.update(&bytes[..written]);
        self.all.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Whether a footer is as it was written, with the length and the magic bytes at its end; `None` if it has no checksum.
pub(crate) fn is_whole(footer: &[u8]) -> Option<bool> {
    let place = footer_place(footer)?;
    let mut footer = footer.to_vec();
    let value = &mut footer[place..place + FOOTER_PLACEHOLDER.len()];
    let told = value.to_vec();
    value.copy_from_slice(FOOTER_PLACEHOLDER.as_bytes());
    Some(format!("{:08x}", crc32fast::hash(&footer)).as_bytes() == told)
}

/// Where the checksum is. The last one, because events may have any names, which come before.
fn footer_place(footer: &[u8]) -> Option<usize> {
    let key = FOOTER_KEY.as_bytes();
    let place = footer.windows(key.len()).rposition(|bytes| bytes == key)?;
    let place = place + key.len() + BEFORE_VALUE;
    (place + FOOTER_PLACEHOLDER.len() <= footer.len()).then_some(place)
}
