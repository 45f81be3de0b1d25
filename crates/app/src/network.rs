//! The part of an address by which attempts and connections are counted.

use std::net::{IpAddr, Ipv6Addr};

/// The network of an address: a host with one IPv6 address has all 2^64 of its network (RFC 4291, section 2.5.1).
#[must_use]
pub fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let network = u128::from(address) & !u128::from(u64::MAX);
            IpAddr::V6(Ipv6Addr::from(network))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::network_of;

    #[test]
    fn addresses_of_one_network_are_one() {
        let told = |text: &str| network_of(text.parse().unwrap()).to_string();

        assert_eq!(told("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(told("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(told("192.0.2.7"), "192.0.2.7");
    }
}
