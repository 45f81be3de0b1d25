//! Who is calling, as far as the network tells. Only failed sign-ins and failed client authentication look at it.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;

/// The address of the other end of the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallerAddress(pub IpAddr);

impl<S: Send + Sync> FromRequestParts<S> for CallerAddress {
    type Rejection = std::convert::Infallible;

    /// A server that does not tell addresses (a Unix socket, a test) makes all callers one.
    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Self::Rejection> {
        let connected = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        Ok(Self(connected.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |info| info.0.ip())))
    }
}
