//! Rows of comma-separated values.

use std::borrow::Cow;

use csv::{ReaderBuilder, StringRecord};

use crate::rows::row::{Cells, Row};
use crate::rows::{ColumnNames, RowFault, column, wanted_properties};

/// Hands on each row with its line.
pub(super) fn each_row<R: Row>(
    text: &str,
    names: &ColumnNames,
    take: &mut impl FnMut(u64, Result<Cells<'_>, String>),
) -> Result<(), RowFault> {
    let mut reader =
        ReaderBuilder::new().delimiter(delimiter(text)).flexible(true).from_reader(text.as_bytes());
    let headers = reader.headers().map_err(|error| fault(1, &error))?.clone();
    let wanted = wanted_properties::<R>(names);
    let properties: Vec<&str> = wanted.iter().map(|(name, _)| *name).collect();
    let of_properties =
        wanted.iter().map(|(_, column)| headers.iter().position(|header| header.trim() == *column));
    let mut places = places::<R>(&headers, names)?;
    places.extend(of_properties);
    let mut record = StringRecord::new();
    loop {
        match reader.read_record(&mut record) {
            Ok(false) => return Ok(()),
            Ok(true) => {
                let line = record.position().map_or(0, csv::Position::line);
                take(line, cells::<R>(&record, &headers, (&properties, &places)));
            }
            Err(error) => return Err(fault(0, &error)),
        }
    }
}

/// What separates the names of the first line.
fn delimiter(text: &str) -> u8 {
    let first = text.lines().next().unwrap_or_default();
    let found =
        [b',', b';', b'\t'].into_iter().find(|separator| first.as_bytes().contains(separator));
    found.unwrap_or(b',')
}

/// The place of each field's column; `None` for one that the file need not have.
fn places<R: Row>(
    headers: &StringRecord,
    names: &ColumnNames,
) -> Result<Vec<Option<usize>>, RowFault> {
    let places = R::FIELDS.iter().map(|(field, is_needed)| {
        let wanted = column(names, field);
        let place = headers.iter().position(|header| header.trim() == wanted);
        if place.is_none() && (*is_needed || names.contains_key(*field)) {
            let known: Vec<_> =
                headers.iter().map(|header| format!("`{}`", header.trim())).collect();
            let detail = format!("there is no column `{wanted}`, only {}", known.join(", "));
            return Err(RowFault { line: 1, detail });
        }
        Ok(place)
    });
    places.collect()
}

fn cells<'r, R: Row>(
    record: &'r StringRecord,
    headers: &StringRecord,
    (properties, places): (&'r [&'r str], &[Option<usize>]),
) -> Result<Cells<'r>, String> {
    if record.len() != headers.len() {
        let (values, names) = (record.len(), headers.len());
        return Err(format!("the line has {values} values, and the first line {names} names"));
    }
    let texts =
        places.iter().map(|place| place.and_then(|place| record.get(place)).map(Cow::Borrowed));
    Ok(Cells { fields: R::FIELDS, properties, texts: texts.collect() })
}

fn fault(line: u64, error: &csv::Error) -> RowFault {
    let line = error.position().map_or(line, csv::Position::line);
    RowFault { line, detail: error.to_string() }
}
