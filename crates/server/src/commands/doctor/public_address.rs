//! The public address, as browsers reach it: DNS, TLS, the proxy, and the server behind it.

use std::time::SystemTime;

use serde_json::Value;
use ureq::Body;
use ureq::http::{Request, Response, StatusCode};

use super::finding::{Finding, fault, fine, warning};
use super::{agent, proxy};
use crate::authorities;
use crate::cli::Network;
use crate::clock::machine_time;
use crate::data_place::DataPlace;

const ADDRESS: &str = "public address";
const FIREWALL: &str = "firewall";
const VERSION: &str = "version";
const CLOCK: &str = "clock";

/// An address that any caller may read, and that says what the server takes itself for (RFC 8414).
const METADATA: &str = "/.well-known/oauth-authorization-server";

const PATHS_CURE: &str = "the proxy must hand all paths of this host to Assay";

/// Signatures of webhooks and sign-in at providers allow for some minutes.
const CLOCKS_DIFFER_BY_MS: i64 = 60_000;

const FIREWALL_CURE: &str = "let /v1, /oauth2 and the pages of the console pass unread: projects consist of code (docs: behind a firewall that reads requests)";

/// How pages send events, and programs documents. Assay refuses both as they are, in its own words.
const READ_REQUESTS: [(&str, &str, &str, &str); 2] = [
    ("POST", "/v1/events", "text/plain", "{}"),
    ("PUT", "/v1/projects/1/document", "application/json", r#"{"javascript": "document.cookie"}"#),
];

pub(super) fn look(network: &Network, place: &DataPlace) -> Vec<Finding> {
    let Some(url) = &network.public_url else {
        let told = "--public-url is not given: links and tokens name the address listened on";
        return vec![fine(ADDRESS, told)];
    };
    let address = url.as_str();
    let answer = match ask(url.join(METADATA)) {
        Ok(answer) => answer,
        Err(error) => return vec![silent(address, &error)],
    };
    let is_behind_proxy =
        url.is_https() && (network.tls_cert.is_none() || !network.trusted_proxies.is_empty());
    match answer.status() {
        StatusCode::OK => {}
        StatusCode::FORBIDDEN => {
            return vec![proxy::no_https()];
        }
        status => {
            let told = format_args!("{address} answers {status}, not as Assay does");
            return vec![fault(ADDRESS, told, PATHS_CURE)];
        }
    }
    let mut findings = vec![clock(&answer)];
    let metadata = match json(answer) {
        Ok(metadata) => metadata,
        Err(error) => return vec![silent(address, &error)],
    };
    findings.push(issuer(address, &metadata));
    if is_behind_proxy {
        findings.extend(proxy::look(&url.join(METADATA), place));
    }
    findings.push(firewall(|path| url.join(path)));
    findings.extend(version(&url.join("/v1/openapi.json")));
    findings
}

fn issuer(address: &str, metadata: &Value) -> Finding {
    match metadata["issuer"].as_str() {
        // Nothing that a server publishes tells which database it has.
        Some(issuer) if issuer.trim_end_matches('/') == address.trim_end_matches('/') => {
            fine(ADDRESS, format_args!("{address} answers as Assay under this name"))
        }
        Some(issuer) => {
            let told = format_args!("the server at {address} calls itself `{issuer}`");
            fault(ADDRESS, told, "start it with this --public-url")
        }
        None => {
            let told = format_args!("the server at {address} does not answer as Assay does");
            fault(ADDRESS, told, PATHS_CURE)
        }
    }
}

/// Nothing answers in time, or what does cannot prove its name.
fn silent(address: &str, error: &ureq::Error) -> Finding {
    let error = error.to_string();
    if !error.contains("certificate") {
        let told = format_args!("{address} does not answer: {error}");
        let cure = "start `assay serve`; look at DNS, the firewall and the proxy";
        return fault(ADDRESS, told, cure);
    }
    let told = format_args!("no browser trusts the certificate of {address}: {error}");
    let cure = authorities::hint(&error).unwrap_or(
        "give the proxy, or --tls-cert, a certificate for this name that has not expired, with those of its authorities",
    );
    fault(ADDRESS, told, cure)
}

/// Whether what reads requests on the way lets those pass that have code in them, or that only pages send.
fn firewall(address: impl Fn(&str) -> String) -> Finding {
    for (method, path, media_type, body) in READ_REQUESTS {
        let request = Request::builder().method(method).uri(address(path));
        let request = request.header("content-type", media_type).body(body);
        let Ok(request) = request else { continue };
        let answer = match agent().run(request) {
            Ok(answer) => answer,
            Err(error) => {
                let told = format_args!("`{method} {path}` has no answer: {error}");
                return warning(FIREWALL, told, FIREWALL_CURE);
            }
        };
        let told = answer.headers().get("content-type").and_then(|value| value.to_str().ok());
        if !told.is_some_and(|told| told.starts_with("application/problem+json")) {
            let told = format_args!(
                "something before the server answers `{method} {path}`: {}",
                answer.status()
            );
            return warning(FIREWALL, told, FIREWALL_CURE);
        }
    }
    fine(FIREWALL, "events of pages and documents with code reach the server")
}

fn version(openapi: &str) -> Option<Finding> {
    let running = json(ask(openapi.to_owned()).ok()?).ok()?["info"]["version"].clone();
    let (running, own) = (running.as_str()?, env!("CARGO_PKG_VERSION"));
    Some(if running == own {
        fine(VERSION, own)
    } else {
        let told = format_args!("the server is Assay {running}, this binary {own}");
        warning(VERSION, told, "restart the server with the new binary")
    })
}

fn clock(answer: &Response<Body>) -> Finding {
    let shown = answer.headers().get("date").and_then(|date| date.to_str().ok());
    let there = shown.and_then(|date| httpdate::parse_http_date(date).ok());
    let there = there.and_then(|date| date.duration_since(SystemTime::UNIX_EPOCH).ok());
    let Some(there) = there.and_then(|there| i64::try_from(there.as_millis()).ok()) else {
        return warning(CLOCK, "the answer has no date", "let the proxy pass it on");
    };
    let difference = machine_time().as_milliseconds() - there;
    if difference.abs() <= CLOCKS_DIFFER_BY_MS {
        return fine(CLOCK, "as that of the public address");
    }
    let told = format_args!("differs from that of the public address by {} s", difference / 1_000);
    warning(CLOCK, told, "synchronise both machines (NTP)")
}

fn ask(address: String) -> Result<Response<Body>, ureq::Error> {
    agent().get(address).call()
}

/// The answer, or nothing if it is something else.
fn json(answer: Response<Body>) -> Result<Value, ureq::Error> {
    let text = answer.into_body().read_to_string()?;
    Ok(serde_json::from_str(&text).unwrap_or_default())
}
