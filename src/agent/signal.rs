//! What a sentence is worth keeping for, by rules in English and Korean.
//!
//! Rules look at words, so they are sure of little: they weigh, and never decide what is true.

/// What a sentence carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Signal {
    /// Asked for in so many words.
    Remember,
    Preference,
    Decision,
    Deadline,
    Correction,
}

/// What the words of each signal are, in lower case. Korean ones match inside words, which carry
/// endings; English ones match whole words.
const WORDS: [(Signal, &[&str]); 5] = [
    (Signal::Remember, &["remember", "don't forget", "keep in mind", "기억해", "잊지 마", "명심"]),
    (
        Signal::Preference,
        &[
            "prefer",
            "prefers",
            "favourite",
            "favorite",
            "i like",
            "i love",
            "i hate",
            "i don't like",
            "선호",
            "좋아해",
            "좋아합니다",
            "싫어",
            "취향",
        ],
    ),
    (
        Signal::Decision,
        &[
            "decided",
            "decide",
            "we will use",
            "let's use",
            "agreed",
            "go with",
            "chose",
            "결정",
            "하기로",
            "정했",
            "합의",
        ],
    ),
    (
        Signal::Deadline,
        &["deadline", "due", "by tomorrow", "until", "no later than", "마감", "기한", "까지"],
    ),
    (
        Signal::Correction,
        &[
            "actually",
            "correction",
            "not anymore",
            "no longer",
            "i was wrong",
            "instead of",
            "아니라",
            "정정",
            "더 이상",
            "이제는",
            "잘못 말",
        ],
    ),
];

/// What is said for courtesy alone.
const IDLE: &[&str] = &[
    "hi",
    "hello",
    "hey",
    "good morning",
    "good evening",
    "thanks",
    "thank you",
    "thank you very much",
    "thanks a lot",
    "you are welcome",
    "you're welcome",
    "bye",
    "goodbye",
    "ok",
    "okay",
    "sure",
    "안녕",
    "안녕하세요",
    "안녕히 계세요",
    "감사합니다",
    "고마워",
    "고마워요",
    "고맙습니다",
    "네",
    "응",
    "알겠습니다",
    "천만에요",
    "수고하세요",
];

/// What a sentence carries, each once.
#[must_use]
pub fn signals(sentence: &str) -> Vec<Signal> {
    let lower = sentence.to_lowercase();
    let carries = |words: &[&str]| words.iter().any(|words| holds(&lower, words));
    WORDS.iter().filter(|(_, words)| carries(words)).map(|(signal, _)| *signal).collect()
}

/// What is said of something that went wrong.
const FAILURES: &[&str] = &[
    "failed",
    "fails",
    "failure",
    "broke",
    "crashed",
    "crashes",
    "did not work",
    "didn't work",
    "does not work",
    "doesn't work",
    "timed out",
    "outage",
    "rolled back",
    "실패",
    "장애",
    "고장",
    "안 됐",
    "안됐",
    "작동하지 않",
    "롤백",
    "오류가 났",
    "에러가 났",
];

/// Whether it tells of something that went wrong.
#[must_use]
pub fn is_failure(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    FAILURES.iter().any(|words| holds(&lower, words))
}

/// Whether it is a greeting, a thanks or a nod and nothing else.
#[must_use]
pub fn is_idle(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let words = lower.trim_matches(|mark: char| !mark.is_alphanumeric());
    words.is_empty() || IDLE.contains(&words)
}

fn holds(lower: &str, words: &str) -> bool {
    if !words.is_ascii() {
        return lower.contains(words);
    }
    let is_word = |mark: Option<char>| mark.is_some_and(|mark| mark.is_ascii_alphanumeric());
    lower.match_indices(words).any(|(place, found)| {
        let before = lower[..place].chars().next_back();
        let after = lower[place + found.len()..].chars().next();
        !is_word(before) && !is_word(after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_worth_keeping_is_told_in_both_languages() {
        for (text, expected) in [
            ("Remember that I am allergic to nuts.", &[Signal::Remember][..]),
            ("나는 땅콩 알레르기가 있어, 꼭 기억해 줘.", &[Signal::Remember]),
            ("I prefer tea.", &[Signal::Preference]),
            ("저는 녹차를 선호합니다.", &[Signal::Preference]),
            ("We decided to use redb.", &[Signal::Decision]),
            ("배포는 금요일에 하기로 했습니다.", &[Signal::Decision]),
            ("The deadline is Friday.", &[Signal::Deadline]),
            ("금요일까지 보내 주세요.", &[Signal::Deadline]),
            ("Actually, Ann no longer works there.", &[Signal::Correction]),
            ("부산이 아니라 서울입니다.", &[Signal::Correction]),
            ("The residue is overdue.", &[]),
            ("The sky is blue.", &[]),
        ] {
            assert_eq!(signals(text), expected, "{text}");
        }
    }

    #[test]
    fn courtesy_is_idle_and_what_comes_with_it_is_not() {
        for text in ["Hello!", "Thank you.", "안녕하세요!", "감사합니다.", "...", ""] {
            assert!(is_idle(text), "{text}");
        }
        for text in ["Hello Ann, the server is down.", "감사합니다만 금요일은 안 됩니다.", "No"]
        {
            assert!(!is_idle(text), "{text}");
        }
    }
}
