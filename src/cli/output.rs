//! What reaches standard output: aligned tables for a person, JSON lines for a script.

use std::io::{self, BufWriter, Stdout, Write};

use comfy_table::{Table, presets::NOTHING};
use serde_json::Value;

use crate::rpc::proto::Basis;

use super::{args::Connection, error::Error, time_text};

/// Rows that are aligned with each other; the columns of a longer table may move between blocks.
const TABLE_ROWS_MAX: usize = 10_000;

/// Something that is one line of a table and one JSON object.
pub(crate) trait Row {
    fn columns() -> Vec<&'static str>;
    /// The last column is left out of a table in which no row fills it.
    const LAST_IS_OPTIONAL: bool = false;
    fn cells(&self) -> Vec<String>;
    fn json(&self) -> Value;
}

pub(crate) struct Output {
    json: bool,
    verbose: bool,
    out: BufWriter<Stdout>,
}

impl Output {
    pub(crate) fn new(connection: &Connection) -> Output {
        Output {
            json: connection.json,
            verbose: connection.verbose,
            out: BufWriter::new(io::stdout()),
        }
    }

    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    pub(crate) fn json_line(&mut self, value: &Value) -> Result<(), Error> {
        writeln!(self.out, "{value}").map_err(Error::Output)
    }

    pub(crate) fn text(&mut self, text: &str) -> Result<(), Error> {
        writeln!(self.out, "{text}").map_err(Error::Output)
    }

    /// One answer that is no row: the JSON object or the sentence.
    pub(crate) fn say(&mut self, json: &Value, text: &str) -> Result<(), Error> {
        if self.json { self.json_line(json) } else { self.text(text) }
    }

    pub(crate) fn flush(&mut self) -> Result<(), Error> {
        self.out.flush().map_err(Error::Output)
    }

    /// Where in both times the answer stands: under a table, or on standard error when asked for.
    pub(crate) fn basis(&mut self, basis: Option<&Basis>) -> Result<(), Error> {
        self.note(basis.map(basis_text))
    }

    pub(crate) fn note(&mut self, note: Option<String>) -> Result<(), Error> {
        match note {
            None => Ok(()),
            Some(note) if !self.json => self.text(&format!("\n{note}")),
            Some(note) => {
                if self.verbose {
                    eprintln!("{note}");
                }
                Ok(())
            }
        }
    }

    pub(crate) fn listing<R: Row>(&mut self) -> Listing<'_, R> {
        Listing { output: self, block: Vec::new(), shown: 0, row: std::marker::PhantomData }
    }

    /// A small list at once.
    pub(crate) fn list<R: Row>(&mut self, rows: &[R]) -> Result<(), Error> {
        let mut listing = self.listing();
        for row in rows {
            listing.add(row)?;
        }
        listing.end()
    }
}

/// Rows on their way out. JSON lines leave at once; a table waits for the width of its columns.
pub(crate) struct Listing<'a, R> {
    output: &'a mut Output,
    block: Vec<Vec<String>>,
    shown: u64,
    row: std::marker::PhantomData<R>,
}

impl<R: Row> Listing<'_, R> {
    pub(crate) fn add(&mut self, row: &R) -> Result<(), Error> {
        self.shown += 1;
        if self.output.json {
            return self.output.json_line(&row.json());
        }
        self.block.push(row.cells());
        if self.block.len() == TABLE_ROWS_MAX { self.print_block() } else { Ok(()) }
    }

    pub(crate) fn end(mut self) -> Result<(), Error> {
        if self.output.json {
            return Ok(());
        }
        if self.shown == 0 {
            return self.output.text("(none)");
        }
        self.print_block()
    }

    fn print_block(&mut self) -> Result<(), Error> {
        if self.block.is_empty() {
            return Ok(());
        }
        let mut rows = std::mem::take(&mut self.block);
        let mut columns = R::columns();
        if R::LAST_IS_OPTIONAL && rows.iter().all(|row| row.last().is_some_and(String::is_empty)) {
            columns.pop();
            for row in &mut rows {
                row.pop();
            }
        }
        self.output.text(&table(&columns, rows))
    }
}

/// Says on standard error that there is more than was shown.
pub(crate) fn note_cut(shown: u64, what: &str) {
    eprintln!("{shown} {what} shown; there are more: --limit 0 shows all");
}

/// Columns aligned by the width a terminal gives each character, two blanks apart.
pub(crate) fn table(columns: &[&str], rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_preset(NOTHING).set_header(columns.iter().map(|name| (*name).to_owned()));
    for row in rows {
        table.add_row(row.into_iter().map(|cell| one_line(&cell)).collect::<Vec<_>>());
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    table.trim_fmt()
}

/// Control characters would break the table, or the terminal.
pub(crate) fn one_line(text: &str) -> String {
    if text.chars().any(char::is_control) {
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
    } else {
        text.to_owned()
    }
}

/// "as of 2021-03-05T00:00:00Z, known at transaction 17 (2026-01-02T03:04:05Z)".
pub(crate) fn basis_text(basis: &Basis) -> String {
    let valid = time_text::optional(basis.valid_time.as_ref()).unwrap_or_else(|| "now".to_owned());
    let known = match &basis.tx_time {
        Some(time) => {
            format!("transaction {} ({})", basis.tx, time_text::instant(time.unix_micros))
        }
        None => format!("transaction {}", basis.tx),
    };
    format!("as of {valid}, known at {known}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn korean_names_take_two_columns_a_character() {
        let rows = vec![
            vec!["김민수".to_owned(), "works_at".to_owned()],
            vec!["Ana".to_owned(), "works_at".to_owned()],
        ];
        assert_eq!(
            table(&["subject", "predicate"], rows),
            "subject  predicate\n김민수   works_at\nAna      works_at"
        );
    }

    #[test]
    fn control_characters_never_reach_the_terminal() {
        assert_eq!(one_line("a\x1b[2J\nb"), "a [2J b");
    }
}
