//! The worker that gives documents their vectors: asks the engine what waits, the embedder for
//! vectors, and hands them back. A write never waits for it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{sleep, timeout};
use tracing::{info, warn};

use crate::engine::{Engine, SpaceSpec, SubmitError};
use crate::models::Models;
use crate::types::{Cost, Name, Purpose};

/// How long an embedder that failed is left alone, at first and at most.
const REST_MIN: Duration = Duration::from_millis(500);
const REST_MAX: Duration = Duration::from_secs(30);

/// Runs until it is dropped.
pub(super) async fn embed(engine: Engine, models: Arc<Models>) {
    let mut waiting: BTreeSet<Name> = BTreeSet::new();
    // Those whose budget was spent the last time.
    let mut unpaid: BTreeSet<Name> = BTreeSet::new();
    let mut rest = REST_MIN;
    loop {
        if waiting.is_empty() && unpaid.is_empty() {
            engine.something_to_embed().await;
        } else if waiting.is_empty() {
            // A budget comes back with the day, or with another bound, which wakes it.
            drop(timeout(REST_MAX, engine.something_to_embed()).await);
        }
        waiting.append(&mut unpaid);
        waiting.extend(engine.waiting_for_vectors());
        let Some(spec) = spec(&models).await else {
            sleep(rest).await;
            rest = (rest * 2).min(REST_MAX);
            continue;
        };
        let mut failed = false;
        for name in std::mem::take(&mut waiting) {
            match namespace(&engine, &models, &name, &spec).await {
                Ok(Ended::Done) => {}
                Ok(Ended::Unpaid) => {
                    unpaid.insert(name);
                }
                Err(failure) => {
                    warn!(%failure, "texts could not be embedded; trying again");
                    waiting.insert(name);
                    failed = true;
                }
            }
        }
        if failed {
            sleep(rest).await;
            rest = (rest * 2).min(REST_MAX);
        } else {
            rest = REST_MIN;
        }
    }
}

async fn spec(models: &Models) -> Option<SpaceSpec> {
    match models.space().await {
        Ok(Some((model, dimension))) => {
            let dimension = u32::try_from(dimension).expect("a dimension is bounded");
            Some(SpaceSpec { model, dimension, supplied: false })
        }
        Ok(None) => None,
        Err(error) => {
            warn!(%error, "the embedder does not tell its dimension yet");
            None
        }
    }
}

/// How the work on a namespace ended.
enum Ended {
    Done,
    /// Its budget is spent, and documents wait.
    Unpaid,
}

/// Embeds until nothing waits.
async fn namespace(
    engine: &Engine,
    models: &Models,
    name: &Name,
    spec: &SpaceSpec,
) -> Result<Ended, String> {
    let Some(embedder) = &models.embedder else { return Ok(Ended::Done) };
    loop {
        let work = match engine.to_embed(name, spec).await {
            Ok(Some(work)) => work,
            Ok(None) | Err(SubmitError::NamespaceUnknown { .. } | SubmitError::Closed) => {
                return Ok(Ended::Done);
            }
            Err(error) => return Err(error.to_string()),
        };
        let vectors = if work.texts.is_empty() {
            Vec::new()
        } else {
            if !models.is_built_in() && !engine.may_spend(name, Purpose::EmbedDocument) {
                return Ok(Ended::Unpaid);
            }
            let mut cost = Cost::default();
            let vectors = embedder.passages(&work.texts, &mut cost).await;
            engine.spent(name, Purpose::EmbedDocument, &cost);
            vectors.map_err(|error| error.to_string())?
        };
        let other =
            vectors.iter().flatten().find(|vector| vector.dimension() != spec.dimension as usize);
        if let Some(other) = other {
            let (found, expected) = (other.dimension(), spec.dimension);
            return Err(format!("the embedder gave {found} numbers, the space has {expected}"));
        }
        engine.embedded(work, vectors).await.map_err(|error| error.to_string())?;
    }
}

/// Says once at start what the server embeds and writes with.
pub(super) fn announce(models: &Models) {
    match &models.embedder {
        Some(embedder) => info!(model = embedder.model_name(), "texts are embedded"),
        None => info!("texts are not embedded; vectors are those that callers supply"),
    }
    if let Some(chat) = &models.chat {
        info!(model = chat.model_name(), "summaries are written by a chat model");
    }
}
