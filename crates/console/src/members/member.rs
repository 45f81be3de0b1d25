//! `GET /members/{id}`: a member's roles, and what the visitor may do about them. `acts.rs` does it.

use app::App;
use app::documents::tag_of;
use app::members::{find_member, member_json, voucher_in_words};
use app::roles::{Actor, Rights, rights_of};
use askama::Template;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use oauth::Moment;
use storage::{MemberId, MemberLine, Role, RoleGrant};
use web::{FormTargets, Session};

use crate::address::Path;
use crate::assets::copy_script;
use crate::caller::PageCaller;
use crate::frame::{Frame, NavigationTab};
use crate::members::path_of;
use crate::members::places::{PlaceChoice, Places, ShownRole, place_value};
use crate::message::{Message, Messages};
use crate::page::page_with;
use crate::refusal::Refusal;

const MESSAGES: Messages = Messages {
    done: &[
        ("role-given", "The member has this role from now on."),
        ("role-withdrawn", "The role is withdrawn."),
        (
            "passkeys-removed",
            "The passkeys are removed, and the member is signed out everywhere. The password stays.",
        ),
    ],
    problems: &[],
};

#[derive(Template)]
#[template(path = "members/member.html")]
struct MemberPage<'a> {
    frame: Frame,
    path: String,
    email: &'a str,
    added: Moment,
    is_own: bool,
    /// Who alone vouches for the address.
    vouched_by: Option<String>,
    roles: Vec<RoleLine>,
    places: Vec<PlaceChoice>,
    choices: Vec<RoleChoice>,
    is_code_chosen: bool,
    /// Whether the visitor may do what takes all rights of the member.
    has_power: bool,
    /// The state that the forms change.
    seen: String,
    feedback: Feedback<'a>,
}

/// A role of the member.
struct RoleLine {
    shown: ShownRole,
    /// Its place in a form.
    value: String,
    may_withdraw: bool,
    /// Who may.
    who: String,
}

pub(crate) struct RoleChoice {
    pub(crate) name: &'static str,
    pub(crate) is_chosen: bool,
}

/// What the answer to a form adds to the page.
#[derive(Default)]
pub(super) struct Feedback<'a> {
    pub(super) message: Option<Message>,
    /// Why nothing was changed.
    pub(super) alert: Option<String>,
    /// A new password, shown only here.
    pub(super) password: Option<&'a str>,
    /// The form as the visitor filled it in.
    pub(super) form: RoleForm<'a>,
}

/// The fields of the form that gives a role.
#[derive(Default)]
pub(super) struct RoleForm<'a> {
    pub(super) place: Option<&'a str>,
    pub(super) role: &'a str,
    pub(super) has_code: bool,
}

pub(super) async fn show(
    State(app): State<App>,
    Path(id): Path<MemberId>,
    RawQuery(query): RawQuery,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let member = find_member(&app, &actor, id).await?.ok_or(Refusal::NoSuchPage)?;
    let feedback = Feedback { message: MESSAGES.named(query.as_deref()), ..Feedback::default() };
    answer((&app, &session, &actor), &member, StatusCode::OK, feedback).await
}

/// The tag of a member's state.
pub(super) fn tag(member: &MemberLine) -> String {
    tag_of(&member_json(member).to_string()).replace('"', "")
}

pub(super) async fn answer(
    (app, session, actor): (&App, &Session, &Actor),
    member: &MemberLine,
    status: StatusCode,
    feedback: Feedback<'_>,
) -> Result<Response, Refusal> {
    let rights = rights_of(app, session.member.id).await?;
    let places = Places::of(app, actor).await?;
    let template = MemberPage {
        frame: Frame::new(session, NavigationTab::Members).with_message(feedback.message),
        path: path_of(member.id),
        email: &member.email,
        added: Moment::from(member.added_at),
        is_own: member.id == session.member.id,
        vouched_by: member.vouched_by.as_ref().map(voucher_in_words),
        roles: member.roles.iter().map(|grant| role_line(*grant, &rights, &places)).collect(),
        places: places.choices(&rights, feedback.form.place),
        choices: role_choices(&rights, feedback.form.role),
        is_code_chosen: feedback.form.has_code,
        has_power: actor.has_power_over(app, member.id).await?,
        seen: tag(member),
        feedback,
    };
    Ok(page_with(status, &template, FormTargets::OwnPages, copy_script(app)))
}

fn role_line(grant: RoleGrant, rights: &Rights, places: &Places) -> RoleLine {
    let shown = places.shown(&[grant]).pop().expect("one role is shown as one");
    let place = if grant.project.is_none() { "for" } else { "in" };
    RoleLine {
        value: place_value(grant.project),
        may_withdraw: rights.decide_about(&grant),
        who: match grant.role {
            Role::Owner => format!("An owner {place} {} can withdraw it.", shown.place),
            Role::Viewer | Role::Analyst | Role::Editor | Role::Publisher | Role::Admin => {
                format!("An admin {place} {} can withdraw it.", shown.place)
            }
        },
        shown,
    }
}

/// The roles that these rights allow giving in some place.
pub(crate) fn role_choices(rights: &Rights, chosen: &str) -> Vec<RoleChoice> {
    let highest = rights.grants().iter().map(|grant| grant.role).max();
    let offered = Role::ALL.into_iter().filter(|role| Some(*role) <= highest);
    offered
        .map(|role| RoleChoice { name: role.as_str(), is_chosen: role.as_str() == chosen })
        .collect()
}
