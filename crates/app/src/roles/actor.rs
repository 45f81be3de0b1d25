//! The actor: an operator at the server's terminal, or a member. Every restricted use case takes the actor, and checks the permission
//! itself.

use std::net::IpAddr;

use domain::{API_TOKEN_CLIENT_PREFIX, ProjectId};
use oauth::{ClientId, CredentialHash, Scope, ScopeSet};
use serde_json::Value;
use storage::{
    Act, ActingCredential, ActorKind, AuditEvent, Authority, MemberId, NewAuditEntry,
    ProjectChange, RoleGrant, StorageError,
};

use crate::App;
use crate::authors;
use crate::roles::Author;
use crate::roles::require::{RoleError, rights_of};
use crate::roles::rights::{Permission, Rights};

/// The actor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// An operator at the server's terminal, who controls the disk and may do everything.
    Command,
    /// A member, in the console or through an application.
    Member(ActingMember),
}

/// An acting member, with the application, address and request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActingMember {
    /// The member.
    pub id: MemberId,
    /// The application that acts for them; `None` is the console.
    pub through: Option<ActingApplication>,
    /// What the request came with; `None` makes nothing that outlives it.
    pub credential: Option<ActingCredential>,
    /// The address of the request.
    pub address: Option<IpAddr>,
    /// The request's id.
    pub request_id: String,
}

/// An application that acts for a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActingApplication {
    /// The application's client id.
    pub client_id: ClientId,
    /// The scope of its token.
    pub scope: ScopeSet,
}

impl Actor {
    /// A member in the console.
    #[must_use]
    pub const fn in_console(id: MemberId, address: Option<IpAddr>) -> Self {
        let request_id = String::new();
        Self::Member(ActingMember { id, through: None, credential: None, address, request_id })
    }

    /// A member in the console, in a session of theirs.
    #[must_use]
    pub const fn in_session(
        id: MemberId,
        session: CredentialHash,
        address: Option<IpAddr>,
    ) -> Self {
        let credential = Some(ActingCredential::Session(session));
        let request_id = String::new();
        Self::Member(ActingMember { id, through: None, credential, address, request_id })
    }

    /// The acting member; an operator need not be one.
    #[must_use]
    pub const fn member(&self) -> Option<MemberId> {
        match self {
            Self::Command => None,
            Self::Member(member) => Some(member.id),
        }
    }

    /// Checks that the actor has a permission in a project; `None` is what belongs to no project.
    ///
    /// # Errors
    /// See [`RoleError`].
    pub async fn require(
        &self,
        app: &App,
        project: Option<ProjectId>,
        permission: Permission,
    ) -> Result<(), RoleError> {
        self.require_scope(permission.needed_scope())?;
        self.require_role(app, project, permission).await
    }

    /// The same without the token's scope: for consequences of a permitted change.
    pub(crate) async fn require_role(
        &self,
        app: &App,
        project: Option<ProjectId>,
        permission: Permission,
    ) -> Result<(), RoleError> {
        match self.rights(app).await? {
            Some(rights) => rights.require(project, permission),
            None => Ok(()),
        }
    }

    /// Checks that the actor may say where a project announces what happens in it: by webhooks, or to people outside by links. What tells
    /// results there takes [`Self::require_telling_results`].
    pub(crate) async fn require_announcing(
        &self,
        app: &App,
        project: ProjectId,
    ) -> Result<(), RoleError> {
        self.require(app, Some(project), Permission::WriteDraft).await?;
        self.require_role(app, Some(project), Permission::ReadResults).await
    }

    /// Checks that the actor may have a project's results told elsewhere. A token needs the scope to read them, too: who has it told them
    /// could be its own holder.
    pub(crate) async fn require_telling_results(
        &self,
        app: &App,
        project: ProjectId,
    ) -> Result<(), RoleError> {
        self.require_announcing(app, project).await?;
        self.require_scope(Permission::ReadResults.needed_scope())
    }

    /// Checks that the actor's token has this scope. Only applications have tokens.
    pub(crate) fn require_scope(&self, scope: Scope) -> Result<(), RoleError> {
        let application = match self {
            Self::Command => None,
            Self::Member(member) => member.through.as_ref(),
        };
        match application {
            Some(application) if !application.scope.contains(scope) => Err(RoleError::Scope(scope)),
            Some(_) | None => Ok(()),
        }
    }

    /// Checks that the actor's token has all of these scopes.
    pub(crate) fn require_scopes(&self, scopes: ScopeSet) -> Result<(), RoleError> {
        scopes.iter().try_for_each(|one| self.require_scope(one))
    }

    /// The rights of a member; `None` allows everything.
    pub(crate) async fn rights(&self, app: &App) -> Result<Option<Rights>, StorageError> {
        match self.member() {
            Some(member) => Ok(Some(rights_of(app, member).await?)),
            None => Ok(None),
        }
    }

    /// Checks that the actor may give and take these roles.
    pub(crate) async fn require_decision(
        &self,
        app: &App,
        roles: &[RoleGrant],
    ) -> Result<(), RoleError> {
        self.require_scope(Scope::MembersWrite)?;
        let Some(rights) = self.rights(app).await? else { return Ok(()) };
        roles.iter().try_for_each(|grant| rights.require_decision(grant))
    }

    /// Checks that the actor has all the rights of a member, also those that the actor does not see.
    pub(crate) async fn require_power_over(
        &self,
        app: &App,
        member: MemberId,
    ) -> Result<(), RoleError> {
        let roles = app.store().find_roles(member, app.now()).await?;
        if roles.is_empty() {
            return self.require(app, None, Permission::ManageMembers).await;
        }
        self.require_decision(app, &roles).await
    }

    /// Whether the actor has all the rights of a member.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn has_power_over(&self, app: &App, member: MemberId) -> Result<bool, StorageError> {
        match self.require_power_over(app, member).await {
            Ok(()) => Ok(true),
            Err(RoleError::Insufficient { .. } | RoleError::Scope(_)) => Ok(false),
            Err(RoleError::Storage(error)) => Err(error),
        }
    }

    /// Checks that the actor manages at least some members.
    ///
    /// # Errors
    /// See [`RoleError`].
    pub async fn require_some_members(&self, app: &App) -> Result<(), RoleError> {
        self.require_scope(Scope::MembersWrite)?;
        let Some(rights) = self.rights(app).await? else { return Ok(()) };
        rights.require_some_members()
    }

    /// On whose authority the actor makes something that outlives the request.
    pub(crate) fn authority(&self) -> Result<Authority, StorageError> {
        match self {
            Self::Command => Ok(Authority::Operator),
            Self::Member(ActingMember { id, credential, .. }) => {
                let credential = credential.ok_or(StorageError::SignedOut)?;
                Ok(Authority::Member(*id, credential))
            }
        }
    }

    /// The application that acts.
    pub(crate) fn through(&self) -> Option<ClientId> {
        match self {
            Self::Command => None,
            Self::Member(member) => member.through.as_ref().map(|one| one.client_id.clone()),
        }
    }

    /// Whether an API token acts, of a member or of a service.
    pub(crate) fn is_api_token(&self) -> bool {
        let client = self.through();
        client.is_some_and(|client| client.as_str().starts_with(API_TOKEN_CLIENT_PREFIX))
    }

    /// An act at this moment that belongs to no project.
    pub(crate) fn act(&self, app: &App) -> Act {
        match self {
            Self::Command => app.act(ActorKind::Command, None),
            Self::Member(member) => {
                Act { member: Some(member.id), ..app.act(ActorKind::Member, member.address) }
            }
        }
    }

    /// The audit log entry of the actor's change to a project. `change` is a JSON Patch, or null.
    pub(crate) fn entry(
        &self,
        app: &App,
        event: AuditEvent,
        (id, entity): (ProjectId, &str),
        change: &Value,
    ) -> NewAuditEntry {
        let (kind, address, request_id) = match self {
            Self::Command => (ActorKind::Command, None, String::new()),
            Self::Member(member) => {
                let kind = match member.through {
                    Some(_) => ActorKind::Client,
                    None => ActorKind::Member,
                };
                (kind, member.address, member.request_id.clone())
            }
        };
        NewAuditEntry {
            event,
            act: app.act(kind, address),
            member: self.member(),
            client_id: self.through(),
            detail: String::new(),
            project: Some(ProjectChange {
                id,
                entity: entity.to_owned(),
                change: if change.is_null() { String::new() } else { change.to_string() },
                request_id,
            }),
        }
    }

    /// The author of a draft change now.
    pub(crate) async fn as_author(&self, app: &App) -> Result<Author, StorageError> {
        Ok(Author { at: app.now(), by: self.author(app).await? })
    }

    /// The author of a revision, in words for people.
    pub(crate) async fn author(&self, app: &App) -> Result<String, StorageError> {
        let Some(id) = self.member() else { return Ok(authors::COMMAND_LINE.to_owned()) };
        let member = app.store().lookup_member(id).await?;
        Ok(member.map_or_else(|| format!("member {id}"), |member| member.email))
    }
}
