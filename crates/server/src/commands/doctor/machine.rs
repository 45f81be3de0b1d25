//! The machine: the address to listen on, how many files may be open, the certificate, variables of the environment that are no settings. `folders.rs` looks at its disks.

use std::io;
use std::net::TcpListener;

use oauth::Timestamp;

use super::agent;
use super::finding::{Finding, failed, fault, fine, warning};
use crate::cli::Network;
use crate::clock::machine_time;
use crate::serving::{MORE_FILES, doubts, few_files, files_allowed, valid_until};
use crate::unknown_settings;

const LISTENING: &str = "listening";
const SETTINGS: &str = "settings";
const OPEN_FILES: &str = "open files";
const CERTIFICATE: &str = "certificate";

/// Who renews by hand needs some notice. Programs renew a month before the end.
const DAYS_ADVISED: i64 = 14;

const MILLISECONDS_A_DAY: i64 = 86_400_000;

pub(super) fn look(network: &Network) -> Vec<Finding> {
    let few = few_files(files_allowed()).map(|told| warning(OPEN_FILES, told, MORE_FILES));
    [vec![listening(network)], Vec::from_iter(few), certificate(network), settings()].concat()
}

fn settings() -> Vec<Finding> {
    let of = |name| {
        let told = format!("`{name}` has no effect: no option of Assay has this variable");
        warning(SETTINGS, told, "correct its name, or unset it")
    };
    unknown_settings::names().into_iter().map(of).collect()
}

fn listening(network: &Network) -> Finding {
    let address = network.listen;
    if let Err(failure) = network.check() {
        return failed(LISTENING, &failure);
    }
    match TcpListener::bind(address) {
        Ok(_) => fine(LISTENING, format_args!("{address} is free: no server runs there")),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
            if network.tls_cert.is_some() || is_assay(&format!("http://{address}/healthz")) {
                return fine(LISTENING, format_args!("a server listens on {address}"));
            }
            let told = format_args!("another program listens on {address}");
            fault(LISTENING, told, "end it, or choose another address with --listen")
        }
        Err(error) => fault(
            LISTENING,
            format_args!("cannot listen on {address}: {error}"),
            "ports below 1024 need CAP_NET_BIND_SERVICE; the address must be this machine's",
        ),
    }
}

fn is_assay(health: &str) -> bool {
    let answer = agent().get(health).call();
    answer.is_ok_and(|answer| answer.into_body().read_to_string().is_ok_and(|text| text == "ok\n"))
}

fn certificate(network: &Network) -> Vec<Finding> {
    let Some(files) = network.certificate() else { return Vec::new() };
    let certified = match files.read() {
        Ok(certified) => certified,
        Err(failure) => return vec![failed(CERTIFICATE, &failure)],
    };
    let now = machine_time();
    let host = network.public_url.as_ref().map_or("localhost", |url| url.host());
    let doubts = doubts(&certified, host, now);
    if !doubts.is_empty() {
        let cure = "get one for the host of --public-url, and send the server SIGHUP";
        return doubts.into_iter().map(|doubt| fault(CERTIFICATE, doubt, cure)).collect();
    }
    let milliseconds = |end: Timestamp| end.as_milliseconds() - now.as_milliseconds();
    match valid_until(&certified).map(|end| milliseconds(end) / MILLISECONDS_A_DAY) {
        Some(days @ ..DAYS_ADVISED) => {
            let told = format_args!("the certificate expires in {days} days");
            vec![warning(CERTIFICATE, told, "renew it, and send the server SIGHUP")]
        }
        Some(days) => vec![fine(CERTIFICATE, format_args!("good for {days} days"))],
        None => Vec::new(),
    }
}
