//! Lists the sites that load a project's snippet.

use domain::ProjectId;
use storage::Installation;

use crate::App;
use crate::roles::{Actor, Permission, RoleError};

/// A site that loads the snippet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedInstallation {
    /// The site, and when it loaded the snippet.
    pub site: Installation,
    /// Whether these are pages of this server, such as the demo shop, and not the member's site.
    pub is_this_server: bool,
}

/// The sites that load the snippet of a project, those seen last first.
///
/// # Errors
/// See [`RoleError`].
pub async fn list_installations(
    app: &App,
    actor: &Actor,
    project: ProjectId,
) -> Result<Vec<ListedInstallation>, RoleError> {
    actor.require(app, Some(project), Permission::ReadConfiguration).await?;
    let sites = app.store().list_installations(project).await?;
    let own = app.public_url().as_str();
    let listed =
        |site: Installation| ListedInstallation { is_this_server: site.origin == own, site };
    Ok(sites.into_iter().map(listed).collect())
}
