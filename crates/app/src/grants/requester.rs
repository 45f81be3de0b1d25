//! The application behind an authorization request, as the member sees it.

use oauth::{Client, ClientKind, RedirectUri};
use storage::StorageError;
use url::Url;

use crate::App;
use crate::grants::read_request::{Unread, read_request};

/// The application that asks, and where the answer goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requester {
    /// The application's name. The application chose it, so pages show the answer's host beside it.
    pub name: String,
    kind: ClientKind,
    redirect_uri: String,
}

impl Requester {
    pub(super) fn new(client: &Client, redirect_uri: &str) -> Self {
        let redirect_uri = redirect_uri.to_owned();
        Self { name: client.name.clone(), kind: client.kind, redirect_uri }
    }

    /// Whether only this client can have sent the request, or only it gets the answer. A program without a secret on a member's machine
    /// could be any program there.
    pub(super) fn is_identified(&self) -> bool {
        self.kind == ClientKind::Confidential || !self.is_local()
    }

    /// Whether the answer goes to a program on the member's own machine.
    #[must_use]
    pub fn is_local(&self) -> bool {
        !self.redirect_uri.starts_with("https:")
    }

    /// Host and port of the redirect URI, or the scheme of a native application.
    #[must_use]
    pub fn redirect_host(&self) -> String {
        host_of(&self.redirect_uri)
    }

    /// The answer's scheme, if a native application owns it.
    #[must_use]
    pub fn native_scheme(&self) -> Option<&str> {
        RedirectUri::native_scheme(&self.redirect_uri)
    }
}

/// Host and port of a redirect URI, or the scheme of a native application.
pub(crate) fn host_of(redirect_uri: &str) -> String {
    if let Some(scheme) = RedirectUri::native_scheme(redirect_uri) {
        return format!("{scheme}:");
    }
    let url = Url::parse(redirect_uri).ok();
    url.map_or_else(String::new, |url| {
        url[url::Position::BeforeHost..url::Position::AfterPort].to_owned()
    })
}

/// The application behind this authorization request; `None` if the request is invalid.
///
/// # Errors
/// When the store does not answer.
pub async fn find_requester(app: &App, query: &str) -> Result<Option<Requester>, StorageError> {
    match read_request(app, query).await {
        Ok((request, client)) => Ok(Some(Requester::new(&client, &request.reply_to.redirect_uri))),
        Err(Unread::Storage(error)) => Err(error),
        Err(Unread::Unanswered(_) | Unread::Answered(_)) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use oauth::ClientKind;

    use super::Requester;

    fn requester(kind: ClientKind, redirect_uri: &str) -> Requester {
        Requester { name: String::new(), kind, redirect_uri: redirect_uri.to_owned() }
    }

    #[test]
    fn members_see_host_and_port_of_the_redirect_uri() {
        for (redirect_uri, host) in [
            ("https://reports.example/callback?x=1", "reports.example"),
            ("http://localhost:3000/callback", "localhost:3000"),
            ("http://[::1]:3000/", "[::1]:3000"),
            ("com.example.app:/callback", "com.example.app:"),
            ("com.example.app://assay.example/", "com.example.app:"),
        ] {
            assert_eq!(requester(ClientKind::Public, redirect_uri).redirect_host(), host);
        }
    }

    #[test]
    fn a_program_without_a_secret_on_the_own_machine_could_be_any() {
        let (web, local) = ("https://reports.example/", "http://127.0.0.1:3000/");
        let native = "com.example.app:/callback";

        assert!(requester(ClientKind::Public, web).is_identified());
        assert!(requester(ClientKind::Confidential, local).is_identified());
        assert!(!requester(ClientKind::Public, local).is_identified());
        assert!(!requester(ClientKind::Public, native).is_identified());
    }
}
