//! The caller's network address, for throttling and the audit log.

use std::net::{IpAddr, Ipv4Addr};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

/// The other end of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer {
    /// Its address.
    pub address: IpAddr,
    /// What keeps others from reading along.
    pub protection: Protection,
}

/// What keeps others from reading along on a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protection {
    /// Nothing.
    None,
    /// TLS.
    Tls,
}

/// The caller's address: the peer, or the client that a trusted proxy names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallerAddress(pub IpAddr);

impl<S: Send + Sync> FromRequestParts<S> for CallerAddress {
    type Rejection = std::convert::Infallible;

    /// Without addresses (in a test), all callers are one.
    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Self::Rejection> {
        let known = parts.extensions.get().copied();
        Ok(known.unwrap_or(Self(IpAddr::V4(Ipv4Addr::UNSPECIFIED))))
    }
}
