//! The text and vector views held against what they are made from.

use crate::query::Halt;
use crate::store::{self, Reader, Store};
use crate::types::{DocumentId, DocumentKey};
use crate::view::text::Entry;

use super::indexer::Chunk;
use super::namespace::Namespace;
use super::verify::Verification;

/// Compares every list of words and every vector with the documents.
pub(super) fn views(
    verification: &mut Verification,
    namespace: &Namespace,
    store: &Store,
    reader: &Reader,
    halt: &Halt,
) -> Result<(), store::ReadError> {
    text(verification, namespace, store, halt)?;
    if halt.is_halted() {
        return Ok(());
    }
    vectors(verification, namespace, reader)
}

fn text(
    verification: &mut Verification,
    namespace: &Namespace,
    store: &Store,
    halt: &Halt,
) -> Result<(), store::ReadError> {
    let Some(view) = namespace.search.text() else { return Ok(()) };
    let mut failed = None;
    let found = view.difference(|next| {
        verification.documents = next.raw().into();
        let (chunk, failed) = (Vec::new().into_iter(), &mut failed);
        Texts { store, namespace, halt, next, chunk, at: 0, failed }
    });
    if let Some(error) = failed {
        return Err(error);
    }
    match found {
        Ok(found) => {
            verification.differences += found.count as u64;
            for difference in &found.first {
                verification.spell_out(format!("text view: {difference:?}"));
            }
        }
        Err(error) => verification.add(format!("the text view cannot be read: {error}")),
    }
    Ok(())
}

/// The words of all documents below one, read a few at a time.
struct Texts<'a> {
    store: &'a Store,
    namespace: &'a Namespace,
    halt: &'a Halt,
    next: DocumentId,
    chunk: std::vec::IntoIter<(DocumentId, Entry)>,
    at: u32,
    failed: &'a mut Option<store::ReadError>,
}

impl Iterator for Texts<'_> {
    type Item = (DocumentId, Entry);

    fn next(&mut self) -> Option<(DocumentId, Entry)> {
        if let Some(one) = self.chunk.next() {
            return Some(one).filter(|(document, _)| *document < self.next);
        }
        if self.failed.is_some() || self.halt.is_halted() || self.at >= self.next.raw() {
            return None;
        }
        match Chunk::read(self.store, self.namespace, DocumentId::new(self.at)) {
            Ok(chunk) => {
                let ids = chunk.documents.into_iter().map(|(id, _)| id);
                let entries: Vec<_> = ids.zip(chunk.entries).collect();
                self.at += u32::try_from(entries.len()).expect("a chunk is small");
                self.chunk = entries.into_iter();
                self.chunk.next().filter(|(document, _)| *document < self.next)
            }
            Err(error) => {
                *self.failed = Some(error);
                None
            }
        }
    }
}

/// Every vector that is stored is in the view, as it is stored. The view may hold more: what was
/// made and is not stored yet.
fn vectors(
    verification: &mut Verification,
    namespace: &Namespace,
    reader: &Reader,
) -> Result<(), store::ReadError> {
    let current = namespace.search.spaces().current.filter(|space| space.is_loaded());
    let Some(space) = current else { return Ok(()) };
    let mut keys = super::indexer::Keys::default();
    let mut rows = Vec::new();
    let mut strays: Vec<DocumentKey> = Vec::new();
    reader.for_each_vector(namespace.id(), space.record.id, |(key, vector)| {
        match keys.document(namespace, key) {
            Some(document) => rows.push((document, vector)),
            None => strays.push(key),
        }
    })?;
    verification.vectors = rows.len() as u64;
    let found = space.view.compare(rows);
    for (count, what) in [(found.missing, "missing from"), (found.different, "different in")] {
        if count > 0 {
            verification.differences += count as u64;
            verification.spell_out(format!("{count} stored vectors are {what} the vector view"));
        }
    }
    for key in strays {
        verification.add(format!("a vector is stored for {key:?}, which is no document"));
    }
    Ok(())
}
