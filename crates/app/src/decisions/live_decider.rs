//! Computes decisions from the live revision of a project.

use std::sync::Arc;

use domain::ProjectId;
use storage::StorageError;

use crate::App;
use crate::bounded_cache::BoundedCache;
use crate::computation::compute;
use crate::decisions::prepared_project::PreparedProject;
use crate::publishing::{live_number, read_revision};
use crate::roles::{Actor, Permission, RoleError};

/// Campaigns of the projects in memory: enough for four of the largest projects, or for hundreds of usual size.
const CAMPAIGNS_AT_MOST: usize = 20_000;

/// The live revisions queried most recently, in memory, each with its number.
#[derive(Debug)]
pub struct DeciderCache(BoundedCache<(ProjectId, u32), Arc<PreparedProject>>);

impl Default for DeciderCache {
    fn default() -> Self {
        Self(BoundedCache::of_weight(CAMPAIGNS_AT_MOST))
    }
}

/// The live revision of project `id`, ready to decide; `None` if the project is unknown or was never published.
///
/// # Errors
/// See [`RoleError`].
pub async fn live_decider(
    app: &App,
    actor: &Actor,
    id: ProjectId,
) -> Result<Option<Arc<PreparedProject>>, RoleError> {
    actor.require(app, Some(id), Permission::ReadConfiguration).await?;
    let Some(number) = live_number(app, id).await? else { return Ok(None) };
    let key = (id, number);
    if let Some(project) = app.caches().deciders.0.find(&key) {
        return Ok(Some(project));
    }
    let Some(live) = read_revision(app, id, number).await? else { return Ok(None) };
    let campaigns = live.project.campaigns.len();
    // Many requests may need one revision at the same moment: the first few prepare it for all.
    let turn = app.heavy_work().reading_turn().await;
    if let Some(project) = app.caches().deciders.0.find(&key) {
        return Ok(Some(project));
    }
    // Large documents take milliseconds of computation, so they stay off the async threads.
    let work = move || (PreparedProject::new(&live.project), turn);
    let (prepared, _turn) = compute("prepare_decider", work).await.map_err(StorageError::from)?;
    let weight = prepared.weight(campaigns);
    let project = Arc::new(prepared);
    app.caches().deciders.0.put(key, Arc::clone(&project), weight);
    Ok(Some(project))
}
