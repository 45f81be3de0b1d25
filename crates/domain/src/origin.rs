//! Origins of pages (RFC 6454), as browsers send them.

use std::str::FromStr;

use serde::Serialize;

/// Where pages come from: `https://www.shop.example`, or `https://*.shop.example` for all names below one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Origin(String);

/// A text that is not an origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "an origin is what browsers send: `https://` and a host in lower case, a port where it is not the usual one, and no path"
)]
pub struct UnreadableOrigin;

/// What stands for all names below a host.
const ANY_NAME: &str = "*.";

impl Origin {
    /// Whether a page of this origin is meant.
    #[must_use]
    pub fn covers(&self, origin: &str) -> bool {
        let Some((scheme, domain)) = self.0.split_once(ANY_NAME) else { return self.0 == origin };
        let name = origin.strip_prefix(scheme).and_then(|rest| rest.strip_suffix(domain));
        name.is_some_and(|name| name.len() > 1 && name.ends_with('.'))
    }

    /// Whether pages of this host are meant, whatever their port.
    pub(crate) fn has_host(&self, host: &str) -> bool {
        let authority = self.0.split_once("://").map_or("", |(_, authority)| authority);
        let of_pages = authority.split(':').next().unwrap_or_default();
        match of_pages.strip_prefix(ANY_NAME) {
            Some(domain) => {
                host.strip_suffix(domain).is_some_and(|name| name.len() > 1 && name.ends_with('.'))
            }
            None => host == of_pages,
        }
    }
}

impl FromStr for Origin {
    type Err = UnreadableOrigin;

    fn from_str(text: &str) -> Result<Self, UnreadableOrigin> {
        let (scheme, authority) = text.split_once("://").ok_or(UnreadableOrigin)?;
        let usual_port = match scheme {
            "https" => 443,
            "http" => 80,
            _ => return Err(UnreadableOrigin),
        };
        let (host, port) = match authority.rsplit_once(':') {
            // What is after the last colon within brackets belongs to an IPv6 address.
            Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
            Some(_) | None => (authority, None),
        };
        let is_right = is_host(host) && port.is_none_or(|port| is_port(port, usual_port));
        is_right.then(|| Self(text.to_owned())).ok_or(UnreadableOrigin)
    }
}

fn is_host(host: &str) -> bool {
    if let Some(address) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return address.parse::<std::net::Ipv6Addr>().is_ok_and(|read| read.to_string() == address);
    }
    let labels = host.strip_prefix(ANY_NAME).unwrap_or(host).split('.');
    let is_of_label =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
    let mut labels = labels.map(|label| !label.is_empty() && label.bytes().all(is_of_label));
    labels.all(|is_right| is_right)
}

fn is_port(port: &str, usual: u16) -> bool {
    port.parse::<u16>().is_ok_and(|number| number != usual && number.to_string() == port)
}

#[cfg(test)]
mod tests {
    use super::Origin;

    fn covers(listed: &str, origin: &str) -> bool {
        listed.parse::<Origin>().unwrap().covers(origin)
    }

    #[test]
    fn a_page_is_of_its_scheme_host_and_port() {
        for same in ["https://shop.example", "http://localhost:8080", "http://[::1]:3000"] {
            assert!(covers(same, same), "{same}");
        }
        for other in [
            "http://shop.example",
            "https://www.shop.example",
            "https://shop.example:8443",
            "https://shop.example.evil.example",
            "null",
            "",
        ] {
            assert!(!covers("https://shop.example", other), "{other}");
        }
    }

    #[test]
    fn a_star_is_every_name_below_a_host_and_not_the_host() {
        let listed = "https://*.shop.example";

        assert!(covers(listed, "https://www.shop.example"));
        assert!(covers(listed, "https://a.b.shop.example"));
        for other in [
            "https://shop.example",
            "https://.shop.example",
            "https://evilshop.example",
            "http://www.shop.example",
            "https://www.shop.example:8443",
        ] {
            assert!(!covers(listed, other), "{other}");
        }
    }

    #[test]
    fn what_no_browser_would_send_is_refused() {
        for text in [
            "shop.example",
            "https://",
            "https://Shop.example",
            "https://shop.example/",
            "https://shop.example:443",
            "http://shop.example:80",
            "https://shop.example:",
            "https://shop.example:070",
            "https://ada@shop.example",
            "https://münchen.example",
            "https://*",
            "https://a.*.example",
            "https://[::0:1]",
            "ftp://shop.example",
            "null",
            "*",
        ] {
            assert!(text.parse::<Origin>().is_err(), "{text}");
        }
    }
}
