//! The walk over a text: compatibility forms first, then runs of one script each.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use super::fold::fold;
use super::korean::push_hangul;
use super::token::{Token, Tokens, Use};
use super::word::push_chunk;

/// Changes whenever a text may give other tokens than before.
pub(in crate::view::text) const VERSION: u32 = 2;

/// What a text is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::view::text) struct Analysis {
    pub tokens: Vec<Token>,
    /// Words that were left out because they say nothing.
    pub stop_words: usize,
}

/// Takes a text apart.
#[must_use]
pub(in crate::view::text) fn analyze(text: &str) -> Analysis {
    let letters: Vec<char> = text.nfkc().map(plain).collect();
    let mut tokens = Tokens::default();
    let mut start = 0;
    let mut before = Script::None;
    while start < letters.len() {
        let script = script(letters[start]);
        let same = letters[start..].iter().take_while(|letter| continues(script, **letter));
        let end = start + same.count().max(1);
        let run = &letters[start..end];
        match script {
            Script::Word => push_chunk(run, &mut tokens),
            Script::Hangul => push_hangul(run, before == Script::Word, &mut tokens),
            Script::Unspaced => push_unspaced(run, &mut tokens),
            Script::Emoji => tokens.push(run[..1].iter().collect(), Use::Both),
            Script::None => {}
        }
        before = script;
        start = end;
    }
    Analysis { stop_words: tokens.stop_words, tokens: tokens.finish() }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    /// Letters and digits of scripts that put spaces between words, and what joins them.
    Word,
    Hangul,
    /// Scripts that put no spaces between words.
    Unspaced,
    Emoji,
    None,
}

fn script(letter: char) -> Script {
    match letter {
        _ if letter.is_ascii_alphanumeric() || is_joiner(letter) => Script::Word,
        '\u{1100}'..='\u{11ff}'
        | '\u{3130}'..='\u{318f}'
        | '\u{a960}'..='\u{a97f}'
        | '\u{ac00}'..='\u{d7ff}' => Script::Hangul,
        '\u{3005}'..='\u{3007}'
        | '\u{3041}'..='\u{312f}'
        | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}'
        | '\u{0e00}'..='\u{0eff}'
        | '\u{1000}'..='\u{109f}'
        | '\u{1780}'..='\u{17ff}'
            if letter.is_alphanumeric() || is_combining_mark(letter) =>
        {
            Script::Unspaced
        }
        '\u{2600}'..='\u{27bf}' | '\u{1f1e6}'..='\u{1f1ff}' | '\u{1f300}'..='\u{1faff}'
            if !is_skin_tone(letter) =>
        {
            Script::Emoji
        }
        _ if letter.is_alphanumeric() => Script::Word,
        _ => Script::None,
    }
}

fn continues(script_of_run: Script, letter: char) -> bool {
    match script_of_run {
        Script::Emoji | Script::None => false,
        other => script(letter) == other || is_combining_mark(letter),
    }
}

/// What may stand inside an identifier, an address or a number.
fn is_joiner(letter: char) -> bool {
    matches!(
        letter,
        '-' | '.' | '_' | '+' | '/' | '\\' | ':' | '@' | '#' | '&' | '=' | '?' | '%' | '\'' | ','
    )
}

fn is_skin_tone(letter: char) -> bool {
    matches!(letter, '\u{1f3fb}'..='\u{1f3ff}')
}

/// Hyphens and apostrophes come in many shapes that nobody tells apart.
fn plain(letter: char) -> char {
    match letter {
        '\u{2010}' | '\u{2011}' | '\u{2212}' => '-',
        '\u{2018}' | '\u{2019}' | '\u{2bc}' => '\'',
        other => other,
    }
}

/// Pairs find a word inside a run. Single characters stand beside them for the query that is only
/// one of them, which in these scripts is a word more often than not.
fn push_unspaced(run: &[char], tokens: &mut Tokens) {
    push_pairs(run, tokens);
    if run.len() > 1 {
        for letter in run.iter().filter(|letter| !is_kana(**letter)) {
            tokens.push(letter.to_string(), Use::Document);
        }
    }
}

/// Every two characters that stand side by side; a single one gives itself.
pub(super) fn push_pairs(run: &[char], tokens: &mut Tokens) {
    if let [single] = run {
        tokens.push(fold(&single.to_string()), Use::Both);
    }
    for pair in run.windows(2) {
        tokens.push(fold(&pair.iter().collect::<String>()), Use::Both);
    }
}

fn is_kana(letter: char) -> bool {
    matches!(letter, '\u{3041}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}')
}
