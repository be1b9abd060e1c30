//! What is put away without being taken back: an item in the archive is believed as before, and only
//! does not come up by itself. What is said again comes up again.

use crate::types::{EpisodeId, Item, Triple};

use super::super::change::Change;
use super::super::command::{Archive, Compact, ItemName, Outcome, OutcomeStatus, Restore};
use super::super::error::{DecideError, ViolationKind};
use super::super::lookup::Lookup;
use super::draft::{Draft, Ruling, broken};
use super::episode::add_episode;

pub(in crate::kernel) fn archive<L: Lookup>(
    draft: &mut Draft<'_, L>,
    op: &Archive,
) -> Ruling<Outcome, L> {
    let item = named(draft, &op.item)?;
    let there = is_archived(draft, item);
    if !there {
        draft.change(Change::Archived { item });
    }
    Ok(outcome(draft, item, !there))
}

pub(in crate::kernel) fn restore<L: Lookup>(
    draft: &mut Draft<'_, L>,
    op: &Restore,
) -> Ruling<Outcome, L> {
    let item = named(draft, &op.item)?;
    let there = is_archived(draft, item);
    if there {
        draft.change(Change::Restored { item });
    }
    Ok(outcome(draft, item, there))
}

/// A short text in the place of a long one. What was taken back since somebody read it does not come
/// back in short.
pub(in crate::kernel) fn compact<L: Lookup>(
    draft: &mut Draft<'_, L>,
    op: &Compact,
) -> Ruling<Outcome, L> {
    let long = op.episode;
    match draft.stands(long) {
        None => return Err(episode_unknown("episode_id", long)),
        Some(false) => {
            let outcome = Outcome::new(OutcomeStatus::NoMatch);
            return Ok(Outcome { episode: Some(long), ..outcome });
        }
        Some(true) => {}
    }
    let added = add_episode(draft, &op.short)?;
    draft.change(Change::EpisodeRetracted { id: long });
    if let Some(short) = added.episode.filter(|_| is_archived(draft, Item::Episode(long))) {
        draft.change(Change::Archived { item: Item::Episode(short) });
    }
    Ok(added)
}

/// Takes a fact out of the archive that was just stated to hold.
pub(super) fn said_again<L: Lookup>(draft: &mut Draft<'_, L>, triple: Triple) {
    let item = Item::Fact(triple);
    if is_archived(draft, item) {
        draft.change(Change::Restored { item });
    }
}

/// The item as it counts now.
fn named<L: Lookup>(draft: &mut Draft<'_, L>, name: &ItemName) -> Ruling<Item, L> {
    match name {
        ItemName::Episode(id) if draft.stands(*id).is_none() => {
            Err(episode_unknown("episode_id", *id))
        }
        ItemName::Episode(id) => Ok(Item::Episode(*id)),
        ItemName::Fact { triple, .. } => {
            let unknown = || broken("fact", ViolationKind::FactUnknown, "nobody stated the fact");
            let known = draft.known(triple).ok_or_else(unknown)?;
            let canonical = draft.names.canonical_triple(known);
            let group = draft.group(draft.names.group_of(known))?;
            if group.speaks_of(canonical.object) {
                Ok(Item::Fact(canonical))
            } else {
                Err(unknown())
            }
        }
    }
}

fn episode_unknown<E>(field: &'static str, id: EpisodeId) -> DecideError<E> {
    broken(field, ViolationKind::EpisodeUnknown, format!("no episode {id}"))
}

/// Whether an item is in the archive; this request's own changes count.
fn is_archived<L: Lookup>(draft: &Draft<'_, L>, item: Item) -> bool {
    let last = draft.changes.iter().rev().find_map(|change| match change {
        Change::Archived { item: archived } if *archived == item => Some(true),
        Change::Restored { item: restored } if *restored == item => Some(false),
        _ => None,
    });
    last.unwrap_or_else(|| draft.directory().is_archived(item))
}

fn outcome<L: Lookup>(draft: &Draft<'_, L>, item: Item, moved: bool) -> Outcome {
    let status = if moved { OutcomeStatus::Applied } else { OutcomeStatus::NoMatch };
    match item {
        Item::Fact(triple) => draft.outcome(status, triple),
        Item::Episode(id) => Outcome { episode: Some(id), ..Outcome::new(status) },
    }
}

#[cfg(test)]
mod tests {
    use crate::kernel::command::{
        AddEpisode, Assert, Command, Evidence, Mode, ObjectName, Op, RetractEpisode, Stamp,
        TripleName,
    };
    use crate::kernel::{Change, Memory, Rewrite, Selection, Selector, Tx, decide};
    use crate::types::{EpisodeKind, Name, Scope, Timestamp, Trust, TxId};

    use super::*;

    #[derive(Default)]
    struct Log {
        memory: Memory,
        txs: Vec<Tx>,
    }

    impl Log {
        fn write(&mut self, ops: Vec<Op>) -> (Vec<OutcomeStatus>, Vec<Change>) {
            let tx = TxId::new(self.txs.len() as u64 + 1);
            let time = Timestamp::from_micros(10 * i64::try_from(tx.raw()).expect("small"));
            let command = Command { request: None, mode: Mode::Atomic, ops };
            let decision = decide(&command, Stamp { tx, time }, &self.memory).expect("it may be");
            self.memory.apply(&decision.tx);
            self.txs.push(decision.tx.clone());
            let statuses = decision.outcomes.iter().map(|outcome| outcome.status).collect();
            (statuses, decision.tx.changes)
        }

        fn is_archived(&self, item: Item) -> bool {
            self.memory.directory().is_archived(item)
        }
    }

    fn triple() -> TripleName {
        let name = |text: &str| Name::new(text).expect("a name");
        let object = ObjectName::Entity(name("b"));
        TripleName { subject: name("a"), predicate: name("p"), object }
    }

    fn assert(trust: Trust) -> Op {
        Op::Assert(Assert {
            triple: triple(),
            from: None,
            to: None,
            at_least: false,
            overrides: false,
            deliberate: false,
            contested_against: Vec::new(),
            evidence: Evidence { trust, ..Evidence::default() },
        })
    }

    fn fact() -> ItemName {
        ItemName::Fact { triple: triple(), scope: Scope::default() }
    }

    fn put_away(item: ItemName) -> Op {
        Op::Archive(Archive { item })
    }

    fn text(text: &str) -> AddEpisode {
        AddEpisode {
            kind: EpisodeKind::Note,
            text: text.to_owned(),
            speaker: None,
            title: None,
            session: None,
            from: None,
            to: None,
            source: None,
            trust: Trust::Stated,
            importance: None,
            vector: None,
            scope: Scope::default(),
            fold: None,
            derived_from: Vec::new(),
        }
    }

    #[test]
    fn what_is_said_again_comes_back() {
        let mut log = Log::default();
        log.write(vec![assert(Trust::Stated)]);
        let (statuses, changes) = log.write(vec![put_away(fact()), put_away(fact())]);
        assert_eq!(statuses, [OutcomeStatus::Applied, OutcomeStatus::NoMatch]);
        let [Change::Archived { item }] = changes[..] else { panic!("{changes:?}") };
        assert!(log.is_archived(item), "no rectangle changed");
        let (_, changes) = log.write(vec![assert(Trust::Stated)]);
        assert!(changes.contains(&Change::Restored { item }), "{changes:?}");
        let (statuses, changes) = log.write(vec![Op::Restore(Restore { item: fact() })]);
        assert_eq!((statuses, changes), (vec![OutcomeStatus::NoMatch], vec![]));
        // Within one request the last word counts.
        let (_, changes) = log.write(vec![put_away(fact()), assert(Trust::Stated)]);
        let moved =
            |change: &&Change| matches!(change, Change::Archived { .. } | Change::Restored { .. });
        assert_eq!(changes.iter().filter(moved).count(), 2, "{changes:?}");
        assert!(!log.is_archived(item));
    }

    #[test]
    fn a_short_text_takes_the_place_of_one_that_stands_and_goes_where_it_was() {
        let mut log = Log::default();
        log.write(vec![Op::AddEpisode(text("long")), Op::AddEpisode(text("taken back"))]);
        let [long, gone] = [0, 1].map(|op| EpisodeId { tx: TxId::new(1), op });
        log.write(vec![
            put_away(ItemName::Episode(long)),
            Op::RetractEpisode(RetractEpisode { episode: gone }),
        ]);
        let short = |episode| {
            let short = AddEpisode { derived_from: vec![episode], ..text("short") };
            Op::Compact(Compact { episode, short })
        };
        let (statuses, changes) = log.write(vec![short(gone)]);
        assert_eq!((statuses, changes), (vec![OutcomeStatus::NoMatch], vec![]));
        let tx = TxId::new(log.txs.len() as u64 + 1);
        log.write(vec![short(long)]);
        assert!(log.is_archived(Item::Episode(EpisodeId { tx, op: 0 })));
    }

    #[test]
    fn an_erasure_leaves_nothing_of_the_archive_of_what_it_takes() {
        let mut log = Log::default();
        log.write(vec![assert(Trust::Stated), Op::AddEpisode(text("kept"))]);
        let kept = EpisodeId { tx: TxId::new(1), op: 0 };
        log.write(vec![put_away(fact()), put_away(ItemName::Episode(kept))]);
        log.write(vec![Op::Restore(Restore { item: fact() })]);
        let named = log.txs[1].changes.iter().find_map(|change| match change {
            Change::Archived { item: Item::Fact(triple) } => Some(*triple),
            _ => None,
        });
        let selector = Selector::Fact(named.expect("it was archived"));
        let mut selection = Selection::new(&selector, log.memory.directory());
        log.txs.iter().for_each(|tx| selection.read(tx));
        log.txs.iter().for_each(|tx| selection.reread(tx));
        let mut rewrite = Rewrite::new(selection.finish(1));
        let left: Vec<Change> = log.txs.iter().flat_map(|tx| rewrite.next(tx).tx.changes).collect();
        let of_facts = |change: &Change| match change {
            Change::Archived { item } | Change::Restored { item } => matches!(item, Item::Fact(_)),
            _ => false,
        };
        assert!(!left.iter().any(of_facts), "{left:?}");
        assert!(left.contains(&Change::Archived { item: Item::Episode(kept) }));
    }
}
