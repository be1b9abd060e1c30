//! What a context is asked for.

use super::{Checked, Form, Recall};
use crate::agent::{Format, Language, SessionKey};
use crate::kernel::{Rejection, ViolationKind};
use crate::query::AsOf;
use crate::query::recall::{FilterName, Fusion, Legs, Profile, RecallQuery};
use crate::rpc::civil::Zone;
use crate::rpc::{bundle, proto};
use crate::types::limits::{
    CONTEXT_HITS_MAX, QUERY_BYTES_MAX, RECALL_HOPS_DEFAULT, TOKEN_BUDGET_MAX,
};
use crate::types::{Clearance, ContextPolicy, Scope, Timestamp, Trust};

#[derive(Clone, Debug)]
pub struct ContextQuery {
    pub key: Option<SessionKey>,
    pub scope: Scope,
    pub query: Option<String>,
    pub budgets: ContextPolicy,
    pub language: Option<Language>,
    pub format: Format,
    pub as_of: AsOf,
}

/// # Errors
/// A [`Rejection`] with every violation.
pub fn build_context(
    request: &proto::BuildContextRequest,
    zone: Zone,
    clearance: &Clearance,
    usual: ContextPolicy,
) -> Result<ContextQuery, Rejection> {
    let mut form = Form::new(zone).cleared(clearance);
    let key = request.key.as_ref().map(|key| form.session_key(Some(key))).transpose();
    let scope = form.whose("scope", request.scope.as_ref());
    if request.key.is_some() && request.scope.is_some() {
        let detail = "the session says whom it is for";
        form.fail("scope", ViolationKind::Malformed, detail);
    }
    let query = form.text("query", &request.query, QUERY_BYTES_MAX);
    let budgets = form.within("budgets", |form| form.budgets(request.budgets.as_ref(), usual));
    let language = form.language(request.language);
    let format = form.format(request.format);
    let as_of = form.as_of("as_of", request.as_of.as_ref());
    if request.key.is_none() && request.query.trim().is_empty() {
        form.fail("query", ViolationKind::Missing, "say what the context is for, or which session");
    }
    form.finish(|| {
        let key = key?;
        let scope = bundle::scope_of(key.as_ref(), scope?);
        Ok(ContextQuery {
            key,
            scope,
            query: query?,
            budgets: budgets?,
            language: language?,
            format: format?,
            as_of: as_of?,
        })
    })
}

/// The question that a context asks of recall.
#[must_use]
pub fn recall_for_context(query: &str, as_of: AsOf, current: bool, score_min: f32) -> Recall {
    let filter = FilterName { episode_kinds: bundle::KINDS.to_vec(), ..FilterName::default() };
    let query = RecallQuery {
        words: query.to_owned(),
        vector: None,
        seeds: Vec::new(),
        filter,
        history: false,
        profile: Profile::default(),
        fusion: Fusion::default(),
        legs: Legs::ALL,
        limit: 2 * CONTEXT_HITS_MAX,
        score_min,
        diversity: 0.0,
        hops: RECALL_HOPS_DEFAULT,
        now: Timestamp::MIN,
        current,
    };
    Recall { as_of, query, vector: None, token_budget: None, rerank: false }
}

/// How far something is trusted, as it was told to a reader.
#[must_use]
pub fn trust_class(trust: proto::Trust) -> Trust {
    match trust {
        proto::Trust::Unspecified | proto::Trust::Stated => Trust::Stated,
        proto::Trust::Unverified => Trust::Unverified,
        proto::Trust::Inferred => Trust::Inferred,
        proto::Trust::Confirmed => Trust::Confirmed,
        proto::Trust::SystemOfRecord => Trust::SystemOfRecord,
    }
}

impl Form {
    fn budgets(
        &mut self,
        budgets: Option<&proto::ContextBudgets>,
        usual: ContextPolicy,
    ) -> Checked<ContextPolicy> {
        let Some(asked) = budgets else { return Ok(usual) };
        let core = self.tokens("core_tokens", asked.core_tokens, usual.core_tokens);
        let fact = self.tokens("fact_tokens", asked.fact_tokens, usual.fact_tokens);
        let project = self.tokens("project_tokens", asked.project_tokens, usual.project_tokens);
        let conversation = self.tokens(
            "conversation_tokens",
            asked.conversation_tokens,
            usual.conversation_tokens,
        );
        Ok(ContextPolicy {
            core_tokens: core?,
            fact_tokens: fact?,
            project_tokens: project?,
            conversation_tokens: conversation?,
            ..usual
        })
    }

    fn tokens(&mut self, field: &'static str, asked: i32, usual: u32) -> Checked<u32> {
        let tokens = self.count(field, asked, usual as usize, TOKEN_BUDGET_MAX)?;
        Ok(u32::try_from(tokens).expect("a budget is bounded"))
    }

    fn language(&mut self, raw: i32) -> Checked<Option<Language>> {
        Ok(match self.variant("language", raw)? {
            proto::ContextLanguage::Unspecified => None,
            proto::ContextLanguage::English => Some(Language::English),
            proto::ContextLanguage::Korean => Some(Language::Korean),
        })
    }

    fn format(&mut self, raw: i32) -> Checked<Format> {
        Ok(match self.variant("format", raw)? {
            proto::ContextFormat::Unspecified | proto::ContextFormat::Markdown => Format::Markdown,
            proto::ContextFormat::Text => Format::Text,
            proto::ContextFormat::Structured => Format::Structured,
        })
    }
}
