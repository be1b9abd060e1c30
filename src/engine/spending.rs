//! What calls of models cost, in memory for every budget to be held against, and stored by the writer
//! a moment later.
//!
//! What is stored are sums, so that storing one twice changes nothing. What was counted since the last
//! commit is lost with the process: of calls with tokens, those whose reply was not acted upon yet.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::store::{Batch, CommitError, ReadError as StoreError, Reader, UsageRow};
use crate::types::limits::{USAGE_DAYS_KEPT, USAGE_MONTHS_KEPT};
use crate::types::{AuditSubject, Budgets, Cost, Name, NamespaceId, Period, Purpose, Timestamp};

use super::audit::event;
use super::error::{ReadError, SubmitError};
use super::guard::GuardJob;
use super::handle::Engine;
use super::job::Job;
use super::pending::Pending;
use super::writer::Writer;

/// What one row of the sums is about.
type Row = (Period, Purpose);

#[derive(Default)]
struct State {
    sums: HashMap<NamespaceId, BTreeMap<Row, Cost>>,
    unsaved: HashMap<NamespaceId, BTreeSet<Row>>,
    budgets: HashMap<NamespaceId, Budgets>,
}

#[derive(Default)]
pub(super) struct Spending {
    state: Mutex<State>,
}

impl Spending {
    /// Takes the stored budgets, and the sums of namespaces that nothing is known of yet: what is
    /// known is never less than what is stored.
    pub(super) fn load(&self, reader: &Reader) -> Result<(), StoreError> {
        let mut budgets = HashMap::new();
        let mut sums: HashMap<NamespaceId, BTreeMap<Row, Cost>> = HashMap::new();
        for namespace in reader.namespaces()? {
            if let Some(stored) = reader.budgets(namespace.id)? {
                budgets.insert(namespace.id, stored);
            }
            let rows = reader.usage(namespace.id)?;
            let rows = rows.into_iter().map(|row| ((row.period, row.purpose), row.cost));
            sums.insert(namespace.id, rows.collect());
        }
        let mut state = self.state();
        state.budgets = budgets;
        for (namespace, stored) in sums {
            state.sums.entry(namespace).or_insert(stored);
        }
        Ok(())
    }

    /// It is looked at before a call, so calls that are under way together may pass it.
    fn may_spend(&self, namespace: NamespaceId, purpose: Purpose, now: Timestamp) -> bool {
        let state = self.state();
        let Some(budget) = state.budgets.get(&namespace).and_then(|all| all.0.get(&purpose)) else {
            return true;
        };
        let [day, month] = Period::of(now);
        let sums = state.sums.get(&namespace);
        let spent = |period| {
            let cost = sums.and_then(|sums| sums.get(&(period, purpose)));
            cost.map_or(0, Cost::tokens)
        };
        let left = |bound: Option<u64>, period| bound.is_none_or(|bound| spent(period) < bound);
        left(budget.day_tokens, day) && left(budget.month_tokens, month)
    }

    fn add(&self, namespace: NamespaceId, purpose: Purpose, cost: &Cost, now: Timestamp) {
        let mut state = self.state();
        for period in Period::of(now) {
            let sums = state.sums.entry(namespace).or_default();
            if !sums.contains_key(&(period, purpose)) {
                sums.retain(|(of, _), _| is_kept(*of, now));
            }
            sums.entry((period, purpose)).or_default().add(cost);
            state.unsaved.entry(namespace).or_default().insert((period, purpose));
        }
    }

    fn sums(&self, namespace: NamespaceId) -> Vec<UsageRow> {
        let state = self.state();
        let sums = state.sums.get(&namespace).into_iter().flatten();
        sums.map(|((period, purpose), cost)| UsageRow {
            period: *period,
            purpose: *purpose,
            cost: *cost,
        })
        .collect()
    }

    fn budgets(&self, namespace: NamespaceId) -> Budgets {
        self.state().budgets.get(&namespace).cloned().unwrap_or_default()
    }

    pub(super) fn set(&self, namespace: NamespaceId, budgets: Budgets) {
        if budgets.0.is_empty() {
            self.state().budgets.remove(&namespace);
        } else {
            self.state().budgets.insert(namespace, budgets);
        }
    }

    /// The namespace is gone.
    pub(super) fn forget(&self, namespace: NamespaceId) {
        let mut state = self.state();
        state.sums.remove(&namespace);
        state.unsaved.remove(&namespace);
        state.budgets.remove(&namespace);
    }

    /// The sums that are not stored as they are, which count as stored from here on.
    pub(super) fn take_unsaved(&self, namespace: NamespaceId) -> Vec<UsageRow> {
        let mut state = self.state();
        let unsaved = state.unsaved.remove(&namespace).unwrap_or_default();
        let sums = state.sums.get(&namespace);
        let row = |(period, purpose): Row| {
            let cost = *sums?.get(&(period, purpose))?;
            Some(UsageRow { period, purpose, cost })
        };
        unsaved.into_iter().filter_map(row).collect()
    }

    /// They could not be stored after all.
    pub(super) fn give_back(&self, namespace: NamespaceId, rows: &[UsageRow]) {
        let rows = rows.iter().map(|row| (row.period, row.purpose));
        self.state().unsaved.entry(namespace).or_default().extend(rows);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_kept(period: Period, now: Timestamp) -> bool {
    match (period, Period::of(now)) {
        (Period::Day(day), [Period::Day(today), _]) => day.saturating_add(USAGE_DAYS_KEPT) > today,
        (Period::Month(month), [_, Period::Month(this)]) => {
            month.saturating_add(USAGE_MONTHS_KEPT) > this
        }
        _ => false,
    }
}

/// Stores the sums of a namespace that changed, and drops those that are too old.
pub(super) fn store(
    rows: &[UsageRow],
    namespace: NamespaceId,
    now: Timestamp,
    batch: &mut Batch,
) -> Result<(), CommitError> {
    batch.put_usage(namespace, rows)?;
    batch.forget_usage(namespace, |period| !is_kept(period, now))
}

impl Writer {
    /// Stores what was counted of a namespace that is still there.
    pub(super) fn usage(
        &self,
        name: &Name,
        id: NamespaceId,
        batch: &mut Batch,
        pending: &mut Pending,
    ) -> Result<(), CommitError> {
        let there = self.with.registry.get(name).filter(|there| there.id() == id);
        if there.is_none() || pending.deleted.contains(name) {
            return Ok(());
        }
        let rows = self.with.guard.spending.take_unsaved(id);
        if rows.is_empty() {
            return Ok(());
        }
        pending.writes = true;
        let stored = store(&rows, id, self.with.clock.now(), batch);
        let guard = Arc::clone(&self.with.guard);
        pending.promises.push(Box::new(move |durable| {
            if durable.is_err() {
                guard.spending.give_back(id, &rows);
            }
        }));
        stored
    }
}

impl Engine {
    /// Whether calls for a purpose are within the budget of a namespace. What is over it falls back
    /// to what costs nothing; nothing that is asked is refused for it but what only a model can do.
    #[must_use]
    pub fn may_spend(&self, namespace: &Name, purpose: Purpose) -> bool {
        let Ok(found) = self.find(namespace) else { return false };
        self.guard().spending.may_spend(found.id(), purpose, self.now())
    }

    /// Counts what calls for a purpose have cost. What cost tokens goes to the writer at once, and so
    /// is durable before anything that is recorded because of the reply; what cost none is stored a
    /// while later.
    pub fn spent(&self, namespace: &Name, purpose: Purpose, cost: &Cost) {
        // A namespace that is gone has nothing to count for.
        let Ok(found) = self.find(namespace) else { return };
        if *cost == Cost::default() {
            return;
        }
        self.guard().spending.add(found.id(), purpose, cost, self.now());
        let job = Job::Usage { namespace: namespace.clone(), id: found.id() };
        if cost.tokens() == 0 || self.send(job).is_err() {
            self.keep(&found);
        }
    }

    /// What calls of models have cost a namespace.
    ///
    /// # Errors
    /// [`ReadError::NamespaceUnknown`].
    pub fn costs(&self, namespace: &Name) -> Result<Vec<UsageRow>, ReadError> {
        Ok(self.guard().spending.sums(self.find(namespace)?.id()))
    }

    /// # Errors
    /// [`ReadError::NamespaceUnknown`].
    pub fn budgets(&self, namespace: &Name) -> Result<Budgets, ReadError> {
        Ok(self.guard().spending.budgets(self.find(namespace)?.id()))
    }

    /// Puts budgets in the place of those there are.
    ///
    /// # Errors
    /// [`SubmitError::NamespaceUnknown`], or why they could not be recorded.
    pub async fn set_budgets(
        &self,
        name: &Name,
        budgets: Budgets,
        by: AuditSubject,
    ) -> Result<(), SubmitError> {
        let (reply, done) = oneshot::channel();
        let about = AuditSubject { namespace: name.to_string(), ..by };
        let event = event(self.now(), "BUDGETS_SET", about);
        self.send(Job::Guard(GuardJob::Budgets { name: name.clone(), budgets, event, reply }))?;
        done.await.unwrap_or(Err(SubmitError::Closed))?;
        // What waited for a budget looks again.
        self.embedding().add(name);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Budget;

    const DAY: i64 = 86_400_000_000;

    fn at(days: i64) -> Timestamp {
        Timestamp::from_micros(days * DAY)
    }

    fn tokens(prompt_tokens: u64) -> Cost {
        Cost { calls: 1, prompt_tokens, ..Cost::default() }
    }

    #[test]
    fn a_budget_ends_with_its_day_and_its_month_and_is_of_one_purpose() {
        let (spending, one) = (Spending::default(), NamespaceId::new(1));
        let bound = Budget { day_tokens: Some(10), month_tokens: Some(15) };
        spending.set(one, Budgets([(Purpose::Summarise, bound)].into()));
        let may = |purpose, day| spending.may_spend(one, purpose, at(day));
        assert!(may(Purpose::Summarise, 0));
        spending.add(one, Purpose::Summarise, &tokens(9), at(0));
        assert!(may(Purpose::Summarise, 0), "9 of 10");
        spending.add(one, Purpose::Summarise, &tokens(1), at(0));
        assert!(!may(Purpose::Summarise, 0) && may(Purpose::Reflect, 0), "10 of 10");
        assert!(may(Purpose::Summarise, 1), "another day");
        spending.add(one, Purpose::Summarise, &tokens(5), at(1));
        assert!(!may(Purpose::Summarise, 2), "15 of 15 of the month");
        assert!(may(Purpose::Summarise, 31), "another month");
        assert!(spending.may_spend(NamespaceId::new(2), Purpose::Summarise, at(0)));
        spending.set(one, Budgets::default());
        assert!(may(Purpose::Summarise, 2));
    }

    #[test]
    fn sums_are_stored_again_when_they_could_not_be() {
        let (spending, one) = (Spending::default(), NamespaceId::new(1));
        spending.add(one, Purpose::Judge, &tokens(3), at(0));
        let rows = spending.take_unsaved(one);
        assert_eq!(rows.len(), 2, "a day and a month");
        assert!(spending.take_unsaved(one).is_empty());
        spending.give_back(one, &rows);
        spending.add(one, Purpose::Judge, &tokens(4), at(0));
        let again = spending.take_unsaved(one);
        assert!(again.iter().all(|row| row.cost.tokens() == 7) && again.len() == 2);
    }

    #[test]
    fn old_days_and_months_go() {
        let (spending, one) = (Spending::default(), NamespaceId::new(1));
        for day in 0..i64::from(USAGE_DAYS_KEPT) {
            spending.add(one, Purpose::Judge, &tokens(1), at(day));
        }
        let days = |spending: &Spending| {
            let rows = spending.sums(one).into_iter();
            rows.filter(|row| matches!(row.period, Period::Day(_))).count()
        };
        assert_eq!(days(&spending), USAGE_DAYS_KEPT as usize);
        spending.add(one, Purpose::Judge, &tokens(1), at(USAGE_DAYS_KEPT.into()));
        assert_eq!(days(&spending), USAGE_DAYS_KEPT as usize);
        let far = 32 * (i64::from(USAGE_MONTHS_KEPT) + 2);
        spending.add(one, Purpose::Judge, &tokens(1), at(far));
        assert_eq!(spending.sums(one).len(), 2);
    }
}
