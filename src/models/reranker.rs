//! A model that reads a question and a document together and says how well they fit: slower and
//! better than vectors, so it is asked about few.
//!
//! Every document gets one finite score, or the call failed.

use serde::{Deserialize, Serialize};

use crate::types::limits::{MODEL_REPLY_BYTES_MAX, MODEL_TEXT_BYTES_MAX, RERANK_DOCUMENTS_MAX};

use super::address::Address;
use super::call::{CallConfig, Caller, in_range};
use super::error::{ConfigError, RerankError};
use super::key::ApiKey;
use super::text::cut_at;
use super::usage::Usage;

/// Whose `/rerank` it is; they agree in little but the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum RerankShape {
    /// `{"query", "texts"}` gives `[{"index", "score"}]`, as in `text-embeddings-inference`.
    #[default]
    Tei,
    /// `{"query", "documents"}` gives `{"results": [{"index", "relevance_score"}]}`, as with
    /// Cohere and Jina.
    Cohere,
}

#[derive(Clone, Debug)]
pub struct RerankerConfig {
    pub address: Address,
    pub shape: RerankShape,
    /// Sent only if set.
    pub model: Option<String>,
    pub key: Option<ApiKey>,
    /// Bytes that are sent of the question and of each document.
    pub text_bytes: usize,
    pub call: CallConfig,
}

impl RerankerConfig {
    #[must_use]
    pub fn new(address: Address) -> RerankerConfig {
        RerankerConfig {
            address,
            shape: RerankShape::default(),
            model: None,
            key: None,
            text_bytes: MODEL_TEXT_BYTES_MAX,
            call: CallConfig::default(),
        }
    }
}

#[derive(Debug)]
pub struct Reranker {
    config: RerankerConfig,
    caller: Caller,
}

/// The score of the document at `index` of those that were given. Scores of different calls
/// compare, scores of different models do not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    pub index: usize,
    pub score: f32,
}

#[derive(Serialize, Default)]
struct Request<'a> {
    query: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    texts: Option<&'a [&'a str]>,
    /// Too long for the model is no error of ours.
    #[serde(skip_serializing_if = "Option::is_none")]
    truncate: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    documents: Option<&'a [&'a str]>,
}

#[derive(Deserialize)]
struct Results {
    results: Vec<Scored>,
}

#[derive(Deserialize)]
struct Scored {
    index: u64,
    #[serde(alias = "relevance_score")]
    score: f32,
}

impl Reranker {
    /// Does not call the model.
    ///
    /// # Errors
    /// [`ConfigError`].
    pub fn new(config: RerankerConfig) -> Result<Reranker, ConfigError> {
        in_range("text_bytes", config.text_bytes as u64, MODEL_TEXT_BYTES_MAX as u64)?;
        let url = config.address.of("", "/rerank");
        let caller = Caller::new(url, config.key.clone(), config.call)?;
        Ok(Reranker { config, caller })
    }

    /// Best first; equal scores in the order given.
    ///
    /// # Errors
    /// [`RerankError`].
    pub async fn rerank(
        &self,
        query: &str,
        documents: &[&str],
    ) -> Result<Vec<Ranked>, RerankError> {
        let sent = documents.len();
        if sent > RERANK_DOCUMENTS_MAX {
            return Err(RerankError::TooMany { sent, max: RERANK_DOCUMENTS_MAX });
        }
        if sent == 0 {
            return Ok(Vec::new());
        }
        let cut = |text| cut_at(text, self.config.text_bytes);
        let documents: Vec<&str> = documents.iter().map(|text| cut(text)).collect();
        let ranked = check(self.call(cut(query), &documents).await?, sent);
        match &ranked {
            Ok(ranked) => self.caller.counters.inputs.add(ranked.len() as u64),
            Err(_) => self.caller.counters.failures.add(1),
        }
        ranked
    }

    #[must_use]
    pub fn usage(&self) -> Usage {
        self.caller.counters.usage()
    }

    async fn call(&self, query: &str, documents: &[&str]) -> Result<Vec<Scored>, RerankError> {
        let model = self.config.model.as_deref();
        let request = Request { query, model, ..Request::default() };
        // Some send the documents back.
        let sent: usize = documents.iter().map(|text| text.len()).sum();
        let bytes_max = MODEL_REPLY_BYTES_MAX * (1 + documents.len()) + 2 * sent;
        match self.config.shape {
            RerankShape::Tei => {
                let request = Request { texts: Some(documents), truncate: Some(true), ..request };
                Ok(self.caller.post(&request, bytes_max).await?)
            }
            RerankShape::Cohere => {
                let request = Request { documents: Some(documents), ..request };
                let Results { results } = self.caller.post(&request, bytes_max).await?;
                Ok(results)
            }
        }
    }
}

fn check(scored: Vec<Scored>, sent: usize) -> Result<Vec<Ranked>, RerankError> {
    if scored.len() != sent {
        return Err(RerankError::WrongCount { sent, received: scored.len() });
    }
    let mut seen = vec![false; sent];
    let mut ranked = Vec::with_capacity(sent);
    for Scored { index, score } in scored {
        let place = usize::try_from(index).ok().filter(|place| seen.get(*place) == Some(&false));
        let Some(place) = place else { return Err(RerankError::BadIndex { index, sent }) };
        if !score.is_finite() {
            return Err(RerankError::NotFinite { index: place });
        }
        seen[place] = true;
        ranked.push(Ranked { index: place, score });
    }
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.index.cmp(&b.index)));
    Ok(ranked)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// JSON has no such numbers; a parser that rounds up to them must not be the only guard.
    #[test]
    fn a_score_that_is_not_finite_ranks_nothing() {
        for score in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let refused = check(vec![Scored { index: 0, score }], 1);
            assert!(matches!(refused, Err(RerankError::NotFinite { index: 0 })), "{refused:?}");
        }
    }
}
