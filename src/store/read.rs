//! What can be read, written once for both kinds of transaction.

use sha2::{Digest, Sha256};

use crate::kernel::{By, Live, Tx};
use crate::types::{
    CloseReason, Interval, NamespaceId, Object, Rectangle, Slot, Statement, StatementId, Triple,
    TxId, TxSpan,
};

use super::codec::{DecodeError, RectangleRow, unseal};
use super::error::ReadError;
use super::key::{self, Key};
use super::record::{NamespaceRecord, Receipt};
use super::table::Rows;

pub(super) fn namespaces(
    table: &impl Rows<{ key::NAMESPACE }>,
) -> Result<Vec<NamespaceRecord>, ReadError> {
    let mut records = Vec::new();
    for row in table.iter()? {
        records.push(decoded("namespace", unseal(row?.1.value()))?);
    }
    Ok(records)
}

pub(super) fn last_tx(
    log: &impl Rows<{ key::LOG }>,
    namespace: NamespaceId,
) -> Result<TxId, ReadError> {
    let last = log.under(Key::of(namespace))?.next_back().transpose()?;
    Ok(last.map_or(TxId::ZERO, |(key, _)| key::log_tx(key.value())))
}

pub(super) fn tx(
    log: &impl Rows<{ key::LOG }>,
    namespace: NamespaceId,
    id: TxId,
) -> Result<Option<Tx>, ReadError> {
    let row = log.get(&key::log(namespace, id))?;
    row.map(|row| decoded("log", unseal(row.value()))).transpose()
}

pub(super) fn statement(
    log: &impl Rows<{ key::LOG }>,
    namespace: NamespaceId,
    id: StatementId,
) -> Result<Option<Statement>, ReadError> {
    let tx = tx(log, namespace, id.tx)?;
    let changes = tx.into_iter().flat_map(|tx| tx.changes);
    Ok(changes.filter_map(stated).find(|statement| statement.id == id))
}

/// The key puts the object before the transaction, so a slot of several objects is sorted again.
pub(super) fn statements(
    table: &impl Rows<{ key::STATEMENT }>,
    namespace: NamespaceId,
    slot: Slot,
    object: Option<Object>,
) -> Result<Vec<Statement>, ReadError> {
    let mut statements: Vec<Statement> = Vec::new();
    for row in table.under(narrowed(namespace, slot, object))? {
        statements.push(decoded("statement", unseal(row?.1.value()))?);
    }
    statements.sort_unstable_by_key(|statement| statement.id);
    Ok(statements)
}

pub(super) fn live(
    table: &impl Rows<{ key::RECTANGLE }>,
    namespace: NamespaceId,
    slot: Slot,
    object: Option<Object>,
) -> Result<Vec<Live>, ReadError> {
    let mut live = Vec::new();
    for row in table.under(narrowed(namespace, slot, object))? {
        let (key, value) = row?;
        let Rectangle { triple, valid, believed, closed } =
            decoded("rectangle", rectangle(key.value(), value.value()))?;
        if closed.is_none() {
            live.push(Live { triple, valid, believed_from: believed.from });
        }
    }
    Ok(live)
}

/// A subject is a range; for all else the statements of the namespace are scanned.
pub(super) fn triples(
    table: &impl Rows<{ key::STATEMENT }>,
    namespace: NamespaceId,
    by: By,
) -> Result<Vec<Triple>, ReadError> {
    let keys = match by {
        By::Subject(entity) => Key::of(namespace).entity(entity),
        By::Object(_) | By::Predicate(_) | By::Source(_) => Key::of(namespace),
    };
    let mut triples: Vec<Triple> = Vec::new();
    for row in table.under(keys)? {
        let (key, value) = row?;
        let (triple, _) = decoded("statement", key::statement_parts(key.value()))?;
        if triples.last() == Some(&triple) {
            continue;
        }
        let wanted = match by {
            By::Subject(_) => true,
            By::Object(object) => triple.object == object,
            By::Predicate(predicate) => triple.predicate == predicate,
            By::Source(source) => {
                let statement: Statement = decoded("statement", unseal(value.value()))?;
                statement.source == Some(source)
            }
        };
        if wanted {
            triples.push(triple);
        }
    }
    Ok(triples)
}

pub(super) fn receipt(
    table: &impl Rows<{ key::REQUEST }>,
    namespace: NamespaceId,
    request: &str,
) -> Result<Option<Receipt>, ReadError> {
    let row = table.get(&key::request(namespace, digest(request)))?;
    row.map(|row| decoded("request", unseal(row.value()))).transpose()
}

pub(super) fn rectangle(
    key: &[u8; key::RECTANGLE],
    value: &[u8],
) -> Result<Rectangle, DecodeError> {
    let (triple, start, from) = key::rectangle_parts(key)?;
    let RectangleRow { valid_end, closed } = unseal(value)?;
    let valid = Interval::new(start, valid_end)
        .map_err(|_| DecodeError::Range { of: "end of the rectangle" })?;
    let to = closed.map_or(TxId::OPEN, |(to, _): (TxId, CloseReason)| to);
    let believed = TxSpan { from, to };
    Ok(Rectangle { triple, valid, believed, closed: closed.map(|(_, reason)| reason) })
}

pub(super) fn stated(change: crate::kernel::Change) -> Option<Statement> {
    match change {
        crate::kernel::Change::Stated(statement) => Some(statement),
        _ => None,
    }
}

/// A request id may be long and chosen by anyone; its digest is short and spreads evenly.
pub(super) fn digest(request: &str) -> [u8; key::DIGEST] {
    let whole: [u8; 32] = Sha256::digest(request.as_bytes()).into();
    *whole.first_chunk().expect("a digest is longer than what is kept of it")
}

pub(super) fn decoded<T>(
    table: &'static str,
    result: Result<T, DecodeError>,
) -> Result<T, ReadError> {
    result.map_err(|fault| ReadError::row(table, fault))
}

fn narrowed<const N: usize>(namespace: NamespaceId, slot: Slot, object: Option<Object>) -> Key<N> {
    let key = Key::of(namespace).slot(slot);
    object.map_or(key, |object| key.object(object))
}
