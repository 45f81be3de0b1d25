//! Makes one file of several of the same day, each event once.
//!
//! Rows lie in another order than doubles do, so it goes over the files twice: the first time it finds the doubles, some visitors at a time, the second time it
//! merges the rows that stay. Memory holds a quarter of a million short rows, then the columns of a row group of each file.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::path::Path;

use events::{About, Day, Record, Visitor};
use parquet::data_type::{FixedLenByteArrayType, Int64Type};

use crate::columns::Group;
use crate::error::CompactError;
use crate::kinds::{Kind, Kinds};
use crate::read::{EventFile, GroupRecords, id};
use crate::write::{FileWriter, in_order};
use crate::{LakeError, Wanted, WrittenFile};

/// Files that are made into one at a time: a row group of each is in memory.
pub const COMPACTED_AT_MOST: usize = 16;

/// Rows among which doubles are looked for at a time: some 20 MB.
const ROWS_AT_ONCE: u64 = 250_000;

/// Makes one file of several of a project's day, of which the names are told as [`WrittenFile`] has them. The files stay; a file that is
/// the only one and has no doubles keeps its name.
///
/// # Errors
/// If a file cannot be read or is damaged, if the new one cannot be written, or if these are more than [`COMPACTED_AT_MOST`].
pub fn compact_files(
    folder: &Path,
    project: &str,
    day: Day,
    names: &[String],
) -> Result<WrittenFile, CompactError> {
    if names.len() > COMPACTED_AT_MOST {
        return Err(CompactError::TooMany(names.len()));
    }
    let mut files =
        names.iter().map(|name| Run::open(folder, name)).collect::<Result<Vec<_>, _>>()?;
    let doubles = doubles(&mut files)?;
    let mut writer = FileWriter::new(folder, project, day)?;
    for (number, file) in files.iter_mut().enumerate() {
        file.advance(number, &doubles)?;
    }
    while let Some(number) = least(&files) {
        let next = files[number].next.take();
        files[number].advance(number, &doubles)?;
        if let Some(record) = next {
            writer.add(record)?;
        }
    }
    Ok(writer.finish()?)
}

/// A row of a file.
type Place = (usize, u64);

/// A file, with what of it is to come.
struct Run<'n> {
    name: &'n str,
    file: EventFile,
    group: usize,
    rows: Option<GroupRecords>,
    /// The number of the next row in the file.
    row: u64,
    next: Option<Record>,
}

impl<'n> Run<'n> {
    fn open(folder: &Path, name: &'n str) -> Result<Self, CompactError> {
        let file = EventFile::open(&folder.join(name)).map_err(|error| unreadable(name, error))?;
        Ok(Self { name, file, group: 0, rows: None, row: 0, next: None })
    }

    /// Goes to the next row that is no double.
    fn advance(&mut self, number: usize, doubles: &BTreeSet<Place>) -> Result<(), CompactError> {
        while let Some(record) = self.following()? {
            let place = (number, self.row);
            self.row += 1;
            if !doubles.contains(&place) {
                self.next = Some(record);
                return Ok(());
            }
        }
        Ok(())
    }

    /// The next row, of the next group where this one ends.
    fn following(&mut self) -> Result<Option<Record>, CompactError> {
        loop {
            if let Some(record) = self.rows.as_mut().and_then(Iterator::next) {
                return record.map(Some).map_err(|error| unreadable(self.name, error));
            }
            // The columns of the one before make room for those of the next.
            self.rows = None;
            if self.group == self.file.groups() {
                return Ok(None);
            }
            let rows = self.file.group(self.group).and_then(|group| GroupRecords::of(&group));
            self.rows = Some(rows.map_err(|error| unreadable(self.name, error))?);
            self.group += 1;
        }
    }
}

/// The file whose next row comes first.
fn least(files: &[Run<'_>]) -> Option<usize> {
    let next =
        files.iter().enumerate().filter_map(|(number, file)| Some((number, file.next.as_ref()?)));
    next.min_by(|(_, one), (_, other)| in_order(one, other)).map(|(number, _)| number)
}

/// The numbers of the names of events.
type Names = BTreeMap<String, usize>;

/// A row by what it is known, with the number of its event's name: the first of the same stays, as in `events::without_doubles`.
type Known = ((Visitor, [u8; 16], About<usize>), (i64, i64), Place);

/// The rows that are the same event as another one.
fn doubles(files: &mut [Run<'_>]) -> Result<BTreeSet<Place>, CompactError> {
    let rows: u64 = files.iter().map(|file| file.file.all_rows()).sum();
    let (mut doubles, mut names) = (BTreeSet::new(), BTreeMap::new());
    for visitors in ranges(rows.div_ceil(ROWS_AT_ONCE)) {
        let mut known: Vec<Known> = Vec::new();
        for (number, file) in files.iter_mut().enumerate() {
            let name = file.name;
            note(&mut file.file, (number, &visitors), (&mut known, &mut names))
                .map_err(|error| unreadable(name, error))?;
        }
        known.sort_unstable();
        let pairs = known.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        doubles.extend(pairs.map(|pair| pair[1].2));
    }
    Ok(doubles)
}

/// Ranges of visitors, each about as many: their numbers are spread evenly.
fn ranges(count: u64) -> impl Iterator<Item = RangeInclusive<Visitor>> {
    let count = i64::try_from(count.max(1)).unwrap_or(i64::MAX);
    let width = i64::MAX / count;
    (0..count).map(move |number| {
        let start = if number == 0 { i64::MIN } else { number * width };
        let end = if number == count - 1 { i64::MAX } else { (number + 1) * width - 1 };
        Visitor::from_number(start)..=Visitor::from_number(end)
    })
}

/// Notes a file's rows of some visitors.
fn note(
    file: &mut EventFile,
    (number, visitors): (usize, &RangeInclusive<Visitor>),
    (known, names): (&mut Vec<Known>, &mut Names),
) -> Result<(), LakeError> {
    let wanted = Wanted { visitors: visitors.clone(), ..Wanted::all() };
    let mut before = 0;
    for group in 0..file.groups() {
        let rows = file.rows(group);
        if file.may_have(group, &wanted) {
            let group = file.group(group)?;
            note_group(&group, &Kinds::of(&group, &wanted)?, (number, before), (known, names))?;
        }
        before += rows;
    }
    Ok(())
}

fn note_group(
    group: &Group<'_>,
    kinds: &Kinds,
    (number, before): (usize, u64),
    (known, names): (&mut Vec<Known>, &mut Names),
) -> Result<(), LakeError> {
    let times = group.required::<Int64Type>("time")?;
    let received = group.required::<Int64Type>("received")?;
    let ids = group.required::<FixedLenByteArrayType>("event_id")?;
    for row in &kinds.wanted {
        let row = *row;
        let about = match kinds.kind(row)? {
            Kind::Exposure { experiment } => About::Experiment(experiment),
            Kind::Event { name } => About::Event(number_of(name, names)),
        };
        let place = (number, before + row as u64);
        let event = (kinds.visitor(row), id(&ids[row])?, about);
        known.push((event, (received[row], times[row]), place));
    }
    Ok(())
}

fn number_of(name: &str, names: &mut Names) -> usize {
    if let Some(number) = names.get(name) {
        return *number;
    }
    let number = names.len();
    names.insert(name.to_owned(), number);
    number
}

fn unreadable(name: &str, error: LakeError) -> CompactError {
    CompactError::Unreadable { name: name.to_owned(), error }
}

#[cfg(test)]
mod tests {
    use events::Visitor;

    use super::ranges;

    #[test]
    fn every_visitor_is_in_one_range() {
        for count in [0, 1, 2, 3, 7, 1_000] {
            let all: Vec<_> = ranges(count).collect();

            let next = |visitor: &Visitor| Visitor::from_number(visitor.number() + 1);
            assert_eq!(all.first().unwrap().start().number(), i64::MIN);
            assert_eq!(all.last().unwrap().end().number(), i64::MAX);
            assert!(all.windows(2).all(|pair| next(pair[0].end()) == *pair[1].start()));
            assert_eq!(all.len() as u64, count.max(1));
        }
    }
}
