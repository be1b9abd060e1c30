//! Keys: fixed width, big-endian, so that the order of the bytes is the order of what they name.
//! All begin with the namespace, so one tenant is one range of each table. Signed times have their
//! sign bit flipped. The layouts are drawn in `docs/storage-format.md`.

use crate::types::{
    DocumentKey, DocumentKind, EntityId, EpisodeId, NamespaceId, Object, Period, PredicateId,
    Purpose, Slot, SpaceId, StatementId, Timestamp, Triple, TxId, ValueId,
};

use super::codec::DecodeError;

pub(super) const NAMESPACE: usize = 4;
pub(super) const LOG: usize = NAMESPACE + 8;
pub(super) const SLOT: usize = NAMESPACE + 4 + 4;
pub(super) const TRIPLE: usize = SLOT + 1 + 4;
pub(super) const STATEMENT: usize = TRIPLE + 8 + 4;
pub(super) const RECTANGLE: usize = TRIPLE + 8 + 8;
pub(super) const DIGEST: usize = 16;
pub(super) const REQUEST: usize = NAMESPACE + DIGEST;
pub(super) const REQUEST_AGE: usize = NAMESPACE + 8 + DIGEST;
pub(super) const EPISODE: usize = NAMESPACE + 8 + 4;
pub(super) const DOCUMENT: usize = 8 + 1 + 4;
pub(super) const VECTOR: usize = NAMESPACE + 4 + DOCUMENT;
/// A number that is a key by itself: of a credential, or of an event.
pub(super) const NUMBER: usize = 8;
pub(super) const ACCESS: usize = NAMESPACE + DOCUMENT;
/// Kind of period, its number, purpose.
pub(super) const USAGE: usize = NAMESPACE + 1 + 4 + 1;
pub(super) const ERASURE: usize = NAMESPACE + 4;

const ENTITY: u8 = 0;
const VALUE: u8 = 1;
const DAY: u8 = 0;
const MONTH: u8 = 1;
const SIGN: u64 = 1 << 63;

/// The first bytes of a key, or all of them.
#[derive(Clone, Copy)]
pub(super) struct Key<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> Key<N> {
    pub(super) fn of(namespace: NamespaceId) -> Key<N> {
        Key { bytes: [0; N], len: 0 }.id(namespace.raw())
    }

    pub(super) fn slot(self, slot: Slot) -> Key<N> {
        self.id(slot.subject.raw()).id(slot.predicate.raw())
    }

    pub(super) fn object(self, object: Object) -> Key<N> {
        match object {
            Object::Entity(id) => self.put(&[ENTITY]).id(id.raw()),
            Object::Value(id) => self.put(&[VALUE]).id(id.raw()),
        }
    }

    pub(super) fn triple(self, triple: Triple) -> Key<N> {
        self.slot(triple.slot()).object(triple.object)
    }

    pub(super) fn entity(self, entity: EntityId) -> Key<N> {
        self.id(entity.raw())
    }

    pub(super) fn tx(self, tx: TxId) -> Key<N> {
        self.put(&tx.raw().to_be_bytes())
    }

    pub(super) fn time(self, time: Timestamp) -> Key<N> {
        self.put(&(time.micros().cast_unsigned() ^ SIGN).to_be_bytes())
    }

    pub(super) fn digest(self, digest: [u8; DIGEST]) -> Key<N> {
        self.put(&digest)
    }

    pub(super) fn space(self, space: SpaceId) -> Key<N> {
        self.id(space.raw())
    }

    pub(super) fn document(self, document: DocumentKey) -> Key<N> {
        let kind = match document.kind {
            DocumentKind::Fact => 1,
            DocumentKind::Statement => 2,
            DocumentKind::Entity => 3,
            DocumentKind::Episode => 4,
        };
        self.tx(document.tx).put(&[kind]).id(document.op)
    }

    pub(super) fn full(self) -> [u8; N] {
        assert_eq!(self.len, N, "a key names one row only when it is whole");
        self.bytes
    }

    /// The least key that begins so.
    pub(super) const fn least(self) -> [u8; N] {
        self.bytes
    }

    /// The greatest key that begins so.
    pub(super) fn greatest(mut self) -> [u8; N] {
        self.bytes[self.len..].fill(u8::MAX);
        self.bytes
    }

    fn id(self, id: u32) -> Key<N> {
        self.put(&id.to_be_bytes())
    }

    fn put(mut self, part: &[u8]) -> Key<N> {
        self.bytes[self.len..self.len + part.len()].copy_from_slice(part);
        self.len += part.len();
        self
    }
}

pub(super) fn statement(
    namespace: NamespaceId,
    triple: Triple,
    id: StatementId,
) -> [u8; STATEMENT] {
    Key::of(namespace).triple(triple).tx(id.tx).id(id.op).full()
}

pub(super) fn rectangle(
    namespace: NamespaceId,
    triple: Triple,
    start: Timestamp,
    believed_from: TxId,
) -> [u8; RECTANGLE] {
    Key::of(namespace).triple(triple).time(start).tx(believed_from).full()
}

pub(super) fn log(namespace: NamespaceId, tx: TxId) -> [u8; LOG] {
    Key::of(namespace).tx(tx).full()
}

pub(super) fn request(namespace: NamespaceId, digest: [u8; DIGEST]) -> [u8; REQUEST] {
    Key::of(namespace).digest(digest).full()
}

pub(super) fn request_age(
    namespace: NamespaceId,
    time: Timestamp,
    digest: [u8; DIGEST],
) -> [u8; REQUEST_AGE] {
    Key::of(namespace).time(time).digest(digest).full()
}

pub(super) fn episode(namespace: NamespaceId, id: EpisodeId) -> [u8; EPISODE] {
    Key::of(namespace).tx(id.tx).id(id.op).full()
}

pub(super) fn vector(
    namespace: NamespaceId,
    space: SpaceId,
    document: DocumentKey,
) -> [u8; VECTOR] {
    Key::of(namespace).space(space).document(document).full()
}

pub(super) fn access(namespace: NamespaceId, document: DocumentKey) -> [u8; ACCESS] {
    Key::of(namespace).document(document).full()
}

pub(super) fn erasure(namespace: NamespaceId, number: u32) -> [u8; ERASURE] {
    Key::of(namespace).id(number).full()
}

pub(super) fn usage(namespace: NamespaceId, period: Period, purpose: Purpose) -> [u8; USAGE] {
    let (kind, number) = match period {
        Period::Day(number) => (DAY, number),
        Period::Month(number) => (MONTH, number),
    };
    let place = Purpose::ALL.iter().position(|known| *known == purpose);
    let place = place.and_then(|place| u8::try_from(place).ok()).expect("a few purposes");
    Key::of(namespace).put(&[kind]).id(number).put(&[place]).full()
}

pub(super) fn usage_parts(key: &[u8; USAGE]) -> Result<(Period, Purpose), DecodeError> {
    let number = u32_at(key, NAMESPACE + 1);
    let period = match key[NAMESPACE] {
        DAY => Period::Day(number),
        MONTH => Period::Month(number),
        tag => return Err(DecodeError::Tag { of: "period", tag }),
    };
    let tag = key[NAMESPACE + 5];
    let purpose = Purpose::ALL.get(usize::from(tag)).copied();
    Ok((period, purpose.ok_or(DecodeError::Tag { of: "purpose", tag })?))
}

/// The document at the end of a key.
pub(super) fn document_of(key: &[u8]) -> Result<DocumentKey, DecodeError> {
    let at = key.len() - DOCUMENT;
    let kind = match key[at + 8] {
        1 => DocumentKind::Fact,
        2 => DocumentKind::Statement,
        3 => DocumentKind::Entity,
        4 => DocumentKind::Episode,
        tag => return Err(DecodeError::Tag { of: "document", tag }),
    };
    Ok(DocumentKey { tx: TxId::new(u64_at(key, at)), kind, op: u32_at(key, at + 9) })
}

pub(super) fn log_tx(key: &[u8; LOG]) -> TxId {
    TxId::new(u64_at(key, NAMESPACE))
}

pub(super) fn statement_parts(key: &[u8; STATEMENT]) -> Result<(Triple, StatementId), DecodeError> {
    let id = StatementId { tx: TxId::new(u64_at(key, TRIPLE)), op: u32_at(key, TRIPLE + 8) };
    Ok((triple_of(key)?, id))
}

pub(super) fn rectangle_parts(
    key: &[u8; RECTANGLE],
) -> Result<(Triple, Timestamp, TxId), DecodeError> {
    let start = time_at(key, TRIPLE);
    Ok((triple_of(key)?, start, TxId::new(u64_at(key, TRIPLE + 8))))
}

pub(super) fn request_digest(key: &[u8; REQUEST]) -> [u8; DIGEST] {
    array_at(key, NAMESPACE)
}

pub(super) fn request_age_parts(key: &[u8; REQUEST_AGE]) -> (Timestamp, [u8; DIGEST]) {
    (time_at(key, NAMESPACE), array_at(key, NAMESPACE + 8))
}

fn triple_of(key: &[u8]) -> Result<Triple, DecodeError> {
    let raw = u32_at(key, SLOT + 1);
    let object = match key[SLOT] {
        ENTITY => Object::Entity(EntityId::new(raw)),
        VALUE => Object::Value(ValueId::new(raw)),
        tag => return Err(DecodeError::Tag { of: "object", tag }),
    };
    Ok(Triple {
        subject: EntityId::new(u32_at(key, NAMESPACE)),
        predicate: PredicateId::new(u32_at(key, NAMESPACE + 4)),
        object,
    })
}

fn time_at(key: &[u8], at: usize) -> Timestamp {
    Timestamp::from_micros((u64_at(key, at) ^ SIGN).cast_signed())
}

fn u32_at(key: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(array_at(key, at))
}

fn u64_at(key: &[u8], at: usize) -> u64 {
    u64::from_be_bytes(array_at(key, at))
}

fn array_at<const W: usize>(key: &[u8], at: usize) -> [u8; W] {
    key[at..at + W].try_into().expect("the slice has the width of the array")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(micros: i64) -> Timestamp {
        Timestamp::from_micros(micros)
    }

    fn triple(subject: u32, predicate: u32, object: Object) -> Triple {
        Triple { subject: EntityId::new(subject), predicate: PredicateId::new(predicate), object }
    }

    #[test]
    fn bytes_sort_as_what_they_name_and_read_back() {
        let namespace = NamespaceId::new(7);
        let objects = [0, 255, 256, u32::MAX].map(EntityId::new).map(Object::Entity);
        let values = [0, 256].map(ValueId::new).map(Object::Value);
        let times = [Timestamp::NEG_INFINITY, at(-1), at(0), at(1), Timestamp::INFINITY];
        let mut names = Vec::new();
        for subject in [0, 1, 256] {
            for object in objects.into_iter().chain(values) {
                for start in times {
                    for tx in [1, 256] {
                        names.push((triple(subject, 3, object), start, TxId::new(tx)));
                    }
                }
            }
        }
        let keys: Vec<_> =
            names.iter().map(|(t, s, tx)| rectangle(namespace, *t, *s, *tx)).collect();
        assert!(keys.is_sorted());
        for (name, key) in names.iter().zip(&keys) {
            assert_eq!(rectangle_parts(key).as_ref(), Ok(name));
        }
    }

    #[test]
    fn a_prefix_covers_its_keys_and_no_other_namespace() {
        let id = StatementId { tx: TxId::OPEN, op: u32::MAX };
        let low = triple(0, 0, Object::Entity(EntityId::new(0)));
        let high = triple(u32::MAX, u32::MAX, Object::MAX);
        let prefix = Key::of(NamespaceId::new(1));
        let keys = prefix.least()..=prefix.greatest();
        assert!(keys.contains(&statement(NamespaceId::new(1), low, id)));
        assert!(keys.contains(&statement(NamespaceId::new(1), high, id)));
        assert!(!keys.contains(&statement(NamespaceId::new(0), high, id)));
        assert!(!keys.contains(&statement(NamespaceId::new(2), low, id)));
    }
}
