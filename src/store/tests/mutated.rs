//! Values that were changed at random and sealed again: a typed error, or a value that is spelled
//! and read back as itself. Never a panic, and never more than a small multiple of the input.

use crate::kernel::{Change, Outcome, OutcomeStatus, Tx};
use crate::store::codec::{RectangleRow, Stored, seal, unseal};
use crate::store::{Access, EmbeddingRecord, NamespaceRecord, Receipt};
use crate::types::{
    CloseReason, EntityId, EpisodeKind, Interval, Name, NamespaceId, PredicateId, StatementKind,
    Timestamp, TxId, Value, ValueId, Vector,
};

use std::sync::Arc;

use super::sample::{
    at, entity, outcome, receipt, scope, span, succession, triple, whole_episode, whole_statement,
};

/// Inputs of a run of the test command; `TENURE_FUZZ_INPUTS` asks for another number.
const INPUTS: u64 = 20_000;
const SEED: u64 = 0x7e11;
const CRC_BYTES: usize = 4;
/// A value is spelled in at most so many times the bytes it was read from: a layout of an older
/// version lacks a few fields that the present one spells out.
const GROWTH_MAX: usize = 8;

struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let bound = u64::try_from(bound).expect("a small number");
        usize::try_from((mixed ^ (mixed >> 31)) % bound).expect("a small number")
    }

    fn byte(&mut self) -> u8 {
        const EDGES: [u8; 8] = [0, 1, 2, 3, 0x7F, 0x80, 0xFE, 0xFF];
        match self.below(2) {
            0 => EDGES[self.below(EDGES.len())],
            _ => u8::try_from(self.below(256)).expect("a byte"),
        }
    }

    /// One to four changes: bytes set, inserted, removed, repeated, or a number made enormous.
    fn mutate(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..=self.below(4) {
            let place = self.below(bytes.len() + 1);
            match self.below(5) {
                0 if place < bytes.len() => bytes[place] = self.byte(),
                1 => bytes.insert(place, self.byte()),
                2 => bytes.truncate(place.max(1)),
                3 => {
                    let end = (place + self.below(16)).min(bytes.len());
                    let part = bytes[place..end].to_vec();
                    bytes.splice(place..place, part);
                }
                _ => {
                    let enormous = [0xFF, 0xFF, 0xFF, 0xFF, 0x0F];
                    bytes.splice(place..place, enormous);
                }
            }
        }
    }
}

type Attempt = fn(&[u8]) -> bool;

fn attempt<T: Stored>(bytes: &[u8]) -> bool {
    let Ok(value) = unseal::<T>(bytes) else { return false };
    let spelled = seal(&value);
    assert!(spelled.len() <= GROWTH_MAX * bytes.len(), "{} of {}", spelled.len(), bytes.len());
    let read = unseal::<T>(&spelled).expect("what was spelled can be read");
    assert_eq!(seal(&read), spelled, "it is itself again");
    true
}

fn tx(changes: Vec<Change>) -> Vec<u8> {
    seal(&Tx { id: TxId::new(300), time: at(7), changes })
}

/// Whole values of every kind, each with what reads it.
fn sealed() -> Vec<(Vec<u8>, Attempt)> {
    let scoped = Change::PredicateScoped {
        id: PredicateId::new(9),
        of: PredicateId::new(2),
        scope: Arc::new(scope()),
    };
    let closed = Change::Closed {
        triple: triple(1, 2, entity(3)),
        valid: span(1, 2),
        believed_from: TxId::new(1),
        reason: CloseReason::Extended,
    };
    let text = Change::ValueCreated {
        id: ValueId::new(2),
        value: Value::Text("\u{d55c}\u{ae00}".to_owned()),
    };
    let small = vec![
        Change::EntityCreated { id: EntityId::new(u32::MAX), name: "Ann".into() },
        text,
        closed,
        scoped,
        Change::Opened { triple: triple(1, 2, entity(3)), valid: Interval::ALL },
    ];
    let episode = Change::EpisodeAdded(Arc::new(whole_episode(EpisodeKind::Turn)));
    let stated = Change::Stated(whole_statement(StatementKind::Definite(span(-5, 5))));
    let row = RectangleRow {
        valid_end: Timestamp::INFINITY,
        closed: Some((TxId::new(5), CloseReason::Merged)),
    };
    let namespace = NamespaceRecord {
        id: NamespaceId::new(1),
        name: Name::new("Ann").expect("a name"),
        zone: "Asia/Seoul".to_owned(),
        created: at(5),
    };
    let mut replied = receipt(3);
    replied.outcomes =
        vec![outcome(OutcomeStatus::Contested), Outcome::new(OutcomeStatus::Blocked)];
    let vector = Vector::new(&[1.0, -2.0, 0.5]).expect("a direction");
    vec![
        (tx(small), attempt::<Tx>),
        (tx(vec![episode]), attempt::<Tx>),
        (tx(vec![stated]), attempt::<Tx>),
        (seal(&succession(9)), attempt::<Tx>),
        (seal(&row), attempt::<RectangleRow>),
        (seal(&namespace), attempt::<NamespaceRecord>),
        (seal(&replied), attempt::<Receipt>),
        (seal(&Access { last: at(-5), count: 1 << 40 }), attempt::<Access>),
        (seal(&EmbeddingRecord::default()), attempt::<EmbeddingRecord>),
        (seal(&vector), attempt::<Vector>),
    ]
}

fn inputs() -> u64 {
    std::env::var("TENURE_FUZZ_INPUTS").map_or(INPUTS, |text| text.parse().expect("a number"))
}

#[test]
fn a_value_changed_at_random_is_refused_or_is_a_value() {
    let sealed = sealed();
    let mut dice = Dice(SEED);
    let mut taken = 0_u64;
    for _ in 0..inputs() {
        let (whole, attempt) = &sealed[dice.below(sealed.len())];
        let mut bytes = whole[..whole.len() - CRC_BYTES].to_vec();
        dice.mutate(&mut bytes);
        if dice.below(4) == 0 {
            // An older layout, or one that is not known.
            bytes[0] = u8::try_from(dice.below(5)).expect("a byte");
        }
        let crc = crc32fast::hash(&bytes);
        bytes.extend_from_slice(&crc.to_le_bytes());
        taken += u64::from(attempt(&bytes));
    }
    assert!(taken > 0, "no change was harmless: only refusals were tried");
}
