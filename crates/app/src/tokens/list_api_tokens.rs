//! Lists and removes API tokens: a member their own, those who manage members also those of services, and an admin of the server all.

use domain::ProjectId;
use oauth::Scope;
use storage::{
    ApiTokenKinds, ApiTokenLine, AuditEvent, Counted, ListRange, MemberId, RoleGrant, StorageError,
    WhichApiTokens,
};

use crate::App;
use crate::members::Sight;
use crate::roles::{Actor, RoleError};
use crate::tokens::add_api_token::token_entry;

/// A token in a list of what an actor sees.
#[derive(Debug)]
pub struct ListedApiToken {
    /// The token, with those roles of its service that the actor sees.
    pub token: ApiTokenLine,
    /// Whether the roles of the actor allow removing it.
    pub is_removable: bool,
    /// The projects in which they allow withdrawing the role of its service, while the service has others.
    pub withdrawable: Vec<ProjectId>,
}

/// The tokens that the actor sees, those made last first, and how many there are; also such as expired a while ago.
///
/// # Errors
/// See [`RoleError`].
pub async fn list_api_tokens(
    app: &App,
    actor: &Actor,
    page: ListRange,
) -> Result<(Vec<ListedApiToken>, u64), RoleError> {
    let visible = Visible::to(app, actor).await?;
    Ok(visible.list(app, ApiTokenKinds::Every, page).await?)
}

/// The same of services alone, for those who manage members.
///
/// # Errors
/// See [`RoleError`].
pub async fn list_services(
    app: &App,
    actor: &Actor,
    page: ListRange,
) -> Result<(Vec<ListedApiToken>, u64), RoleError> {
    let visible = Visible::InPlaces(Sight::of(app, actor).await?);
    Ok(visible.list(app, ApiTokenKinds::OfServices, page).await?)
}

/// Removes a token, and its service if it is of one; from now on it opens nothing. Returns whether the actor sees such a token.
///
/// # Errors
/// See [`RoleError`].
pub async fn remove_api_token(app: &App, actor: &Actor, id: &str) -> Result<bool, RoleError> {
    let visible = Visible::to(app, actor).await?;
    let Some(token) = app.store().lookup_api_token(id).await? else { return Ok(false) };
    if visible.part_of(&token).is_none() {
        return Ok(false);
    }
    visible.require_decision(token.holder, &token.service_roles)?;
    // A token that leaked ends none that may do more than itself.
    actor.require_scope(Scope::MembersWrite).or_else(|_| actor.require_scopes(token.scope))?;
    let detail = format!("{} ({id})", token.name);
    let entry = token_entry(app, actor, AuditEvent::ApiTokenRemoved, detail);
    Ok(app.store().remove_api_token(id, entry).await?)
}

/// The tokens that an actor sees.
pub(super) enum Visible {
    /// Those of this member or service.
    Own(MemberId),
    /// Those in the places whose members the actor sees.
    InPlaces(Sight),
}

impl Visible {
    pub(super) async fn to(app: &App, actor: &Actor) -> Result<Self, RoleError> {
        match (Sight::of(app, actor).await, actor.member()) {
            (Ok(sight), _) => Ok(Self::InPlaces(sight)),
            (Err(RoleError::Insufficient { .. } | RoleError::Scope(_)), Some(member)) => {
                Ok(Self::Own(member))
            }
            (Err(error), _) => Err(error),
        }
    }

    async fn list(
        &self,
        app: &App,
        kinds: ApiTokenKinds,
        page: ListRange,
    ) -> Result<(Vec<ListedApiToken>, u64), StorageError> {
        let which = match self {
            Self::Own(member) => WhichApiTokens::OfMember(*member),
            Self::InPlaces(Sight::Server) => WhichApiTokens::All(kinds),
            Self::InPlaces(Sight::Projects(member, _)) => WhichApiTokens::SeenBy(*member, kinds),
        };
        let found = app.store().list_api_tokens(which, page).await?;
        let listed = |token: &ApiTokenLine| {
            let may_take = |roles: &[RoleGrant]| self.require_decision(token.holder, roles).is_ok();
            let is_removable = may_take(&token.service_roles);
            // Without its only role, the token would go: that is what removing is for.
            let others = token.service_roles.iter().filter(|_| token.service_roles.len() > 1);
            let withdrawable = others.filter(|role| may_take(&[**role]));
            let withdrawable = withdrawable.filter_map(|role| role.project).collect();
            Some(ListedApiToken { token: self.part_of(token)?, is_removable, withdrawable })
        };
        let total = app.store().count(Counted::ApiTokens(which)).await?;
        Ok((found.iter().filter_map(listed).collect(), total))
    }

    /// The token with those roles of its service that the actor sees; `None` if they do not see it.
    pub(super) fn part_of(&self, token: &ApiTokenLine) -> Option<ApiTokenLine> {
        let (own, sight) = match self {
            Self::Own(own) => return (*own == token.holder).then(|| token.clone()),
            Self::InPlaces(Sight::Server) => return Some(token.clone()),
            Self::InPlaces(sight @ Sight::Projects(own, _)) => (own, sight),
        };
        let service_roles = sight.of_roles(token.holder, &token.service_roles);
        let is_seen = *own == token.holder || !service_roles.is_empty();
        is_seen.then(|| ApiTokenLine { service_roles, ..token.clone() })
    }

    /// Checks that the actor may take these roles from a service: for its token all of them, also those that they do not see. Their own tokens
    /// each member removes, and an admin of the server all.
    pub(super) fn require_decision(
        &self,
        holder: MemberId,
        roles: &[RoleGrant],
    ) -> Result<(), RoleError> {
        match self {
            Self::InPlaces(Sight::Projects(member, rights)) if *member != holder => {
                roles.iter().try_for_each(|grant| rights.require_decision(grant))
            }
            Self::Own(_) | Self::InPlaces(Sight::Server | Sight::Projects(..)) => Ok(()),
        }
    }
}
