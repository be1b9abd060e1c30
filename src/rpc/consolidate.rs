//! What becomes of a text that is like one that is kept: the chat model's word on it, where there is a
//! model.
//!
//! It is asked about texts alone; what gives way to what among facts is for the fold. Whatever it does
//! wrong, the text is kept beside what is there, and the reply says why.

use std::time::Duration;

use chrono::DateTime;
use tokio::time::{Instant, timeout_at};

use crate::agent::{Heard, OVER_BUDGET, normal};
use crate::kernel::{AddEpisode, Compact, Op};
use crate::models::prompts::{self, Action, Existing};
use crate::models::{Chat, spent};
use crate::types::limits::{EXTRACT_SECONDS_MAX, VERDICTS_MAX};
use crate::types::{Confidence, Cost, Dated, Episode, EpisodeId, Grant, Purpose, Timestamp, Trust};

use super::context::Context;

/// Texts that one is held against, the nearest.
pub(super) const LIKE_MAX: usize = 3;

/// A text that is there and like a new one.
#[derive(Clone, Debug)]
pub(super) struct Like {
    pub(super) episode: Episode,
    pub(super) cosine: f32,
}

/// Whether two texts may become one: kept for the same, of one kind, trusted alike. What was confirmed
/// stays as it is; what has a source goes with it, and what has a title with its versions.
pub(super) fn is_of_a_kind(existing: &Episode, note: &AddEpisode) -> bool {
    existing.kind == note.kind
        && existing.scope == note.scope
        && existing.trust == note.trust
        && existing.trust < Trust::Confirmed
        && existing.source.is_none()
        && existing.title.is_none()
}

/// What the model says of a new text.
pub(super) enum Judged {
    Keep,
    Discard(Like),
    Merge(Like, String),
    /// Kept, because there is no verdict. Stable, as the reasons of summaries are.
    Unjudged(&'static str),
}

/// The model, for the texts of one request.
pub(super) struct Judge<'a> {
    context: &'a Context,
    grant: &'a Grant,
    chat: &'a Chat,
    asked: usize,
    until: Instant,
    /// Why it is not asked any more.
    given_up: Option<&'static str>,
}

impl<'a> Judge<'a> {
    /// None where there is no model.
    pub(super) fn new(context: &'a Context, grant: &'a Grant) -> Option<Judge<'a>> {
        let chat = context.models().chat.as_ref()?;
        let until = Instant::now() + Duration::from_secs(EXTRACT_SECONDS_MAX);
        Some(Judge { context, grant, chat, asked: 0, until, given_up: None })
    }

    /// `like` is not empty.
    pub(super) async fn ask(&mut self, said: &Heard, text: &str, like: Vec<Like>) -> Judged {
        if let Some(why) = self.given_up {
            return Judged::Unjudged(why);
        }
        let engine = self.context.engine();
        if self.asked == VERDICTS_MAX {
            return Judged::Unjudged("TOO_MANY");
        }
        if !engine.may_spend(&self.grant.namespace, Purpose::Judge) {
            return Judged::Unjudged(OVER_BUDGET);
        }
        self.asked += 1;
        let ids: Vec<String> = like.iter().map(|like| like.episode.id.to_string()).collect();
        let times: Vec<String> = like.iter().map(|like| time(&like.episode)).collect();
        let existing: Vec<Existing<'_>> = (like.iter().zip(&ids).zip(&times))
            .map(|((Like { episode, .. }, id), time)| {
                let role = episode.speaker.as_deref().unwrap_or_default();
                Existing { id, role, time, text: &episode.text }
            })
            .collect();
        let asked = prompts::consolidate(self.chat, text, &existing);
        let Ok(answer) = timeout_at(self.until, asked).await else {
            let given_up = Cost { calls: 1, failures: 1, ..Cost::default() };
            engine.spent(&self.grant.namespace, Purpose::Judge, &given_up);
            return self.give_up("TIMED_OUT");
        };
        engine.spent(&self.grant.namespace, Purpose::Judge, &spent(&answer));
        match answer {
            Err(error) => self.give_up(error.kind()),
            Ok(answer) => judged(answer.value.action, said, text, like),
        }
    }

    /// A model that fails once is not waited for again by the same request.
    fn give_up(&mut self, why: &'static str) -> Judged {
        self.given_up = Some(why);
        Judged::Unjudged(why)
    }
}

fn time(episode: &Episode) -> String {
    let at = DateTime::from_timestamp_micros(episode.valid.start().micros());
    at.map_or_else(String::new, |at| at.to_rfc3339())
}

fn judged(action: Action, said: &Heard, new: &str, like: Vec<Like>) -> Judged {
    let named = |id: &str| like.into_iter().find(|like| like.episode.id.to_string() == id);
    match action {
        Action::Keep => Judged::Keep,
        Action::Discard { existing } => named(&existing).map_or(Judged::Keep, Judged::Discard),
        Action::Merge { existing, text } => match named(&existing) {
            None => Judged::Keep,
            // What a model says in its own words is its conclusion, and displaces nothing that
            // somebody said.
            Some(like)
                if said.trust > Trust::Inferred
                    && !is_completed(&like.episode.text, new, &text) =>
            {
                Judged::Unjudged("UNFOUNDED")
            }
            Some(like) => Judged::Merge(like, text),
        },
    }
}

/// Whether `text` is the old one, word for word, with words of the new one before or behind it, in
/// their order. So no word that turns what was said around gets lost or in between.
fn is_completed(old: &str, new: &str, text: &str) -> bool {
    let [old, new, text] = [old, new, text].map(words);
    let mut places = text.windows(old.len().max(1)).enumerate();
    places.any(|(at, run)| {
        let mut left = new.iter();
        let mut added = text[..at].iter().chain(&text[at + run.len()..]);
        run == old && added.all(|word| left.any(|other| other == word))
    })
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(normal).filter(|word| !word.is_empty()).collect()
}

/// One text in the place of the one that is there, if that is still believed: drawn from it, and from
/// what the new one rests on. `note` is what would have been kept of the new one.
pub(super) fn merged(existing: &Episode, note: AddEpisode, text: String) -> Op {
    let mut derived_from: Vec<EpisodeId> = vec![existing.id];
    derived_from.extend(note.derived_from.iter().filter(|id| **id != existing.id));
    // What both say was known since the first of them, and holds as long as either.
    let start = note.from.as_ref().map_or(Timestamp::INFINITY, |from| from.at);
    let end = note.to.as_ref().map_or(Timestamp::INFINITY, |to| to.at);
    let from = Some(Dated::from(start.min(existing.valid.start())));
    let end = end.max(existing.valid.end());
    let to = Some(end).filter(|end| *end != Timestamp::INFINITY).map(Dated::from);
    let weight = |own: Option<Confidence>| own.map_or(0.0, Confidence::get);
    let importance = if weight(note.importance) < weight(existing.importance) {
        existing.importance
    } else {
        note.importance
    };
    let trust = note.trust.min(existing.trust);
    let short = AddEpisode { text, from, to, trust, importance, derived_from, ..note };
    Op::Compact(Compact { episode: existing.id, short })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_completed_text_keeps_what_was_said_and_adds_what_is_said() {
        let old = "The backup does not run at night.";
        let new = "It runs at three, on the second disk";
        for (text, holds) in [
            ("The backup does not run at night, at three, on the second disk.", true),
            ("On the second disk: THE BACKUP DOES NOT RUN AT NIGHT", true),
            ("The backup does not run at night", true),
            ("The backup runs at night", false),
            ("The backup does not run at four at night.", false),
            ("The backup does not run at night on disk two.", false),
            ("The backup does not run at night, disk second.", false),
            ("", false),
        ] {
            assert_eq!(is_completed(old, new, text), holds, "{text}");
        }
        assert!(!is_completed("", "a", "b"));
    }
}
