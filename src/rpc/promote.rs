//! The gate at work: sentences are screened, what is there already is looked for, and what is left
//! becomes operations of one transaction.

use std::ops::Range;

use tonic::Status;

use crate::agent::{Dropped, Finding, Heard, Settling, Signal, Verdict, screen};
use crate::engine::Submission;
use crate::kernel::{AddEpisode, Command, Mode, Op, Outcome, OutcomeStatus};
use crate::query::recall::Found;
use crate::query::{AsOf, Snapshot};
use crate::types::{Clearance, EpisodeId, EpisodeKind, FactId, Grant, Policy, Scope, Timestamp};

use super::civil::Zone;
use super::consolidate::{Judge, Judged, Like, is_of_a_kind, merged};
use super::context::Context;
use super::extract::Proposals;
use super::near::{Near, Nearest, caught_up, near};
use super::{failure, proto};

/// Something was written in between.
pub(super) const OVERTAKEN: &str = "OVERTAKEN";

/// Whose memory it is, and where.
pub(super) struct Whose<'a> {
    pub(super) grant: &'a Grant,
    pub(super) scope: &'a Scope,
    pub(super) zone: Zone,
}

/// What the gate made of some texts, before it is written.
#[derive(Default)]
pub(super) struct Examined {
    pub(super) ops: Vec<Op>,
    parts: Vec<Part>,
}

struct Part {
    promotion: proto::Promotion,
    /// Its operations.
    ops: Range<usize>,
    /// What to keep if they are refused.
    text: Option<Op>,
    /// It was kept in a transaction of its own.
    is_kept_apart: bool,
}

/// What a text stands beside.
enum Beside {
    Nothing,
    /// Something that says the same.
    Same(Nearest),
    /// A text that it becomes one with.
    Completed(Box<Like>, String),
    /// Something like it, of which nobody can say whether it is the same, and why.
    Unjudged(&'static str),
}

/// Texts that were screened and held against what is there. Nothing is written yet.
pub(super) struct Screened {
    findings: Vec<Finding>,
    /// One a finding.
    beside: Vec<Beside>,
}

/// How a text is examined.
#[derive(Clone, Copy)]
pub(super) struct Care {
    /// Somebody wants it kept.
    pub(super) asked: bool,
    /// A chat model, where there is one, judges what is like it. It is waited for.
    pub(super) judged: bool,
}

/// Screens texts, and settles what is to be written.
pub(super) async fn examine(
    context: &Context,
    whose: &Whose<'_>,
    (heard, recorded): (&[Heard], &[Timestamp]),
    care: Care,
    proposals: &Proposals,
) -> Result<Examined, Status> {
    let screened = screened(context, whose, (heard, recorded), care, proposals).await?;
    settle(context, whose, heard, screened)
}

pub(super) async fn screened(
    context: &Context,
    whose: &Whose<'_>,
    (heard, recorded): (&[Heard], &[Timestamp]),
    care: Care,
    proposals: &Proposals,
) -> Result<Screened, Status> {
    let echoes =
        |place: usize, text: &str| context.echoes().knows(whose.grant, text, recorded[place]);
    let mut findings = screen(heard, care.asked, echoes);
    let policy = context.policy(whose.grant)?;
    proposals.add_to(&mut findings, policy.gate.confidence_min);
    let grant = whose.seen();
    let mut judge = if care.judged { Judge::new(context, &grant) } else { None };
    let mut beside = Vec::with_capacity(findings.len());
    let mut looked = false;
    for finding in &findings {
        beside.push(match &finding.verdict {
            Verdict::Kept { claims, kind, signals } if claims.is_empty() => {
                if !looked {
                    caught_up(context, &grant).await?;
                    looked = true;
                }
                let near = near(context, &grant, &policy, &finding.text).await?;
                match (near, &mut judge) {
                    (Near::Same(nearest), _) => Beside::Same(nearest),
                    (Near::Like(_), None) => Beside::Nothing,
                    (Near::Like(like), Some(judge)) => {
                        let said = &heard[finding.heard];
                        let note = context.read(&grant, AsOf::default(), |snapshot| {
                            whose.settling(snapshot, &policy, |settling| {
                                settling.note(said, &finding.text, *kind, signals)
                            })
                        })?;
                        compared(judge, said, (&finding.text, &note), like).await
                    }
                }
            }
            _ => Beside::Nothing,
        });
    }
    Ok(Screened { findings, beside })
}

/// What the model says of a text, if there is one of its kind that it is like.
async fn compared(
    judge: &mut Judge<'_>,
    said: &Heard,
    (text, note): (&str, &AddEpisode),
    mut like: Vec<Like>,
) -> Beside {
    like.retain(|like| is_of_a_kind(&like.episode, note));
    if like.is_empty() {
        return Beside::Nothing;
    }
    match judge.ask(said, text, like).await {
        Judged::Keep => Beside::Nothing,
        Judged::Discard(Like { episode, cosine }) => {
            Beside::Same(Nearest { found: Found::Episode(episode.id), cosine: Some(cosine) })
        }
        Judged::Merge(like, text) => Beside::Completed(Box::new(like), text),
        Judged::Unjudged(why) => Beside::Unjudged(why),
    }
}

/// What is to be written of texts that were screened.
pub(super) fn settle(
    context: &Context,
    whose: &Whose<'_>,
    heard: &[Heard],
    Screened { findings, beside }: Screened,
) -> Result<Examined, Status> {
    let (policy, grant) = (context.policy(whose.grant)?, whose.seen());
    let touched = beside.iter().filter_map(|beside| match beside {
        Beside::Same(nearest) => Some(nearest.found),
        _ => None,
    });
    let touched: Vec<Found> = touched.collect();
    context.engine().touch(&grant, &touched).map_err(|error| failure::read(&error))?;
    context.read(&grant, AsOf::default(), |snapshot| {
        whose.settling(snapshot, &policy, |settling| {
            let mut examined = Examined::default();
            for (finding, mut beside) in findings.iter().zip(beside) {
                let said = &heard[finding.heard];
                if let Beside::Same(Nearest { found: Found::Episode(id), .. }) = &beside
                    && !snapshot.directory.stands(*id)
                {
                    // Taken back while somebody thought about it.
                    beside = Beside::Unjudged(OVERTAKEN);
                }
                examined.take(settling, said, finding, beside);
            }
            examined
        })
    })
}

impl Whose<'_> {
    /// What an owner says is compared with what that owner may see, whoever asks.
    fn seen(&self) -> Grant {
        let clearance = Clearance::Only(self.scope.clone());
        Grant { namespace: self.grant.namespace.clone(), clearance }
    }

    fn settling<T>(
        &self,
        snapshot: Snapshot<'_>,
        policy: &Policy,
        settle: impl FnOnce(&Settling<'_>) -> T,
    ) -> T {
        let midnight = |day| self.zone.midnight(day);
        let (scope, zone) = (self.scope, self.zone.name());
        settle(&Settling { snapshot, policy, scope, midnight: &midnight, zone })
    }
}

impl Examined {
    fn take(&mut self, settling: &Settling<'_>, said: &Heard, finding: &Finding, beside: Beside) {
        let turn_id = said.episode.map_or_else(String::new, |id| id.to_string());
        let mut promotion =
            proto::Promotion { text: finding.text.clone(), turn_id, ..Default::default() };
        let first = self.ops.len();
        let mut text = None;
        match &finding.verdict {
            Verdict::Dropped(why) => {
                promotion.verdict = proto::GateVerdict::Dropped.into();
                reason(*why).clone_into(&mut promotion.reason);
            }
            Verdict::Kept { claims, kind, signals } => {
                promotion.verdict = proto::GateVerdict::Stored.into();
                promotion.signals = signals.iter().map(|carried| word(*carried)).collect();
                if *kind == EpisodeKind::Failure {
                    promotion.signals.push("failure".to_owned());
                }
                let note = settling.note(said, &finding.text, *kind, signals);
                let settled = claims
                    .iter()
                    .map(|claim| settling.claim(said, claim, &finding.text, signals))
                    .collect::<Result<Vec<_>, _>>();
                match (settled, beside) {
                    (Ok(ops), Beside::Nothing) if !ops.is_empty() => {
                        self.ops.extend(ops.into_iter().flatten());
                        text = Some(Op::AddEpisode(note));
                    }
                    (_, Beside::Same(Nearest { found, cosine })) => {
                        promotion.verdict = proto::GateVerdict::Reinforced.into();
                        promotion.existing_id = id_of(found);
                        promotion.cosine = cosine;
                    }
                    (_, Beside::Completed(like, one)) => {
                        let Like { episode, cosine } = *like;
                        promotion.verdict = proto::GateVerdict::Merged.into();
                        promotion.existing_id = episode.id.to_string();
                        promotion.cosine = Some(cosine);
                        self.ops.push(merged(&episode, note.clone(), one));
                        text = Some(Op::AddEpisode(note));
                    }
                    (_, beside) => {
                        if let Beside::Unjudged(why) = beside {
                            why.clone_into(&mut promotion.reason);
                        }
                        self.ops.push(Op::AddEpisode(note));
                    }
                }
            }
        }
        let ops = first..self.ops.len();
        self.parts.push(Part { promotion, ops, text, is_kept_apart: false });
    }

    /// A text that is kept whole, with the operations that keep it.
    pub(super) fn keep(&mut self, text: &str, ops: Vec<Op>) {
        let first = self.ops.len();
        self.ops.extend(ops);
        let verdict = proto::GateVerdict::Stored.into();
        let promotion = proto::Promotion { text: text.to_owned(), verdict, ..Default::default() };
        let ops = first..self.ops.len();
        self.parts.push(Part { promotion, ops, text: None, is_kept_apart: false });
    }

    /// A text that stands already, word for word.
    pub(super) fn is_there(&mut self, text: &str, existing: EpisodeId) {
        let promotion = proto::Promotion {
            text: text.to_owned(),
            verdict: proto::GateVerdict::Reinforced.into(),
            existing_id: existing.to_string(),
            ..Default::default()
        };
        let end = self.ops.len();
        self.parts.push(Part { promotion, ops: end..end, text: None, is_kept_apart: false });
    }

    /// Texts to keep in the place of what was refused: nothing that was said is lost.
    pub(super) fn refused(&mut self, outcomes: &[Outcome]) -> Vec<Op> {
        let mut texts = Vec::new();
        for part in &mut self.parts {
            let own = outcomes.get(part.ops.clone()).unwrap_or_default();
            // The text it was to become one with is not believed any more.
            if part.promotion.verdict() == proto::GateVerdict::Merged
                && own.iter().all(|outcome| outcome.status != OutcomeStatus::Applied)
            {
                part.promotion.verdict = proto::GateVerdict::Stored.into();
                OVERTAKEN.clone_into(&mut part.promotion.reason);
                part.promotion.existing_id.clear();
                part.promotion.cosine = None;
                part.ops = 0..0;
                part.is_kept_apart = true;
                texts.extend(part.text.take());
                continue;
            }
            let invalid = own.iter().find(|outcome| outcome.status == OutcomeStatus::Invalid);
            let Some(outcome) = invalid else { continue };
            part.promotion.verdict = proto::GateVerdict::Refused.into();
            let violation = outcome.violations.first();
            let name = violation.map(|violation| super::status::reason(violation.kind).name);
            name.unwrap_or_default().clone_into(&mut part.promotion.reason);
            part.is_kept_apart = true;
            texts.extend(part.text.take());
        }
        texts
    }

    /// What became of each sentence. `texts` are the ids of what was kept for the refused ones.
    pub(super) fn report(self, outcomes: &[Outcome], texts: Vec<String>) -> Vec<proto::Promotion> {
        let mut texts = texts.into_iter();
        let mut promotions = Vec::with_capacity(self.parts.len());
        for Part { mut promotion, ops, is_kept_apart, .. } in self.parts {
            if is_kept_apart {
                promotion.episode_id = texts.next().unwrap_or_default();
            }
            for outcome in outcomes.get(ops).unwrap_or_default() {
                tell(&mut promotion, outcome);
            }
            promotions.push(promotion);
        }
        promotions
    }
}

fn tell(promotion: &mut proto::Promotion, outcome: &Outcome) {
    let fact = outcome.fact.map(|fact| fact.to_string());
    match outcome.status {
        OutcomeStatus::NoChange => {
            promotion.verdict = proto::GateVerdict::Reinforced.into();
            promotion.existing_id = fact.clone().unwrap_or_default();
        }
        OutcomeStatus::Contested => promotion.verdict = proto::GateVerdict::Contested.into(),
        _ => {}
    }
    promotion.fact_ids.extend(fact.filter(|_| outcome.statement.is_some()));
    if let Some(episode) = outcome.episode {
        promotion.episode_id = episode.to_string();
    }
}

fn id_of(found: Found) -> String {
    match found {
        Found::Fact(triple) => FactId(triple).to_string(),
        Found::Episode(id) => id.to_string(),
        Found::Entity(_) => String::new(),
    }
}

fn reason(why: Dropped) -> &'static str {
    match why {
        Dropped::Courtesy => "COURTESY",
        Dropped::Question => "QUESTION",
        Dropped::Echo => "ECHO",
        Dropped::Assistant => "ASSISTANT",
        Dropped::Nothing => "NOTHING",
    }
}

fn word(signal: Signal) -> String {
    match signal {
        Signal::Remember => "remember",
        Signal::Preference => "preference",
        Signal::Decision => "decision",
        Signal::Deadline => "deadline",
        Signal::Correction => "correction",
    }
    .to_owned()
}

/// Keeps the texts of what was refused, and tells what became of each sentence.
pub(super) async fn told(
    context: &Context,
    grant: &Grant,
    mut examined: Examined,
    outcomes: &[Outcome],
) -> Result<Vec<proto::Promotion>, Status> {
    let ops = examined.refused(outcomes);
    let mut texts = Vec::new();
    if !ops.is_empty() {
        let command = Command { request: None, mode: Mode::Atomic, ops };
        let receipt = context.engine().submit(grant, Submission::from(command)).await;
        let receipt = receipt.map_err(|error| failure::submit(&error, &[]))?;
        let id = |outcome: &Outcome| outcome.episode.map_or_else(String::new, |id| id.to_string());
        texts = receipt.outcomes.iter().map(id).collect();
    }
    Ok(examined.report(outcomes, texts))
}

/// A turn as the gate hears it.
pub(super) fn heard(episode: &crate::types::Episode, zone: Zone, recorded: Timestamp) -> Heard {
    let start = episode.valid.start();
    let said = if start.is_instant() { start } else { recorded };
    Heard {
        episode: Some(episode.id),
        role: episode.speaker.clone().unwrap_or_else(|| "user".to_owned()),
        text: episode.text.clone(),
        said,
        day: zone.day(said),
        trust: episode.trust,
    }
}
