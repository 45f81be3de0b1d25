//! The page on which a member who typed a temporary password chooses their own. It answers the sign-in form, because there
//! is no session yet, and continues to that form's destination.

use app::App;
use app::grants::find_requester;
use app::sessions::{ChoosePassword, ChoosePasswordError, PasswordDue, choose_password};
use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{AppendHeaders, IntoResponse as _, Redirect, Response};
use secrecy::SecretString;
use web::{FormTargets, keep_session};

use crate::account::cards::PasskeyCard;
use crate::caller::SignedOutForm;
use crate::fields::Fields;
use crate::page::page;
use crate::refusal::Refusal;
use crate::return_address::ReturnAddress;
use crate::sign_in_page::{SignInPage, Trouble, form_targets};

pub(crate) const PATH: &str = "/sign-in/own-password";

/// Each passkey that is to go has its id in a field of this name.
const REMOVED_PASSKEY: &str = "remove_passkey";

#[derive(Template)]
#[template(path = "own_password.html")]
struct OwnPasswordPage<'a> {
    email: &'a str,
    is_refused: bool,
    form_token: &'a str,
    return_to: &'a str,
    ticket: &'a str,
    passkeys: Vec<PasskeyCard>,
}

/// The form, for the browser with this form token.
pub(crate) async fn ask(
    app: &App,
    form_token: &str,
    return_to: &ReturnAddress,
    due: PasswordDue,
) -> Result<Response, Refusal> {
    answer(app, form_token, return_to, due, StatusCode::OK).await
}

async fn answer(
    app: &App,
    form_token: &str,
    return_to: &ReturnAddress,
    due: PasswordDue,
    status: StatusCode,
) -> Result<Response, Refusal> {
    let requester = match return_to.authorization_query() {
        Some(query) => find_requester(app, query).await?,
        None => None,
    };
    let template = OwnPasswordPage {
        email: &due.email,
        is_refused: status != StatusCode::OK,
        form_token,
        return_to: return_to.as_str(),
        ticket: &due.ticket,
        passkeys: due.passkeys.into_iter().map(PasskeyCard::from).collect(),
    };
    let targets = requester.as_ref().map_or(FormTargets::OwnPages, form_targets);
    Ok(page(status, &template, targets))
}

/// `POST /sign-in/own-password`
pub(crate) async fn submit(
    State(app): State<App>,
    headers: HeaderMap,
    SignedOutForm { fields, browser }: SignedOutForm,
) -> Result<Response, Refusal> {
    let form_token = fields.get("csrf");
    let return_to = ReturnAddress::parse(fields.get("return_to"));
    let return_to = return_to.unwrap_or_else(ReturnAddress::home);
    let choice = ChoosePassword {
        ticket: fields.get("ticket").to_owned(),
        form_token: form_token.to_owned(),
        new: SecretString::from(fields.get("new_password")),
        removed_passkeys: removed_passkeys(&fields),
        browser,
    };
    match choose_password(&app, choice).await {
        Ok(session) => {
            let cookies = AppendHeaders(keep_session(&app, &session));
            Ok((cookies, Redirect::to(return_to.as_str())).into_response())
        }
        Err(ChoosePasswordError::Unusable(due)) => {
            answer(&app, form_token, &return_to, *due, StatusCode::UNPROCESSABLE_ENTITY).await
        }
        Err(ChoosePasswordError::NotAsked) => {
            let sign_in_page =
                SignInPage::again(&app, &return_to, "", Trouble::FormTooLate).await?;
            Ok(sign_in_page.answer(&app, &headers))
        }
        Err(ChoosePasswordError::Busy(_)) => Err(Refusal::Busy),
        Err(ChoosePasswordError::Storage(error)) => Err(error.into()),
    }
}

/// The ids of the passkeys that a form says are to go.
pub(crate) fn removed_passkeys(fields: &Fields) -> Vec<String> {
    fields.all(REMOVED_PASSKEY).map(str::to_owned).collect()
}
