//! Who a statement is for, and what a credential lets its holder do and see.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use thiserror::Error;

use super::Name;
use super::limits::LABEL_BYTES_MAX;

/// The name of an owner or of an access label. It is compared byte for byte: whatever made two
/// spellings one here could let a caller into what belongs to another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(String);

/// The text is no label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum LabelError {
    #[error("is blank")]
    Blank,
    #[error("is {bytes} bytes long, at most {LABEL_BYTES_MAX} are allowed")]
    TooLong { bytes: usize },
    #[error("has white space around it, a comma or a control character in it")]
    Character,
}

impl Label {
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Label {
    type Err = LabelError;

    fn from_str(text: &str) -> Result<Label, LabelError> {
        if text.trim().is_empty() {
            return Err(LabelError::Blank);
        }
        if text.len() > LABEL_BYTES_MAX {
            return Err(LabelError::TooLong { bytes: text.len() });
        }
        // Lists of labels travel with commas between them.
        if text.trim() != text || text.contains(|c: char| c == ',' || c.is_control()) {
            return Err(LabelError::Character);
        }
        Ok(Label(text.to_owned()))
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whom a statement is for: its owner alone, if it has one, and of those only who holds all of its
/// labels. One with neither is for everybody.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Scope {
    pub owner: Option<Label>,
    pub labels: BTreeSet<Label>,
}

impl Scope {
    /// For everybody.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.owner.is_none() && self.labels.is_empty()
    }
}

/// What a caller may see of a namespace.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Clearance {
    #[default]
    Everything,
    /// What is for everybody, and what is for this owner and these labels.
    Only(Scope),
}

/// A narrower clearance was asked for, and it is not narrower.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("asks for an owner or a label that the credential does not have")]
pub struct NotNarrower;

impl Clearance {
    #[must_use]
    pub fn sees(&self, scope: &Scope) -> bool {
        match self {
            Clearance::Everything => true,
            Clearance::Only(own) => {
                (scope.owner.is_none() || scope.owner == own.owner)
                    && scope.labels.is_subset(&own.labels)
            }
        }
    }

    /// Whether it holds all that the other does.
    #[must_use]
    pub fn covers(&self, other: &Clearance) -> bool {
        match (self, other) {
            (Clearance::Everything, _) => true,
            (Clearance::Only(_), Clearance::Everything) => false,
            (own @ Clearance::Only(_), Clearance::Only(scope)) => own.sees(scope),
        }
    }

    /// The owners of scopes that it may let see: none, and its own.
    #[must_use]
    pub fn owners(&self) -> Vec<Option<Label>> {
        match self {
            Clearance::Only(Scope { owner: Some(owner), .. }) => vec![None, Some(owner.clone())],
            _ => vec![None],
        }
    }

    /// Whom what a caller states is for, where the caller does not say: its owner alone, if it has
    /// one.
    #[must_use]
    pub fn own(&self) -> Scope {
        match self {
            Clearance::Everything => Scope::default(),
            Clearance::Only(own) => Scope { owner: own.owner.clone(), ..Scope::default() },
        }
    }

    /// What is left of it for one request that asks for less.
    ///
    /// # Errors
    /// [`NotNarrower`].
    pub fn narrowed(&self, to: &Scope) -> Result<Clearance, NotNarrower> {
        if self.sees(to) { Ok(Clearance::Only(to.clone())) } else { Err(NotNarrower) }
    }
}

/// What a caller may do, each with all before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    Reader,
    Writer,
    Admin,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Role::Reader => "reader",
            Role::Writer => "writer",
            Role::Admin => "admin",
        })
    }
}

/// The namespaces a credential is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    All,
    One(Name),
}

impl Reach {
    #[must_use]
    pub fn holds(&self, namespace: &Name) -> bool {
        match self {
            Reach::All => true,
            Reach::One(name) => name == namespace,
        }
    }

    /// Whether it holds all that the other does.
    #[must_use]
    pub fn covers(&self, other: &Reach) -> bool {
        match other {
            Reach::All => *self == Reach::All,
            Reach::One(name) => self.holds(name),
        }
    }
}

/// What a credential lets its holder do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// Names the credential in the audit log. Never a secret.
    pub who: String,
    pub role: Role,
    pub reach: Reach,
    pub clearance: Clearance,
}

impl Access {
    /// Whether its holder may hand out this much.
    #[must_use]
    pub fn covers(&self, role: Role, reach: &Reach, clearance: &Clearance) -> bool {
        self.role >= role && self.reach.covers(reach) && self.clearance.covers(clearance)
    }

    /// Of a server that asks for no credentials.
    #[must_use]
    pub fn open() -> Access {
        Access {
            who: "anybody".to_owned(),
            role: Role::Admin,
            reach: Reach::All,
            clearance: Clearance::Everything,
        }
    }
}

/// A namespace that a caller was let into, and what of it the caller may see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    pub namespace: Name,
    pub clearance: Clearance,
}

impl Grant {
    /// All of a namespace.
    #[must_use]
    pub const fn all(namespace: Name) -> Grant {
        Grant { namespace, clearance: Clearance::Everything }
    }
}

impl Deref for Grant {
    type Target = Name;

    fn deref(&self) -> &Name {
        &self.namespace
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(owner: Option<&str>, labels: &[&str]) -> Scope {
        let label = |text: &str| text.parse().expect("a label");
        Scope { owner: owner.map(label), labels: labels.iter().copied().map(label).collect() }
    }

    #[test]
    fn a_caller_sees_what_its_owner_and_all_labels_allow() {
        let ann = Clearance::Only(scope(Some("ann"), &["hr", "eu"]));
        for (owner, labels, sees) in [
            (None, &[][..], true),
            (None, &["hr"], true),
            (None, &["hr", "eu"], true),
            (None, &["hr", "us"], false),
            (Some("ann"), &[], true),
            (Some("ann"), &["us"], false),
            (Some("Ann"), &[], false),
            (Some("ann:hr"), &[], false),
            (Some("bob"), &["hr"], false),
        ] {
            assert_eq!(ann.sees(&scope(owner, labels)), sees, "{owner:?} {labels:?}");
            assert!(Clearance::Everything.sees(&scope(owner, labels)));
        }
        assert!(!Clearance::Only(Scope::default()).sees(&scope(Some("ann"), &[])));
    }

    #[test]
    fn a_clearance_only_gets_narrower() {
        let ann = Clearance::Only(scope(Some("ann"), &["hr"]));
        assert_eq!(ann.narrowed(&Scope::default()), Ok(Clearance::Only(Scope::default())));
        assert_eq!(ann.narrowed(&scope(Some("bob"), &[])), Err(NotNarrower));
        assert_eq!(ann.narrowed(&scope(None, &["us"])), Err(NotNarrower));
        let everybody = Clearance::Only(Scope::default());
        assert_eq!(everybody.narrowed(&scope(Some("ann"), &[])), Err(NotNarrower));
    }

    #[test]
    fn nobody_hands_out_more_than_they_have() {
        let one = |name: &str| Reach::One(Name::new(name).expect("a name"));
        let ann = Clearance::Only(scope(Some("ann"), &["hr"]));
        let admin = |reach, clearance| Access { reach, clearance, ..Access::open() };
        let own = admin(one("acme"), Clearance::Everything);
        assert!(own.covers(Role::Admin, &one("acme"), &ann));
        assert!(!own.covers(Role::Reader, &one("acme-corp"), &ann));
        assert!(!own.covers(Role::Reader, &Reach::All, &ann));
        let narrow = admin(Reach::All, ann.clone());
        assert!(narrow.covers(Role::Admin, &one("a:b"), &ann));
        assert!(!narrow.covers(Role::Reader, &one("a:b"), &Clearance::Everything));
        let reader = Access { role: Role::Reader, ..Access::open() };
        assert!(!reader.covers(Role::Writer, &one("a"), &ann));
    }

    #[test]
    fn labels_are_bounded_and_plain() {
        assert_eq!("".parse::<Label>(), Err(LabelError::Blank));
        assert_eq!(" \t".parse::<Label>(), Err(LabelError::Blank));
        for text in [" a", "a\n", "a,b", "a\u{0}b"] {
            assert_eq!(text.parse::<Label>(), Err(LabelError::Character), "{text:?}");
        }
        assert!("x".repeat(LABEL_BYTES_MAX).parse::<Label>().is_ok());
        let bytes = LABEL_BYTES_MAX + 1;
        assert_eq!("x".repeat(bytes).parse::<Label>(), Err(LabelError::TooLong { bytes }));
    }
}
