//! `/v1/invitations`: people who were invited to become members. Who may invite whom is decided in `app::invitations`.

use app::invitations::{
    InvitationDto, InvitationState, InviteError, invite, list_invitations, revoke_invitation,
};
use app::members::{MEMBER_BYTES_AT_MOST, MemberRequest};
use app::{App, Delivery};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use domain::{Fault, Pointer};
use oauth::Scope;
use secrecy::ExposeSecret as _;
use storage::ListRange;
use web::{Problem, ProblemCode};

use crate::address::Path;
use crate::answers::{answer, answer_done, answer_page};
use crate::editing::Caller;
use crate::json_body::sent;
use crate::openapi::Operation;
use crate::paging::Paging;
use crate::routes::{Routes, delete, get, post};

const PATH: &str = "/v1/invitations";

/// All that may wait, and as many that expired lately.
const LISTED_AT_MOST: u32 = 2_000;

app::dto! {
    /// A new invitation.
    pub(crate) struct MadeInvitationDto: "made_invitation" {
        ..kept: InvitationDto,
        /// The address that the person opens. Assay shows it once.
        link: String,
        /// Whether it was mailed to the person, too.
        mailed: bool,
    }
}

pub(crate) fn routes() -> Routes {
    let asked = |id, summary| Operation::new(id, summary).needs(Scope::MembersWrite, "admin");
    let invite = asked("invite_member", "Invite a person to become a member")
        .takes_request::<MemberRequest>()
        .answers_dto::<MadeInvitationDto>(201)
        .may_be(&[409]);
    let list = asked("list_invitations", "List the invitations").answers_pages_of("invitation");
    let revoke = asked("revoke_invitation", "Revoke an invitation").answers_nothing();
    Routes::under("Members")
        .at(PATH, [get(self::list, list), post(self::add, invite)])
        .at("/v1/invitations/{id}", [delete(self::revoke, revoke)])
        .with_bodies_of_at_most(MEMBER_BYTES_AT_MOST)
}

async fn list(State(app): State<App>, caller: Caller, paging: Paging) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::MembersWrite).await?;
    let all = ListRange { page: 1, per_page: LISTED_AT_MOST };
    let found = list_invitations(&app, &actor, all).await?;
    let total = found.len() as u64;
    let page = paging.part_of(found);
    let body: Vec<InvitationDto> =
        page.iter().map(|(kept, state)| InvitationDto::from((kept, *state))).collect();
    Ok(answer_page(&app, paging, PATH, total, body))
}

async fn add(
    State(app): State<App>,
    caller: Caller,
    request: Request,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::MembersWrite).await?;
    let wanted: MemberRequest = sent(request).await?;
    let made = invite(&app, &actor, &wanted.email, wanted.grant()).await.map_err(problem)?;
    let body = MadeInvitationDto {
        kept: InvitationDto::from((&made.kept, InvitationState::Open)),
        link: made.link.expose_secret().to_owned(),
        mailed: made.delivery == Delivery::Sent,
    };
    Ok(answer(StatusCode::CREATED, body))
}

async fn revoke(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::MembersWrite).await?;
    let is_known = revoke_invitation(&app, &actor, &id).await?;
    if is_known { Ok(answer_done()) } else { Err(Problem::not_found()) }
}

fn problem(error: InviteError) -> Problem {
    let detail = error.to_string();
    match error {
        InviteError::UnusableEmail => {
            let place = Pointer::root().field("email");
            Problem::faults(&[Fault::error("unusable_email", place, detail)])
        }
        InviteError::EmailTaken => Problem::new(ProblemCode::EmailTaken, detail),
        InviteError::Role(error) => error.into(),
        InviteError::UnknownProject(fault) => Problem::faults(&[*fault]),
        InviteError::TooMany | InviteError::TooManyToProject => {
            Problem::new(ProblemCode::TooManyInvitations, detail)
        }
        InviteError::Storage(error) => error.into(),
    }
}
