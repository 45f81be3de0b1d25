//! The one thread that writes.
//!
//! A commit costs a flush of the disk, whatever is in it. So the writer takes everything that has come in since its last commit,
//! does it in one transaction, and answers all after that has been flushed: no operation waits for a timer, and the busier it gets the
//! more share a flush. Each job has its savepoint, so that one that fails leaves nothing of its own and all of the others'. One that panics
//! fails likewise: the thread is the only one that writes, and goes on.
//!
//! While another process has the file locked, a job waits as long as `BUSY_TIMEOUT` says from when it was asked for, whatever others of
//! its commit wait, and then is given up.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use oauth::Timestamp;
use rusqlite::Connection;
use tokio::sync::oneshot;

use super::checkpoints::Checkpoints;
use super::cleaning::{Allowance, Cleaning, delete_expired};
use super::connection::BUSY_TIMEOUT;
use crate::{OpenError, StorageError, traced};

/// How many jobs may wait: with a few thousand a second, each is answered within about a second or refused at once.
const QUEUE_LENGTH: usize = 4_096;

/// How many jobs share a commit at most: beyond that, the flush is no longer what takes the time.
const JOBS_PER_COMMIT: usize = 256;

/// Something to do within the next transaction.
struct Job {
    purpose: Purpose,
    asked: Instant,
    work: Box<dyn FnOnce(Transaction<'_>) -> Answer + Send>,
}

/// What a job is for.
#[derive(Clone, Copy)]
enum Purpose {
    /// An operation, and when it was asked for; the newest of these is what counts as the present for deleting what has expired.
    Operation { now: Option<Timestamp> },
    /// To see how the database is. Nothing is lost if that is refused.
    Look,
}

impl Job {
    fn now(&self) -> Option<Timestamp> {
        match self.purpose {
            Purpose::Operation { now } => now,
            Purpose::Look => None,
        }
    }

    fn is_operation(&self) -> bool {
        matches!(self.purpose, Purpose::Operation { .. })
    }
}

/// The transaction of a job; an error if it could not begin, or is over because of an earlier job.
type Transaction<'a> = Result<&'a Connection, StorageError>;

/// Tells who asked, once the transaction has ended.
type Answer = Box<dyn FnOnce(Result<(), StorageError>) + Send>;

/// The way to the writing thread. The thread ends when this is dropped.
pub(super) struct Writer {
    queue: SyncSender<Job>,
}

impl Writer {
    pub(super) fn start(
        connection: Connection,
        cleaning: Cleaning,
        checkpoints: Checkpoints,
    ) -> Result<Self, OpenError> {
        let (queue, jobs) = sync_channel(QUEUE_LENGTH);
        thread::Builder::new()
            .name("storage-writer".to_owned())
            .spawn(move || run(&connection, cleaning, checkpoints, &jobs))?;
        Ok(Self { queue })
    }

    /// Does `work` in a transaction; when this answers, it is on disk.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        now: Option<Timestamp>,
        work: impl FnOnce(&Connection) -> Result<T, StorageError> + Send + 'static,
    ) -> Result<T, StorageError> {
        self.write_then(now, work, |_| ()).await
    }

    /// The same. `then` gets the result once it is on disk, before the answer, and even if the caller has gone.
    pub(super) async fn write_then<T: Send + 'static>(
        &self,
        now: Option<Timestamp>,
        work: impl FnOnce(&Connection) -> Result<T, StorageError> + Send + 'static,
        then: impl FnOnce(&T) + Send + 'static,
    ) -> Result<T, StorageError> {
        self.done(Purpose::Operation { now }, work, then).await
    }

    /// The same of what only looks at the database: it is not counted among the operations that are refused while the file is away.
    pub(super) async fn look<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StorageError> + Send + 'static,
        then: impl FnOnce(&T) + Send + 'static,
    ) -> Result<T, StorageError> {
        self.done(Purpose::Look, work, then).await
    }

    async fn done<T: Send + 'static>(
        &self,
        purpose: Purpose,
        work: impl FnOnce(&Connection) -> Result<T, StorageError> + Send + 'static,
        then: impl FnOnce(&T) + Send + 'static,
    ) -> Result<T, StorageError> {
        let span = traced::of_sqlite(&work);
        let written =
            async { self.queue(purpose, work, then)?.await.unwrap_or_else(|_| Err(stopped())) };
        traced::within(span, written).await
    }

    fn queue<T: Send + 'static>(
        &self,
        purpose: Purpose,
        work: impl FnOnce(&Connection) -> Result<T, StorageError> + Send + 'static,
        then: impl FnOnce(&T) + Send + 'static,
    ) -> Result<oneshot::Receiver<Result<T, StorageError>>, StorageError> {
        let (reply, answer) = oneshot::channel();
        let work = Box::new(move |transaction: Transaction<'_>| -> Answer {
            let done = transaction.and_then(|connection| in_savepoint(connection, work));
            Box::new(move |committed| {
                let answer = committed.and(done).inspect(then);
                // The caller may have gone away; the work stays done.
                let _asker_gone = reply.send(answer);
            })
        });
        match self.queue.try_send(Job { purpose, asked: Instant::now(), work }) {
            Ok(()) => Ok(answer),
            Err(TrySendError::Full(_)) => Err(StorageError::Busy),
            Err(TrySendError::Disconnected(_)) => Err(stopped()),
        }
    }
}

fn stopped() -> StorageError {
    StorageError::Unavailable("the writing thread does not answer".to_owned())
}

fn run(
    connection: &Connection,
    mut cleaning: Cleaning,
    mut checkpoints: Checkpoints,
    jobs: &Receiver<Job>,
) {
    let mut allowance = Allowance::default();
    let mut since = Instant::now();
    // What could not be begun, because another process had the file locked, and may still wait.
    let mut waiting = VecDeque::new();
    loop {
        if waiting.is_empty() {
            let Ok(first) = jobs.recv() else { return };
            waiting.push_back(first);
        }
        let waited = since.elapsed();
        let room = JOBS_PER_COMMIT.saturating_sub(waiting.len());
        waiting.extend(jobs.try_iter().take(room));
        if let Err(error) = begin(connection, &checkpoints, &waiting) {
            give_up(&mut waiting, &error);
            continue;
        }
        let batch = std::mem::take(&mut waiting);
        allowance.add(u32::try_from(batch.len()).unwrap_or(u32::MAX), waited);
        let rows = allowance.take();
        write_together(connection, batch, |present| {
            delete_expired(connection, &mut cleaning, present, rows)
        });
        checkpoints.after_commit(connection);
        since = Instant::now();
    }
}

/// Begins the transaction of these jobs, the first of which was asked for first, as soon as the file is not locked any more.
fn begin(
    connection: &Connection,
    checkpoints: &Checkpoints,
    jobs: &VecDeque<Job>,
) -> Result<(), StorageError> {
    checkpoints.require_file(jobs.iter().filter(|job| job.is_operation()).count())?;
    let waited = jobs.front().map_or(Duration::ZERO, |job| job.asked.elapsed());
    connection.busy_timeout(BUSY_TIMEOUT.saturating_sub(waited))?;
    let begun = connection.execute_batch("BEGIN IMMEDIATE");
    connection.busy_timeout(BUSY_TIMEOUT)?;
    Ok(begun?)
}

/// Answers the jobs that have waited for long enough, or all where waiting does not help.
fn give_up(jobs: &mut VecDeque<Job>, error: &StorageError) {
    if !error.is_logged() {
        tracing::error!("nothing was written: {error}");
    }
    let is_over = |job: &Job| *error != StorageError::Busy || job.asked.elapsed() >= BUSY_TIMEOUT;
    while jobs.front().is_some_and(is_over) {
        let Some(job) = jobs.pop_front() else { return };
        tell((job.work)(Err(error.clone())), Err(error.clone()));
    }
}

/// A panic of what is told there is not ours.
fn tell(answer: Answer, committed: Result<(), StorageError>) {
    if catch_unwind(AssertUnwindSafe(|| answer(committed))).is_err() {
        tracing::error!("what follows a commit panicked");
    }
}

/// Does the jobs of the commit that has begun, and answers them. `clean` deletes what has expired by then.
fn write_together(
    connection: &Connection,
    batch: VecDeque<Job>,
    clean: impl FnOnce(Timestamp) -> rusqlite::Result<()>,
) {
    let present = batch.iter().filter_map(Job::now).max();
    let clean = || present.map_or(Ok(()), clean);
    let answers: Vec<Answer> = batch
        .into_iter()
        .map(|job| {
            // A full disk, for one, ends the transaction in the middle; what follows must not be committed piece by piece.
            let is_open = !connection.is_autocommit();
            (job.work)(if is_open { Ok(connection) } else { Err(rolled_back()) })
        })
        .collect();
    let committed = commit(connection, clean);
    if let Err(error) = &committed {
        tracing::error!("nothing was written: {error}");
    }
    for answer in answers {
        tell(answer, committed.clone());
    }
}

fn panicked() -> StorageError {
    StorageError::Unavailable("the operation panicked".to_owned())
}

fn rolled_back() -> StorageError {
    StorageError::Unavailable("the transaction was rolled back".to_owned())
}

fn commit(
    connection: &Connection,
    clean: impl FnOnce() -> rusqlite::Result<()>,
) -> Result<(), StorageError> {
    if connection.is_autocommit() {
        return Err(rolled_back());
    }
    let cleaned = catch_unwind(AssertUnwindSafe(clean));
    let committed = match cleaned {
        Ok(cleaned) => cleaned.map_err(StorageError::from),
        Err(_) => Err(panicked()),
    };
    let committed = committed.and_then(|()| Ok(connection.execute_batch("COMMIT")?));
    if committed.is_err() && !connection.is_autocommit() {
        connection.execute_batch("ROLLBACK")?;
    }
    committed
}

fn in_savepoint<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<T, StorageError>,
) -> Result<T, StorageError> {
    connection.prepare_cached("SAVEPOINT job")?.execute([])?;
    // The savepoint undoes half-done work, so nothing sees a state that a panic left.
    let done =
        catch_unwind(AssertUnwindSafe(|| work(connection))).unwrap_or_else(|_| Err(panicked()));
    if done.is_err() && !connection.is_autocommit() {
        connection.prepare_cached("ROLLBACK TO job")?.execute([])?;
    }
    if !connection.is_autocommit() {
        connection.prepare_cached("RELEASE job")?.execute([])?;
    }
    done
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, mpsc};

    use rusqlite::Connection;
    use tempfile::TempDir;
    use tokio::sync::oneshot::Receiver;

    use super::{Cleaning, Purpose, QUEUE_LENGTH, Writer};
    use crate::StorageError;
    use crate::sqlite::checkpoints::Checkpoints;
    use crate::sqlite::connection::{open_for_checkpoints, open_for_reading, open_for_writing};
    use crate::sqlite::database_file::DatabaseFile;

    const OPERATION: Purpose = Purpose::Operation { now: None };

    type Answer<T> = Receiver<Result<T, StorageError>>;

    /// A writer that is held up in a commit of its own, so that everything else queues.
    struct HeldUp {
        folder: TempDir,
        writer: Writer,
        release: mpsc::Sender<()>,
    }

    fn held_up() -> HeldUp {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("assay.db");
        let connection = open_for_writing(&path).unwrap();
        connection.execute_batch("CREATE TABLE note (text TEXT UNIQUE)").unwrap();
        let file = Arc::new(DatabaseFile::at(&path).unwrap());
        let checkpoints = Checkpoints::start(open_for_checkpoints(&path).unwrap(), file).unwrap();
        let writer = Writer::start(connection, Cleaning::default(), checkpoints).unwrap();
        let (release, released) = mpsc::channel();
        let (start, started) = mpsc::channel();
        let _held = queue(&writer, move |_| {
            start.send(()).unwrap();
            released.recv().unwrap();
            Ok(())
        });
        started.recv().unwrap();
        HeldUp { folder, writer, release }
    }

    impl HeldUp {
        fn reader(&self) -> Connection {
            open_for_reading(&self.folder.path().join("assay.db")).unwrap()
        }
    }

    fn queue<T: Send + 'static>(
        writer: &Writer,
        work: impl FnOnce(&Connection) -> Result<T, StorageError> + Send + 'static,
    ) -> Answer<T> {
        writer.queue(OPERATION, work, |_| ()).unwrap()
    }

    fn answer<T>(answer: Answer<T>) -> Result<T, StorageError> {
        answer.blocking_recv().unwrap()
    }

    fn add(connection: &Connection, text: &str) -> Result<(), StorageError> {
        connection.execute("INSERT INTO note (text) VALUES ($1)", [text])?;
        Ok(())
    }

    fn count(connection: &Connection) -> Result<i64, StorageError> {
        Ok(connection.query_row("SELECT count(*) FROM note", [], |row| row.get(0))?)
    }

    #[test]
    fn jobs_that_queue_meanwhile_share_one_commit() {
        let held_up = held_up();
        let jobs: Vec<Answer<i64>> = (0..64)
            .map(|number| {
                let outsider = held_up.reader();
                queue(&held_up.writer, move |connection| {
                    add(connection, &number.to_string())?;
                    // Others can see only what was committed before.
                    count(&outsider)
                })
            })
            .collect();

        held_up.release.send(()).unwrap();

        assert!(jobs.into_iter().all(|job| answer(job) == Ok(0)));
        assert_eq!(count(&held_up.reader()), Ok(64));
    }

    #[test]
    fn a_job_that_fails_takes_nothing_of_the_others_with_it() {
        let held_up = held_up();
        let first = queue(&held_up.writer, |connection| add(connection, "first"));
        let failing = queue(&held_up.writer, |connection| {
            add(connection, "half")?;
            add(connection, "first")
        });
        let last = queue(&held_up.writer, |connection| add(connection, "last"));

        held_up.release.send(()).unwrap();

        assert_eq!(answer(first), Ok(()));
        assert_eq!(answer(failing), Err(StorageError::Conflict));
        assert_eq!(answer(last), Ok(()));
        assert_eq!(count(&held_up.reader()), Ok(2));
    }

    #[test]
    fn a_job_that_panics_fails_alone_and_the_writer_goes_on() {
        let held_up = held_up();
        let before = queue(&held_up.writer, |connection| add(connection, "before"));
        let panicking = queue(&held_up.writer, |connection| -> Result<(), _> {
            add(connection, "half")?;
            panic!("somewhere in the middle")
        });
        let after = queue(&held_up.writer, |connection| add(connection, "after"));
        let work = |connection: &Connection| add(connection, "told of");
        let telling =
            held_up.writer.queue(OPERATION, work, |()| panic!("once it is on disk")).unwrap();

        held_up.release.send(()).unwrap();

        assert_eq!(answer(before), Ok(()));
        assert!(matches!(answer(panicking), Err(StorageError::Unavailable(_))));
        assert_eq!(answer(after), Ok(()));
        assert!(telling.blocking_recv().is_err(), "its outcome is unknown");
        let later = queue(&held_up.writer, |connection| add(connection, "later"));
        assert_eq!(answer(later), Ok(()));
        assert_eq!(count(&held_up.reader()), Ok(4));
    }

    #[test]
    fn nothing_is_answered_as_done_when_the_transaction_was_lost() {
        let held_up = held_up();
        let before = queue(&held_up.writer, |connection| add(connection, "before"));
        // What the engine does by itself when the disk is full.
        let losing = queue(&held_up.writer, |connection| Ok(connection.execute_batch("ROLLBACK")?));
        let after = queue(&held_up.writer, |connection| add(connection, "after"));

        held_up.release.send(()).unwrap();

        for job in [before, losing, after] {
            assert!(matches!(answer(job), Err(StorageError::Unavailable(_))));
        }
        assert_eq!(count(&held_up.reader()), Ok(0));
        let later = queue(&held_up.writer, |connection| add(connection, "later"));
        assert_eq!(answer(later), Ok(()));
    }

    #[test]
    fn a_full_queue_refuses_at_once() {
        let held_up = held_up();
        let waiting: Vec<Answer<()>> =
            (0..QUEUE_LENGTH).map(|_| queue(&held_up.writer, |_| Ok(()))).collect();

        let refused = held_up.writer.queue(OPERATION, |_| Ok(()), |()| ());

        assert_eq!(refused.err(), Some(StorageError::Busy));
        held_up.release.send(()).unwrap();
        assert!(waiting.into_iter().all(|job| answer(job) == Ok(())));
    }
}
