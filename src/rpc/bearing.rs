//! Hits of recall as texts that are held against a question.

use crate::agent::{Bearing, Candidate, names};
use crate::engine::{ReadError, shown};
use crate::query::{AsOf, Snapshot};
use crate::types::{FactId, Grant};

use super::context::Context;
use super::proto;

/// What the hits of a question must have to stand in its context. `asker`: who says "I" in this memory.
pub(super) fn bearing(
    context: &Context,
    grant: &Grant,
    query: &str,
    asker: &str,
    seeds: &[proto::Seed],
    candidates: &[Candidate],
) -> Result<Bearing, ReadError> {
    let mut known = Vec::new();
    for seed in seeds.iter().filter(|seed| !seed.words.is_empty()) {
        known.push(seed.words.clone());
        if let Some(entity) = &seed.entity {
            known.push(entity.name.clone());
            known.extend(entity.aliases.iter().cloned());
        }
    }
    let texts: Vec<&str> = candidates.iter().map(|candidate| candidate.text.as_str()).collect();
    let names = names(query, known, asker, &texts);
    let wanted = context.engine().wanted(grant, query)?;
    Ok(Bearing::new(names, wanted, candidates))
}

/// A hit as it is read, with what was said where it is a fact. `seeds` are what the question names.
pub(super) fn candidate(
    snapshot: Snapshot<'_>,
    hit: &proto::Hit,
    seeds: &[proto::Seed],
) -> Candidate {
    let leg = |leg: proto::Leg| hit.legs.iter().find(|share| share.leg() == leg);
    // An entity that only resembles the question leads nowhere for sure.
    let is_named = seeds.iter().any(|seed| seed.weight >= 1.0);
    let linked = is_named && leg(proto::Leg::Graph).is_some_and(|share| share.rank > 0);
    let cosine = leg(proto::Leg::Vector).map(|share| share.score);
    let fact = hit.fact.as_ref().and_then(|fact| fact.fact_id.parse().ok());
    let text = match (fact, &hit.episode) {
        (Some(FactId(triple)), _) => format!("{}. {}", shown(snapshot, triple), hit.text),
        (None, Some(episode)) if !episode.speaker.is_empty() => {
            format!("{}: {}", episode.speaker, hit.text)
        }
        _ => hit.text.clone(),
    };
    Candidate { text, linked, cosine }
}

/// All of them.
pub(super) fn candidates(
    context: &Context,
    grant: &Grant,
    as_of: AsOf,
    hits: &[proto::Hit],
    seeds: &[proto::Seed],
) -> Result<Vec<Candidate>, tonic::Status> {
    context.read(grant, as_of, |snapshot| {
        hits.iter().map(|hit| candidate(snapshot, hit, seeds)).collect()
    })
}
