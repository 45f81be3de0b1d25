//! Grants: an application asks, a member consents, the application exchanges the code and refreshes (RFC 6749 sections 4.1 and 6). The
//! rules are in `oauth`; this module connects them to the store.

mod authenticate_client;
mod authorize;
mod decide_consent;
mod exchange_code;
mod introspect;
mod issue_code;
mod read_request;
mod refresh;
mod request_tokens;
mod request_tokens_error;
mod requester;
mod revoke;
mod token_locks;

pub use authorize::{Authorization, AuthorizeError, ConsentQuestion, SignInNeeded, authorize};
pub use decide_consent::{ConsentAnswer, DecideConsentError, Decision, decide_consent};
pub use introspect::introspect;
pub use request_tokens::{TokenCall, request_tokens};
pub use request_tokens_error::RequestTokensError;
pub(crate) use requester::host_of;
pub use requester::{Requester, find_requester};
pub use revoke::revoke;
pub(crate) use token_locks::TokenLocks;
