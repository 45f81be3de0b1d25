//! `/members`: the people of this server with their roles, and what each role allows. Every member sees the page; who the others are, only
//! those who may manage some of them, and of these who reaches their projects. A member's own page is in `members/member.rs`.

mod acts;
mod invitations;
pub(crate) mod member;
pub(crate) mod places;

use app::invitations::MadeInvitation;
use app::members::{count_members, list_members};
use app::roles::{Actor, Allowed, MatrixRow, Permission, Rights, rights_of, role_matrix};
use app::tokens::{ListedApiToken, list_services};
use app::{App, Delivery};
use askama::Template;
use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use oauth::Moment;
use secrecy::ExposeSecret as _;
use storage::{ListRange, MemberId, MemberLine, Role};
use web::{FormTargets, Session};

use crate::assets::copy_script;
use crate::caller::PageCaller;
use crate::frame::{Frame, NavigationTab};
use crate::members::invitations::InvitationLine;
use crate::members::member::{RoleChoice, RoleForm, role_choices};
use crate::members::places::{PlaceChoice, Places, ShownRole};
use crate::message::{Message, Messages};
use crate::page::page_with;
use crate::refusal::Refusal;

pub(crate) const PATH: &str = "/members";

/// Members on one page: as many as people look through.
const PER_PAGE: u32 = 100;

const MESSAGES: Messages = Messages {
    done: &[
        ("role-withdrawn", "The role is withdrawn."),
        ("removed", "The member is removed, with their sessions, tokens and consents."),
        ("revoked", "The invitation is revoked. Its link opens nothing any more."),
    ],
    problems: &[
        ("gone", "This member has been removed already."),
        ("no-invitation", "This invitation has been used or revoked already."),
    ],
};

#[derive(Template)]
#[template(path = "members/list.html")]
struct MembersPage<'a> {
    frame: Frame,
    own: Vec<ShownRole>,
    /// `None` if the visitor manages no members.
    list: Option<MemberList>,
    places: Vec<PlaceChoice>,
    choices: Vec<RoleChoice>,
    services: ServiceList,
    invitations: Vec<InvitationLine>,
    /// The columns of the table.
    roles: [&'static str; Role::ALL.len()],
    matrix: Vec<MatrixRow>,
    feedback: Feedback<'a>,
}

/// What the answer to a form adds to the page.
#[derive(Default)]
struct Feedback<'a> {
    message: Option<Message>,
    /// The page of members to show.
    number: u32,
    /// Why the person was not invited.
    alert: Option<String>,
    /// The link of a new invitation, shown only here.
    made: Option<&'a MadeInvitation>,
    /// The address as the visitor typed it.
    email: &'a str,
    form: RoleForm<'a>,
}

/// One page of the members that the visitor sees.
struct MemberList {
    total: u64,
    /// Whether these are all of the server.
    is_whole: bool,
    rows: Vec<MemberRow>,
    previous: Option<u32>,
    next: Option<u32>,
}

/// The services that reach what the visitor manages.
#[derive(Default)]
struct ServiceList {
    total: u64,
    /// Those made last; the page of tokens has all.
    rows: Vec<ServiceRow>,
}

struct ServiceRow {
    name: String,
    roles: Vec<ShownRole>,
    made_by: String,
    is_expired: bool,
}

struct MemberRow {
    path: String,
    email: String,
    is_own: bool,
    roles: Vec<ShownRole>,
    added: Moment,
}

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route(PATH, get(show))
        .route("/members/invite", post(invitations::submit))
        .route("/members/revoke-invitation", post(invitations::submit_revocation))
        .route("/members/{id}", get(member::show))
        .route("/members/{id}/give-role", post(acts::submit_role))
        .route("/members/{id}/withdraw-role", post(acts::submit_withdrawal))
        .route("/members/{id}/reset-password", post(acts::submit_reset))
        .route("/members/{id}/remove-passkeys", post(acts::submit_passkeys))
        .route("/members/{id}/remove", post(acts::submit_removal))
}

/// The address of a member's page.
fn path_of(id: MemberId) -> String {
    format!("{PATH}/{id}")
}

async fn show(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let query = query.as_deref();
    let feedback = Feedback {
        message: MESSAGES.named(query),
        number: page_number(query),
        ..Feedback::default()
    };
    answer((&app, &session, &actor), StatusCode::OK, feedback).await
}

async fn answer(
    (app, session, actor): (&App, &Session, &Actor),
    status: StatusCode,
    feedback: Feedback<'_>,
) -> Result<Response, Refusal> {
    let rights = rights_of(app, session.member.id).await?;
    let places = Places::of(app, actor).await?;
    let (list, services, invitations) = if rights.decide_about_members() {
        let list = MemberList::read((app, actor), &rights, &places, feedback.number.max(1)).await?;
        let services = ServiceList::read(app, actor, &places).await?;
        (Some(list), services, invitations::lines(app, actor, &rights, &places).await?)
    } else {
        (None, ServiceList::default(), Vec::new())
    };
    let template = MembersPage {
        own: places.shown(rights.grants()),
        frame: Frame::new(session, NavigationTab::Members).with_message(feedback.message),
        list,
        places: places.choices(&rights, feedback.form.place),
        choices: role_choices(&rights, feedback.form.role),
        services,
        invitations,
        roles: Role::ALL.map(Role::as_str),
        matrix: role_matrix(),
        feedback,
    };
    Ok(page_with(status, &template, FormTargets::OwnPages, copy_script(app)))
}

/// The page that a query such as `page=2` asks for.
pub(crate) fn page_number(query: Option<&str>) -> u32 {
    let number = query.and_then(|query| query.strip_prefix("page=")?.parse().ok());
    number.unwrap_or(1).max(1)
}

impl MemberList {
    async fn read(
        (app, actor): (&App, &Actor),
        rights: &Rights,
        places: &Places,
        number: u32,
    ) -> Result<Self, Refusal> {
        let members =
            list_members(app, actor, ListRange { page: number, per_page: PER_PAGE }).await?;
        let total = count_members(app, actor).await?;
        let row = |member: &MemberLine| MemberRow {
            path: path_of(member.id),
            email: member.email.clone(),
            is_own: Some(member.id) == actor.member(),
            roles: places.shown(&member.roles),
            added: Moment::from(member.added_at),
        };
        let last = u32::try_from(total.div_ceil(u64::from(PER_PAGE))).unwrap_or(u32::MAX);
        Ok(Self {
            total,
            is_whole: rights.include(None, Permission::ManageMembers),
            rows: members.iter().map(row).collect(),
            previous: (number > 1).then(|| last.min(number - 1)),
            next: (number < last).then(|| number + 1),
        })
    }
}

impl ServiceList {
    async fn read(app: &App, actor: &Actor, places: &Places) -> Result<Self, Refusal> {
        let (services, total) =
            list_services(app, actor, ListRange { page: 1, per_page: PER_PAGE }).await?;
        let row = |ListedApiToken { token, .. }: &ListedApiToken| ServiceRow {
            name: token.name.clone(),
            roles: places.shown(&token.service_roles),
            made_by: token.made_by.clone(),
            is_expired: token.expires_at <= app.now(),
        };
        Ok(Self { total, rows: services.iter().map(row).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::page_number;

    #[test]
    fn an_address_names_a_page_of_members_from_one() {
        assert_eq!(page_number(Some("page=3")), 3);
        for query in [None, Some(""), Some("page=0"), Some("page=-1"), Some("page=x")] {
            assert_eq!(page_number(query), 1, "{query:?}");
        }
    }
}
