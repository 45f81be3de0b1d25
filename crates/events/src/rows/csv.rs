//! Rows of comma-separated values.

use std::borrow::Cow;
use std::collections::BTreeSet;

use csv::{ReaderBuilder, StringRecord};

use crate::rows::RowFault;
use crate::rows::decimal_comma::with_point;
use crate::rows::names::{ColumnNames, column, wanted_properties};
use crate::rows::row::{Cells, Row};

/// Hands on each row with its line. Takes the columns that are there out of `unseen`.
pub(super) fn each_row<R: Row>(
    text: &str,
    names: &ColumnNames,
    unseen: &mut BTreeSet<String>,
    take: &mut impl FnMut(u64, Result<Cells<'_>, String>),
) -> Result<(), RowFault> {
    let delimiter = delimiter(text);
    let mut reader =
        ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(text.as_bytes());
    let headers = reader.headers().map_err(|error| fault(1, &error))?.clone();
    unseen.retain(|column| !headers.iter().any(|header| header.trim() == column));
    let wanted = wanted_properties::<R>(names);
    let properties: Vec<&str> = wanted.iter().map(|(name, _)| *name).collect();
    let mut places = places::<R>(&headers, names)?;
    for (_, column) in &wanted {
        places.push(place(&headers, column)?);
    }
    let mut record = StringRecord::new();
    loop {
        match reader.read_record(&mut record) {
            Ok(false) => return Ok(()),
            Ok(true) => {
                let line = record.position().map_or(0, |position| line_of(text, position));
                let read = cells::<R>(&record, &headers, (&properties, &places));
                take(line, if delimiter == b';' { read.and_then(with_points) } else { read });
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
        let place = place(headers, wanted)?;
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

/// The place of the one column of this name. Of two, nobody knows which is meant.
fn place(headers: &StringRecord, wanted: &str) -> Result<Option<usize>, RowFault> {
    let mut found = headers.iter().enumerate().filter(|(_, header)| header.trim() == wanted);
    let place = found.next().map(|(place, _)| place);
    if found.next().is_some() {
        let detail = format!(
            "there are two columns `{wanted}`; hint: rename one, or name another with `column`"
        );
        return Err(RowFault { line: 1, detail });
    }
    Ok(place)
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

/// The line in which a record begins. The reader is still before the end of the line above, where that is CRLF, and before empty lines.
fn line_of(text: &str, position: &csv::Position) -> u64 {
    let start = usize::try_from(position.byte()).unwrap_or(usize::MAX);
    let rest = text.as_bytes().get(start..).unwrap_or_default();
    let ends = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
    position.line() + ends.filter(|byte| **byte == b'\n').count() as u64
}

/// Where semicolons separate, because commas are in numbers, `19,99` is 19.99, and nobody knows whether `2.000` is two.
fn with_points(mut cells: Cells<'_>) -> Result<Cells<'_>, String> {
    let names = cells.fields.iter().map(|(name, _)| *name).chain(cells.properties.iter().copied());
    let is_money = |name: &str| name == "value" || name == "revenue";
    let money = names.zip(&mut cells.texts).filter(|(name, _)| is_money(name));
    for (name, text) in money {
        let Some(text) = text else { continue };
        match with_point(text.trim()) {
            Ok(None) => {}
            Ok(Some(decimal)) => *text = Cow::Owned(decimal),
            Err(detail) => return Err(format!("`{}` in `{name}`: {detail}", text.trim())),
        }
    }
    Ok(cells)
}

fn fault(line: u64, error: &csv::Error) -> RowFault {
    let line = error.position().map_or(line, csv::Position::line);
    RowFault { line, detail: error.to_string() }
}
