//! How much a file of strangers may unpack to. What the file says of its own size is not believed: pages are unpacked as far as there is room,
//! and what a few of its bytes make long is counted as well.

use std::io::{self, Read};
use std::mem::size_of;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::data_type::ByteArray;
use parquet::errors::{ParquetError, Result};

/// How much longer LZ4 makes its input at most.
const LZ4_RATIO_AT_MOST: u64 = 255;

/// Bytes that may be unpacked, and what has been.
#[derive(Debug)]
pub(crate) struct Budget {
    bytes_at_most: u64,
    used: AtomicU64,
}

impl Budget {
    pub(crate) fn of(bytes_at_most: u64) -> Arc<Self> {
        Arc::new(Self { bytes_at_most, used: AtomicU64::new(0) })
    }

    /// Takes as many of them. Tells whether they were there.
    pub(crate) fn take(&self, bytes: usize) -> bool {
        let bytes = bytes as u64;
        self.used.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes) <= self.bytes_at_most
    }

    /// Whether more was asked for than there is.
    pub(crate) fn is_exceeded(&self) -> bool {
        self.used.load(Ordering::Relaxed) > self.bytes_at_most
    }

    fn left(&self) -> u64 {
        self.bytes_at_most.saturating_sub(self.used.load(Ordering::Relaxed))
    }

    fn take_or_refuse(&self, bytes: usize) -> Result<()> {
        if self.take(bytes) { Ok(()) } else { Err(damaged("it unpacks to too much")) }
    }
}

/// The pages of a column, unpacked one by one within a budget. They are read as if they were not packed.
pub(crate) struct BoundedPages {
    pub(crate) packed: Box<dyn PageReader>,
    pub(crate) packing: Compression,
    /// Whether rows may have no value.
    pub(crate) is_optional: bool,
    /// How many rows the column has: none of its pages has more values.
    pub(crate) rows: usize,
    pub(crate) budget: Arc<Budget>,
}

impl Iterator for BoundedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for BoundedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let Some(page) = self.packed.get_next_page()? else { return Ok(None) };
        if page.is_data_page() && page.num_values() as usize > self.rows {
            return Err(damaged("a page has more values than its column has rows"));
        }
        let page = self.unpacked(page)?;
        self.check(&page)?;
        Ok(Some(page))
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.packed.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.packed.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.packed.at_record_boundary()
    }
}

impl BoundedPages {
    fn unpacked(&self, mut page: Page) -> Result<Page> {
        match &mut page {
            Page::DataPage { buf, .. } | Page::DictionaryPage { buf, .. } => {
                *buf = self.unpack(buf)?;
            }
            Page::DataPageV2 {
                buf,
                def_levels_byte_len,
                rep_levels_byte_len,
                is_compressed,
                ..
            } => {
                let levels = (*def_levels_byte_len as usize)
                    .checked_add(*rep_levels_byte_len as usize)
                    .filter(|levels| *levels <= buf.len());
                let levels = levels.ok_or_else(|| damaged("a page is shorter than it says"))?;
                let values = buf.slice(levels..);
                let values = if *is_compressed { self.unpack(&values)? } else { values };
                *buf = Bytes::from([&buf[..levels], &values[..]].concat());
            }
        }
        self.budget.take_or_refuse(page.buffer().len())?;
        Ok(page)
    }

    fn unpack(&self, packed: &Bytes) -> Result<Bytes> {
        if packed.is_empty() {
            return Ok(Bytes::new());
        }
        let packed = &packed[..];
        match self.packing {
            Compression::UNCOMPRESSED => Ok(Bytes::copy_from_slice(packed)),
            Compression::SNAPPY => self.unsnapped(packed),
            Compression::GZIP(_) => self.read(flate2::read::MultiGzDecoder::new(packed)),
            Compression::BROTLI(_) => self.read(brotli::Decompressor::new(packed, 4096)),
            Compression::ZSTD(_) => self.read(zstd::Decoder::with_buffer(packed)?),
            Compression::LZ4_RAW => self.unpack_lz4(packed),
            Compression::LZ4 | Compression::LZO => Err(refused("LZ4 of Hadoop, or LZO")),
        }
    }

    /// Reads as much as there is room for, and a byte more if there is one.
    fn read(&self, from: impl Read) -> Result<Bytes> {
        let mut unpacked = Vec::new();
        from.take(self.budget.left() + 1).read_to_end(&mut unpacked).map_err(unreadable)?;
        Ok(unpacked.into())
    }

    /// It says first how long it is.
    fn unsnapped(&self, packed: &[u8]) -> Result<Bytes> {
        let length = snap::raw::decompress_len(packed).map_err(unreadable)?;
        if length as u64 > self.budget.left() {
            self.budget.take_or_refuse(length)?;
        }
        Ok(snap::raw::Decoder::new().decompress_vec(packed).map_err(unreadable)?.into())
    }

    fn unpack_lz4(&self, packed: &[u8]) -> Result<Bytes> {
        let longest = (packed.len() as u64).saturating_mul(LZ4_RATIO_AT_MOST);
        let room = longest.min(self.budget.left());
        let mut unpacked = vec![0; usize::try_from(room).map_err(unreadable)?];
        let length = match lz4_flex::block::decompress_into(packed, &mut unpacked) {
            Ok(length) => length,
            Err(_) if room < longest => {
                return Err(self
                    .budget
                    .take_or_refuse(unpacked.len() + 1)
                    .err()
                    .unwrap_or_else(|| damaged("LZ4")));
            }
            Err(error) => return Err(unreadable(error)),
        };
        unpacked.truncate(length);
        Ok(unpacked.into())
    }

    /// What the page says of itself has room made for it before any of it is read.
    fn check(&self, page: &Page) -> Result<()> {
        match page {
            Page::DictionaryPage { num_values, .. } => self
                .budget
                .take_or_refuse((*num_values as usize).saturating_mul(size_of::<ByteArray>())),
            Page::DataPage { buf, num_values, encoding, .. } => {
                let levels = if self.is_optional { length_of_levels(buf) } else { Some(0) };
                check_encoding(*encoding, *num_values, levels.and_then(|start| buf.get(start..)))
            }
            Page::DataPageV2 {
                buf,
                num_values,
                encoding,
                def_levels_byte_len,
                rep_levels_byte_len,
                ..
            } => {
                let levels = *def_levels_byte_len as usize + *rep_levels_byte_len as usize;
                check_encoding(*encoding, *num_values, buf.get(levels..))
            }
        }
    }
}

/// The levels of a page of the first version, with the number that says how long they are.
fn length_of_levels(page: &[u8]) -> Option<usize> {
    let length = u32::from_le_bytes(*page.first_chunk()?);
    usize::try_from(length).ok()?.checked_add(size_of::<u32>())
}

fn check_encoding(encoding: Encoding, values: u32, bytes: Option<&[u8]>) -> Result<()> {
    // Each value repeats the one before as far as it says.
    if encoding == Encoding::DELTA_BYTE_ARRAY {
        return Err(refused("DELTA_BYTE_ARRAY"));
    }
    let has_lengths = encoding == Encoding::DELTA_LENGTH_BYTE_ARRAY;
    let is_plausible = |lengths| lengths <= u64::from(values);
    if has_lengths && !bytes.and_then(number_of_deltas).is_some_and(is_plausible) {
        return Err(damaged("a page has more texts than values"));
    }
    Ok(())
}

/// The third number of what is packed as deltas: after the length of a block and the number of its parts.
fn number_of_deltas(mut bytes: &[u8]) -> Option<u64> {
    let mut numbers = [0; 3];
    for number in &mut numbers {
        for shift in (0..64).step_by(7) {
            let (byte, rest) = bytes.split_first()?;
            bytes = rest;
            *number |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                break;
            }
        }
    }
    Some(numbers[2])
}

fn refused(way: &str) -> ParquetError {
    damaged(&format!(
        "{way} is not read of a request; hint: write it in another way, or import it with `assay events import`"
    ))
}

fn damaged(detail: &str) -> ParquetError {
    ParquetError::General(detail.to_owned())
}

fn unreadable(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> ParquetError {
    ParquetError::General(io::Error::other(error).to_string())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::sync::Arc;

    use bytes::Bytes;
    use parquet::basic::{BrotliLevel, Compression, Encoding, GzipLevel, ZstdLevel};
    use parquet::column::page::{Page, PageMetadata, PageReader};
    use parquet::errors::Result;

    use super::{BoundedPages, Budget};

    struct OnePage(Option<Page>);

    impl Iterator for OnePage {
        type Item = Result<Page>;

        fn next(&mut self) -> Option<Self::Item> {
            self.0.take().map(Ok)
        }
    }

    impl PageReader for OnePage {
        fn get_next_page(&mut self) -> Result<Option<Page>> {
            Ok(self.0.take())
        }

        fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
            Ok(None)
        }

        fn skip_next_page(&mut self) -> Result<()> {
            Ok(())
        }
    }

    fn page(buf: impl Into<Bytes>, num_values: u32, encoding: Encoding) -> Page {
        let levels = Encoding::RLE;
        Page::DataPage {
            buf: buf.into(),
            num_values,
            encoding,
            def_level_encoding: levels,
            rep_level_encoding: levels,
            statistics: None,
        }
    }

    /// How long the page is, unpacked, or whether it is too long.
    fn unpack(page: Page, packing: Compression, bytes_at_most: u64) -> Result<usize, bool> {
        let budget = Budget::of(bytes_at_most);
        let packed = Box::new(OnePage(Some(page)));
        let mut pages = BoundedPages {
            packed,
            packing,
            is_optional: false,
            rows: 100,
            budget: Arc::clone(&budget),
        };
        let unpacked = pages.get_next_page().map_err(|_| budget.is_exceeded())?;
        Ok(unpacked.unwrap().buffer().len())
    }

    #[test]
    fn pages_are_unpacked_as_far_as_there_is_room_whatever_they_say() {
        let zeros = vec![0; 1_000_000];
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gzip.write_all(&zeros).unwrap();
        let mut brotlied = brotli::CompressorWriter::new(Vec::new(), 4096, 5, 22);
        brotlied.write_all(&zeros).unwrap();
        let packed = [
            (Compression::UNCOMPRESSED, zeros.clone()),
            (Compression::GZIP(GzipLevel::default()), gzip.finish().unwrap()),
            (Compression::BROTLI(BrotliLevel::default()), brotlied.into_inner()),
            (Compression::ZSTD(ZstdLevel::default()), zstd::encode_all(&zeros[..], 3).unwrap()),
            (Compression::SNAPPY, snap::raw::Encoder::new().compress_vec(&zeros).unwrap()),
            (Compression::LZ4_RAW, lz4_flex::block::compress(&zeros)),
        ];

        for (packing, bytes) in packed {
            let one = || page(bytes.clone(), 1, Encoding::PLAIN);
            assert_eq!(unpack(one(), packing, 1_000_000), Ok(1_000_000), "{packing}");
            assert_eq!(unpack(one(), packing, 999_999), Err(true), "{packing}");
        }
    }

    #[test]
    fn what_a_page_says_of_its_values_makes_no_room_for_more() {
        let check = |page| unpack(page, Compression::UNCOMPRESSED, 1_000);
        let dictionary = |num_values| Page::DictionaryPage {
            buf: vec![0; 8].into(),
            num_values,
            encoding: Encoding::PLAIN,
            is_sorted: false,
        };

        assert_eq!((check(dictionary(2)), check(dictionary(u32::MAX))), (Ok(8), Err(true)));
        let plain = |values| page(vec![0; 8], values, Encoding::PLAIN);
        assert_eq!((check(plain(100)), check(plain(101))), (Ok(8), Err(false)));
        let texts =
            |lengths| page(vec![128, 1, 4, lengths, 0], 100, Encoding::DELTA_LENGTH_BYTE_ARRAY);
        assert_eq!((check(texts(100)), check(texts(101))), (Ok(5), Err(false)));
        let repeated = page(vec![128, 1, 4, 1, 0], 1, Encoding::DELTA_BYTE_ARRAY);
        assert_eq!(check(repeated), Err(false));
    }
}
