//! Lists the members and what they may do.

use storage::{Counted, MemberId, MemberLine, Page};

use crate::App;
use crate::members::EmailAddress;
use crate::roles::{Actor, RoleError};

/// How many members one read returns.
const PER_PAGE: u32 = 500;

/// One page of the members, ordered by address.
///
/// # Errors
/// See [`RoleError`].
pub async fn list_members(
    app: &App,
    actor: &Actor,
    page: Page,
) -> Result<Vec<MemberLine>, RoleError> {
    actor.require_some_members(app).await?;
    Ok(app.store().list_members(page).await?)
}

/// How many members there are.
///
/// # Errors
/// See [`RoleError`].
pub async fn count_members(app: &App, actor: &Actor) -> Result<u64, RoleError> {
    actor.require_some_members(app).await?;
    Ok(app.store().count(Counted::Members).await?)
}

/// All members, ordered by address.
///
/// # Errors
/// See [`RoleError`].
pub async fn all_members(app: &App, actor: &Actor) -> Result<Vec<MemberLine>, RoleError> {
    let mut members = Vec::new();
    for page in 1.. {
        let mut found = list_members(app, actor, Page { page, per_page: PER_PAGE }).await?;
        let is_last = found.len() < PER_PAGE as usize;
        members.append(&mut found);
        if is_last {
            break;
        }
    }
    Ok(members)
}

/// The member with this id.
///
/// # Errors
/// See [`RoleError`].
pub async fn find_member(
    app: &App,
    actor: &Actor,
    id: MemberId,
) -> Result<Option<MemberLine>, RoleError> {
    actor.require_some_members(app).await?;
    Ok(app.store().lookup_member_line(id).await?)
}

/// The member with this address.
///
/// # Errors
/// See [`RoleError`].
pub async fn find_member_by_email(
    app: &App,
    actor: &Actor,
    email: &str,
) -> Result<Option<MemberLine>, RoleError> {
    actor.require_some_members(app).await?;
    let Some(email) = EmailAddress::parse(email) else { return Ok(None) };
    let found = app.store().find_member_by_email(email.as_str()).await?;
    let Some(found) = found else { return Ok(None) };
    find_member(app, actor, found.id).await
}
