//! OAuth clients that a project document declares, so that one file can set up a working service.

use serde::Serialize;

/// How the names begin under which API tokens act where client ids stand, such as in the audit log. No application may look like one.
pub const API_TOKEN_CLIENT_PREFIX: &str = "token.";

/// An OAuth client that the document declares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ApplicationDeclaration {
    /// The client id.
    pub client_id: String,
    /// The name that the consent page shows.
    pub name: String,
    /// Where the server may send codes; matched exactly.
    pub redirect_uris: Vec<String>,
    /// The default scope of its requests, and the most they may ask for: names of scopes, or `all`.
    pub scope: Option<String>,
    /// Environment variable that holds the client's secret; a public client has none.
    pub secret_env: Option<String>,
}
