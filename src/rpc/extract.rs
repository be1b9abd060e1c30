//! What a chat model reads out of texts that no rule reads. It proposes, with the words each claim
//! stands on; the gate settles its claims as it does its own.

use std::time::Duration;

use chrono::{DateTime, NaiveDate};
use tokio::time::timeout;

use crate::agent::{
    Claim, Dropped, Finding, Heard, OVER_BUDGET, Says, Verdict, Who, is_silent, unkept, when,
};
use crate::models::prompts::{self, ClaimKind, Passage};
use crate::models::spent;
use crate::types::limits::{CHAT_TEXTS_MAX, EXTRACT_SECONDS_MAX};
use crate::types::{Cardinality, Cost, EpisodeKind, Grant, ObjectKind, Purpose};

use super::context::Context;

/// Words by which a model names whoever spoke.
const SPEAKERS: [&str; 4] = ["user", "speaker", "i", "me"];

/// What a model has found, and why it was not asked or not believed.
#[derive(Default)]
pub(super) struct Proposals {
    claims: Vec<(usize, String, Claim)>,
    /// Stable, as the reasons of summaries are. Empty where it was asked and believed.
    pub(super) skipped: &'static str,
}

/// The same of those in which some sentence says nothing to any rule: of what a conversation leaves
/// behind, most is known without a model.
pub(super) async fn propose_unread(context: &Context, grant: &Grant, heard: &[Heard]) -> Proposals {
    let is_unread = |said: &Heard| !is_silent(&said.role) && !unkept(said).is_empty();
    let places = (0..heard.len()).filter(|place| is_unread(&heard[*place]));
    let places: Vec<usize> = places.collect();
    let unread: Vec<Heard> = places.iter().map(|place| heard[*place].clone()).collect();
    let mut proposals = propose(context, grant, &unread).await;
    for (place, ..) in &mut proposals.claims {
        *place = places[*place];
    }
    proposals
}

/// Asks the chat model, where there is one and it is in budget. Whatever it does, what the rules
/// see is kept.
pub(super) async fn propose(context: &Context, grant: &Grant, heard: &[Heard]) -> Proposals {
    let Some(chat) = &context.models().chat else { return Proposals::default() };
    let engine = context.engine();
    let skipped = |skipped| Proposals { claims: Vec::new(), skipped };
    if heard.is_empty() {
        return Proposals::default();
    }
    if heard.len() > CHAT_TEXTS_MAX {
        return skipped("TOO_MANY");
    }
    if !engine.may_spend(&grant.namespace, Purpose::Extract) {
        return skipped(OVER_BUDGET);
    }
    let ids: Vec<String> = (0..heard.len()).map(|place| place.to_string()).collect();
    let times: Vec<String> = heard.iter().map(time).collect();
    let passages: Vec<Passage<'_>> = (heard.iter().zip(&ids))
        .zip(&times)
        .map(|((said, id), time)| Passage { id, role: &said.role, time, text: &said.text })
        .collect();
    let asked = prompts::extract(chat, &passages);
    let Ok(answer) = timeout(Duration::from_secs(EXTRACT_SECONDS_MAX), asked).await else {
        let given_up = Cost { calls: 1, failures: 1, ..Cost::default() };
        engine.spent(&grant.namespace, Purpose::Extract, &given_up);
        return skipped("TIMED_OUT");
    };
    engine.spent(&grant.namespace, Purpose::Extract, &spent(&answer));
    match answer {
        Err(error) => skipped(error.kind()),
        Ok(answer) => {
            let claims = answer.value.into_iter().filter_map(|claim| {
                let place = claim.turn.parse::<usize>().ok()?;
                let said = heard.get(place)?;
                Some((place, claim.quote.clone(), read(claim, said)))
            });
            Proposals { claims: claims.collect(), skipped: "" }
        }
    }
}

fn time(said: &Heard) -> String {
    let at = DateTime::from_timestamp_micros(said.said.micros());
    at.map_or_else(String::new, |at| at.to_rfc3339())
}

/// A claim of the model as one of the gate.
#[allow(clippy::cast_possible_truncation, reason = "a share")]
fn read(claim: prompts::Claim, said: &Heard) -> Claim {
    let subject = claim.subject.trim().to_owned();
    let speaks = SPEAKERS.contains(&subject.to_lowercase().as_str())
        || subject.eq_ignore_ascii_case(&said.role);
    let one = matches!(claim.kind, ClaimKind::Correction | ClaimKind::Deadline);
    Claim {
        subject: if speaks { Who::Speaker } else { Who::Named(subject) },
        predicate: claim.predicate.trim().to_lowercase().replace(' ', "_"),
        object: claim.object,
        points_at: ObjectKind::Value,
        cardinality: if one { Cardinality::One } else { Cardinality::Many },
        says: Says::Holds,
        when: day(&claim.valid_from, said.day),
        confidence: claim.confidence as f32,
    }
}

/// A day as the text says it, with the preposition that it may have lost.
fn day(text: &str, said: NaiveDate) -> Option<crate::agent::When> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    when(text, said).or_else(|| when(&format!("since {text}"), said))
}

impl Proposals {
    /// Puts the claims where no rule reads one: on the sentences that they quote.
    pub(super) fn add_to(&self, findings: &mut [Finding], confidence_min: f64) {
        for (place, quote, claim) in &self.claims {
            if f64::from(claim.confidence) < confidence_min {
                continue;
            }
            let quotes = |finding: &&mut Finding| {
                finding.heard == *place
                    && (finding.text.contains(quote.as_str()) || quote.contains(&finding.text))
            };
            let Some(finding) = findings.iter_mut().find(quotes) else { continue };
            match &mut finding.verdict {
                Verdict::Dropped(Dropped::Nothing) => {
                    let (claims, kind) = (vec![claim.clone()], EpisodeKind::Note);
                    finding.verdict = Verdict::Kept { claims, kind, signals: Vec::new() };
                }
                Verdict::Kept { claims, .. } if claims.iter().all(|own| is_proposed(own, self)) => {
                    claims.push(claim.clone());
                }
                _ => {}
            }
        }
    }
}

fn is_proposed(claim: &Claim, proposals: &Proposals) -> bool {
    proposals.claims.iter().any(|(_, _, proposed)| proposed == claim)
}
