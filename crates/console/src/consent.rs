//! The consent page, and what the member decided there, which comes by `POST /oauth2/authorize`. The form carries the authorization
//! request as it came, and the decision checks it again, so nothing is stored between the two.

use std::net::IpAddr;

use app::App;
use app::grants::{ConsentAnswer, ConsentQuestion, DecideConsentError, Decision, decide_consent};
use askama::Template;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};
use oauth::{Scope, UnansweredRequest};
use serde::Deserialize;
use web::{Session, is_from_elsewhere};

use crate::form_id::FormId;
use crate::page::page;
use crate::redirect::send_back;
use crate::refusal::Refusal;
use crate::return_address::ReturnAddress;
use crate::sign_in_page::form_targets;

#[derive(Template)]
#[template(path = "consent.html")]
struct ConsentPage<'a> {
    client_name: &'a str,
    scopes: Vec<Scope>,
    /// What the member's role does not allow.
    beyond_rights: &'a [Scope],
    member_email: &'a str,
    redirect_host: String,
    form_token: &'a str,
    form: FormId,
    request: &'a str,
    as_another_member: Option<ReturnAddress>,
}

#[derive(Deserialize)]
struct ConsentForm {
    csrf: String,
    form: String,
    request: String,
    decision: Answer,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Answer {
    Allow,
    Deny,
}

/// Asks a member.
pub(crate) fn ask(
    app: &App,
    session: &Session,
    request: &str,
    question: &ConsentQuestion,
) -> Response {
    let token = session.form_token().shown();
    let scopes = question.scope.iter().filter(|scope| !question.beyond_rights.contains(scope));
    let template = ConsentPage {
        client_name: &question.requester.name,
        scopes: scopes.collect(),
        beyond_rights: &question.beyond_rights,
        member_email: &session.member.email,
        redirect_host: question.requester.redirect_host(),
        form_token: token.as_str(),
        form: FormId::new(app),
        request,
        as_another_member: as_another_member(request),
    };
    page(StatusCode::OK, &template, form_targets(&question.requester))
}

/// The same request for another member: after the sign-in they are asked, even if they allowed it before. `None` if the request is
/// too long for that.
fn as_another_member(request: &str) -> Option<ReturnAddress> {
    let is_kept = |name: &str| name != "prompt" && name != "login_hint";
    let kept = form_urlencoded::parse(request.as_bytes()).filter(|(name, _)| is_kept(name));
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(kept).append_pair("prompt", "login consent");
    ReturnAddress::authorization(&query.finish())
}

/// Carries out what the member decided in a form from this address.
pub(crate) async fn answer(
    app: &App,
    address: IpAddr,
    headers: &HeaderMap,
    form: &[u8],
) -> Result<Response, Refusal> {
    let form: ConsentForm =
        serde_urlencoded::from_bytes(form).map_err(|_| Refusal::UnreadableForm)?;
    let again = address_of(&form.request)?;
    let Some(session) = Session::find(app, headers).await? else {
        // The session ended while the page was open: sign in, and be asked again.
        return Ok(Redirect::to(again.as_str()).into_response());
    };
    if is_from_elsewhere(app, headers) || !session.form_token().is(&form.csrf) {
        return Err(Refusal::ForeignForm);
    }
    let decision = match form.decision {
        Answer::Allow => Decision::Allow,
        Answer::Deny => Decision::Deny,
    };
    let Some(id) = FormId::returned(form.form, app.now()) else {
        return Ok(Redirect::to(again.as_str()).into_response());
    };
    let form_bytes = session.bytes_for(id.as_str());
    let answer = ConsentAnswer { decision, form: form_bytes, shown_at: id.shown_at(), address };
    match decide_consent(app, &form.request, &session.member, answer).await {
        Ok(location) => Ok(send_back(&location)),
        Err(DecideConsentError::SignedOut) => Ok(Redirect::to(again.as_str()).into_response()),
        Err(error) => Err(error.into()),
    }
}

/// Where an authorization request goes on that is not too long for an address.
pub(crate) fn address_of(request: &str) -> Result<ReturnAddress, Refusal> {
    ReturnAddress::authorization(request)
        .ok_or(Refusal::Authorization(UnansweredRequest::Malformed))
}

#[cfg(test)]
mod tests {
    use super::as_another_member;

    #[test]
    fn another_member_answers_the_same_request() {
        let request = "client_id=a&login_hint=ann%40example.com&prompt=consent&state=x%26y";

        assert_eq!(
            as_another_member(request).unwrap().as_str(),
            "/oauth2/authorize?client_id=a&state=x%26y&prompt=login+consent"
        );
    }
}
