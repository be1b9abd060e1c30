//! When documents were in the archive: believed, and not coming up by themselves.

use std::collections::HashMap;
use std::hash::Hash;

use crate::types::{TxId, TxSpan};

use super::record::FactNumber;

/// Spans of transactions, by fact and by place of an episode. The last one of each may be open.
#[derive(Clone, Debug, Default)]
pub(super) struct Archive {
    facts: HashMap<FactNumber, Vec<TxSpan>>,
    episodes: HashMap<u32, Vec<TxSpan>>,
}

impl Archive {
    /// Nothing was ever put into it.
    pub(super) fn is_empty(&self) -> bool {
        self.facts.is_empty() && self.episodes.is_empty()
    }

    pub(super) fn put_fact(&mut self, fact: FactNumber, tx: TxId) {
        put(&mut self.facts, fact, tx);
    }

    pub(super) fn take_fact(&mut self, fact: FactNumber, tx: TxId) {
        take(&mut self.facts, &fact, tx);
    }

    pub(super) fn put_episode(&mut self, place: u32, tx: TxId) {
        put(&mut self.episodes, place, tx);
    }

    pub(super) fn take_episode(&mut self, place: u32, tx: TxId) {
        take(&mut self.episodes, &place, tx);
    }

    pub(super) fn holds_fact(&self, fact: FactNumber, tx: TxId) -> bool {
        holds(&self.facts, &fact, tx)
    }

    pub(super) fn holds_episode(&self, place: u32, tx: TxId) -> bool {
        holds(&self.episodes, &place, tx)
    }

    /// The facts in it at a transaction, in no order.
    pub(super) fn facts_at(&self, tx: TxId) -> impl Iterator<Item = FactNumber> + '_ {
        let within = move |spans: &Vec<TxSpan>| spans.iter().any(|span| span.contains(tx));
        self.facts.iter().filter(move |(_, spans)| within(spans)).map(|(fact, _)| *fact)
    }
}

fn put<K: Eq + Hash>(all: &mut HashMap<K, Vec<TxSpan>>, key: K, tx: TxId) {
    let spans = all.entry(key).or_default();
    let is_in = spans.last().is_some_and(|span| span.to.is_open());
    assert!(!is_in, "what is archived was not in the archive");
    spans.push(TxSpan { from: tx, to: TxId::OPEN });
}

fn take<K: Eq + Hash>(all: &mut HashMap<K, Vec<TxSpan>>, key: &K, tx: TxId) {
    let spans = all.get_mut(key).expect("what is restored was archived");
    let last = spans.last_mut().expect("what is restored was archived");
    assert!(last.to.is_open(), "what is restored is in the archive");
    last.to = tx;
    // Put away and taken out by one transaction: it never was away.
    spans.retain(|span| span.from < span.to);
}

fn holds<K: Eq + Hash>(all: &HashMap<K, Vec<TxSpan>>, key: &K, tx: TxId) -> bool {
    all.get(key).is_some_and(|spans| spans.iter().any(|span| span.contains(tx)))
}
