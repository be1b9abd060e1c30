//! What is remembered at a basis, item by item: what whoever tidies up goes by.

use crate::types::{
    Confidence, DocumentId, DocumentKey, EpisodeKind, Item, Label, Timestamp, Triple,
};
use crate::view::document::{EpisodeEntry, FactNumber, What};

use super::facts::Span;
use super::recall::{Filter, Sight};
use super::snapshot::Snapshot;

/// An item that is believed and holds at the basis, and that the caller may see.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    pub item: Item,
    /// Of a text.
    pub episode_kind: Option<EpisodeKind>,
    /// How sure the newest statement was that said so.
    pub confidence: Option<Confidence>,
    /// When it was recorded, or said again.
    pub since: Timestamp,
    /// What a recall finds it by.
    pub documents: Vec<DocumentKey>,
    /// The digest of its session's name, and the place of whom it is for.
    pub session: Option<(u64, usize)>,
    /// Whom it is for alone.
    pub owner: Option<Label>,
    /// It is in the archive.
    pub archived: bool,
}

/// Tells each item among some documents, in their order.
pub fn for_each_held(
    snapshot: Snapshot<'_>,
    documents: std::ops::Range<u32>,
    mut visit: impl FnMut(Held),
) {
    let filter = Filter::all();
    let sight = Sight::new(snapshot, Span::Basis, &filter);
    let last = snapshot.documents.next().raw();
    for document in documents.start..documents.end.min(last) {
        let held = match snapshot.documents.what(DocumentId::new(document)) {
            What::Fact(fact) => held_fact(&sight, fact),
            What::Episode(place) => held_episode(snapshot, place),
            // They are of a fact, and no items.
            What::Statement(_) | What::Entity(_) => None,
        };
        held.into_iter().for_each(&mut visit);
    }
}

fn held_fact(sight: &Sight<'_>, fact: FactNumber) -> Option<Held> {
    let snapshot = sight.snapshot();
    let (documents, basis) = (snapshot.documents, snapshot.basis);
    let triple: Triple = documents.triple(fact);
    // A fact of an entity that is merged into another is looked at under that other.
    let is_here = snapshot.canonical(triple) == triple
        && snapshot.sees(triple)
        && documents.any_hold(fact, |hold| basis.sees(hold.valid, hold.believed));
    if !is_here {
        return None;
    }
    let supports = sight.supports(triple);
    let newest = supports.first()?;
    let said = supports.iter().filter_map(|support| support.document);
    let found_by = documents.words(fact).into_iter().chain(said);
    let scope = snapshot.directory.scope_of(triple.predicate);
    Some(Held {
        item: Item::Fact(triple),
        episode_kind: None,
        confidence: supports.iter().find_map(|support| support.confidence),
        since: snapshot.directory.time_of(newest.id.tx)?,
        documents: found_by.map(|document| documents.key(document)).collect(),
        session: None,
        owner: scope.and_then(|scope| scope.owner.clone()),
        archived: documents.is_archived(fact, basis.tx),
    })
}

fn held_episode(snapshot: Snapshot<'_>, place: u32) -> Option<Held> {
    let (documents, basis) = (snapshot.documents, snapshot.basis);
    let entry: &EpisodeEntry = documents.episode(place);
    let is_here = basis.sees(entry.valid, entry.believed) && snapshot.seen.scope(entry.scope);
    if !is_here {
        return None;
    }
    let scope = entry.scope.index();
    Some(Held {
        item: Item::Episode(entry.id),
        episode_kind: Some(entry.kind),
        confidence: None,
        since: snapshot.directory.time_of(entry.id.tx)?,
        documents: vec![documents.key(documents.episode_document(place))],
        session: entry.session.map(|session| (session, scope)),
        owner: documents.scope(entry.scope).owner.clone(),
        archived: documents.is_episode_archived(entry.id, basis.tx),
    })
}
