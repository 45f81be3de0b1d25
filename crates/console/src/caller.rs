//! The member who asks for a page, or who sends a form. A browser without a session gets the sign-in form instead, and then the page.

use std::net::IpAddr;

use app::App;
use app::roles::Actor;
use app::sessions::SigningBrowser;
use app::setup::needs_setup;
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, OriginalUri, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Uri};
use axum::response::{IntoResponse as _, Redirect, Response};
use web::{CallerAddress, PreAuthSession, Session, is_from_elsewhere, signing_browser};

use crate::fields::Fields;
use crate::refusal::Refusal;
use crate::return_address::{ReturnAddress, page_of};
use crate::setup;
use crate::sign_in_page::{SignInPage, Trouble};

/// The query of a page that lets a member sign in whose form was not done.
const SESSION_ENDED: &str = "problem=session-ended";

/// The same after a form that the browser keeps.
const FORM_KEPT: &str = "problem=form-kept";

/// A member who asks for a page.
pub(crate) struct PageCaller {
    pub(crate) session: Session,
    pub(crate) actor: Actor,
}

/// A member who sends a form that we showed to them. A form's address is that of its page and one more segment, which names the act
/// (`/account/disconnect`): a member whose session has ended goes to the page, which lets them sign in.
pub(crate) struct FormCaller {
    pub(crate) session: Session,
    pub(crate) actor: Actor,
    pub(crate) address: IpAddr,
    pub(crate) fields: Fields,
}

/// A form of a person who is not signed in, from a page that we showed to their browser.
pub(crate) struct SignedOutForm {
    pub(crate) fields: Fields,
    pub(crate) browser: SigningBrowser,
}

impl FromRequestParts<App> for PageCaller {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Response> {
        let (uri, address) = place_of(parts, app).await;
        let session = Session::find(app, &parts.headers).await;
        let Some(session) = session.map_err(|error| Refusal::from(error).into_response())? else {
            return Err(way_in(app, &parts.headers, &uri).await);
        };
        let member = &session.member;
        let actor = Actor::in_session(member.id, member.session, Some(address));
        Ok(Self { session, actor })
    }
}

impl FromRequest<App> for FormCaller {
    type Rejection = Response;

    async fn from_request(request: Request, app: &App) -> Result<Self, Response> {
        let (mut parts, body) = request.into_parts();
        let (uri, address) = place_of(&mut parts, app).await;
        let headers = parts.headers.clone();
        let fields = fields_of(Request::from_parts(parts, body), app).await;
        let fields = fields.map_err(Refusal::into_response)?;
        let session = sender(app, &headers, fields.get("csrf")).await;
        let Some(session) = session.map_err(Refusal::into_response)? else {
            let is_kept = uri.path().ends_with("/save");
            let problem = if is_kept { FORM_KEPT } else { SESSION_ENDED };
            let page = format!("{}?{problem}", page_of(uri.path()));
            return Err(Redirect::to(&page).into_response());
        };
        let member = &session.member;
        let actor = Actor::in_session(member.id, member.session, Some(address));
        Ok(Self { session, actor, address, fields })
    }
}

impl FromRequest<App> for SignedOutForm {
    type Rejection = Refusal;

    async fn from_request(request: Request, app: &App) -> Result<Self, Refusal> {
        let (mut parts, body) = request.into_parts();
        let (_, address) = place_of(&mut parts, app).await;
        let headers = parts.headers.clone();
        let fields = fields_of(Request::from_parts(parts, body), app).await?;
        check_signed_out_form(app, &headers, fields.get("csrf"))?;
        Ok(Self { fields, browser: signing_browser(app, &headers, address) })
    }
}

async fn fields_of(request: Request, app: &App) -> Result<Fields, Refusal> {
    let bytes = Bytes::from_request(request, app).await.map_err(|_| Refusal::UnreadableForm)?;
    Fields::read(&bytes).ok_or(Refusal::UnreadableForm)
}

/// The sign-in form, or the set-up page of a server without members.
async fn way_in(app: &App, headers: &HeaderMap, uri: &Uri) -> Response {
    match needs_setup(app).await {
        Ok(true) => Redirect::to(setup::PATH).into_response(),
        Ok(false) => {
            let trouble = match uri.query() {
                Some(SESSION_ENDED) => Trouble::SessionEnded,
                Some(FORM_KEPT) => Trouble::FormKept,
                Some(_) | None => {
                    return SignInPage::new(&ReturnAddress::of(uri)).answer(app, headers);
                }
            };
            let page = ReturnAddress::parse(uri.path()).unwrap_or_else(ReturnAddress::home);
            SignInPage::after_session(&page, trouble).answer(app, headers)
        }
        Err(error) => Refusal::from(error).into_response(),
    }
}

/// The session that sent a form with this token; `None` if it has ended since.
pub(crate) async fn sender(
    app: &App,
    headers: &HeaderMap,
    form_token: &str,
) -> Result<Option<Session>, Refusal> {
    let Some(session) = Session::find(app, headers).await? else { return Ok(None) };
    if is_from_elsewhere(app, headers) || !session.form_token().is(form_token) {
        return Err(Refusal::ForeignForm);
    }
    Ok(Some(session))
}

/// Only a browser that was shown a form of ours may send one.
pub(crate) fn check_signed_out_form(
    app: &App,
    headers: &HeaderMap,
    form_token: &str,
) -> Result<(), Refusal> {
    let pre_auth_session = PreAuthSession::find(app, headers).ok_or(Refusal::ForeignForm)?;
    let is_ours = !is_from_elsewhere(app, headers) && pre_auth_session.form_token().is(form_token);
    if is_ours { Ok(()) } else { Err(Refusal::ForeignForm) }
}

async fn place_of(parts: &mut Parts, app: &App) -> (Uri, IpAddr) {
    let Ok(OriginalUri(uri)) = OriginalUri::from_request_parts(parts, app).await;
    let Ok(CallerAddress(address)) = CallerAddress::from_request_parts(parts, app).await;
    (uri, address)
}
