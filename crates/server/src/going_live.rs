//! A project goes live: the applications it declares are registered, and its document is published.

use app::App;
use app::applications::{DeclareApplicationError, DeclaredApplication, declare_application};
use app::projects::{
    Origin, PublishError, Published, publish_project, seed_project, with_live_ids,
};
use domain::{ApplicationDeclaration, Project};
use secrecy::SecretString;
use serde_json::Value;

use crate::commands::compile::refused;
use crate::failure::Failure;

/// Makes the project of a project file live; `written` is the document as its author wrote it. If an application cannot be registered,
/// nothing is published.
pub(crate) async fn go_live(
    app: &App,
    project: Project,
    written: Value,
) -> Result<Published, Failure> {
    declare_all(app, &project).await?;
    let project = with_live_ids(app, project, written).await.map_err(Failure::environment)?;
    let published = publish_project(app, project, Origin::ProjectFile).await;
    let published = published.map_err(|error| match error {
        PublishError::UnpublishedDraft(_) | PublishError::Deleted(_) => Failure::input(error),
        PublishError::Compile(error) => refused(error),
        PublishError::Storage(_) => Failure::environment(error),
    })?;
    for late in &published.late {
        tracing::warn!("{late}");
    }
    for breaking in &published.breaking {
        tracing::warn!("this mixes visitors of two bucketings in one experiment\n{breaking}");
    }
    Ok(published)
}

/// Makes `project` live if there is no project with its id yet; `None` if there is, or there was one until an owner deleted it.
pub(crate) async fn seed(
    app: &App,
    project: Project,
    by: &str,
) -> Result<Option<Published>, Failure> {
    declare_all(app, &project).await?;
    let id = project.id;
    match seed_project(app, project, by).await {
        Ok(None) => {
            tracing::info!("project {id} already exists; the seed changes nothing");
            Ok(None)
        }
        // The command that starts the server may go on to name its file.
        Err(error @ PublishError::Deleted(_)) => {
            tracing::warn!("the project is not seeded: {error}");
            Ok(None)
        }
        seeded => seeded.map_err(Failure::environment),
    }
}

async fn declare_all(app: &App, project: &Project) -> Result<(), Failure> {
    for declaration in &project.applications {
        declare(app, declaration).await?;
    }
    Ok(())
}

async fn declare(app: &App, declaration: &ApplicationDeclaration) -> Result<(), Failure> {
    let client_id = &declaration.client_id;
    let secret = declaration.secret_env.as_deref().map(|name| {
        secret(name).ok_or_else(|| {
            Failure::input(format_args!(
                "application `{client_id}`: the environment variable `{name}`, which holds its secret, is not set"
            ))
        })
    });
    let application = DeclaredApplication {
        client_id: client_id.clone(),
        name: declaration.name.clone(),
        redirect_uris: declaration.redirect_uris.clone(),
        scope: declaration.scope.clone(),
        secret: secret.transpose()?,
    };
    declare_application(app, application).await.map_err(|error| match error {
        DeclareApplicationError::Storage(error) => Failure::environment(error),
        wrong @ (DeclareApplicationError::ClientId(_)
        | DeclareApplicationError::ReservedClientId
        | DeclareApplicationError::Fault(_)
        | DeclareApplicationError::UnusableSecret) => {
            Failure::input(format_args!("application `{client_id}`: {wrong}"))
        }
    })
}

/// No file contains a secret: the project file only names its environment variable.
#[expect(clippy::disallowed_methods, reason = "the project file names the variable")]
fn secret(name: &str) -> Option<SecretString> {
    std::env::var(name).ok().filter(|secret| !secret.is_empty()).map(SecretString::from)
}
