//! Policies in bytes.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::store::record::PolicyRecord;
use crate::types::{
    ContextPolicy, GatePolicy, KindPolicy, MemoryKind, Policy, ReflectionPolicy, Renewal,
};

use super::bytes::{DecodeError, Decoder, Stored, stored_as_byte};
use super::record::stored_by_field;

stored_as_byte!(
    MemoryKind,
    "memory",
    Fact = 1,
    Preference = 2,
    Project = 3,
    Transient = 4,
    Episode = 5,
    Procedure = 6,
    Passage = 7,
    Summary = 8,
    Reflection = 9,
    Failure = 10,
    Core = 11,
);
stored_as_byte!(Renewal, "renewal", Replace = 1, Accumulate = 2, Version = 3, Review = 4);
stored_by_field!(KindPolicy {
    renewal,
    live_days,
    decay,
    archive_below,
    cap,
    compact_days,
    compact_reads,
    review_days,
});
stored_by_field!(GatePolicy { near, near_by_model, ask_from, confidence_min });
stored_by_field!(ContextPolicy {
    core_tokens,
    fact_tokens,
    project_tokens,
    conversation_tokens,
    score_min,
    cosine_min,
});
stored_by_field!(ReflectionPolicy { after });

impl Stored for PolicyRecord {
    fn put(&self, out: &mut Vec<u8>) {
        self.version.put(out);
        self.policy.as_ref().put(out);
    }

    fn take(from: &mut Decoder<'_>) -> Result<PolicyRecord, DecodeError> {
        Ok(PolicyRecord { version: Stored::take(from)?, policy: Arc::new(Policy::take(from)?) })
    }
}

/// A kind that a stored policy does not name is treated as where nobody set anything.
impl Stored for Policy {
    fn put(&self, out: &mut Vec<u8>) {
        self.kinds.put(out);
        self.predicates.put(out);
        self.gate.put(out);
        self.context.put(out);
        self.reflection.put(out);
    }

    fn take(from: &mut Decoder<'_>) -> Result<Policy, DecodeError> {
        let mut policy = Policy::default();
        policy.kinds.extend(BTreeMap::<MemoryKind, KindPolicy>::take(from)?);
        Ok(Policy {
            predicates: Stored::take(from)?,
            gate: Stored::take(from)?,
            context: Stored::take(from)?,
            reflection: Stored::take(from)?,
            ..policy
        })
    }
}

impl<K: Stored + Ord, V: Stored> Stored for BTreeMap<K, V> {
    fn put(&self, out: &mut Vec<u8>) {
        self.len().put(out);
        for (key, value) in self {
            key.put(out);
            value.put(out);
        }
    }

    fn take(from: &mut Decoder<'_>) -> Result<BTreeMap<K, V>, DecodeError> {
        let count = from.count()?;
        let mut map = BTreeMap::new();
        for _ in 0..count {
            map.insert(K::take(from)?, V::take(from)?);
        }
        Ok(map)
    }
}

/// Little-endian. No number of ours is infinite.
impl Stored for f64 {
    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }

    fn take(from: &mut Decoder<'_>) -> Result<f64, DecodeError> {
        let number = f64::from_le_bytes(from.array()?);
        if number.is_finite() { Ok(number) } else { Err(DecodeError::Range { of: "number" }) }
    }
}
