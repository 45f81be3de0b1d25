//! What requests that read and change projects have in common: who asks, what they send, and how a refusal is told.

use std::net::IpAddr;

use app::App;
use app::deleted_projects::DeleteProjectError;
use app::drafts::{ChangedMeanwhile, EditError, ExpectedVersion, ReadError};
use app::projects::{CreateProjectError, find_readable_project, project_exists};
use app::resources::{ActionError, User};
use app::revisions::{PublishDraftError, SizeError};
use app::roles::{ActingApplication, ActingMember, Actor};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use domain::{Fault, Pointer, ProjectId};
use oauth::Scope;
use secrecy::SecretString;
use storage::{AccessGrant, StorageError};
use web::{Bearer, CallerAddress, Problem, ProblemCode, RequestId};

use crate::conditional::{IfMatch, changed_meanwhile};

/// The client that asks, with a token that is not checked yet.
pub(crate) struct Caller {
    bearer: Bearer,
    address: IpAddr,
    request_id: RequestId,
}

impl Caller {
    /// The member and the application that ask, if their token allows this.
    pub(crate) async fn actor(self, app: &App, scope: Scope) -> Result<Actor, Problem> {
        let grant = self.bearer.grant_for(app, scope).await?;
        Ok(self.acting(grant))
    }

    /// The member and the application that ask, whatever their token allows.
    pub(crate) async fn actor_of_any_scope(self, app: &App) -> Result<Actor, Problem> {
        let grant = self.bearer.grant(app).await?;
        Ok(self.acting(grant))
    }

    /// The key of a project, if that is what the client shows in the place of a token.
    pub(crate) fn into_events_key(self) -> Result<SecretString, Self> {
        let Self { bearer, address, request_id } = self;
        bearer.into_events_key().map_err(|bearer| Self { bearer, address, request_id })
    }

    fn acting(self, grant: AccessGrant) -> Actor {
        Actor::Member(ActingMember {
            id: grant.member,
            through: Some(ActingApplication { client_id: grant.client_id, scope: grant.scope }),
            credential: self.bearer.credential(),
            address: Some(self.address),
            request_id: self.request_id.as_str().to_owned(),
        })
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let bearer = Bearer::from_request_parts(parts, state).await?;
        let Ok(CallerAddress(address)) = CallerAddress::from_request_parts(parts, state).await;
        let Ok(request_id) = RequestId::from_request_parts(parts, state).await;
        Ok(Self { bearer, address, request_id })
    }
}

/// The project that an address names by its id, or by its key behind `key:`. A project that the member may not read is not told from
/// one that is not there.
pub(crate) async fn project_id(app: &App, actor: &Actor, name: &str) -> Result<ProjectId, Problem> {
    let Some(key) = name.strip_prefix("key:") else {
        return name.parse().map_err(|_| Problem::not_found());
    };
    find_readable_project(app, actor, key).await?.ok_or_else(Problem::not_found)
}

/// Why nothing of a project is live: there is no such project, or no member has published it.
pub(crate) async fn not_published(app: &App, id: ProjectId) -> Result<Problem, Problem> {
    if !project_exists(app, id).await? {
        return Ok(Problem::not_found());
    }
    let detail = "nothing of the project is live yet; publish it first";
    Ok(Problem::new(ProblemCode::NotPublished, detail))
}

/// The version that `If-Match` names.
pub(crate) fn expected(if_match: IfMatch) -> ExpectedVersion {
    ExpectedVersion::new(move |current| if_match.is_met_by(current))
}

/// What is done whatever the state is, unless `If-Match` says otherwise.
pub(crate) fn expected_if_told(if_match: Option<IfMatch>) -> ExpectedVersion {
    if_match.map_or_else(ExpectedVersion::any, expected)
}

/// A refusal, as it is told.
pub(crate) trait Refusal {
    /// How it is told.
    fn problem(self) -> Problem;
}

/// How a refusal is told.
pub(crate) fn problem(refusal: impl Refusal) -> Problem {
    refusal.problem()
}

impl Refusal for ReadError {
    fn problem(self) -> Problem {
        match self {
            Self::UnknownProject | Self::NotFound => Problem::not_found(),
            Self::NotPublished => Problem::new(ProblemCode::NotPublished, self.to_string()),
            Self::Role(error) => Problem::from(error),
            Self::Storage(error) => Problem::from(error),
        }
    }
}

impl Refusal for EditError {
    fn problem(self) -> Problem {
        let detail = self.to_string();
        match self {
            Self::Read(error) => error.problem(),
            Self::Invalid(faults) => Problem::faults(&faults),
            Self::Breaking(faults) => {
                Problem::new(ProblemCode::Running, detail).with_faults(&faults)
            }
            Self::Changed(changed) => {
                let ChangedMeanwhile { current, yours } = *changed;
                let problem = changed_meanwhile(&current);
                match yours {
                    Some(yours) => problem.with_member("yours", yours),
                    None => problem,
                }
            }
            Self::ManagedByFile => {
                let detail = "the project is managed by a project file: change that, or hand it over with `assay serve --seed FILE`";
                Problem::new(ProblemCode::ManagedByFile, detail)
            }
            Self::Archived => Problem::new(ProblemCode::ProjectArchived, detail),
            Self::Overloaded(error) => Problem::from(error),
        }
    }
}

impl Refusal for ActionError {
    fn problem(self) -> Problem {
        let detail = self.to_string();
        match self {
            Self::Edit(error) => error.problem(),
            Self::InvalidTransition { state, allowed, .. } => {
                Problem::new(ProblemCode::InvalidTransition, detail)
                    .with_member("state", state)
                    .with_member("allowed", allowed)
            }
            Self::InUse(users) => {
                let faults: Vec<Fault> = users.iter().map(in_use).collect();
                Problem::new(ProblemCode::InUse, detail).with_faults(&faults)
            }
            Self::Compile(_) => Problem::new(ProblemCode::Compile, detail),
        }
    }
}

fn in_use(User { kind, id, title }: &User) -> Fault {
    let message = format!("the {} `{title}` ({id}) uses it", kind.word());
    Fault::error("in_use", Pointer::root(), message)
        .hint("take it out there, or archive that first")
}

impl Refusal for PublishDraftError {
    fn problem(self) -> Problem {
        match self {
            Self::Edit(error) => error.problem(),
            Self::Compile(error) => Problem::new(ProblemCode::Compile, error.to_string()),
        }
    }
}

impl Refusal for SizeError {
    fn problem(self) -> Problem {
        match self {
            Self::Read(error) => error.problem(),
            Self::Overloaded(error) => Problem::from(error),
            Self::UnderWay => Problem::still_working(self.to_string()),
            Self::Compile(why) => Problem::new(ProblemCode::Compile, why),
        }
    }
}

impl Refusal for DeleteProjectError {
    fn problem(self) -> Problem {
        let detail = self.to_string();
        match self {
            Self::Edit(error) => error.problem(),
            Self::OtherKey => Problem::new(ProblemCode::InvalidParameter, detail),
            Self::NotArchived => Problem::new(ProblemCode::InvalidTransition, detail)
                .with_member("state", "in use")
                .with_member("allowed", ["archive"]),
            Self::Files(error) => Problem::from(StorageError::from(error)),
        }
    }
}

impl Refusal for CreateProjectError {
    fn problem(self) -> Problem {
        match self {
            Self::Edit(error) => error.problem(),
            Self::Taken(_) | Self::Deleted(_) => Problem::new(ProblemCode::Taken, self.to_string()),
        }
    }
}
