//! `create_entities`, `create_relations`, `add_observations`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tonic::Status;

use crate::rpc::status::{ENTITY_UNKNOWN, status};

use super::super::memory::Memory;
use super::super::object;
use super::super::verb::{Effect, Told, Verb};
use super::model::{Entity, Gathered, OBSERVATION, Relation, assert, json, key};
use super::read::gathered;

pub(super) struct CreateEntities;

#[derive(Serialize, Deserialize, JsonSchema)]
pub(super) struct Entities {
    entities: Vec<Entity>,
}

impl Told for Entities {
    fn text(&self) -> String {
        json(&self.entities)
    }
}

impl Verb for CreateEntities {
    const NAME: &'static str = "create_entities";
    const TITLE: &'static str = "Create Entities";
    const ABOUT: &'static str = "Create multiple new entities in the knowledge graph";
    const EFFECT: Effect = Effect::Adds;
    type Args = Entities;
    type Answer = Entities;

    /// Answers with those that are new.
    async fn run(mut memory: Memory, args: Entities) -> Result<Entities, Status> {
        let names: Vec<_> = args.entities.iter().map(|entity| entity.name.clone()).collect();
        let known = gathered(&mut memory, &names).await?;
        let mut fresh: Vec<Entity> = Vec::new();
        for entity in args.entities {
            let twice = fresh.iter().any(|other| key(&other.name) == key(&entity.name));
            if known.find(&entity.name).is_none() && !twice {
                fresh.push(entity);
            }
        }
        if !fresh.is_empty() {
            memory.transact(fresh.iter().flat_map(Entity::kinds).collect(), None).await?;
        }
        Ok(Entities { entities: fresh })
    }
}

pub(super) struct CreateRelations;

#[derive(Serialize, Deserialize, JsonSchema)]
pub(super) struct Relations {
    relations: Vec<Relation>,
}

impl Told for Relations {
    fn text(&self) -> String {
        json(&self.relations)
    }
}

impl Verb for CreateRelations {
    const NAME: &'static str = "create_relations";
    const TITLE: &'static str = "Create Relations";
    const ABOUT: &'static str = "Create multiple new relations between entities in the knowledge \
        graph. Relations should be in active voice";
    const EFFECT: Effect = Effect::Adds;
    type Args = Relations;
    type Answer = Relations;

    /// Answers with those that are new.
    async fn run(mut memory: Memory, args: Relations) -> Result<Relations, Status> {
        let ends = |relation: &Relation| [relation.from.clone(), relation.to.clone()];
        let names: Vec<_> = args.relations.iter().flat_map(ends).collect();
        let known = gathered(&mut memory, &names).await?;
        for name in &names {
            must_exist(&known, name)?;
        }
        let mut fresh: Vec<Relation> = Vec::new();
        for relation in args.relations {
            let mut there = known.relations().iter().chain(&fresh);
            if !there.any(|other| other.same(&relation)) {
                fresh.push(relation);
            }
        }
        if !fresh.is_empty() {
            let kinds = fresh.iter().map(|relation| assert(relation.triple()));
            memory.transact(kinds.collect(), None).await?;
        }
        Ok(Relations { relations: fresh })
    }
}

fn must_exist<'a>(known: &'a Gathered, name: &str) -> Result<&'a Entity, Status> {
    known.find(name).ok_or_else(|| {
        let message = format!("Entity with name {name} not found");
        status(ENTITY_UNKNOWN, &message, &[("entity", name)])
    })
}

pub(super) struct AddObservations;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Observations {
    observations: Vec<Observed>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Observed {
    /// The name of the entity to add the observations to
    entity_name: String,
    /// An array of observation contents to add
    contents: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Added {
    results: Vec<AddedTo>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct AddedTo {
    entity_name: String,
    added_observations: Vec<String>,
}

impl Told for Added {
    fn text(&self) -> String {
        json(&self.results)
    }
}

impl Verb for AddObservations {
    const NAME: &'static str = "add_observations";
    const TITLE: &'static str = "Add Observations";
    const ABOUT: &'static str = "Add new observations to existing entities in the knowledge graph";
    const EFFECT: Effect = Effect::Adds;
    type Args = Observations;
    type Answer = Added;

    async fn run(mut memory: Memory, args: Observations) -> Result<Added, Status> {
        let names: Vec<_> = args.observations.iter().map(|to| to.entity_name.clone()).collect();
        let known = gathered(&mut memory, &names).await?;
        let mut results = Vec::new();
        let mut kinds = Vec::new();
        for Observed { entity_name, mut contents } in args.observations {
            let entity = must_exist(&known, &entity_name)?;
            contents.retain(|text| !entity.observations.contains(text));
            kinds.extend(contents.iter().map(|text| {
                assert(object::triple(&entity.name, OBSERVATION, Some(object::text(text))))
            }));
            results.push(AddedTo { entity_name, added_observations: contents });
        }
        if !kinds.is_empty() {
            memory.transact(kinds, None).await?;
        }
        Ok(Added { results })
    }
}
