//! How the server hears of a caller: what its proxies say, and whether it believes them. `assay doctor` asks for it through the proxy.

use std::net::IpAddr;

use axum::http::{HeaderName, HeaderValue};
use serde::{Deserialize, Serialize};

/// In a request, the proof that one may know; in the answer, the [`CallerTrace`] as JSON.
pub const CALLER_CHECK: HeaderName = HeaderName::from_static("assay-caller-check");

/// A caller, and why the server takes it for that. It names machines behind the proxy, and tells which headers are believed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallerTrace {
    /// Whom the limits and the audit log count.
    pub caller: IpAddr,
    /// Whether the request came from a trusted proxy, so that its hops are believed.
    pub is_from_proxy: bool,
    /// The clients of the nearest hops, the last one nearest; nothing where the proxy named no address.
    pub hops: Vec<Option<IpAddr>>,
}

impl CallerTrace {
    /// The value of the header in the answer.
    #[must_use]
    pub fn to_header(&self) -> Option<HeaderValue> {
        serde_json::to_string(self).ok()?.try_into().ok()
    }

    /// What an answer says. `None` if it is something else.
    #[must_use]
    pub fn from_header(value: &HeaderValue) -> Option<Self> {
        serde_json::from_slice(value.as_bytes()).ok()
    }
}
