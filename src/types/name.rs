//! Names of entities, predicates, sources and namespaces.
//!
//! Two spellings are one name when they agree after Unicode NFC, case folding and collapsing of
//! white space. Nothing else is folded: `Room 101` and `Room 102` stay two names, whatever they
//! are written in.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;
use unicase::UniCase;
use unicode_normalization::UnicodeNormalization;

use super::limits::NAME_BYTES_MAX;

/// A name as it was first written, and the key under which it is compared.
#[derive(Clone, Debug)]
pub struct Name {
    display: Arc<str>,
    key: Arc<str>,
}

/// Why a text is no name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NameError {
    #[error("the name is blank")]
    Blank,
    #[error("the name has {bytes} bytes, {NAME_BYTES_MAX} are allowed")]
    TooLong { bytes: usize },
    #[error("the name holds the control character U+{code:04X}")]
    Control { code: u32 },
}

impl Name {
    /// # Errors
    /// [`NameError`] if the text is blank, too long or holds control characters.
    pub fn new(text: &str) -> Result<Name, NameError> {
        if text.len() > NAME_BYTES_MAX {
            return Err(NameError::TooLong { bytes: text.len() });
        }
        if let Some(control) = text.chars().find(|c| c.is_control() && !c.is_whitespace()) {
            return Err(NameError::Control { code: control as u32 });
        }
        if text.chars().all(is_invisible) {
            return Err(NameError::Blank);
        }
        if text.is_ascii() {
            let display = collapse(text);
            let key = display.to_ascii_lowercase();
            return Ok(Name { key: key.into(), display: display.into() });
        }
        let composed: String = text.nfc().collect();
        let display = collapse(&composed);
        // Composition may lengthen a text, and what is stored must be a name again when it is read.
        if display.len() > NAME_BYTES_MAX {
            return Err(NameError::TooLong { bytes: display.len() });
        }
        let folded = UniCase::unicode(&display).to_folded_case();
        Ok(Name { key: folded.nfc().collect::<String>().into(), display: display.into() })
    }

    /// The name as it was written, in NFC with single spaces.
    #[must_use]
    pub fn display(&self) -> &Arc<str> {
        &self.display
    }

    /// What names are compared by.
    #[must_use]
    pub fn key(&self) -> &Arc<str> {
        &self.key
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        self.key == other.key
    }
}

impl Eq for Name {}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Name) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Name {
    fn cmp(&self, other: &Name) -> std::cmp::Ordering {
        self.key.cmp(&other.key)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display.fmt(f)
    }
}

fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// White space and the marks that take no room: a name of nothing else would look like none.
fn is_invisible(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' | '\u{AD}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> String {
        Name::new(text).expect("a name").key().to_string()
    }

    #[test]
    fn spellings_of_one_name_share_a_key() {
        assert_eq!(key("M\u{fc}ller"), key("Mu\u{308}LLER"));
        assert_eq!(key("  Ann \t Lee "), key("ann lee"));
        assert_eq!(key("Stra\u{df}e"), key("STRASSE"));
        assert_eq!(key("\u{212A}elvin"), key("kELVIN"));
        assert_eq!(
            key("\u{3a3}\u{3af}\u{3c3}\u{3c5}\u{3c6}\u{3bf}\u{3c2}"),
            key("\u{3c3}\u{3af}\u{3c3}\u{3c5}\u{3c6}\u{3bf}\u{3c3}")
        );
        assert_eq!(
            key("\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}"),
            key("\u{d55c}\u{ae00}")
        );
    }

    #[test]
    fn distinct_names_stay_distinct() {
        let names = [
            "Berth 4471",
            "Berth 4472",
            "Room 101",
            "Room 102",
            "Q3 report",
            "Q4 report",
            "Warehouse \u{5317}\u{4eac} Operations",
            "Warehouse \u{4e0a}\u{6d77} Operations",
        ];
        let keys: std::collections::BTreeSet<_> = names.iter().map(|name| key(name)).collect();
        assert_eq!(keys.len(), names.len());
    }

    #[test]
    fn a_name_is_visible_bounded_and_printable() {
        assert_eq!(Name::new(" \u{200B}\t"), Err(NameError::Blank));
        assert_eq!(Name::new(""), Err(NameError::Blank));
        assert_eq!(Name::new("a\u{0}b"), Err(NameError::Control { code: 0 }));
        assert!(Name::new(&"x".repeat(NAME_BYTES_MAX)).is_ok());
        let growing = "\u{344}".repeat(NAME_BYTES_MAX / 2);
        assert_eq!(Name::new(&growing), Err(NameError::TooLong { bytes: 2 * NAME_BYTES_MAX }));
        let bytes = NAME_BYTES_MAX + 1;
        assert_eq!(Name::new(&"x".repeat(bytes)), Err(NameError::TooLong { bytes }));
    }
}
