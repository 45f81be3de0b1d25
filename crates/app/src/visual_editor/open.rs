//! A member opens a page of their site to edit a variation there.

use domain::{Fault, ProjectId, VariationId};
use oauth::{Lifetime, Timestamp};
use storage::StorageError;
use thiserror::Error;
use url::Url;

use crate::App;
use crate::drafts::open_draft;
use crate::previews::{is_in_use, with_token};
use crate::publishing::live_project;
use crate::roles::{Actor, Permission, RoleError};
use crate::signing_key::signing_key;
use crate::visual_editor::token::EditorToken;

/// A working day: a link that is found later must be of no use.
const LIFETIME: Lifetime = Lifetime::from_seconds(8 * 3_600);

/// 128 random bits.
const NONCE_BYTES: usize = 16;

/// A link that opens the editor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditorLink {
    /// The page's address with the token.
    pub url: String,
    /// The origin of the site: messages come from there.
    pub site: String,
    /// What these messages have to contain.
    pub nonce: String,
    /// When the link ends.
    pub expires_at: Timestamp,
}

/// Why no editor can be opened.
#[derive(Debug, Error)]
pub enum OpenEditorError {
    /// The project has no such variation, or it is archived.
    #[error("the project has no such variation")]
    UnknownVariation,
    /// The snippet on the site does not read links: nothing is live, or previews are switched off.
    #[error(
        "the snippet on the site reads no links yet; publish the project with `snippet.preview`"
    )]
    SwitchedOff,
    /// The address is none.
    #[error("{}", .0.message)]
    Address(Box<Fault>),
    /// The member may not write the draft.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Makes a link to `page` on which the member edits `variation` of project `id`.
///
/// # Errors
/// See [`OpenEditorError`].
pub async fn open_editor(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    (variation, page): (VariationId, &str),
) -> Result<EditorLink, OpenEditorError> {
    actor.require(app, Some(id), Permission::WriteDraft).await?;
    let member = actor.member().ok_or(OpenEditorError::UnknownVariation)?;
    let draft = open_draft(app, id).await?.ok_or(OpenEditorError::UnknownVariation)?;
    if !is_in_use(&draft.project, variation) {
        return Err(OpenEditorError::UnknownVariation);
    }
    let live = live_project(app, id).await?.ok_or(OpenEditorError::SwitchedOff)?;
    if !live.project.snippet.preview {
        return Err(OpenEditorError::SwitchedOff);
    }
    let now = app.now().as_milliseconds() / 1_000 * 1_000;
    let token = EditorToken {
        project_id: id,
        variation,
        expires_at: Timestamp::from_milliseconds(now) + LIFETIME,
        member,
        site: Url::parse(page).map(|url| url.origin().ascii_serialization()).unwrap_or_default(),
        nonce: hex::encode(app.random::<NONCE_BYTES>()),
    };
    let text = token.write(&signing_key(app).await?);
    let url = with_token(page, &text).map_err(OpenEditorError::Address)?;
    let EditorToken { site, nonce, expires_at, .. } = token;
    Ok(EditorLink { url, site, nonce, expires_at })
}
