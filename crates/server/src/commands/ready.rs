//! `assay ready`: asks the server on this machine whether it is ready. Containers without a shell have no other program to ask with.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use ureq::Agent;
use ureq::http::StatusCode;
use ureq::tls::TlsConfig;

use crate::cli::ReadyArguments;
use crate::failure::Failure;

/// Less than the shortest time that supervisors give a probe by default (Docker: 30 seconds).
const PATIENCE: Duration = Duration::from_secs(10);

/// What `/readyz` answers; other servers may answer 200, too.
const READY: &str = "ok\n";

pub(crate) fn run(ReadyArguments { network }: &ReadyArguments) -> Result<(), Failure> {
    let scheme = if network.tls_cert.is_some() { "https" } else { "http" };
    let address = format!("{scheme}://{}/readyz", on_this_machine(network.listen));
    let answer = agent().get(&address).call();
    let answer = answer.map_err(|error| {
        Failure::environment(format_args!("{address} does not answer: {error}"))
    })?;
    let status = answer.status();
    let told = answer.into_body().read_to_string().unwrap_or_default();
    if status == StatusCode::OK && told == READY {
        return Ok(());
    }
    if status == StatusCode::OK {
        return Err(Failure::environment(format_args!(
            "another server than Assay answers at {address}"
        )));
    }
    Err(Failure::environment(format_args!("{address} answers {status}: {}", told.trim())))
}

/// A server that listens on all addresses is asked on this machine's own.
fn on_this_machine(mut listen: SocketAddr) -> SocketAddr {
    if listen.ip().is_unspecified() {
        let own: IpAddr = match listen {
            SocketAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        };
        listen.set_ip(own);
    }
    listen
}

/// The certificate names the public address, not this machine's own; nothing secret is sent.
fn agent() -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .proxy(None)
        .timeout_global(Some(PATIENCE))
        .tls_config(TlsConfig::builder().disable_verification(true).build())
        .build();
    config.into()
}

#[cfg(test)]
mod tests {
    use super::on_this_machine;

    #[test]
    fn a_server_on_all_addresses_is_asked_on_this_machine() {
        let asked = |listen: &str| on_this_machine(listen.parse().unwrap()).to_string();
        assert_eq!(asked("0.0.0.0:8080"), "127.0.0.1:8080");
        assert_eq!(asked("[::]:8080"), "[::1]:8080");
        assert_eq!(asked("192.0.2.1:80"), "192.0.2.1:80");
    }
}
