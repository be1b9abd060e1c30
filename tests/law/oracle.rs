//! A naive memory: one list of all that was ever said, read again from its beginning for every
//! operation. It knows no intervals, no rectangles and no cache.

use std::collections::{BTreeMap, BTreeSet};

use tenure::kernel::OutcomeStatus;

use crate::acts::{Act, FOREVER, Fact, NODES, Node, PREDICATES, Request};
use crate::grid::{CELLS, Grid, Said, cell};

/// What holds: a fact under the names it is read by, and a cell.
pub(crate) type Held = BTreeSet<(Fact, usize)>;

#[derive(Clone, Debug)]
struct Statement {
    fact: Fact,
    said: Said,
    source: Option<usize>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Oracle {
    said: Vec<Statement>,
    merged: BTreeMap<Node, Node>,
    one: BTreeMap<usize, bool>,
    /// How much of the list the withdrawal of a source reaches.
    withdrawn: BTreeMap<usize, usize>,
    known: BTreeSet<Node>,
    /// A source is known by what was recorded of it: a blocked assert is not.
    sources: BTreeSet<usize>,
    /// Asserts of the request at hand.
    asserted: Vec<(Fact, Said)>,
    /// What held after each transaction, from the first.
    pub(crate) history: Vec<Held>,
}

/// The operation, and with it an atomic request, is refused.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refused;

type Ruling = Result<OutcomeStatus, Refused>;

impl Oracle {
    /// One request at one transaction time; `Refused` leaves everything as it was.
    pub(crate) fn submit(
        &mut self,
        time: i64,
        request: &Request,
    ) -> Result<Vec<OutcomeStatus>, Refused> {
        let mut next = Oracle { asserted: Vec::new(), ..self.clone() };
        let mut outcomes = Vec::new();
        for act in &request.acts {
            let before = next.clone();
            match next.act(time, act) {
                Ok(outcome) => outcomes.push(outcome),
                Err(Refused) if request.partial => {
                    next = before;
                    outcomes.push(OutcomeStatus::Invalid);
                }
                Err(Refused) => return Err(Refused),
            }
        }
        next.history.push(next.held());
        *self = next;
        Ok(outcomes)
    }

    fn act(&mut self, time: i64, act: &Act) -> Ruling {
        match *act {
            Act::Assert { fact, from, to, at_least, overrides, source } => {
                let from = from.unwrap_or(time);
                let said = match to {
                    Some(to) if from >= to => return Err(Refused),
                    None if from == FOREVER => return Err(Refused),
                    None => Said::Open { from: cell(from) },
                    Some(to) if at_least => Said::AtLeast { from: cell(from), to: cell(to) },
                    Some(to) => Said::Definite { from: cell(from), to: cell(to) },
                };
                self.learn(fact);
                self.assert(fact, said, overrides, source)
            }
            Act::End { fact, at, source } => {
                self.learn(fact);
                let said = Said::End { at: cell(at.unwrap_or(time)) };
                let changed = self.record(fact, said, source);
                Ok(if changed { OutcomeStatus::Applied } else { OutcomeStatus::NoMatch })
            }
            Act::Retract { fact, from, to, correct, block, source } => {
                let range = cell(from.unwrap_or(i64::MIN))..cell(to.unwrap_or(FOREVER));
                if range.is_empty() {
                    return Err(Refused);
                }
                self.learn(fact);
                let (group, object) = (self.group(fact), self.read(fact).2);
                let (said, matched) = if from.is_none() && to.is_none() {
                    (Said::Whole { block }, group.speaks_of(object))
                } else {
                    let (from, to) = (range.start, range.end);
                    (Said::Part { from, to, correct, block }, group.touches(object, from, to))
                };
                let changed = self.record(fact, said, source);
                let applied = matched || changed;
                Ok(if applied { OutcomeStatus::Applied } else { OutcomeStatus::NoMatch })
            }
            Act::Supersede { .. } => self.supersede(time, act),
            Act::Correct { .. } => self.correct(act),
            Act::Merge { duplicate, into } => {
                let known = self.known.contains(&duplicate) && self.known.contains(&into);
                let merged = self.merged.contains_key(&duplicate);
                if !known || merged || self.canonical(into) == duplicate {
                    return Err(Refused);
                }
                self.merged.insert(duplicate, into);
                Ok(OutcomeStatus::Applied)
            }
            Act::Unmerge { duplicate } => {
                self.merged.remove(&duplicate).ok_or(Refused)?;
                Ok(OutcomeStatus::Applied)
            }
            Act::Declare { predicate, one } => {
                let same = self.one.insert(predicate, one) == Some(one);
                Ok(if same { OutcomeStatus::NoChange } else { OutcomeStatus::Applied })
            }
            Act::Withdraw { source } => {
                if !self.sources.contains(&source) {
                    return Err(Refused);
                }
                self.withdrawn.insert(source, self.said.len());
                Ok(OutcomeStatus::Applied)
            }
        }
    }

    fn assert(&mut self, fact: Fact, said: Said, overrides: bool, source: Option<usize>) -> Ruling {
        if self.clashes(fact, &said) {
            return Err(Refused);
        }
        self.asserted.push((fact, said.clone()));
        if self.group(fact).is_blocked(self.read(fact).2) && !overrides {
            return Ok(OutcomeStatus::Blocked);
        }
        let changed = self.record(fact, said, source);
        Ok(if changed { OutcomeStatus::Applied } else { OutcomeStatus::NoChange })
    }

    /// T2.
    fn clashes(&self, fact: Fact, said: &Said) -> bool {
        let (subject, predicate, object) = self.read(fact);
        self.one[&predicate]
            && self.asserted.iter().any(|(other, other_said)| {
                let other = self.read(*other);
                let rivals = (other.0, other.1) == (subject, predicate) && other.2 != object;
                rivals && (start(said) == start(other_said) || overlap(said, other_said))
            })
    }

    fn supersede(&mut self, time: i64, act: &Act) -> Ruling {
        let Act::Supersede { subject, predicate, old, new, at, expect_held } = *act else {
            unreachable!("the act is a supersede")
        };
        let at = at.unwrap_or(time);
        let one = self.one[&predicate];
        if at == FOREVER || at == i64::MIN || (old.is_none() && !one) {
            return Err(Refused);
        }
        let fact = (subject, predicate, new);
        let at = cell(at);
        let old_fact = old.map(|old| (subject, predicate, old));
        let held = match old_fact {
            None => self.group(fact).value(at).is_some(),
            Some(old) => self.group(old).holds(self.read(old).2, at),
        };
        self.learn(fact);
        if expect_held && !held {
            return Err(Refused);
        }
        let said = Said::Open { from: at };
        if self.clashes(fact, &said) {
            return Err(Refused);
        }
        let blocked = self.group(fact).is_blocked(self.read(fact).2);
        let ended = old_fact.filter(|old| !one && self.read(*old) != self.read(fact));
        if let Some(old) = ended.filter(|_| !blocked) {
            self.learn(old);
            self.record(old, Said::End { at }, None);
        }
        self.assert(fact, said, false, None)
    }

    fn correct(&mut self, act: &Act) -> Ruling {
        let Act::Correct { fact, at, new, from, to } = *act else {
            unreachable!("the act is a correct")
        };
        let right = (fact.0, fact.1, new.unwrap_or(fact.2));
        let (group, object, at) = (self.group(fact), self.read(fact).2, cell(at));
        if !group.holds(object, at) {
            // Nothing was corrected, so nothing was named.
            return Ok(OutcomeStatus::NoMatch);
        }
        self.learn(right);
        let first = (0..=at).rev().take_while(|cell| group.holds(object, *cell)).last();
        let last = (at..CELLS).take_while(|cell| group.holds(object, *cell)).last();
        let (hold_from, hold_to) = (first.expect("held"), last.expect("held") + 1);
        let start = from.map_or(hold_from, cell);
        let said = match to {
            None if hold_to == CELLS && !group.ends_at_infinity() => Said::Open { from: start },
            to => Said::Definite { from: start, to: to.map_or(hold_to, cell) },
        };
        if matches!(said, Said::Definite { from, to } if from >= to) || self.clashes(right, &said) {
            return Err(Refused);
        }
        let same = self.read(right) == self.read(fact);
        if !same && self.group(right).is_blocked(self.read(right).2) {
            return self.assert(right, said, false, None);
        }
        let part = Said::Part { from: hold_from, to: hold_to, correct: true, block: false };
        self.record(fact, part, None);
        self.assert(right, said, true, None)?;
        Ok(OutcomeStatus::Applied)
    }

    /// Adds to the list, and says whether what holds in the group is another thing now.
    fn record(&mut self, fact: Fact, said: Said, source: Option<usize>) -> bool {
        let before = self.group(fact).values();
        self.said.push(Statement { fact, said, source });
        self.sources.extend(source);
        before != self.group(fact).values()
    }

    fn learn(&mut self, fact: Fact) {
        self.known.extend([fact.0, fact.2]);
    }

    fn canonical(&self, node: Node) -> Node {
        self.merged.get(&node).map_or(node, |into| self.canonical(*into))
    }

    fn read(&self, (subject, predicate, object): Fact) -> Fact {
        (self.canonical(subject), predicate, self.canonical(object))
    }

    /// Folds the statements that compete with a fact.
    fn group(&self, fact: Fact) -> Grid {
        let wanted = self.read(fact);
        let counts = |(place, statement): &(usize, &Statement)| {
            let bound = statement.source.and_then(|source| self.withdrawn.get(&source));
            bound.is_none_or(|bound| place >= bound)
        };
        let counting = self.said.iter().enumerate().filter(counts);
        let read = counting.map(|(_, statement)| (self.read(statement.fact), &statement.said));
        let competing = read.filter(|(fact, _)| {
            let alone = self.one[&wanted.1] || fact.2 == wanted.2;
            (fact.0, fact.1) == (wanted.0, wanted.1) && alone
        });
        Grid::fold(competing.map(|(fact, said)| (fact.2, said.clone())))
    }

    fn held(&self) -> Held {
        let facts: BTreeSet<Fact> =
            self.said.iter().map(|statement| self.read(statement.fact)).collect();
        let cells = |fact: Fact| {
            let group = self.group(fact);
            (0..CELLS).filter(move |cell| group.holds(fact.2, *cell)).map(move |cell| (fact, cell))
        };
        facts.into_iter().flat_map(cells).collect()
    }
}

/// Names a fact as the kernel shows it.
pub(crate) fn words((subject, predicate, object): Fact) -> [String; 3] {
    [NODES[subject], PREDICATES[predicate], NODES[object]].map(str::to_owned)
}

fn start(said: &Said) -> usize {
    match *said {
        Said::Open { from } | Said::Definite { from, .. } | Said::AtLeast { from, .. } => from,
        _ => unreachable!("only asserts are compared"),
    }
}

fn overlap(a: &Said, b: &Said) -> bool {
    match (a, b) {
        (Said::Definite { from, to }, Said::Definite { from: start, to: stop }) => {
            from < stop && start < to
        }
        _ => false,
    }
}
