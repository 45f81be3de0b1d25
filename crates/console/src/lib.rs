//! Pages for people: sign-in, consent, their projects, their account, the documentation, and the REST API to be read. Every page works without JavaScript;
//! only passkeys need some. Rules are in `app` and below; this crate only shows their results and posts members' decisions.
//!
//! A page takes a `PageCaller` and has a `Frame` around its content, a project's page a `ProjectFrame`, too; `/docs/design` shows the components.

mod account;
mod address;
mod api_reference;
mod applications;
mod archiving;
mod assets;
mod attributes;
mod audiences;
mod audit;
mod authorize;
mod caller;
mod campaign;
mod campaigns;
mod changes;
mod charts;
mod choices;
mod code_check;
mod collected_events;
mod conditions;
mod consent;
mod day;
mod decide;
mod design;
mod documentation;
mod edit;
mod events;
mod events_key;
mod fields;
mod first_steps;
mod folded;
mod forgotten;
mod form_id;
mod frame;
mod groups;
mod history;
mod home;
mod install;
mod invitation;
mod length;
mod list_query;
mod live;
mod members;
mod message;
mod metrics;
mod own_password;
mod page;
mod pages;
mod passkeys;
mod preview;
mod project_frame;
mod projects;
mod provider_sign_in;
mod qr_code;
mod redirect;
mod refusal;
mod results;
mod return_address;
mod schedule;
mod set_up_faults;
mod settings;
mod setup;
mod sign_in;
mod sign_in_page;
mod sign_out;
mod size;
mod tokens;
mod visual;
mod warnings;
mod webhooks;
mod words;

use app::App;
use app::invitations::{INVITATION_OF_MEMBER_PATH, INVITATION_PATH};
use axum::Router;
use axum::body::{Body, HttpBody as _, to_bytes};
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::HeaderValue;
use axum::http::header::CACHE_CONTROL;
use axum::http::request::Parts;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use serde_json::Value;
use web::{
    FormFingerprint, FormSender, RecentForms, RequestContext, Session, edge, form_fingerprint,
    run_to_completion,
};

use crate::refusal::Refusal;

pub use crate::size::size_report;

pub(crate) const AUTHORIZE_PATH: &str = "/oauth2/authorize";
pub(crate) const SIGN_IN_PATH: &str = "/sign-in";
pub(crate) const PROVIDER_SIGN_IN_PATH: &str = "/sign-in/provider";

/// The largest form is the consent form, which carries the authorization request it answers.
const FORM_BYTES_AT_MOST: usize = 64 * 1024;

/// Where a second click does nothing a second time. A person who signs in, or gives consent, does so each time.
const DONE_ONCE: [&str; 6] = [
    "/projects",
    "/members",
    "/applications",
    "/account/tokens",
    account::password::PATH,
    INVITATION_OF_MEMBER_PATH,
];

/// Every page of the console, and the answer for unknown addresses. `openapi` describes the API for programs.
pub fn router(app: App, openapi: &'static Value) -> Router {
    let routes = Router::new()
        .merge(projects::routes())
        .route(account::PATH, get(account::show))
        .route("/account/disconnect", post(account::ending::submit_disconnect))
        .route("/account/end-session", post(account::ending::submit_end_session))
        .route("/account/end-other-sessions", post(account::ending::submit_end_other_sessions))
        .route("/account/rename-passkey", post(account::passkeys::submit_rename))
        .route("/account/remove-passkey", post(account::passkeys::submit_remove))
        .route(account::password::PATH, post(account::password::submit))
        .route(passkeys::ADD_QUESTION_PATH, post(passkeys::ask_member))
        .route(passkeys::ADD_PATH, post(passkeys::submit_add))
        .route(passkeys::SIGN_IN_QUESTION_PATH, post(passkeys::ask_signed_out))
        .route(passkeys::SIGN_IN_PATH, post(passkeys::submit_sign_in))
        .merge(home::routes())
        .route("/projects/{id}/decide", get(decide::show))
        .route("/projects/{id}/install", get(install::show))
        .route("/projects/{id}/size", get(size::show))
        .route("/projects/{id}/length", get(length::show))
        .route("/projects/{id}/schedule", get(schedule::show))
        .merge(preview::routes())
        .merge(campaigns::EDITOR.routes())
        .merge(campaign::routes())
        .merge(results::show::routes())
        .merge(results::share::routes())
        .merge(code_check::routes())
        .merge(history::routes())
        .merge(settings::routes())
        .merge(events_key::routes())
        .merge(collected_events::routes())
        .merge(archiving::routes())
        .merge(webhooks::routes())
        .merge(members::routes())
        .merge(applications::routes())
        .merge(tokens::routes())
        .route(audit::PATH, get(audit::show))
        .route(INVITATION_PATH, get(invitation::show).post(invitation::submit))
        .route(INVITATION_OF_MEMBER_PATH, get(invitation::show_to_member))
        .route("/invitation/member/accept", post(invitation::submit_of_member))
        .merge(pages::EDITOR.routes())
        .merge(audiences::EDITOR.routes())
        .merge(events::EDITOR.routes())
        .merge(metrics::EDITOR.routes())
        .merge(attributes::EDITOR.routes())
        .merge(groups::EDITOR.routes())
        .merge(visual::routes())
        .route(api_reference::PATH, get(move || async move { api_reference::show(openapi) }))
        .merge(documentation::routes())
        .merge(forgotten::routes())
        .route(SIGN_IN_PATH, get(sign_in::show).post(sign_in::submit))
        .route(setup::PATH, get(setup::show).post(setup::submit))
        .route(setup::TOKEN_PATH, post(setup::submit_token))
        .route(PROVIDER_SIGN_IN_PATH, get(provider_sign_in::begin))
        .route(provider_sign_in::CALLBACK_PATH, get(provider_sign_in::finish))
        .route(own_password::PATH, post(own_password::submit))
        .route("/sign-out", post(sign_out::submit))
        .route(AUTHORIZE_PATH, get(authorize::show).post(authorize::submit))
        .merge(asset_routes())
        .fallback(async || Refusal::NoSuchPage)
        .method_not_allowed_fallback(async || Refusal::WrongMethod)
        .layer(middleware::map_response(keep_nowhere))
        .layer(DefaultBodyLimit::max(FORM_BYTES_AT_MOST))
        .layer(middleware::from_fn_with_state(
            (app.clone(), RecentForms::default()),
            finish_changes,
        ))
        .layer(middleware::from_fn_with_state(app.clone(), refusal::word));
    edge(routes, app, |failure, id| Refusal::Failed(failure).page(id, "", None))
}

/// The style sheet and the scripts of the pages.
fn asset_routes() -> Router<App> {
    Router::new()
        .route("/assets/console.css", get(assets::style_sheet))
        .route(assets::CODE_FIELD_SCRIPT_PATH, get(assets::serve_code_field_script))
        .route(assets::COPY_SCRIPT_PATH, get(assets::serve_copy_script))
        .route(assets::PASSKEYS_SCRIPT_PATH, get(assets::passkeys_script))
        .route(assets::TRIAL_SCRIPT_PATH, get(assets::serve_trial_script))
        .route(assets::VISUAL_SCRIPT_PATH, get(assets::visual_script))
        .route(assets::INSTALL_SCRIPT_PATH, get(assets::serve_install_script))
        .route(assets::WEIGHTS_SCRIPT_PATH, get(assets::serve_weights_script))
        .route(assets::UNSAVED_SCRIPT_PATH, get(assets::unsaved_script))
}

/// Has a change done to its end, also if the browser goes away, and once, however often its form is sent. The form is read before, within
/// the time that a request has for it.
async fn finish_changes(
    State((app, recent_forms)): State<(App, RecentForms)>,
    request: Request,
    next: Next,
) -> Response {
    let bytes = request.body().size_hint().exact().and_then(|bytes| usize::try_from(bytes).ok());
    let Some(bytes) = bytes.filter(|_| !request.method().is_safe()) else {
        return next.run(request).await;
    };
    let (parts, body) = request.into_parts();
    if bytes > FORM_BYTES_AT_MOST && !may_send_edit(&app, &parts, bytes).await {
        return next.run(Request::from_parts(parts, body)).await;
    }
    let Ok(form) = to_bytes(body, bytes).await else {
        return Refusal::UnreadableForm.into_response();
    };
    let context = RequestContext::of(&parts.extensions);
    let sent = form_done_once(&app, &recent_forms, (&parts, &form)).await;
    let work = next.run(Request::from_parts(parts, Body::from(form)));
    match sent {
        Some(sent) => {
            run_to_completion(context, async move { recent_forms.answer(sent, work).await }).await
        }
        None => run_to_completion(context, work).await,
    }
}

/// A form that is done once only, and who sent it. A member whose session has ended gets no answer again.
async fn form_done_once(
    app: &App,
    recent_forms: &RecentForms,
    (parts, form): (&Parts, &[u8]),
) -> Option<(FormFingerprint, FormSender)> {
    let (sent, path) = (form_fingerprint(parts, form)?, parts.uri.path());
    let is_answered = path == account::password::PATH && recent_forms.knows(&sent);
    // A new password has ended the session of the first click: its answer has that of the next one.
    if path == INVITATION_PATH || is_answered {
        return Some((sent, FormSender::SignedOut));
    }
    if !DONE_ONCE.iter().any(|start| path.starts_with(start)) {
        return None;
    }
    match Session::find(app, &parts.headers).await {
        Ok(session) => Some((sent, FormSender::Member(session?.member.id))),
        // Its sender is unknown: its work refuses it.
        Err(_) => Some((sent, FormSender::SignedOut)),
    }
}

/// Whether a form that is larger than others may be an edit of a member: it is held in memory for no other caller.
async fn may_send_edit(app: &App, parts: &Parts, bytes: usize) -> bool {
    let may_be_edit =
        bytes <= edit::FORM_BYTES_AT_MOST && parts.uri.path().starts_with("/projects/");
    may_be_edit && has_session(app, parts).await
}

async fn has_session(app: &App, parts: &Parts) -> bool {
    matches!(Session::find(app, &parts.headers).await, Ok(Some(_)))
}

/// What does not say otherwise is for one person at one moment, and so is the way to it: it sets cookies and carries requests.
async fn keep_nowhere(mut response: Response) -> Response {
    let cache_control = response.headers_mut().entry(CACHE_CONTROL);
    cache_control.or_insert(HeaderValue::from_static("no-store"));
    response
}
