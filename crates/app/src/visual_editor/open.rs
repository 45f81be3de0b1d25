//! A member opens a page of their site to edit a variation there.

use domain::{Fault, Pointer, Project, ProjectId, VariationId};
use oauth::{Lifetime, Timestamp};
use storage::StorageError;
use thiserror::Error;
use url::Url;

use crate::App;
use crate::decisions::KnownNames;
use crate::drafts::open_draft;
use crate::previews::{ADDRESS_BYTES_AT_MOST, is_in_use, shows_unpublished_code, with_token};
use crate::publishing::live_project;
use crate::roles::{Actor, Permission, RoleError};
use crate::signing_key::signing_key;
use crate::visual_editor::link::EditorLink;
use crate::visual_editor::token::EditorToken;

/// A working day: a link that is found later must be of no use.
const LIFETIME: Lifetime = Lifetime::from_seconds(8 * 3_600);

/// 128 random bits.
const NONCE_BYTES: usize = 16;

/// Why no editor can be opened.
#[derive(Debug, Error)]
pub enum OpenEditorError {
    /// The project is unknown, or the actor is no member.
    #[error("there is no such project for a member to edit")]
    UnknownProject,
    /// The project has no such variation, or it is archived.
    #[error("{}", .0.message)]
    Variation(Box<Fault>),
    /// Nothing of the project is live, so that no snippet reads links.
    #[error("nothing of the project is live yet; publish it with `snippet.preview`")]
    NotPublished,
    /// The live snippet ignores links.
    #[error(
        "the snippet on the site reads no links yet; publish the project with `snippet.preview`"
    )]
    SwitchedOff,
    /// The address is none.
    #[error("{}", .0.message)]
    Address(Box<Fault>),
    /// The member may not write the draft, or not publish the code in it.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Makes a link to `page` on which the member edits the variation of project `id` with this key or id.
///
/// # Errors
/// See [`OpenEditorError`].
pub async fn open_editor(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    (variation, page): (&str, &str),
) -> Result<EditorLink, OpenEditorError> {
    use OpenEditorError::{NotPublished, SwitchedOff, UnknownProject};
    actor.require(app, Some(id), Permission::WriteDraft).await?;
    let member = actor.member().ok_or(UnknownProject)?;
    let draft = open_draft(app, id).await?.ok_or(UnknownProject)?;
    let live = live_project(app, id).await?.ok_or(NotPublished)?;
    if !live.project.snippet.preview {
        return Err(SwitchedOff);
    }
    let variation = variation_id(&draft.project, variation).map_err(OpenEditorError::Variation)?;
    // The link works in every browser, as a preview link does.
    if shows_unpublished_code(app, (&live.project, &draft), &[variation]).await? {
        actor.require_role(app, Some(id), Permission::Publish).await?;
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
    let url = address(page, &text).map_err(OpenEditorError::Address)?;
    let EditorToken { site, nonce, expires_at, .. } = token;
    Ok(EditorLink { url, variation, site, nonce, expires_at })
}

fn variation_id(project: &Project, given: &str) -> Result<VariationId, Box<Fault>> {
    let pointer = Pointer::root().field("variation");
    let known = KnownNames::of(project).variation(given, &pointer)?.id.parse::<VariationId>();
    known.ok().filter(|id| is_in_use(project, *id)).ok_or_else(|| {
        let message = format!("the variation `{given}` is archived");
        Fault::error("archived_reference", pointer, message).into()
    })
}

fn address(page: &str, token: &str) -> Result<String, Box<Fault>> {
    if page.len() > ADDRESS_BYTES_AT_MOST {
        let message = format!("longer than {ADDRESS_BYTES_AT_MOST} bytes");
        return Err(Fault::error("unsuitable", Pointer::root().field("url"), message).into());
    }
    with_token(page, token)
}
