//! Where a connection comes from.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// The other side of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer(pub SocketAddr);

/// Bits of an IPv6 address that a network gives to one customer.
const NETWORK_BITS: u32 = 64;

impl Peer {
    /// What failures are counted by: the address, or of IPv6 the network, in which one machine has
    /// more addresses than anybody could count.
    #[must_use]
    pub fn counted(self) -> IpAddr {
        match self.0.ip().to_canonical() {
            IpAddr::V4(address) => IpAddr::V4(address),
            IpAddr::V6(address) => {
                let network = address.to_bits() & (u128::MAX << (128 - NETWORK_BITS));
                IpAddr::V6(Ipv6Addr::from_bits(network))
            }
        }
    }

    /// As the audit log writes it.
    #[must_use]
    pub fn shown(self) -> String {
        self.0.ip().to_canonical().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_counts_as_one_and_a_mapped_address_as_itself() {
        let counted = |text: &str| Peer(text.parse().expect("an address")).counted();
        assert_eq!(counted("[2001:db8:1:2::1]:80"), counted("[2001:db8:1:2:ffff::9]:81"));
        assert_ne!(counted("[2001:db8:1:2::1]:80"), counted("[2001:db8:1:3::1]:80"));
        assert_eq!(counted("[::ffff:10.0.0.1]:80"), counted("10.0.0.1:9"));
        assert_ne!(counted("10.0.0.1:80"), counted("10.0.0.2:80"));
    }
}
