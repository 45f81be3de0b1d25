//! Somebody wants to see the projects of this server.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use oauth::Timestamp;
use storage::{MemberId, Page, ProjectSummary, StorageError, WhichProjects};

use crate::App;
use crate::roles::{Permission, rights_of};

/// For so long what was just read is told again: a program that asks thousands of times a second shall not read the same each time.
/// So much later shows what another process has done.
const TOLD_AGAIN_FOR_MS: i64 = 200;

/// One page of the projects that a member may read, in the order of their ids. Who has no role at all may read none.
///
/// # Errors
/// If the store does not answer.
pub async fn list_readable_projects(
    app: &App,
    member: MemberId,
    which: WhichProjects,
    page: Page,
) -> Result<Arc<[ProjectSummary]>, StorageError> {
    if rights_of(app, member).await?.include(None, Permission::ReadConfiguration) {
        return list_projects(app, which, page).await;
    }
    Ok(app.store().list_projects_of_member(member, which, page).await?.into())
}

/// One page of the projects, in the order of their ids.
///
/// # Errors
/// If the store does not answer.
pub async fn list_projects(
    app: &App,
    which: WhichProjects,
    page: Page,
) -> Result<Arc<[ProjectSummary]>, StorageError> {
    let now = app.now();
    if let Some(projects) = app.last_list().find((which, page), now) {
        return Ok(projects);
    }
    let changes = app.last_list().changes();
    let projects: Arc<[ProjectSummary]> = app.store().list_projects(which, page).await?.into();
    app.last_list().keep(Listed {
        page: (which, page),
        changes,
        read_at: now,
        projects: projects.clone(),
    });
    Ok(projects)
}

/// The page that was read last.
#[derive(Default)]
pub(crate) struct LastList {
    listed: Mutex<Option<Listed>>,
    /// How often this process has changed what lists show.
    changes: AtomicU64,
}

struct Listed {
    page: (WhichProjects, Page),
    /// What this process had changed before this was read.
    changes: u64,
    read_at: Timestamp,
    projects: Arc<[ProjectSummary]>,
}

impl LastList {
    /// This process has published or added a project, or changed a draft: it knows that at once.
    pub(crate) fn forget(&self) {
        self.changes.fetch_add(1, Ordering::AcqRel);
    }

    fn changes(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }

    fn find(&self, page: (WhichProjects, Page), now: Timestamp) -> Option<Arc<[ProjectSummary]>> {
        let listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        let listed = listed.as_ref()?;
        let age = now.as_milliseconds() - listed.read_at.as_milliseconds();
        let is_good =
            listed.page == page && listed.changes == self.changes() && age < TOLD_AGAIN_FOR_MS;
        is_good.then(|| Arc::clone(&listed.projects))
    }

    fn keep(&self, listed: Listed) {
        *self.listed.lock().unwrap_or_else(PoisonError::into_inner) = Some(listed);
    }
}

#[cfg(test)]
mod tests {
    use oauth::Timestamp;
    use storage::{Page, WhichProjects};

    use super::{LastList, Listed};

    const FIRST: (WhichProjects, Page) = (WhichProjects::Current, Page { page: 1, per_page: 30 });

    fn at(milliseconds: i64) -> Timestamp {
        Timestamp::from_milliseconds(milliseconds)
    }

    fn read_at(list: &LastList, milliseconds: i64) {
        let changes = list.changes();
        let projects = Vec::new().into();
        list.keep(Listed { page: FIRST, changes, read_at: at(milliseconds), projects });
    }

    #[test]
    fn a_list_is_told_again_for_a_moment_until_something_is_changed() {
        let list = LastList::default();
        assert!(list.find(FIRST, at(0)).is_none());
        read_at(&list, 1_000);

        assert!(list.find(FIRST, at(1_199)).is_some());
        assert!(list.find((WhichProjects::Archived, FIRST.1), at(1_100)).is_none());
        assert!(list.find(FIRST, at(1_200)).is_none());
        list.forget();
        assert!(list.find(FIRST, at(1_100)).is_none());
        read_at(&list, 1_100);
        assert!(list.find(FIRST, at(1_100)).is_some());
    }
}
