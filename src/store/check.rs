//! Proves that the tables are what the log says.
//!
//! The log is folded once and every row it implies is looked up, which finds what is missing or
//! different; only if there are more rows than the log implies are the tables scanned for those it
//! does not. Memory is bounded by one transaction. What the check does not do is decide again: that
//! the rectangles of the log follow from its statements is the kernel's to prove.

use crate::kernel::{Change, Tx};
use crate::types::{
    CloseReason, Episode, EpisodeId, Interval, NamespaceId, Rectangle, Statement, StatementId,
    Timestamp, Triple, TxId,
};

use super::codec::{DecodeError, RectangleRow, unseal};
use super::error::ReadError;
use super::key::{self, Key};
use super::read;
use super::reader::Reader;
use super::record::Receipt;
use super::table::Rows;

/// Differences kept with their particulars; past them they are only counted.
const DIFFERENCES_MAX: usize = 100;

/// What was checked, and what was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub txs: u64,
    pub statements: u64,
    pub episodes: u64,
    pub rectangles: u64,
    pub receipts: u64,
    /// All differences.
    pub differences: u64,
    /// The first of them.
    pub first: Vec<Difference>,
}

/// One place where the data contradicts itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// A row cannot be decoded.
    Unreadable {
        table: &'static str,
        fault: DecodeError,
    },
    /// The log does not go on with the next number.
    TxNumber {
        expected: TxId,
        found: TxId,
    },
    /// The transaction is not later than the one before it.
    TxTime {
        tx: TxId,
    },
    /// The log states it, the table lacks it.
    StatementMissing {
        id: StatementId,
    },
    /// The log and the table state different things.
    StatementDiffers {
        id: StatementId,
    },
    /// The table has it, the log does not.
    StatementExtra {
        id: StatementId,
    },
    /// The log adds it; the table lacks it, or has another text.
    EpisodeDiffers {
        id: EpisodeId,
    },
    RectangleMissing {
        triple: Triple,
        start: Timestamp,
        believed_from: TxId,
    },
    /// Other bounds, or closed otherwise than the log says.
    RectangleDiffers {
        triple: Triple,
        start: Timestamp,
        believed_from: TxId,
    },
    RectangleExtra {
        triple: Triple,
        start: Timestamp,
        believed_from: TxId,
    },
    /// A receipt that no age leads to, so that it would never be forgotten, or an age without one.
    ReceiptAge {
        time: Timestamp,
    },
    /// The log implies another number of rows, for instance because it states one twice.
    Count {
        table: &'static str,
        expected: u64,
        found: u64,
    },
}

impl Report {
    #[must_use]
    pub const fn is_clean(&self) -> bool {
        self.differences == 0
    }

    fn add(&mut self, difference: Difference) {
        self.differences += 1;
        if self.first.len() < DIFFERENCES_MAX {
            self.first.push(difference);
        }
    }
}

/// Checks one namespace as of the reader's commit.
///
/// # Errors
/// When the disk cannot be read; damage to single rows is part of the report instead.
pub fn check(reader: &Reader, namespace: NamespaceId) -> Result<Report, ReadError> {
    check_while(reader, namespace, &|| true)
}

/// The same for as long as it is wanted. Of a check that was given up the report says nothing.
///
/// # Errors
/// As for [`check`].
pub fn check_while(
    reader: &Reader,
    namespace: NamespaceId,
    wanted: &dyn Fn() -> bool,
) -> Result<Report, ReadError> {
    let mut check = Check { reader, namespace, report: Report::default(), closed: 0 };
    check.log(wanted)?;
    if !wanted() {
        return Ok(check.report);
    }
    check.extra_statements()?;
    check.extra_rectangles()?;
    check.extra_episodes()?;
    check.receipts()?;
    Ok(check.report)
}

struct Check<'a> {
    reader: &'a Reader,
    namespace: NamespaceId,
    report: Report,
    /// Rectangles the log closes.
    closed: u64,
}

impl Check<'_> {
    fn log(&mut self, wanted: &dyn Fn() -> bool) -> Result<(), ReadError> {
        let mut expected = TxId::ZERO.next();
        let mut earlier = None;
        for row in self.reader.log.under(Key::of(self.namespace))? {
            if !wanted() {
                break;
            }
            let (key, value) = row?;
            let found = key::log_tx(key.value());
            if found != expected {
                self.report.add(Difference::TxNumber { expected, found });
            }
            expected = found.next();
            self.report.txs += 1;
            let tx: Tx = match unseal(value.value()) {
                Ok(tx) => tx,
                Err(fault) => {
                    self.report.add(Difference::Unreadable { table: "log", fault });
                    continue;
                }
            };
            if tx.id != found {
                self.report.add(Difference::TxNumber { expected: found, found: tx.id });
            }
            if earlier.is_some_and(|earlier| tx.time <= earlier) {
                self.report.add(Difference::TxTime { tx: found });
            }
            earlier = Some(tx.time);
            self.tx(&tx)?;
        }
        Ok(())
    }

    fn tx(&mut self, tx: &Tx) -> Result<(), ReadError> {
        for change in &tx.changes {
            match change {
                Change::Stated(statement) => self.stated(statement)?,
                Change::EpisodeAdded(episode) => self.episode(episode)?,
                Change::Opened { triple, valid } => self.opened(*triple, *valid, tx.id)?,
                Change::Closed { triple, valid, believed_from, reason } => {
                    self.closed(*triple, *valid, *believed_from, (tx.id, *reason))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn stated(&mut self, statement: &Statement) -> Result<(), ReadError> {
        self.report.statements += 1;
        let id = statement.id;
        let key = key::statement(self.namespace, statement.triple, id);
        match self.reader.statement.get(&key)?.map(|row| unseal::<Statement>(row.value())) {
            None => self.report.add(Difference::StatementMissing { id }),
            Some(Err(fault)) => {
                self.report.add(Difference::Unreadable { table: "statement", fault });
            }
            Some(Ok(found)) if found != *statement => {
                self.report.add(Difference::StatementDiffers { id });
            }
            Some(Ok(_)) => {}
        }
        Ok(())
    }

    fn episode(&mut self, episode: &Episode) -> Result<(), ReadError> {
        self.report.episodes += 1;
        match self.reader.episode(self.namespace, episode.id) {
            Ok(Some(found)) if found == *episode => {}
            Ok(_) | Err(ReadError::Corrupt(_)) => {
                self.report.add(Difference::EpisodeDiffers { id: episode.id });
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn extra_episodes(&mut self) -> Result<(), ReadError> {
        let mut found = 0;
        for row in self.reader.episode.under(Key::of(self.namespace))? {
            row?;
            found += 1;
        }
        let expected = self.report.episodes;
        if found != expected {
            self.report.add(Difference::Count { table: "episode", expected, found });
        }
        Ok(())
    }

    /// Whether and how it was closed is for the change that closed it to check.
    fn opened(&mut self, triple: Triple, valid: Interval, tx: TxId) -> Result<(), ReadError> {
        self.report.rectangles += 1;
        self.rectangle(triple, valid, tx, |row| row.closed.is_none_or(|(to, _)| to > tx))
    }

    fn closed(
        &mut self,
        triple: Triple,
        valid: Interval,
        believed_from: TxId,
        close: (TxId, CloseReason),
    ) -> Result<(), ReadError> {
        self.closed += 1;
        self.rectangle(triple, valid, believed_from, |row| row.closed == Some(close))
    }

    fn rectangle(
        &mut self,
        triple: Triple,
        valid: Interval,
        believed_from: TxId,
        agrees: impl FnOnce(&RectangleRow) -> bool,
    ) -> Result<(), ReadError> {
        let start = valid.start();
        let key = key::rectangle(self.namespace, triple, start, believed_from);
        match self.reader.rectangle.get(&key)?.map(|row| unseal::<RectangleRow>(row.value())) {
            None => self.report.add(Difference::RectangleMissing { triple, start, believed_from }),
            Some(Err(fault)) => {
                self.report.add(Difference::Unreadable { table: "rectangle", fault });
            }
            Some(Ok(row)) if row.valid_end != valid.end() || !agrees(&row) => {
                self.report.add(Difference::RectangleDiffers { triple, start, believed_from });
            }
            Some(Ok(_)) => {}
        }
        Ok(())
    }

    fn extra_statements(&mut self) -> Result<(), ReadError> {
        let mut found = 0;
        for row in self.reader.statement.under(Key::of(self.namespace))? {
            row?;
            found += 1;
        }
        let expected = self.report.statements;
        if found == expected {
            return Ok(());
        }
        self.report.add(Difference::Count { table: "statement", expected, found });
        for row in self.reader.statement.under(Key::of(self.namespace))? {
            match key::statement_parts(row?.0.value()) {
                Ok((triple, id)) => {
                    let logged = self.changes_of(id.tx)?.into_iter().find_map(|change| {
                        read::stated(change).filter(|statement| statement.id == id)
                    });
                    if logged.is_none_or(|statement| statement.triple != triple) {
                        self.report.add(Difference::StatementExtra { id });
                    }
                }
                Err(fault) => self.report.add(Difference::Unreadable { table: "statement", fault }),
            }
        }
        Ok(())
    }

    fn extra_rectangles(&mut self) -> Result<(), ReadError> {
        let (mut found, mut found_closed) = (0, 0);
        for row in self.reader.rectangle.under(Key::of(self.namespace))? {
            let (_, value) = row?;
            found += 1;
            let closed = unseal(value.value()).is_ok_and(|row: RectangleRow| row.closed.is_some());
            found_closed += u64::from(closed);
        }
        let (expected, closed) = (self.report.rectangles, self.closed);
        if found == expected && found_closed == closed {
            return Ok(());
        }
        let table = "rectangle";
        self.report.add(if found == expected {
            Difference::Count { table: "closed rectangle", expected: closed, found: found_closed }
        } else {
            Difference::Count { table, expected, found }
        });
        for row in self.reader.rectangle.under(Key::of(self.namespace))? {
            let (key, value) = row?;
            match read::rectangle(key.value(), value.value()) {
                Ok(rectangle) => self.logged_rectangle(&rectangle)?,
                Err(fault) => self.report.add(Difference::Unreadable { table, fault }),
            }
        }
        Ok(())
    }

    /// Finds the changes that opened and closed a row.
    fn logged_rectangle(&mut self, rectangle: &Rectangle) -> Result<(), ReadError> {
        let Rectangle { triple, valid, believed, closed } = *rectangle;
        let (start, believed_from) = (valid.start(), believed.from);
        let opened = Change::Opened { triple, valid };
        if !self.changes_of(believed.from)?.contains(&opened) {
            self.report.add(Difference::RectangleExtra { triple, start, believed_from });
        } else if let Some(reason) = closed {
            let closed = Change::Closed { triple, valid, believed_from, reason };
            if !self.changes_of(believed.to)?.contains(&closed) {
                self.report.add(Difference::RectangleDiffers { triple, start, believed_from });
            }
        }
        Ok(())
    }

    /// Nothing where the transaction is missing or damaged, which was reported already.
    fn changes_of(&self, tx: TxId) -> Result<Vec<Change>, ReadError> {
        match read::tx(&self.reader.log, self.namespace, tx) {
            Ok(tx) => Ok(tx.map_or_else(Vec::new, |tx| tx.changes)),
            Err(ReadError::Corrupt(_)) => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Receipts and ages agree one to one.
    fn receipts(&mut self) -> Result<(), ReadError> {
        for row in self.reader.request.under(Key::of(self.namespace))? {
            let (key, value) = row?;
            self.report.receipts += 1;
            match unseal::<Receipt>(value.value()) {
                Ok(receipt) => {
                    let time = receipt.time;
                    let digest = key::request_digest(key.value());
                    let age = key::request_age(self.namespace, time, digest);
                    if self.reader.request_age.get(&age)?.is_none() {
                        self.report.add(Difference::ReceiptAge { time });
                    }
                }
                Err(fault) => self.report.add(Difference::Unreadable { table: "request", fault }),
            }
        }
        let prefix = Key::of(self.namespace);
        let (least, greatest) = (prefix.least(), prefix.greatest());
        let ages = &self.reader.request_age;
        for row in ages.range::<&[u8; key::REQUEST_AGE]>(&least..=&greatest)? {
            let (time, digest) = key::request_age_parts(row?.0.value());
            let request = self.reader.request.get(&key::request(self.namespace, digest))?;
            let receipt = request.and_then(|row| unseal::<Receipt>(row.value()).ok());
            if receipt.is_none_or(|receipt| receipt.time != time) {
                self.report.add(Difference::ReceiptAge { time });
            }
        }
        Ok(())
    }
}
