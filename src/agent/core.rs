//! Edits of a block of core memory.

use thiserror::Error;

use crate::types::limits::CORE_BLOCK_BYTES_MAX;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// A line at the end.
    Append(String),
    /// One piece in the place of another, which stands there once.
    Replace { old: String, new: String },
    /// The whole text.
    Set(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum EditError {
    #[error("the piece to replace does not stand in it")]
    NotThere,
    #[error("the piece to replace stands in it {times} times: send more of what is around it")]
    NotOnce { times: usize },
    #[error("it would have {bytes} bytes, {CORE_BLOCK_BYTES_MAX} are allowed")]
    TooLong { bytes: usize },
}

/// The text after an edit. Nothing is cut off to make it fit.
///
/// # Errors
/// [`EditError`].
pub fn edited(text: &str, edit: &Edit) -> Result<String, EditError> {
    let text = match edit {
        Edit::Append(line) if text.is_empty() => line.clone(),
        Edit::Append(line) => format!("{text}\n{line}"),
        Edit::Replace { old, new } => match text.matches(old.as_str()).count() {
            0 => return Err(EditError::NotThere),
            1 => text.replacen(old, new, 1),
            times => return Err(EditError::NotOnce { times }),
        },
        Edit::Set(text) => text.clone(),
    };
    let bytes = text.len();
    if bytes > CORE_BLOCK_BYTES_MAX { Err(EditError::TooLong { bytes }) } else { Ok(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_do_what_they_say_or_nothing() {
        let append = |line: &str| Edit::Append(line.to_owned());
        let replace =
            |old: &str, new: &str| Edit::Replace { old: old.to_owned(), new: new.to_owned() };
        assert_eq!(edited("", &append("a")), Ok("a".to_owned()));
        assert_eq!(edited("a", &append("b")), Ok("a\nb".to_owned()));
        assert_eq!(edited("a b a", &replace("b", "c")), Ok("a c a".to_owned()));
        assert_eq!(edited("a b", &replace("c", "d")), Err(EditError::NotThere));
        assert_eq!(edited("a b a", &replace("a", "d")), Err(EditError::NotOnce { times: 2 }));
        assert_eq!(edited("a", &Edit::Set(String::new())), Ok(String::new()));
        let whole = "x".repeat(CORE_BLOCK_BYTES_MAX);
        assert_eq!(edited("", &append(&whole)), Ok(whole.clone()));
        let bytes = CORE_BLOCK_BYTES_MAX + 2;
        assert_eq!(edited(&whole, &append("y")), Err(EditError::TooLong { bytes }));
    }
}
