//! What both edges share: how a request gets in ([`Entrance`]), what surrounds it ([`edge`]), who is calling ([`Session`], [`Bearer`], [`CallerAddress`]), forms
//! that only our pages may send ([`FormToken`]), the headers of pages, and error answers for programs ([`Problem`]).

mod address;
mod arriving;
mod bearer;
mod cookie;
mod edge;
mod entrance;
mod forms;
mod forwarded;
mod framing;
mod lingering;
mod problem;
mod request_id;
mod security_headers;
mod session;
mod stranger;

pub use address::{CallerAddress, Peer, Protection};
pub use bearer::Bearer;
pub use edge::{AnswerFailure, Failure, edge};
pub use entrance::{Entrance, TrustedProxy};
pub use forms::{FormToken, is_from_elsewhere};
pub use problem::{Problem, RETRY_AFTER_SECONDS, log_storage_error};
pub use request_id::RequestId;
pub use security_headers::{FormTargets, Scripts, protect_page};
pub use session::{Session, forget_session, keep_session, signing_browser};
pub use stranger::Stranger;
