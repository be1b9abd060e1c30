//! The words that a document is found by.

use crate::kernel::Directory;
use crate::query::Snapshot;
use crate::store::{self, Reader};
use crate::types::{
    DocumentId, Episode, EpisodeId, NamespaceId, Object, StatementId, Timestamp, Triple, Value,
};
use crate::view::document::{Documents, What};

/// Where the words of a document stand.
pub(super) enum Words {
    /// Names, which are at hand.
    Names(String),
    /// In the table of statements.
    Statement(Triple, StatementId),
    /// In the table of episodes.
    Episode(EpisodeId),
}

/// What is known of a document's words without the store.
pub(super) fn words(directory: &Directory, documents: &Documents, document: DocumentId) -> Words {
    match documents.what(document) {
        What::Fact(fact) => Words::Names(fact_words(directory, documents.triple(fact))),
        What::Statement(place) => {
            let support = documents.support(place);
            Words::Statement(documents.triple(support.fact), support.id)
        }
        What::Entity(id) => {
            let name = directory.entity_name(id).expect("every id was named");
            Words::Names(name.to_string())
        }
        What::Episode(place) => Words::Episode(documents.episode(place).id),
    }
}

impl Words {
    /// # Errors
    /// When the disk cannot be read.
    pub(super) fn read(
        self,
        reader: &Reader,
        namespace: NamespaceId,
    ) -> Result<String, store::ReadError> {
        Ok(match self {
            Words::Names(words) => words,
            Words::Statement(triple, id) => {
                let statement = reader.statement_of(namespace, triple, id)?;
                statement.and_then(|statement| statement.text).unwrap_or_default()
            }
            Words::Episode(id) => {
                let episode = reader.episode(namespace, id)?;
                episode.map_or_else(String::new, |episode| episode_words(&episode))
            }
        })
    }
}

/// Subject, predicate and object, as a sentence of three words.
pub(super) fn fact_words(directory: &Directory, triple: Triple) -> String {
    let subject = directory.entity_name(triple.subject).expect("every id was named");
    let predicate = &directory.predicate_info(triple.predicate).expect("every id was named").name;
    let object = match triple.object {
        Object::Entity(id) => directory.entity_name(id).expect("every id was named").to_string(),
        Object::Value(id) => value_words(directory.value_of(id).expect("every id was recorded")),
    };
    format!("{subject} {} {object}", spelled_out(predicate))
}

/// `works_at` and `worksAt` as the words they are made of: a model knows words, not identifiers.
fn spelled_out(predicate: &str) -> String {
    let mut words = String::with_capacity(predicate.len() + 4);
    let mut lower = false;
    for c in predicate.chars() {
        if c == '_' || c == '-' {
            words.push(' ');
            lower = false;
            continue;
        }
        if lower && c.is_uppercase() {
            words.push(' ');
        }
        lower = c.is_lowercase();
        words.push(c);
    }
    words
}

fn value_words(value: &Value) -> String {
    match value {
        Value::Boolean(value) => value.to_string(),
        Value::Integer(value) => value.to_string(),
        Value::Number(value) => value.to_string(),
        Value::Time(at) => day(*at).unwrap_or_default(),
        Value::Text(text) => text.clone(),
    }
}

/// Who said it, what it is a part of, the text, and the day if that was said.
fn episode_words(episode: &Episode) -> String {
    let mut words = String::with_capacity(episode.text.len() + 64);
    for part in [&episode.speaker, &episode.title].into_iter().flatten() {
        words.push_str(part);
        words.push_str(": ");
    }
    words.push_str(&episode.text);
    if let Some(day) = day(episode.valid.start()).filter(|_| episode.dated) {
        words.push_str(" (");
        words.push_str(&day);
        words.push(')');
    }
    words
}

const MICROS_A_DAY: i64 = 24 * 3_600 * 1_000_000;
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The day of an instant in UTC, such as `8 May 2023`, in the proleptic Gregorian calendar
/// (H. Hinnant, "chrono-compatible low-level date algorithms").
fn day(at: Timestamp) -> Option<String> {
    if !at.is_instant() {
        return None;
    }
    let days = at.micros().div_euclid(MICROS_A_DAY) + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Counted from March, so that the leap day is the last of the year.
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let year = year_of_era + era * 400 + i64::from(month >= 10);
    let name = MONTHS[usize::try_from((month + 2) % 12).expect("twelve months")];
    Some(format!("{day} {name} {year}"))
}

/// The words of a fact at a snapshot.
#[must_use]
pub fn shown(snapshot: Snapshot<'_>, triple: Triple) -> String {
    fact_words(snapshot.directory, triple)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        let day = |days: i64| day(Timestamp::from_micros(days * MICROS_A_DAY)).expect("an instant");
        assert_eq!(day(0), "1 January 1970");
        assert_eq!(day(-1), "31 December 1969");
        assert_eq!(day(19_485), "8 May 2023");
        assert_eq!(day(11_016), "29 February 2000");
        assert_eq!(day(-719_528), "1 January 0");
        assert_eq!(super::day(Timestamp::INFINITY), None);
    }

    #[test]
    fn identifiers_are_spelled_out() {
        assert_eq!(spelled_out("works_at"), "works at");
        assert_eq!(spelled_out("playsFor"), "plays For");
        assert_eq!(spelled_out("\u{c18c}\u{c18d}"), "\u{c18c}\u{c18d}");
    }
}
