//! What `--demo` adds: an embedded project, a shop that runs it, a member and an OAuth application, all ready at once.

pub(crate) mod shop;
pub(crate) mod visitors;

use app::roles::Actor;
use app::{App, applications, members};
use domain::{NoFiles, Source};
use secrecy::{ExposeSecret as _, SecretString};
use serde::Serialize;
use storage::RoleGrant;

use crate::failure::Failure;
use app::documents::{CheckedProject, check_document};

/// The demo's project document.
const PROJECT: &str = include_str!("../demo/project.yaml");

/// The demo's only member.
const EMAIL: &str = "demo@example.com";

/// The name under which the demo's application asks for consent.
const APPLICATION: &str = "Demo reports";

/// The application's redirect path, below the server's address.
pub(crate) const CALLBACK_PATH: &str = "/demo/callback";

/// The demo's credentials. Known only once: the store keeps hashes.
#[derive(Serialize)]
pub(crate) struct Credentials {
    pub(crate) member: MemberCredentials,
    pub(crate) application: ApplicationCredentials,
}

#[derive(Serialize)]
pub(crate) struct MemberCredentials {
    pub(crate) email: String,
    #[serde(serialize_with = "exposed")]
    pub(crate) password: SecretString,
}

#[derive(Serialize)]
pub(crate) struct ApplicationCredentials {
    pub(crate) client_id: String,
    #[serde(serialize_with = "exposed")]
    pub(crate) client_secret: SecretString,
    pub(crate) redirect_uri: String,
}

/// The ready file and the terminal are where the credentials are meant to be seen.
fn exposed<S: serde::Serializer>(secret: &SecretString, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(secret.expose_secret())
}

/// The embedded project.
pub(crate) fn project() -> CheckedProject {
    let source = Source { name: "demo/project.yaml", text: PROJECT, files: &NoFiles };
    check_document(&source).expect("the embedded project is valid: a unit test proves it")
}

/// Adds the member and the application, unless an earlier demo on the same data did.
pub(crate) async fn seed(app: &App) -> Result<Option<Credentials>, Failure> {
    let by = Actor::Command;
    let member = match members::add_member(app, &by, EMAIL, RoleGrant::OWNER).await {
        Ok(member) => member,
        Err(members::AddMemberError::EmailTaken) => return Ok(None),
        Err(error) => return Err(Failure::environment(error)),
    };
    let redirect_uri = app.public_url().join(CALLBACK_PATH);
    let request = applications::NewApplication {
        name: APPLICATION.to_owned(),
        redirect_uris: vec![redirect_uri.clone()],
        kind: oauth::ClientKind::Confidential,
        scope: Some("all".to_owned()),
    };
    let application =
        applications::add_application(app, &by, request).await.map_err(Failure::environment)?;
    Ok(Some(Credentials {
        member: MemberCredentials { email: EMAIL.to_owned(), password: member.password },
        application: ApplicationCredentials {
            client_id: application.client_id.to_string(),
            client_secret: application.client_secret.expect("a confidential client has a secret"),
            redirect_uri,
        },
    }))
}

#[cfg(test)]
mod tests {
    #[test]
    fn embedded_project_is_valid_and_without_warnings() {
        assert_eq!(super::project().warnings, []);
    }
}
