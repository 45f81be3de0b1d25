//! Reads the records of a file, row group by row group: those that cannot have what is wanted are skipped.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use events::{Amount, EventId, Marks, Millis, Occurrence, Record, UserAgent};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, FixedLenByteArray, FixedLenByteArrayType, Int64Type,
};
use parquet::file::FOOTER_SIZE;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData};

use crate::checksum::{self, GROUPS_KEY};
use crate::circumstances::{agents, pages};
use crate::columns::{Group, Part, Source, odd};
use crate::kinds::{Kind, Kinds};
use crate::schema::{PROPERTY_NAMES, PROPERTY_TEXTS, SCHEMA, SCHEMA_KEY};
use crate::skip::may_have;
use crate::{LakeError, Wanted};

/// A file with its footer read.
#[derive(Debug)]
pub(crate) struct EventFile {
    file: File,
    footer: ParquetMetaData,
    sums: Vec<u32>,
}

/// The wanted records of a file, those of one row group at a time, in the order of the file.
#[derive(Debug)]
pub struct Records {
    file: EventFile,
    wanted: Wanted,
    next: usize,
}

/// A footer is a few kilobytes for each row group.
const FOOTER_BYTES_AT_MOST: u64 = 64 * 1024 * 1024;

/// The magic bytes at the beginning of a file.
const MAGIC_BYTES: u64 = 4;

/// Reads the wanted records of a file.
///
/// # Errors
/// If the file cannot be read, is damaged, or is no file of events. Each row group has a checksum, so that damage may show only when its turn comes.
pub fn read_file(path: &Path, wanted: &Wanted) -> Result<Records, LakeError> {
    Ok(Records { file: EventFile::open(path)?, wanted: wanted.clone(), next: 0 })
}

impl Iterator for Records {
    type Item = Result<Vec<Record>, LakeError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let number = self.next;
            if number >= self.file.groups() {
                return None;
            }
            self.next += 1;
            if !self.file.may_have(number, &self.wanted) {
                continue;
            }
            let group = self.file.group(number);
            let records = group.and_then(|mut group| records(&mut group, &self.wanted));
            match records {
                Ok(records) if records.is_empty() => {}
                Ok(records) => return Some(Ok(records)),
                Err(error) => {
                    self.next = usize::MAX;
                    return Some(Err(error));
                }
            }
        }
    }
}

impl EventFile {
    pub(crate) fn open(path: &Path) -> Result<Self, LakeError> {
        let mut file = File::open(path)?;
        let footer = footer(&mut file)?;
        let notes = footer.file_metadata().key_value_metadata();
        let note = |key: &str| {
            let mut notes = notes.into_iter().flatten();
            notes.find(|note| note.key == key).and_then(|note| note.value.as_deref())
        };
        let schema = note(SCHEMA_KEY).and_then(|schema| schema.parse().ok());
        let schema: u32 = schema.ok_or(LakeError::NoEventFile("its schema has no number"))?;
        if schema > SCHEMA {
            return Err(LakeError::Newer(schema));
        }
        let sums = note(GROUPS_KEY).unwrap_or_default().split(',');
        let sums: Result<Vec<_>, _> = sums.map(|sum| u32::from_str_radix(sum, 16)).collect();
        let sums = sums.ok().filter(|sums| sums.len() == footer.num_row_groups());
        let sums = sums.ok_or(LakeError::NoEventFile("row groups have no checksums"))?;
        Ok(Self { file, footer, sums })
    }

    pub(crate) fn groups(&self) -> usize {
        self.footer.num_row_groups()
    }

    /// How many rows a row group has.
    pub(crate) fn rows(&self, group: usize) -> usize {
        usize::try_from(self.footer.row_group(group).num_rows()).unwrap_or(0)
    }

    pub(crate) fn all_rows(&self) -> usize {
        (0..self.groups()).map(|group| self.rows(group)).sum()
    }

    /// Whether a row group may have something that is wanted.
    pub(crate) fn may_have(&self, group: usize, wanted: &Wanted) -> bool {
        let schema = self.footer.file_metadata().schema_descr();
        may_have(self.footer.row_group(group), schema, wanted)
    }

    /// Reads a row group and checks it.
    pub(crate) fn group(&mut self, number: usize) -> Result<Group, LakeError> {
        let ByteRange { start, length } = self.place(number)?;
        let bytes = exactly(&mut self.file, start, length)?;
        self.check(number, crc32fast::hash(&bytes))?;
        self.group_in(number, Source::Memory(Arc::new(Part { start, bytes })))
    }

    /// Checks a row group, whose rows are then read in steps: memory holds a page of each column.
    pub(crate) fn group_in_steps(&mut self, number: usize) -> Result<Group, LakeError> {
        let ByteRange { start, length } = self.place(number)?;
        self.file.seek(SeekFrom::Start(start))?;
        let mut sum = Summed(crc32fast::Hasher::new());
        let read = io::copy(&mut (&self.file).take(length), &mut sum)?;
        if read != length {
            return Err(LakeError::NoEventFile("it ends too early"));
        }
        self.check(number, sum.0.finalize())?;
        let file = Arc::new(self.file.try_clone()?);
        Ok(self.group_in(number, Source::Disk(file))?.in_steps())
    }

    fn place(&self, number: usize) -> Result<ByteRange, LakeError> {
        place(self.footer.row_group(number)).ok_or(LakeError::NoEventFile("a group is nowhere"))
    }

    fn check(&self, number: usize, sum: u32) -> Result<(), LakeError> {
        if sum == self.sums[number] {
            return Ok(());
        }
        Err(LakeError::Damaged(format!("row group {number} is not as it was written")))
    }

    fn group_in(&self, number: usize, source: Source) -> Result<Group, LakeError> {
        let columns = self.footer.row_group(number);
        let rows = usize::try_from(columns.num_rows()).map_err(|_| odd("kind"))?;
        let schema = self.footer.file_metadata().schema_descr_ptr();
        Ok(Group::new(source, schema, columns.clone(), rows))
    }
}

/// Adds up what it is given.
struct Summed(crc32fast::Hasher);

impl Write for Summed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads the footer and checks it, before anything in it is believed.
fn footer(file: &mut File) -> Result<ParquetMetaData, LakeError> {
    let none = LakeError::NoEventFile;
    let size = file.metadata()?.len();
    let tail_bytes = FOOTER_SIZE as u64;
    if size < MAGIC_BYTES + tail_bytes {
        return Err(none("it is too short"));
    }
    let tail = exactly(file, size - tail_bytes, tail_bytes)?;
    if tail[4..] != *b"PAR1" {
        return Err(none("it does not end as Parquet does"));
    }
    let length = u64::from(u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]));
    if length > FOOTER_BYTES_AT_MOST || length > size - MAGIC_BYTES - tail_bytes {
        return Err(none("its footer is longer than it can be"));
    }
    let footer = exactly(file, size - tail_bytes - length, length + tail_bytes)?;
    match checksum::is_whole(&footer) {
        None => return Err(none("its footer has no checksum")),
        Some(false) => {
            return Err(LakeError::Damaged("its footer is not as it was written".into()));
        }
        Some(true) => {}
    }
    Ok(ParquetMetaDataReader::decode_metadata(&footer[..footer.len() - FOOTER_SIZE])?)
}

/// Where a part of a file begins, and how long it is.
struct ByteRange {
    start: u64,
    length: u64,
}

/// The bytes of a row group: its columns follow each other.
fn place(group: &RowGroupMetaData) -> Option<ByteRange> {
    let start = |column: usize| {
        let column = group.columns().get(column)?;
        let start = column.dictionary_page_offset().unwrap_or_else(|| column.data_page_offset());
        Some((u64::try_from(start).ok()?, u64::try_from(column.compressed_size()).ok()?))
    };
    let (first, _) = start(0)?;
    let (last, length) = start(group.num_columns().checked_sub(1)?)?;
    Some(ByteRange { start: first, length: last.checked_add(length)?.checked_sub(first)? })
}

pub(crate) fn exactly(file: &mut File, start: u64, length: u64) -> Result<Bytes, LakeError> {
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 != length {
        return Err(LakeError::NoEventFile("it ends too early"));
    }
    Ok(bytes.into())
}

pub(crate) fn id(bytes: &FixedLenByteArray) -> Result<[u8; 16], LakeError> {
    bytes.data().try_into().map_err(|_| odd("event_id"))
}

/// The wanted records of a row group. What they are is read first: where none is wanted, nothing else is.
pub(crate) fn records(group: &mut Group, wanted: &Wanted) -> Result<Vec<Record>, LakeError> {
    let kinds = Kinds::of(group, wanted)?;
    if kinds.wanted.is_empty() {
        return Ok(Vec::new());
    }
    let rows = GroupRows::of(group)?;
    kinds.wanted.iter().map(|row| rows.record(*row, &kinds)).collect()
}

/// The records of a whole row group, some of its rows in memory at a time.
pub(crate) struct GroupRecords {
    group: Group,
    step: Option<(Kinds, GroupRows)>,
    /// The next row of the step.
    next: usize,
}

impl GroupRecords {
    /// Of a group that is read in steps.
    pub(crate) fn of(group: Group) -> Self {
        Self { group, step: None, next: 0 }
    }

    fn following(&mut self) -> Result<Option<Record>, LakeError> {
        loop {
            if let Some((kinds, rows)) = &self.step
                && self.next < kinds.wanted.len()
            {
                self.next += 1;
                return rows.record(self.next - 1, kinds).map(Some);
            }
            // The rows before make room for these.
            (self.step, self.next) = (None, 0);
            if !self.group.step() {
                return Ok(None);
            }
            let kinds = Kinds::of(&mut self.group, &Wanted::all())?;
            self.step = Some((kinds, GroupRows::of(&mut self.group)?));
        }
    }
}

impl Iterator for GroupRecords {
    type Item = Result<Record, LakeError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.following().transpose()
    }
}

/// The columns of a row group beside those that say what its rows are.
struct GroupRows {
    what: Details,
    times: Vec<i64>,
    received: Vec<i64>,
    ids: Vec<FixedLenByteArray>,
    marks: Vec<Marks>,
}

impl GroupRows {
    fn of(group: &mut Group) -> Result<Self, LakeError> {
        Ok(Self {
            what: Details::of(group)?,
            times: group.required::<Int64Type>("time")?,
            received: group.required::<Int64Type>("received")?,
            ids: group.required::<FixedLenByteArrayType>("event_id")?,
            marks: marks(group)?,
        })
    }

    fn record(&self, row: usize, kinds: &Kinds) -> Result<Record, LakeError> {
        Ok(Record {
            id: EventId::from_bytes(id(&self.ids[row])?),
            visitor: kinds.visitor(row),
            at: Millis(self.times[row]),
            received: Millis(self.received[row]),
            what: self.what.recorded(row, &kinds.kind(row)?)?,
            marks: self.marks[row],
        })
    }
}

/// What else rows say of what happened.
struct Details {
    campaigns: Vec<Option<i64>>,
    variations: Vec<Option<i64>>,
    agents: Vec<UserAgent>,
    pages: Vec<Option<u64>>,
    revenues: Vec<Option<i64>>,
    values: Vec<Option<i64>>,
    properties: Properties,
}

impl Details {
    fn of(group: &mut Group) -> Result<Self, LakeError> {
        Ok(Self {
            campaigns: group.optional::<Int64Type>("campaign_id")?,
            variations: group.optional::<Int64Type>("variation_id")?,
            agents: agents(group)?,
            pages: pages(group)?,
            revenues: group.optional::<Int64Type>("revenue")?,
            values: group.optional::<Int64Type>("value")?,
            properties: Properties::of(group)?,
        })
    }

    fn recorded(&self, row: usize, kind: &Kind<'_>) -> Result<Occurrence, LakeError> {
        match *kind {
            Kind::Exposure { experiment } => {
                let id = |ids: &[Option<i64>], name: &'static str| {
                    let id = ids[row].and_then(|id| u64::try_from(id).ok());
                    id.ok_or_else(|| odd(name))
                };
                let campaign = id(&self.campaigns, "campaign_id")?;
                let variation = id(&self.variations, "variation_id")?;
                let (agent, page) = (self.agents[row], self.pages[row]);
                Ok(Occurrence::Exposure { campaign, experiment, variation, agent, page })
            }
            Kind::Event { name } => Ok(Occurrence::Event {
                name: name.to_owned(),
                revenue: self.revenues[row],
                value: self.values[row].map(Amount::from_millionths),
                properties: self.properties.of_row(row)?,
            }),
        }
    }
}

pub(crate) fn marks(group: &mut Group) -> Result<Vec<Marks>, LakeError> {
    let [held_back, forced, previewed, bot, trusted, late, flicker] = [
        group.required::<BoolType>("is_held_back")?,
        group.required::<BoolType>("is_forced")?,
        group.required::<BoolType>("is_previewed")?,
        group.required::<BoolType>("is_bot")?,
        group.required::<BoolType>("is_trusted")?,
        group.required::<BoolType>("is_late")?,
        group.required_since::<BoolType>("may_flicker", false)?,
    ];
    let each = (0..group.rows).map(|row| Marks {
        is_held_back: held_back[row],
        is_forced: forced[row],
        is_previewed: previewed[row],
        is_bot: bot[row],
        is_trusted: trusted[row],
        is_late: late[row],
        may_flicker: flicker[row],
    });
    Ok(each.collect())
}

/// The properties of each row.
struct Properties {
    /// Those of all rows, one after the other.
    all: Vec<(ByteArray, ByteArray)>,
    /// Where those of a row begin, and at the end, where the last ones end.
    starts: Vec<usize>,
}

impl Properties {
    /// None, where the file has no map.
    fn of(group: &mut Group) -> Result<Self, LakeError> {
        let keys = group.leaf::<ByteArrayType>(PROPERTY_NAMES)?;
        let mut texts = group.leaf::<ByteArrayType>(PROPERTY_TEXTS)?.values.into_iter();
        let mut names = keys.values.into_iter();
        let (mut all, mut starts) = (Vec::new(), Vec::with_capacity(group.rows + 1));
        for (defined, repeated) in keys.defined.into_iter().zip(keys.repeated) {
            if repeated == 0 {
                starts.push(all.len());
            }
            // 0: no map, 1: one without entries, 2: an entry.
            if defined < 2 {
                continue;
            }
            let (Some(name), Some(text)) = (names.next(), texts.next()) else {
                return Err(odd(PROPERTY_TEXTS));
            };
            if starts.is_empty() {
                return Err(odd(PROPERTY_NAMES));
            }
            all.push((name, text));
        }
        if starts.len() != group.rows {
            return Err(odd(PROPERTY_NAMES));
        }
        starts.push(all.len());
        Ok(Self { all, starts })
    }

    fn of_row(&self, row: usize) -> Result<events::Properties, LakeError> {
        let own = &self.all[self.starts[row]..self.starts[row + 1]];
        let text = |bytes: &ByteArray| Ok::<_, LakeError>(bytes.as_utf8()?.into());
        own.iter().map(|(name, value)| Ok((text(name)?, text(value)?))).collect()
    }
}
