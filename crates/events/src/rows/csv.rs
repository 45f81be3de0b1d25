//! Rows of comma-separated values.

use std::borrow::Cow;
use std::collections::BTreeSet;

use csv::{Reader, ReaderBuilder, StringRecord};

use crate::rows::RowFault;
use crate::rows::decimals::Decimals;
use crate::rows::names::{ColumnNames, wanted_properties};
use crate::rows::row::{Cells, Row};

/// Hands on each row with its line. Takes the columns that are there out of `unseen`.
pub(super) fn each_row<R: Row>(
    text: &str,
    names: &ColumnNames,
    unseen: &mut BTreeSet<String>,
    take: &mut impl FnMut(u64, Result<Cells<'_>, String>),
) -> Result<(), RowFault> {
    let Some((separator, rest)) = separator_line(text) else {
        return each_row_of::<R>((text, delimiter(text)), names, unseen, take);
    };
    each_row_of::<R>((rest, separator), names, unseen, &mut |line, cells| take(line + 1, cells))
        .map_err(|fault| RowFault { line: fault.line + 1, ..fault })
}

fn each_row_of<R: Row>(
    (text, delimiter): (&str, u8),
    names: &ColumnNames,
    unseen: &mut BTreeSet<String>,
    take: &mut impl FnMut(u64, Result<Cells<'_>, String>),
) -> Result<(), RowFault> {
    let mut reader = reader(text, delimiter);
    let headers = reader.headers().map_err(|error| fault(1, &error))?.clone();
    unseen.retain(|column| !headers.iter().any(|header| header.trim() == column));
    let wanted = wanted_properties::<R>(names);
    let properties: Vec<&str> = wanted.iter().map(|(name, _)| *name).collect();
    let mut places = places::<R>(&headers, names)?;
    for (_, column) in &wanted {
        places.push(place(&headers, column)?);
    }
    let fields = R::FIELDS.iter().map(|(name, _)| *name);
    let is_number: Vec<bool> =
        fields.chain(properties.iter().copied()).map(|name| names.is_number(name)).collect();
    let decimals = (delimiter == b';').then(|| {
        let numbers = places.iter().zip(&is_number).filter(|(_, is_number)| **is_number);
        decimals(text, &numbers.filter_map(|(place, _)| *place).collect::<Vec<_>>())
    });
    let mut record = StringRecord::new();
    loop {
        match reader.read_record(&mut record) {
            Ok(false) => return Ok(()),
            Ok(true) => {
                let line = record.position().map_or(0, |position| line_of(text, position));
                let read = cells::<R>(&record, &headers, (&properties, &places));
                let read = match decimals {
                    Some(decimals) => read.and_then(|cells| plain(cells, &is_number, decimals)),
                    None => read,
                };
                take(line, read);
            }
            Err(error) => return Err(fault(0, &error)),
        }
    }
}

fn reader(text: &str, delimiter: u8) -> Reader<&[u8]> {
    ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(text.as_bytes())
}

/// What separates the names of the first line: the sign that is there most often, since a name may have another.
fn delimiter(text: &str) -> u8 {
    let first = text.lines().next().unwrap_or_default();
    // Within quotes, each second part, nothing separates.
    let outside = first.split('"').step_by(2);
    let count = |separator: u8| -> usize {
        outside.clone().map(|part| part.bytes().filter(|byte| *byte == separator).count()).sum()
    };
    // Of as many, the last is the most.
    [b'\t', b';', b','].into_iter().max_by_key(|separator| count(*separator)).unwrap_or(b',')
}

/// What a line before the names says that separates, such as `sep=;` of spreadsheets, and the text after it.
fn separator_line(text: &str) -> Option<(u8, &str)> {
    let (first, rest) = text.split_once('\n')?;
    match first.trim_end_matches('\r').trim_matches('"').strip_prefix("sep=")?.as_bytes() {
        [separator] => Some((*separator, rest)),
        _ => None,
    }
}

/// The place of each field's column; `None` for one that the file need not have.
fn places<R: Row>(
    headers: &StringRecord,
    names: &ColumnNames,
) -> Result<Vec<Option<usize>>, RowFault> {
    let places = R::FIELDS.iter().map(|(field, is_needed)| {
        let wanted = names.column(field);
        let place = match (place(headers, wanted)?, names.own_column(field)) {
            (None, Some(own)) => place(headers, own)?,
            (place, _) => place,
        };
        if place.is_none() && (*is_needed || names.names(field)) {
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

/// How the numbers at these places are written.
fn decimals(text: &str, places: &[usize]) -> Decimals {
    let mut decimals = Decimals::default();
    let mut reader = reader(text, b';');
    for record in reader.records().map_while(Result::ok) {
        for cell in places.iter().filter_map(|place| record.get(*place)) {
            decimals.look(cell.trim());
        }
    }
    decimals
}

/// The same with numbers as they are written elsewhere.
fn plain<'t>(
    mut cells: Cells<'t>,
    is_number: &[bool],
    decimals: Decimals,
) -> Result<Cells<'t>, String> {
    let names = cells.fields.iter().map(|(name, _)| *name).chain(cells.properties.iter().copied());
    let numbers = names.zip(&mut cells.texts).zip(is_number).filter(|(_, is_number)| **is_number);
    for ((name, text), _) in numbers {
        let Some(text) = text else { continue };
        match decimals.plain(text.trim()) {
            Ok(None) => {}
            Ok(Some(number)) => *text = Cow::Owned(number),
            Err(detail) => return Err(format!("`{}` in `{name}`: {detail}", text.trim())),
        }
    }
    Ok(cells)
}

fn fault(line: u64, error: &csv::Error) -> RowFault {
    let line = error.position().map_or(line, csv::Position::line);
    RowFault { line, detail: error.to_string() }
}
