//! Work that goes on behind a reply: one piece of it for each matter at a time, and not too many at
//! once.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use crate::agent::SessionKey;
use crate::types::limits::{CHAT_TASKS_MAX, REFLECTION_MARKS_MAX};
use crate::types::{NamespaceId, Scope, TxId};

/// What a piece of work is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Matter {
    Fold(NamespaceId, SessionKey),
    Reflection(NamespaceId, Scope),
}

#[derive(Default)]
pub(super) struct Background {
    busy: Mutex<HashSet<Matter>>,
    /// How far the log was looked at where nothing followed from it.
    marks: Mutex<HashMap<Matter, TxId>>,
}

/// Whether a piece of work may begin.
pub(super) enum Begun {
    /// It may, and counts as under way until this is dropped.
    Now(Permit),
    /// One on the same matter is under way.
    Already,
    /// Too many are under way.
    Full,
}

pub(super) struct Permit {
    of: Arc<Background>,
    matter: Matter,
}

impl Background {
    pub(super) fn begin(self: &Arc<Background>, matter: Matter) -> Begun {
        let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        if busy.contains(&matter) {
            return Begun::Already;
        }
        if busy.len() >= CHAT_TASKS_MAX {
            return Begun::Full;
        }
        busy.insert(matter.clone());
        Begun::Now(Permit { of: Arc::clone(self), matter })
    }

    /// Up to which transaction nothing follows; [`TxId::ZERO`] where that is not remembered.
    pub(super) fn mark(&self, matter: &Matter) -> TxId {
        let marks = self.marks.lock().unwrap_or_else(PoisonError::into_inner);
        marks.get(matter).copied().unwrap_or(TxId::ZERO)
    }

    /// So that a model is not asked the same again. A mark that is forgotten costs one more call.
    pub(super) fn set_mark(&self, matter: Matter, through: TxId) {
        let mut marks = self.marks.lock().unwrap_or_else(PoisonError::into_inner);
        if marks.len() >= REFLECTION_MARKS_MAX && !marks.contains_key(&matter) {
            marks.clear();
        }
        marks.insert(matter, through);
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.of.busy.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.matter);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time_of_each_and_not_too_many() {
        let background = Arc::new(Background::default());
        let begin = |n: usize| {
            let id = NamespaceId::new(u32::try_from(n).expect("small"));
            background.begin(Matter::Reflection(id, Scope::default()))
        };
        let mut permits = Vec::new();
        for n in 0..CHAT_TASKS_MAX {
            let Begun::Now(permit) = begin(n) else { panic!("there is room for {n}") };
            permits.push(permit);
        }
        assert!(matches!(begin(0), Begun::Already));
        assert!(matches!(begin(CHAT_TASKS_MAX), Begun::Full));
        permits.pop();
        assert!(matches!(begin(CHAT_TASKS_MAX), Begun::Now(_)));
    }

    #[test]
    fn marks_are_remembered_up_to_a_bound() {
        let background = Background::default();
        let matter = |n: usize| {
            let id = NamespaceId::new(u32::try_from(n).expect("small"));
            Matter::Reflection(id, Scope::default())
        };
        for n in 0..REFLECTION_MARKS_MAX {
            background.set_mark(matter(n), TxId::new(7));
        }
        background.set_mark(matter(0), TxId::new(8));
        let known = [background.mark(&matter(0)), background.mark(&matter(1))];
        assert_eq!(known, [TxId::new(8), TxId::new(7)]);
        background.set_mark(matter(REFLECTION_MARKS_MAX), TxId::new(9));
        assert_eq!(background.mark(&matter(1)), TxId::ZERO, "one too many forgets the others");
        assert_eq!(background.mark(&matter(REFLECTION_MARKS_MAX)), TxId::new(9));
    }
}
