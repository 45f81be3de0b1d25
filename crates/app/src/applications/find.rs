//! Finds one registered application, or all of them.

use oauth::{Client, ClientId};
use storage::{Counted, ListRange};

use crate::App;
use crate::roles::{Actor, Permission, RoleError};

/// How many applications one read returns.
const PER_PAGE: u32 = 500;

/// The application with this client id.
///
/// # Errors
/// See [`RoleError`].
pub async fn find_application(
    app: &App,
    actor: &Actor,
    client_id: &ClientId,
) -> Result<Option<Client>, RoleError> {
    actor.require(app, None, Permission::ManageApplications).await?;
    Ok(app.store().lookup_client(client_id).await?)
}

/// One page of the applications, ordered by name.
///
/// # Errors
/// See [`RoleError`].
pub async fn page_of_applications(
    app: &App,
    actor: &Actor,
    page: ListRange,
) -> Result<Vec<Client>, RoleError> {
    actor.require(app, None, Permission::ManageApplications).await?;
    Ok(app.store().list_clients(page).await?)
}

/// How many applications there are.
///
/// # Errors
/// See [`RoleError`].
pub async fn count_applications(app: &App, actor: &Actor) -> Result<u64, RoleError> {
    actor.require(app, None, Permission::ManageApplications).await?;
    Ok(app.store().count(Counted::Clients).await?)
}

/// All applications, ordered by name.
///
/// # Errors
/// See [`RoleError`].
pub async fn list_applications(app: &App, actor: &Actor) -> Result<Vec<Client>, RoleError> {
    let mut applications = Vec::new();
    for page in 1.. {
        let mut found =
            page_of_applications(app, actor, ListRange { page, per_page: PER_PAGE }).await?;
        let is_last = found.len() < PER_PAGE as usize;
        applications.append(&mut found);
        if is_last {
            break;
        }
    }
    Ok(applications)
}
