//! Entities and relations as the reference memory server has them.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rpc::proto::operation::Operation as Kind;
use crate::rpc::proto::{Assert, Rectangle, Retract, Triple};

use super::super::object;
use super::super::verb::Told;

pub(super) const OBSERVATION: &str = "observation";
pub(super) const ENTITY_TYPE: &str = "entity_type";
/// What an entity is of which no type was said.
const UNTYPED: &str = "entity";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Entity {
    /// The name of the entity
    pub(super) name: String,
    /// The type of the entity
    #[serde(rename = "entityType")]
    pub(super) kind: String,
    /// An array of observation contents associated with the entity
    pub(super) observations: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Relation {
    /// The name of the entity where the relation starts
    pub(super) from: String,
    /// The name of the entity where the relation ends
    pub(super) to: String,
    /// The type of the relation
    #[serde(rename = "relationType")]
    pub(super) kind: String,
}

#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub(super) struct Graph {
    pub(super) entities: Vec<Entity>,
    pub(super) relations: Vec<Relation>,
}

impl Told for Graph {
    fn text(&self) -> String {
        json(self)
    }
}

/// As the reference server writes what it answers.
pub(super) fn json(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("an answer has text keys only")
}

/// What a name is compared by.
pub(super) fn key(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

pub(super) fn assert(triple: Triple) -> Kind {
    Kind::Assert(Assert { triple: Some(triple), ..Default::default() })
}

pub(super) fn retract(triple: Triple) -> Kind {
    Kind::Retract(Retract { triple: Some(triple), ..Default::default() })
}

impl Entity {
    pub(super) fn kinds(&self) -> Vec<Kind> {
        let said = |predicate, text: &str| {
            assert(object::triple(&self.name, predicate, Some(object::text(text))))
        };
        let observed = self.observations.iter().map(|text| said(OBSERVATION, text));
        std::iter::once(said(ENTITY_TYPE, &self.kind)).chain(observed).collect()
    }
}

impl Relation {
    pub(super) fn triple(&self) -> Triple {
        object::triple(&self.from, &self.kind, Some(object::entity(&self.to)))
    }

    pub(super) fn same(&self, other: &Relation) -> bool {
        key(&self.from) == key(&other.from)
            && key(&self.to) == key(&other.to)
            && key(&self.kind) == key(&other.kind)
    }
}

/// What a fact is here.
pub(super) enum Piece {
    Type(String),
    Observation(String),
    Relation(Relation),
}

impl Piece {
    pub(super) fn of(row: &Rectangle) -> Option<Piece> {
        let shown = object::shown(row.object.as_ref());
        let plain = |value: serde_json::Value| match value {
            serde_json::Value::String(text) => text,
            value => value.to_string(),
        };
        Some(match shown {
            (Some(to), _) => {
                let (from, kind) = (row.subject.clone(), row.predicate.clone());
                Piece::Relation(Relation { from, to, kind })
            }
            (None, Some(value)) => match row.predicate.as_str() {
                ENTITY_TYPE => Piece::Type(plain(value)),
                OBSERVATION => Piece::Observation(plain(value)),
                other => Piece::Observation(format!("{other}: {}", plain(value))),
            },
            (None, None) => return None,
        })
    }
}

/// Rows as a graph, in the order they come.
#[derive(Default)]
pub(super) struct Gathered {
    graph: Graph,
    places: HashMap<String, usize>,
}

impl Gathered {
    pub(super) fn of(rows: &[Rectangle]) -> Gathered {
        let mut gathered = Gathered::default();
        for row in rows {
            let Some(piece) = Piece::of(row) else { continue };
            let subject = gathered.entity(&row.subject);
            match piece {
                Piece::Type(text) => subject.kind = text,
                Piece::Observation(text) => subject.observations.push(text),
                Piece::Relation(relation) => {
                    gathered.entity(&relation.to);
                    gathered.graph.relations.push(relation);
                }
            }
        }
        gathered
    }

    fn entity(&mut self, name: &str) -> &mut Entity {
        let entities = &mut self.graph.entities;
        let place = *self.places.entry(key(name)).or_insert_with(|| {
            let (name, kind) = (name.to_owned(), UNTYPED.to_owned());
            entities.push(Entity { name, kind, observations: Vec::new() });
            entities.len() - 1
        });
        &mut entities[place]
    }

    pub(super) fn find(&self, name: &str) -> Option<&Entity> {
        self.places.get(&key(name)).map(|place| &self.graph.entities[*place])
    }

    pub(super) fn relations(&self) -> &[Relation] {
        &self.graph.relations
    }

    pub(super) fn whole(self) -> Graph {
        self.graph
    }

    /// The entities that are wanted, and every relation that touches one of them.
    pub(super) fn around(self, wanted: impl Fn(&Entity) -> bool) -> Graph {
        let Graph { mut entities, mut relations } = self.graph;
        entities.retain(wanted);
        let names: std::collections::HashSet<_> =
            entities.iter().map(|entity| key(&entity.name)).collect();
        relations.retain(|relation| {
            names.contains(&key(&relation.from)) || names.contains(&key(&relation.to))
        });
        Graph { entities, relations }
    }
}
