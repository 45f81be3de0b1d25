//! The proxy that the environment names, as for curl: `ALL_PROXY`, `HTTPS_PROXY` or `HTTP_PROXY`, and `NO_PROXY` for those who are reached
//! without it. Never for this machine's own addresses: over plain HTTP, a proxy would read the token.

use std::ffi::OsString;

use ureq::{Proxy, ProxyBuilder};
use url::Url;

use crate::remote::is_here;

/// How this machine is called. The last is of all of 127.0.0.0/8.
const HERE: [&str; 3] = ["localhost", "[::1]", "127.*"];

/// The proxy that requests go through.
pub(crate) fn from_environment() -> Option<Proxy> {
    let without = ["NO_PROXY", "no_proxy"].into_iter().find_map(std::env::var_os);
    let without = without.map(OsString::into_string).and_then(Result::ok).unwrap_or_default();
    sparing(&Proxy::try_from_env()?, &without)
}

/// The same proxy, but for this machine and for the hosts of this list, each with the names below it.
fn sparing(named: &Proxy, hosts: &str) -> Option<Proxy> {
    let builder = Proxy::builder(named.protocol()).host(named.host()).port(named.port());
    let builder = named.username().into_iter().fold(builder, ProxyBuilder::username);
    let builder = named.password().into_iter().fold(builder, ProxyBuilder::password);
    let builder = HERE.into_iter().fold(builder, ProxyBuilder::no_proxy);
    let hosts = hosts.split(',').map(str::trim).filter(|host| !host.is_empty());
    let spared = hosts.fold(builder, |proxy, host| {
        let proxy = proxy.no_proxy(host);
        if host.starts_with(['.', '*']) { proxy } else { proxy.no_proxy(&format!(".{host}")) }
    });
    spared.build().ok()
}

/// The proxy that requests to this server go through, in words.
pub(crate) fn of(server: &Url) -> Option<String> {
    let proxy = from_environment().filter(|_| !is_here(server))?;
    let address = server.as_str().parse().ok()?;
    let told = format!(
        "the proxy `{}:{}`, which the environment names (`HTTPS_PROXY`, `ALL_PROXY`; `NO_PROXY` leaves it out)",
        proxy.host(),
        proxy.port()
    );
    (!proxy.is_no_proxy(&address)).then_some(told)
}

#[cfg(test)]
mod tests {
    use ureq::Proxy;

    use super::sparing;

    #[test]
    fn this_machine_and_what_is_listed_are_reached_directly() {
        let proxy = Proxy::new("http://ann:a%40b@proxy.example:3128").unwrap();

        let sparing = sparing(&proxy, "shop.example, .corp.example ,10.0.0.7,").unwrap();

        for (server, is_direct) in [
            ("http://localhost:8080", true),
            ("http://127.0.0.1/v1", true),
            ("http://127.1.2.3", true),
            ("http://[::1]:1", true),
            ("https://shop.example", true),
            ("https://experiments.shop.example", true),
            ("https://a.corp.example", true),
            ("https://10.0.0.7", true),
            ("https://corp.example", false),
            ("https://myshop.example", false),
            ("https://localhost.example", false),
            ("https://10.0.0.8", false),
        ] {
            assert_eq!(sparing.is_no_proxy(&server.parse().unwrap()), is_direct, "{server}");
        }
        let of = |proxy: &Proxy| {
            (proxy.host().to_owned(), proxy.port(), proxy.password().map(str::to_owned))
        };
        assert_eq!(of(&sparing), of(&proxy));
    }
}
