//! How many events of a project are kept, for who decides whether they stay.

use domain::ProjectId;
use storage::EventWeight;

use crate::App;
use crate::roles::{Actor, Permission, RoleError};

/// What is kept of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptEvents {
    /// The events.
    pub weight: EventWeight,
    /// Days after which they are deleted; `None` never.
    pub days: Option<u32>,
}

/// How many events of a project there are; none of one that is not there.
///
/// # Errors
/// See [`RoleError`].
pub async fn count_events(
    app: &App,
    actor: &Actor,
    project: ProjectId,
) -> Result<KeptEvents, RoleError> {
    actor.require(app, Some(project), Permission::ForgetVisitors).await?;
    let weight = app.store().weigh_events(project).await?;
    Ok(KeptEvents { weight, days: app.event_keeping().days })
}
