//! Whether a text names a value: whole words, in English and in Korean.

/// What may stand behind a Korean noun, in one word with it.
const PARTICLES: &[&str] = &[
    "은",
    "는",
    "이",
    "가",
    "을",
    "를",
    "에",
    "에는",
    "에도",
    "에서",
    "에서는",
    "의",
    "와",
    "과",
    "로",
    "으로",
    "로는",
    "도",
    "만",
    "부터",
    "까지",
    "까지는",
    "까지로",
    "까지예요",
    "까지입니다",
    "한테",
    "에게",
    "께",
    "님",
    "님이",
    "님은",
    "님께",
    "님이에요",
    "님입니다",
    "씨",
    "씨가",
    "씨는",
    "씨에게",
    "씨한테",
    "씨예요",
    "씨입니다",
    "입니다",
    "이에요",
    "예요",
    "이야",
    "야",
    "이다",
    "다",
    "라고",
    "이라고",
    "라는",
    "이라는",
    "였어요",
    "이었어요",
    "인데",
    "인데요",
    "이고",
    "고",
    "이며",
    "며",
    "요",
    "이요",
    "밖에",
    "뿐",
    "뿐이에요",
    "대신",
    "마다",
    "처럼",
    "쪽",
    "쪽에",
    "밑에",
    "뒤에",
    "옆에",
    "위에",
    "안에",
];

/// Whether the text names the value: in any case, not as a part of another word or number.
///
/// A Korean noun carries its particles, so what follows it may be one of those and nothing else.
#[must_use]
pub fn holds(text: &str, value: &str) -> bool {
    let (text, value) = (text.to_lowercase(), value.trim().to_lowercase());
    if value.is_empty() {
        return false;
    }
    text.match_indices(&value).any(|(at, found)| {
        let before = text[..at].chars().next_back();
        let after = &text[at + found.len()..];
        let run: String = after.chars().take_while(|mark| mark.is_alphanumeric()).collect();
        let is_whole = run.is_empty() || PARTICLES.contains(&run.as_str());
        !before.is_some_and(char::is_alphanumeric) && is_whole
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_count_and_parts_of_words_do_not() {
        for (text, value, expected) in [
            ("ann lives in Busan (last confirmed 2024-03-04)", "busan", true),
            ("She runs Busanbank", "Busan", false),
            ("The deadline is 13 June.", "3 June", false),
            ("The deadline is 3 June.", "3 June", true),
            ("redb로 옮겼습니다", "redb", true),
            ("redbird로 옮겼습니다", "redb", false),
            ("부산에 살아요", "부산", true),
            ("부산대에 살아요", "부산", false),
            ("담당자는 김민수입니다.", "김민수", true),
            ("담당자는 서김민수입니다.", "김민수", false),
            ("anything", " ", false),
        ] {
            assert_eq!(holds(text, value), expected, "{value} in {text}");
        }
    }
}
