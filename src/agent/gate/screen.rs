//! What of a conversation is worth keeping: sentence by sentence, by rules that can be read.

use std::collections::HashSet;

use chrono::NaiveDate;

use crate::types::{EpisodeId, EpisodeKind, Timestamp, Trust};

use super::super::sentence::sentences;
use super::super::signal::{Signal, is_failure, is_idle, signals};
use super::claim::Claim;
use super::when::when;
use super::{english, korean};

/// Marks around what a context gave out. What stands between them was not said again.
pub const FENCE: [&str; 2] = ["<memory>", "</memory>"];

/// One thing that was said.
#[derive(Clone, Debug, PartialEq)]
pub struct Heard {
    /// Where it is kept, if it is.
    pub episode: Option<EpisodeId>,
    pub role: String,
    pub text: String,
    pub said: Timestamp,
    /// The day it was said, where the namespace is.
    pub day: NaiveDate,
    pub trust: Trust,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dropped {
    /// A greeting, a thanks, a nod.
    Courtesy,
    Question,
    /// The memory gave it out before.
    Echo,
    /// The assistant's own words are no evidence.
    Assistant,
    /// No rule sees anything in it.
    Nothing,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    Dropped(Dropped),
    /// Facts, if a rule reads any; else a text.
    Kept {
        claims: Vec<Claim>,
        kind: EpisodeKind,
        signals: Vec<Signal>,
    },
}

/// What became of one sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Place of what was heard.
    pub heard: usize,
    pub text: String,
    pub verdict: Verdict,
}

/// Everything that was heard, sentence by sentence. `echoes` knows what the memory gave out lately;
/// what was asked to be kept is kept also where no rule sees anything in it.
#[must_use]
pub fn screen(heard: &[Heard], asked: bool, echoes: impl Fn(usize, &str) -> bool) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    for (place, said) in heard.iter().enumerate() {
        let (own, given) = unfenced(&said.text);
        let echo = |text: &str| Finding {
            heard: place,
            text: text.to_owned(),
            verdict: Verdict::Dropped(Dropped::Echo),
        };
        found.extend(given.iter().flat_map(|text| sentences(text)).map(echo));
        for text in own.iter().flat_map(|text| sentences(text)) {
            // Said twice in one go is said once.
            if !seen.insert(normal(text)) {
                continue;
            }
            let verdict = if echoes(place, text) {
                Verdict::Dropped(Dropped::Echo)
            } else {
                judge(said, text, asked)
            };
            found.push(Finding { heard: place, text: text.to_owned(), verdict });
        }
    }
    found
}

/// What of a turn did not pass the gate: the rest is known as facts and notes, which say when they
/// ended. Of a turn that said nothing else, nothing.
#[must_use]
pub fn unkept(said: &Heard) -> String {
    let found = screen(std::slice::from_ref(said), false, |_, _| false);
    let rest = found.into_iter().filter(|finding| {
        let why = Verdict::Dropped(Dropped::Nothing);
        finding.verdict == why || finding.verdict == Verdict::Dropped(Dropped::Assistant)
    });
    rest.map(|finding| finding.text).collect::<Vec<_>>().join(" ")
}

/// A text as echoes are compared: letters and digits alone, in lower case.
#[must_use]
pub fn normal(text: &str) -> String {
    text.chars().filter(|mark| mark.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The parts outside and inside the marks of a context. One that is never closed reaches to the end.
fn unfenced(text: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut own, mut given, mut rest) = (Vec::new(), Vec::new(), text);
    while let Some((before, after)) = rest.split_once(FENCE[0]) {
        own.push(before);
        let (inside, after) = after.split_once(FENCE[1]).unwrap_or((after, ""));
        given.push(inside);
        rest = after;
    }
    own.push(rest);
    (own, given)
}

/// Whose words are no evidence, unless somebody asks for them to be kept.
#[must_use]
pub fn is_silent(role: &str) -> bool {
    matches!(role, "assistant" | "system")
}

fn judge(said: &Heard, text: &str, asked: bool) -> Verdict {
    if is_idle(text) {
        return Verdict::Dropped(Dropped::Courtesy);
    }
    if text.ends_with(['?', '？']) {
        return Verdict::Dropped(Dropped::Question);
    }
    if !asked && is_silent(&said.role) {
        return Verdict::Dropped(Dropped::Assistant);
    }
    let signals = signals(text);
    let claims = claims(text, said);
    let failed = is_failure(text);
    if claims.is_empty() && signals.is_empty() && !failed && !asked {
        return Verdict::Dropped(Dropped::Nothing);
    }
    let kind = if failed { EpisodeKind::Failure } else { EpisodeKind::Note };
    Verdict::Kept { claims, kind, signals }
}

/// What a sentence states, with the day from which it says so.
fn claims(text: &str, said: &Heard) -> Vec<Claim> {
    let when = when(text, said.day);
    let plain = match &when {
        Some(when) => format!("{}{}", &text[..when.place.start], &text[when.place.end..]),
        None => text.to_owned(),
    };
    let mut claims = english::claims(&plain);
    if claims.is_empty() {
        claims = korean::claims(&plain);
    }
    if claims.is_empty() && when.is_some() {
        // What looked like its date may be what it is about: a deadline is.
        let mut whole = english::claims(text);
        whole.extend(korean::claims(text));
        return whole;
    }
    claims.into_iter().map(|claim| Claim { when: when.clone(), ..claim }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(role: &str, text: &str) -> Heard {
        Heard {
            episode: None,
            role: role.to_owned(),
            text: text.to_owned(),
            said: Timestamp::from_micros(0),
            day: NaiveDate::from_ymd_opt(2023, 5, 24).expect("a day"),
            trust: Trust::Stated,
        }
    }

    fn verdicts(said: &Heard) -> Vec<String> {
        let found = screen(std::slice::from_ref(said), false, |_, text| text.starts_with("Echo"));
        let tell = |finding: Finding| match finding.verdict {
            Verdict::Dropped(why) => format!("{why:?}"),
            Verdict::Kept { claims, kind, .. } => format!("{kind:?} {}", claims.len()),
        };
        found.into_iter().map(tell).collect()
    }

    #[test]
    fn each_sentence_has_its_verdict() {
        let said = "Hi! I live in Seoul. What time is it? The sky is blue. We decided to use redb. \
                    Echo of the memory. The deploy failed again. Hi!";
        assert_eq!(
            verdicts(&heard("user", said)),
            ["Courtesy", "Note 1", "Question", "Nothing", "Note 0", "Echo", "Failure 0"]
        );
        assert_eq!(verdicts(&heard("assistant", "You live in Seoul. I decided it.")).len(), 2);
        assert!(verdicts(&heard("assistant", "I live in Seoul.")).contains(&"Assistant".into()));
    }

    #[test]
    fn what_a_context_gave_out_is_not_learnt_again() {
        let said = "I live in Busan. <memory>\n- I live in Seoul.\n</memory> My name is Ann.";
        assert_eq!(verdicts(&heard("user", said)), ["Echo", "Note 1", "Note 1"]);
        let open = "<memory>I live in Seoul. My name is Ann.";
        assert_eq!(verdicts(&heard("user", open)), ["Echo", "Echo"]);
    }

    #[test]
    fn of_a_turn_that_passed_the_gate_what_is_known_elsewhere_is_left_out() {
        let said = heard("user", "Hi! I live in Seoul. The lamp by the door is green. Is it?");
        assert_eq!(unkept(&said), "The lamp by the door is green.");
        assert_eq!(unkept(&heard("user", "Hello! I live in Seoul.")), "");
    }

    #[test]
    fn a_claim_holds_from_the_day_it_names() {
        let found = screen(&[heard("user", "I moved to Busan last week.")], false, |_, _| false);
        let Verdict::Kept { claims, .. } = &found[0].verdict else { panic!("{found:?}") };
        let day = claims[0].when.as_ref().map(|when| when.day.to_string());
        assert_eq!((claims[0].object.as_str(), day.as_deref()), ("Busan", Some("2023-05-15")));
    }
}
