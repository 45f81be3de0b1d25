//! Rows of comma-separated values.

mod records;

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::rows::RowFault;
use crate::rows::csv::records::{HINT, Records};
use crate::rows::decimals::Decimals;
use crate::rows::names::{ColumnNames, column_place, refuse_export, wanted_properties};
use crate::rows::row::{Cells, Row};

/// Hands on each row with its line. Takes the columns that are there out of `unseen`.
pub(super) fn each_row<R: Row>(
    text: &str,
    names: &ColumnNames,
    unseen: &mut BTreeSet<String>,
    take: &mut impl FnMut(u64, Result<R, String>),
) -> Result<(), RowFault> {
    let (start, delimiter) = separator_line(text).unwrap_or_else(|| (0, delimiter(text)));
    let mut records = Records::new(text, start, delimiter);
    let mut headers = Vec::new();
    let (line, read) = match records.next(&mut headers) {
        Some(first) => (first.line, first.read),
        None => (1, Ok(())),
    };
    let fault = |detail| RowFault { line, detail };
    read.map_err(fault)?;
    let has = |column: &str| place(&headers, column) != Ok(None);
    refuse_export(has).map_err(|detail| fault(detail.to_owned()))?;
    unseen.retain(|column| !has(column));
    let wanted = wanted_properties::<R>(names);
    let properties: Vec<&str> = wanted.iter().map(|(name, _)| *name).collect();
    let mut places = places::<R>(&headers, names).map_err(fault)?;
    for (_, column) in &wanted {
        places.push(place(&headers, column).map_err(fault)?);
    }
    let fields = R::FIELDS.iter().map(|(name, _)| *name);
    let is_number: Vec<bool> =
        fields.chain(properties.iter().copied()).map(|name| names.is_number(name)).collect();
    let decimals = (delimiter == b';').then(|| {
        let numbers = places.iter().zip(&is_number).filter(|(_, is_number)| **is_number);
        let numbers: Vec<_> = numbers.filter_map(|(place, _)| *place).collect();
        decimals(Records::new(text, start, delimiter), &numbers)
    });
    let read = |values: &[Cow<'_, str>], lines| -> Result<R, String> {
        has_all(values, &headers, lines)?;
        let cells = cells::<R>(values, (&properties, &places), names);
        R::of(&match decimals {
            Some(decimals) => plain(cells, &is_number, decimals)?,
            None => cells,
        })
    };
    let mut values = Vec::new();
    while let Some(record) = records.next(&mut values) {
        let lines @ (line, last_line) = (record.line, record.last_line);
        let is_row = |text: &str| {
            let values: Vec<_> = text.split(char::from(delimiter)).map(Cow::Borrowed).collect();
            read(&values, (line, line)).is_ok()
        };
        if records.ends_of(&record).is_some_and(|ends| ends.into_iter().all(is_row)) {
            take(line, Err(merged(line, last_line)));
            continue;
        }
        take(line, record.read.and_then(|()| read(&values, lines)));
    }
    Ok(())
}

/// Why a record is refused whose first and last line are rows by themselves. In dumps without quotes around values, two values with a quote look
/// like one value with all rows between. In a value that was meant so, a row has to be quoted, with its moment: no reader can tell which it is, and as
/// rows, its lines would be what a visitor wrote who knows the columns.
fn merged(line: u64, last_line: u64) -> String {
    format!(
        "quotes make lines {line} to {last_line} one row, but without them the first and the last are rows of their own; hint: {HINT}"
    )
}

/// What separates the names of the first line: the sign that is there most often, since a name may have another.
fn delimiter(text: &str) -> u8 {
    let first = text.split(['\r', '\n']).next().unwrap_or_default();
    // Within quotes, each second part, nothing separates.
    let outside = first.split('"').step_by(2);
    let count = |separator: u8| -> usize {
        outside.clone().map(|part| part.bytes().filter(|byte| *byte == separator).count()).sum()
    };
    // Of as many, the last is the most.
    [b'\t', b';', b','].into_iter().max_by_key(|separator| count(*separator)).unwrap_or(b',')
}

/// Where a line ends that says before the names what separates, such as `sep=;` of spreadsheets, and what it says.
fn separator_line(text: &str) -> Option<(usize, u8)> {
    let (first, _) = text.split_once(['\r', '\n'])?;
    match first.trim_matches('"').strip_prefix("sep=")?.as_bytes() {
        [separator] => Some((first.len(), *separator)),
        _ => None,
    }
}

/// The place of each field's column; `None` for one that the file need not have.
fn places<R: Row>(
    headers: &[Cow<'_, str>],
    names: &ColumnNames,
) -> Result<Vec<Option<usize>>, String> {
    let places = R::FIELDS.iter().map(|(field, is_needed)| {
        let wanted = names.column(field);
        let place = match (place(headers, wanted)?, names.own_column(field)) {
            (None, Some(own)) => place(headers, own)?,
            (place, _) => place,
        };
        let is_needed = *is_needed || names.names(field);
        if place.is_none() && is_needed && names.constant(field).is_none() {
            let known: Vec<_> =
                headers.iter().map(|header| format!("`{}`", header.trim())).collect();
            if known.is_empty() {
                return Err(format!("there is no column `{wanted}`: the first line names the columns, and it is empty"));
            }
            return Err(format!("there is no column `{wanted}`, only {}", known.join(", ")));
        }
        Ok(place)
    });
    places.collect()
}

fn place(headers: &[Cow<'_, str>], wanted: &str) -> Result<Option<usize>, String> {
    column_place(headers.iter().map(|header| header.trim()), wanted)
        .map_err(|twice| twice.to_string())
}

/// Refuses a record whose values are not as many as the names.
fn has_all(
    values: &[Cow<'_, str>],
    headers: &[Cow<'_, str>],
    (line, last_line): (u64, u64),
) -> Result<(), String> {
    let (values, names) = (values.len(), headers.len());
    if values == names {
        return Ok(());
    }
    if line == last_line {
        return Err(format!("the line has {values} values, and the first line {names} names"));
    }
    Err(format!(
        "quotes make lines {line} to {last_line} one row, which has {values} values, and the first line {names} names"
    ))
}

fn cells<'r, R: Row>(
    values: &'r [Cow<'_, str>],
    (properties, places): (&'r [&'r str], &[Option<usize>]),
    names: &'r ColumnNames,
) -> Cells<'r> {
    let texts = places.iter().map(|place| place.and_then(|place| values.get(place)));
    let texts = texts.map(|value| value.map(|value| Cow::Borrowed(&**value)));
    Cells { fields: R::FIELDS, properties, names, texts: texts.collect() }
}

/// How the numbers at these places are written.
fn decimals(mut records: Records<'_>, places: &[usize]) -> Decimals {
    let mut decimals = Decimals::default();
    let mut values = Vec::new();
    while let Some(record) = records.next(&mut values) {
        // In a broken record it is unknown which value is which.
        let values = if record.read.is_ok() { &*values } else { &[] };
        for value in places.iter().filter_map(|place| values.get(*place)) {
            decimals.look(value.trim());
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::rows::{ColumnNames, EventRow, ReadRows, RowFault, RowFormat, read_rows};

    fn read(text: &str) -> Result<ReadRows<EventRow>, RowFault> {
        read_rows(text, RowFormat::Csv, &ColumnNames::default())
    }

    fn faults(read: &ReadRows<EventRow>) -> Vec<String> {
        read.faults.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn rows_after_one_with_an_open_quote_count_in_files_of_all_tools() {
        let own = "visitor,search,time,name\nada,shoes,2026-11-22,buy\nbob,\"red,2026-11-22,buy\ncleo,15\" screen,2026-11-22,buy\ndan,\"a\n\"\"b\"\"\",2026-11-22,buy\n";
        let semicolons = own.replace(',', ";");
        for text in [
            own.to_owned(),
            format!("\u{feff}{own}"),
            own.replace('\n', "\r\n"),
            own.replace('\n', "\r"),
            own.replace(',', "\t"),
            semicolons.clone(),
            format!("sep=;\n{semicolons}"),
            format!("sep=;\r\n{semicolons}").replace('\n', "\r\n").replace("\r\r", "\r"),
            format!("\"sep=;\"\r{semicolons}").replace('\n', "\r"),
        ] {
            let read = read(&text).unwrap();

            let visitors: Vec<_> = read.rows.iter().map(|row| &*row.visitor).collect();
            assert_eq!(visitors, ["ada", "cleo", "dan"], "{text}");
            let first = u64::from(text.contains("sep="));
            assert_eq!(read.lines, [2, 4, 5].map(|line| line + first), "{text}");
            let told = format!(
                "line {}: the quote before `red` opens a value, and text follows the one that closes it in line {}; hint: put",
                first + 3,
                first + 4
            );
            assert!(faults(&read)[0].starts_with(&told), "{:?}", read.faults);
        }
    }

    #[test]
    fn rows_that_quotes_make_one_are_told_with_all_their_lines() {
        let text = "visitor,time,name\nada,2026-11-22,\"buy\nbob,2026-11-22\",buy,x\ncleo,2026-11-22,buy\n";

        let read = read(text).unwrap();

        let told = "line 2: quotes make lines 2 to 3 one row, which has 5 values, and the first line 3 names";
        assert_eq!((faults(&read), read.lines), (vec![told.to_owned()], vec![4]));
    }

    #[test]
    fn rows_between_two_quotes_of_a_dump_are_refused_and_not_one_row() {
        let dump = "visitor\tsearch\ttime\tname\nada\t\"red\t2026-11-22\tbuy\nbob\tx\t2026-11-22\tbuy\ncleo\tshoes\"\t2026-11-22\tbuy\ndan\tx\t2026-11-22\tbuy\n";
        let quoted =
            "visitor\ttime\tname\tsearch\nada\t2026-11-22\tbuy\t\"red\nbob\tx\tbuy\tshoes\"\n";

        let read = [dump, quoted].map(|text| read(text).unwrap());

        let told = "line 2: quotes make lines 2 to 4 one row, but without them the first and the last are rows of their own; hint: put";
        assert!(faults(&read[0])[0].starts_with(told), "{:?}", read[0].faults);
        assert_eq!(read.map(|read| read.lines), [vec![5], vec![2]]);
    }

    #[test]
    fn names_with_an_open_quote_are_refused() {
        let told = read("visitor,\"time,name\nada,2026-11-22,buy\n").unwrap_err().to_string();

        assert!(told.starts_with("line 1: the quote before `time` is never closed"), "{told}");
    }

    #[test]
    fn how_numbers_are_written_is_not_asked_of_rows_that_are_broken() {
        let text = "visitor;name;value;time\nada;buy;2.000;2026-11-22\nbob;buy;0.5;2026-11-22;\"x\ncleo;buy;0,5;2026-11-22\n";

        let read = read(text).unwrap();

        assert_eq!(read.rows[0].value.map(crate::Amount::millionths), Some(2_000_000_000));
    }

    proptest! {
            #[test]
            fn no_row_of_a_dump_without_quotes_is_made_of_two(
                values in prop::collection::vec(prop::sample::select(&["red", "\"red", "shoes\"", "15\"", "\"", "\"\"", "\"a\"", "a\"\"b"][..]), 0..10),
            ) {
                let rows = (2..).zip(&values).map(|(line, value)| format!("{line}\t{value}\t2026-11-22\t{line}\n"));
                let text: String = std::iter::once("visitor\tsearch\ttime\tname\n".to_owned()).chain(rows).collect();

                let read = read(&text).unwrap();

                for (row, line) in read.rows.iter().zip(&read.lines) {
                    let own = line.to_string();
    prop_assert_eq!([&row.visitor, &row.name], [&own, &own]);
                }
                prop_assert!(read.rows.len() == values.len() || read.faulty > 0);
            }
        }
}
