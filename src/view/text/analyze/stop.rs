//! English words that say nothing about what a text is about: articles, pronouns, auxiliary verbs,
//! the words questions begin with.

const STOP_WORDS: &[&str] = &[
    "a", "about", "am", "an", "and", "any", "are", "as", "at", "be", "been", "being", "but", "by",
    "can", "could", "did", "do", "does", "doing", "for", "from", "had", "has", "have", "having",
    "he", "her", "hers", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "me",
    "my", "no", "not", "of", "on", "or", "our", "ours", "she", "should", "so", "such", "than",
    "that", "the", "their", "theirs", "them", "then", "there", "these", "they", "this", "those",
    "to", "too", "us", "was", "we", "were", "what", "when", "where", "which", "who", "whom",
    "whose", "why", "will", "with", "would", "you", "your", "yours",
];

const LONGEST: usize = 6;

pub(super) fn is_stop_word(word: &str) -> bool {
    word.len() <= LONGEST && STOP_WORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, STOP_WORDS};

    #[test]
    fn the_list_can_be_searched() {
        assert!(STOP_WORDS.is_sorted());
        assert_eq!(STOP_WORDS.iter().map(|word| word.len()).max(), Some(LONGEST));
    }
}
