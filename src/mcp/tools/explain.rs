//! `explain`: why a fact is believed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tonic::Status;

use crate::rpc::proto::{ExplainFactRequest, Statement, StatementKind, Trust};

use super::super::fact::{At, Fact};
use super::super::memory::Memory;
use super::super::verb::{Effect, Told, Verb};
use super::super::when;

pub(super) struct Explain;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// From an answer of `recall` or `facts_as_of`.
    fact_id: String,
    /// What held at this date. Default: now.
    as_of: Option<String>,
    /// As it was known at this date, or after this transaction, such as `tx:17`. Default: now.
    known_at: Option<String>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Answer {
    /// What holds there. Absent: it does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    holds: Option<Fact>,
    /// It is known to have ended.
    known_ended: bool,
    /// The statement that decides.
    #[serde(skip_serializing_if = "String::is_empty")]
    decided_by: String,
    /// All that was said of it and of what competes with it, in order.
    statements: Vec<Said>,
    #[serde(flatten)]
    at: At,
}

#[derive(Serialize, JsonSchema)]
struct Said {
    statement_id: String,
    /// `open`, `definite`, `at_least`, `end`, `retract`, `retract_range`.
    kind: String,
    fact: Fact,
    #[serde(skip_serializing_if = "String::is_empty")]
    source: String,
    /// The sentence it came with.
    #[serde(skip_serializing_if = "String::is_empty")]
    words: String,
    /// `unverified`, `inferred`, `stated`, `confirmed`, `system_of_record`.
    trust: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f32>,
    #[serde(skip_serializing_if = "String::is_empty")]
    episode_id: String,
    /// Kept but not believed: something more trusted stands there.
    contested: bool,
    /// Its source was withdrawn.
    withdrawn: bool,
}

impl Said {
    fn new(statement: Statement) -> Said {
        let kind = match statement.kind() {
            StatementKind::Unspecified => "unknown",
            StatementKind::Open => "open",
            StatementKind::Definite => "definite",
            StatementKind::AtLeast => "at_least",
            StatementKind::End => "end",
            StatementKind::Retract => "retract",
            StatementKind::RetractRange => "retract_range",
        };
        let (object, value) = super::super::object::shown(statement.object.as_ref());
        let evidence = statement.evidence.unwrap_or_default();
        Said {
            trust: trust(evidence.trust()).to_owned(),
            statement_id: statement.id,
            kind: kind.to_owned(),
            fact: Fact {
                id: statement.fact_id,
                subject: statement.subject,
                predicate: statement.predicate,
                object,
                value,
                from: when::optional(statement.from.as_ref()),
                to: when::optional(statement.to.as_ref()),
                known_from: when::optional(statement.tx_time.as_ref()),
                known_to: None,
            },
            source: evidence.source,
            words: evidence.statement,
            confidence: evidence.confidence,
            episode_id: evidence.episode_id,
            contested: statement.contested,
            withdrawn: statement.withdrawn,
        }
    }
}

fn trust(trust: Trust) -> &'static str {
    match trust {
        Trust::Unverified => "unverified",
        Trust::Inferred => "inferred",
        Trust::Unspecified | Trust::Stated => "stated",
        Trust::Confirmed => "confirmed",
        Trust::SystemOfRecord => "system_of_record",
    }
}

impl Told for Answer {
    fn text(&self) -> String {
        let head = match &self.holds {
            Some(fact) => format!("Holds: {}", fact.text()),
            None if self.known_ended => "Does not hold: it is known to have ended.".to_owned(),
            None => "Does not hold.".to_owned(),
        };
        let said = self.statements.iter().map(|said| {
            let by = if said.source.is_empty() {
                String::new()
            } else {
                format!(", by {}", said.source)
            };
            let recorded = said.fact.known_from.as_deref().unwrap_or_default();
            format!(
                "{} {}: {} (recorded {recorded}{by})",
                said.statement_id,
                said.kind,
                said.fact.text()
            )
        });
        let lines: Vec<_> = std::iter::once(head).chain(said).collect();
        format!("{}\n{}", lines.join("\n"), self.at.text())
    }
}

impl Verb for Explain {
    const NAME: &'static str = "explain";
    const TITLE: &'static str = "Explain a fact";
    const ABOUT: &'static str = "Show why a fact is believed or is not: every statement about it \
        and about what competes with it, with sources, and the one that decides.";
    const EFFECT: Effect = Effect::Reads;
    type Args = Args;
    type Answer = Answer;

    async fn run(mut memory: Memory, args: Args) -> Result<Answer, Status> {
        let request = ExplainFactRequest {
            namespace: memory.namespace.clone(),
            fact_id: args.fact_id,
            as_of: Some(when::as_of(args.as_of.as_deref(), args.known_at.as_deref())?),
        };
        let response = memory.facts.explain_fact(request).await?.into_inner();
        Ok(Answer {
            holds: response.visible.as_ref().map(Fact::new),
            known_ended: response.known_ended,
            decided_by: response.owner_statement_id,
            at: At::new(response.basis.as_ref()),
            statements: response.statements.into_iter().map(Said::new).collect(),
        })
    }
}
