//! What both edges share: how a request gets in ([`Ingress`]), what surrounds it ([`edge`]), the caller ([`Session`], [`Bearer`], [`CallerAddress`]), forms
//! that only our pages may send ([`FormToken`]) and that are done once ([`RecentForms`]), the headers of pages, and error answers for programs ([`Problem`]).

mod address;
mod arriving;
mod bearer;
mod caller_trace;
mod cookie;
mod drain_body;
mod edge;
mod failure;
mod form_deduplication;
mod forms;
mod forwarded;
mod framing;
mod ingress;
mod pre_auth_session;
mod problem;
mod problem_code;
mod request_id;
mod run_to_completion;
mod security_headers;
mod session;
mod setup_cookie;
mod traced;

pub use address::{CallerAddress, Peer, Protection};
pub use bearer::{Bearer, has_access_token};
pub use caller_trace::{CALLER_CHECK, CallerTrace};
pub use edge::{AnswerFailure, edge};
pub use failure::Failure;
pub use form_deduplication::{
    FormFingerprint, FormSender, RecentForms, form_fingerprint, nothing_done,
};
pub use forms::{FormToken, is_from_elsewhere};
pub use ingress::{Ingress, TrustedProxy};
pub use pre_auth_session::PreAuthSession;
pub use problem::{Problem, RETRY_AFTER_SECONDS, log_provider_error, log_storage_error};
pub use problem_code::ProblemCode;
pub use request_id::RequestId;
pub use run_to_completion::{RequestContext, run_to_completion};
pub use security_headers::{FormTargets, ImageSources, Scripts, protect_page};
pub use session::{Session, forget_session, keep_session, signing_browser};
pub use setup_cookie::SetUpCookie;
