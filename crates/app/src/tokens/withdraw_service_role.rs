//! An admin of a project ends the reach of a service into it, also of one that reaches others, too, where they have no say.

use domain::ProjectId;
use oauth::Scope;
use storage::{AuditEvent, ServiceRoleWithdrawal, roles_in_words};

use crate::App;
use crate::roles::{Actor, RoleError};
use crate::tokens::add_api_token::token_entry;
use crate::tokens::list_api_tokens::Visible;

/// Withdraws the role that the service of token `id` has in a project; the token goes with the last one. Returns whether the actor sees such
/// a role.
///
/// # Errors
/// See [`RoleError`].
pub async fn withdraw_service_role(
    app: &App,
    actor: &Actor,
    (id, project): (&str, ProjectId),
) -> Result<bool, RoleError> {
    let visible = Visible::to(app, actor).await?;
    let Some(token) = app.store().lookup_api_token(id).await? else { return Ok(false) };
    let seen = visible.part_of(&token).filter(|token| token.is_service);
    let mut roles = seen.iter().flat_map(|token| &token.service_roles);
    let Some(role) = roles.find(|grant| grant.project == Some(project)).copied() else {
        return Ok(false);
    };
    visible.require_decision(token.holder, &[role])?;
    // A token that leaked takes nothing from those that may do more than itself.
    actor.require_scope(Scope::MembersWrite).or_else(|_| actor.require_scopes(token.scope))?;
    let detail = format!("{} ({id}): {}", token.name, roles_in_words(&[role]));
    let entry = token_entry(app, actor, AuditEvent::ServiceRoleWithdrawn, detail);
    let withdrawal = ServiceRoleWithdrawal { token: id.to_owned(), role, entry };
    Ok(app.store().withdraw_service_role(withdrawal).await?)
}
