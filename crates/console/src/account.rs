//! `/account`: how a member signs in, what acts in their name, and where they are signed in. All of it is changed by plain forms that lead
//! back to the page, which then shows a message.

pub(crate) mod cards;
pub(crate) mod ending;
pub(crate) mod passkeys;
pub(crate) mod password;

use app::App;
use app::connections::list_connected_applications;
use app::passkeys::{PASSKEY_NAME_LENGTH_AT_MOST, is_proof_fresh, knows_passkeys, list_passkeys};
use app::sessions::list_sessions;
use askama::Template;
use axum::extract::{OriginalUri, RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};
use web::{FormTargets, Session, is_from_elsewhere};

use crate::account::cards::{ApplicationCard, PasskeyCard, SessionCard};
use crate::assets::allowed_scripts;
use crate::page::page_with;
use crate::refusal::Refusal;
use crate::return_address::ReturnAddress;
use crate::sign_in_page::SignInPage;

pub(crate) const PATH: &str = "/account";

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage<'a> {
    member_email: &'a str,
    form_token: &'a str,
    done: Option<&'static str>,
    problem: Option<&'static str>,
    knows_passkeys: bool,
    passkeys: Vec<PasskeyCard>,
    /// Whether a passkey may be added without another proof.
    is_proof_fresh: bool,
    name_length_at_most: usize,
    applications: Vec<ApplicationCard>,
    sessions: Vec<SessionCard>,
    has_other_sessions: bool,
}

/// The page's message after an act, named in its address: an invented address cannot make the page say anything else.
const DONE: [(&str, &str); 7] = [
    ("disconnected", "The application is disconnected and no longer has access."),
    ("session-ended", "That browser is signed out."),
    ("others-ended", "All other browsers are signed out."),
    ("password-changed", "Your password is changed, and all other browsers are signed out."),
    ("passkey-added", "The passkey is added. You can sign in with it from now on."),
    ("passkey-renamed", "The passkey is renamed."),
    ("passkey-removed", "The passkey is removed and no longer works."),
];

/// What it says after something was not.
const PROBLEMS: [(&str, &str); 6] = [
    ("wrong-password", "The current password is wrong. Your password has not changed."),
    ("password-length", "A password has 12 to 500 characters. Your password has not changed."),
    (
        "too-many-tries",
        "Too many attempts. Your password has not changed. Try again in a few minutes.",
    ),
    ("passkey-too-late", "That took too long. No passkey was added. Try again."),
    ("passkey-refused", "The device's answer is not valid. No passkey was added."),
    ("too-many-passkeys", "You have twenty passkeys. Remove one to add another."),
];

pub(crate) async fn show(
    State(app): State<App>,
    OriginalUri(uri): OriginalUri,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let Some(session) = Session::find(&app, &headers).await? else {
        return Ok(SignInPage::new(&ReturnAddress::of(&uri)).answer(&app, &headers));
    };
    let passkeys = list_passkeys(&app, &session.member).await?;
    let applications = list_connected_applications(&app, &session.member).await?;
    let sessions = list_sessions(&app, &session.member, session.credential()).await?;
    let token = session.form_token();
    let query = query.unwrap_or_default();
    let template = AccountPage {
        member_email: &session.member.email,
        form_token: token.as_str(),
        done: named(&DONE, query.strip_prefix("done=")),
        problem: named(&PROBLEMS, query.strip_prefix("problem=")),
        knows_passkeys: knows_passkeys(&app),
        is_proof_fresh: is_proof_fresh(&app, &session.member),
        passkeys: passkeys.into_iter().map(PasskeyCard::from).collect(),
        name_length_at_most: PASSKEY_NAME_LENGTH_AT_MOST,
        applications: applications.into_iter().map(ApplicationCard::from).collect(),
        has_other_sessions: sessions.iter().any(|session| !session.is_this),
        sessions: sessions.into_iter().map(SessionCard::from).collect(),
    };
    let scripts = allowed_scripts(&app);
    Ok(page_with(StatusCode::OK, &template, FormTargets::OwnPages, scripts))
}

fn named(sentences: &[(&str, &'static str)], name: Option<&str>) -> Option<&'static str> {
    sentences.iter().find(|(known, _)| Some(*known) == name).map(|(_, words)| *words)
}

/// The session that sent a form with this token; `None` if it has ended since: the page then asks the member to sign in.
pub(crate) async fn owner(
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

/// Leads back to the page, which says what this query names.
pub(crate) fn back(query: &str) -> Response {
    Redirect::to(&format!("{PATH}{query}")).into_response()
}
