//! The machine: the data folder, the disk, the address to listen on, the certificate.

use std::fs::Metadata;
use std::io;
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use oauth::Timestamp;
use rustix::fs::statvfs;
use rustix::process::geteuid;

use super::finding::{Finding, failed, fault, fine, warning};
use crate::cli::Network;
use crate::clock::machine_time;
use crate::data_place::DataPlace;
use crate::opening::{self, Place};
use crate::remote;
use crate::serving::{doubts, valid_until};

const FOLDER: &str = "data folder";
const DISK: &str = "disk space";
const LISTENING: &str = "listening";
const CERTIFICATE: &str = "certificate";

const MEBIBYTE: u64 = 1 << 20;

/// A day of events of a busy site.
const ADVISED_MIB: u64 = 1_024;

/// Less, and the database cannot grow for long.
const NEEDED_MIB: u64 = 100;

/// Who renews by hand needs some notice. Programs renew a month before the end.
const DAYS_ADVISED: i64 = 14;

const MILLISECONDS_A_DAY: i64 = 86_400_000;

pub(super) fn look(place: &DataPlace, network: &Network) -> Vec<Finding> {
    let data = match opening::at(place) {
        Place::File(path) => folder(path.parent().unwrap_or(Path::new("."))),
        // Its own machine has its disk.
        Place::Server(_) => Vec::new(),
    };
    [data, vec![listening(network)], certificate(network)].concat()
}

fn folder(folder: &Path) -> Vec<Finding> {
    let shown = folder.display();
    let metadata = match folder.metadata() {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return vec![fine(
                FOLDER,
                format_args!("`{shown}` is not there: `assay serve` makes it"),
            )];
        }
        Err(error) => {
            let cure = "run this as the user who runs `assay serve`";
            return vec![fault(FOLDER, format_args!("cannot look at `{shown}`: {error}"), cure)];
        }
    };
    vec![access(folder, &metadata), space(folder)]
}

fn access(folder: &Path, metadata: &Metadata) -> Finding {
    let shown = folder.display();
    if let Err(error) = tempfile::tempfile_in(folder) {
        let cure = format!(
            "`chown` it to the user who runs `assay serve`; it is user {}'s",
            metadata.uid()
        );
        return fault(FOLDER, format_args!("cannot write to `{shown}`: {error}"), cure);
    }
    if metadata.uid() != geteuid().as_raw() {
        let told = format_args!("`{shown}` belongs to user {}, not to you", metadata.uid());
        return warning(FOLDER, told, "run this as the user who runs `assay serve`");
    }
    if metadata.mode() & 0o077 != 0 {
        let told = format_args!("other users of this machine can look into `{shown}`");
        return warning(FOLDER, told, format!("chmod 700 {shown}"));
    }
    fine(FOLDER, format_args!("`{shown}` is yours alone"))
}

fn space(folder: &Path) -> Finding {
    let free = match statvfs(folder) {
        Ok(disk) => disk.f_bavail.saturating_mul(disk.f_frsize) / MEBIBYTE,
        Err(error) => return warning(DISK, format_args!("unknown: {error}"), "look with `df`"),
    };
    let told = format!("{free} MiB free");
    let cure = "make room: a full disk loses events, and the server takes no changes";
    match free {
        ..NEEDED_MIB => fault(DISK, told, cure),
        NEEDED_MIB..ADVISED_MIB => warning(DISK, told, cure),
        ADVISED_MIB.. => fine(DISK, told),
    }
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
    let answer = remote::agent().get(health).call();
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
            let told = format_args!("the certificate ends in {days} days");
            vec![warning(CERTIFICATE, told, "renew it, and send the server SIGHUP")]
        }
        Some(days) => vec![fine(CERTIFICATE, format_args!("good for {days} days"))],
        None => Vec::new(),
    }
}
