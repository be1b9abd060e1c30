//! Embedded questions at hand: agents ask the same again and again, and an endpoint is far.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::types::Vector;
use crate::types::limits::{QUERY_CACHE_TEXT_BYTES_MAX, QUERY_CACHE_VECTORS_MAX};

/// The least recently asked goes first. Long questions are not kept.
#[derive(Debug, Default)]
pub(super) struct QueryCache {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    vectors: HashMap<String, Entry>,
    /// Counts the uses, and so orders them.
    uses: u64,
}

#[derive(Debug)]
struct Entry {
    vector: Vector,
    used: u64,
}

impl QueryCache {
    pub(super) fn get(&self, text: &str) -> Option<Vector> {
        let mut kept = self.kept();
        kept.uses += 1;
        let now = kept.uses;
        let entry = kept.vectors.get_mut(text)?;
        entry.used = now;
        Some(entry.vector.clone())
    }

    pub(super) fn put(&self, text: &str, vector: Vector) {
        if text.len() > QUERY_CACHE_TEXT_BYTES_MAX {
            return;
        }
        let mut kept = self.kept();
        kept.uses += 1;
        let used = kept.uses;
        kept.vectors.insert(text.to_owned(), Entry { vector, used });
        if kept.vectors.len() > QUERY_CACHE_VECTORS_MAX {
            kept.drop_oldest();
        }
    }

    /// A panic elsewhere leaves at worst an entry too many or too few.
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    /// Looks at all of them, which costs little beside the call that made the new one.
    fn drop_oldest(&mut self) {
        let oldest = self.vectors.iter().min_by_key(|(_, entry)| entry.used);
        if let Some(text) = oldest.map(|(text, _)| text.clone()) {
            self.vectors.remove(&text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector() -> Vector {
        Vector::new(&[1.0]).expect("a direction")
    }

    #[test]
    fn the_least_recently_asked_goes_first() {
        let cache = QueryCache::default();
        for number in 0..QUERY_CACHE_VECTORS_MAX {
            cache.put(&number.to_string(), vector());
        }
        assert!(cache.get("0").is_some());
        cache.put("one more", vector());
        assert!(cache.get("0").is_some(), "it was asked last");
        assert!(cache.get("1").is_none(), "it was asked first");
        assert!(cache.get("2").is_some(), "one had to go, not two");
    }

    #[test]
    fn long_questions_are_not_kept() {
        let cache = QueryCache::default();
        let (fits, long) =
            ("x".repeat(QUERY_CACHE_TEXT_BYTES_MAX), "x".repeat(QUERY_CACHE_TEXT_BYTES_MAX + 1));
        cache.put(&fits, vector());
        cache.put(&long, vector());
        assert!(cache.get(&fits).is_some() && cache.get(&long).is_none());
    }
}
