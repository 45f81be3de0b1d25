//! The address of a webhook: where requests of a server may go that members, and not its operator, choose. A server stands in a network of its
//! own, whose other services trust each client in it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

use crate::webhooks::sender::WebhookSender;

/// No receiver has a longer address.
const LONGEST: usize = 2_000;

const PRIVATE: &str = "this is an address of a private network, where the operator of this \
                       server does not let webhooks go";

const WITHOUT_TLS: &str = "without TLS, webhooks go only to networks that the operator of this \
                           server names; let the address begin with `https://`";

/// Networks of IPv4 that are not the public internet, by their first address and the bits that it shares with all others (RFC 6890 and its
/// updates).
const SPECIAL_V4: [(Ipv4Addr, u32); 16] = [
    // This network, private, shared by carriers, loopback, link-local.
    (Ipv4Addr::UNSPECIFIED, 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    // Assignments of protocols, examples, relays, benchmarks.
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    // Multicast, reserved, broadcast.
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
    (Ipv4Addr::BROADCAST, 32),
];

/// The same of IPv6, within [`PUBLIC_V6`]: Teredo and other protocols, examples.
const SPECIAL_V6: [(Ipv6Addr, u32); 3] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

/// What is public is assigned from it (RFC 4291, section 2.4).
const PUBLIC_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// IPv4 translated (RFC 6052).
const TRANSLATED: (Ipv6Addr, u32) = (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96);

/// 6to4 (RFC 3056).
const SIX_TO_FOUR: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16);

/// Whether an address is one of the public internet. An IPv6 address that stands for one of IPv4 is what it stands for.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let is_in = |(network, bits): &(Ipv4Addr, u32)| {
        let differing = u32::from(address) ^ u32::from(*network);
        differing.leading_zeros() >= *bits
    };
    !SPECIAL_V4.iter().any(is_in)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let is_in = |(network, bits): &(Ipv6Addr, u32)| {
        let differing = u128::from(address) ^ u128::from(*network);
        differing.leading_zeros() >= *bits
    };
    let [_, _, third, fourth, fifth, sixth, .., last_but_three, last_but_two, last_but_one, last] =
        address.octets();
    if is_in(&TRANSLATED) {
        return is_public_v4(Ipv4Addr::new(last_but_three, last_but_two, last_but_one, last));
    }
    if is_in(&SIX_TO_FOUR) {
        return is_public_v4(Ipv4Addr::new(third, fourth, fifth, sixth));
    }
    is_in(&PUBLIC_V6) && !SPECIAL_V6.iter().any(is_in)
}

/// The host of an address, for people and logs. The rest may be a secret.
#[must_use]
pub fn host_of(url: &str) -> String {
    let host = Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned));
    host.unwrap_or_default()
}

/// An address in its normal form, if requests may go there as far as one can tell from it: a name may mean another address later.
///
/// # Errors
/// What is wrong with it, without the address.
pub(super) fn checked(text: &str, sender: Option<&dyn WebhookSender>) -> Result<String, String> {
    if text.len() > LONGEST {
        return Err(format!("an address has {LONGEST} characters at most"));
    }
    let url = Url::parse(text.trim()).map_err(|_| "this is not a URL, such as `https://…`")?;
    let has_own_networks = sender.is_some_and(WebhookSender::has_own_networks);
    if url.scheme() != "https" && !(url.scheme() == "http" && has_own_networks) {
        return Err("the address has to begin with `https://`".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("the address must not hold a user or a password; check the signature \
                    instead"
            .to_owned());
    }
    if url.fragment().is_some() {
        return Err("no request sends what is after `#`; leave it out".to_owned());
    }
    let address = match url.host() {
        Some(Host::Ipv4(address)) => Some(address.into()),
        Some(Host::Ipv6(address)) => Some(address.into()),
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            let is_local = name == "localhost" || name.ends_with(".localhost");
            is_local.then(|| Ipv4Addr::LOCALHOST.into())
        }
        None => return Err(PRIVATE.to_owned()),
    };
    if let Some(address) = address {
        check_reach(&url, address, sender)?;
    }
    Ok(url.into())
}

fn check_reach(
    url: &Url,
    address: IpAddr,
    sender: Option<&dyn WebhookSender>,
) -> Result<(), &'static str> {
    if !sender.map_or_else(|| is_public(address), |sender| sender.may_reach(address)) {
        return Err(PRIVATE);
    }
    let is_own = sender.is_some_and(|sender| sender.is_in_own_network(address));
    if url.scheme() == "https" || is_own { Ok(()) } else { Err(WITHOUT_TLS) }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use async_trait::async_trait;

    use super::{PRIVATE, WITHOUT_TLS, checked, host_of, is_public};
    use crate::webhooks::sender::{SendError, WebhookAnswer, WebhookMessage, WebhookSender};

    #[test]
    fn addresses_of_private_networks_are_not_public_however_they_are_written() {
        for address in [
            "0.0.0.0",
            "10.0.0.1",
            "100.64.0.1",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::127.0.0.1",
            "64:ff9b::a00:1",
            "64:ff9b:1::1",
            "fe80::1",
            "fc00::1",
            "fd12:3456::1",
            "fec0::1",
            "ff02::1",
            "2001:db8::1",
            "2001::1",
            "2002:7f00:1::",
            "2002:a9fe:a9fe::1",
            "3fff::1",
            "100::1",
            "4000::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn addresses_of_the_internet_are_public() {
        for address in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.0.0.1",
            "128.0.0.1",
            "172.15.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "192.167.0.1",
            "198.17.0.1",
            "223.255.255.255",
            "::ffff:8.8.8.8",
            "64:ff9b::808:808",
            "2002:808:808::1",
            "2001:4860:4860::8888",
            "2606:4700::1111",
            "2a00:1450::1",
        ] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn an_address_is_taken_if_requests_may_go_there() {
        let taken = |text| checked(text, None);

        assert_eq!(taken("https://hooks.example"), Ok("https://hooks.example/".to_owned()));
        let slack = "https://hooks.slack.com/triggers/T0/1/abc?x=y";
        assert_eq!(taken(slack), Ok(slack.to_owned()));
        for text in [
            "",
            "hooks.example",
            "http://hooks.example/",
            "ftp://hooks.example/",
            "file:///etc/passwd",
            "https://ann@hooks.example/",
            "https://ann:s3cret@hooks.example/",
            "https://hooks.example/#s3cret",
            "https://localhost/s3cret",
            "https://LOCALHOST./",
            "https://api.localhost/",
            "https://127.0.0.1/",
            "https://2130706433/",
            "https://0x7f.1/",
            "https://017700000001/",
            "https://[::1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://169.254.169.254/latest/meta-data/",
            "https://1.1.1.1./#",
        ] {
            let told = taken(text).unwrap_err();
            assert!(!told.contains("s3cret"), "{told}");
        }
        assert!(taken(&format!("https://hooks.example/{}", "a".repeat(2_000))).is_err());
    }

    /// A sender whose operator names 10.1.0.0/16.
    struct OwnNetwork;

    #[async_trait]
    impl WebhookSender for OwnNetwork {
        fn may_reach(&self, address: IpAddr) -> bool {
            is_public(address) || self.is_in_own_network(address)
        }

        fn has_own_networks(&self) -> bool {
            true
        }

        fn is_in_own_network(&self, address: IpAddr) -> bool {
            matches!(address, IpAddr::V4(address) if address.octets().starts_with(&[10, 1]))
        }

        async fn send(&self, _message: WebhookMessage) -> Result<WebhookAnswer, SendError> {
            unreachable!("nothing is sent here")
        }
    }

    #[test]
    fn without_tls_an_address_is_taken_only_if_the_operator_names_its_network() {
        let taken = |text| checked(text, Some(&OwnNetwork)).map(drop);

        for text in ["http://10.1.2.3/", "http://hooks.example/", "https://1.1.1.1/"] {
            assert_eq!(taken(text), Ok(()), "{text}");
        }
        for text in ["http://1.1.1.1/x", "http://[2606:4700::1111]/"] {
            assert_eq!(taken(text), Err(WITHOUT_TLS.to_owned()), "{text}");
        }
        for text in ["http://10.2.0.1/", "https://10.2.0.1/", "http://localhost/"] {
            assert_eq!(taken(text), Err(PRIVATE.to_owned()), "{text}");
        }
    }

    #[test]
    fn only_the_host_of_an_address_is_told() {
        assert_eq!(host_of("https://hooks.slack.com/services/T0/B0/s3cret"), "hooks.slack.com");
        assert_eq!(host_of("no address"), "");
    }
}
