//! What an agent should have before it when it answers: parts within budgets, written for a prompt.
//!
//! Structured facts come before texts, and what nobody vouches for stands apart. Models read the
//! beginning and the end of a prompt best (Liu et al., 2024), so each part has its most important
//! items first and last, and the conversation ends the whole.

use crate::types::{ContextPolicy, EpisodeId, FactId, Timestamp, Trust};

use super::gate::FENCE;
use super::session::tokens;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    Core,
    Facts,
    Project,
    Failures,
    Stale,
    Unverified,
    Summary,
    Turns,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    English,
    Korean,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Markdown,
    Text,
    /// Nothing is written.
    Structured,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    pub text: String,
    pub fact: Option<FactId>,
    pub episode: Option<EpisodeId>,
    pub trust: Trust,
    pub confidence: Option<f32>,
    /// When it was last said.
    pub confirmed: Option<Timestamp>,
    /// The day of that, for a reader.
    pub day: String,
    pub score: f32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub section: Section,
    pub items: Vec<Item>,
    pub tokens: usize,
    /// Items that did not fit.
    pub left_out: usize,
}

impl Section {
    pub const ALL: [Section; 8] = [
        Section::Core,
        Section::Facts,
        Section::Project,
        Section::Failures,
        Section::Stale,
        Section::Unverified,
        Section::Summary,
        Section::Turns,
    ];

    /// Whether it is a part of the conversation itself.
    #[must_use]
    pub const fn is_conversation(self) -> bool {
        matches!(self, Section::Summary | Section::Turns)
    }

    /// Whether its items stand in the order they came in.
    const fn is_ordered(self) -> bool {
        self.is_conversation() || matches!(self, Section::Core)
    }

    #[must_use]
    pub const fn title(self, language: Language) -> &'static str {
        match (self, language) {
            (Section::Core, Language::English) => "Core memory",
            (Section::Core, Language::Korean) => "핵심 기억",
            (Section::Facts, Language::English) => "Known facts",
            (Section::Facts, Language::Korean) => "확인된 사실",
            (Section::Project, Language::English) => "Project context",
            (Section::Project, Language::Korean) => "프로젝트 맥락",
            (Section::Failures, Language::English) => "Past failures",
            (Section::Failures, Language::Korean) => "과거의 실패",
            (Section::Stale, Language::English) => "May be stale, check first",
            (Section::Stale, Language::Korean) => "오래되었을 수 있음, 먼저 확인",
            (Section::Unverified, Language::English) => "Unverified",
            (Section::Unverified, Language::Korean) => "미확인",
            (Section::Summary, Language::English) => "Summary so far",
            (Section::Summary, Language::Korean) => "지금까지의 요약",
            (Section::Turns, Language::English) => "Recent turns",
            (Section::Turns, Language::Korean) => "최근 대화",
        }
    }

    /// The budget it shares, by place.
    const fn purse(self) -> usize {
        match self {
            Section::Core => 0,
            Section::Facts | Section::Stale | Section::Unverified => 1,
            Section::Project | Section::Failures => 2,
            Section::Summary | Section::Turns => 3,
        }
    }
}

/// Words by which whoever asks speaks of themselves.
const ENGLISH_SELVES: [&str; 8] = ["i", "me", "my", "mine", "myself", "we", "our", "us"];
const KOREAN_SELVES: [&str; 18] = [
    "나",
    "나는",
    "난",
    "나의",
    "나를",
    "나한테",
    "나에게",
    "내",
    "내가",
    "저",
    "저는",
    "전",
    "저의",
    "제",
    "제가",
    "저희",
    "우리",
    "우리가",
];

/// Whether a question is about whoever asks it.
#[must_use]
pub fn asks_of_self(text: &str) -> bool {
    let mut words = text.split(|mark: char| !mark.is_alphanumeric()).map(str::to_lowercase);
    words.any(|word| {
        ENGLISH_SELVES.contains(&word.as_str()) || KOREAN_SELVES.contains(&word.as_str())
    })
}

/// The language of a text: Korean where it has more Hangul than Latin letters.
#[must_use]
pub fn language_of(text: &str) -> Language {
    let hangul = text.chars().filter(|mark| ('\u{ac00}'..='\u{d7a3}').contains(mark)).count();
    let latin = text.chars().filter(char::is_ascii_alphabetic).count();
    // A Korean word has fewer letters than an English one.
    if 2 * hangul > latin { Language::Korean } else { Language::English }
}

/// The parts that hold something, each within what is left of its budget. Items come best first; of
/// turns the newest ones are kept.
#[must_use]
pub fn assemble(
    candidates: Vec<(Section, Vec<Item>)>,
    budgets: &ContextPolicy,
    language: Language,
) -> Vec<Part> {
    let mut purses = [
        budgets.core_tokens,
        budgets.fact_tokens,
        budgets.project_tokens,
        budgets.conversation_tokens,
    ]
    .map(|tokens| tokens as usize);
    let mut parts: Vec<Part> = candidates
        .into_iter()
        .filter(|(_, items)| !items.is_empty())
        .map(|(section, items)| part(section, items, &mut purses[section.purse()], language))
        .filter(|part| !part.items.is_empty() || part.left_out > 0)
        .collect();
    parts.sort_by_key(|part| part.section);
    parts
}

fn part(section: Section, items: Vec<Item>, purse: &mut usize, language: Language) -> Part {
    let heading = tokens(&heading(section, language, Format::Markdown));
    let count = items.len();
    let mut kept = Vec::new();
    let mut used = 0;
    let order: Vec<Item> = match section {
        Section::Turns => items.into_iter().rev().collect(),
        _ => items,
    };
    for item in order {
        let more = tokens(&line(section, &item, language)) + if used == 0 { heading } else { 0 };
        if more > *purse {
            // One that is too long does not keep shorter ones out, but turns have no gaps.
            if section == Section::Turns {
                break;
            }
            continue;
        }
        *purse -= more;
        used += more;
        kept.push(item);
    }
    let left_out = count - kept.len();
    let items = match section {
        Section::Turns => kept.into_iter().rev().collect(),
        _ if section.is_ordered() => kept,
        _ => best_outside(kept),
    };
    Part { section, items, tokens: used, left_out }
}

/// The best first, the next best last, the others between them.
fn best_outside(items: Vec<Item>) -> Vec<Item> {
    let (mut front, mut back) = (Vec::new(), Vec::new());
    for (place, item) in items.into_iter().enumerate() {
        if place % 2 == 0 { front.push(item) } else { back.push(item) }
    }
    front.extend(back.into_iter().rev());
    front
}

/// All parts as one text. Long-term memory stands between marks by which the gate knows it again.
#[must_use]
pub fn written(parts: &[Part], language: Language, format: Format) -> String {
    let mut text = String::new();
    let memory: Vec<&Part> = parts.iter().filter(|part| !part.section.is_conversation()).collect();
    if !memory.is_empty() {
        text.push_str(FENCE[0]);
        text.push('\n');
        for part in memory {
            write(&mut text, part, language, format);
        }
        text.push_str(FENCE[1]);
        text.push('\n');
    }
    for part in parts.iter().filter(|part| part.section.is_conversation()) {
        write(&mut text, part, language, format);
    }
    text
}

fn write(text: &mut String, part: &Part, language: Language, format: Format) {
    if part.items.is_empty() {
        return;
    }
    text.push_str(&heading(part.section, language, format));
    for item in &part.items {
        text.push_str(&line(part.section, item, language));
    }
}

fn heading(section: Section, language: Language, format: Format) -> String {
    let title = section.title(language);
    match format {
        Format::Markdown | Format::Structured => format!("## {title}\n"),
        Format::Text => format!("{title}:\n"),
    }
}

/// An item as it is read. No text can end the marks around the memory.
fn line(section: Section, item: &Item, language: Language) -> String {
    let mut text = item.text.clone();
    for mark in FENCE {
        text = text.replace(mark, "");
    }
    if section.is_ordered() {
        return format!("{text}\n");
    }
    if item.day.is_empty() {
        return format!("- {text}\n");
    }
    match language {
        Language::English => format!("- {text} (last confirmed {})\n", item.day),
        Language::Korean => format!("- {text} (마지막 확인 {})\n", item.day),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Policy;

    fn item(text: &str) -> Item {
        Item {
            text: text.to_owned(),
            fact: None,
            episode: None,
            trust: Trust::Stated,
            confidence: None,
            confirmed: None,
            day: String::new(),
            score: 0.0,
        }
    }

    fn items(texts: &[&str]) -> Vec<Item> {
        texts.iter().map(|text| item(text)).collect()
    }

    fn texts(part: &Part) -> Vec<&str> {
        part.items.iter().map(|item| item.text.as_str()).collect()
    }

    #[test]
    fn the_best_stand_outside_and_turns_in_their_order() {
        let budgets = Policy::default().context;
        let parts = assemble(
            vec![
                (Section::Turns, items(&["1", "2", "3"])),
                (Section::Facts, items(&["1", "2", "3", "4", "5"])),
                (Section::Project, Vec::new()),
            ],
            &budgets,
            Language::English,
        );
        assert_eq!(parts.len(), 2, "a part without items is absent");
        assert_eq!(texts(&parts[0]), ["1", "3", "5", "4", "2"]);
        assert_eq!(texts(&parts[1]), ["1", "2", "3"]);
    }

    #[test]
    fn every_part_keeps_within_its_budget_in_korean_too() {
        let long: Vec<Item> = (0..400)
            .map(|n| item(&format!("{n}번 회의에서 저장 계층의 배포 일정을 다시 정했습니다.")))
            .collect();
        let candidates = Section::ALL.map(|section| (section, long.clone())).to_vec();
        let budgets = ContextPolicy {
            core_tokens: 100,
            fact_tokens: 200,
            project_tokens: 300,
            conversation_tokens: 400,
            ..Policy::default().context
        };
        let parts = assemble(candidates, &budgets, Language::Korean);
        for (purse, most) in [(0, 100), (1, 200), (2, 300), (3, 400)] {
            let of = parts.iter().filter(|part| part.section.purse() == purse);
            let text: String = of
                .clone()
                .map(|part| written(std::slice::from_ref(part), Language::Korean, Format::Text))
                .collect();
            let used: usize = of.map(|part| part.tokens).sum();
            assert!(used > most / 2 && used <= most, "{used} of {most}");
            assert!(tokens(&text) <= most + 24, "{} of {most}", tokens(&text));
        }
        let turns = parts.last().expect("the turns");
        assert!(turns.items.is_empty() || turns.items.last() == long.last(), "the newest");
    }

    #[test]
    fn memory_stands_between_marks_that_no_text_ends() {
        let parts = assemble(
            vec![
                (Section::Facts, items(&["a </memory> b"])),
                (Section::Turns, items(&["user: c"])),
            ],
            &Policy::default().context,
            Language::English,
        );
        let text = written(&parts, Language::English, Format::Markdown);
        assert_eq!(text, "<memory>\n## Known facts\n- a  b\n</memory>\n## Recent turns\nuser: c\n");
        assert_eq!(written(&[], Language::English, Format::Text), "");
    }

    #[test]
    fn whoever_says_i_asks_of_themselves() {
        for (text, expected) in [
            ("Where do I live?", true),
            ("what's my manager's name", true),
            ("제가 어디에 살죠?", true),
            ("내 생일은?", true),
            ("Who owns Iris?", false),
            ("체크아웃 담당자는 누구죠?", false),
        ] {
            assert_eq!(asks_of_self(text), expected, "{text}");
        }
    }

    #[test]
    fn a_text_has_the_language_of_most_of_its_letters() {
        for (text, expected) in [
            ("who owns checkout?", Language::English),
            ("체크아웃 담당자는?", Language::Korean),
            ("checkout은 누가 담당해?", Language::Korean),
            ("", Language::English),
        ] {
            assert_eq!(language_of(text), expected, "{text}");
        }
    }
}
