//! Which of the texts that were found have to do with a question.
//!
//! Searching finds whatever shares a word or a direction with a question, and with much to search that
//! is much. Who asks of something by name wants texts that name it; who uses a rare word, texts that
//! hold it. So a text must name what is named, or, where the question names nothing that any text names,
//! hold at least half as much of its words as the best, each by how rare it is. A text that is nearer
//! in meaning than all that do stays in any case: it may say the same in other words.
//!
//! It compares texts with each other and not with a number: where no text has what is asked for, none
//! is left out. Neither is where people ask of themselves: what they said of themselves names nobody.

use crate::query::recall::Wanted;

use super::context::asks_of_self;

/// Share of what the best text holds of the words of a question that others must hold.
const HELD_MIN: f32 = 0.5;

/// A text that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    pub text: String,
    /// The graph leads to it from something the question names.
    pub linked: bool,
    /// None: it has no vector, or the question has none.
    pub cosine: Option<f32>,
}

/// What a text needs to stand in a context.
#[derive(Clone, Debug, PartialEq)]
pub struct Bearing {
    needs: Needs,
    /// A text that is nearer than this stays anyhow.
    nearest: Option<f32>,
}

#[derive(Clone, Debug, PartialEq)]
enum Needs {
    Nothing,
    /// One of these, in small letters.
    Names(Vec<String>),
    Words {
        wanted: Wanted,
        least: f32,
    },
}

impl Bearing {
    /// `names` is what the question names, `wanted` its words. No names at all: it is about whoever
    /// asks.
    #[must_use]
    pub fn new(
        names: Option<Vec<String>>,
        wanted: Option<Wanted>,
        candidates: &[Candidate],
    ) -> Bearing {
        let Some(names) = names else { return Bearing { needs: Needs::Nothing, nearest: None } };
        let names: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
        let is_unnamed = names.is_empty();
        let mut bearing = Bearing { needs: Needs::Names(names), nearest: None };
        if is_unnamed || !candidates.iter().any(|candidate| bearing.meets(candidate)) {
            bearing.needs = words(wanted, candidates);
        }
        let meeting = candidates.iter().filter(|candidate| bearing.meets(candidate));
        bearing.nearest = meeting.filter_map(|candidate| candidate.cosine).reduce(f32::max);
        bearing
    }

    #[must_use]
    pub fn takes(&self, candidate: &Candidate) -> bool {
        let nearer = candidate.cosine.zip(self.nearest).is_some_and(|(own, best)| own > best);
        nearer || self.meets(candidate)
    }

    /// Whether it names what the question names: it has to do with it, however else it is put.
    #[must_use]
    pub fn is_named_by(&self, candidate: &Candidate) -> bool {
        matches!(self.needs, Needs::Names(_)) && self.meets(candidate)
    }

    fn meets(&self, candidate: &Candidate) -> bool {
        match &self.needs {
            Needs::Nothing => true,
            _ if candidate.linked => true,
            Needs::Names(names) => {
                let text = candidate.text.to_lowercase();
                names.iter().any(|name| stands_in(&text, name))
            }
            Needs::Words { wanted, least } => wanted.held_by(&candidate.text) >= *least,
        }
    }
}

fn words(wanted: Option<Wanted>, candidates: &[Candidate]) -> Needs {
    let Some(wanted) = wanted else { return Needs::Nothing };
    let held = candidates.iter().map(|candidate| wanted.held_by(&candidate.text));
    let best = held.fold(0.0, f32::max);
    if best > 0.0 { Needs::Words { wanted, least: best * HELD_MIN } } else { Needs::Nothing }
}

/// What a question names: `known` names of entities that stand in it, and words that are written as
/// names are where letters have cases. None where it is about whoever asks, who is called "I" in what
/// they said.
#[must_use]
pub fn names(
    question: &str,
    known: Vec<String>,
    asker: &str,
    texts: &[&str],
) -> Option<Vec<String>> {
    let mut names = known;
    for (place, word) in question.split_whitespace().enumerate() {
        let word = bare(word);
        if is_written_as_a_name(word)
            && (place > 0 || texts.iter().any(|text| stands_capital_in(text, word)))
        {
            names.push(word.to_owned());
        }
    }
    let of_asker = names.iter().any(|name| name.to_lowercase() == asker.to_lowercase());
    let is_own = of_asker || names.is_empty() && asks_of_self(question);
    (!is_own).then_some(names)
}

/// A word without the marks around it and what an apostrophe adds to it.
fn bare(word: &str) -> &str {
    let word = word.trim_matches(|mark: char| !mark.is_alphanumeric());
    word.split(['\'', '\u{2019}']).next().unwrap_or(word)
}

/// Days and months are written as names are in English, and name nothing that a text is about.
const CALENDAR: [&str; 19] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

fn is_written_as_a_name(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_uppercase)
        && letters.next().is_some()
        && !CALENDAR.contains(&word.to_lowercase().as_str())
}

/// Whether a word stands with its capital inside a sentence: behind a small letter or a comma.
fn stands_capital_in(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let mut before = text[..at].chars().rev();
        before.next().is_some_and(char::is_whitespace)
            && before.next().is_some_and(|mark| mark.is_lowercase() || mark == ',')
    })
}

/// Whether a text holds a name as whole words. What Korean adds to a word may follow it.
fn stands_in(text: &str, name: &str) -> bool {
    !name.is_empty()
        && text.match_indices(name).any(|(at, found)| {
            let before = text[..at].chars().next_back();
            let after = text[at + found.len()..].chars().next();
            !before.is_some_and(char::is_alphanumeric)
                && after.is_none_or(|mark| !mark.is_alphanumeric() || is_hangul(mark))
        })
}

fn is_hangul(letter: char) -> bool {
    ('\u{ac00}'..='\u{d7a3}').contains(&letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(text: &str, cosine: Option<f32>) -> Candidate {
        Candidate { text: text.to_owned(), linked: false, cosine }
    }

    fn kept(names: &[&str], candidates: &[Candidate]) -> Vec<usize> {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        let bearing = Bearing::new(Some(names), None, candidates);
        let places = candidates.iter().enumerate();
        places.filter(|(_, one)| bearing.takes(one)).map(|(place, _)| place).collect()
    }

    #[test]
    fn what_is_named_must_be_named() {
        let all = [
            candidate("user: NORA's flat is in Lisbon", Some(0.4)),
            candidate("user: Noras flat is in Lima", Some(0.4)),
            candidate("user: Oscar has a flat", Some(0.3)),
            Candidate { linked: true, ..candidate("the flat is hers", Some(0.1)) },
        ];
        assert_eq!(kept(&["Nora"], &all), [0, 3]);
        assert_eq!(kept(&["Nora", "Oscar"], &all), [0, 2, 3], "any of them");
        let korean = [candidate("현우는 부산에 살아요", None), candidate("김현우는 바빠요", None)];
        assert_eq!(kept(&["현우"], &korean), [0]);
    }

    #[test]
    fn what_is_nearer_than_all_that_name_it_stays() {
        let all = [
            candidate("Nora called", Some(0.4)),
            candidate("She moved to Lima", Some(0.41)),
            candidate("It rains", Some(0.4)),
        ];
        assert_eq!(kept(&["Nora"], &all), [0, 1]);
        let blind = [candidate("Nora called", None), candidate("It rains", None)];
        assert_eq!(kept(&["Nora"], &blind), [0]);
        let bearing = Bearing::new(Some(vec!["Nora".to_owned()]), None, &all);
        let named = all.iter().map(|one| bearing.is_named_by(one));
        assert_eq!(named.collect::<Vec<_>>(), [true, false, false]);
    }

    #[test]
    fn where_none_has_what_is_asked_for_none_is_left_out() {
        let all = [candidate("It rains", Some(0.4)), candidate("It snows", None)];
        assert_eq!(kept(&["Nora"], &all), [0, 1]);
        assert_eq!(kept(&[], &all), [0, 1]);
        let linked = Candidate { linked: true, ..candidate("It hails", Some(0.1)) };
        let all = [all[0].clone(), linked];
        assert_eq!(kept(&[], &all), [0, 1], "nothing is named that a link could lead from");
        let own = Bearing::new(None, None, &all);
        assert!(all.iter().all(|one| own.takes(one)), "whoever asks is named by no text");
    }

    #[test]
    fn a_question_names_what_is_known_or_written_as_a_name() {
        let said = ["so, Falcon runs on redb", "Where is it? Which one?"];
        let found = |question: &str, known: &[&str], asker: &str| {
            let known = known.iter().map(|name| (*name).to_owned()).collect();
            names(question, known, asker, &said)
        };
        for (question, known, expected) in [
            ("Where does Nora's dog sleep?", &[][..], &["Nora"][..]),
            ("Falcon is slow, why?", &[], &["Falcon"]),
            ("Which one is slow?", &[], &[]),
            ("where is the cellar?", &["the cellar"], &["the cellar"]),
            ("What was said in March?", &[], &[]),
            ("현우는 어디에 살아요?", &["현우"], &["현우"]),
            ("Where did I meet Nora?", &[], &["Nora"]),
        ] {
            let found = found(question, known, "user");
            assert_eq!(found.as_deref().unwrap_or_default(), expected, "{question}");
            assert!(found.is_some(), "{question}");
        }
        assert_eq!(found("Where does Nora live?", &[], "nora"), None, "she says I elsewhere");
        assert_eq!(found("What are my hobbies?", &[], "user"), None);
    }
}
