//! A text cut into sentences, English and Korean alike.

/// Marks that end a sentence where white space or nothing follows.
const STOPS: [char; 4] = ['.', '!', '?', '…'];
/// Marks that end a sentence whatever follows.
const FULL_STOPS: [char; 3] = ['。', '！', '？'];

/// The sentences of a text, without white space around them. None is empty, and together they hold
/// every word.
#[must_use]
pub fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut rest = text.char_indices().peekable();
    while let Some((place, mark)) = rest.next() {
        let next = rest.peek().map(|(_, next)| *next);
        let open = next.is_none_or(char::is_whitespace);
        let ends = mark == '\n' || FULL_STOPS.contains(&mark) || STOPS.contains(&mark) && open;
        if ends {
            let end = place + mark.len_utf8();
            found.push(text[start..end].trim());
            start = end;
        }
    }
    found.push(text[start..].trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_ends_at_its_mark_and_not_inside_a_number() {
        for (text, expected) in [
            ("", &[][..]),
            ("One. Two! Three", &["One.", "Two!", "Three"]),
            ("Version 1.5 is out. Good?", &["Version 1.5 is out.", "Good?"]),
            (
                "안녕하세요. 회의는 3.5시간입니다! 네",
                &["안녕하세요.", "회의는 3.5시간입니다!", "네"],
            ),
            ("一つ。二つ", &["一つ。", "二つ"]),
            ("a\n\n b \n", &["a", "b"]),
        ] {
            assert_eq!(sentences(text), expected, "{text:?}");
        }
    }
}
