//! Requests of programs about applications.

use domain::{Fault, Pointer};
use oauth::ClientKind;
use serde::{Serialize, Serializer};

use crate::applications::add::NewApplication;
use crate::applications::change::ChangedApplication;
use crate::applications::description::ApplicationFault;
use crate::described::OptionalField;
use crate::{request, words_of_request};

/// Enough for a name and some dozen addresses.
pub const APPLICATION_BYTES_AT_MOST: usize = 64 * 1024;

const KINDS: [(&str, Kind); 2] =
    [("confidential", Kind(ClientKind::Confidential)), ("public", Kind(ClientKind::Public))];

const ACTIONS: [(&str, ApplicationAction); 2] =
    [("disable", ApplicationAction::Disable), ("enable", ApplicationAction::Enable)];

request! {
    /// An application to register.
    pub struct ApplicationRequest: "client_to_add" {
        /// What members read on the consent page.
        name: String,
        /// Where authorization answers may go.
        redirect_uris: Vec<String>,
        /// Whether the application can keep a secret; `confidential` if it is left out.
        kind as "type": OptionalField<Kind>,
        /// The scope that the application asks for when a request names none, and beyond which it may not ask.
        scope: OptionalField<String>,
    }

    /// A merge patch (RFC 7396) of an application.
    pub struct ApplicationPatch: "client_patch" {
        /// What members read on the consent page.
        name: OptionalField<String>,
        /// All redirect URIs that the application has from now on.
        redirect_uris: OptionalField<Vec<String>>,
        /// The scope that the application may ask for from now on.
        scope: OptionalField<String>,
    }

    /// An action on an application.
    pub struct ApplicationActionRequest: "client_action" {
        /// The action.
        action: ApplicationAction,
    }

    /// A secret to make.
    pub struct SecretRequest: "client_secret_to_add" {
        /// A note that distinguishes the secret from others.
        note: OptionalField<String>,
    }
}

/// Whether an application can keep a secret, as spelled in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind(pub ClientKind);

/// Actions on an application, other than changes to its description.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApplicationAction {
    /// Switches it off.
    Disable,
    /// Switches it on again.
    Enable,
}

impl From<ApplicationRequest> for NewApplication {
    fn from(sent: ApplicationRequest) -> Self {
        let ApplicationRequest { name, redirect_uris, kind: OptionalField(kind), scope } = sent;
        let kind = kind.map_or(ClientKind::Confidential, |Kind(kind)| kind);
        Self { name, redirect_uris, kind, scope: scope.0 }
    }
}

impl From<ApplicationPatch> for ChangedApplication {
    fn from(sent: ApplicationPatch) -> Self {
        let ApplicationPatch { name, redirect_uris, scope } = sent;
        Self { name: name.0, redirect_uris: redirect_uris.0, scope: scope.0 }
    }
}

words_of_request!(Kind, KINDS);
words_of_request!(ApplicationAction, ACTIONS);

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let word = KINDS.iter().find(|(_, kind)| kind == self).map(|(word, _)| word);
        word.serialize(serializer)
    }
}

impl ApplicationFault {
    /// The fault, with the pointer of the invalid field in the body.
    #[must_use]
    pub fn placed(&self) -> Fault {
        let (code, field) = match self {
            Self::UnusableName => ("unusable_name", "name"),
            Self::UnusableNote => ("unusable_note", "note"),
            Self::UnusableScope => ("unusable_scope", "scope"),
            Self::RedirectUriCount | Self::RedirectUri { .. } => {
                ("unusable_redirect_uri", "redirect_uris")
            }
        };
        Fault::error(code, Pointer::root().field(field), self.to_string())
    }
}
