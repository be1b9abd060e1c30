//! `delete_entities`, `delete_observations`, `delete_relations`.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tonic::Status;

use crate::rpc::proto::{Rectangle, Triple};

use super::super::memory::Memory;
use super::super::verb::{Effect, Told, Verb};
use super::model::{Gathered, Piece, Relation, key, retract};
use super::read::rows_of;

#[derive(Serialize, JsonSchema)]
pub(super) struct Done {
    success: bool,
    message: String,
}

impl Done {
    fn new(message: String) -> Done {
        Done { success: true, message }
    }
}

impl Told for Done {
    fn text(&self) -> String {
        self.message.clone()
    }
}

async fn drop_rows(memory: &mut Memory, rows: Vec<Rectangle>) -> Result<(), Status> {
    // One fact may hold in several runs; it is retracted once.
    let mut seen = HashSet::new();
    let rows = rows.into_iter().filter(|row| seen.insert(row.fact_id.clone()));
    let kinds: Vec<_> = rows
        .map(|Rectangle { subject, predicate, object, .. }| {
            retract(Triple { subject, predicate, object })
        })
        .collect();
    if kinds.is_empty() { Ok(()) } else { memory.transact(kinds, None).await.map(drop) }
}

pub(super) struct DeleteEntities;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct EntityNames {
    /// An array of entity names to delete
    entity_names: Vec<String>,
}

impl Verb for DeleteEntities {
    const NAME: &'static str = "delete_entities";
    const TITLE: &'static str = "Delete Entities";
    const ABOUT: &'static str =
        "Delete multiple entities and their associated relations from the knowledge graph";
    const EFFECT: Effect = Effect::Removes;
    type Args = EntityNames;
    type Answer = Done;

    async fn run(mut memory: Memory, args: EntityNames) -> Result<Done, Status> {
        let names = args.entity_names;
        let rows = rows_of(&mut memory, &names).await?;
        let known = Gathered::of(&rows);
        let missing: Vec<_> =
            names.iter().filter(|name| known.find(name).is_none()).cloned().collect();
        drop_rows(&mut memory, rows).await?;
        let (all, deleted) = (names.len(), names.len() - missing.len());
        Ok(Done::new(if missing.is_empty() {
            "Entities deleted successfully".to_owned()
        } else {
            format!("Deleted {deleted} of {all} entities. Not found: {}", missing.join(", "))
        }))
    }
}

pub(super) struct DeleteObservations;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Deletions {
    deletions: Vec<Deletion>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Deletion {
    /// The name of the entity containing the observations
    entity_name: String,
    /// An array of observations to delete
    observations: Vec<String>,
}

impl Verb for DeleteObservations {
    const NAME: &'static str = "delete_observations";
    const TITLE: &'static str = "Delete Observations";
    const ABOUT: &'static str = "Delete specific observations from entities in the knowledge graph";
    const EFFECT: Effect = Effect::Removes;
    type Args = Deletions;
    type Answer = Done;

    async fn run(mut memory: Memory, args: Deletions) -> Result<Done, Status> {
        let deletions = args.deletions;
        let names: Vec<_> = deletions.iter().map(|asked| asked.entity_name.clone()).collect();
        let mut rows = rows_of(&mut memory, &names).await?;
        let known = Gathered::of(&rows);
        rows.retain(|row| match Piece::of(row) {
            Some(Piece::Observation(text)) => deletions.iter().any(|asked| {
                key(&asked.entity_name) == key(&row.subject) && asked.observations.contains(&text)
            }),
            _ => false,
        });
        let all: usize = deletions.iter().map(|asked| asked.observations.len()).sum();
        let deleted = rows.len();
        drop_rows(&mut memory, rows).await?;
        let missing: Vec<_> =
            names.iter().filter(|name| known.find(name).is_none()).cloned().collect();
        Ok(Done::new(match (deleted == all, missing.is_empty()) {
            (true, _) => "Observations deleted successfully".to_owned(),
            (false, true) => format!("Deleted {deleted} of {all} observations."),
            (false, false) => format!(
                "Deleted {deleted} of {all} observations. Entities not found: {}",
                missing.join(", ")
            ),
        }))
    }
}

pub(super) struct DeleteRelations;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Relations {
    /// An array of relations to delete
    relations: Vec<Relation>,
}

impl Verb for DeleteRelations {
    const NAME: &'static str = "delete_relations";
    const TITLE: &'static str = "Delete Relations";
    const ABOUT: &'static str = "Delete multiple relations from the knowledge graph";
    const EFFECT: Effect = Effect::Removes;
    type Args = Relations;
    type Answer = Done;

    async fn run(mut memory: Memory, args: Relations) -> Result<Done, Status> {
        let relations = args.relations;
        let names: Vec<_> = relations.iter().map(|relation| relation.from.clone()).collect();
        let mut rows = rows_of(&mut memory, &names).await?;
        rows.retain(|row| match Piece::of(row) {
            Some(Piece::Relation(found)) => relations.iter().any(|asked| asked.same(&found)),
            _ => false,
        });
        let (all, deleted) = (relations.len(), rows.len());
        drop_rows(&mut memory, rows).await?;
        Ok(Done::new(if deleted == all {
            "Relations deleted successfully".to_owned()
        } else {
            format!("Deleted {deleted} of {all} relations. The rest matched nothing.")
        }))
    }
}
