//! Lists and removes API tokens: a member their own, an admin of the server all.

use oauth::Scope;
use storage::{ApiTokenLine, AuditEvent, Counted, MemberId, Page};

use crate::App;
use crate::roles::{Actor, Permission, RoleError};
use crate::tokens::add_api_token::token_entry;

/// The tokens that the actor may see, those made last first, and how many there are; also such as expired a while ago.
///
/// # Errors
/// See [`RoleError`].
pub async fn list_api_tokens(
    app: &App,
    actor: &Actor,
    page: Page,
) -> Result<(Vec<ApiTokenLine>, u64), RoleError> {
    let of = only_of(app, actor).await?;
    let tokens = app.store().list_api_tokens(of, page).await?;
    Ok((tokens, app.store().count(Counted::ApiTokens(of)).await?))
}

/// Removes a token, and its service if it is of one; from now on it opens nothing. Returns whether the actor sees such a token.
///
/// # Errors
/// See [`RoleError`].
pub async fn remove_api_token(app: &App, actor: &Actor, id: &str) -> Result<bool, RoleError> {
    let of = only_of(app, actor).await?;
    let Some(token) = app.store().lookup_api_token(id).await? else { return Ok(false) };
    if of.is_some_and(|member| member != token.holder) {
        return Ok(false);
    }
    // A token that leaked ends none that may do more than itself.
    actor.require_scope(Scope::MembersWrite).or_else(|_| actor.require_scopes(token.scope))?;
    let detail = format!("{} ({id})", token.name);
    let entry = token_entry(app, actor, AuditEvent::ApiTokenRemoved, detail);
    Ok(app.store().remove_api_token(id, entry).await?)
}

/// The member whose tokens alone the actor may see; `None` is all.
async fn only_of(app: &App, actor: &Actor) -> Result<Option<MemberId>, RoleError> {
    match actor.require(app, None, Permission::ManageMembers).await {
        Ok(()) => Ok(None),
        Err(RoleError::Insufficient { .. } | RoleError::Scope(_)) => Ok(actor.member()),
        Err(error @ RoleError::Storage(_)) => Err(error),
    }
}
