//! The kernel with just enough around it: a clock that never goes back, and the log it decided.

use std::collections::BTreeSet;

use tenure::kernel::{Command, DecideError, Lookup, Memory, Outcome, Rejection, Stamp, Tx, decide};
use tenure::types::{Object, Rectangle, Timestamp, Triple, TxId, Value};

#[derive(Default)]
pub(crate) struct Shop {
    pub(crate) memory: Memory,
    pub(crate) log: Vec<Tx>,
}

impl Shop {
    /// Decides a command and folds its transaction; a refused command leaves nothing.
    pub(crate) fn submit(
        &mut self,
        clock: i64,
        command: &Command,
    ) -> Result<Vec<Outcome>, Rejection> {
        let directory = self.memory.directory();
        let last = directory.last_tx();
        let floor = directory.time_of(last).map_or(i64::MIN, |time| time.micros() + 1);
        let time = Timestamp::from_micros(clock.max(floor));
        let stamp = Stamp { tx: last.next(), time };
        match decide(command, stamp, &self.memory) {
            Ok(decision) => {
                self.memory.apply(&decision.tx);
                self.log.push(decision.tx);
                Ok(decision.outcomes)
            }
            Err(DecideError::Rejected(rejection)) => Err(rejection),
            Err(DecideError::Lookup(never)) => match never {},
        }
    }

    pub(crate) fn last_tx(&self) -> TxId {
        self.memory.directory().last_tx()
    }

    /// The rectangles believed at a transaction.
    pub(crate) fn believed(&self, tx: TxId) -> Vec<Rectangle> {
        let rectangles = self.memory.rectangles().into_iter();
        rectangles.filter(|rectangle| rectangle.believed.contains(tx)).collect()
    }

    /// What holds at a point in both times.
    pub(crate) fn held(&self, valid: i64, tx: TxId) -> BTreeSet<Triple> {
        let at = Timestamp::from_micros(valid);
        let believed = self.believed(tx).into_iter();
        believed.filter(|found| found.valid.contains(at)).map(|found| found.triple).collect()
    }

    pub(crate) fn words(&self, triple: Triple) -> [String; 3] {
        let directory = self.memory.directory();
        let entity = |id| directory.entity_name(id).expect("named").to_string();
        let predicate = directory.predicate_info(triple.predicate).expect("named");
        let object = match triple.object {
            Object::Entity(id) => entity(id),
            Object::Value(id) => match directory.value_of(id).expect("named") {
                Value::Integer(number) => format!("#{number}"),
                other => panic!("the cases hold no {other:?}"),
            },
        };
        [entity(triple.subject), predicate.name.to_string(), object]
    }
}
