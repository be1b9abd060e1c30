//! Where a model is: people give the base that they give other clients, or the whole address.

use std::fmt::{self, Debug, Formatter};

use reqwest::Url;

use super::error::ConfigError;

/// An `http` or `https` URL. What is shown of it leaves out the query, where some put keys.
#[derive(Clone, PartialEq, Eq)]
pub struct Address(Url);

impl Address {
    /// # Errors
    /// [`ConfigError::BadUrl`], and [`ConfigError::UrlWithPassword`] because addresses are shown.
    pub fn new(url: &str) -> Result<Address, ConfigError> {
        let url = Url::parse(url.trim()).map_err(|_| ConfigError::BadUrl)?;
        if !["http", "https"].contains(&url.scheme()) || url.host_str().is_none() {
            return Err(ConfigError::BadUrl);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(ConfigError::UrlWithPassword);
        }
        Ok(Address(url))
    }

    /// `bare` and the verb are added to a host, the verb to a base, nothing to an address that
    /// ends with the verb. A query stays.
    pub(super) fn of(&self, bare: &str, verb: &str) -> Url {
        let mut url = self.0.clone();
        let path = match self.0.path().trim_end_matches('/') {
            "" => format!("{bare}{verb}"),
            whole if whole.ends_with(verb) => whole.to_owned(),
            short => format!("{short}{verb}"),
        };
        url.set_path(&path);
        url.set_fragment(None);
        url
    }
}

impl Debug for Address {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut shown = self.0.clone();
        shown.set_query(None);
        f.write_str(shown.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_and_a_whole_address_are_the_same() {
        for (given, expected) in [
            ("http://host:8080", "http://host:8080/v1/embeddings"),
            ("http://host:8080/", "http://host:8080/v1/embeddings"),
            ("http://host/v1/", "http://host/v1/embeddings"),
            ("http://host/v1/embeddings", "http://host/v1/embeddings"),
            ("https://host/a/b?api-version=2", "https://host/a/b/embeddings?api-version=2"),
        ] {
            let url = Address::new(given).expect("a URL").of("/v1", "/embeddings");
            assert_eq!(url.as_str(), expected, "{given}");
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for given in ["", "host", "ftp://host", "unix:///socket"] {
            let refused = Address::new(given);
            assert!(matches!(refused, Err(ConfigError::BadUrl)), "{given}: {refused:?}");
        }
        for given in ["http://ann@host/v1", "http://:secret@host/v1"] {
            let refused = Address::new(given);
            assert!(matches!(refused, Err(ConfigError::UrlWithPassword)), "{given}");
        }
    }

    #[test]
    fn a_query_is_not_shown() {
        let address = Address::new("http://host/v1?key=secret").expect("a URL");
        assert_eq!(format!("{address:?}"), "http://host/v1");
    }
}
