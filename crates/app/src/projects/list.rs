//! Lists the projects of this server.

use domain::ProjectId;
use oauth::Timestamp;
use storage::{Counted, ListRange, ProjectSummary, StorageError, WhichProjects};

use crate::App;
use crate::resources::{Order, OrderField};
use crate::roles::{Actor, Permission, Rights, RoleError};
use crate::search::plain;

/// Projects that are read at once, where all are needed to find some.
const READ_AT_ONCE: u32 = 1_000;

/// Which projects to list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectFilter {
    /// Whether archived ones are.
    pub which: WhichProjects,
    /// Only those with each of these words in their name or key, or with the text as their id, whatever the case and accents.
    pub text: Option<String>,
    /// Only the one with this key.
    pub key: Option<String>,
    /// The order; `None` is that of ids.
    pub order: Option<Order>,
}

impl From<WhichProjects> for ProjectFilter {
    fn from(which: WhichProjects) -> Self {
        Self { which, text: None, key: None, order: None }
    }
}

/// One page of the projects that the actor may read, and how many there are on all pages. An actor without a role may read none.
///
/// # Errors
/// If the store does not answer.
pub async fn list_readable_projects(
    app: &App,
    actor: &Actor,
    filter: &ProjectFilter,
    page: ListRange,
) -> Result<(Vec<ProjectSummary>, u64), RoleError> {
    actor.require_scope(Permission::ReadConfiguration.needed_scope())?;
    let which = filter.which;
    if filter.needs_all() {
        let mut found = Vec::new();
        for number in 1.. {
            let all = ListRange { page: number, per_page: READ_AT_ONCE };
            let (read, total) = read_page(app, actor, which, all).await?;
            found.extend(read.into_iter().filter(|project| filter.takes(project)));
            if u64::from(number) * u64::from(READ_AT_ONCE) >= total {
                break;
            }
        }
        filter.sort(&mut found);
        let total = u64::try_from(found.len()).unwrap_or(u64::MAX);
        let skipped = page.page.saturating_sub(1) as usize * page.per_page as usize;
        return Ok((found.into_iter().skip(skipped).take(page.per_page as usize).collect(), total));
    }
    read_page(app, actor, which, page).await
}

async fn read_page(
    app: &App,
    actor: &Actor,
    which: WhichProjects,
    page: ListRange,
) -> Result<(Vec<ProjectSummary>, u64), RoleError> {
    let rights = actor.rights(app).await?;
    let reads_all = |rights: &Rights| rights.include(None, Permission::ReadConfiguration);
    match actor.member().filter(|_| !rights.as_ref().is_none_or(reads_all)) {
        None => {
            let projects = list_projects(app, which, page).await?;
            Ok((projects, app.store().count(Counted::Projects(which)).await?))
        }
        Some(member) => {
            let projects = app.store().list_projects_of_member(member, which, page).await?;
            let counted = Counted::ProjectsOfMember(member, which);
            Ok((projects, app.store().count(counted).await?))
        }
    }
}

impl ProjectFilter {
    /// Whether the store cannot do it: it pages all projects by their ids.
    fn needs_all(&self) -> bool {
        self.text.is_some() || self.key.is_some() || self.order.is_some()
    }

    fn takes(&self, project: &ProjectSummary) -> bool {
        let fits = |text: &str| {
            let (text, key) = (plain(text), plain(&project.key));
            let name = plain(project.name.as_deref().unwrap_or_default());
            let has = |word: &str| name.contains(word) || key.contains(word);
            text.split_whitespace().all(has) || text == project.id.to_string()
        };
        self.text.as_deref().is_none_or(fits)
            && self.key.as_deref().is_none_or(|key| key == project.key)
    }

    fn sort(&self, projects: &mut [ProjectSummary]) {
        let Some(Order { by, is_descending }) = self.order else { return };
        projects.sort_by_cached_key(|project| place(by, project));
        if is_descending {
            projects.reverse();
        }
    }
}

/// Where a project stands in an order.
fn place(by: OrderField, project: &ProjectSummary) -> (u64, String) {
    let created = project.stamp.as_ref().and_then(|stamp| stamp.created_at);
    match by {
        OrderField::Added => {
            let created = created.map_or(0, Timestamp::as_milliseconds);
            (u64::try_from(created).unwrap_or(0), String::new())
        }
        OrderField::Id => (project.id.get(), String::new()),
        OrderField::Key => (0, project.key.clone()),
        OrderField::Name => (0, plain(project.name.as_ref().unwrap_or(&project.key))),
    }
}

/// One page of the projects, ordered by id.
///
/// # Errors
/// If the store does not answer.
pub async fn list_projects(
    app: &App,
    which: WhichProjects,
    page: ListRange,
) -> Result<Vec<ProjectSummary>, StorageError> {
    app.store().list_projects(which, page).await
}

/// The project with this key, if the actor may read it.
///
/// # Errors
/// If the store does not answer.
pub async fn find_readable_project(
    app: &App,
    actor: &Actor,
    key: &str,
) -> Result<Option<ProjectId>, StorageError> {
    let rights = actor.rights(app).await?;
    let found = app.store().find_project_by_key(key).await?;
    let is_readable = |id: &ProjectId| {
        let include = |rights: &Rights| rights.include(Some(*id), Permission::ReadConfiguration);
        rights.as_ref().is_none_or(include)
    };
    Ok(found.filter(is_readable))
}
