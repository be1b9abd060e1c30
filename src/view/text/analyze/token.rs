//! A token, and the list that an analysis gathers them in.

use tantivy::tokenizer::{Language, Stemmer, TextAnalyzer, TokenStream as _, WhitespaceTokenizer};

use crate::types::limits::TEXT_TERM_BYTES_MAX;

use super::fold;
use super::stop::is_stop_word;

/// One occurrence of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::view::text) struct Token {
    pub text: String,
    pub used: Use,
}

/// Which side looks at a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::view::text) enum Use {
    /// Documents and queries.
    Both,
    /// Documents only: a single character that a shorter query may be, but that would only blur a
    /// longer one.
    Document,
}

/// What an analysis gathers.
#[derive(Default)]
pub(super) struct Tokens {
    all: Vec<Token>,
    /// Places of the tokens that are plain words and get stemmed.
    words: Vec<usize>,
    pub(super) stop_words: usize,
}

impl Tokens {
    /// A term as it stands. One that is too long is left out: what it is made of stands beside it.
    pub(super) fn push(&mut self, text: String, used: Use) {
        if !text.is_empty() && text.len() <= TEXT_TERM_BYTES_MAX {
            self.all.push(Token { text, used });
        }
    }

    /// A plain word, folded already: dropped when it says nothing, cut when it is endless.
    pub(super) fn push_word(&mut self, mut word: String) {
        if is_stop_word(&word) {
            self.stop_words += 1;
            return;
        }
        word.truncate(fold::boundary(&word, TEXT_TERM_BYTES_MAX));
        if word.is_empty() {
            return;
        }
        if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            self.words.push(self.all.len());
        }
        self.all.push(Token { text: word, used: Use::Both });
    }

    /// Every token, the words stemmed.
    pub(super) fn finish(mut self) -> Vec<Token> {
        if self.words.is_empty() {
            return self.all;
        }
        let words: Vec<&str> =
            self.words.iter().map(|place| self.all[*place].text.as_str()).collect();
        let text = words.join(" ");
        let mut stemmer = TextAnalyzer::builder(WhitespaceTokenizer::default())
            .filter(Stemmer::new(Language::English))
            .build();
        let mut stems = stemmer.token_stream(&text);
        for place in self.words {
            assert!(stems.advance(), "every word has a stem");
            let word = &mut self.all[place].text;
            word.clear();
            word.push_str(&stems.token().text);
        }
        self.all
    }
}
