//! Facts that an English sentence states in plain words. Questions, guesses and what is only wished
//! for state none, and a sentence that fits no rule stays a text.

use crate::types::Cardinality;

use super::claim::{Claim, RULE_CONFIDENCE, Relation, Says, Who, attribute};
use super::lexicon::{
    ADVERBS, BREAKS, HEDGES, IDLE_NOUNS, LEADS, PASSIVES, PREPOSITIONS, PRONOUNS, VERBS,
};

const OBJECT_WORDS_MAX: usize = 8;
const SUBJECT_WORDS_MAX: usize = 5;
const ATTRIBUTE_WORDS_MAX: usize = 3;

/// The claims of a sentence from which its date was taken.
pub(super) fn claims(sentence: &str) -> Vec<Claim> {
    if sentence.trim_end().ends_with('?') {
        return Vec::new();
    }
    let plain = expanded(sentence);
    let mut words: Vec<&str> = plain.split_whitespace().collect();
    if words.iter().any(|word| HEDGES.contains(&low(word).as_str())) {
        return Vec::new();
    }
    let ended = take_ending(&mut words);
    strip_lead(&mut words);
    words.retain(|word| !ADVERBS.contains(&low(word).as_str()));
    let says = if ended { Says::Ended } else { Says::Holds };
    let found = left(&words)
        .or_else(|| titled(&words))
        .or_else(|| owned(&words))
        .or_else(|| passive(&words))
        .or_else(|| active(&words));
    let found = found.filter(|claim| !is_negated(&words, claim));
    found.map(|claim| if ended { Claim { says, ..claim } } else { claim }).into_iter().collect()
}

fn low(word: &str) -> String {
    word.trim_matches(|mark: char| !mark.is_alphanumeric() && mark != '\'').to_lowercase()
}

/// Contractions in full, but for the 's of whose something is.
fn expanded(sentence: &str) -> String {
    let mut text = sentence.replace('’', "'");
    for (short, long) in [
        ("I'm", "I am"),
        ("i'm", "i am"),
        ("'ve", " have"),
        ("'re", " are"),
        ("don't", "do not"),
        ("Don't", "Do not"),
        ("doesn't", "does not"),
        ("didn't", "did not"),
        ("isn't", "is not"),
        ("aren't", "are not"),
        ("can't", "cannot"),
        ("'ll", " will"),
        ("It's", "It is"),
        ("it's", "it is"),
    ] {
        text = text.replace(short, long);
    }
    text
}

/// Takes out what says that something ended: "no longer", "not ... anymore".
fn take_ending(words: &mut Vec<&str>) -> bool {
    let at = |words: &[&str], pair: [&str; 2]| {
        words.windows(2).position(|two| low(two[0]) == pair[0] && low(two[1]) == pair[1])
    };
    if let Some(place) = at(words, ["no", "longer"]) {
        words.drain(place..place + 2);
        return true;
    }
    let more = at(words, ["any", "more"]);
    let anymore = words.iter().position(|word| low(word) == "anymore");
    let Some(end) = more.or(anymore) else { return false };
    words.truncate(end);
    for pair in [["do", "not"], ["does", "not"], ["is", "not"], ["am", "not"]] {
        if let Some(place) = at(words, pair) {
            words.drain(place..place + 2);
            return true;
        }
    }
    false
}

fn strip_lead(words: &mut Vec<&str>) {
    // "The" leads in only as a part of "by the way".
    while let Some(first) = words.first().map(|word| low(word)) {
        let is_lead = LEADS.contains(&first.as_str());
        let by_the_way = first == "by" && words.get(2).is_some_and(|word| low(word) == "way");
        match first.as_str() {
            "by" if by_the_way => drop(words.drain(..3)),
            "by" | "the" | "way" => break,
            _ if is_lead => drop(words.remove(0)),
            _ => break,
        }
    }
    // "At Lindor, Lin leads design": where it is so is no part of who it is about.
    let frames = words.first().is_some_and(|word| PREPOSITIONS.contains(&low(word).as_str()));
    let end = words.iter().take(SUBJECT_WORDS_MAX).position(|word| word.ends_with(','));
    if let Some(end) = end.filter(|_| frames) {
        words.drain(..=end);
    }
}

fn is_negated(words: &[&str], claim: &Claim) -> bool {
    words.iter().any(|word| low(word) == "not") && claim.predicate != "dislikes"
}

/// "Ann left Acme", "I quit Acme".
fn left(words: &[&str]) -> Option<Claim> {
    let place = words.iter().position(|word| ["left", "quit"].contains(&low(word).as_str()))?;
    let (subject, object) = (subject(&words[..place])?, object(&words[place + 1..])?);
    // "Left the office", "left early": only a name is an employer.
    let named = object.starts_with(char::is_uppercase);
    let claim = Relation::one("works_at").claim(subject, object);
    named.then_some(Claim { says: Says::Ended, ..claim })
}

fn is_at(words: &[&str]) -> Option<usize> {
    words.iter().position(|word| ["is", "are"].contains(&low(word).as_str()))
}

/// "My manager is Kim", "Ann's manager is Bob", "the manager of Payments is Bob".
fn owned(words: &[&str]) -> Option<Claim> {
    let verb = is_at(words)?;
    let first = low(words.first()?);
    let (subject, mut noun) = if ["my", "our"].contains(&first.as_str()) {
        (Who::Speaker, &words[1..verb])
    } else if let Some(whose) = words[..verb].iter().position(|word| low(word).ends_with("'s")) {
        let name = words[..=whose].join(" ");
        let name = name.trim_end_matches("'s").to_owned();
        if !is_name(&words[..=whose]) {
            return None;
        }
        (Who::Named(name), &words[whose + 1..verb])
    } else if first == "the" {
        let of =
            words[..verb].iter().position(|word| ["of", "for"].contains(&low(word).as_str()))?;
        let whose = &words[of + 1..verb];
        (Who::Named(named(whose)?), words.get(1..of)?)
    } else {
        return None;
    };
    if noun.first().is_some_and(|word| low(word) == "new") {
        noun = &noun[1..];
    }
    let idle = noun.last().is_none_or(|word| IDLE_NOUNS.contains(&low(word).as_str()));
    if idle || noun.len() > ATTRIBUTE_WORDS_MAX || noun.is_empty() {
        return None;
    }
    let object = object(&words[verb + 1..])?;
    Some(of_attribute(subject, noun, object))
}

fn of_attribute(subject: Who, noun: &[&str], object: String) -> Claim {
    let (predicate, points_at) = attribute(noun);
    Claim {
        subject,
        predicate,
        object,
        points_at,
        cardinality: Cardinality::One,
        says: Says::Holds,
        when: None,
        confidence: RULE_CONFIDENCE,
    }
}

/// "Bob is the manager of Payments": the same, the other way round.
fn titled(words: &[&str]) -> Option<Claim> {
    let verb = is_at(words).filter(|verb| *verb > 0)?;
    let rest = &words[verb + 1..];
    let of = rest.iter().position(|word| ["of", "for"].contains(&low(word).as_str()))?;
    let mut noun = rest.get(..of)?;
    if low(noun.first()?) != "the" || !is_name(&words[..verb]) {
        return None;
    }
    noun = &noun[1..];
    if noun.first().is_some_and(|word| low(word) == "new") {
        noun = &noun[1..];
    }
    if noun.is_empty() || noun.len() > ATTRIBUTE_WORDS_MAX {
        return None;
    }
    let whole = named(&rest[of + 1..])?;
    Some(of_attribute(Who::Named(whole), noun, words[..verb].join(" ")))
}

/// "Checkout is owned by Payments".
fn passive(words: &[&str]) -> Option<Claim> {
    let verb = is_at(words)?;
    let rest = &words[verb + 1..];
    let (passive, relation) = PASSIVES.iter().find(|(passive, _)| begins(rest, passive))?;
    let owner = object(&rest[passive.split(' ').count()..])?;
    let thing = named(&words[..verb])?;
    Some(relation.claim(Who::Named(owner), thing))
}

/// "I live in Seoul", "Ann is working on Checkout".
fn active(words: &[&str]) -> Option<Claim> {
    (1..words.len()).find_map(|place| {
        let (verb, relation) = VERBS.iter().find(|(verb, _)| begins(&words[place..], verb))?;
        let mut end = place;
        while end > 1
            && ["am", "is", "are", "was", "were", "do", "does", "not"]
                .contains(&low(words[end - 1]).as_str())
        {
            end -= 1;
        }
        let subject = subject(&words[..end])?;
        let object = object(&words[place + verb.split(' ').count()..])?;
        let denied = words[end..place].iter().any(|word| low(word) == "not");
        match (denied, relation.predicate) {
            (false, _) => Some(relation.claim(subject, object)),
            (true, "likes") => Some(Relation::words("dislikes").claim(subject, object)),
            (true, _) => None,
        }
    })
}

fn begins(words: &[&str], phrase: &str) -> bool {
    let mut rest = words.iter();
    phrase.split(' ').all(|part| rest.next().is_some_and(|word| low(word) == part))
}

fn subject(words: &[&str]) -> Option<Who> {
    match words {
        [one] if ["i", "we"].contains(&low(one).as_str()) => Some(Who::Speaker),
        _ if is_name(words) => named(words).map(Who::Named),
        _ => None,
    }
}

/// Whether words can be the name of something: they begin with a capital or a "the".
fn is_name(words: &[&str]) -> bool {
    let first = words.first().map_or("", |word| *word);
    let plain = |word: &&str| {
        let word = low(word);
        !["and", "or", "that"].contains(&word.as_str())
            && !BREAKS.contains(&word.as_str())
            && !PRONOUNS.contains(&word.as_str())
    };
    let is_one = words.iter().rev().skip(1).all(|word| !word.ends_with(','));
    !words.is_empty()
        && is_one
        && words.len() <= SUBJECT_WORDS_MAX
        && (first.starts_with(char::is_uppercase) || low(first) == "the")
        && words.iter().all(plain)
}

/// A name without its article and its marks.
fn named(words: &[&str]) -> Option<String> {
    let skip = usize::from(words.first().is_some_and(|word| low(word) == "the"));
    let name = trimmed(&words[skip..].join(" "));
    (!name.is_empty() && words.len() <= SUBJECT_WORDS_MAX + 1).then_some(name)
}

fn trimmed(text: &str) -> String {
    let marks = |mark: char| mark.is_whitespace() || ".,;:!\"'()".contains(mark);
    text.trim_matches(marks).to_owned()
}

/// What is said of the subject, up to where another clause begins.
fn object(words: &[&str]) -> Option<String> {
    let mut end = words.len();
    for (place, word) in words.iter().enumerate() {
        let text = low(word);
        let joins = text == "and"
            && words.get(place + 1).is_some_and(|next| PRONOUNS.contains(&low(next).as_str()));
        let breaks = BREAKS.contains(&text.as_str()) || text == "to" && place > 0;
        if joins || breaks && place > 0 {
            end = place;
            break;
        }
        if word.ends_with([',', ';', ':']) {
            end = place + 1;
            break;
        }
    }
    let words = &words[..end];
    let first = low(words.first()?);
    let vague = ["not", "that", "very", "so", "too", "it", "this", "there", "here", "what", "how"];
    if words.len() > OBJECT_WORDS_MAX || vague.contains(&first.as_str()) {
        return None;
    }
    if words.len() == 1 && first.ends_with("ing") {
        return None;
    }
    let text = trimmed(&words.join(" "));
    let text = text.strip_prefix("the ").unwrap_or(&text).to_owned();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(sentence: &str) -> String {
        let tell = |claim: &Claim| {
            let subject = match &claim.subject {
                Who::Speaker => "me",
                Who::Named(name) => name,
            };
            let end = if claim.says == Says::Ended { " ended" } else { "" };
            format!("{subject} | {} | {}{end}", claim.predicate, claim.object)
        };
        claims(sentence).iter().map(tell).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn plain_statements_are_facts() {
        for (sentence, expected) in [
            ("I live in Seoul.", "me | lives_in | Seoul"),
            ("Actually, I moved to Busan from Seoul.", "me | lives_in | Busan"),
            ("I'm now working at Acme as an engineer.", "me | works_at | Acme"),
            ("My name is Ann.", "me | name | Ann"),
            ("my new manager is Kim Chulsoo.", "me | manager | Kim Chulsoo"),
            ("Remember that Ann's manager is Bob.", "Ann | manager | Bob"),
            ("The deadline of Atlas is Friday.", "Atlas | deadline | Friday"),
            ("The deadline for the Atlas launch is 3 June", "Atlas launch | deadline | 3 June"),
            ("Bob is the manager of Payments.", "Payments | manager | Bob"),
            ("Checkout is now owned by the Payments team.", "Payments team | owns | Checkout"),
            ("I prefer tea over coffee.", "me | prefers | tea"),
            ("I don't like meetings on Monday", "me | dislikes | meetings on Monday"),
            ("I am allergic to nuts, by the way.", "me | allergic_to | nuts"),
            ("Ann no longer works at Acme.", "Ann | works_at | Acme ended"),
            ("I do not work for Acme anymore.", "me | works_at | Acme ended"),
            ("Ann left Acme.", "Ann | works_at | Acme ended"),
            ("The Payments team owns Checkout.", "Payments team | owns | Checkout"),
            ("Dana reports to Lee", "Dana | reports_to | Lee"),
            // C18: Lin is not Lindor.
            ("At Lindor, Lin leads design.", "Lin | leads | design"),
            ("In Seoul, the Payments team owns Checkout", "Payments team | owns | Checkout"),
        ] {
            assert_eq!(told(sentence), expected, "{sentence}");
        }
    }

    #[test]
    fn questions_guesses_and_idle_talk_are_none() {
        for sentence in [
            "Do I live in Seoul?",
            "Maybe I moved to Busan.",
            "If I lived in Seoul I would be happy.",
            "My point is that we should wait.",
            "My phone is ringing.",
            "Ann left early.",
            "I do not live in Seoul.",
            "She will work at Acme.",
            "The sky is blue.",
            "Ann, Bob and I work at Acme.",
            "Thanks!",
            "",
        ] {
            assert_eq!(told(sentence), "", "{sentence}");
        }
    }
}
