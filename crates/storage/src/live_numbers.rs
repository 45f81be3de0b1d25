//! The number of each project's live revision, as this process last read it, cached in memory.
//!
//! They are valid until this process publishes, or hears that another one has. If a process hears nothing, what it
//! read is valid for a moment only. Requests that find nothing valid take turns, and the first of them reads for all.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

use domain::ProjectId;
use oauth::Timestamp;
use tokio::sync::Mutex;

use crate::StorageError;

/// How long the numbers are valid without notifications. A publication must be live everywhere within a second.
const GOOD_FOR_MS: u64 = 400;

/// Whether this process hears what others publish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hearing {
    /// Nothing can have been missed.
    Everything,
    /// Another process may have published since.
    Nothing,
}

/// The number of the live revision of each project that has one; [`DELETED`] is that of deleted projects.
pub(crate) type Numbers = HashMap<ProjectId, u32>;

/// Revisions are counted from 1.
pub(crate) const DELETED: u32 = 0;

/// The last reading.
#[derive(Default)]
pub(crate) struct LiveNumbers {
    publications: AtomicU64,
    known: RwLock<Option<Known>>,
    turn: Mutex<()>,
}

struct Known {
    /// How many publications were known before this was read.
    publications: u64,
    read_at: Timestamp,
    numbers: Numbers,
}

/// The reading is no longer valid.
struct Stale;

impl LiveNumbers {
    /// Something was published, or may have been.
    pub(crate) fn have_changed(&self) {
        self.publications.fetch_add(1, Ordering::SeqCst);
    }

    /// The cached number of a project, or else the one from `read`.
    pub(crate) async fn find_or_read(
        &self,
        project: ProjectId,
        now: Timestamp,
        hearing: impl Fn() -> Hearing,
        read: impl Future<Output = Result<Numbers, StorageError>> + Send,
    ) -> Result<Option<u32>, StorageError> {
        if let Ok(found) = self.find(project, now, hearing()) {
            return Ok(found);
        }
        let _turn = self.turn.lock().await;
        if let Ok(found) = self.find(project, now, hearing()) {
            return Ok(found);
        }
        let publications = self.publications.load(Ordering::SeqCst);
        let numbers = read.await?;
        let found = numbers.get(&project).copied();
        let known = Known { publications, read_at: now, numbers };
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = Some(known);
        Ok(found)
    }

    fn find(
        &self,
        project: ProjectId,
        now: Timestamp,
        hearing: Hearing,
    ) -> Result<Option<u32>, Stale> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let known = known.as_ref().ok_or(Stale)?;
        // Also when the clock was set back.
        let age = now.as_milliseconds().abs_diff(known.read_at.as_milliseconds());
        let is_good = known.publications == self.publications.load(Ordering::SeqCst)
            && (hearing == Hearing::Everything || age < GOOD_FOR_MS);
        if is_good { Ok(known.numbers.get(&project).copied()) } else { Err(Stale) }
    }
}

#[cfg(test)]
mod tests {
    use domain::ProjectId;
    use oauth::Timestamp;

    use super::{Hearing, LiveNumbers, Numbers};

    fn project() -> ProjectId {
        ProjectId::new(1000).unwrap()
    }

    /// What is told when `milliseconds` have passed, where the database has this number.
    async fn number_after(
        known: &LiveNumbers,
        hearing: Hearing,
        milliseconds: i64,
        stored: u32,
    ) -> u32 {
        let now = Timestamp::from_milliseconds(milliseconds);
        let read = async move { Ok(Numbers::from([(project(), stored)])) };
        known.find_or_read(project(), now, || hearing, read).await.unwrap().unwrap()
    }

    #[tokio::test]
    async fn a_process_that_hears_all_messages_rereads_only_after_a_publication() {
        let known = LiveNumbers::default();
        assert_eq!(number_after(&known, Hearing::Everything, 0, 1).await, 1);

        assert_eq!(number_after(&known, Hearing::Everything, 1_000_000, 2).await, 1);
        known.have_changed();
        assert_eq!(number_after(&known, Hearing::Everything, 1_000_000, 2).await, 2);
    }

    #[tokio::test]
    async fn a_process_that_hears_no_messages_rereads_after_a_moment() {
        let known = LiveNumbers::default();
        number_after(&known, Hearing::Nothing, 1_000, 1).await;

        assert_eq!(number_after(&known, Hearing::Nothing, 1_399, 2).await, 1);
        assert_eq!(number_after(&known, Hearing::Nothing, 1_400, 2).await, 2);
        assert_eq!(
            number_after(&known, Hearing::Nothing, 900, 3).await,
            3,
            "the clock was set back"
        );
        known.have_changed();
        assert_eq!(number_after(&known, Hearing::Nothing, 900, 4).await, 4);
    }

    #[tokio::test]
    async fn what_a_publication_overtakes_while_it_is_read_is_not_told_again() {
        let known = LiveNumbers::default();
        let now = Timestamp::from_milliseconds(0);
        let read = async {
            known.have_changed();
            Ok(Numbers::from([(project(), 1)]))
        };
        known.find_or_read(project(), now, || Hearing::Everything, read).await.unwrap();

        assert_eq!(number_after(&known, Hearing::Everything, 0, 2).await, 2);
    }

    #[tokio::test]
    async fn a_project_that_has_nothing_live_is_known_as_such() {
        let known = LiveNumbers::default();
        number_after(&known, Hearing::Everything, 0, 1).await;
        let other = ProjectId::new(1001).unwrap();
        let read = async { panic!("it is known") };

        let now = Timestamp::from_milliseconds(0);
        let found = known.find_or_read(other, now, || Hearing::Everything, read).await;

        assert_eq!(found, Ok(None));
    }
}
