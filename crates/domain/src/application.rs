//! OAuth clients that come with a project, so that a file alone can bring up a working service.

use serde::Serialize;

/// An OAuth client that the document declares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ApplicationDeclaration {
    /// The client id.
    pub client_id: String,
    /// What the consent page calls it.
    pub name: String,
    /// Where codes may be sent; matched exactly.
    pub redirect_uris: Vec<String>,
    /// What it asks for when a request names no scope, and beyond which it may not ask: names of scopes, or `all`.
    pub scope: Option<String>,
    /// Environment variable that holds the client's secret; a public client has none.
    pub secret_env: Option<String>,
}
