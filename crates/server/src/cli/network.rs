//! How clients reach the server: the address it listens on, the public address, and what protects the connection.

use std::net::SocketAddr;
use std::path::PathBuf;

use app::PublicUrl;
use clap::Args;
use web::TrustedProxy;

use crate::failure::Failure;
use crate::serving::{CONNECTIONS_PER_ADDRESS, CertificateFiles, IDLE_SECONDS};

/// How clients reach the server.
#[derive(Debug, Args)]
pub(crate) struct Network {
    /// Address to listen on. Port 0 picks a free port. An address other than loopback needs --tls-cert or --trusted-proxy.
    #[arg(long, env = "ASSAY_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub(crate) listen: SocketAddr,
    /// Address at which Prometheus reads /metrics, over plain http and without a password: one that only your own machines reach.
    /// [default: none]
    #[arg(long, env = "ASSAY_METRICS_ADDRESS", value_name = "ADDRESS")]
    pub(crate) metrics_address: Option<SocketAddr>,
    /// The address of this server for browsers and programs, as scheme, host and port: https, or http on this machine. Links and the
    /// OAuth issuer use it. [default: the address listened on]
    #[arg(long, env = "ASSAY_PUBLIC_URL", value_name = "URL", value_parser = PublicUrl::parse)]
    pub(crate) public_url: Option<PublicUrl>,
    /// Serve https with this certificate, followed by those of its issuers, as PEM. SIGHUP reloads it and the key.
    #[arg(long, env = "ASSAY_TLS_CERT", value_name = "FILE", requires = "tls_key")]
    pub(crate) tls_cert: Option<PathBuf>,
    /// The certificate's key, as PEM.
    #[arg(long, env = "ASSAY_TLS_KEY", value_name = "FILE", requires = "tls_cert")]
    pub(crate) tls_key: Option<PathBuf>,
    /// Addresses of proxies in front, such as 10.0.0.0/8, separated by commas. Only they may name the client
    /// (X-Forwarded-For, X-Forwarded-Proto).
    #[arg(
        long = "trusted-proxy",
        env = "ASSAY_TRUSTED_PROXY",
        value_name = "CIDR",
        value_delimiter = ',',
        value_parser = TrustedProxy::parse
    )]
    pub(crate) trusted_proxies: Vec<TrustedProxy>,
    /// How many connections one address may have at once (an IPv6 network counts as one address), unless it is a trusted proxy's.
    #[arg(
        long,
        env = "ASSAY_CONNECTIONS_PER_ADDRESS",
        value_name = "N",
        default_value_t = CONNECTIONS_PER_ADDRESS,
        value_parser = at_least_one
    )]
    pub(crate) connections_per_address: usize,
    /// For how many seconds a connection without a request is kept. Proxies and load balancers in front must close theirs earlier: a request
    /// that one sends as the server closes the connection fails.
    #[arg(
        long,
        env = "ASSAY_IDLE_TIMEOUT",
        value_name = "SECONDS",
        default_value_t = IDLE_SECONDS,
        value_parser = clap::value_parser!(u32).range(1..=IDLE_SECONDS_AT_MOST)
    )]
    pub(crate) idle_timeout: u32,
}

/// Two hours: no balancer that we know keeps connections for longer, and what is left of broken ones takes up places.
const IDLE_SECONDS_AT_MOST: i64 = 7_200;

fn at_least_one(text: &str) -> Result<usize, &'static str> {
    text.parse().ok().filter(|number| *number > 0).ok_or("expected a number above zero")
}

impl Network {
    /// The certificate for TLS connections, if the server speaks TLS itself.
    pub(crate) fn certificate(&self) -> Option<CertificateFiles> {
        let (certificate, key) = (self.tls_cert.clone()?, self.tls_key.clone()?);
        Some(CertificateFiles { certificate, key })
    }

    /// Refuses settings with which clients would send secrets where others can read them.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let is_http = self.public_url.as_ref().is_some_and(|url| !url.is_https());
        if self.tls_cert.is_some() && is_http {
            return Err(Failure::usage(
                "--public-url is http, but --tls-cert lets the server speak only https",
            ));
        }
        if self.listen.ip().to_canonical().is_loopback() || self.tls_cert.is_some() {
            return Ok(());
        }
        if self.trusted_proxies.is_empty() {
            return Err(Failure::usage(format_args!(
                "other machines can reach {}, and others can read plain http on its way there\n  \
                 hint: --tls-cert and --tls-key serve https; --trusted-proxy names the proxy that does",
                self.listen
            )));
        }
        if self.public_url.is_none() {
            return Err(Failure::usage(
                "--public-url is missing: expected the address at which clients reach the server through the proxy",
            ));
        }
        Ok(())
    }

    /// Warns of a proxy that must exist but is not named.
    pub(crate) fn warn(&self, public_url: &PublicUrl) {
        let is_elsewhere = public_url.is_https() && !public_url.is_loopback();
        if is_elsewhere && self.tls_cert.is_none() && self.trusted_proxies.is_empty() {
            tracing::warn!(
                "--trusted-proxy does not name the proxy that speaks https for {public_url}: all clients behind it count as one caller"
            );
        }
    }

    /// The public address, by default the one listened on.
    pub(crate) fn public_url(&self, mut listening: SocketAddr) -> Result<PublicUrl, Failure> {
        if let Some(url) = &self.public_url {
            return Ok(url.clone());
        }
        if listening.ip().is_unspecified() {
            // Every address of this machine: name the one that always works from here.
            listening.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
        }
        let scheme = if self.tls_cert.is_some() { "https" } else { "http" };
        PublicUrl::parse(&format!("{scheme}://{listening}")).map_err(Failure::environment)
    }
}
