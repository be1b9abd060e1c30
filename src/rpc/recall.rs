//! `Recall`: the vector of the question, the search, the cross-encoder, the bounds of the answer.

use std::time::Instant;

use crate::engine::{Answer, Evidence, RecallError, SpaceSpec, Step, mismatch, shown};
use crate::models::StaticModel;
use crate::query::recall::{Found, Hit};
use crate::query::{Halt, Row, Snapshot, entity_info};
use crate::types::limits::{HITS_MAX, RERANK_HITS_MAX};
use crate::types::{Cost, Grant, Purpose, Role, Vector};
use tonic::Status;

use super::caller::Caller;
use super::context::Context;
use super::from_proto::{Form, Recall};
use super::legs::{Asked, OVER_BUDGET, reports};
use super::place::{at, number};
use super::status::{VECTOR_MISMATCH, rejected, status};
use super::{failure, proto, render};

/// Documents from which on a search is worth a change of threads.
const DOCUMENTS_INLINE: usize = 200_000;

pub(super) async fn recall(
    context: &Context,
    caller: &Caller,
    request: proto::RecallRequest,
) -> Result<proto::RecallResponse, Status> {
    let (namespace, zone) = context.namespace(caller, Role::Reader, &request.namespace)?;
    let mut form = Form::new(zone);
    let asked = form.recall(&request);
    let asked = failure::form(form.finish(|| asked))?;
    answer(context, &namespace, asked).await
}

/// The same for a question that was read.
pub(super) async fn answer(
    context: &Context,
    namespace: &Grant,
    mut asked: Recall,
) -> Result<proto::RecallResponse, Status> {
    let here = asked.query.legs.vector && context.models().is_built_in();
    let embeds = here.then_some(StaticModel::NAME);
    let caught_up = context.engine().caught_up(namespace, embeds).await;
    caught_up.map_err(|error| failure::read(&error))?;
    let (vector, skipped) = vector(context, namespace, &asked).await?;
    let limit = asked.query.limit;
    asked.query.vector = vector;
    if asked.rerank {
        asked.query.limit = limit.clamp(RERANK_HITS_MAX, HITS_MAX);
    }
    let answer = search(context, namespace, &asked).await?;
    let basis = answer.basis;
    let as_of = at(basis.valid.micros(), number(basis.tx));
    let mut shown = context.read(namespace, as_of, |snapshot| {
        response(snapshot, &answer, &Asked { recall: &asked, skipped })
    })?;
    if asked.rerank {
        rerank(context, namespace, &asked.query.words, &mut shown).await;
        shown.left_out += leave_out(&mut shown.hits, limit);
    }
    if let Some(budget) = asked.token_budget {
        spend(&mut shown, budget);
    }
    let news = shown.hits.iter().filter(|hit| !is_turn(hit)).map(|hit| hit.text.as_str());
    context.echoes().give(namespace, news, context.engine().now());
    Ok(shown)
}

/// What was said in a conversation is its own source: its words are no echo of the memory.
fn is_turn(hit: &proto::Hit) -> bool {
    hit.episode.as_ref().is_some_and(|episode| {
        [proto::EpisodeKind::Turn, proto::EpisodeKind::ToolResult].contains(&episode.kind())
    })
}

/// The question in the space of the namespace, or why there is none.
async fn vector(
    context: &Context,
    namespace: &Grant,
    asked: &Recall,
) -> Result<(Option<Vector>, Option<String>), Status> {
    let space = context.engine().space(namespace).map_err(|error| failure::read(&error))?;
    if let Some(supplied) = &asked.vector {
        let misfit = space.as_ref().and_then(|space| {
            mismatch(supplied.vector.dimension(), supplied.model.as_deref(), space)
        });
        return match misfit {
            Some(detail) => Err(status(VECTOR_MISMATCH, &format!("vector: {detail}"), &[])),
            None => Ok((Some(supplied.vector.clone()), None)),
        };
    }
    if !asked.query.legs.vector || asked.query.words.trim().is_empty() {
        return Ok((None, None));
    }
    let Some(space) = space else { return Ok((None, None)) };
    Ok(embedded(context, namespace, &space, &asked.query.words).await)
}

pub(super) async fn embedded(
    context: &Context,
    namespace: &Grant,
    space: &SpaceSpec,
    words: &str,
) -> (Option<Vector>, Option<String>) {
    let refused = |detail: String| (None, Some(detail));
    if space.supplied {
        return refused(
            "the vectors of this namespace are supplied: send one with the question".to_owned(),
        );
    }
    let Some(embedder) = &context.models().embedder else {
        return refused(format!("the server has no embedder, the space is of {:?}", space.model));
    };
    if embedder.model_name() != space.model {
        let (server, model) = (embedder.model_name(), &space.model);
        return refused(format!(
            "the server embeds with {server:?}, the space is of {model:?}: reembed it"
        ));
    }
    let engine = context.engine();
    if !context.models().is_built_in() && !engine.may_spend(namespace, Purpose::EmbedQuery) {
        return refused(OVER_BUDGET.to_owned());
    }
    let (began, mut cost) = (Instant::now(), Cost::default());
    let made = embedder.query(words, &mut cost).await;
    engine.stepped(Step::Embed, began, usize::from(made.is_ok()), made.is_err());
    engine.spent(namespace, Purpose::EmbedQuery, &cost);
    match made {
        Ok(Some(vector)) if vector.dimension() == space.dimension as usize => (Some(vector), None),
        Ok(Some(vector)) => {
            let (found, expected) = (vector.dimension(), space.dimension);
            refused(format!("the embedder gave {found} numbers, the space has {expected}"))
        }
        Ok(None) => refused("the model knows no word of the question".to_owned()),
        Err(error) => refused(format!("the embedder failed: {error}")),
    }
}

async fn search(context: &Context, namespace: &Grant, asked: &Recall) -> Result<Answer, Status> {
    let as_of = asked.as_of;
    let documents = context.read(namespace, as_of, |snapshot| snapshot.documents.len())?;
    let answer = if documents <= DOCUMENTS_INLINE {
        context.engine().recall(namespace, as_of, &asked.query, &Halt::default())
    } else {
        let (engine, namespace, query) =
            (context.engine().clone(), namespace.clone(), asked.query.clone());
        let search = move |halt: &Halt| engine.recall(&namespace, as_of, &query, halt);
        context.aside_until(search).await?
    };
    answer.map_err(|error| match error {
        RecallError::Rejected(rejection) => rejected(&rejection, &[]),
        RecallError::Read(error) => failure::read(&error),
    })
}

fn response(snapshot: Snapshot<'_>, answer: &Answer, asked: &Asked<'_>) -> proto::RecallResponse {
    let hits = answer.recalled.hits.iter().zip(&answer.evidence);
    let seeds = answer.recalled.seeds.iter().map(|seed| proto::Seed {
        entity: Some(render::entity(snapshot.directory, &entity_info(snapshot, seed.entity))),
        words: seed.words.clone(),
        weight: seed.weight,
    });
    proto::RecallResponse {
        hits: hits.map(|(hit, evidence)| shown_hit(snapshot, hit, evidence)).collect(),
        basis: Some(render::basis(snapshot.directory, snapshot.basis)),
        legs: reports(answer, asked),
        seeds: seeds.collect(),
        left_out: u32::try_from(answer.recalled.left_out).unwrap_or(u32::MAX),
        tokens: 0,
        rerank_skipped: String::new(),
    }
}

fn shown_hit(snapshot: Snapshot<'_>, hit: &Hit, evidence: &Evidence) -> proto::Hit {
    let directory = snapshot.directory;
    let sources = &evidence.statements;
    let mut shown_hit = proto::Hit {
        score: hit.score,
        legs: hit.legs.iter().map(super::legs::share).collect(),
        signals: hit.signals.iter().map(super::legs::signal).collect(),
        sources: sources
            .iter()
            .map(|statement| render::statement(directory, statement, snapshot.basis.tx))
            .collect(),
        archived: hit.archived,
        path: hit.path.iter().map(|step| render::step(directory, step)).collect(),
        ..Default::default()
    };
    match hit.found {
        Found::Fact(triple) => {
            shown_hit.kind = proto::HitKind::Fact.into();
            shown_hit.fact = hit.row.map(|row: Row| render::rectangle(directory, &row));
            let said = sources.iter().find_map(|statement| statement.text.clone());
            shown_hit.text = said.unwrap_or_else(|| shown(snapshot, triple));
        }
        Found::Episode(_) => {
            shown_hit.kind = proto::HitKind::Episode.into();
            let episode = evidence.episode.as_ref();
            shown_hit.episode = episode.map(|episode| render::episode(snapshot, episode));
            shown_hit.text = episode.map_or_else(String::new, |episode| episode.text.clone());
        }
        Found::Entity(id) => {
            shown_hit.kind = proto::HitKind::Entity.into();
            let entity = render::entity(directory, &entity_info(snapshot, id));
            shown_hit.text.clone_from(&entity.name);
            shown_hit.entity = Some(entity);
        }
    }
    shown_hit
}

/// Puts the hits in the order of the cross-encoder. Where it cannot be used they stay as they are,
/// and the answer says so.
async fn rerank(
    context: &Context,
    namespace: &Grant,
    words: &str,
    shown: &mut proto::RecallResponse,
) {
    let Some(reranker) = &context.models().reranker else {
        "the server has no cross-encoder".clone_into(&mut shown.rerank_skipped);
        return;
    };
    let engine = context.engine();
    if !engine.may_spend(namespace, Purpose::Rerank) {
        OVER_BUDGET.clone_into(&mut shown.rerank_skipped);
        return;
    }
    let texts: Vec<&str> = shown.hits.iter().map(|hit| hit.text.as_str()).collect();
    let began = Instant::now();
    let ranked = reranker.rerank(words, &texts).await;
    engine.stepped(Step::Rerank, began, texts.len(), ranked.is_err());
    engine.spent(namespace, Purpose::Rerank, &reranked(words, &texts, ranked.is_err()));
    let ranked = match ranked {
        Ok(ranked) => ranked,
        Err(error) => {
            shown.rerank_skipped = format!("the cross-encoder failed: {error}");
            return;
        }
    };
    let mut hits: Vec<Option<proto::Hit>> =
        std::mem::take(&mut shown.hits).into_iter().map(Some).collect();
    for place in ranked {
        let mut hit = hits[place.index].take().expect("each text is ranked once");
        let (value, signal) = (place.score, "rerank".to_owned());
        hit.signals.push(proto::SignalShare { signal, value, share: 0.0 });
        shown.hits.push(hit);
    }
}

/// No such server says how much it read: the question once for each text.
fn reranked(words: &str, texts: &[&str], failed: bool) -> Cost {
    if texts.is_empty() {
        return Cost::default();
    }
    let count = |text: &str| StaticModel::shared().count_tokens(text) as u64;
    let each: u64 = texts.iter().map(|text| count(text)).sum();
    let tokens = each + count(words) * texts.len() as u64;
    Cost {
        calls: 1,
        failures: failed.into(),
        prompt_tokens: tokens,
        completion_tokens: 0,
        estimated_tokens: tokens,
    }
}

fn leave_out(hits: &mut Vec<proto::Hit>, limit: usize) -> u32 {
    let out = hits.len().saturating_sub(limit);
    hits.truncate(limit);
    u32::try_from(out).unwrap_or(u32::MAX)
}

/// Ends the list before its texts pass a number of tokens. The first hit always stays.
fn spend(shown: &mut proto::RecallResponse, budget: usize) {
    let mut tokens = 0;
    let mut kept = 0;
    for hit in &shown.hits {
        let more = StaticModel::shared().count_tokens(&hit.text);
        if kept > 0 && tokens + more > budget {
            break;
        }
        tokens += more;
        kept += 1;
    }
    shown.left_out += leave_out(&mut shown.hits, kept);
    shown.tokens = u32::try_from(tokens).unwrap_or(u32::MAX);
}
