//! `/account/tokens`: the API tokens of a member; for those who manage members also those of the services that reach their projects, and for
//! admins of the server those of all members.

mod acts;
mod form;

use app::App;
use app::roles::{Actor, rights_of};
use app::tokens::{AddedApiToken, ListedApiToken, list_api_tokens};
use askama::Template;
use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use domain::ProjectId;
use oauth::Moment;
use secrecy::ExposeSecret as _;
use storage::ListRange;
use web::{FormTargets, Session};

use crate::assets::copy_script;
use crate::caller::PageCaller;
use crate::frame::{Frame, NavigationTab};
use crate::members::member::{RoleChoice, role_choices};
use crate::members::page_number;
use crate::members::places::{PlaceChoice, Places, ShownRole};
use crate::message::{Message, Messages};
use crate::page::page_with;
use crate::refusal::Refusal;
use crate::tokens::form::{Choice, TokenForm};

pub(crate) const PATH: &str = "/account/tokens";

/// More tokens than people look through.
const LISTED_AT_MOST: u32 = 100;

const MESSAGES: Messages = Messages {
    done: &[
        ("removed", "The token is removed, and opens nothing any more."),
        ("role-withdrawn", "The role is withdrawn."),
    ],
    problems: &[
        ("gone", "There is no such token; it may have been removed already."),
        ("no-role", "The service has no such role; it may have been withdrawn already."),
    ],
};

#[derive(Template)]
#[template(path = "tokens.html")]
struct TokensPage<'a> {
    frame: Frame,
    lines: Vec<TokenLine>,
    total: u64,
    /// The numbers of the pages beside this one.
    newer: Option<u32>,
    older: Option<u32>,
    form: TokenForm,
    scopes: Vec<Choice>,
    lifetimes: Vec<Choice>,
    /// The places in which the visitor may give a service a role; without any they make none.
    places: Vec<PlaceChoice>,
    choices: Vec<RoleChoice>,
    /// A new token, shown only here.
    made: Option<&'a AddedApiToken>,
}

struct TokenLine {
    id: String,
    name: String,
    /// For whom it acts, unless for the visitor.
    holder: Option<String>,
    is_service: bool,
    /// The roles of the service.
    roles: Vec<ShownRole>,
    scopes: Vec<&'static str>,
    made_by: String,
    made: Moment,
    expires: Moment,
    is_expired: bool,
    is_removable: bool,
    /// The roles that the visitor may withdraw, each with its project.
    withdrawable: Vec<(ProjectId, String)>,
    used: Option<Moment>,
}

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route(PATH, get(show))
        .route("/account/tokens/make", post(acts::submit_new))
        .route("/account/tokens/remove", post(acts::submit_removal))
        .route("/account/tokens/withdraw-role", post(acts::submit_withdrawal))
}

async fn show(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let message = MESSAGES.named(query.as_deref());
    let page = page_number(query.as_deref());
    let feedback = Feedback { message, page, ..Feedback::default() };
    answer((&app, &session, &actor), StatusCode::OK, feedback).await
}

/// What the answer to a form adds to the page.
#[derive(Default)]
struct Feedback<'a> {
    message: Option<Message>,
    /// Of the list, from 1; 0 is the first, too.
    page: u32,
    form: TokenForm,
    made: Option<&'a AddedApiToken>,
}

async fn answer(
    (app, session, actor): (&App, &Session, &Actor),
    status: StatusCode,
    feedback: Feedback<'_>,
) -> Result<Response, Refusal> {
    let Feedback { message, page, form, made } = feedback;
    let rights = rights_of(app, session.member.id).await?;
    let page = page.max(1);
    let (tokens, total) =
        list_api_tokens(app, actor, ListRange { page, per_page: LISTED_AT_MOST }).await?;
    let last = u32::try_from(total.div_ceil(u64::from(LISTED_AT_MOST))).unwrap_or(u32::MAX);
    let places = Places::of(app, actor).await?;
    let line = |listed: &ListedApiToken| TokenLine::of(listed, session, app, &places);
    let template = TokensPage {
        frame: Frame::new(session, NavigationTab::Account).with_message(message),
        lines: tokens.iter().map(line).collect(),
        total,
        newer: (page > 1).then(|| last.clamp(1, page - 1)),
        older: (page < last).then(|| page + 1),
        scopes: form.scope_choices(&rights),
        lifetimes: form.lifetime_choices(),
        places: places.choices(&rights, form.place.as_deref()),
        choices: role_choices(&rights, &form.role),
        form,
        made,
    };
    Ok(page_with(status, &template, FormTargets::OwnPages, copy_script(app)))
}

impl TokenLine {
    fn of(listed: &ListedApiToken, session: &Session, app: &App, places: &Places) -> Self {
        let ListedApiToken { token, is_removable, withdrawable } = listed;
        let place = |id: &ProjectId| (*id, places.words(Some(*id)));
        let is_own = token.holder == session.member.id;
        Self {
            id: token.id.clone(),
            name: token.name.clone(),
            holder: (!is_own).then(|| token.holder_name.clone()),
            is_service: token.is_service,
            roles: places.shown(&token.service_roles),
            scopes: token.scope.iter().map(oauth::Scope::as_str).collect(),
            made_by: token.made_by.clone(),
            made: Moment::from(token.made_at),
            expires: Moment::from(token.expires_at),
            is_expired: token.expires_at <= app.now(),
            is_removable: *is_removable,
            withdrawable: withdrawable.iter().map(place).collect(),
            used: token.last_used_at.map(Moment::from),
        }
    }
}
