//! Invitations on the members' page: a form, the link of a new one, and the list of those that wait.

use app::App;
use app::invitations::{InvitationState, InviteError, invite, list_invitations, revoke_invitation};
use app::roles::{Actor, Rights};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use oauth::Moment;
use storage::{ListRange, Role, RoleGrant};

use crate::caller::FormCaller;
use crate::members::member::RoleForm;
use crate::members::places::{Places, ShownRole, place_named};
use crate::members::{Feedback, PATH, answer};
use crate::refusal::Refusal;
use crate::words::sentence;

/// More invitations than people look through; older ones come up as these go.
const LISTED_AT_MOST: u32 = 100;

/// An invitation in the list.
pub(super) struct InvitationLine {
    pub(super) id: String,
    pub(super) email: String,
    pub(super) shown: ShownRole,
    pub(super) state: &'static str,
    pub(super) is_open: bool,
    pub(super) made_by: String,
    pub(super) made: Moment,
    pub(super) expires: Moment,
    pub(super) may_revoke: bool,
}

/// The invitations that wait, and those that expired lately.
pub(super) async fn lines(
    app: &App,
    actor: &Actor,
    rights: &Rights,
    places: &Places,
) -> Result<Vec<InvitationLine>, Refusal> {
    let newest = ListRange { page: 1, per_page: LISTED_AT_MOST };
    let listed = list_invitations(app, actor, newest).await?;
    let line = |(invitation, state): (storage::Invitation, InvitationState)| InvitationLine {
        shown: places.shown(&[invitation.role]).pop().expect("one role is shown as one"),
        state: match state {
            InvitationState::Open => "invited",
            InvitationState::Expired => "expired",
            InvitationState::Powerless => "the inviter may not any more",
        },
        is_open: state == InvitationState::Open,
        made: Moment::from(invitation.made_at),
        expires: Moment::from(invitation.expires_at),
        may_revoke: rights.decide_about(&invitation.role),
        id: invitation.id,
        email: invitation.email,
        made_by: invitation.made_by,
    };
    Ok(listed.into_iter().map(line).collect())
}

/// `POST /members/invite`: the answer shows the link, once.
pub(super) async fn submit(
    State(app): State<App>,
    FormCaller { session, actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let (email, place, role) = (fields.get("email"), fields.get("project"), fields.get("role"));
    let form = RoleForm { place: Some(place), role, has_code: fields.has("code") };
    let (project, role) = (place_named(place)?, Role::named(role));
    let role = role.ok_or(Refusal::UnreadableForm)?;
    let is_code_allowed = form.has_code || role >= Role::Admin;
    let grant = RoleGrant { project, role, is_code_allowed };
    let caller = (&app, &session, &actor);
    let error = match invite(&app, &actor, email, grant).await {
        Ok(made) => {
            let feedback = Feedback { made: Some(&made), ..Feedback::default() };
            return answer(caller, StatusCode::OK, feedback).await;
        }
        Err(InviteError::Role(error)) => return Err(error.into()),
        Err(InviteError::Storage(error)) => return Err(error.into()),
        Err(
            error @ (InviteError::UnusableEmail
            | InviteError::EmailTaken
            | InviteError::UnknownProject(_)
            | InviteError::TooMany
            | InviteError::TooManyToProject),
        ) => error,
    };
    let alert = Some(sentence(&error.to_string().replace('`', "")));
    let feedback = Feedback { alert, email, form, ..Feedback::default() };
    answer(caller, StatusCode::UNPROCESSABLE_ENTITY, feedback).await
}

/// `POST /members/revoke-invitation`
pub(super) async fn submit_revocation(
    State(app): State<App>,
    FormCaller { actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let is_known = revoke_invitation(&app, &actor, fields.get("id")).await?;
    let query = if is_known { "?done=revoked" } else { "?problem=no-invitation" };
    Ok(Redirect::to(&format!("{PATH}{query}")).into_response())
}
