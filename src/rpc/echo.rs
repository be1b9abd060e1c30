//! What the memory gave out lately. Said back to it, it is no news: a memory that learnt from its own
//! answers would grow sure of anything.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use crate::agent::{normal, sentences};
use crate::types::limits::ECHOES_MAX;
use crate::types::{Grant, Timestamp};

/// Digests of sentences, and when each was first given out. The oldest go first.
#[derive(Default)]
pub(super) struct Echoes {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    given: HashMap<u64, Timestamp>,
    order: VecDeque<u64>,
}

impl Echoes {
    pub(super) fn give<'a>(
        &self,
        grant: &Grant,
        texts: impl IntoIterator<Item = &'a str>,
        now: Timestamp,
    ) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let Kept { given, order } = &mut *kept;
        for sentence in texts.into_iter().flat_map(sentences) {
            let digest = digest(grant, sentence);
            given.entry(digest).or_insert_with(|| {
                order.push_back(digest);
                now
            });
            if order.len() > ECHOES_MAX
                && let Some(oldest) = order.pop_front()
            {
                given.remove(&oldest);
            }
        }
    }

    /// Whether a sentence was given out before it was recorded.
    pub(super) fn knows(&self, grant: &Grant, sentence: &str, recorded: Timestamp) -> bool {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.given.get(&digest(grant, sentence)).is_some_and(|given| *given < recorded)
    }
}

/// By namespace: what one tenant was told is nothing to another.
fn digest(grant: &Grant, sentence: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (grant.namespace.key(), normal(sentence)).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Clearance, Name};

    #[test]
    fn an_echo_is_what_was_given_out_before() {
        let grant = |name| Grant {
            namespace: Name::new(name).expect("a name"),
            clearance: Clearance::Everything,
        };
        let (own, other) = (grant("a"), grant("b"));
        let at = Timestamp::from_micros;
        let echoes = Echoes::default();
        echoes.give(&own, ["I live in Seoul. I like tea!"], at(10));
        assert!(echoes.knows(&own, "i live in SEOUL", at(11)));
        assert!(echoes.knows(&own, "I like tea.", at(11)));
        assert!(!echoes.knows(&own, "I live in Seoul", at(10)), "said before it was given out");
        assert!(!echoes.knows(&other, "I live in Seoul", at(11)));
        let many: Vec<String> = (0..ECHOES_MAX).map(|n| format!("sentence {n}")).collect();
        echoes.give(&own, many.iter().map(String::as_str), at(12));
        assert!(!echoes.knows(&own, "I live in Seoul", at(13)), "the oldest are forgotten");
        assert!(echoes.knows(&own, "sentence 0", at(13)));
    }
}
