//! Finds the rows of several files that are the same event: first the few whose marks come twice, and among these the same.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use events::{About, Doubtful, EventId, SeenIds, Visitor};
use parquet::data_type::{FixedLenByteArrayType, Int64Type};

use super::{RowPosition, Run, unreadable};
use crate::columns::Group;
use crate::error::CompactError;
use crate::kinds::{Kind, Kinds};
use crate::read::{EventFile, id};
use crate::{LakeError, Wanted};

/// Rows whose marks are in memory at a time: 8 MB.
const MARKS_AT_ONCE: usize = 1_000_000;

/// Rows that may be doubles of which more is in memory at a time: some 10 MB.
const DOUBTFUL_AT_ONCE: usize = 125_000;

/// The numbers of the names of events.
type Names = BTreeMap<String, usize>;

/// A row by what it is known, with the number of its event's name: the first of the same stays, as in `events::without_doubles`.
type Known = ((Visitor, EventId, About<usize>), (i64, i64), RowPosition);

/// Whether each row of each file is a double: all may be, if the same was imported again.
pub(super) struct Doubles(Vec<Vec<bool>>);

impl Doubles {
    pub(super) fn has(&self, (file, row): RowPosition) -> bool {
        self.0[file][row]
    }

    fn add(&mut self, (file, row): RowPosition) {
        self.0[file][row] = true;
    }
}

/// The rows that are the same event as another one.
pub(super) fn doubles(files: &mut [Run<'_>]) -> Result<Doubles, CompactError> {
    let rows: Vec<usize> = files.iter().map(|file| file.file.all_rows()).collect();
    let mut doubles = Doubles(rows.iter().map(|rows| vec![false; *rows]).collect());
    let (rows, mut names) = (rows.iter().sum::<usize>(), BTreeMap::new());
    for visitors in ranges(&all_visitors(), rows.div_ceil(MARKS_AT_ONCE) as u64) {
        let doubtful = doubtful(files, &visitors)?;
        let parts = doubtful.tellings().div_ceil(DOUBTFUL_AT_ONCE);
        if parts == 0 {
            continue;
        }
        for visitors in ranges(&visitors, parts as u64) {
            let mut known = known(files, (&visitors, &doubtful), &mut names)?;
            known.sort_unstable();
            let pairs = known.windows(2).filter(|pair| pair[0].0 == pair[1].0);
            pairs.for_each(|pair| doubles.add(pair[1].2));
        }
    }
    Ok(doubles)
}

/// The doubtful rows of some visitors.
fn known(
    files: &mut [Run<'_>],
    (visitors, doubtful): (&RangeInclusive<Visitor>, &Doubtful),
    names: &mut Names,
) -> Result<Vec<Known>, CompactError> {
    let mut known = Vec::new();
    for (number, file) in files.iter_mut().enumerate() {
        file.see(visitors, |row| {
            if doubtful.has(row.visitor, row.id) {
                known.push(row.known(number, names));
            }
        })?;
    }
    Ok(known)
}

fn doubtful(
    files: &mut [Run<'_>],
    visitors: &RangeInclusive<Visitor>,
) -> Result<Doubtful, CompactError> {
    let mut seen = SeenIds::default();
    for file in files {
        file.see(visitors, |row| seen.note(row.visitor, row.id))?;
    }
    Ok(Doubtful::among([seen.sorted()]))
}

fn all_visitors() -> RangeInclusive<Visitor> {
    Visitor::from_number(i64::MIN)..=Visitor::from_number(i64::MAX)
}

/// Parts of a range of visitors, each about as many: their numbers, which are not negative, are spread evenly.
fn ranges(
    of: &RangeInclusive<Visitor>,
    count: u64,
) -> impl Iterator<Item = RangeInclusive<Visitor>> {
    let (start, end) = (of.start().number(), of.end().number());
    let lowest = start.max(0);
    let count = i64::try_from(count.max(1)).unwrap_or(i64::MAX);
    let width = (end.saturating_sub(lowest) / count).max(1);
    let begin = move |number: i64| lowest.saturating_add(width.saturating_mul(number)).min(end);
    (0..count).map(move |number| {
        let first = if number == 0 { start } else { begin(number) };
        let last = if number == count - 1 { end } else { begin(number + 1) - 1 };
        Visitor::from_number(first)..=Visitor::from_number(last)
    })
}

/// What is looked at of a row to find doubles.
struct Seeing<'k> {
    visitor: Visitor,
    id: EventId,
    kind: Kind<'k>,
    received: i64,
    at: i64,
    row: usize,
}

impl Seeing<'_> {
    fn known(&self, file: usize, names: &mut Names) -> Known {
        let about = match self.kind {
            Kind::Exposure { experiment } => About::Experiment(experiment),
            Kind::Event { name } => About::Event(number_of(name, names)),
        };
        let event = (self.visitor, self.id, about);
        (event, (self.received, self.at), (file, self.row))
    }
}

impl Run<'_> {
    /// Sees the rows of some visitors.
    fn see(
        &mut self,
        visitors: &RangeInclusive<Visitor>,
        see: impl FnMut(&Seeing<'_>),
    ) -> Result<(), CompactError> {
        see_rows(&mut self.file, visitors, see).map_err(|error| unreadable(self.name, error))
    }
}

fn see_rows(
    file: &mut EventFile,
    visitors: &RangeInclusive<Visitor>,
    mut see: impl FnMut(&Seeing<'_>),
) -> Result<(), LakeError> {
    let wanted = Wanted { visitors: visitors.clone(), ..Wanted::all() };
    let mut before = 0;
    for number in 0..file.groups() {
        let rows = file.rows(number);
        if file.may_have(number, &wanted) {
            let mut group = file.group_in_steps(number)?;
            let mut done = before;
            while group.step() {
                see_step(&mut group, &wanted, done, &mut see)?;
                done += group.rows;
            }
        }
        before += rows;
    }
    Ok(())
}

fn see_step(
    group: &mut Group,
    wanted: &Wanted,
    before: usize,
    see: &mut impl FnMut(&Seeing<'_>),
) -> Result<(), LakeError> {
    let kinds = Kinds::of(group, wanted)?;
    let times = group.required::<Int64Type>("time")?;
    let received = group.required::<Int64Type>("received")?;
    let ids = group.required::<FixedLenByteArrayType>("event_id")?;
    for row in &kinds.wanted {
        let row = *row;
        see(&Seeing {
            visitor: kinds.visitor(row),
            id: EventId::from_bytes(id(&ids[row])?),
            kind: kinds.kind(row)?,
            received: received[row],
            at: times[row],
            row: before + row,
        });
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

#[cfg(test)]
mod tests {
    use events::Visitor;

    use super::{all_visitors, ranges};

    #[test]
    fn every_visitor_is_in_one_range() {
        let next = |visitor: &Visitor| Visitor::from_number(visitor.number() + 1);
        let few = Visitor::from_number(40)..=Visitor::from_number(1_040);
        for of in [all_visitors(), few] {
            for count in [0, 1, 2, 3, 7, 1_000] {
                let all: Vec<_> = ranges(&of, count).collect();

                assert_eq!(all.first().unwrap().start(), of.start());
                assert_eq!(all.last().unwrap().end(), of.end());
                assert!(all.windows(2).all(|pair| next(pair[0].end()) == *pair[1].start()));
                assert_eq!(all.len() as u64, count.max(1));
            }
        }
    }
}
