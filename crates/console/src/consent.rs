//! The consent page, and what the member decided there, which comes by `POST /oauth2/authorize`. The form carries the authorization
//! request as it came, and it is checked anew, so nothing needs to be kept between page and decision.

use std::net::IpAddr;

use app::App;
use app::grants::{ConsentAnswer, ConsentQuestion, Decision, decide_consent};
use askama::Template;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};
use oauth::Scope;
use serde::Deserialize;
use web::{Session, is_from_elsewhere};

use crate::authorize::address_of;
use crate::form_id::FormId;
use crate::invitation::form_targets;
use crate::page::page;
use crate::redirect::send_back;
use crate::refusal::Refusal;

#[derive(Template)]
#[template(path = "consent.html")]
struct ConsentPage<'a> {
    client_name: &'a str,
    scopes: Vec<Scope>,
    member_email: &'a str,
    redirect_host: String,
    form_token: &'a str,
    form: FormId,
    request: &'a str,
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
    let token = session.form_token();
    let template = ConsentPage {
        client_name: &question.requester.name,
        scopes: question.scope.iter().collect(),
        member_email: &session.member.email,
        redirect_host: question.requester.redirect_host(),
        form_token: token.as_str(),
        form: FormId::new(app),
        request,
    };
    page(StatusCode::OK, &template, form_targets(&question.requester))
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
    let location = decide_consent(app, &form.request, &session.member, answer).await?;
    Ok(send_back(&location))
}
