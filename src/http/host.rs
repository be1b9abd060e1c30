//! Under which names the server may be called.
//!
//! A page of a stranger can point a name of its own at this machine and have a browser call it, as
//! if the server were a part of that page. The name is in the `Host` header, so names are refused
//! unless they are known; an address needs no name and cannot be pointed elsewhere.

use std::net::IpAddr;

use axum::http::header::HOST;
use axum::http::uri::Authority;
use axum::http::{Request, Response};
use thiserror::Error;
use tonic::body::Body;
use tonic::{Code, Status};

use super::error;

/// Stands for every name.
const ANY: &str = "*";
/// What every machine calls itself.
const SELF: &str = "localhost";

/// The names that are answered to, beside addresses and `localhost`.
#[derive(Clone, Debug, Default)]
pub struct Hosts {
    names: Vec<String>,
}

#[derive(Debug, Error, PartialEq, Eq)]
#[error("{0:?} is no host name")]
pub struct HostError(String);

impl Hosts {
    /// # Errors
    /// When one of them is no name of a host.
    pub fn new(names: &[String]) -> Result<Hosts, HostError> {
        let checked = |name: &String| match name.parse::<Authority>() {
            Ok(authority) if authority.host() == name || name == ANY => {
                Ok(name.to_ascii_lowercase())
            }
            _ => Err(HostError(name.clone())),
        };
        Ok(Hosts { names: names.iter().map(checked).collect::<Result<_, _>>()? })
    }

    /// What to answer instead, when the request came under another name.
    pub(super) fn check(&self, request: &Request<Body>) -> Result<(), Box<Response<Body>>> {
        let header = request.headers().get(HOST).and_then(|value| value.to_str().ok());
        let authority = header.and_then(|text| text.parse::<Authority>().ok());
        let host = authority.as_ref().or_else(|| request.uri().authority()).map(Authority::host);
        match host {
            Some(host) if self.allows(host) => Ok(()),
            host => {
                let message = format!(
                    "the server is not called {:?}; --allow-host lets it be",
                    host.unwrap_or_default()
                );
                Err(Box::new(error::response(&Status::new(Code::PermissionDenied, message))))
            }
        }
    }

    fn allows(&self, host: &str) -> bool {
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        bare.parse::<IpAddr>().is_ok()
            || host.eq_ignore_ascii_case(SELF)
            || self.names.iter().any(|name| name == ANY || host.eq_ignore_ascii_case(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_need_no_name_and_other_names_must_be_known() {
        let hosts = Hosts::new(&["memory.example".to_owned()]).expect("a name");
        for host in ["127.0.0.1", "10.0.0.7", "[::1]", "localhost", "LocalHost", "Memory.Example"] {
            assert!(hosts.allows(host), "{host}");
        }
        for host in ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", ""] {
            assert!(!hosts.allows(host), "{host}");
        }
        let any = Hosts::new(&[ANY.to_owned()]).expect("a name");
        assert!(any.allows("evil.example"));
        let bad = "memory.example:80".to_owned();
        assert_eq!(Hosts::new(std::slice::from_ref(&bad)).err(), Some(HostError(bad)));
    }
}
