//! The worker that gives documents their vectors: asks the engine what waits, the embedder for
//! vectors, and hands them back. A write never waits for it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;
use tracing::{info, warn};

use crate::engine::{Engine, SpaceSpec, SubmitError};
use crate::models::Models;
use crate::types::Name;

/// How long an embedder that failed is left alone, at first and at most.
const REST_MIN: Duration = Duration::from_millis(500);
const REST_MAX: Duration = Duration::from_secs(30);

/// Runs until it is dropped.
pub(super) async fn embed(engine: Engine, models: Arc<Models>) {
    let mut waiting: BTreeSet<Name> = BTreeSet::new();
    let mut rest = REST_MIN;
    loop {
        if waiting.is_empty() {
            engine.something_to_embed().await;
        }
        waiting.extend(engine.waiting_for_vectors());
        let Some(spec) = spec(&models).await else {
            sleep(rest).await;
            rest = (rest * 2).min(REST_MAX);
            continue;
        };
        let mut failed = false;
        for name in std::mem::take(&mut waiting) {
            if let Err(failure) = namespace(&engine, &models, &name, &spec).await {
                warn!(%failure, "texts could not be embedded; trying again");
                waiting.insert(name);
                failed = true;
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

/// Embeds until nothing waits.
async fn namespace(
    engine: &Engine,
    models: &Models,
    name: &Name,
    spec: &SpaceSpec,
) -> Result<(), String> {
    let Some(embedder) = &models.embedder else { return Ok(()) };
    loop {
        let work = match engine.to_embed(name, spec).await {
            Ok(Some(work)) => work,
            Ok(None) | Err(SubmitError::NamespaceUnknown { .. } | SubmitError::Closed) => {
                return Ok(());
            }
            Err(error) => return Err(error.to_string()),
        };
        let vectors = if work.texts.is_empty() {
            Vec::new()
        } else {
            embedder.embed_passages(&work.texts).await.map_err(|error| error.to_string())?
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

/// Says once at start what the server embeds with.
pub(super) fn announce(models: &Models) {
    match &models.embedder {
        Some(embedder) => info!(model = embedder.model_name(), "texts are embedded"),
        None => info!("texts are not embedded; vectors are those that callers supply"),
    }
}
