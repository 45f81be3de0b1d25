//! What is registered: one application, or all of them.

use oauth::{Client, ClientId};
use storage::{Page, StorageError};

use crate::App;

/// How many are read at once.
const PER_PAGE: u32 = 500;

/// The application with this client id.
///
/// # Errors
/// When the store does not answer.
pub async fn find_application(
    app: &App,
    client_id: &ClientId,
) -> Result<Option<Client>, StorageError> {
    app.store().lookup_client(client_id).await
}

/// One page of the applications, in the order of their names.
///
/// # Errors
/// When the store does not answer.
pub async fn page_of_applications(app: &App, page: Page) -> Result<Vec<Client>, StorageError> {
    app.store().list_clients(page).await
}

/// All applications, in the order of their names.
///
/// # Errors
/// When the store does not answer.
pub async fn list_applications(app: &App) -> Result<Vec<Client>, StorageError> {
    let mut applications = Vec::new();
    for page in 1.. {
        let mut found = page_of_applications(app, Page { page, per_page: PER_PAGE }).await?;
        let is_last = found.len() < PER_PAGE as usize;
        applications.append(&mut found);
        if is_last {
            break;
        }
    }
    Ok(applications)
}
