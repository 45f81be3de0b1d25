//! What both edges share: how a request gets in ([`Ingress`]), what surrounds it ([`edge`]), the caller ([`Session`], [`Bearer`], [`CallerAddress`]), forms
//! that only our pages may send ([`FormToken`]) and that are done once ([`SentForms`]), the headers of pages, and error answers for programs ([`Problem`]).

mod address;
mod arriving;
mod bearer;
mod cookie;
mod drain_body;
mod edge;
mod failure;
mod forms;
mod forwarded;
mod framing;
mod heard_caller;
mod ingress;
mod pre_auth_session;
mod problem;
mod problem_code;
mod request_id;
mod security_headers;
mod sent_once;
mod session;
mod setup_cookie;
mod to_the_end;
mod traced;

pub use address::{CallerAddress, Peer, Protection};
pub use bearer::{Bearer, has_access_token};
pub use edge::{AnswerFailure, edge};
pub use failure::Failure;
pub use forms::{FormToken, is_from_elsewhere};
pub use heard_caller::{CALLER_CHECK, HeardCaller};
pub use ingress::{Ingress, TrustedProxy};
pub use pre_auth_session::PreAuthSession;
pub use problem::{Problem, RETRY_AFTER_SECONDS, log_provider_error, log_storage_error};
pub use problem_code::ProblemCode;
pub use request_id::RequestId;
pub use security_headers::{FormTargets, Pictures, Scripts, protect_page};
pub use sent_once::{FormSender, SentForm, SentForms, nothing_done, sent_form};
pub use session::{Session, forget_session, keep_session, signing_browser};
pub use setup_cookie::SetUpCookie;
pub use to_the_end::{RequestContext, to_the_end};
