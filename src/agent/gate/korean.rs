//! Facts that a Korean sentence states in plain words. Verbs are known by their stems behind a
//! particle, so endings of every politeness fit.

use crate::types::Cardinality;

use super::claim::{Claim, RULE_CONFIDENCE, Relation, Says, Who, attribute};

/// What stands between the object and the rest: particle and stem, without the ending. Of several
/// that fit, the one that stands first in the sentence counts.
const VERBS: [(&str, Relation); 62] = [
    ("에서 살고", Relation::one("lives_in")),
    ("에서 살아", Relation::one("lives_in")),
    ("에 살고", Relation::one("lives_in")),
    ("에 살아", Relation::one("lives_in")),
    ("에 삽니다", Relation::one("lives_in")),
    ("에 산다", Relation::one("lives_in")),
    ("에 거주", Relation::one("lives_in")),
    ("으로 이사했", Relation::one("lives_in")),
    ("으로 이사 왔", Relation::one("lives_in")),
    ("으로 이사왔", Relation::one("lives_in")),
    ("으로 이사 갔", Relation::one("lives_in")),
    ("으로 이사갔", Relation::one("lives_in")),
    ("로 이사했", Relation::one("lives_in")),
    ("로 이사 왔", Relation::one("lives_in")),
    ("로 이사왔", Relation::one("lives_in")),
    ("로 이사 갔", Relation::one("lives_in")),
    ("로 이사갔", Relation::one("lives_in")),
    ("에서 일해", Relation::one("works_at")),
    ("에서 일하", Relation::one("works_at")),
    ("에서 일합니다", Relation::one("works_at")),
    ("에서 근무", Relation::one("works_at")),
    ("에 다니고", Relation::one("works_at")),
    ("에 다녀", Relation::one("works_at")),
    ("에 다닙니다", Relation::one("works_at")),
    ("에 입사했", Relation::one("works_at")),
    ("에 합류했", Relation::one("works_at")),
    ("으로 이직했", Relation::one("works_at")),
    ("로 이직했", Relation::one("works_at")),
    ("을 담당", Relation::many("responsible_for")),
    ("를 담당", Relation::many("responsible_for")),
    ("을 맡고", Relation::many("responsible_for")),
    ("를 맡고", Relation::many("responsible_for")),
    ("을 맡아", Relation::many("responsible_for")),
    ("를 맡아", Relation::many("responsible_for")),
    ("을 맡았", Relation::many("responsible_for")),
    ("를 맡았", Relation::many("responsible_for")),
    ("을 관리", Relation::many("manages")),
    ("를 관리", Relation::many("manages")),
    ("을 이끌", Relation::many("leads")),
    ("를 이끌", Relation::many("leads")),
    ("을 소유", Relation::many("owns")),
    ("를 소유", Relation::many("owns")),
    ("에게 보고", Relation::one("reports_to")),
    ("한테 보고", Relation::one("reports_to")),
    ("을 사용", Relation::many("uses")),
    ("를 사용", Relation::many("uses")),
    ("을 선호", Relation::words("prefers")),
    ("를 선호", Relation::words("prefers")),
    ("을 좋아", Relation::words("likes")),
    ("를 좋아", Relation::words("likes")),
    ("이 좋아", Relation::words("likes")),
    ("가 좋아", Relation::words("likes")),
    ("을 싫어", Relation::words("dislikes")),
    ("를 싫어", Relation::words("dislikes")),
    ("이 싫어", Relation::words("dislikes")),
    ("가 싫어", Relation::words("dislikes")),
    ("에 알레르기", Relation::words("allergic_to")),
    (" 알레르기가 있", Relation::words("allergic_to")),
    ("에서 태어", Relation::one("born_in")),
    ("를 퇴사", Relation::one("works_at")),
    ("을 퇴사", Relation::one("works_at")),
    ("에서 퇴사", Relation::one("works_at")),
];

/// Who speaks of themselves.
const SPEAKERS: [&str; 16] = [
    "저는 ",
    "나는 ",
    "난 ",
    "전 ",
    "제가 ",
    "내가 ",
    "저희는 ",
    "우리는 ",
    "저희가 ",
    "우리가 ",
    "저도 ",
    "나도 ",
    "전에는 ",
    "저희 ",
    "우리 ",
    "사실 저는 ",
];

const MINE: [&str; 4] = ["제 ", "내 ", "저희 ", "우리 "];

/// Attributes that may stand behind whose they are without a particle.
const NOUNS: [&str; 16] = [
    "담당자",
    "팀장",
    "책임자",
    "매니저",
    "상사",
    "마감일",
    "마감",
    "일정",
    "이름",
    "생일",
    "주소",
    "전화번호",
    "이메일",
    "예산",
    "배우자",
    "고향",
];

/// Ends of a sentence that says what something is.
const COPULAS: [&str; 22] = [
    "입니다",
    "이에요",
    "예요",
    "이예요",
    "이야",
    "야",
    "이다",
    "이고요",
    "라고 합니다",
    "라고 해요",
    "라고 해",
    "으로 바뀌었습니다",
    "로 바뀌었습니다",
    "으로 바뀌었어요",
    "로 바뀌었어요",
    "으로 변경되었습니다",
    "로 변경되었습니다",
    "으로 변경됐어요",
    "로 변경됐어요",
    "으로 정했습니다",
    "로 정했습니다",
    "이라고 합니다",
];

const LEADS: [&str; 13] = [
    "기억해 줘",
    "기억해줘",
    "기억해 주세요",
    "기억해주세요",
    "참고로",
    "사실은",
    "사실",
    "정정합니다",
    "정정",
    "아니",
    "그리고",
    "그런데",
    "아,",
];

const ADVERBS: [&str; 10] = [
    "이제는 ",
    "이제 ",
    "지금은 ",
    "지금 ",
    "현재는 ",
    "현재 ",
    "요즘은 ",
    "요즘 ",
    "최근에 ",
    "최근 ",
];

/// What makes a sentence no statement.
const HEDGES: [&str; 16] = [
    "까요", "나요", "인가", "면 ", "것 같", "아마", "혹시", "싶", "겠", "예정", "지 마", "ㄹ까",
    "ㄹ지", "하자", "려고", "니까?",
];

const TOPICS: [&str; 4] = ["은 ", "는 ", "이 ", "가 "];

const NAME_WORDS_MAX: usize = 4;

/// The claims of a sentence from which its date was taken.
pub(super) fn claims(sentence: &str) -> Vec<Claim> {
    let text = sentence.trim();
    if text.ends_with(['?', '？']) || !text.chars().any(is_hangul) {
        return Vec::new();
    }
    let text = led(text.trim_end_matches(['.', '!', '~', '…']).trim());
    if HEDGES.iter().any(|hedge| text.contains(hedge)) {
        return Vec::new();
    }
    let ended = text.contains("더 이상") || text.contains("퇴사") || text.contains("그만두");
    let text = text.replace("더 이상 ", "");
    let denied = ["지 않", "안 "].iter().any(|word| text.contains(word));
    let found = verb(&text).or_else(|| is(&text));
    let found = found.filter(|_| !denied || ended);
    let says = if ended { Says::Ended } else { Says::Holds };
    found.map(|claim| Claim { says, ..claim }).into_iter().collect()
}

pub(super) fn is_hangul(letter: char) -> bool {
    ('\u{ac00}'..='\u{d7a3}').contains(&letter)
}

/// Without what only leads in.
fn led(text: &str) -> &str {
    let mut text = text;
    while let Some(rest) = LEADS.iter().find_map(|lead| text.strip_prefix(lead)) {
        text = rest.trim_start_matches([' ', ',', ':', '.']);
    }
    text
}

fn steady(text: &str) -> &str {
    let mut text = text.trim();
    while let Some(rest) = ADVERBS.iter().find_map(|word| text.strip_prefix(word)) {
        text = rest.trim_start();
    }
    text
}

/// Who it is about, and the rest.
fn topic(text: &str) -> Option<(Who, &str)> {
    let text = steady(text);
    if let Some(rest) = SPEAKERS.iter().find_map(|speaker| text.strip_prefix(speaker)) {
        return Some((Who::Speaker, steady(rest)));
    }
    let places = TOPICS.iter().filter_map(|topic| Some((text.find(topic)?, topic)));
    let (place, topic) = places.min()?;
    let name = name(&text[..place])?;
    Some((Who::Named(name), steady(&text[place + topic.len()..])))
}

fn name(text: &str) -> Option<String> {
    let marks = |mark: char| mark.is_whitespace() || ".,;:!\"'()“”‘’".contains(mark);
    let text = text.trim_matches(marks);
    let words = text.split_whitespace().count();
    ((1..=NAME_WORDS_MAX).contains(&words)).then(|| text.to_owned())
}

/// Whoever does not say of whom speaks of themselves.
fn verb(text: &str) -> Option<Claim> {
    let places = VERBS.iter().filter_map(|(verb, relation)| {
        let place = text.find(verb)?;
        let rest = &text[place + verb.len()..];
        // Whoever went somewhere and came back does not work there.
        let visits =
            verb.ends_with("다녀") && rest.starts_with(['오', '온', '올', '와', '왔', '가', '갔']);
        (!visits).then_some((place, relation))
    });
    let (place, relation) = places.min_by_key(|(place, _)| *place)?;
    let before = &text[..place];
    let (subject, object) = match topic(before) {
        Some((subject, object)) => (subject, object),
        None => (Who::Speaker, steady(before)),
    };
    Some(relation.claim(subject, name(object)?))
}

/// "제 이름은 지민입니다", "결제팀의 팀장은 민수예요", "체크아웃 담당자는 김철수입니다".
fn is(text: &str) -> Option<Claim> {
    let copula =
        COPULAS.iter().filter(|copula| text.ends_with(**copula)).max_by_key(|c| c.len())?;
    let text = steady(text.strip_suffix(copula)?);
    let places = TOPICS.iter().filter_map(|topic| Some((text.find(topic)?, topic)));
    let (place, topic) = places.min()?;
    let (what, object) = (&text[..place], steady(&text[place + topic.len()..]));
    let (subject, noun) = whose(what)?;
    let words: Vec<&str> = noun.split_whitespace().collect();
    let (predicate, points_at) = attribute(&words);
    Some(Claim {
        subject,
        predicate,
        object: name(object)?,
        points_at,
        cardinality: Cardinality::One,
        says: Says::Holds,
        when: None,
        confidence: RULE_CONFIDENCE,
    })
}

fn whose(what: &str) -> Option<(Who, &str)> {
    if let Some(noun) = MINE.iter().find_map(|mine| what.strip_prefix(mine)) {
        let known = NOUNS.iter().find(|known| noun.ends_with(**known));
        // "우리 결제팀 팀장": the owner is the team.
        return match known.and_then(|known| noun.strip_suffix(known)?.strip_suffix(' ')) {
            Some(owner) => Some((Who::Named(name(owner)?), &noun[owner.len() + 1..])),
            None => (noun.split_whitespace().count() <= 2).then_some((Who::Speaker, noun)),
        };
    }
    if let Some((owner, noun)) = what.split_once("의 ") {
        return Some((Who::Named(name(owner)?), noun.trim()));
    }
    let noun = NOUNS.iter().filter(|noun| what.ends_with(**noun)).max_by_key(|noun| noun.len())?;
    let owner = what.strip_suffix(noun)?.strip_suffix(' ')?;
    Some((Who::Named(name(owner)?), noun))
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
            ("저는 서울에 살아요.", "me | lives_in | 서울"),
            ("부산으로 이사했습니다.", "me | lives_in | 부산"),
            ("제 이름은 지민입니다.", "me | 이름 | 지민"),
            ("나는 이제 카카오에서 일해.", "me | works_at | 카카오"),
            ("민수는 결제팀을 이끌고 있습니다.", "민수 | leads | 결제팀"),
            ("결제팀의 팀장은 민수예요.", "결제팀 | 팀장 | 민수"),
            ("체크아웃 서비스 담당자는 김철수입니다.", "체크아웃 서비스 | 담당자 | 김철수"),
            ("아틀라스 마감일은 6월 3일로 변경되었습니다.", "아틀라스 | 마감일 | 6월 3일"),
            ("저는 녹차를 선호합니다.", "me | prefers | 녹차"),
            ("저는 땅콩 알레르기가 있어요.", "me | allergic_to | 땅콩"),
            ("민수는 더 이상 네이버에서 일하지 않습니다.", "민수 | works_at | 네이버 ended"),
            ("지민이 네이버에서 퇴사했습니다.", "지민 | works_at | 네이버 ended"),
            ("사실은, 저는 커피를 싫어해요.", "me | dislikes | 커피"),
            ("나는 카카오에 다녀.", "me | works_at | 카카오"),
        ] {
            assert_eq!(told(sentence), expected, "{sentence}");
        }
    }

    #[test]
    fn questions_guesses_and_idle_talk_are_none() {
        for sentence in [
            "저는 서울에 사나요?",
            "아마 부산으로 이사했을 것 같아요.",
            "서울에 살고 싶어요.",
            "저는 서울에 살지 않아요.",
            "감사합니다.",
            "오늘 날씨가 좋네요.",
            "주말에 민수의 집에 다녀왔어요.",
            "I live in Seoul.",
        ] {
            assert_eq!(told(sentence), "", "{sentence}");
        }
    }
}
