//! The records of comma-separated values (RFC 4180), each with its line.
//!
//! A quote that opens a value takes in what follows until a quote closes it: line ends, separators and all rows between, if no quote was meant.
//! Such a record is broken when the end of the file comes, or when text follows the quote that closes. Then only its first line is lost, and the
//! next one begins a record again, so that a quote in a search term does not take the rows of other visitors with it.

use std::borrow::Cow;

use crate::rows::row::excerpt;

/// A record, or what is wrong with it.
pub(super) struct Record {
    start: usize,
    pub(super) line: u64,
    /// Values with quotes may have line ends.
    pub(super) last_line: u64,
    pub(super) read: Result<(), String>,
}

/// Reads the records of a text, one after the other.
pub(super) struct Records<'t> {
    text: &'t str,
    delimiter: u8,
    /// Where the next record begins.
    at: usize,
    /// The line in which it does.
    line: u64,
    /// The sign that ends lines as editors count them: files of old Macs have no other than CR.
    line_end: u8,
    broken: Option<Broken>,
}

/// How a record is broken, and so is each that has a value open where a line ends before `until`: from there on it reads the same.
#[derive(Clone, Copy)]
struct Broken {
    until: usize,
    reason: Reason,
}

#[derive(Clone, Copy)]
enum Reason {
    /// No quote closes the value.
    Open,
    /// Text follows the quote that closes the value, in this line.
    TextAfter(u64),
}

/// A value with quotes that cannot be read.
struct BrokenValue {
    opens_at: usize,
    broken: Broken,
}

impl<'t> Records<'t> {
    /// The records of a text from this place on.
    pub(super) fn new(text: &'t str, at: usize, delimiter: u8) -> Self {
        let line_end = if text.contains('\n') { b'\n' } else { b'\r' };
        let mut records = Self { text, delimiter, at: 0, line: 1, line_end, broken: None };
        records.advance(at);
        records
    }

    /// Reads the next record and its values; empty lines are none.
    pub(super) fn next(&mut self, values: &mut Vec<Cow<'t, str>>) -> Option<Record> {
        values.clear();
        let ends = self.rest(self.at).iter().take_while(|byte| is_line_end(**byte)).count();
        self.advance(self.at + ends);
        if self.at == self.text.len() {
            return None;
        }
        let (start, line) = (self.at, self.line);
        let (end, read) = match self.record(values) {
            Ok(end) => (end, Ok(())),
            Err(BrokenValue { opens_at, broken }) => {
                let fault = self.fault(opens_at, broken);
                if self.broken.is_none_or(|known| known.until < broken.until) {
                    self.broken = Some(broken);
                }
                let line_end = self.rest(self.at).iter().position(|byte| is_line_end(*byte));
                (line_end.map_or(self.text.len(), |length| self.at + length), Err(fault))
            }
        };
        self.advance(end);
        Some(Record { start, line, last_line: self.line, read })
    }

    /// The first and the last line of the record that was read last, if quotes make one of more.
    pub(super) fn ends_of(&self, record: &Record) -> Option<[&'t str; 2]> {
        if record.read.is_err() || record.line == record.last_line {
            return None;
        }
        let text = &self.text[record.start..self.at];
        let line_ends = ['\r', '\n'];
        Some([text.split_once(line_ends)?.0, text.rsplit_once(line_ends)?.1])
    }

    /// Reads the values of a record; its end.
    fn record(&self, values: &mut Vec<Cow<'t, str>>) -> Result<usize, BrokenValue> {
        let mut at = self.at;
        loop {
            let (value, end) = match self.rest(at).first() {
                Some(b'"') => self.quoted(at)?,
                _ => self.plain(at),
            };
            values.push(value);
            if self.rest(end).first() != Some(&self.delimiter) {
                return Ok(end);
            }
            at = end + 1;
        }
    }

    /// A value without quotes around it, and where it ends. Quotes within it are text.
    fn plain(&self, at: usize) -> (Cow<'t, str>, usize) {
        let ends = |byte: &u8| *byte == self.delimiter || is_line_end(*byte);
        let length = self.rest(at).iter().position(ends);
        let end = length.map_or(self.text.len(), |length| at + length);
        (Cow::Borrowed(&self.text[at..end]), end)
    }

    /// A value with quotes around it, and where it ends. Two of them within it are one.
    fn quoted(&self, opens_at: usize) -> Result<(Cow<'t, str>, usize), BrokenValue> {
        let broken = |broken| BrokenValue { opens_at, broken };
        let (mut at, mut has_quotes) = (opens_at + 1, false);
        loop {
            let sign = self.rest(at).iter().position(|byte| *byte == b'"' || is_line_end(*byte));
            let Some(length) = sign else {
                return Err(broken(Broken { until: self.text.len(), reason: Reason::Open }));
            };
            at += length;
            match self.rest(at) {
                [b'"', b'"', ..] => {
                    has_quotes = true;
                    at += 2;
                }
                [b'"', ..] => break,
                // Without this, a text of many such lines would be read to its end from each of them.
                _ => match self.broken {
                    Some(known) if at < known.until => return Err(broken(known)),
                    _ => at += 1,
                },
            }
        }
        let inner = &self.text[opens_at + 1..at];
        let value = if has_quotes { Cow::Owned(inner.replace("\"\"", "\"")) } else { inner.into() };
        let is_blank = |byte: &&u8| **byte == b' ' && self.delimiter != b' ';
        let end = at + 1 + self.rest(at + 1).iter().take_while(is_blank).count();
        match self.rest(end).first() {
            Some(next) if *next != self.delimiter && !is_line_end(*next) => {
                let line = self.line_of(end);
                Err(broken(Broken { until: end, reason: Reason::TextAfter(line) }))
            }
            _ => Ok((value, end)),
        }
    }

    fn fault(&self, opens_at: usize, broken: Broken) -> String {
        let ends = ['\r', '\n', char::from(self.delimiter)];
        let begin = excerpt(self.text[opens_at + 1..].split(ends).next().unwrap_or_default());
        let what = match broken.reason {
            Reason::Open => "is never closed".to_owned(),
            Reason::TextAfter(line) if line == self.line => {
                "opens a value, and text follows the one that closes it".to_owned()
            }
            Reason::TextAfter(line) => {
                format!("opens a value, and text follows the one that closes it in line {line}")
            }
        };
        format!("the quote before `{begin}` {what}; hint: {HINT}")
    }

    /// Goes on from another place.
    fn advance(&mut self, to: usize) {
        self.line = self.line_of(to);
        self.at = to;
    }

    /// The line of a place after that of the record.
    fn line_of(&self, place: usize) -> u64 {
        let between = self.rest(self.at).iter().take(place.saturating_sub(self.at));
        self.line + between.filter(|byte| **byte == self.line_end).count() as u64
    }

    fn rest(&self, at: usize) -> &'t [u8] {
        self.text.as_bytes().get(at..).unwrap_or_default()
    }
}

/// How such a row is written.
pub(super) const HINT: &str =
    "put a value that has quotes or line ends into quotes, and write those within it twice";

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use proptest::prelude::*;

    use super::{Record, Records};

    /// The records of a text, each with its line.
    fn records(text: &str) -> Vec<(u64, Result<Vec<String>, String>)> {
        let (mut records, mut values) = (Records::new(text, 0, b','), Vec::new());
        let mut all = Vec::new();
        while let Some(Record { line, read, .. }) = records.next(&mut values) {
            all.push((line, read.map(|()| values.iter().map(Cow::to_string).collect())));
        }
        all
    }

    /// The lines of the records that can be read, and of those that are broken.
    fn lines(text: &str) -> [Vec<u64>; 2] {
        let all = records(text);
        let of = |is_ok| {
            let some = all.iter().filter(|(_, read)| read.is_ok() == is_ok);
            some.map(|(line, _)| *line).collect()
        };
        [of(true), of(false)]
    }

    fn written(rows: &[Vec<String>], line_end: &str) -> String {
        let line_end = match line_end {
            "\r\n" => csv::Terminator::CRLF,
            other => csv::Terminator::Any(other.as_bytes()[0]),
        };
        let mut writer =
            csv::WriterBuilder::new().terminator(line_end).flexible(true).from_writer(Vec::new());
        for row in rows {
            writer.write_record(row).unwrap();
        }
        String::from_utf8(writer.into_inner().unwrap()).unwrap()
    }

    #[test]
    fn a_quote_that_nothing_closes_takes_its_own_line_and_no_other() {
        let text =
            "a,b\n1,\"red shoes\n2,15\" screen\n3,\"blue, \"\"wide\"\"\nshoes\"\n4,\"x\n5,y\n";

        let all = records(text);

        let told: Vec<_> = all.iter().map(|(line, read)| (*line, read.is_ok())).collect();
        let expected =
            [(1, true), (2, false), (3, true), (4, true), (6, false), (7, true)].as_slice();
        assert_eq!(told, expected);
        let value = &all[3].1.as_ref().unwrap()[1];
        assert_eq!(value, "blue, \"wide\"\nshoes");
        let fault = |place: usize| all[place].1.as_ref().unwrap_err().as_str();
        let closed = "the quote before `red shoes` opens a value, and text follows the one that closes it in line 3; hint: put";
        assert!(fault(1).starts_with(closed), "{}", fault(1));
        assert!(fault(4).starts_with("the quote before `x` is never closed; hint: put"));
    }

    #[test]
    fn text_behind_a_quote_that_closes_is_refused_and_spaces_there_are_none() {
        let all = records("1,\"red\" shoes,2\n3,\"red\" ,\"blue\"  \n");

        let fault = all[0].1.as_ref().unwrap_err();
        let told = "the quote before `red\" shoes` opens a value, and text follows the one that closes it; hint: put";
        assert!(fault.starts_with(told), "{fault}");
        assert_eq!(all[1].1.as_ref().unwrap(), &["3", "red", "blue"]);
    }

    #[test]
    fn lines_are_counted_as_editors_count_them() {
        for line_end in ["\n", "\r\n", "\r"] {
            let text = "a,b\n\n1,\"x\ny\"\n2,\"z\n3,c\n".replace('\n', line_end);
            assert_eq!(lines(&text), [vec![1, 3, 6], vec![5]], "{line_end:?}");
        }
        assert_eq!(lines("a,b\n1,\"x\ry\"\n2,z\n"), [vec![1, 2, 3], vec![]]);
    }

    #[test]
    fn a_text_of_nothing_but_open_quotes_is_read_once() {
        // Each line could be the first of a record that ends with the file. In the second text, each other line is also broken by itself.
        for line in ["a\",\"\n", "a\",\"\n,\"\",\"\"x\n"] {
            let text = line.repeat(200_000);

            let [read, broken] = lines(&text);

            assert_eq!((read.len(), broken.len()), (0, text.lines().count()));
        }
    }

    proptest! {
        #[test]
        fn what_a_writer_wrote_is_read_as_it_was(
            rows in prop::collection::vec(prop::collection::vec("[a\",;\r\n]{0,4}", 2..4), 0..8),
            line_end in prop::sample::select(&["\n", "\r\n", "\r"][..]),
        ) {
            let text = written(&rows, line_end);

            let read: Vec<_> = records(&text).into_iter().map(|(_, read)| read.unwrap()).collect();

            prop_assert_eq!(read, rows);
        }

        #[test]
        fn an_unbroken_csv_file_is_read_as_other_readers_do(text in "[ab\",\r\n]{0,24}") {
            let mut other =
                csv::ReaderBuilder::new().flexible(true).has_headers(false).from_reader(text.as_bytes());
            let other: Vec<Vec<_>> =
                other.records().map(|one| one.unwrap().iter().map(str::to_owned).collect()).collect();

            let read: Result<Vec<_>, _> = records(&text).into_iter().map(|(_, read)| read).collect();

            if let Ok(read) = read {
                prop_assert_eq!(read, other);
            }
        }

        #[test]
        fn a_text_that_is_cut_has_the_rows_before_the_cut_and_none_that_are_merged(
            rows in prop::collection::vec(prop::collection::vec("[a\",\r\n]{1,4}", 3), 1..8),
            cut: prop::sample::Index,
        ) {
            let text = written(&rows, "\n");
            let whole = (0..=rows.len()).map(|count| written(&rows[..count], "\n").len());
            let cut = cut.index(text.len());
            let before = whole.take_while(|end| *end <= cut).count() - 1;

            let read = records(&text[..cut]);

            let (own, rest) = read.split_at(before);
            let own: Vec<_> = own.iter().map(|(_, read)| read.clone().unwrap()).collect();
            prop_assert_eq!(own.as_slice(), &rows[..before]);
            // All that follows is of the row that was cut: each of its lines is one of its own, or all of them are and its last value is short.
            match rest {
                [(_, Ok(first))] => {
                    let (last, others) = first.split_last().unwrap();
                    prop_assert!(rows[before].starts_with(others));
                    prop_assert!(rows[before][others.len()].starts_with(last.as_str()));
                }
                [(_, Ok(_)), ..] => prop_assert!(false, "{:?}", rest),
                lines => {
                    let values = lines.iter().filter_map(|(_, read)| read.as_ref().ok()).flatten();
                    prop_assert!(values.into_iter().all(|value| !value.contains(['\r', '\n'])));
                }
            }
        }

        #[test]
        fn lines_with_a_quote_that_nothing_closes_are_lost_and_all_others_are_read(
            values in prop::collection::vec(prop::sample::select(&["red", "\"red shoes", "15\" screen", "\"a\"\"b", "\"a, b\""][..]), 0..12),
        ) {
            let text = values.iter().flat_map(|value| [value, ",x\n"]).collect::<String>();
            let is_open = |value: &str| value.starts_with('"') && !value.ends_with('"');

            let [read, broken] = lines(&text);

            let of = |is: bool| {
                let some = (1..).zip(&values).filter(|(_, value)| is_open(value) == is);
                some.map(|(line, _)| line).collect::<Vec<u64>>()
            };
            prop_assert_eq!([read, broken], [of(false), of(true)]);
        }
    }
}
