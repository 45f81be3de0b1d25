//! Sets up a server: makes its owner, its first project, and the owner's session. The owner is made first and in one commit, so that of two
//! people with the token one becomes the owner; a fault in the form is found before that.

use domain::ProjectId;
use secrecy::SecretString;
use serde_json::Value;
use storage::{ActorKind, NewMember, Proof, RoleGrant, StorageError};
use thiserror::Error;

use crate::members::EmailAddress;
use crate::new_password::NewPassword;
use crate::projects::{CreateProjectError, create_project_of_document};
use crate::revisions::{PublishDraftError, publish_draft};
use crate::roles::Actor;
use crate::sessions::{SigningBrowser, StartedSession, start};
use crate::setup::fault::{SetUpFault, SetUpField};
use crate::setup::first_project::{FirstProject, numbered_key};
use crate::setup::token::{SetUpTokenError, check_setup_token, needs_project};
use crate::{App, Busy};

/// The id of the first project. The server has no other, and a short id makes a short snippet address.
const FIRST_ID: &str = "1000";

/// The message of the first revision.
const MESSAGE: &str = "Set up";

/// The form that a person sent.
#[derive(Debug)]
pub struct SetUp {
    /// The set-up token.
    pub token: SecretString,
    /// The owner's e-mail address.
    pub email: String,
    /// The owner's password.
    pub password: SecretString,
    /// The first project; without effect on a server that has one.
    pub project: FirstProject,
    /// The browser in which the owner is signed in.
    pub browser: SigningBrowser,
}

/// A server that is set up.
#[derive(Debug)]
pub struct SetUpDone {
    /// The owner's session.
    pub session: StartedSession,
    /// The project that was made.
    pub project: Option<ProjectId>,
}

/// Why the server is not set up.
#[derive(Debug, Error)]
pub enum SetUpError {
    /// The token is wrong, or another person was faster.
    #[error(transparent)]
    Token(#[from] SetUpTokenError),
    /// Fields are wrong; nothing was made.
    #[error("the form has faults")]
    Invalid(Vec<SetUpFault>),
    /// Too many passwords are being hashed at this moment.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Why a project was not made, or is not live.
#[derive(Debug, Error)]
pub enum ProjectError {
    /// It was not made.
    #[error(transparent)]
    Create(#[from] CreateProjectError),
    /// It was made, but is not live.
    #[error(transparent)]
    Publish(#[from] PublishDraftError),
}

/// Makes the owner, the first project, and the session.
///
/// # Errors
/// See [`SetUpError`].
pub async fn set_up(app: &App, form: SetUp) -> Result<SetUpDone, SetUpError> {
    let SetUp { token, email, password, mut project, browser } = form;
    check_setup_token(app, &token, browser.address).await?;
    let is_project_needed = needs_project(app).await?;
    if project.needs_key() {
        project.key = numbered_key(1);
    }
    let document = is_project_needed.then(|| project.document(Some(FIRST_ID))).transpose();
    let (email, password, document) = checked(&email, password, document)?;
    let password_hash = app.passwords().hash(password, app.random()).await?;
    let owner = NewMember {
        email: email.as_str().to_owned(),
        password_hash: password_hash.clone(),
        is_password_temporary: false,
        roles: vec![RoleGrant::OWNER],
        through: None,
        act: app.act(ActorKind::Member, Some(browser.address)),
    };
    let added = app.store().add_first_member(owner).await?;
    let id = added.ok_or(SetUpTokenError::AlreadySetUp)?;
    let actor = Actor::in_console(id, Some(browser.address));
    let project = match document {
        Some(document) => add_project(app, &actor, document).await,
        None => None,
    };
    let session = start(app, id, Proof::Password(password_hash), &browser).await?;
    Ok(SetUpDone { session, project })
}

/// The fields that are right, or all faults.
fn checked(
    email: &str,
    password: SecretString,
    document: Result<Option<Value>, Vec<SetUpFault>>,
) -> Result<(EmailAddress, NewPassword, Option<Value>), SetUpError> {
    let email = EmailAddress::parse_new(email).ok_or_else(|| {
        SetUpFault::new(SetUpField::Email, "expected an address such as `ann@example.com`")
    });
    let password = NewPassword::parse(password)
        .map_err(|unusable| SetUpFault::new(SetUpField::Password, unusable.to_string()));
    match (email, password, document) {
        (Ok(email), Ok(password), Ok(document)) => Ok((email, password, document)),
        (email, password, document) => {
            let mut faults: Vec<_> = email.err().into_iter().chain(password.err()).collect();
            faults.extend(document.err().into_iter().flatten());
            Err(SetUpError::Invalid(faults))
        }
    }
}

/// The first project, live. The owner exists by now: if the project fails, they sign in and make one.
async fn add_project(app: &App, actor: &Actor, document: Value) -> Option<ProjectId> {
    let added = create_and_publish(app, actor, document).await;
    added.inspect_err(|error| tracing::error!("set-up made no project: {error}")).ok()
}

pub(super) async fn create_and_publish(
    app: &App,
    actor: &Actor,
    document: Value,
) -> Result<ProjectId, ProjectError> {
    let draft = create_project_of_document(app, actor, document).await?;
    let id = draft.project.id;
    publish_draft(app, actor, id, MESSAGE.to_owned(), |_| true).await?;
    Ok(id)
}
