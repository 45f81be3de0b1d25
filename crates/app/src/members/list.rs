//! Lists the members and what they may do, as far as the actor sees it.

use storage::{Counted, ListRange, MemberId, MemberLine};

use crate::App;
use crate::members::{EmailAddress, Sight};
use crate::roles::{Actor, RoleError};

/// How many members one read returns.
const PER_PAGE: u32 = 500;

/// One page of the members that the actor sees, ordered by address.
///
/// # Errors
/// See [`RoleError`].
pub async fn list_members(
    app: &App,
    actor: &Actor,
    page: ListRange,
) -> Result<Vec<MemberLine>, RoleError> {
    let sight = Sight::of(app, actor).await?;
    let members = app.store().list_members(sight.limit(), page).await?;
    Ok(members.into_iter().filter_map(|member| sight.of_member(member)).collect())
}

/// How many members the actor sees.
///
/// # Errors
/// See [`RoleError`].
pub async fn count_members(app: &App, actor: &Actor) -> Result<u64, RoleError> {
    let sight = Sight::of(app, actor).await?;
    Ok(app.store().count(Counted::Members(sight.limit())).await?)
}

/// All members that the actor sees, ordered by address.
///
/// # Errors
/// See [`RoleError`].
pub async fn all_members(app: &App, actor: &Actor) -> Result<Vec<MemberLine>, RoleError> {
    let mut members = Vec::new();
    for page in 1.. {
        let mut found = list_members(app, actor, ListRange { page, per_page: PER_PAGE }).await?;
        let is_last = found.len() < PER_PAGE as usize;
        members.append(&mut found);
        if is_last {
            break;
        }
    }
    Ok(members)
}

/// The member with this id, if the actor sees them.
///
/// # Errors
/// See [`RoleError`].
pub async fn find_member(
    app: &App,
    actor: &Actor,
    id: MemberId,
) -> Result<Option<MemberLine>, RoleError> {
    let sight = Sight::of(app, actor).await?;
    let found = app.store().lookup_member_line(id).await?;
    Ok(found.and_then(|member| sight.of_member(member)))
}

/// The member with this address, if the actor sees them.
///
/// # Errors
/// See [`RoleError`].
pub async fn find_member_by_email(
    app: &App,
    actor: &Actor,
    email: &str,
) -> Result<Option<MemberLine>, RoleError> {
    Sight::of(app, actor).await?;
    let Some(email) = EmailAddress::parse(email) else { return Ok(None) };
    let found = app.store().find_member_by_email(email.as_str()).await?;
    let Some(found) = found else { return Ok(None) };
    find_member(app, actor, found.id).await
}
