//! Adds a webhook to a project.

use domain::{Fault, ProjectId};
use secrecy::SecretString;
use serde_json::json;
use storage::{AuditEvent, StorageError, WEBHOOKS_AT_MOST, Webhook};
use thiserror::Error;

use crate::App;
use crate::documents::WebhookEvent;
use crate::roles::{Actor, RoleError};
use crate::webhooks::address::host_of;
use crate::webhooks::description::{
    check_description, check_url, entity, hears_of_results, names_of,
};
use crate::webhooks::secret::{nonce, secret};

/// 96 random bits: no two webhooks get the same id.
const ID_BYTES: usize = 12;

/// A webhook to add.
#[derive(Debug, Clone)]
pub struct NewWebhook {
    /// Where requests go.
    pub url: String,
    /// What it is for.
    pub description: String,
    /// The events that it wants; none are all.
    pub events: Vec<WebhookEvent>,
}

/// A webhook that was just added.
#[derive(Debug)]
pub struct MadeWebhook {
    /// The webhook.
    pub webhook: Webhook,
    /// Its secret; shown only here.
    pub secret: SecretString,
}

/// Why there is no webhook.
#[derive(Debug, Error)]
pub enum AddWebhookError {
    /// There is no such project.
    #[error("there is no such project")]
    UnknownProject,
    /// The request is invalid.
    #[error("{}", .0.message)]
    Fault(Box<Fault>),
    /// The project has too many.
    #[error("this project has {WEBHOOKS_AT_MOST} webhooks already; remove one first")]
    TooMany,
    /// The actor may not change the project.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// The store did not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Adds a webhook. It hears of what happens from now on.
///
/// # Errors
/// See [`AddWebhookError`].
pub async fn add_webhook(
    app: &App,
    actor: &Actor,
    project: ProjectId,
    new: NewWebhook,
) -> Result<MadeWebhook, AddWebhookError> {
    actor.require_announcing(app, project).await?;
    if hears_of_results(&names_of(&new.events)) {
        actor.require_telling_results(app, project).await?;
    }
    if !app.store().has_project(project).await? {
        return Err(AddWebhookError::UnknownProject);
    }
    let url = check_url(app, &new.url).map_err(AddWebhookError::Fault)?;
    check_description(&new.description).map_err(AddWebhookError::Fault)?;
    let webhook = Webhook {
        id: hex::encode(app.random::<ID_BYTES>()),
        project,
        url,
        description: new.description,
        events: names_of(&new.events),
        is_enabled: true,
        off_because: None,
        nonce: nonce(app),
        former_nonce: None,
        member: actor.member(),
        made_by: actor.author(app).await?,
        made_at: app.now(),
        version: 1,
    };
    let told = json!({"host": host_of(&webhook.url), "events": webhook.events});
    let change = json!([{"op": "add", "path": "", "value": told}]);
    let about = (project, &*entity(&webhook.id));
    let entry = actor.entry(app, AuditEvent::WebhookAdded, about, &change);
    let secret = secret(app, &webhook).await?.shown();
    if !app.store().add_webhook((actor.authority()?, webhook.clone()), entry).await? {
        return Err(AddWebhookError::TooMany);
    }
    Ok(MadeWebhook { webhook, secret })
}
