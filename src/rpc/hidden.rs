//! What a command names by its id and its caller may not see. To the caller it is unknown: else a
//! conflict raised against a hidden statement would show it.

use tonic::Status;

use crate::kernel::{Archive, Command, ItemName, Op, Rejection, Restore, Violation, ViolationKind};
use crate::query::{AsOf, Known};
use crate::types::{Clearance, EpisodeId, Grant, StatementId, Triple};

use super::context::Context;
use super::status::rejected;
use super::{failure, proto};

/// # Errors
/// Every statement and episode that is hidden from the caller.
pub(super) async fn refuse(
    context: &Context,
    grant: &Grant,
    command: &Command,
    operations: &[proto::Operation],
) -> Result<(), Status> {
    if grant.clearance == Clearance::Everything {
        return Ok(());
    }
    let mut named: Vec<(usize, &'static str, StatementId)> = Vec::new();
    let mut episodes: Vec<(usize, &'static str, EpisodeId)> = Vec::new();
    for (place, op) in command.ops.iter().enumerate() {
        named.extend(statements(op).into_iter().map(|(field, id)| (place, field, id)));
        episodes.extend(self::episodes(op).into_iter().map(|(field, id)| (place, field, id)));
    }
    let triples = triples(context, grant, named.iter().map(|(.., id)| *id).collect()).await?;
    let hidden = context.read(grant, AsOf { valid: None, known: Known::Latest }, |snapshot| {
        let sees = |triple: &Option<Triple>| triple.is_none_or(|triple| snapshot.sees(triple));
        let statements = named.iter().zip(&triples).filter(|(_, triple)| !sees(triple));
        let statements = statements.map(|((place, field, id), _)| {
            broken(*place, field, ViolationKind::StatementUnknown, format!("no statement {id}"))
        });
        let hides = |id: EpisodeId| {
            let entry = snapshot.documents.episode_by_id(id);
            entry.is_some_and(|entry| !snapshot.seen.scope(entry.scope))
        };
        let episodes = episodes.iter().filter(|(.., id)| hides(*id)).map(|(place, field, id)| {
            broken(*place, field, ViolationKind::EpisodeUnknown, format!("no episode {id}"))
        });
        statements.chain(episodes).collect::<Vec<_>>()
    })?;
    if hidden.is_empty() { Ok(()) } else { Err(rejected(&Rejection::new(hidden), operations)) }
}

fn broken(place: usize, field: &str, kind: ViolationKind, detail: String) -> Violation {
    Violation { op: Some(place), field: field.to_owned().into(), kind, detail }
}

/// What some statements are about. Of one that does not exist it is for the kernel to tell.
async fn triples(
    context: &Context,
    grant: &Grant,
    ids: Vec<StatementId>,
) -> Result<Vec<Option<Triple>>, Status> {
    let (engine, grant) = (context.engine().clone(), grant.clone());
    let read = move || {
        let about = |id: StatementId| Ok(engine.statement(&grant, id)?.map(|said| said.triple));
        ids.into_iter().map(about).collect::<Result<_, _>>()
    };
    context.aside(read).await?.map_err(|error| failure::read(&error))
}

/// The statements that an operation names.
fn statements(op: &Op) -> Vec<(&'static str, StatementId)> {
    let mut named = Vec::new();
    match op {
        Op::Accept(op) => named.push(("statement_id", op.statement)),
        Op::Assert(op) => {
            named.extend(op.contested_against.iter().map(|id| ("contested_against_ids", *id)));
        }
        _ => {}
    }
    let grounds = op.evidence().map_or(&[][..], |evidence| &evidence.derived_from);
    named.extend(grounds.iter().map(|id| ("evidence.derived_from_ids", *id)));
    named
}

fn episodes(op: &Op) -> Vec<(&'static str, EpisodeId)> {
    match op {
        Op::RetractEpisode(op) => vec![("episode_id", op.episode)],
        Op::Archive(Archive { item: ItemName::Episode(id) })
        | Op::Restore(Restore { item: ItemName::Episode(id) }) => vec![("episode_id", *id)],
        Op::AddEpisode(op) => {
            let through = op.fold.iter().map(|fold| ("fold.through", fold.through));
            let grounds = op.derived_from.iter().map(|id| ("derived_from_ids", *id));
            through.chain(grounds).collect()
        }
        _ => {
            let drawn = op.evidence().and_then(|evidence| evidence.episode);
            drawn.map(|id| ("evidence.episode_id", id)).into_iter().collect()
        }
    }
}
