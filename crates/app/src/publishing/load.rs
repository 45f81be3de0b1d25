//! Reads live snippets when a server starts: pages get them even if the database stops answering before any has asked.

use std::time::Duration;

use storage::{ListRange, StorageError, WhichProjects};
use tokio::time::timeout;

use crate::App;
use crate::publishing::deliver::fetch;

/// Most servers have fewer projects. Of others, the first page that asks waits a little.
const PROJECTS_AT_MOST: u32 = 32;

/// A server does not start later because of a slow database.
const PATIENCE: Duration = Duration::from_secs(2);

/// Reads the live snippets of the first projects. A server works without them, too.
pub async fn load_live_snippets(app: &App) {
    let loading = tokio::spawn(load(app.clone()));
    if let Ok(Ok(Err(error))) = timeout(PATIENCE, loading).await {
        tracing::warn!("live snippets are read only when pages ask for them: {error}");
    }
}

async fn load(app: App) -> Result<(), StorageError> {
    let first = ListRange { page: 1, per_page: PROJECTS_AT_MOST };
    for project in app.store().list_projects(WhichProjects::Current, first).await? {
        let is_known = app.caches().snippets.find(project.id).is_some();
        if let (false, Some(number)) = (is_known, project.head.live_revision) {
            let fetched = fetch(app.clone(), project.id, number).await;
            if let Err(error) = fetched {
                tracing::warn!("the live snippet of project {} is not read: {error}", project.id);
            }
        }
    }
    Ok(())
}
