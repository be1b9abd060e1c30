//! How much of a question a text holds, word by word, each by how rare it is among all documents.

use crate::view::text::{TextError, TextQuery, TextView, found_by};

/// The words of a question that some document holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    words: Vec<Word>,
}

#[derive(Clone, Debug, PartialEq)]
struct Word {
    /// What the word is found by: its stem, or pairs of its syllables.
    terms: Vec<String>,
    /// How rare the rarest of them is.
    rarity: f32,
}

impl Wanted {
    /// # Errors
    /// When the view cannot be read.
    pub fn new(view: &TextView, question: &str) -> Result<Wanted, TextError> {
        let mut words: Vec<Word> = Vec::new();
        // A word counts once, however many terms it is made of, and however often it is there.
        for word in question.split_whitespace() {
            let query = TextQuery::new(word);
            let rarities = view.rarities(&query)?;
            let rarity = rarities.into_iter().fold(0.0, f32::max);
            let terms = query.terms().to_vec();
            if rarity > 0.0 && words.iter().all(|word| word.terms != terms) {
                words.push(Word { terms, rarity });
            }
        }
        Ok(Wanted { words })
    }

    /// The rarities of the words that the text holds, added up. A word that it holds in part, as one
    /// that is inflected, counts in part.
    #[must_use]
    pub fn held_by(&self, text: &str) -> f32 {
        let terms = found_by(text);
        let held = |word: &Word| {
            let count = word.terms.iter().filter(|term| terms.contains(*term)).count();
            #[allow(clippy::cast_precision_loss, reason = "a word has few terms")]
            let share = count as f32 / word.terms.len() as f32;
            share * word.rarity
        };
        self.words.iter().map(held).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::DocumentId;
    use crate::view::text::Entry;

    #[test]
    fn a_word_counts_once_and_by_how_rare_it_is() {
        let view = TextView::open(None, [0; 16], None).expect("in memory").view;
        let texts = ["자전거 창고 열쇠", "열쇠는 여기", "열쇠도 집에 있다", "무엇이 있다"];
        let entries = texts.map(|text| Entry { text: text.to_owned(), is_name: false });
        view.add(DocumentId::new(0), &entries);
        let wanted = Wanted::new(&view, "자전거 열쇠 열쇠 어디?").expect("it can be read");
        let held = |text| wanted.held_by(text);
        let same = |a: f32, b: f32| (a - b).abs() < 1e-6;
        assert!(same(held("무엇이 있다"), 0.0));
        assert!(held("열쇠") > 0.0 && same(held("열쇠 열쇠"), held("열쇠")));
        assert!(held("자전거") > held("열쇠"), "fewer hold it");
        assert!(held("자전 놀이") < held("자전거"), "a part of the word");
        let wanted = Wanted::new(&view, "집에 가려면").expect("it can be read");
        assert!(wanted.held_by("집이 멀다") > 0.0, "another particle");
        assert!(same(held("자전거의 열쇠는"), held("자전거") + held("열쇠")));
    }
}
