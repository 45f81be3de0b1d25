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
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use web::FormTargets;

use crate::account::cards::{ApplicationCard, PasskeyCard, SessionCard};
use crate::assets::allowed_scripts;
use crate::caller::PageCaller;
use crate::frame::{Frame, NavigationTab};
use crate::message::Messages;
use crate::page::page_with;
use crate::refusal::Refusal;

pub(crate) const PATH: &str = "/account";

/// The page for a member whose address the provider has just proved.
pub(crate) const PASSWORD_ENDED: &str = "/account?done=password-ended";

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage {
    frame: Frame,
    knows_passkeys: bool,
    passkeys: Vec<PasskeyCard>,
    /// Whether a passkey may be added without another proof.
    is_proof_fresh: bool,
    name_length_at_most: usize,
    applications: Vec<ApplicationCard>,
    sessions: Vec<SessionCard>,
    has_other_sessions: bool,
}

const MESSAGES: Messages = Messages {
    done: &[
        ("disconnected", "The application is disconnected and no longer has access."),
        ("session-ended", "That browser is signed out."),
        ("others-ended", "All other browsers are signed out."),
        ("password-changed", "Your password is changed, and all other browsers are signed out."),
        (
            "password-ended",
            "You are signed in, and the provider vouches for your address from now on. Nothing had proved it before, so the password, passkeys, API tokens and other sessions of this account have ended: another person could have made them. For a new password, use “Forgot your password?” on the sign-in page, or ask an admin.",
        ),
        ("passkey-added", "The passkey is added. You can sign in with it from now on."),
        ("passkey-renamed", "The passkey is renamed."),
        ("passkey-removed", "The passkey is removed and no longer works."),
    ],
    problems: &[
        ("wrong-password", "The current password is wrong. Your password has not changed."),
        ("password-length", "A password has 12 to 500 characters. Your password has not changed."),
        (
            "too-many-tries",
            "Too many attempts. Your password has not changed. Try again in a few minutes.",
        ),
        ("passkey-too-late", "That took too long. No passkey was added. Try again."),
        ("passkey-refused", "The device's answer is not valid. No passkey was added."),
        ("too-many-passkeys", "You have twenty passkeys. Remove one to add another."),
    ],
};

pub(crate) async fn show(
    State(app): State<App>,
    caller: PageCaller,
    RawQuery(query): RawQuery,
) -> Result<Response, Refusal> {
    let session = caller.session;
    let passkeys = list_passkeys(&app, &session.member).await?;
    let applications = list_connected_applications(&app, &session.member).await?;
    let sessions = list_sessions(&app, &session.member, session.credential()).await?;
    let message = MESSAGES.named(query.as_deref());
    let template = AccountPage {
        frame: Frame::new(&session, NavigationTab::Account).with_message(message),
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

/// Leads back to the page, which says what this query names.
pub(crate) fn back(query: &str) -> Response {
    Redirect::to(&format!("{PATH}{query}")).into_response()
}

#[cfg(test)]
mod tests {
    use app::{PASSWORD_CHARACTERS_AT_LEAST, PASSWORD_CHARACTERS_AT_MOST};

    use super::MESSAGES;

    #[test]
    fn the_limits_of_a_password_are_told_as_they_are() {
        let message = MESSAGES.named(Some("problem=password-length")).unwrap();

        let limits = format!("{PASSWORD_CHARACTERS_AT_LEAST} to {PASSWORD_CHARACTERS_AT_MOST} ");
        assert!(message.words.contains(&limits), "{}", message.words);
    }
}
