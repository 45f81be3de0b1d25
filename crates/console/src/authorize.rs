//! `/oauth2/authorize`: an application asks a member for access (RFC 6749 section 4.1.1), by GET, or by POST (section 3.1). The form
//! by which the member answers comes to the same address; see `consent.rs`.

use app::App;
use app::grants::{Authorization, authorize};
use axum::extract::rejection::RawFormRejection;
use axum::extract::{RawForm, RawQuery, State};
use axum::http::{HeaderMap, Method};
use axum::response::{IntoResponse as _, Redirect, Response};
use oauth::Parameters;
use web::{CallerAddress, Session};

use crate::consent::{self, address_of};
use crate::redirect::send_back;
use crate::refusal::Refusal;
use crate::sign_in_page::SignInPage;

/// `GET /oauth2/authorize`
pub(crate) async fn show(
    State(app): State<App>,
    method: Method,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let query = query.unwrap_or_default();
    // HEAD is safe (RFC 9110 section 9.2.1), so we answer it as without a session: it gives no code.
    let session = if method == Method::HEAD { None } else { Session::find(&app, &headers).await? };
    let member = session.as_ref().map(|session| &session.member);
    Ok(match authorize(&app, &query, member).await? {
        Authorization::Answered(location) => send_back(&location),
        Authorization::ConsentNeeded(question) => {
            let session = session.expect("only a member who is signed in is asked for consent");
            consent::ask(&app, &session, &query, &question)
        }
        Authorization::SignInNeeded(needed) => {
            let return_to = address_of(&needed.continue_with)?;
            let email = needed.login_hint.unwrap_or_default();
            SignInPage::to_continue(&return_to, needed.requester, &email).answer(&app, &headers)
        }
    })
}

/// `POST /oauth2/authorize`: a form with an authorization request, or one with the member's answer to it.
pub(crate) async fn submit(
    State(app): State<App>,
    CallerAddress(address): CallerAddress,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    form: Result<RawForm, RawFormRejection>,
) -> Result<Response, Refusal> {
    let RawForm(form) = form.map_err(|_| Refusal::UnreadableForm)?;
    match request_in(&query.unwrap_or_default(), &form) {
        Some(request) => Ok(Redirect::to(address_of(&request)?.as_str()).into_response()),
        None => consent::answer(&app, address, &headers, &form).await,
    }
}

/// The authorization request that query and form are together: only that names a client outright. It goes on as GET, because the
/// session's cookie does not come along with a form of another site.
fn request_in(query: &str, form: &[u8]) -> Option<String> {
    let parameters = Parameters::from_query_and_body(query, form).ok()?;
    parameters.find("client_id")?;
    let parts = [query, str::from_utf8(form).ok()?];
    Some(parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("&"))
}
