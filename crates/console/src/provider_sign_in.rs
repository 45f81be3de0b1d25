//! Sign-in at an OpenID Connect provider: the way there is a link, so that no form is sent to another site, and the way back is an
//! address of ours that the provider knows.

use app::App;
use app::identities::{
    BeginProviderSignInError, ProviderSignIn, ProviderSignInError, begin_provider_sign_in,
    sign_in_by_provider,
};
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::{AppendHeaders, IntoResponse as _, Redirect, Response};
use secrecy::SecretString;
use storage::Earlier;
use web::{CallerAddress, PreAuthSession, keep_session, log_provider_error, signing_browser};

use crate::account;
use crate::fields::Fields;
use crate::refusal::Refusal;
use crate::return_address::ReturnAddress;
use crate::sign_in_page::{SignInPage, Trouble};

pub(crate) const CALLBACK_PATH: &str = "/sign-in/provider/callback";

/// `GET /sign-in/provider?return_to=…`
pub(crate) async fn begin(
    State(app): State<App>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, Refusal> {
    let fields = fields(query)?;
    let return_to = ReturnAddress::parse(fields.get("return_to"));
    let return_to = return_to.unwrap_or_else(ReturnAddress::home);
    let browser = PreAuthSession::of(&app, &headers);
    let token = browser.form_token();
    match begin_provider_sign_in(&app, token.as_str(), return_to.as_str()).await {
        Ok(address) => {
            Ok((AppendHeaders([browser.keep(&app)]), Redirect::to(&address)).into_response())
        }
        Err(BeginProviderSignInError::NoProvider) => Err(Refusal::NoSuchPage),
        Err(BeginProviderSignInError::Provider(error)) => {
            log_provider_error(&error);
            again(&app, &headers, &return_to, Trouble::ProviderUnavailable).await
        }
        Err(BeginProviderSignInError::Storage(error)) => Err(error.into()),
    }
}

/// `GET /sign-in/provider/callback?code=…&state=…`, or `?error=…&state=…` (RFC 6749 section 4.1.2).
pub(crate) async fn finish(
    State(app): State<App>,
    CallerAddress(address): CallerAddress,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, Refusal> {
    let (fields, home) = (fields(query)?, ReturnAddress::home());
    let Some(browser) = PreAuthSession::find(&app, &headers) else {
        return again(&app, &headers, &home, Trouble::ProviderTooLate).await;
    };
    if !fields.has("code") {
        return again(&app, &headers, &home, Trouble::ProviderRefused).await;
    }
    let answer = ProviderSignIn {
        state: fields.get("state").to_owned(),
        code: SecretString::from(fields.get("code")),
        issuer: fields.has("iss").then(|| fields.get("iss").to_owned()),
        form_token: browser.form_token().as_str().to_owned(),
        browser: signing_browser(&app, &headers, address),
    };
    let trouble = match sign_in_by_provider(&app, answer).await {
        Ok(signed_in) => {
            let cookies = AppendHeaders(keep_session(&app, &signed_in.session));
            let destination = ReturnAddress::parse(&signed_in.destination).unwrap_or(home);
            let to = match signed_in.earlier {
                Earlier::Kept => Redirect::to(destination.as_str()),
                Earlier::Ended => Redirect::to(account::PASSWORD_ENDED),
            };
            return Ok((cookies, to).into_response());
        }
        Err(ProviderSignInError::NotAsked) => Trouble::ProviderTooLate,
        Err(ProviderSignInError::NoVerifiedEmail) => Trouble::NoVerifiedEmail,
        Err(ProviderSignInError::NotAMember(email)) => Trouble::NotAMember(email),
        Err(ProviderSignInError::OtherPerson(email)) => Trouble::OtherPerson(email),
        Err(ProviderSignInError::Provider(error)) => {
            log_provider_error(&error);
            Trouble::ProviderRefused
        }
        Err(ProviderSignInError::Storage(error)) => return Err(error.into()),
    };
    again(&app, &headers, &home, trouble).await
}

fn fields(query: Option<String>) -> Result<Fields, Refusal> {
    Fields::read(query.unwrap_or_default().as_bytes()).ok_or(Refusal::UnreadableForm)
}

async fn again(
    app: &App,
    headers: &HeaderMap,
    return_to: &ReturnAddress,
    trouble: Trouble,
) -> Result<Response, Refusal> {
    Ok(SignInPage::again(app, return_to, "", trouble).await?.answer(app, headers))
}
