//! Reads columns of a row group, all of its rows or some at a time.

use std::any::Any;
use std::collections::BTreeMap;
use std::fs::File;
use std::sync::Arc;

use bytes::buf::Reader;
use bytes::{Buf as _, Bytes};
use parquet::basic::Compression;
use parquet::column::page::PageReader;
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::schema::types::{SchemaDescPtr, SchemaDescriptor};

use crate::LakeError;
use crate::unpacked::{BoundedPages, Budget};

/// Rows that are in memory at a time where they are read one after the other,
const ROWS_IN_A_STEP: u64 = 512;

/// and bytes of them, about.
const BYTES_IN_A_STEP: u64 = 512 * 1024;

/// A part of a file, in memory.
pub(crate) struct Part {
    pub(crate) start: u64,
    pub(crate) bytes: Bytes,
}

/// Where the bytes of a row group are.
pub(crate) enum Source {
    Memory(Arc<Part>),
    /// Pages are read from the file one by one.
    Disk(Arc<File>),
}

/// A row group, and what the file says of it.
pub(crate) struct Group {
    source: Source,
    pub(crate) schema: SchemaDescPtr,
    columns: RowGroupMetaData,
    /// How many rows are read at a time: all, unless they are read in steps.
    pub(crate) rows: usize,
    /// How many come after these.
    later: usize,
    /// The columns of which more is to come, by their places and how often each was read before in these rows: two things may be in one.
    begun: BTreeMap<(usize, usize), Box<dyn Any>>,
    /// How often each was read in these rows.
    read: BTreeMap<usize, usize>,
    /// How much of it may be unpacked, unless its writer is trusted.
    budget: Option<Arc<Budget>>,
}

/// The values of a column, and for each row or part of one, how much of it is there and whether it continues the row before.
pub(crate) struct Leaf<T> {
    pub(crate) values: Vec<T>,
    pub(crate) defined: Vec<i16>,
    pub(crate) repeated: Vec<i16>,
}

impl Group {
    pub(crate) fn new(
        source: Source,
        schema: SchemaDescPtr,
        columns: RowGroupMetaData,
        rows: usize,
    ) -> Self {
        let (begun, read) = (BTreeMap::new(), BTreeMap::new());
        Self { source, schema, columns, rows, later: 0, begun, read, budget: None }
    }

    /// The same, of which nothing is read before the first [`Self::step`].
    pub(crate) fn in_steps(self) -> Self {
        Self { rows: 0, later: self.rows, ..self }
    }

    /// The same, of which no more than this is unpacked. Each column has one value of a row at most.
    pub(crate) fn within(self, budget: Option<Arc<Budget>>) -> Self {
        Self { budget, ..self }
    }

    /// Counts what was made of it. Tells whether that is not too much.
    pub(crate) fn has_room_for(&self, bytes: usize) -> bool {
        self.budget.as_ref().is_none_or(|budget| budget.take(bytes))
    }

    /// Goes to the next rows. Tells whether there are any. A column that a caller reads of one step, it reads as often of every step.
    pub(crate) fn step(&mut self) -> bool {
        let [bytes, rows] = [self.columns.total_byte_size(), self.columns.num_rows()]
            .map(|number| u64::try_from(number).unwrap_or(0).max(1));
        let rows = (BYTES_IN_A_STEP / bytes.div_ceil(rows)).clamp(1, ROWS_IN_A_STEP);
        self.rows = usize::try_from(rows).map_or(self.later, |rows| rows.min(self.later));
        self.later -= self.rows;
        self.read.clear();
        self.rows > 0
    }

    /// The values of a column that has one in every row.
    pub(crate) fn required<T: DataType>(
        &mut self,
        name: &'static str,
    ) -> Result<Vec<T::T>, LakeError> {
        let leaf = self.leaf::<T>(name)?;
        if leaf.values.len() != self.rows {
            return Err(odd(name));
        }
        Ok(leaf.values)
    }

    /// The same of a column that files of earlier schemas do not have: `before` in every row.
    pub(crate) fn required_since<T: DataType>(
        &mut self,
        name: &'static str,
        before: T::T,
    ) -> Result<Vec<T::T>, LakeError> {
        match place_of(&self.schema, name) {
            Some(_) => self.required::<T>(name),
            None => Ok(vec![before; self.rows]),
        }
    }

    /// The values of a column that may have none in a row.
    pub(crate) fn optional<T: DataType>(
        &mut self,
        name: &'static str,
    ) -> Result<Vec<Option<T::T>>, LakeError> {
        let leaf = self.leaf::<T>(name)?;
        let mut values = leaf.values.into_iter();
        let each = leaf.defined.into_iter().map(|defined| match defined {
            0 => Ok(None),
            _ => values.next().map(Some).ok_or_else(|| odd(name)),
        });
        let all = each.collect::<Result<Vec<_>, _>>()?;
        if all.len() == self.rows { Ok(all) } else { Err(odd(name)) }
    }

    /// The same of a column that files of earlier schemas do not have: nothing in every row.
    pub(crate) fn optional_since<T: DataType>(
        &mut self,
        name: &'static str,
    ) -> Result<Vec<Option<T::T>>, LakeError> {
        match place_of(&self.schema, name) {
            Some(_) => self.optional::<T>(name),
            None => Ok(vec![None; self.rows]),
        }
    }

    pub(crate) fn leaf<T: DataType>(&mut self, name: &str) -> Result<Leaf<T::T>, LakeError> {
        let place = place_of(&self.schema, name);
        let place = place.ok_or(LakeError::NoEventFile("a column is missing"))?;
        let times = self.read.entry(place).or_default();
        let key = (place, *times);
        *times += 1;
        let begun = self.begun.remove(&key).and_then(|reader| reader.downcast().ok());
        let mut reader: Box<ColumnReaderImpl<T>> = match begun {
            Some(reader) => reader,
            None => Box::new(self.begin(place)?),
        };
        let mut leaf = Leaf { values: Vec::new(), defined: Vec::new(), repeated: Vec::new() };
        let (rows, ..) = reader.read_records(
            self.rows,
            Some(&mut leaf.defined),
            Some(&mut leaf.repeated),
            &mut leaf.values,
        )?;
        if self.later > 0 {
            self.begun.insert(key, reader);
        }
        if rows == self.rows { Ok(leaf) } else { Err(odd(name)) }
    }

    fn begin<T: DataType>(&self, place: usize) -> Result<ColumnReaderImpl<T>, LakeError> {
        let column = self.schema.column(place);
        if column.physical_type() != T::get_physical_type() {
            return Err(LakeError::NoEventFile("a column has another type"));
        }
        let (chunk, rows) = (self.columns.column(place), self.rows + self.later);
        let Some(budget) = &self.budget else {
            return Ok(ColumnReaderImpl::new(column, self.pages(chunk, rows)?));
        };
        let as_it_is = chunk.clone().into_builder().set_compression(Compression::UNCOMPRESSED);
        let pages = BoundedPages {
            packed: self.pages(&as_it_is.build()?, rows)?,
            packing: chunk.compression(),
            is_optional: column.max_def_level() > 0,
            rows,
            budget: Arc::clone(budget),
        };
        Ok(ColumnReaderImpl::new(column, Box::new(pages)))
    }

    fn pages(
        &self,
        chunk: &ColumnChunkMetaData,
        rows: usize,
    ) -> Result<Box<dyn PageReader>, LakeError> {
        Ok(match &self.source {
            Source::Memory(part) => {
                Box::new(SerializedPageReader::new(Arc::clone(part), chunk, rows, None)?)
            }
            Source::Disk(file) => {
                Box::new(SerializedPageReader::new(Arc::clone(file), chunk, rows, None)?)
            }
        })
    }
}

/// The place of a column that is called so, with the names of the groups that it is in.
pub(crate) fn place_of(schema: &SchemaDescriptor, name: &str) -> Option<usize> {
    schema.columns().iter().position(|column| column.path().parts().join(".") == name)
}

pub(crate) fn odd(name: &str) -> LakeError {
    LakeError::Damaged(format!("column `{name}` has another number of values than the others"))
}

impl Length for Part {
    fn len(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }
}

impl ChunkReader for Part {
    type T = Reader<Bytes>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        let bytes = self.from(start)?;
        Ok(bytes.reader())
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let mut bytes = self.from(start)?;
        if bytes.len() < length {
            return Err(outside());
        }
        Ok(bytes.split_to(length))
    }
}

impl Part {
    fn from(&self, start: u64) -> Result<Bytes, ParquetError> {
        let skipped =
            start.checked_sub(self.start).and_then(|skipped| usize::try_from(skipped).ok());
        let skipped = skipped.filter(|skipped| *skipped <= self.bytes.len()).ok_or_else(outside)?;
        Ok(self.bytes.slice(skipped..))
    }
}

fn outside() -> ParquetError {
    ParquetError::EOF("a column lies outside of its row group".to_owned())
}
