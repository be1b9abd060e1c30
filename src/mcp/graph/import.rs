//! The file of the reference memory server, line by line.

use serde::Deserialize;
use tonic::Status;

use crate::rpc::proto::operation::Operation as Kind;
use crate::types::limits::OPS_MAX;

use super::super::memory::Memory;
use super::model::{Entity, Relation, assert};

/// Operations of one transaction, far enough below the bound for one entity of many observations.
const BATCH: usize = OPS_MAX / 10;

/// What a line holds.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line {
    Entity(Entity),
    Relation(Relation),
}

/// What became of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    pub entities: usize,
    pub relations: usize,
    /// Lines that are neither, by their number from 1, with the reason.
    pub left_out: Vec<(usize, String)>,
}

/// Asserts what the lines hold. Doing it again changes nothing.
///
/// # Errors
/// What the server refused; what came before stays.
pub async fn import(
    mut memory: Memory,
    lines: impl Iterator<Item = String>,
) -> Result<Imported, Status> {
    let mut imported = Imported::default();
    let mut kinds: Vec<Kind> = Vec::new();
    for (place, line) in lines.enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match serde_json::from_str(&line) {
            Ok(Line::Entity(entity)) => {
                imported.entities += 1;
                kinds.extend(entity.kinds());
            }
            Ok(Line::Relation(relation)) => {
                imported.relations += 1;
                kinds.push(assert(relation.triple()));
            }
            Err(error) => imported.left_out.push((place + 1, error.to_string())),
        }
        while kinds.len() >= BATCH {
            let rest = kinds.split_off(BATCH);
            memory.transact(std::mem::replace(&mut kinds, rest), None).await?;
        }
    }
    if !kinds.is_empty() {
        memory.transact(kinds, None).await?;
    }
    Ok(imported)
}
