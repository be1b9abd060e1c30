//! What is there of a text already: the same words, then the nearest vectors.

use tonic::Status;

use crate::agent::normal;
use crate::engine::{Answer, RecallError};
use crate::models::StaticModel;
use crate::query::recall::{FilterName, Found, Fusion, Hit, Kinds, Legs, Profile, RecallQuery};
use crate::query::{AsOf, Halt};
use crate::types::limits::RECALL_HOPS_DEFAULT;
use crate::types::{EpisodeKind, Grant, Policy, Timestamp, Vector};

use super::consolidate::{LIKE_MAX, Like};
use super::context::Context;
use super::{failure, recall};

/// Texts that are compared word for word.
const SAME_WORDS_HITS: usize = 3;

/// What is there already.
pub(super) struct Nearest {
    pub(super) found: Found,
    pub(super) cosine: Option<f32>,
}

pub(super) async fn caught_up(context: &Context, grant: &Grant) -> Result<(), Status> {
    let embeds = context.models().is_built_in().then_some(StaticModel::NAME);
    let caught_up = context.engine().caught_up(grant, embeds).await;
    caught_up.map_err(|error| failure::read(&error))
}

/// What is there of a text.
pub(super) enum Near {
    Same(Nearest),
    /// Texts that say something like it, the nearest first.
    Like(Vec<Like>),
}

pub(super) async fn near(
    context: &Context,
    grant: &Grant,
    policy: &Policy,
    text: &str,
) -> Result<Near, Status> {
    let answer = ask(context, grant, text, None)?;
    let mut found = answer.recalled.hits.iter().zip(&answer.evidence);
    let same = found.find(|(_, evidence)| {
        let said = evidence.statements.iter().filter_map(|said| said.text.as_deref());
        let noted = evidence.episode.as_ref().map(|episode| episode.text.as_str());
        said.chain(noted).any(|other| normal(other) == normal(text))
    });
    if let Some((hit, _)) = same {
        return Ok(Near::Same(Nearest { found: hit.found, cosine: None }));
    }
    let space = context.engine().space(grant).map_err(|error| failure::read(&error))?;
    let Some(space) = space else { return Ok(Near::Like(Vec::new())) };
    let Some(vector) = recall::embedded(context, grant, &space, text).await.0 else {
        return Ok(Near::Like(Vec::new()));
    };
    let near = policy.near(&space.model);
    let answer = ask(context, grant, "", Some(vector))?;
    let cosine = |hit: &Hit| hit.legs.iter().map(|leg| leg.score).fold(0.0, f32::max);
    let mut like = Vec::new();
    for (hit, evidence) in answer.recalled.hits.iter().zip(answer.evidence) {
        let cosine = cosine(hit);
        if f64::from(cosine) >= near {
            return Ok(Near::Same(Nearest { found: hit.found, cosine: Some(cosine) }));
        }
        let is_like = f64::from(cosine) >= policy.gate.ask_from;
        like.extend(evidence.episode.filter(|_| is_like).map(|episode| Like { episode, cosine }));
    }
    Ok(Near::Like(like))
}

fn ask(
    context: &Context,
    grant: &Grant,
    words: &str,
    vector: Option<Vector>,
) -> Result<Answer, Status> {
    let by_vector = vector.is_some();
    let query = RecallQuery {
        words: words.to_owned(),
        vector,
        seeds: Vec::new(),
        filter: FilterName {
            kinds: Some(Kinds { facts: true, episodes: true, entities: false }),
            episode_kinds: vec![
                EpisodeKind::Note,
                EpisodeKind::Failure,
                EpisodeKind::Procedure,
                EpisodeKind::Reflection,
            ],
            ..FilterName::default()
        },
        history: false,
        profile: Profile::default(),
        fusion: Fusion::default(),
        legs: Legs { text: !by_vector, vector: by_vector, graph: false },
        limit: if by_vector { LIKE_MAX } else { SAME_WORDS_HITS },
        score_min: 0.0,
        diversity: 0.0,
        hops: RECALL_HOPS_DEFAULT,
        now: Timestamp::MIN,
        // Looking whether something is there is no reading of it.
        current: false,
    };
    context.engine().recall(grant, AsOf::default(), &query, &Halt::default()).map_err(|error| {
        match error {
            RecallError::Rejected(rejection) => super::status::rejected(&rejection, &[]),
            RecallError::Read(error) => failure::read(&error),
        }
    })
}
