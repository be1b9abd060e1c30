//! A model behind an `/embeddings` endpoint of the shape that `OpenAI` made common.
//!
//! Every reply is checked: as many embeddings as texts, each for one text, all of one dimension,
//! each a direction. One that fails a check fails the call, and nothing of it is used.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::types::limits::{
    EMBED_INPUT_BYTES_MAX, EMBED_INPUTS_MAX, EMBED_NUMBER_BYTES_MAX, MODEL_REPLY_BYTES_MAX,
    MODEL_TEXT_BYTES_MAX, VECTOR_NUMBERS_MAX,
};
use crate::types::{Cost, Vector};

use super::address::Address;
use super::builtin::StaticModel;
use super::cache::QueryCache;
use super::call::{CallConfig, Caller, in_range};
use super::error::{ConfigError, EmbedError};
use super::key::ApiKey;
use super::text::cut_at;
use super::usage::Usage;

#[derive(Clone, Debug)]
pub struct EndpointConfig {
    pub address: Address,
    pub model: String,
    /// Asked of the model, and held against every reply. Where it is not set the model is not
    /// asked, and its first reply settles it.
    pub dimensions: Option<usize>,
    pub key: Option<ApiKey>,
    /// Texts of one request.
    pub batch_inputs: usize,
    /// Bytes of text of one request; a longer text goes alone.
    pub batch_bytes: usize,
    /// Bytes that are sent of one text, for models that refuse long ones.
    pub text_bytes: usize,
    /// Put before a question, as `query: ` for the E5 models.
    pub query_prefix: String,
    /// Put before a stored text, as `passage: ` for the E5 models.
    pub passage_prefix: String,
    pub call: CallConfig,
}

impl EndpointConfig {
    #[must_use]
    pub fn new(address: Address, model: &str) -> EndpointConfig {
        EndpointConfig {
            address,
            model: model.to_owned(),
            dimensions: None,
            key: None,
            batch_inputs: 64,
            batch_bytes: EMBED_INPUT_BYTES_MAX / 4,
            text_bytes: MODEL_TEXT_BYTES_MAX,
            query_prefix: String::new(),
            passage_prefix: String::new(),
            call: CallConfig::default(),
        }
    }
}

#[derive(Debug)]
pub struct Endpoint {
    config: EndpointConfig,
    caller: Caller,
    dimension: OnceLock<usize>,
    queries: QueryCache,
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    input: &'a [Cow<'a, str>],
    #[serde(skip_serializing_if = "Option::is_none")]
    dimensions: Option<usize>,
}

#[derive(Deserialize)]
struct Reply {
    data: Vec<Embedding>,
    /// Not every server has it, and a strange one costs no more than the count.
    #[serde(default)]
    usage: Value,
}

#[derive(Deserialize)]
struct Embedding {
    /// Where it is missing the order is that of the texts.
    index: Option<u64>,
    embedding: Vec<f32>,
}

/// Vectors, or what is wrong with them, and the tokens that the other side counted.
type Posted = (Result<Vec<Vector>, EmbedError>, Option<u64>);

impl Endpoint {
    /// Does not call the model.
    ///
    /// # Errors
    /// [`ConfigError`].
    pub fn new(config: EndpointConfig) -> Result<Endpoint, ConfigError> {
        if config.model.trim().is_empty() {
            return Err(ConfigError::NoModel);
        }
        in_range("batch_inputs", config.batch_inputs as u64, EMBED_INPUTS_MAX as u64)?;
        in_range("batch_bytes", config.batch_bytes as u64, EMBED_INPUT_BYTES_MAX as u64)?;
        in_range("text_bytes", config.text_bytes as u64, MODEL_TEXT_BYTES_MAX as u64)?;
        let dimension = OnceLock::new();
        if let Some(declared) = config.dimensions {
            in_range("dimensions", declared as u64, VECTOR_NUMBERS_MAX as u64)?;
            dimension.get_or_init(|| declared);
        }
        let url = config.address.of("/v1", "/embeddings");
        let caller = Caller::new(url, config.key.clone(), config.call)?;
        Ok(Endpoint { config, caller, dimension, queries: QueryCache::default() })
    }

    #[must_use]
    pub fn model_name(&self) -> &str {
        &self.config.model
    }

    /// Asks the model for one vector if nobody has said the dimension yet.
    ///
    /// # Errors
    /// [`EmbedError`].
    pub async fn dimension(&self) -> Result<usize, EmbedError> {
        if let Some(dimension) = self.dimension.get() {
            return Ok(*dimension);
        }
        let probe = [self.input(&self.config.passage_prefix, "dimension")];
        let vectors = self.call(&probe, &mut Cost::default()).await?;
        Ok(vectors.first().map_or(0, Vector::dimension))
    }

    /// `None` for a text without a word, which is not sent.
    ///
    /// # Errors
    /// [`EmbedError`].
    pub async fn embed_query(&self, text: &str) -> Result<Option<Vector>, EmbedError> {
        self.query(text, &mut Cost::default()).await
    }

    /// The same, adding what it cost, also where it fails. What is at hand costs nothing.
    ///
    /// # Errors
    /// [`EmbedError`].
    pub async fn query(&self, text: &str, cost: &mut Cost) -> Result<Option<Vector>, EmbedError> {
        if text.trim().is_empty() {
            return Ok(None);
        }
        if let Some(vector) = self.queries.get(text) {
            self.caller.counters.cache_hits.add(1);
            return Ok(Some(vector));
        }
        let input = [self.input(&self.config.query_prefix, text)];
        let vector = self.call(&input, cost).await?.pop();
        if let Some(vector) = &vector {
            self.queries.put(text, vector.clone());
        }
        Ok(vector)
    }

    /// In the order of the texts; `None` for a text without a word, which is not sent. All or
    /// nothing, although the batches go one after the other.
    ///
    /// # Errors
    /// [`EmbedError`].
    pub async fn embed_passages(
        &self,
        texts: &[String],
    ) -> Result<Vec<Option<Vector>>, EmbedError> {
        self.passages(texts, &mut Cost::default()).await
    }

    /// The same, adding what it cost, also where it fails.
    ///
    /// # Errors
    /// [`EmbedError`].
    pub async fn passages(
        &self,
        texts: &[String],
        cost: &mut Cost,
    ) -> Result<Vec<Option<Vector>>, EmbedError> {
        let sent = (0..texts.len()).filter(|at| !texts[*at].trim().is_empty());
        let sent: Vec<usize> = sent.collect();
        let prefix = &self.config.passage_prefix;
        let inputs: Vec<Cow<str>> = sent.iter().map(|at| self.input(prefix, &texts[*at])).collect();
        let mut vectors = vec![None; texts.len()];
        let lengths = inputs.iter().map(|input| input.len());
        for batch in batches(lengths, self.config.batch_inputs, self.config.batch_bytes) {
            let answered = self.call(&inputs[batch.clone()], cost).await?;
            for (at, vector) in sent[batch].iter().zip(answered) {
                vectors[*at] = Some(vector);
            }
        }
        Ok(vectors)
    }

    #[must_use]
    pub fn usage(&self) -> Usage {
        self.caller.counters.usage()
    }

    fn input<'a>(&self, prefix: &str, text: &'a str) -> Cow<'a, str> {
        let text = cut_at(text, self.config.text_bytes);
        if prefix.is_empty() { text.into() } else { format!("{prefix}{text}").into() }
    }

    async fn call(
        &self,
        input: &[Cow<'_, str>],
        cost: &mut Cost,
    ) -> Result<Vec<Vector>, EmbedError> {
        let called = self.post(input).await;
        cost.calls += 1;
        cost.failures += u64::from(!matches!(called, Ok((Ok(_), _))));
        let (vectors, said) = called?;
        let tokens = said.unwrap_or_else(|| {
            let count = |text: &Cow<'_, str>| StaticModel::shared().count_tokens(text) as u64;
            let tokens = input.iter().map(count).sum();
            cost.estimated_tokens += tokens;
            tokens
        });
        cost.prompt_tokens += tokens;
        vectors
    }

    /// What came back, and how many tokens the other side counted.
    async fn post(&self, input: &[Cow<'_, str>]) -> Result<Posted, EmbedError> {
        let EndpointConfig { model, dimensions, .. } = &self.config;
        let request = Request { model, input, dimensions: *dimensions };
        let numbers_max = input.len() * self.dimension.get().unwrap_or(&VECTOR_NUMBERS_MAX);
        let bytes_max = MODEL_REPLY_BYTES_MAX + numbers_max * EMBED_NUMBER_BYTES_MAX;
        let reply: Reply = self.caller.post(&request, bytes_max).await?;
        let tokens = reply.usage.get("total_tokens").and_then(Value::as_u64);
        let counters = &self.caller.counters;
        counters.tokens.add(tokens.unwrap_or(0));
        let checked = self.check(reply.data, input.len());
        match &checked {
            Ok(vectors) => counters.inputs.add(vectors.len() as u64),
            Err(_) => counters.failures.add(1),
        }
        Ok((checked, tokens))
    }

    fn check(&self, data: Vec<Embedding>, sent: usize) -> Result<Vec<Vector>, EmbedError> {
        if data.len() != sent {
            return Err(EmbedError::WrongCount { sent, received: data.len() });
        }
        let mut placed: Vec<Option<Vector>> = vec![None; sent];
        let first = data.first().map_or(0, |first| first.embedding.len());
        let expected = self.dimension.get().copied().unwrap_or(first);
        for (at, Embedding { index, embedding }) in data.into_iter().enumerate() {
            let index = index.unwrap_or(at as u64);
            let place = usize::try_from(index).ok().and_then(|index| placed.get_mut(index));
            let Some(place @ None) = place else {
                return Err(EmbedError::BadIndex { index, sent });
            };
            if embedding.len() != expected {
                let received = embedding.len();
                return Err(EmbedError::WrongDimension { expected, received });
            }
            let vector = Vector::new(&embedding);
            *place = Some(vector.map_err(|source| EmbedError::BadVector { index, source })?);
        }
        // Another call may have settled it meanwhile.
        let settled = *self.dimension.get_or_init(|| expected);
        if settled != expected {
            return Err(EmbedError::WrongDimension { expected: settled, received: expected });
        }
        Ok(placed.into_iter().flatten().collect())
    }
}

/// Cuts what is to be sent where one more would pass a bound. What is too long goes alone.
fn batches(
    lengths: impl Iterator<Item = usize>,
    inputs_max: usize,
    bytes_max: usize,
) -> Vec<Range<usize>> {
    let mut batches: Vec<Range<usize>> = Vec::new();
    let mut bytes = 0;
    for (at, length) in lengths.enumerate() {
        bytes += length;
        match batches.last_mut() {
            Some(batch) if batch.len() < inputs_max && bytes <= bytes_max => batch.end += 1,
            _ => {
                batches.push(at..at + 1);
                bytes = length;
            }
        }
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_keep_both_bounds_and_leave_nothing_out() {
        for (lengths, expected) in [
            (vec![], vec![]),
            (vec![1; 3], std::iter::once(0..3).collect()),
            (vec![1; 7], vec![0..3, 3..6, 6..7]),
            (vec![5, 5, 1], vec![0..2, 2..3]),
            (vec![11, 1, 11, 11], vec![0..1, 1..2, 2..3, 3..4]),
        ] {
            let found = batches(lengths.iter().copied(), 3, 10);
            assert_eq!(found, expected, "{lengths:?}");
        }
    }
}
