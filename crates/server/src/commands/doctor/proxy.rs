//! What the proxy before the server says of callers, and whether it passes on what they make up. How the server hears of a caller, it tells
//! only to who has its database.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

use app::sign_caller_check;
use ureq::Body;
use ureq::http::{Response, StatusCode};
use url::Url;
use web::{CALLER_CHECK, CallerTrace};

use super::agent;
use super::finding::{Finding, fault, fine, warning};
use crate::data_place::DataPlace;
use crate::failure::Failure;
use crate::offline;

const PROXY: &str = "proxy";

const CURE: &str = "let the proxy set X-Forwarded-For and X-Forwarded-Proto itself, and name its address in --trusted-proxy";

const COUNTED: &str = "limits and the audit log count";

/// For documentation (RFC 5737): no caller has it.
const MADE_UP: IpAddr = IpAddr::V4(Ipv4Addr::new(203, 0, 113, 7));

/// The server answers that others could read the request.
pub(super) fn no_https() -> Finding {
    let told = "the server hears that requests came by plain http, or does not trust the proxy";
    fault(PROXY, told, CURE)
}

/// Asks through the proxy for something that any caller may read, with headers that a caller makes up and without.
pub(super) fn look(address: &str, place: &DataPlace) -> Vec<Finding> {
    if !is_ok(&ask(address, &[("x-forwarded-proto", "http")])) {
        return vec![warning(PROXY, "passes on X-Forwarded-Proto as callers make it up", CURE)];
    }
    let proof = offline::look(place, async |app| {
        sign_caller_check(app).await.map_err(Failure::environment)
    });
    let header = CALLER_CHECK;
    let trace = |made_up: &[(&str, &str)]| {
        let proof = [(header.as_str(), proof.as_deref().ok()?)];
        let answer = ask(address, &[&proof, made_up].concat()).ok()?;
        CallerTrace::from_header(answer.headers().get(&header)?)
    };
    let Some(usual) = trace(&[]) else {
        // The database is elsewhere, or the server is of an earlier version.
        let told = "sets X-Forwarded-Proto itself; whether X-Forwarded-For too, this tells only beside the server's database";
        return vec![fine(PROXY, told)];
    };
    let made_up = MADE_UP.to_string();
    let forged = trace(&[("x-forwarded-for", &made_up)]);
    let wrong = objections(&usual, forged.as_ref(), &own_addresses(address));
    if wrong.is_empty() {
        return vec![fine(
            PROXY,
            "says itself how requests came and who sent them, whatever callers say",
        )];
    }
    wrong
}

/// What is wrong with how the server heard of two requests from a machine with these addresses: a usual one, and one from the address that is
/// made up. The server refuses that one if the header stands in for all that the proxy says.
fn objections(usual: &CallerTrace, forged: Option<&CallerTrace>, own: &[IpAddr]) -> Vec<Finding> {
    if !usual.is_from_proxy {
        let told =
            format!("is not trusted (`{}`): {COUNTED} all callers behind it as one", usual.caller);
        return vec![warning(PROXY, told, CURE)];
    }
    let mut found = Vec::new();
    if usual.hops.is_empty() {
        let told = format!(
            "does not say who asks (X-Forwarded-For): {COUNTED} callers as `{}`, its own address",
            usual.caller
        );
        found.push(warning(PROXY, told, CURE));
    }
    // Who asks from a trusted address may name another, as a proxy does: this machine, if it is the proxy's, too.
    let is_ours = |hop: &Option<IpAddr>| hop.is_some_and(|hop| own.contains(&hop.to_canonical()));
    // Behind the address of a gateway, too, the proxy names that hop with and without what is made up.
    let is_appended = |trace: &CallerTrace| {
        trace.hops.len() > usual.hops.len()
            && trace.hops.last() == usual.hops.last()
            && usual.hops.last() == Some(&Some(usual.caller))
    };
    let is_believed = |trace: &CallerTrace| {
        trace.caller == MADE_UP && !trace.hops.last().is_some_and(is_ours) && !is_appended(trace)
    };
    if forged.is_none_or(is_believed) {
        let told = format!(
            "passes on X-Forwarded-For as callers make it up: {COUNTED} the address that they choose"
        );
        found.push(warning(PROXY, told, CURE));
    }
    found
}

fn is_ok(answer: &Result<Response<Body>, ureq::Error>) -> bool {
    answer.as_ref().is_ok_and(|answer| answer.status() == StatusCode::OK)
}

fn ask(address: &str, headers: &[(&str, &str)]) -> Result<Response<Body>, ureq::Error> {
    let request = headers
        .iter()
        .fold(agent().get(address), |request, (name, value)| request.header(*name, *value));
    request.call()
}

/// The addresses that this machine has for what is at this address. No packet is sent.
fn own_addresses(address: &str) -> Vec<IpAddr> {
    let Some(there) = Url::parse(address).ok().and_then(|url| url.socket_addrs(|| None).ok())
    else {
        return Vec::new();
    };
    let from = |peer: SocketAddr| {
        let any: IpAddr = match peer {
            SocketAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
            SocketAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
        };
        let socket = UdpSocket::bind((any, 0)).ok()?;
        socket.connect(peer).ok()?;
        Some(socket.local_addr().ok()?.ip().to_canonical())
    };
    there.into_iter().filter_map(from).collect()
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use web::CallerTrace;

    use super::{MADE_UP, objections};

    const HERE: &str = "198.51.100.4";

    fn trace(caller: &str, hops: &[&str]) -> CallerTrace {
        let address = |text: &str| text.parse::<IpAddr>().unwrap();
        let hops = hops.iter().map(|hop| Some(address(hop))).collect();
        CallerTrace { caller: address(caller), is_from_proxy: true, hops }
    }

    fn messages(usual: &CallerTrace, forged: Option<&CallerTrace>) -> Vec<String> {
        let found = objections(usual, forged, &[HERE.parse().unwrap()]);
        found.into_iter().map(|finding| finding.told).collect()
    }

    #[test]
    fn a_proxy_that_replaces_or_appends_lets_no_caller_choose_an_address() {
        let made_up = MADE_UP.to_string();
        let usual = trace(HERE, &[HERE]);

        assert!(messages(&usual, Some(&trace(HERE, &[HERE]))).is_empty());
        assert!(messages(&usual, Some(&trace(HERE, &[&made_up, HERE]))).is_empty());
        // The machine of the proxy is trusted itself, and may name others.
        assert!(messages(&usual, Some(&trace(&made_up, &[&made_up, HERE]))).is_empty());
    }

    #[test]
    fn a_made_up_address_that_is_believed_is_told() {
        let made_up = MADE_UP.to_string();
        let usual = trace(HERE, &[HERE, "10.0.0.2"]);

        let bare = trace(&made_up, &[&made_up]);
        let through_two = trace(&made_up, &[&made_up, "10.0.0.2"]);
        for forged in [Some(&bare), Some(&through_two), None] {
            let told = messages(&usual, forged);
            assert!(
                told.len() == 1 && told[0].starts_with("passes on X-Forwarded-For"),
                "{told:?}"
            );
        }
    }

    #[test]
    fn a_proxy_that_names_no_caller_or_is_not_trusted_is_told() {
        let silent = trace("10.0.0.1", &[]);
        let stranger = CallerTrace { is_from_proxy: false, ..trace("10.0.0.1", &[HERE]) };

        for (usual, expected) in [(silent, "does not say who asks"), (stranger, "is not trusted")] {
            let told = messages(&usual, Some(&usual));
            assert!(told.len() == 1 && told[0].starts_with(expected), "{told:?}");
        }
    }
}
