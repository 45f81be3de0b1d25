//! `/invitation`: what an invited person opens. They see who invited them to what, choose a password, and are signed in. A
//! member signs in instead, and accepts at `/invitation/member`.

use app::App;
use app::invitations::{
    AcceptAsMemberError, AcceptInvitation, AcceptInvitationError, INVITATION_OF_MEMBER_PATH,
    INVITATION_PATH, InvitationError, Invited, accept_as_member, accept_invitation,
    find_invitation,
};
use askama::Template;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{AppendHeaders, IntoResponse as _, Redirect, Response};
use secrecy::{ExposeSecret as _, SecretString};
use storage::RoleGrant;
use web::{FormTargets, PreAuthSession, Session, keep_session};

use crate::caller::{FormCaller, PageCaller, SignedOutForm};
use crate::fields::Fields;
use crate::frame::{Frame, NavigationTab};
use crate::page::page;
use crate::refusal::Refusal;
use crate::words::sentence;

/// The name of the token in the address and in the form.
const TOKEN: &str = "token";

#[derive(Template)]
#[template(path = "invitation.html")]
struct InvitationPage<'a> {
    invited: &'a Invited,
    form_token: &'a str,
    token: &'a str,
    is_refused: bool,
}

/// The page on which a member accepts.
#[derive(Template)]
#[template(path = "invitation_of_member.html")]
struct MemberPage<'a> {
    frame: Frame,
    invited: &'a Invited,
    token: &'a str,
    is_own: bool,
}

/// The page of a link that opens nothing.
#[derive(Template)]
#[template(path = "invitation_over.html")]
struct InvitationOverPage {
    title: &'static str,
    why: String,
}

/// `GET /invitation?token=…`
pub(crate) async fn show(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let fields = Fields::read(query.unwrap_or_default().as_bytes()).ok_or(Refusal::NoSuchPage)?;
    let token = SecretString::from(fields.get(TOKEN).trim());
    match find_invitation(&app, &token).await {
        Ok(invited) => Ok(answer(&app, &headers, &invited, &token, StatusCode::OK)),
        Err(error) => over(error),
    }
}

/// `POST /invitation`
pub(crate) async fn submit(
    State(app): State<App>,
    headers: HeaderMap,
    SignedOutForm { fields, browser }: SignedOutForm,
) -> Result<Response, Refusal> {
    let token = SecretString::from(fields.get(TOKEN));
    let acceptance = AcceptInvitation {
        token: token.clone(),
        password: SecretString::from(fields.get("new_password")),
        browser,
    };
    match accept_invitation(&app, acceptance).await {
        Ok((session, role)) => {
            let cookies = AppendHeaders(keep_session(&app, &session));
            Ok((cookies, Redirect::to(&page_of(&role))).into_response())
        }
        Err(AcceptInvitationError::Password(_)) => match find_invitation(&app, &token).await {
            Ok(invited) => {
                Ok(answer(&app, &headers, &invited, &token, StatusCode::UNPROCESSABLE_ENTITY))
            }
            Err(error) => over(error),
        },
        Err(AcceptInvitationError::Invitation(error)) => over(error),
        Err(AcceptInvitationError::Busy(_)) => Err(Refusal::Busy),
        Err(AcceptInvitationError::Storage(error)) => Err(error.into()),
    }
}

/// `GET /invitation/member?token=…`
pub(crate) async fn show_to_member(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    PageCaller { session, .. }: PageCaller,
) -> Result<Response, Refusal> {
    let fields = Fields::read(query.unwrap_or_default().as_bytes()).ok_or(Refusal::NoSuchPage)?;
    let token = SecretString::from(fields.get(TOKEN).trim());
    if token.expose_secret().is_empty() {
        return Ok(without_link());
    }
    match find_invitation(&app, &token).await {
        Ok(invited) => Ok(answer_to_member(&session, &invited, &token, StatusCode::OK)),
        Err(error) => over(error),
    }
}

/// `POST /invitation/member/accept`
pub(crate) async fn submit_of_member(
    State(app): State<App>,
    FormCaller { session, actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let token = SecretString::from(fields.get(TOKEN));
    match accept_as_member(&app, &actor, &token).await {
        Ok(role) => Ok(Redirect::to(&page_of(&role)).into_response()),
        Err(AcceptAsMemberError::OtherMember) => match find_invitation(&app, &token).await {
            Ok(invited) => Ok(answer_to_member(&session, &invited, &token, StatusCode::FORBIDDEN)),
            Err(error) => over(error),
        },
        Err(AcceptAsMemberError::Invitation(error)) => over(error),
        Err(AcceptAsMemberError::Storage(error)) => Err(error.into()),
    }
}

/// Where the role is of use.
fn page_of(role: &RoleGrant) -> String {
    role.project.map_or_else(|| "/".to_owned(), |id| format!("/projects/{id}"))
}

fn answer_to_member(
    session: &Session,
    invited: &Invited,
    token: &SecretString,
    status: StatusCode,
) -> Response {
    let template = MemberPage {
        frame: Frame::new(session, NavigationTab::Account),
        invited,
        token: token.expose_secret(),
        is_own: session.member.email == invited.invitation.email,
    };
    page(status, &template, FormTargets::OwnPages)
}

fn answer(
    app: &App,
    headers: &HeaderMap,
    invited: &Invited,
    token: &SecretString,
    status: StatusCode,
) -> Response {
    let pre_auth_session = PreAuthSession::of(app, headers);
    let form_token = pre_auth_session.form_token().shown();
    let template = InvitationPage {
        invited,
        form_token: form_token.as_str(),
        token: token.expose_secret(),
        is_refused: status != StatusCode::OK,
    };
    let answer = page(status, &template, FormTargets::OwnPages);
    (AppendHeaders([pre_auth_session.keep(app)]), answer).into_response()
}

/// For a member whose session ended before they accepted: the link is in no address of ours.
fn without_link() -> Response {
    let why = "Nothing was changed. The link of your invitation leads here again.".to_owned();
    let template = InvitationOverPage { title: "Open your invitation again", why };
    page(StatusCode::BAD_REQUEST, &template, FormTargets::OwnPages)
}

fn over(error: InvitationError) -> Result<Response, Refusal> {
    let title = match error {
        InvitationError::Gone | InvitationError::Powerless => {
            "This invitation does not work any more"
        }
        InvitationError::AlreadyMember => "You are a member already",
        InvitationError::Storage(error) => return Err(error.into()),
    };
    let template = InvitationOverPage { title, why: sentence(&error.to_string()) };
    Ok(page(StatusCode::GONE, &template, FormTargets::OwnPages))
}
