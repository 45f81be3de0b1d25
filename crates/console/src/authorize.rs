//! `GET /oauth2/authorize`: an application asks a member for access (RFC 6749 section 4.1.1).

use app::App;
use app::grants::{Authorization, authorize};
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use web::Session;

use crate::consent;
use crate::invitation::Invitation;
use crate::redirect::send_back;
use crate::refusal::Refusal;
use crate::return_address::ReturnAddress;

pub(crate) async fn show(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let query = query.unwrap_or_default();
    let session = Session::find(&app, &headers).await?;
    let member = session.as_ref().map(|session| &session.member);
    Ok(match authorize(&app, &query, member).await? {
        Authorization::Answered(location) => send_back(&location),
        Authorization::ConsentNeeded(question) => {
            let session = session.expect("only a member who is signed in is asked for consent");
            consent::ask(&app, &session, &query, &question)
        }
        Authorization::SignInNeeded(needed) => {
            let return_to = ReturnAddress::authorization(&needed.continue_with);
            let email = needed.login_hint.unwrap_or_default();
            Invitation::to_continue(&return_to, needed.requester, &email).answer(&app, &headers)
        }
    })
}
