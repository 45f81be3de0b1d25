//! Reads what of a project's events is asked for, each file by one of a few threads, and finds what was told twice.
//!
//! The files are read twice. The first time finds the ids that come more than once, with eight bytes for each event; the second time makes
//! something small of each event, and what is doubtful waits until all that was told of it is known.
//!
//! An event may have been told before the time that is asked for, and then it does not count when it is told again. So the ids of older files are
//! looked at, too, but none is kept in memory; of these files, only those that have an event which is told again are read the second time.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use events::{About, Doubtful, EventId, Known, Millis, Record, RepeatedId, SeenIds, Visitor};
use lake::{LakeError, Row, show_identities, show_rows};
use storage::{EventFile, StorageError};

use crate::computation::Stopped;
use crate::events::folder::EventFilesError;
use crate::events::query::{EventQuery, Gather};

/// Threads that read the files of one question. More would leave too little of a machine to pages.
const THREADS_AT_MOST: usize = 2;

/// Where doubtful events of the log come from; files have the numbers after it.
const LOG: usize = 0;

/// Where the events of a query are: in files, and in the log.
pub(super) struct EventSources {
    folder: PathBuf,
    /// Those with events of the time that is asked for.
    files: Vec<EventFile>,
    older: Vec<EventFile>,
    log: Arc<Vec<Record>>,
    query: Arc<EventQuery>,
}

/// What one thread has read.
struct Part<G: Gather> {
    since: Millis,
    gathered: G,
    doubtful: Vec<Telling<G::Extract>>,
}

/// One of the times that an event was told, which may have been told more than once.
struct Telling<K> {
    event: (Visitor, EventId, About<String>),
    /// By which the first telling is found: the one that came first.
    came: (Millis, Millis, usize),
    kept: Option<K>,
}

impl EventSources {
    /// Of files in a folder and what the log has.
    pub(super) fn new(
        (folder, files): (PathBuf, Vec<EventFile>),
        log: Arc<Vec<Record>>,
        query: Arc<EventQuery>,
    ) -> Self {
        let (files, older) = files.into_iter().partition(|file| file.last_at >= query.since.0);
        Self { folder, files, older, log, query }
    }

    /// What all threads have gathered.
    pub(super) fn gathered<G: Gather>(&self, empty: &G) -> Result<G, EventFilesError> {
        let (doubtful, older) = self.doubtful()?;
        let part = || Part::of(empty, self.query.since);
        let mut log = part();
        for record in &*self.log {
            log.take(&Row::from(record), LOG, &doubtful);
        }
        let mut parts = vec![log];
        let files: Vec<_> = self.files.iter().chain(older).collect();
        let read = |part: &mut _, file: (usize, &_)| self.read(part, file, &doubtful);
        parts.extend(by_threads(&files, part, read, Part::in_order)?);
        let mut all = empty.clone();
        for part in settled(parts) {
            all.append(part);
        }
        all.put_in_order();
        Ok(all)
    }

    /// What may have been told twice, and the older files that have some of it. One file alone has each event once.
    fn doubtful(&self) -> Result<(Doubtful, Vec<&EventFile>), EventFilesError> {
        let mut log = SeenIds::default();
        for record in &*self.log {
            log.note(record.visitor, record.id);
        }
        let others = self.files.len() + self.older.len();
        if others == 0 || (others == 1 && self.log.is_empty()) {
            return Ok((Doubtful::among([log.sorted()]), Vec::new()));
        }
        let files: Vec<_> = self.files.iter().collect();
        let read = |seen: &mut _, (_, file): (usize, &_)| self.note(seen, file);
        let parts = by_threads(&files, SeenIds::default, read, SeenIds::sorted)?;
        let known = Known::of(parts.into_iter().chain([log.sorted()]));
        if self.older.is_empty() || known.is_empty() {
            return Ok((Doubtful::of(&known, []), Vec::new()));
        }
        let (known, older) = (known.searchable(), self.older.iter().collect::<Vec<_>>());
        let read = |again: &mut _, file: (usize, &_)| self.search(again, file, &known);
        let again = by_threads(&older, Vec::new, read, |again| again)?.concat();
        let numbers: BTreeSet<_> = again.iter().map(|(number, _)| *number).collect();
        let older = numbers.into_iter().map(|number| older[number - LOG - 1]).collect();
        Ok((Doubtful::of(&known, again.into_iter().map(|(_, again)| again)), older))
    }

    fn read<G: Gather>(
        &self,
        part: &mut Part<G>,
        (number, file): (usize, &EventFile),
        doubtful: &Doubtful,
    ) -> Result<(), LakeError> {
        let EventQuery { wanted, properties, .. } = &*self.query;
        let (path, mut visitors) = (self.folder.join(&file.name), self.query.visitor_filter());
        show_rows(&path, wanted, properties, |row| {
            if visitors.has(row.visitor) {
                part.take(row, number, doubtful);
            }
        })
    }

    fn note(&self, seen: &mut SeenIds, file: &EventFile) -> Result<(), LakeError> {
        self.show_identities_of_query(file, |visitor, id| seen.note(visitor, id))
    }

    /// Finds what is known in an older file.
    fn search(
        &self,
        found: &mut Vec<(usize, RepeatedId)>,
        (number, file): (usize, &EventFile),
        known: &Known,
    ) -> Result<(), LakeError> {
        self.show_identities_of_query(file, |visitor, id| {
            found.extend(known.find(visitor, id).map(|again| (number, again)));
        })
    }

    fn show_identities_of_query(
        &self,
        file: &EventFile,
        mut see: impl FnMut(Visitor, EventId),
    ) -> Result<(), LakeError> {
        let (path, mut visitors) = (self.folder.join(&file.name), self.query.visitor_filter());
        show_identities(&path, &self.query.wanted, |one| {
            if visitors.has(one.visitor) {
                see(one.visitor, one.id);
            }
        })
    }
}

/// Lets each thread read one file after the other, and tells what each has made of its files.
fn by_threads<T: Send>(
    files: &[&EventFile],
    start: impl Fn() -> T + Sync,
    read: impl Fn(&mut T, (usize, &EventFile)) -> Result<(), LakeError> + Sync,
    end: impl Fn(T) -> T + Sync,
) -> Result<Vec<T>, EventFilesError> {
    let next = AtomicUsize::new(0);
    let file = || {
        let place = next.fetch_add(1, Ordering::Relaxed);
        Some((LOG + 1 + place, *files.get(place)?))
    };
    let work = || -> Result<T, EventFilesError> {
        let mut part = start();
        for (number, file) in std::iter::from_fn(file) {
            let unreadable = |error| EventFilesError::Read { name: file.name.clone(), error };
            read(&mut part, (number, file)).map_err(unreadable)?;
        }
        Ok(end(part))
    };
    thread::scope(|scope| {
        let threads = files.len().min(THREADS_AT_MOST);
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let parts = running.into_iter().map(|thread| {
            let stopped = |_| StorageError::from(Stopped::Panicked("read_events"));
            thread.join().map_err(stopped)?
        });
        parts.collect()
    })
}

impl<G: Gather> Part<G> {
    fn of(empty: &G, since: Millis) -> Self {
        Self { since, gathered: empty.clone(), doubtful: Vec::new() }
    }

    fn in_order(mut self) -> Self {
        self.gathered.put_in_order();
        self
    }

    fn take(&mut self, row: &Row<'_>, source: usize, doubtful: &Doubtful) {
        // Of what was before, it is only to be known whether it came first.
        let kept = if row.at < self.since { None } else { self.gathered.keep(row) };
        if doubtful.has(row.visitor, row.id) {
            let event = (row.visitor, row.id, row.what.about());
            let came = (row.received, row.at, source);
            self.doubtful.push(Telling { event, came, kept });
        } else if let Some(kept) = kept {
            self.gathered.add(kept);
        }
    }
}

/// The parts with the first telling of each doubtful event, as in `events::without_doubles`.
fn settled<G: Gather>(parts: Vec<Part<G>>) -> Vec<G> {
    let (mut gathered, mut tellings) = (Vec::new(), Vec::new());
    for (part, Part { gathered: one, doubtful, .. }) in parts.into_iter().enumerate() {
        gathered.push(one);
        tellings.extend(doubtful.into_iter().map(|telling| (part, telling)));
    }
    // What came at the same moment stays in the order in which one thread would have read it.
    tellings
        .sort_by(|(_, one), (_, other)| (&one.event, one.came).cmp(&(&other.event, other.came)));
    tellings.dedup_by(|(_, one), (_, other)| one.event == other.event);
    for (part, telling) in tellings {
        if let Some(kept) = telling.kept {
            gathered[part].add(kept);
        }
    }
    gathered
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::path::Path;
    use std::sync::Arc;

    use events::{
        Day, EventId, Marks, Millis, Occurrence, Record, Visitor, Visitors, without_doubles,
    };
    use lake::{Row, RowOccurrence, Wanted, read_file, write_file};
    use oauth::Timestamp;
    use proptest::prelude::*;
    use storage::EventFile;
    use tempfile::tempdir;

    use super::EventSources;
    use crate::events::query::{EventQuery, Gather};

    const MILLIS_OF_DAY: i64 = 86_400_000;

    type Purchase = (Visitor, EventId, Millis, Millis, Option<i64>, Option<String>);

    #[derive(Clone, Default)]
    struct All(Vec<Purchase>);

    impl Gather for All {
        type Extract = Purchase;

        fn keep(&mut self, row: &Row<'_>) -> Option<Purchase> {
            let RowOccurrence::Event { name, revenue, properties, .. } = row.what else {
                return None;
            };
            let plan = properties.get("plan").map(str::to_owned);
            (name == "buy").then_some((row.visitor, row.id, row.at, row.received, revenue, plan))
        }

        fn add(&mut self, kept: Purchase) {
            self.0.push(kept);
        }

        fn append(&mut self, mut other: Self) {
            self.0.append(&mut other.0);
        }
    }

    /// An event and the file that it is in, 0 for the log. Few visitors, ids and moments: most events are told several times, and not alike.
    fn stored_event() -> impl Strategy<Value = (u8, Record)> {
        let name = prop::sample::select(&["buy", "see"][..]);
        let numbers = (0..3_i64, 0..5_u8, 0..4_i64, 0..2_i64, 0..3_i64);
        let plan = prop::option::of(prop::sample::select(&["free", "pro"][..]));
        (0..4_u8, numbers, name, prop::option::of(0..3_i64), plan).prop_map(
            |(file, (visitor, id, day, at, received), name, revenue, plan)| {
                let plan = plan.map(|plan| ("plan".to_owned(), plan.to_owned()));
                let what = Occurrence::Event {
                    name: name.to_owned(),
                    revenue,
                    value: None,
                    properties: BTreeMap::from_iter(plan).into(),
                };
                let record = Record {
                    id: EventId::of(&id.to_string()),
                    visitor: Visitor::from_number(visitor),
                    at: Millis(day * MILLIS_OF_DAY + at),
                    received: Millis(received),
                    what,
                    marks: Marks::default(),
                };
                (file, record)
            },
        )
    }

    fn written(folder: &Path, day: Day, records: &[Record]) -> EventFile {
        let times = || records.iter().map(|record| record.at.0);
        let (first_at, last_at) = (times().min().unwrap(), times().max().unwrap());
        let written = write_file(folder, "1000", day, records.to_vec()).unwrap();
        EventFile {
            name: written.name,
            day: day.0.into(),
            events: written.rows,
            bytes: written.bytes,
            first_at,
            last_at,
            received_until: Timestamp::from_milliseconds(0),
            sealed_at: Timestamp::from_milliseconds(0),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn threads_and_parts_gather_what_one_piece_has(
            told in prop::collection::vec(stored_event(), 0..40),
            since in 0..4_i64,
            theirs in prop::option::of(prop::collection::vec(0..3_i64, 0..3)),
        ) {
            let folder = tempdir().unwrap();
            let (mut log, mut by_file) = (Vec::new(), BTreeMap::<_, Vec<Record>>::new());
            for (file, record) in told {
                match file {
                    0 => log.push(record),
                    _ => by_file.entry((file, record.at.day())).or_default().push(record),
                }
            }
            let files = by_file.into_iter();
            let files: Vec<_> = files.map(|((_, day), records)| written(folder.path(), day, &records)).collect();
            let theirs = theirs.map(|theirs| theirs.into_iter().map(Visitor::from_number));
            let query = Arc::new(EventQuery {
                wanted: Wanted::all(),
                since: Millis(since * MILLIS_OF_DAY),
                visitors: theirs.map(|theirs| Arc::new(theirs.collect::<Visitors>())),
                without: BTreeSet::new(),
                properties: BTreeSet::from(["plan".to_owned()]),
            });
            log.retain(|record| query.visitor_filter().has(record.visitor));
            let mut all = log.clone();
            for file in &files {
                let groups = read_file(&folder.path().join(&file.name), &query.wanted).unwrap();
                all.extend(groups.flat_map(Result::unwrap));
            }
            all.retain(|record| query.visitor_filter().has(record.visitor));
            let mut expected = All::default();
            let counts = |record: &Record| record.at >= query.since;
            for record in without_doubles(all).into_iter().filter(counts) {
                let kept = expected.keep(&Row::from(&record));
                expected.0.extend(kept);
            }

            let place = (folder.path().to_owned(), files);
            let mut found = EventSources::new(place, Arc::new(log), query).gathered(&All::default()).unwrap();

            found.0.sort();
            expected.0.sort();
            prop_assert_eq!(found.0, expected.0);
        }
    }
}
