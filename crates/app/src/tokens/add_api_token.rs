//! Makes an API token: for the member who makes it, or for a service. It may do no more than its maker.

use std::collections::HashSet;

use domain::{Fault, Pointer};
use oauth::{CredentialKind, Scope, ScopeSet, Timestamp};
use secrecy::SecretString;
use storage::{
    API_TOKENS_AT_MOST, ApiTokenHolder, ApiTokenLine, AuditEvent, MemberId, NewApiToken,
    NewAuditEntry, RoleGrant, StorageError, roles_in_words,
};
use thiserror::Error;

use crate::App;
use crate::app::IssuedCredential;
use crate::authors;
use crate::members::fault_of_project;
use crate::roles::{Actor, RoleError};
use crate::tokens::expiry::Expiry;
use crate::visible_text::is_invisible;

/// A name is read in a line of a list.
const NAME_LENGTH_AT_MOST: usize = 64;

/// With more roles than this, a role for the whole server is meant.
const ROLES_AT_MOST: usize = 200;

/// 96 random bits: no two tokens get the same id.
const ID_BYTES: usize = 12;

/// A token to make.
#[derive(Debug, Clone)]
pub struct NewToken {
    /// Its name for people; that of the service if it is for one.
    pub name: String,
    /// What it allows.
    pub scope: Option<ScopeSet>,
    /// When it expires.
    pub expiry: Expiry,
    /// For whom it acts.
    pub holder: TokenFor,
}

/// For whom a new token acts.
#[derive(Debug, Clone)]
pub enum TokenFor {
    /// For the member who makes it.
    Actor,
    /// For this member, whom an operator at the terminal names.
    Member(MemberId),
    /// For a new service with these roles.
    Service(Vec<RoleGrant>),
}

/// A new token.
#[derive(Debug)]
pub struct AddedApiToken {
    /// The token, shown only here and stored only as a hash.
    pub token: SecretString,
    /// What is kept of it.
    pub kept: ApiTokenLine,
}

/// Why no token was made.
#[derive(Debug, Error)]
pub enum AddApiTokenError {
    /// The actor may not do what the token would.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// The token's description is invalid.
    #[error("{}", .0.iter().map(|fault| fault.message.as_str()).collect::<Vec<_>>().join("; "))]
    Faults(Vec<Fault>),
    /// An API token asks: what it made would outlive it.
    #[error("an API token makes no tokens; a signed-in member, or their application, has to")]
    ByApiToken,
    /// Another service in the same place has this name.
    #[error(
        "another service in the same place has this name; take another one, or remove its token first"
    )]
    NameTaken,
    /// The member has too many.
    #[error("{API_TOKENS_AT_MOST} tokens of this member work already; remove some first")]
    TooManyOfMember,
    /// The member has made too many for services.
    #[error(
        "{API_TOKENS_AT_MOST} tokens of services that this member made work already; remove some first"
    )]
    TooManyOfServices,
    /// The store could not save it.
    #[error(transparent)]
    Storage(StorageError),
}

impl From<StorageError> for AddApiTokenError {
    fn from(error: StorageError) -> Self {
        if matches!(error, StorageError::Conflict) { Self::NameTaken } else { Self::Storage(error) }
    }
}

/// Makes a token.
///
/// # Errors
/// See [`AddApiTokenError`].
pub async fn add_api_token(
    app: &App,
    actor: &Actor,
    new: NewToken,
) -> Result<AddedApiToken, AddApiTokenError> {
    let made_at = app.now();
    let (scope, expires_at) = check(&new, made_at).map_err(AddApiTokenError::Faults)?;
    if actor.is_api_token() {
        return Err(AddApiTokenError::ByApiToken);
    }
    // It outlives the application's own access, which a member ends by disconnecting it.
    actor.require_scope(Scope::MembersWrite)?;
    actor.require_scopes(scope)?;
    let (kind, holder) = holder(app, actor, &new).await?;
    let IssuedCredential { credential: token, hash } = app.issue_credential(kind);
    let id = hex::encode(app.random::<ID_BYTES>());
    let token_to_keep = NewApiToken {
        authority: actor.authority()?,
        entry: entry(app, actor, &id, &new),
        id: id.clone(),
        hash,
        name: new.name.trim().to_owned(),
        holder,
        scope,
        made_by: actor.author(app).await?,
        made_at,
        expires_at,
    };
    if !app.store().add_api_token(token_to_keep).await? {
        return Err(match new.holder {
            TokenFor::Service(_) => AddApiTokenError::TooManyOfServices,
            TokenFor::Actor | TokenFor::Member(_) => AddApiTokenError::TooManyOfMember,
        });
    }
    let kept = app.store().lookup_api_token(&id).await?;
    let kept = kept.ok_or_else(|| StorageError::Unavailable("the token is gone".to_owned()))?;
    Ok(AddedApiToken { token, kept })
}

async fn holder(
    app: &App,
    actor: &Actor,
    new: &NewToken,
) -> Result<(CredentialKind, ApiTokenHolder), AddApiTokenError> {
    let member = match (&new.holder, actor) {
        (TokenFor::Service(roles), _) => {
            actor.require_decision(app, roles).await?;
            check_projects(app, roles).await?;
            let signature = signature(new.name.trim(), roles);
            let holder = ApiTokenHolder::Service { signature, roles: roles.clone() };
            return Ok((CredentialKind::ServiceToken, holder));
        }
        (TokenFor::Member(member), Actor::Command) => Some(*member),
        (TokenFor::Member(_) | TokenFor::Actor, _) => actor.member(),
    };
    let no_member = || {
        let message = "a personal token is for a member; name one, or make the token of a service";
        AddApiTokenError::Faults(vec![Fault::error("no_member", Pointer::root(), message)])
    };
    let member = member.ok_or_else(no_member)?;
    Ok((CredentialKind::PersonalToken, ApiTokenHolder::Member(member)))
}

/// The name with which a service signs what it does: that of a service in projects tells where. So a name is taken where it would be mistaken for
/// another, and the admins of one project neither learn nor take the names of services in others.
fn signature(name: &str, roles: &[RoleGrant]) -> String {
    let mut projects: Vec<_> = roles.iter().map(|grant| grant.project).collect();
    projects.sort_unstable();
    match projects[..] {
        [Some(only)] => format!("{name} in {only}"),
        [Some(first), ..] => format!("{name} in {first} and {} more", projects.len() - 1),
        [None, ..] | [] => name.to_owned(),
    }
}

async fn check_projects(app: &App, roles: &[RoleGrant]) -> Result<(), AddApiTokenError> {
    let mut faults = Vec::new();
    for (index, grant) in roles.iter().enumerate() {
        let pointer = roles_pointer().element(index).field("project");
        faults.extend(fault_of_project(app, grant, pointer).await?);
    }
    if faults.is_empty() { Ok(()) } else { Err(AddApiTokenError::Faults(faults)) }
}

fn roles_pointer() -> Pointer {
    Pointer::root().field("service").field("roles")
}

/// The scope of the token and when it expires, or all that is wrong with its description.
fn check(new: &NewToken, now: Timestamp) -> Result<(ScopeSet, Timestamp), Vec<Fault>> {
    let mut faults = Vec::new();
    let mut wrong = |pointer: Pointer, message: String| {
        faults.push(Fault::error("unsuitable", pointer, message));
    };
    let field = |name| Pointer::root().field(name);
    let name = new.name.trim();
    // An address has an `@`, which some write in other widths: no service looks like a member, or like another service.
    let misleads = |one| is_invisible(one) || matches!(one, '@' | '\u{fe6b}' | '\u{ff20}');
    let is_name =
        (1..=NAME_LENGTH_AT_MOST).contains(&name.chars().count()) && !name.contains(misleads);
    let is_service = matches!(new.holder, TokenFor::Service(_));
    if !is_name {
        let most = NAME_LENGTH_AT_MOST;
        wrong(
            field("name"),
            format!("a name has 1 to {most} visible characters, and no `@` among them"),
        );
    } else if is_service && authors::is_own(name) {
        wrong(field("name"), format!("Assay itself signs changes as `{name}`; take another name"));
    }
    let expires_at = match new.expiry.moment(now) {
        Ok(expires_at) => Some(expires_at),
        Err((name, message)) => {
            wrong(field(name), message);
            None
        }
    };
    if new.scope.is_none() {
        wrong(field("scopes"), "a token needs at least one scope".to_owned());
    }
    if let TokenFor::Service(roles) = &new.holder {
        let mut places = HashSet::new();
        if roles.is_empty() || roles.len() > ROLES_AT_MOST {
            wrong(roles_pointer(), format!("a service has 1 to {ROLES_AT_MOST} roles"));
        } else if !roles.iter().all(|grant| places.insert(grant.project)) {
            wrong(roles_pointer(), "a service has one role in each place".to_owned());
        }
    }
    new.scope.zip(expires_at).filter(|_| faults.is_empty()).ok_or(faults)
}

fn entry(app: &App, actor: &Actor, id: &str, new: &NewToken) -> NewAuditEntry {
    let roles = match &new.holder {
        TokenFor::Service(roles) => format!(": {}", roles_in_words(roles)),
        TokenFor::Actor | TokenFor::Member(_) => String::new(),
    };
    let detail = format!("{} ({id}){roles}", new.name.trim());
    token_entry(app, actor, AuditEvent::ApiTokenMade, detail)
}

/// The entry of an act on a token.
pub(super) fn token_entry(
    app: &App,
    actor: &Actor,
    event: AuditEvent,
    detail: String,
) -> NewAuditEntry {
    let (member, client_id) = (actor.member(), actor.through());
    NewAuditEntry { event, act: actor.act(app), member, client_id, detail, project: None }
}

#[cfg(test)]
mod tests {
    use storage::{Role, RoleGrant};

    use super::signature;

    #[test]
    fn a_service_signs_with_its_name_and_where_it_acts() {
        let in_places = |places: &[Option<&str>]| -> String {
            let grant = |place: Option<&str>| RoleGrant {
                project: place.map(|project| project.parse().unwrap()),
                role: Role::Viewer,
                is_code_allowed: false,
            };
            signature("deploy", &places.iter().copied().map(grant).collect::<Vec<_>>())
        };

        assert_eq!(in_places(&[Some("1000")]), "deploy in 1000");
        assert_eq!(
            in_places(&[Some("3000"), Some("2000"), Some("1000")]),
            "deploy in 1000 and 2 more"
        );
        assert_eq!(in_places(&[None]), "deploy");
        assert_eq!(in_places(&[Some("1000"), None]), "deploy");
    }
}
