//! Histories made up from a seed: facts that are told once in one of several wordings, many of them
//! changed later, in the middle of talk about other things, and asked for in other words.
//!
//! A session tells some facts, changes some of earlier ones, and goes on for more than fifty messages
//! about anything else before its own questions come. Other questions are asked outside of any
//! session. Every value is said in no other place, so that a context that names it knows it from there.

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, SecondsFormat, Utc};

use crate::types::limits::EVAL_SESSIONS_MAX;

use super::chance::Chance;
use super::history::{End, Entry, History, Question, Turn};
use super::words::{ENGLISH, KOREAN, Topic, Words};

pub const SESSIONS_DEFAULT: u32 = 12;
pub const SESSIONS_MAX: u32 = EVAL_SESSIONS_MAX;

/// Facts that a session tells for the first time.
const TOLD: usize = 5;
/// Facts of earlier sessions that it changes, at most.
const CHANGED: usize = 3;
/// Messages between the last fact of a session and its questions.
const APART: usize = 52;
/// Questions outside of any session, after each.
const ACROSS: usize = 4;
/// 2024-03-04T09:00:00Z, a Monday.
const BEGIN: i64 = 1_709_542_800;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    English,
    Korean,
}

impl Language {
    pub const ALL: [Language; 2] = [Language::English, Language::Korean];

    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Korean => "ko",
        }
    }

    fn words(self) -> &'static Words {
        match self {
            Language::English => &ENGLISH,
            Language::Korean => &KOREAN,
        }
    }
}

/// A history of so many sessions, at most [`SESSIONS_MAX`]. The same seed gives the same one.
#[must_use]
pub fn generate(language: Language, seed: u64, sessions: u32) -> History {
    let words = language.words();
    let mut chance = Chance::new(seed ^ 0x7465_6e75_7265 ^ language as u64);
    let facts = facts(words, &mut chance);
    let mut writer = Writer {
        words,
        chance,
        facts,
        told: Vec::new(),
        history: History::default(),
        now: DateTime::from_timestamp(BEGIN, 0).unwrap_or_default(),
        session: String::new(),
    };
    for number in 1..=sessions.min(SESSIONS_MAX) {
        writer.session(number);
    }
    let all: Vec<usize> = writer.told.clone();
    for fact in all {
        writer.ask(fact, None);
    }
    writer.history
}

/// A subject with all values it will ever have, in their order.
struct Fact {
    topic: &'static Topic,
    subject: &'static str,
    values: Vec<&'static str>,
    /// Values that were told already.
    known: usize,
}

fn facts(words: &'static Words, chance: &mut Chance) -> Vec<Fact> {
    let mut facts = Vec::new();
    for topic in words.topics {
        let mut values = topic.values.to_vec();
        chance.shuffle(&mut values);
        let each = values.len() / topic.subjects.len();
        let subjects = topic.subjects.iter().zip(values.chunks(each));
        facts.extend(subjects.map(|(subject, values)| {
            let values = values.to_vec();
            Fact { topic, subject, values, known: 0 }
        }));
    }
    chance.shuffle(&mut facts);
    facts
}

struct Writer {
    words: &'static Words,
    chance: Chance,
    facts: Vec<Fact>,
    /// Facts that were told, in that order.
    told: Vec<usize>,
    history: History,
    now: DateTime<Utc>,
    session: String,
}

impl Writer {
    fn session(&mut self, number: u32) {
        self.session = format!("s{number}");
        self.now = DateTime::from_timestamp(BEGIN, 0).unwrap_or_default()
            + Duration::days(i64::from(number) - 1);
        let greeting = self.chance.one(self.words.greetings).to_owned();
        self.exchange(greeting);
        let earlier = self.told.clone();
        let mut about: Vec<usize> = self.changing(&earlier);
        let first = self.told.len();
        about.extend(first..(first + TOLD).min(self.facts.len()));
        self.told.extend(first..(first + TOLD).min(self.facts.len()));
        for fact in &about {
            self.tell(*fact);
            if self.chance.below(2) == 0 {
                self.chat();
            }
        }
        // One of them is put right while the session goes on.
        let slips = about.iter().copied().find(|fact| *fact >= first && self.can_change(*fact));
        if let Some(fact) = slips {
            self.tell(fact);
        }
        for _ in 0..APART / 2 {
            self.chat();
        }
        for fact in about {
            self.ask(fact, Some(self.session.clone()));
        }
        self.history.entries.push(Entry::End(End { session: self.session.clone() }));
        let mut earlier = earlier;
        self.chance.shuffle(&mut earlier);
        for fact in earlier.into_iter().take(ACROSS) {
            self.ask(fact, None);
        }
    }

    fn can_change(&self, fact: usize) -> bool {
        let fact = &self.facts[fact];
        !fact.topic.changed.is_empty() && fact.known < fact.values.len()
    }

    fn changing(&mut self, earlier: &[usize]) -> Vec<usize> {
        let mut open: Vec<usize> =
            earlier.iter().copied().filter(|fact| self.can_change(*fact)).collect();
        self.chance.shuffle(&mut open);
        open.truncate(CHANGED);
        open
    }

    /// States the next value of a fact.
    fn tell(&mut self, fact: usize) {
        let Fact { topic, subject, ref values, known } = self.facts[fact];
        let templates = if known == 0 { topic.told } else { topic.changed };
        let value = values[known];
        self.facts[fact].known += 1;
        let template = self.chance.one(templates);
        let mut text = filled(template, subject, value);
        match self.chance.below(4) {
            0 => text = format!("{}{text}", self.chance.one(self.words.leads)),
            1 => {
                let talk = self.talk();
                text = format!("{text} {talk}");
            }
            _ => {}
        }
        self.exchange(text);
    }

    fn chat(&mut self) {
        let text = if self.chance.below(8) == 0 {
            self.chance.one(self.words.thanks).to_owned()
        } else {
            self.talk()
        };
        self.exchange(text);
    }

    /// Something else, which may name a subject that is told of.
    fn talk(&mut self) -> String {
        let place = self.chance.below(self.facts.len());
        let subject = self.facts[place].subject;
        filled(self.chance.one(self.words.chatter), subject, "")
    }

    /// A message and its reply.
    fn exchange(&mut self, text: String) {
        let reply = self.chance.one(self.words.replies).to_owned();
        for (role, content) in [("user", text), ("assistant", reply)] {
            self.now += Duration::seconds(20);
            let time = Some(self.time());
            let turn = Turn { session: self.session.clone(), role: role.to_owned(), content, time };
            self.history.entries.push(Entry::Turn(turn));
        }
    }

    fn ask(&mut self, fact: usize, session: Option<String>) {
        self.now += Duration::seconds(20);
        let Fact { topic, subject, ref values, known } = self.facts[fact];
        let template = self.chance.one(topic.asked);
        let own = |values: &[&str]| values.iter().map(|one| (*one).to_owned()).collect();
        let question = Question {
            text: filled(template, subject, ""),
            at: Some(self.time()),
            session,
            answers: own(&values[known - 1..known]),
            superseded: own(&values[..known - 1]),
        };
        self.history.entries.push(Entry::Question(question));
    }

    fn time(&self) -> String {
        self.now.to_rfc3339_opts(SecondsFormat::Secs, true)
    }
}

/// A template with its words, the first letter large, and particles that fit.
fn filled(template: &str, subject: &str, value: &str) -> String {
    let text = fitted(&template.replace("{s}", subject).replace("{v}", value));
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}

/// Chooses of `(은/는)` and its like the one that fits the sound before it.
fn fitted(text: &str) -> String {
    let particles: BTreeMap<&str, (&str, &str)> = BTreeMap::from([
        ("(은/는)", ("은", "는")),
        ("(이/가)", ("이", "가")),
        ("(을/를)", ("을", "를")),
        ("(으로/로)", ("으로", "로")),
    ]);
    let mut text = text.to_owned();
    for (mark, (closed, open)) in particles {
        while let Some((before, after)) = text.split_once(mark) {
            let sound = before.chars().next_back().map_or(0, final_sound);
            // An L takes the short form of this one.
            let is_open = sound == 0 || mark == "(으로/로)" && sound == 8;
            text = format!("{before}{}{after}", if is_open { open } else { closed });
        }
    }
    text
}

/// The final consonant of a syllable of Hangul, 0 where it has none.
fn final_sound(letter: char) -> u32 {
    match letter {
        '가'..='힣' => (u32::from(letter) - u32::from('가')) % 28,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::holds;

    #[test]
    fn the_same_seed_gives_the_same_history() {
        for language in Language::ALL {
            let one = generate(language, 1, SESSIONS_DEFAULT);
            assert_eq!(one, generate(language, 1, SESSIONS_DEFAULT));
            assert_ne!(one, generate(language, 2, SESSIONS_DEFAULT));
        }
        assert_ne!(generate(Language::English, 1, 2), generate(Language::Korean, 1, 2));
    }

    #[test]
    fn what_is_asked_was_said_before_and_nowhere_else() {
        for language in Language::ALL {
            let history = generate(language, 3, SESSIONS_MAX);
            let mut said: Vec<&Turn> = Vec::new();
            for entry in &history.entries {
                match entry {
                    Entry::Turn(turn) => said.push(turn),
                    Entry::End(_) => {}
                    Entry::Question(question) => {
                        for value in question.answers.iter().chain(&question.superseded) {
                            let by = said.iter().filter(|turn| holds(&turn.content, value));
                            assert_eq!(by.count(), 1, "{value}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn questions_come_after_fifty_messages_and_across_sessions_and_of_what_changed() {
        for language in Language::ALL {
            let history = generate(language, 5, SESSIONS_DEFAULT);
            let questions = history.entries.iter().filter_map(|entry| match entry {
                Entry::Question(question) => Some(question),
                _ => None,
            });
            let within = questions.clone().filter(|question| question.session.is_some()).count();
            let changed = questions.clone().filter(|one| !one.superseded.is_empty()).count();
            let all = questions.count();
            assert!(within > 60 && all - within > 90 && changed > 60, "{all} {within} {changed}");
        }
    }

    #[test]
    fn particles_fit_the_sound_before_them() {
        for (text, expected) in [
            ("서연(은/는) 부산(으로/로)", "서연은 부산으로"),
            ("민지(은/는) 대구(으로/로)", "민지는 대구로"),
            ("서울(으로/로) 호두(을/를) 결제(이/가)", "서울로 호두를 결제가"),
        ] {
            assert_eq!(fitted(text), expected);
        }
    }
}
