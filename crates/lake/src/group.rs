//! Writes the records of a row group, column by column, in the order of the schema.

use std::io::{self, Write};

use bytes::Bytes;
use events::{Amount, Browser, Device, Marks, Occurrence, Record, UserAgent};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, FixedLenByteArrayType, Int64Type,
};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedRowGroupWriter;

use crate::place::invalid;
use crate::schema::{EVENT, EXPOSURE, MILLIONTHS_AT_MOST};
use crate::write::failed;

/// The ids of campaign, experiment and variation.
type Ids = Option<[i64; 3]>;

pub(crate) fn write_group<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    records: &[Record],
) -> io::Result<()> {
    let ids = records.iter().map(ids).collect::<io::Result<Vec<_>>>()?;
    let values = records.iter().map(value).collect::<io::Result<Vec<_>>>()?;
    let pages = records.iter().map(page).collect::<io::Result<Vec<_>>>()?;
    write_columns(group, records, (&ids, &values, &pages)).map_err(failed)
}

fn write_columns<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    records: &[Record],
    (ids, values, pages): (&[Ids], &[Option<i64>], &[Option<i64>]),
) -> Result<(), ParquetError> {
    let id = |place: usize| ids.iter().map(move |ids| ids.map(|ids| ids[place]));
    let mark = |mark: fn(&Marks) -> bool| records.iter().map(move |record| mark(&record.marks));
    required::<ByteArrayType, _>(group, kinds(records))?;
    optional::<Int64Type, _>(group, id(1))?;
    optional::<ByteArrayType, _>(group, names(records))?;
    required::<Int64Type, _>(group, records.iter().map(|record| record.visitor.number()))?;
    required::<Int64Type, _>(group, records.iter().map(|record| record.at.0))?;
    optional::<Int64Type, _>(group, id(0))?;
    optional::<Int64Type, _>(group, id(2))?;
    optional::<Int64Type, _>(group, records.iter().map(revenue))?;
    optional::<Int64Type, _>(group, values.iter().copied())?;
    write_properties(group, records)?;
    for one in [
        (|marks: &Marks| marks.is_held_back) as fn(&Marks) -> bool,
        |marks| marks.is_forced,
        |marks| marks.is_previewed,
        |marks| marks.is_bot,
        |marks| marks.is_trusted,
        |marks| marks.is_late,
    ] {
        required::<BoolType, _>(group, mark(one))?;
    }
    required::<Int64Type, _>(group, records.iter().map(|record| record.received.0))?;
    let event_ids: Bytes = records.iter().flat_map(|record| record.id.bytes()).collect();
    let event_ids = (0..records.len())
        .map(|place| ByteArray::from(event_ids.slice(place * 16..(place + 1) * 16)).into());
    required::<FixedLenByteArrayType, _>(group, event_ids)?;
    let browsers = words(Browser::ALL.map(|browser| (browser, browser.word())));
    optional::<ByteArrayType, _>(group, agents(records).map(|agent| browsers(agent?.browser?)))?;
    let devices = words(Device::ALL.map(|device| (device, device.word())));
    optional::<ByteArrayType, _>(group, agents(records).map(|agent| devices(agent?.device?)))?;
    optional::<Int64Type, _>(group, pages.iter().copied())?;
    required::<BoolType, _>(group, mark(|marks| marks.may_flicker))
}

/// With what visitors came, of exposures.
fn agents(records: &[Record]) -> impl Iterator<Item = Option<UserAgent>> {
    records.iter().map(|record| match record.what {
        Occurrence::Exposure { agent, .. } => Some(agent),
        Occurrence::Event { .. } => None,
    })
}

/// Tells the word of each of a few things, which is in memory once.
fn words<T: PartialEq, const COUNT: usize>(
    all: [(T, &'static str); COUNT],
) -> impl Fn(T) -> Option<ByteArray> {
    let all = all.map(|(one, word)| (one, ByteArray::from(word)));
    move |wanted| all.iter().find(|(one, _)| *one == wanted).map(|(_, word)| word.clone())
}

/// Each text once in memory, however many rows have it.
fn kinds(records: &[Record]) -> impl Iterator<Item = ByteArray> {
    let [event, exposure] = [EVENT, EXPOSURE].map(ByteArray::from);
    records.iter().map(move |record| match record.what {
        Occurrence::Event { .. } => event.clone(),
        Occurrence::Exposure { .. } => exposure.clone(),
    })
}

fn names(records: &[Record]) -> impl Iterator<Item = Option<ByteArray>> {
    let mut last: Option<(&str, ByteArray)> = None;
    records.iter().map(move |record| match &record.what {
        Occurrence::Event { name, .. } => {
            let known = last.take().filter(|(known, _)| known == name);
            let known = known.unwrap_or_else(|| (name, ByteArray::from(name.as_str())));
            Some(last.insert(known).1.clone())
        }
        Occurrence::Exposure { .. } => None,
    })
}

fn ids(record: &Record) -> io::Result<Ids> {
    match record.what {
        Occurrence::Exposure { campaign, experiment, variation, .. } => {
            Ok(Some([id(campaign)?, id(experiment)?, id(variation)?]))
        }
        Occurrence::Event { .. } => Ok(None),
    }
}

fn id(id: u64) -> io::Result<i64> {
    i64::try_from(id).map_err(|_| invalid("an id is beyond 2^63"))
}

fn page(record: &Record) -> io::Result<Option<i64>> {
    match record.what {
        Occurrence::Exposure { page, .. } => page.map(id).transpose(),
        Occurrence::Event { .. } => Ok(None),
    }
}

fn revenue(record: &Record) -> Option<i64> {
    match record.what {
        Occurrence::Event { revenue, .. } => revenue,
        Occurrence::Exposure { .. } => None,
    }
}

fn value(record: &Record) -> io::Result<Option<i64>> {
    let value = match record.what {
        Occurrence::Event { value, .. } => value.map(Amount::millionths),
        Occurrence::Exposure { .. } => None,
    };
    match value.filter(|value| value.unsigned_abs() > MILLIONTHS_AT_MOST) {
        Some(_) => Err(invalid("a value has more than 18 digits")),
        None => Ok(value),
    }
}

fn write_properties<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    records: &[Record],
) -> Result<(), ParquetError> {
    let (mut keys, mut texts, mut defined, mut repeated) = (vec![], vec![], vec![], vec![]);
    for record in records {
        let before = keys.len();
        if let Occurrence::Event { properties, .. } = &record.what {
            for (key, text) in properties.iter() {
                repeated.push(i16::from(keys.len() > before));
                defined.push(2);
                keys.push(ByteArray::from(key));
                texts.push(ByteArray::from(text));
            }
        }
        if keys.len() == before {
            repeated.push(0);
            defined.push(0);
        }
    }
    for values in [keys, texts] {
        write::<ByteArrayType, _>(group, &values, (Some(&defined), Some(&repeated)))?;
    }
    Ok(())
}

fn required<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: impl Iterator<Item = T::T>,
) -> Result<(), ParquetError> {
    write::<T, W>(group, &values.collect::<Vec<_>>(), (None, None))
}

fn optional<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: impl Iterator<Item = Option<T::T>>,
) -> Result<(), ParquetError> {
    let mut defined = Vec::new();
    let each = values.inspect(|value| defined.push(i16::from(value.is_some())));
    let values: Vec<_> = each.flatten().collect();
    write::<T, W>(group, &values, (Some(&defined), None))
}

fn write<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &[T::T],
    (defined, repeated): (Option<&[i16]>, Option<&[i16]>),
) -> Result<(), ParquetError> {
    let missing = || ParquetError::General("the schema has fewer columns".to_owned());
    let mut column = group.next_column()?.ok_or_else(missing)?;
    column.typed::<T>().write_batch(values, defined, repeated)?;
    column.close()
}
