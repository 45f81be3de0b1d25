//! Who is a member, and what may they do?

use storage::{MemberId, MemberLine, Page, StorageError};

use crate::App;
use crate::members::EmailAddress;

/// How many are read at once.
const PER_PAGE: u32 = 500;

/// One page of the members, in the order of their addresses.
///
/// # Errors
/// When the store does not answer.
pub async fn list_members(app: &App, page: Page) -> Result<Vec<MemberLine>, StorageError> {
    app.store().list_members(page).await
}

/// All members, in the order of their addresses.
///
/// # Errors
/// When the store does not answer.
pub async fn all_members(app: &App) -> Result<Vec<MemberLine>, StorageError> {
    let mut members = Vec::new();
    for page in 1.. {
        let mut found = list_members(app, Page { page, per_page: PER_PAGE }).await?;
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
/// When the store does not answer.
pub async fn find_member(app: &App, id: MemberId) -> Result<Option<MemberLine>, StorageError> {
    app.store().lookup_member_line(id).await
}

/// The member with this address.
///
/// # Errors
/// When the store does not answer.
pub async fn find_member_by_email(
    app: &App,
    email: &str,
) -> Result<Option<MemberLine>, StorageError> {
    let Some(email) = EmailAddress::parse(email) else { return Ok(None) };
    let found = app.store().find_member_by_email(email.as_str()).await?;
    let Some(found) = found else { return Ok(None) };
    find_member(app, found.id).await
}
