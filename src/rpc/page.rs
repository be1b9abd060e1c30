//! Page tokens: which query, at which basis, after which row.
//!
//! A token is opaque to callers and checked in full: one of another query, or one that was not given
//! out, is refused. The basis travels in it, so all pages of one listing agree.

use prost::Message;
use sha2::{Digest, Sha256};
use tonic::Status;

use crate::types::limits::PAGE_TOKEN_BYTES_MAX;

use super::failure;

/// The query a token belongs to: the request but for its page size and token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct QueryDigest(u64);

impl QueryDigest {
    /// `namespace` tells a namespace from an earlier one of its name.
    pub(super) fn of(call: &str, namespace: u32, request: &impl Message) -> QueryDigest {
        let mut hash = Sha256::new_with_prefix(call.as_bytes());
        hash.update(namespace.to_be_bytes());
        hash.update(request.encode_to_vec());
        let digest = hash.finalize();
        let first = digest.first_chunk::<8>().expect("a digest has 32 bytes");
        QueryDigest(u64::from_be_bytes(*first))
    }

    /// Writes a token that goes on after `place`, a list of numbers of the caller's own.
    pub(super) fn token(self, place: &[i64]) -> String {
        let mut words = vec![self.0];
        words.extend(place.iter().map(|word| word.cast_unsigned()));
        words.push(check(&words));
        words.iter().map(|word| format!("{word:x}")).collect::<Vec<_>>().join(".")
    }

    /// Reads a token back; `None` asks for the first page.
    pub(super) fn place<const N: usize>(self, token: &str) -> Result<Option<[i64; N]>, Status> {
        if token.is_empty() {
            return Ok(None);
        }
        if token.len() > PAGE_TOKEN_BYTES_MAX {
            return Err(failure::page_token("it is longer than any that was given out"));
        }
        let words: Option<Vec<u64>> =
            token.split('.').map(|word| u64::from_str_radix(word, 16).ok()).collect();
        let unreadable = || failure::page_token("it was not given out by this server");
        let words = words.ok_or_else(unreadable)?;
        let (last, words) = words.split_last().ok_or_else(unreadable)?;
        let (query, place) = words.split_first().ok_or_else(unreadable)?;
        if check(words) != *last {
            return Err(unreadable());
        }
        if *query != self.0 {
            return Err(failure::page_token("it belongs to another query"));
        }
        let place: Vec<i64> = place.iter().map(|word| word.cast_signed()).collect();
        <[i64; N]>::try_from(place).map(Some).map_err(|_| unreadable())
    }
}

/// Tells a token that was changed from one that was not. No secret: a token grants nothing.
fn check(words: &[u64]) -> u64 {
    let mut hash = Sha256::new();
    for word in words {
        hash.update(word.to_be_bytes());
    }
    let digest = hash.finalize();
    u64::from_be_bytes(*digest.first_chunk::<8>().expect("a digest has 32 bytes"))
}

#[cfg(test)]
mod tests {
    use super::super::proto;
    use super::*;

    fn digest(subject: &str) -> QueryDigest {
        let pattern = proto::FactPattern { subject: subject.to_owned(), ..Default::default() };
        QueryDigest::of("ListFacts", 1, &pattern)
    }

    #[test]
    fn a_token_leads_back_to_its_place() {
        let token = digest("ann").token(&[1, -2, i64::MAX]);
        assert_eq!(digest("ann").place::<3>(&token).expect("its own"), Some([1, -2, i64::MAX]));
        assert_eq!(digest("ann").place::<3>("").expect("none is the first page"), None);
    }

    #[test]
    fn a_token_of_another_query_or_hand_is_refused() {
        let token = digest("ann").token(&[1]);
        assert!(digest("bob").place::<1>(&token).is_err());
        assert!(digest("ann").place::<2>(&token).is_err());
        for forged in ["x", "0", "1.2", &format!("{token}0"), &token[1..]] {
            assert!(digest("ann").place::<1>(forged).is_err(), "{forged}");
        }
        assert!(digest("ann").place::<1>(&"0.".repeat(PAGE_TOKEN_BYTES_MAX)).is_err());
    }
}
