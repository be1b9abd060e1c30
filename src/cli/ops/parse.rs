//! A JSON line to a request. Everything that is wrong with the line is told at once.

use serde_json::Value;

use crate::rpc::proto::{
    Accept, AddEpisode, Archive, Assert, Correct, DeclarePredicate, End, EpisodeKind, Fold,
    Instant, Merge, Operation, Restore, Retract, RetractEpisode, Supersede, TransactMode, Trust,
    Unmerge, Violation, WithdrawSource, archive, operation::Operation as Kind, restore,
};

use super::super::{
    error::Refusal,
    time_text::{self, Side},
};
use super::fields::{BAD_VALUE, Fields};

/// One line of `transact`, or one transaction of an export.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::struct_field_names)] // The key is called that.
pub(crate) struct Request {
    pub(crate) request_id: String,
    pub(crate) operations: Vec<Operation>,
    pub(crate) mode: TransactMode,
    pub(crate) dry_run: bool,
    /// Only in an export.
    pub(crate) tx_time: Option<Instant>,
}

pub(crate) fn request(line: &[u8]) -> Result<Request, Refusal> {
    let value: Value = serde_json::from_slice(line).map_err(|cause| {
        Refusal::local("BAD_JSON", format!("the line is no JSON object: {cause}"), Vec::new())
    })?;
    let mut violations = Vec::new();
    match read_request(value, &mut violations) {
        Ok(request) if violations.is_empty() => Ok(request),
        Ok(_) => Err(summary(violations)),
        Err(violation) => {
            violations.push(violation);
            Err(summary(violations))
        }
    }
}

/// The first violation speaks for the line.
fn summary(violations: Vec<Violation>) -> Refusal {
    let first = &violations[0];
    let reason = first.reason.clone();
    let message = match violations.len() {
        1 => format!("{}: {}", first.field, first.description),
        more => format!("{}: {} (and {} more)", first.field, first.description, more - 1),
    };
    Refusal::local(&reason, message, violations)
}

fn read_request(value: Value, violations: &mut Vec<Violation>) -> Result<Request, Violation> {
    let mut fields = Fields::new("request".to_owned(), value)?;
    let operations = match fields.take("ops") {
        None => {
            return Err(fields.fault("ops", "MISSING_KEY", "the list of operations is missing"));
        }
        Some(Value::Array(items)) => items,
        Some(_) => return Err(fields.fault("ops", BAD_VALUE, "a list of operations belongs here")),
    };
    let mut request = Request {
        request_id: fields.text("request_id")?.unwrap_or_default(),
        operations: Vec::with_capacity(operations.len()),
        mode: mode(&mut fields)?,
        dry_run: fields.boolean("dry_run")?,
        tx_time: tx_time(&mut fields)?,
    };
    fields.take("tx");
    fields.finish("request_id, ops, mode, dry_run")?;
    for (place, item) in operations.into_iter().enumerate() {
        match operation(format!("ops[{place}]"), item) {
            Ok(operation) => request.operations.push(operation),
            Err(violation) => violations.push(violation),
        }
    }
    Ok(request)
}

fn mode(fields: &mut Fields) -> Result<TransactMode, Violation> {
    match fields.text("mode")?.map(|word| word.to_ascii_lowercase()).as_deref() {
        None => Ok(TransactMode::Unspecified),
        Some("atomic") => Ok(TransactMode::Atomic),
        Some("partial") => Ok(TransactMode::Partial),
        Some(word) => Err(fields.fault(
            "mode",
            BAD_VALUE,
            format!("{word:?} is no mode; there are atomic and partial"),
        )),
    }
}

fn tx_time(fields: &mut Fields) -> Result<Option<Instant>, Violation> {
    match fields.text("tx_time")? {
        None => Ok(None),
        Some(text) => time_text::parse_instant(&text).map(Some).ok_or_else(|| {
            fields.fault("tx_time", "DATE_INVALID", format!("{text:?} is no instant in full"))
        }),
    }
}

fn operation(path: String, value: Value) -> Result<Operation, Violation> {
    let mut fields = Fields::new(path, value)?;
    let word = fields.needed_text("op", "the kind of operation")?.to_ascii_lowercase();
    let (kind, known) = match word.as_str() {
        "assert" => (
            Kind::Assert(assert(&mut fields)?),
            "s, p, o, from, to, through, at, atleast, override, deliberate, contested_against, source, trust, confidence, statement, derived_from, importance, episode, vector, owner, labels",
        ),
        "end" => (
            Kind::End(end(&mut fields)?),
            "s, p, o, at, source, trust, confidence, statement, derived_from, importance, episode, vector, owner, labels",
        ),
        "retract" => (
            Kind::Retract(retract(&mut fields)?),
            "s, p, o, from, to, correct, block, source, trust, confidence, statement, derived_from, importance, episode, vector, owner, labels",
        ),
        "supersede" => (
            Kind::Supersede(supersede(&mut fields)?),
            "s, p, o, old, at, expect_held, source, trust, confidence, statement, derived_from, importance, episode, vector, owner, labels",
        ),
        "correct" => (
            Kind::Correct(correct(&mut fields)?),
            "s, p, o, new, at, from, to, source, trust, confidence, statement, derived_from, importance, episode, vector, owner, labels",
        ),
        "merge" => (Kind::Merge(merge(&mut fields)?), "dup, into"),
        "unmerge" => (Kind::Unmerge(unmerge(&mut fields)?), "dup"),
        "declare" => (Kind::DeclarePredicate(declare(&mut fields)?), "p, cardinality"),
        "accept" => (Kind::Accept(accept(&mut fields)?), "statement_id, trust"),
        "withdraw" => (Kind::WithdrawSource(withdraw(&mut fields)?), "source"),
        "add_episode" => (
            Kind::AddEpisode(add_episode(&mut fields)?),
            "text, kind, speaker, title, session, from, to, source, trust, importance, vector, owner, labels, fold, derived_from",
        ),
        "retract_episode" => (Kind::RetractEpisode(retract_episode(&mut fields)?), "id"),
        "archive" => (Kind::Archive(archive(&mut fields)?), ITEM_KEYS),
        "restore" => (Kind::Restore(restore(&mut fields)?), ITEM_KEYS),
        _ => {
            let description = format!(
                "{word:?} is no operation; there are assert, end, retract, supersede, correct, merge, unmerge, declare, accept, withdraw, add_episode, retract_episode, archive, restore"
            );
            return Err(fields.fault("op", "UNKNOWN_OPERATION", description));
        }
    };
    fields.finish(known)?;
    Ok(Operation { operation: Some(kind) })
}

fn assert(fields: &mut Fields) -> Result<Assert, Violation> {
    Ok(Assert {
        triple: Some(fields.triple()?),
        from: fields.bound("from", Side::Start)?,
        to: fields.bound("to", Side::End)?,
        through: fields.date("through")?,
        at: fields.date("at")?,
        at_least: fields.boolean("atleast")?,
        r#override: fields.boolean("override")?,
        deliberate: fields.boolean("deliberate")?,
        contested_against_ids: fields.texts("contested_against")?,
        evidence: fields.evidence()?,
    })
}

fn end(fields: &mut Fields) -> Result<End, Violation> {
    Ok(End {
        triple: Some(fields.triple()?),
        at: fields.point("at")?,
        evidence: fields.evidence()?,
    })
}

fn retract(fields: &mut Fields) -> Result<Retract, Violation> {
    Ok(Retract {
        triple: Some(fields.triple()?),
        from: fields.bound("from", Side::Start)?,
        to: fields.bound("to", Side::End)?,
        correct: fields.boolean("correct")?,
        block: fields.boolean("block")?,
        evidence: fields.evidence()?,
    })
}

fn supersede(fields: &mut Fields) -> Result<Supersede, Violation> {
    let triple = fields.triple()?;
    Ok(Supersede {
        subject: triple.subject,
        predicate: triple.predicate,
        new_object: triple.object,
        old_object: fields.object("old")?,
        at: fields.point("at")?,
        expect_held: fields.boolean("expect_held")?,
        evidence: fields.evidence()?,
    })
}

fn correct(fields: &mut Fields) -> Result<Correct, Violation> {
    Ok(Correct {
        triple: Some(fields.triple()?),
        new_object: fields.object("new")?,
        at: fields.point("at")?,
        from: fields.bound("from", Side::Start)?,
        to: fields.bound("to", Side::End)?,
        evidence: fields.evidence()?,
    })
}

fn merge(fields: &mut Fields) -> Result<Merge, Violation> {
    Ok(Merge {
        duplicate: fields.either_text("dup", "s", "the duplicate")?,
        into: fields.either_text("into", "o", "the entity it is merged into")?,
    })
}

fn unmerge(fields: &mut Fields) -> Result<Unmerge, Violation> {
    Ok(Unmerge { duplicate: fields.either_text("dup", "s", "the duplicate")? })
}

fn declare(fields: &mut Fields) -> Result<DeclarePredicate, Violation> {
    let predicate = fields.needed_text("p", "the predicate")?;
    let word = fields.either_text("cardinality", "card", "the cardinality, ONE or MANY,")?;
    let cardinality = super::cardinality(&word)
        .map_err(|description| fields.fault("cardinality", BAD_VALUE, description))?;
    Ok(DeclarePredicate { predicate, cardinality: cardinality.into() })
}

fn accept(fields: &mut Fields) -> Result<Accept, Violation> {
    let statement_id = fields.needed_text("statement_id", "the statement")?;
    let trust = match fields.text("trust")? {
        None => Trust::Unspecified,
        Some(word) => super::trust(&word)
            .map_err(|description| fields.fault("trust", BAD_VALUE, description))?,
    };
    Ok(Accept { statement_id, trust: trust.into() })
}

fn withdraw(fields: &mut Fields) -> Result<WithdrawSource, Violation> {
    Ok(WithdrawSource { source: fields.needed_text("source", "the source")? })
}

pub(crate) fn add_episode(fields: &mut Fields) -> Result<AddEpisode, Violation> {
    let word = |fields: &mut Fields, key| Ok(fields.text(key)?.unwrap_or_default());
    let kind = match fields.text("kind")? {
        None => EpisodeKind::Unspecified,
        Some(word) => super::episode_kind(&word)
            .map_err(|description| fields.fault("kind", BAD_VALUE, description))?,
    };
    let trust = match fields.text("trust")? {
        None => Trust::Unspecified,
        Some(word) => super::trust(&word)
            .map_err(|description| fields.fault("trust", BAD_VALUE, description))?,
    };
    Ok(AddEpisode {
        kind: kind.into(),
        text: fields.needed_text("text", "the text")?,
        speaker: word(fields, "speaker")?,
        title: word(fields, "title")?,
        session: word(fields, "session")?,
        from: fields.bound("from", Side::Start)?,
        to: fields.bound("to", Side::End)?,
        source: word(fields, "source")?,
        trust: trust.into(),
        importance: fields.share("importance")?,
        vector: fields.vector("vector")?,
        scope: fields.scope()?,
        fold: fold(fields)?,
        derived_from_ids: fields.texts("derived_from")?,
    })
}

/// What a summary stands for, as an export prints it.
fn fold(fields: &mut Fields) -> Result<Option<Fold>, Violation> {
    let Some(value) = fields.take("fold") else { return Ok(None) };
    let number = |key: &str| value.get(key).and_then(Value::as_u64).map(u32::try_from);
    let through = value.get("through").and_then(Value::as_str);
    let closes = value.get("closes").and_then(Value::as_bool);
    match (through, number("turns"), number("generation"), closes) {
        (Some(through), Some(Ok(turns)), Some(Ok(generation)), Some(closes)) => {
            Ok(Some(Fold { through: through.to_owned(), turns, generation, closes }))
        }
        _ => Err(fields.fault("fold", BAD_VALUE, "not what an export says a summary stands for")),
    }
}

fn retract_episode(fields: &mut Fields) -> Result<RetractEpisode, Violation> {
    Ok(RetractEpisode { episode_id: fields.needed_text("id", "the episode")? })
}

/// Keys of what is about a fact or an episode.
const ITEM_KEYS: &str = "s, p, o, episode, owner, labels";

fn archive(fields: &mut Fields) -> Result<Archive, Violation> {
    let item = match fields.text("episode")? {
        Some(id) => archive::Item::EpisodeId(id),
        None => archive::Item::Fact(fields.triple()?),
    };
    Ok(Archive { item: Some(item), scope: fields.scope()? })
}

fn restore(fields: &mut Fields) -> Result<Restore, Violation> {
    let item = match fields.text("episode")? {
        Some(id) => restore::Item::EpisodeId(id),
        None => restore::Item::Fact(fields.triple()?),
    };
    Ok(Restore { item: Some(item), scope: fields.scope()? })
}

#[cfg(test)]
mod tests;
