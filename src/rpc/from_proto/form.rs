//! A request while it is being read: where the reader stands, and what was wrong so far.

use std::fmt::Write as _;

use crate::kernel::{Rejection, Violation, ViolationKind};
use crate::rpc::civil::Zone;
use crate::types::limits::{PAGE_TOKEN_BYTES_MAX, REQUEST_ID_BYTES_MAX, ROWS_DEFAULT, ROWS_MAX};
use crate::types::{Clearance, Name, NameError};

/// The value cannot be had; why has been noted in the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bad;

/// A part of a request. Read all parts before the first `?`, so that one answer tells the caller
/// everything.
pub type Checked<T> = Result<T, Bad>;

/// Collects the violations of one request, or of one operation of it.
///
/// Fields are named by their path from the message that is read, so readers of shared messages
/// need not know where they stand.
#[derive(Debug)]
pub struct Form {
    pub(super) zone: Zone,
    /// What the caller may see, and so may speak of.
    pub(super) clearance: Clearance,
    op: Option<usize>,
    path: Vec<Part>,
    violations: Vec<Violation>,
}

#[derive(Clone, Copy, Debug)]
struct Part {
    field: &'static str,
    index: Option<usize>,
}

impl Form {
    /// Of a whole request in a namespace whose zone is `zone`.
    #[must_use]
    pub fn new(zone: Zone) -> Form {
        let clearance = Clearance::Everything;
        Form { zone, clearance, op: None, path: Vec::new(), violations: Vec::new() }
    }

    /// Of one operation. Paths are relative to the message inside its oneof.
    #[must_use]
    pub fn of_operation(&self, op: usize) -> Form {
        Form { op: Some(op), clearance: self.clearance.clone(), ..Form::new(self.zone) }
    }

    /// The same form for a caller who may see no more than this.
    #[must_use]
    pub fn cleared(self, clearance: &Clearance) -> Form {
        Form { clearance: clearance.clone(), ..self }
    }

    /// Builds the result from the parts, or refuses with everything that was wrong.
    ///
    /// # Errors
    /// A [`Rejection`] if any violation was noted, even where every part could be read.
    ///
    /// # Panics
    /// When a part is bad and nothing says why.
    pub fn finish<T>(self, build: impl FnOnce() -> Checked<T>) -> Result<T, Rejection> {
        if !self.violations.is_empty() {
            return Err(Rejection::new(self.violations));
        }
        Ok(build().expect("a bad part notes a violation"))
    }

    /// Notes a broken rule at a field of the message being read; `""` is that message itself.
    pub fn fail(
        &mut self,
        field: &'static str,
        kind: ViolationKind,
        detail: impl Into<String>,
    ) -> Bad {
        let mut path = String::new();
        let last = Part { field, index: None };
        let parts = self.path.iter().chain((!field.is_empty()).then_some(&last));
        for (place, part) in parts.enumerate() {
            path.push_str(if place == 0 { "" } else { "." });
            path.push_str(part.field);
            if let Some(index) = part.index {
                write!(path, "[{index}]").expect("a string takes everything");
            }
        }
        let violation = Violation { op: self.op, field: path.into(), kind, detail: detail.into() };
        self.violations.push(violation);
        Bad
    }

    /// Reads a message inside the one being read.
    pub fn within<T>(&mut self, field: &'static str, read: impl FnOnce(&mut Form) -> T) -> T {
        self.step(Part { field, index: None }, read)
    }

    /// Reads an element of a list.
    pub fn within_item<T>(
        &mut self,
        field: &'static str,
        index: usize,
        read: impl FnOnce(&mut Form) -> T,
    ) -> T {
        self.step(Part { field, index: Some(index) }, read)
    }

    fn step<T>(&mut self, part: Part, read: impl FnOnce(&mut Form) -> T) -> T {
        self.path.push(part);
        let result = read(self);
        self.path.pop();
        result
    }

    /// What the violations so far are, leaving none.
    pub(super) fn take(&mut self) -> Vec<Violation> {
        std::mem::take(&mut self.violations)
    }

    pub(super) fn add(&mut self, violations: Vec<Violation>) {
        self.violations.extend(violations);
    }

    // Strings.

    /// A name that must be there.
    ///
    /// # Errors
    /// [`Bad`] if it is not, or is no name.
    pub fn name(&mut self, field: &'static str, text: &str) -> Checked<Name> {
        if text.is_empty() {
            return Err(self.fail(field, ViolationKind::Missing, "a name is needed"));
        }
        Name::new(text).map_err(|error| {
            let kind = match error {
                NameError::Blank => ViolationKind::NameBlank,
                NameError::TooLong { .. } => ViolationKind::TooLong,
                NameError::Control { .. } => ViolationKind::Malformed,
            };
            self.fail(field, kind, error.to_string())
        })
    }

    /// A name that may be left out, which is the empty string; white space is not left out.
    ///
    /// # Errors
    /// [`Bad`] if it is there and no name.
    pub fn name_if_any(&mut self, field: &'static str, text: &str) -> Checked<Option<Name>> {
        if text.is_empty() { Ok(None) } else { self.name(field, text).map(Some) }
    }

    /// # Errors
    /// [`Bad`] if it is missing or no name.
    pub fn namespace(&mut self, text: &str) -> Checked<Name> {
        self.name("namespace", text)
    }

    /// # Errors
    /// [`Bad`] past the bound on keys.
    pub fn request_id(&mut self, text: &str) -> Checked<Option<String>> {
        self.text("request_id", text, REQUEST_ID_BYTES_MAX)
    }

    /// # Errors
    /// [`Bad`] past the bound on tokens.
    pub fn page_token(&mut self, text: &str) -> Checked<Option<String>> {
        self.text("page_token", text, PAGE_TOKEN_BYTES_MAX)
    }

    /// A text of at most `bytes_max`; the empty string is none.
    ///
    /// # Errors
    /// [`Bad`] past the bound.
    pub fn text(
        &mut self,
        field: &'static str,
        text: &str,
        bytes_max: usize,
    ) -> Checked<Option<String>> {
        if text.len() > bytes_max {
            let detail = format!("{} bytes, {bytes_max} are allowed", text.len());
            return Err(self.fail(field, ViolationKind::TooLong, detail));
        }
        Ok((!text.is_empty()).then(|| text.to_owned()))
    }

    // Numbers.

    /// Rows of a page.
    ///
    /// # Errors
    /// [`Bad`] outside 1 to [`ROWS_MAX`].
    pub fn page_size(&mut self, value: i32) -> Checked<usize> {
        self.count("page_size", value, ROWS_DEFAULT, ROWS_MAX)
    }

    /// A number from 1 to `max`, where 0 means `default`.
    ///
    /// # Errors
    /// [`Bad`] outside of it.
    pub fn count(
        &mut self,
        field: &'static str,
        value: i32,
        default: usize,
        max: usize,
    ) -> Checked<usize> {
        self.count_if_any(field, value, max).map(|count| count.unwrap_or(default))
    }

    /// A number from 1 to `max`, where 0 means none was given.
    ///
    /// # Errors
    /// [`Bad`] outside of it.
    pub fn count_if_any(
        &mut self,
        field: &'static str,
        value: i32,
        max: usize,
    ) -> Checked<Option<usize>> {
        match usize::try_from(value) {
            Ok(0) => Ok(None),
            Ok(count) if count <= max => Ok(Some(count)),
            _ => {
                let detail = format!("{value} is not from 1 to {max}");
                Err(self.fail(field, ViolationKind::TooMany, detail))
            }
        }
    }

    /// The length of a list.
    ///
    /// # Errors
    /// [`Bad`] past `max`.
    pub fn length(&mut self, field: &'static str, length: usize, max: usize) -> Checked<()> {
        if length <= max {
            return Ok(());
        }
        let detail = format!("{length} elements, {max} are allowed");
        Err(self.fail(field, ViolationKind::TooMany, detail))
    }

    /// The value of an enum, by the number on the wire.
    ///
    /// # Errors
    /// [`Bad`] if the number has no name in this version.
    pub fn variant<T: TryFrom<i32>>(&mut self, field: &'static str, raw: i32) -> Checked<T> {
        T::try_from(raw).map_err(|_| {
            self.fail(field, ViolationKind::Malformed, format!("{raw} is not a value of this enum"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_wrong_is_told_with_its_path() {
        let mut form = Form::new(Zone::UNSET);
        let namespace = form.namespace("");
        let size = form.page_size(10_001);
        let name = form.within("pattern", |form| {
            form.within_item("predicates", 3, |form| form.name("", "  "))
        });
        let rejection = form.finish(|| Ok((namespace?, size?, name?))).expect_err("three");
        let told: Vec<_> = rejection.violations.iter().map(|v| (v.kind, &*v.field)).collect();
        assert_eq!(
            told,
            [
                (ViolationKind::Missing, "namespace"),
                (ViolationKind::NameBlank, "pattern.predicates[3]"),
                (ViolationKind::TooMany, "page_size"),
            ]
        );
        assert_eq!(rejection.violations[2].detail, "10001 is not from 1 to 10000");
    }

    #[test]
    fn counts_have_a_default_and_two_bounds() {
        let mut form = Form::new(Zone::UNSET);
        assert_eq!(form.page_size(0), Ok(100));
        assert_eq!(form.page_size(1), Ok(1));
        assert_eq!(form.page_size(10_000), Ok(10_000));
        assert_eq!(form.page_size(-1), Err(Bad));
        assert_eq!(form.count_if_any("fan_out", 0, 5), Ok(None));
        assert_eq!(form.count_if_any("fan_out", 6, 5), Err(Bad));
    }

    #[test]
    fn strings_are_bounded_in_bytes() {
        let mut form = Form::new(Zone::UNSET);
        assert_eq!(form.request_id(""), Ok(None));
        assert!(form.request_id(&"k".repeat(128)).is_ok());
        assert_eq!(form.request_id(&"k".repeat(129)), Err(Bad));
        assert!(form.page_token(&"k".repeat(8_192)).is_ok());
        assert_eq!(form.page_token(&"k".repeat(8_193)), Err(Bad));
        assert_eq!(form.name("subject", &"\u{d55c}".repeat(342)), Err(Bad));
        assert_eq!(form.name("subject", "a\u{1}"), Err(Bad));
        let kinds: Vec<_> = form.take().iter().map(|violation| violation.kind).collect();
        assert_eq!(kinds[..3], [ViolationKind::TooLong; 3]);
        assert_eq!(kinds[3], ViolationKind::Malformed);
    }
}
