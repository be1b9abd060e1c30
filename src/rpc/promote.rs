//! The gate at work: sentences are screened, what is there already is looked for, and what is left
//! becomes operations of one transaction.

use std::ops::Range;

use tonic::Status;

use crate::agent::{Dropped, Finding, Heard, Settling, Signal, Verdict, normal, screen};
use crate::engine::{RecallError, Submission};
use crate::kernel::{Command, Mode, Op, Outcome, OutcomeStatus};
use crate::models::StaticModel;
use crate::query::recall::{FilterName, Found, Fusion, Hit, Kinds, Legs, Profile, RecallQuery};
use crate::query::{AsOf, Halt};
use crate::types::limits::RECALL_HOPS_DEFAULT;
use crate::types::{
    Clearance, EpisodeId, EpisodeKind, FactId, Grant, Policy, Scope, Timestamp, Vector,
};

use super::civil::Zone;
use super::context::Context;
use super::extract::Proposals;
use super::{failure, proto, recall};

/// Texts that are compared word for word.
const SAME_WORDS_HITS: usize = 3;

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
}

/// What is there already.
struct Nearest {
    found: Found,
    cosine: Option<f32>,
}

/// Screens texts, and settles what is to be written. `asked`: somebody wants them kept.
pub(super) async fn examine(
    context: &Context,
    whose: &Whose<'_>,
    heard: &[Heard],
    recorded: &[Timestamp],
    asked: bool,
    proposals: &Proposals,
) -> Result<Examined, Status> {
    let echoes =
        |place: usize, text: &str| context.echoes().knows(whose.grant, text, recorded[place]);
    let mut findings = screen(heard, asked, echoes);
    let policy = context.policy(whose.grant)?;
    proposals.add_to(&mut findings, policy.gate.confidence_min);
    // What an owner says is compared with what that owner may see, whoever asks.
    let grant = Grant {
        namespace: whose.grant.namespace.clone(),
        clearance: Clearance::Only(whose.scope.clone()),
    };
    let mut nearest = Vec::with_capacity(findings.len());
    let mut looked = false;
    for finding in &findings {
        nearest.push(match &finding.verdict {
            Verdict::Kept { claims, .. } if claims.is_empty() => {
                if !looked {
                    caught_up(context, &grant).await?;
                    looked = true;
                }
                near(context, &grant, &policy, &finding.text).await?
            }
            _ => None,
        });
    }
    let touched = nearest.iter().flatten().map(|nearest| nearest.found);
    let touched: Vec<Found> = touched.collect();
    context.engine().touch(&grant, &touched).map_err(|error| failure::read(&error))?;
    context.read(&grant, AsOf::default(), |snapshot| {
        let midnight = |day| whose.zone.midnight(day);
        let (scope, zone) = (whose.scope, whose.zone.name());
        let settling = Settling { snapshot, policy: &policy, scope, midnight: &midnight, zone };
        let mut examined = Examined::default();
        for (finding, nearest) in findings.iter().zip(nearest) {
            let said = &heard[finding.heard];
            examined.take(&settling, said, finding, nearest);
        }
        examined
    })
}

async fn caught_up(context: &Context, grant: &Grant) -> Result<(), Status> {
    let embeds = context.models().is_built_in().then_some(StaticModel::NAME);
    let caught_up = context.engine().caught_up(grant, embeds).await;
    caught_up.map_err(|error| failure::read(&error))
}

/// The item that says the same already, if there is one.
async fn near(
    context: &Context,
    grant: &Grant,
    policy: &Policy,
    text: &str,
) -> Result<Option<Nearest>, Status> {
    let answer = ask(context, grant, text, None)?;
    let mut found = answer.recalled.hits.iter().zip(&answer.evidence);
    let same = found.find(|(_, evidence)| {
        let said = evidence.statements.iter().filter_map(|said| said.text.as_deref());
        let noted = evidence.episode.as_ref().map(|episode| episode.text.as_str());
        said.chain(noted).any(|other| normal(other) == normal(text))
    });
    if let Some((hit, _)) = same {
        return Ok(Some(Nearest { found: hit.found, cosine: None }));
    }
    let space = context.engine().space(grant).map_err(|error| failure::read(&error))?;
    let Some(space) = space else { return Ok(None) };
    let Some(vector) = recall::embedded(context, grant, &space, text).await.0 else {
        return Ok(None);
    };
    let model = space.model;
    let answer = ask(context, grant, "", Some(vector))?;
    let cosine = |hit: &Hit| hit.legs.iter().map(|leg| leg.score).fold(0.0, f32::max);
    let near = answer.recalled.hits.first().map(|hit| (hit.found, cosine(hit)));
    let near = near.filter(|(_, cosine)| f64::from(*cosine) >= policy.near(&model));
    Ok(near.map(|(found, cosine)| Nearest { found, cosine: Some(cosine) }))
}

fn ask(
    context: &Context,
    grant: &Grant,
    words: &str,
    vector: Option<Vector>,
) -> Result<crate::engine::Answer, Status> {
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
        limit: if by_vector { 1 } else { SAME_WORDS_HITS },
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

impl Examined {
    fn take(
        &mut self,
        settling: &Settling<'_>,
        said: &Heard,
        finding: &Finding,
        nearest: Option<Nearest>,
    ) {
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
                match (settled, nearest) {
                    (Ok(ops), None) if !ops.is_empty() => {
                        self.ops.extend(ops.into_iter().flatten());
                        text = Some(note);
                    }
                    (_, Some(Nearest { found, cosine })) => {
                        promotion.verdict = proto::GateVerdict::Reinforced.into();
                        promotion.existing_id = id_of(found);
                        promotion.cosine = cosine;
                    }
                    _ => self.ops.push(note),
                }
            }
        }
        let ops = first..self.ops.len();
        self.parts.push(Part { promotion, ops, text });
    }

    /// A text that is kept whole, with the operations that keep it.
    pub(super) fn keep(&mut self, text: &str, ops: Vec<Op>) {
        let first = self.ops.len();
        self.ops.extend(ops);
        let verdict = proto::GateVerdict::Stored.into();
        let promotion = proto::Promotion { text: text.to_owned(), verdict, ..Default::default() };
        self.parts.push(Part { promotion, ops: first..self.ops.len(), text: None });
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
        self.parts.push(Part { promotion, ops: end..end, text: None });
    }

    /// Texts to keep in the place of what was refused: nothing that was said is lost.
    pub(super) fn refused(&mut self, outcomes: &[Outcome]) -> Vec<Op> {
        let mut texts = Vec::new();
        for part in &mut self.parts {
            let own = outcomes.get(part.ops.clone()).unwrap_or_default();
            let invalid = own.iter().find(|outcome| outcome.status == OutcomeStatus::Invalid);
            let Some(outcome) = invalid else { continue };
            part.promotion.verdict = proto::GateVerdict::Refused.into();
            let violation = outcome.violations.first();
            let name = violation.map(|violation| super::status::reason(violation.kind).name);
            name.unwrap_or_default().clone_into(&mut part.promotion.reason);
            texts.extend(part.text.take());
        }
        texts
    }

    /// What became of each sentence. `texts` are the ids of what was kept for the refused ones.
    pub(super) fn report(self, outcomes: &[Outcome], texts: Vec<String>) -> Vec<proto::Promotion> {
        let mut texts = texts.into_iter();
        let mut promotions = Vec::with_capacity(self.parts.len());
        for Part { mut promotion, ops, .. } in self.parts {
            if promotion.verdict() == proto::GateVerdict::Refused {
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
