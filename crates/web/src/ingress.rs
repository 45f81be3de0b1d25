//! How a request gets in: the caller, the proxy, and whether others could read it in transit. Such a request is refused and
//! not redirected, because its secrets may have been read already.

use std::net::IpAddr;

use app::PublicUrl;
use axum::body::{Bytes, HttpBody};
use axum::http::header::{HOST, STRICT_TRANSPORT_SECURITY};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Request};
use axum::response::Response;
use axum::{BoxError, Router};
use ipnet::IpNet;
use tower::ServiceExt as _;

use crate::address::{CallerAddress, Peer, Protection};
use crate::caller_trace::{CALLER_CHECK, CallerTrace};
use crate::forwarded::Forwarded;

/// For a year, and renewed with each answer. Other hosts of the domain are not ours to speak for.
const HTTPS_ONLY: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// Where load balancers ask, often directly and plainly. Neither question nor answer says anything.
const HEALTH_PATHS: [&str; 2] = ["/healthz", "/readyz"];

/// The way in.
#[derive(Debug, Clone)]
pub struct Ingress {
    /// How others reach us.
    pub public_url: PublicUrl,
    /// Who may speak for others.
    pub trusted_proxies: Vec<TrustedProxy>,
}

/// Addresses of proxies that say truly for whom they ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrustedProxy(IpNet);

/// Put into a request that others could read on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct InsecureTransport;

impl TrustedProxy {
    /// Reads an address, or a network as address and length of its prefix.
    ///
    /// # Errors
    /// If it is neither, or contains all addresses: callers could then forge their own address.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let network = text.parse().or_else(|_| text.parse().map(|address: IpAddr| address.into()));
        let network: IpNet =
            network.map_err(|_| "expected an address or a network, such as `10.0.0.0/8`")?;
        if network.prefix_len() == 0 {
            return Err("expected the proxies' addresses, not all addresses");
        }
        Ok(Self(network))
    }
}

impl Ingress {
    /// Lets a request in that came on a connection with this peer, and gives the answer of the routes. They know the request's
    /// [`CallerAddress`], and refuse it in their own words if others could read it.
    pub async fn answer<B>(&self, routes: Router, peer: Peer, mut request: Request<B>) -> Response
    where
        B: HttpBody<Data = Bytes, Error: Into<BoxError>> + Send + 'static,
    {
        let (caller, exposed) = self.look_at(peer, request.headers());
        request.extensions_mut().insert(caller);
        if request.headers().contains_key(CALLER_CHECK) {
            let heard = self.trace_of(peer, caller, request.headers());
            request.extensions_mut().insert(heard);
        }
        if let Some(exposed) = exposed.filter(|_| !HEALTH_PATHS.contains(&request.uri().path())) {
            request.extensions_mut().insert(exposed);
        }
        let is_own = self.is_own_host(&request);
        let Ok(mut response) = routes.oneshot(request).await;
        if is_own && self.public_url.is_https() && !self.public_url.is_loopback() {
            response.headers_mut().insert(STRICT_TRANSPORT_SECURITY, HTTPS_ONLY);
        }
        response
    }

    /// Whether the request is to the host of the console: a site that passes some of its paths on to us decides for its own host.
    fn is_own_host<B>(&self, request: &Request<B>) -> bool {
        let named = || request.headers().get(HOST)?.to_str().ok()?.parse::<Authority>().ok();
        let authority = request.uri().authority().cloned().or_else(named);
        let host = authority.as_ref().map(|one| one.host().trim_matches(['[', ']']));
        host.is_some_and(|host| host.eq_ignore_ascii_case(self.public_url.host()))
    }

    /// Whether this is the address of a trusted proxy.
    #[must_use]
    pub fn is_proxy(&self, address: IpAddr) -> bool {
        self.trusted_proxies.iter().any(|proxy| proxy.0.contains(&address))
    }

    /// The caller.
    fn caller(&self, peer: IpAddr, said: &Forwarded) -> IpAddr {
        if self.is_proxy(peer) { said.caller(peer, |address| self.is_proxy(address)) } else { peer }
    }

    /// The same with its reasons, for who may know them.
    fn trace_of(&self, peer: Peer, caller: CallerAddress, headers: &HeaderMap) -> CallerTrace {
        CallerTrace {
            caller: caller.0,
            is_from_proxy: self.is_proxy(peer.address.to_canonical()),
            hops: Forwarded::read(headers).nearest_hops(),
        }
    }

    /// Whether others could read along.
    fn is_exposed(&self, peer: Peer, address: IpAddr, said: &Forwarded) -> bool {
        // We trust any local caller that makes us stricter, but only trusted proxies that a request was encrypted.
        let must_be_https = self.public_url.is_https();
        match (self.is_proxy(address), peer.protection) {
            (true, Protection::None) => must_be_https && !said.is_https(),
            (true, Protection::Tls) => must_be_https && said.has_plain_way(),
            (false, Protection::Tls) => false,
            (false, Protection::None) if address.is_loopback() => {
                must_be_https && said.has_plain_way()
            }
            (false, Protection::None) => true,
        }
    }

    fn look_at(
        &self,
        peer: Peer,
        headers: &HeaderMap,
    ) -> (CallerAddress, Option<InsecureTransport>) {
        let (address, said) = (peer.address.to_canonical(), Forwarded::read(headers));
        let exposed = self.is_exposed(peer, address, &said).then_some(InsecureTransport);
        (CallerAddress(self.caller(address, &said)), exposed)
    }
}

#[cfg(test)]
mod tests {
    use super::TrustedProxy;

    #[test]
    fn a_proxy_is_an_address_or_a_network() {
        for text in ["127.0.0.1", "10.0.0.0/8", "10.1.2.3/8", "::1", "fd00::/8"] {
            assert!(TrustedProxy::parse(text).is_ok(), "{text}");
        }
        for text in ["", "proxy.example", "10.0.0.0/33", "10.0.0", "0.0.0.0/0", "::/0"] {
            assert!(TrustedProxy::parse(text).is_err(), "{text}");
        }
    }
}
