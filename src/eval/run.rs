//! A history played against a server, entry by entry, through the calls an agent makes.

use std::time::{Duration, Instant};

use chrono::DateTime;
use thiserror::Error;
use tonic::Status;

use crate::client::Client;
use crate::models::StaticModel;
use crate::rpc::proto::{
    self, AppendTurnsRequest, AsOf, BuildContextRequest, ContextSectionKind,
    CreateNamespaceRequest, EndSessionRequest, GetCoreMemoryRequest, GetStatisticsRequest,
    SessionKey, ValidPoint, bound, valid_point,
};
use crate::types::limits::{EVAL_WAIT_SECONDS, TURNS_MAX};

use super::history::{Entry, History, Question, Turn};
use super::judge::{Bundle, Line, Verdict, baseline, judge};

/// How often it is asked whether the views have caught up.
const ASKED_EVERY: Duration = Duration::from_millis(5);

/// A question as it was answered, and what an agent without a memory would have had.
#[derive(Clone, Debug)]
pub struct Asked {
    pub question: Question,
    /// Messages of its own session since the last one that named an answer. None: another session
    /// named it, or none did.
    pub distance: Option<usize>,
    /// Another session named an answer, and its own did not.
    pub across: bool,
    pub with: Verdict,
    pub without: Verdict,
    /// Of the call; of an empty one made right after it.
    pub latency: Duration,
    pub empty: Duration,
}

#[derive(Debug, Error)]
pub enum EvalError {
    #[error("the namespace {0} holds something, and an evaluation writes only into an empty one")]
    NotEmpty(String),
    #[error("the server had not embedded everything after {EVAL_WAIT_SECONDS} seconds")]
    Behind,
    #[error("{0}")]
    Refused(Box<Status>),
}

impl EvalError {
    /// Stable word.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        match self {
            EvalError::NotEmpty(_) => "NAMESPACE_NOT_EMPTY",
            EvalError::Behind => "VIEWS_BEHIND",
            EvalError::Refused(_) => "REFUSED",
        }
    }
}

impl From<Status> for EvalError {
    fn from(status: Status) -> EvalError {
        EvalError::Refused(Box::new(status))
    }
}

/// Plays a history in the namespace of the client, which is made where it is not there.
///
/// # Errors
/// [`EvalError`]; of a namespace that holds something nothing is read and nothing is written.
pub async fn run(client: &mut Client, history: &History) -> Result<Vec<Asked>, EvalError> {
    let name = client.namespace.clone();
    let create =
        CreateNamespaceRequest { name: name.clone(), allow_existing: true, ..Default::default() };
    client.admin.create_namespace(create).await?;
    let statistics = GetStatisticsRequest { namespace: name.clone() };
    if client.admin.get_statistics(statistics).await?.into_inner().transactions > 0 {
        return Err(EvalError::NotEmpty(name));
    }
    let mut play = Play { client, said: Vec::new(), waiting: Vec::new(), is_behind: false };
    let mut asked = Vec::with_capacity(history.questions());
    for entry in &history.entries {
        match entry {
            Entry::Turn(turn) => play.turn(turn).await?,
            Entry::End(end) => play.end(&end.session).await?,
            Entry::Question(question) => asked.push(play.ask(question).await?),
        }
    }
    play.flush().await?;
    Ok(asked)
}

struct Play<'a> {
    client: &'a mut Client,
    said: Vec<&'a Turn>,
    /// Turns of one session that were not sent yet: a message and what is replied to it.
    waiting: Vec<&'a Turn>,
    /// Something was written since the views were known to have caught up.
    is_behind: bool,
}

impl<'a> Play<'a> {
    async fn turn(&mut self, turn: &'a Turn) -> Result<(), EvalError> {
        let other = self.waiting.last().is_some_and(|last| last.session != turn.session);
        // As an agent does it: the message and its reply in one call.
        if other || turn.role == "user" || self.waiting.len() == TURNS_MAX {
            self.flush().await?;
        }
        self.said.push(turn);
        self.waiting.push(turn);
        Ok(())
    }

    async fn flush(&mut self) -> Result<(), EvalError> {
        let Some(first) = self.waiting.first() else { return Ok(()) };
        let key = Some(key(&first.session));
        let turns = self.waiting.drain(..).map(message).collect();
        let namespace = self.client.namespace.clone();
        let request = AppendTurnsRequest { namespace, key, turns, ..Default::default() };
        self.client.memory.append_turns(request).await?;
        self.is_behind = true;
        Ok(())
    }

    async fn end(&mut self, session: &str) -> Result<(), EvalError> {
        self.flush().await?;
        let namespace = self.client.namespace.clone();
        let request = EndSessionRequest { namespace, key: Some(key(session)) };
        self.client.memory.end_session(request).await?;
        self.is_behind = true;
        Ok(())
    }

    /// Until all that was said is embedded: how long that takes is no part of how long a context does.
    async fn caught_up(&mut self) -> Result<(), EvalError> {
        let begun = Instant::now();
        while self.is_behind {
            let statistics = GetStatisticsRequest { namespace: self.client.namespace.clone() };
            let found = self.client.admin.get_statistics(statistics).await?.into_inner();
            self.is_behind = found.vectors_behind > 0;
            if self.is_behind && begun.elapsed().as_secs() > EVAL_WAIT_SECONDS {
                return Err(EvalError::Behind);
            }
            if self.is_behind {
                tokio::time::sleep(ASKED_EVERY).await;
            }
        }
        Ok(())
    }

    async fn ask(&mut self, question: &Question) -> Result<Asked, EvalError> {
        self.flush().await?;
        self.caught_up().await?;
        let request = BuildContextRequest {
            namespace: self.client.namespace.clone(),
            key: question.session.as_deref().map(key),
            query: question.text.clone(),
            as_of: question.at.as_deref().and_then(point),
            ..Default::default()
        };
        let begun = Instant::now();
        let reply = self.client.memory.build_context(request).await?;
        let latency = begun.elapsed();
        let empty = self.empty().await?;
        let bundle = bundle(&reply.into_inner());
        let own: Vec<&Turn> = self
            .said
            .iter()
            .copied()
            .filter(|turn| Some(&turn.session) == question.session.as_ref())
            .collect();
        let names = |turn: &&Turn| {
            question.answers.iter().any(|answer| super::holds::holds(&turn.content, answer))
        };
        let distance = own.iter().rev().position(names);
        let across = distance.is_none() && self.said.iter().any(names);
        let count = |text: &str| StaticModel::shared().count_tokens(text);
        let without = baseline(&own, bundle.tokens, count);
        Ok(Asked {
            with: judge(question, &bundle),
            without: judge(question, &without),
            question: question.clone(),
            distance,
            across,
            latency,
            empty,
        })
    }

    /// A call that finds nothing: what the way there and back takes.
    async fn empty(&mut self) -> Result<Duration, EvalError> {
        let namespace = self.client.namespace.clone();
        let request = GetCoreMemoryRequest { namespace, ..Default::default() };
        let begun = Instant::now();
        self.client.memory.get_core_memory(request).await?;
        Ok(begun.elapsed())
    }
}

fn key(session: &str) -> SessionKey {
    SessionKey { session: session.to_owned(), scope: None }
}

fn message(turn: &Turn) -> proto::Turn {
    let time = turn.time.as_deref().and_then(instant);
    let bound =
        |instant| proto::Bound { bound: Some(bound::Bound::Instant(instant)), written: None };
    proto::Turn { role: turn.role.clone(), content: turn.content.clone(), time: time.map(bound) }
}

fn point(text: &str) -> Option<AsOf> {
    let point = instant(text).map(valid_point::Point::Instant)?;
    Some(AsOf { valid: Some(ValidPoint { point: Some(point), ..Default::default() }), known: None })
}

fn instant(text: &str) -> Option<proto::Instant> {
    let time = DateTime::parse_from_rfc3339(text).ok()?;
    Some(proto::Instant { unix_micros: time.timestamp_micros() })
}

fn bundle(reply: &proto::BuildContextResponse) -> Bundle {
    let mut lines = Vec::new();
    for section in &reply.sections {
        let spoken =
            matches!(section.kind(), ContextSectionKind::Summary | ContextSectionKind::Turns);
        lines.extend(section.items.iter().map(|item| Line {
            text: item.text.clone(),
            tokens: item.tokens as usize,
            spoken,
            said: item.last_confirmed_time.map(|time| time.unix_micros),
        }));
    }
    Bundle { lines, tokens: reply.tokens as usize }
}
