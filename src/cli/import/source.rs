//! Records of a file, one by one, with the bytes they were read from.

use std::{
    collections::VecDeque,
    io::BufRead,
    path::Path,
    sync::{Arc, atomic::AtomicU64},
};

use serde_json::{Map, Value};

use super::super::{
    error::Error,
    lines::{self, Line, Lines, without_end},
};
use super::{
    args::{Format, ImportArgs},
    delimited::{Quotes, csv_cells, tsv_cells},
};

/// Bytes of one line. The longest row that a server takes is shorter, even escaped.
const LINE_BYTES_MAX: usize = 1_024 * 1_024;
/// Bytes of a transaction of an export.
const TRANSACTION_BYTES_MAX: usize = 2 * crate::types::limits::MESSAGE_BYTES_MAX;

pub(crate) enum Content {
    Cells(Vec<String>),
    Json(Map<String, Value>),
}

pub(crate) struct Record {
    /// The number of its first line.
    pub(crate) line: u64,
    /// As it stands in the file.
    pub(crate) raw: Vec<u8>,
    /// Or why it cannot be read.
    pub(crate) content: Result<Content, String>,
}

pub(crate) struct Source {
    lines: Lines<Box<dyn BufRead>>,
    path: String,
    format: Format,
    delimiter: u8,
    /// Lines that were read ahead.
    pending: VecDeque<Line>,
    /// The first line as it stands, for the file of rejected rows. Empty for JSON lines.
    pub(crate) header_raw: Vec<u8>,
    /// Names of the columns; none for JSON lines.
    pub(crate) header: Option<Vec<String>>,
}

impl Source {
    pub(crate) fn open(args: &ImportArgs, counter: Arc<AtomicU64>) -> Result<Source, Error> {
        let format = match args.format {
            Some(format) => format,
            None => format_of(&args.file)?,
        };
        let delimiter = delimiter(args.delimiter.as_deref(), format)?;
        Source::read(
            lines::open(&args.file, counter)?,
            args.file.display().to_string(),
            format,
            delimiter,
        )
    }

    pub(crate) fn read(
        reader: Box<dyn BufRead>,
        path: String,
        format: Format,
        delimiter: u8,
    ) -> Result<Source, Error> {
        let line_bytes_max = match format {
            Format::Csv | Format::Tsv => LINE_BYTES_MAX,
            Format::JsonLines | Format::MemoryLines => TRANSACTION_BYTES_MAX,
        };
        let mut source = Source {
            lines: Lines::new(reader, line_bytes_max),
            path,
            format,
            delimiter,
            pending: VecDeque::new(),
            header_raw: Vec::new(),
            header: None,
        };
        source.read_header()?;
        Ok(source)
    }

    pub(crate) fn format(&self) -> Format {
        self.format
    }

    /// Whether the file holds transactions rather than rows: its first line has "ops".
    pub(crate) fn holds_transactions(&mut self) -> Result<bool, Error> {
        if self.format != Format::JsonLines {
            return Ok(false);
        }
        let Some(record) = self.next_record()? else { return Ok(false) };
        let found = matches!(&record.content, Ok(Content::Json(map)) if map.contains_key("ops"));
        self.pending.push_front(Line { number: record.line, bytes: record.raw, too_long: false });
        Ok(found)
    }

    /// The next record; nothing at the end. Blank lines are no records.
    pub(crate) fn next_record(&mut self) -> Result<Option<Record>, Error> {
        let Some(line) = self.next_line()? else { return Ok(None) };
        if line.too_long {
            let reason = "the line is too long; only its beginning is kept".to_owned();
            return Ok(Some(Record { line: line.number, raw: line.bytes, content: Err(reason) }));
        }
        match self.format {
            Format::Csv => self.csv_record(line).map(Some),
            Format::Tsv => {
                let content = text_of(line.body())
                    .map(tsv_cells)
                    .and_then(|cells| self.checked(cells))
                    .map(Content::Cells);
                Ok(Some(Record { line: line.number, raw: line.bytes, content }))
            }
            Format::JsonLines | Format::MemoryLines => {
                let content = json_object(line.body()).map(Content::Json);
                Ok(Some(Record { line: line.number, raw: line.bytes, content }))
            }
        }
    }

    /// A record may go on over several lines. When the whole cannot be read, a stray quote is the
    /// likelier cause: then only its first line is bad, and the others are read again.
    fn csv_record(&mut self, first: Line) -> Result<Record, Error> {
        let mut quotes = Quotes::new();
        quotes.read(first.body(), self.delimiter);
        let mut following: Vec<Line> = Vec::new();
        let mut raw = first.bytes.clone();
        while quotes.inside() && raw.len() < LINE_BYTES_MAX {
            let Some(line) = self.next_raw_line()? else { break };
            quotes.read(&line.bytes, self.delimiter);
            raw.extend_from_slice(&line.bytes);
            following.push(line);
        }
        let cells = text_of(without_end(&raw))
            .and_then(|text| csv_cells(text, self.delimiter))
            .and_then(|cells| self.checked(cells));
        match cells {
            Ok(cells) => Ok(Record { line: first.number, raw, content: Ok(Content::Cells(cells)) }),
            Err(reason) => {
                for line in following.into_iter().rev() {
                    self.pending.push_front(line);
                }
                Ok(Record { line: first.number, raw: first.bytes, content: Err(reason) })
            }
        }
    }

    fn read_header(&mut self) -> Result<(), Error> {
        if self.format == Format::JsonLines {
            return Ok(());
        }
        let record = self.next_record()?.ok_or_else(|| {
            Error::usage(format!("{} is empty: a header was expected", self.path))
        })?;
        match record.content {
            Ok(Content::Cells(cells)) => {
                self.header = Some(cells.iter().map(|cell| cell.trim().to_owned()).collect());
                self.header_raw = record.raw;
                Ok(())
            }
            Ok(Content::Json(_)) => unreachable!("only JSON lines have JSON content"),
            Err(reason) => {
                Err(Error::usage(format!("{}: the header cannot be read: {reason}", self.path)))
            }
        }
    }

    fn checked(&self, cells: Vec<String>) -> Result<Vec<String>, String> {
        match &self.header {
            Some(header) if header.len() != cells.len() => {
                Err(format!("it has {} cells where the header has {}", cells.len(), header.len()))
            }
            _ => Ok(cells),
        }
    }

    fn next_line(&mut self) -> Result<Option<Line>, Error> {
        loop {
            match self.next_raw_line()? {
                Some(line) if line.is_blank() && self.format != Format::Tsv => {}
                Some(line) if line.body().is_empty() => {}
                line => return Ok(line),
            }
        }
    }

    fn next_raw_line(&mut self) -> Result<Option<Line>, Error> {
        if let Some(line) = self.pending.pop_front() {
            return Ok(Some(line));
        }
        self.lines.next().map_err(|cause| Error::file(self.path.clone(), cause))
    }
}

pub(crate) fn extension_of(format: Format) -> &'static str {
    match format {
        Format::Csv => "csv",
        Format::Tsv => "tsv",
        Format::JsonLines | Format::MemoryLines => "jsonl",
    }
}

fn format_of(path: &Path) -> Result<Format, Error> {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().to_ascii_lowercase())
        .unwrap_or_default();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("csv") => Ok(Format::Csv),
        Some("tsv" | "tab") => Ok(Format::Tsv),
        Some("jsonl" | "json" | "ndjson") => Ok(Format::JsonLines),
        _ => Err(Error::usage(format!(
            "{} does not say what it holds: add --format csv, tsv or jsonl",
            path.display()
        ))),
    }
}

fn delimiter(text: Option<&str>, format: Format) -> Result<u8, Error> {
    match text {
        None => Ok(b','),
        Some(_) if format != Format::Csv => Err(Error::usage("--delimiter is for CSV files")),
        Some("tab" | "\\t") => Ok(b'\t'),
        Some(text) => match text.as_bytes() {
            [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(*byte),
            _ => Err(Error::usage("--delimiter is one ASCII character, or tab")),
        },
    }
}

fn text_of(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())
}

fn json_object(bytes: &[u8]) -> Result<Map<String, Value>, String> {
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(Value::Array(_)) => Err("it is a list: write one JSON object a line".to_owned()),
        Ok(_) => Err("it is no JSON object".to_owned()),
        Err(cause) => Err(format!("it is no JSON object: {cause}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(text: &'static [u8], format: Format) -> Vec<(u64, Vec<u8>, Option<Vec<String>>)> {
        let mut source = Source::read(Box::new(text), "test".to_owned(), format, b',').unwrap();
        let mut found = Vec::new();
        while let Some(record) = source.next_record().unwrap() {
            let cells = match record.content {
                Ok(Content::Cells(cells)) => Some(cells),
                Ok(Content::Json(map)) => Some(map.keys().cloned().collect()),
                Err(_) => None,
            };
            found.push((record.line, record.raw, cells));
        }
        found
    }

    #[test]
    fn a_record_may_take_several_lines() {
        let found = records(b"s,o\r\na,\"b\nc\"\r\n\r\nd,e", Format::Csv);
        assert_eq!(
            found[0],
            (2, b"a,\"b\nc\"\r\n".to_vec(), Some(vec!["a".to_owned(), "b\nc".to_owned()]))
        );
        assert_eq!(found[1].0, 5);
        assert_eq!(found[1].1, b"d,e");
    }

    #[test]
    fn a_stray_quote_costs_one_row() {
        let found = records(b"s,o\n\"a,b\nc,d\n\"e\",f\ng,h\n", Format::Csv);
        let lines: Vec<(u64, bool)> =
            found.iter().map(|(line, _, cells)| (*line, cells.is_some())).collect();
        assert_eq!(lines, [(2, false), (3, true), (4, true), (5, true)]);
        assert_eq!(found[0].1, b"\"a,b\n");
    }

    #[test]
    fn bad_bytes_and_bad_counts_are_told_and_passed() {
        let found = records(b"s\to\n\xff\tb\na\na\tb\n", Format::Tsv);
        let good: Vec<bool> = found.iter().map(|(_, _, cells)| cells.is_some()).collect();
        assert_eq!(good, [false, false, true]);
    }

    #[test]
    fn an_export_is_known_by_its_first_line() {
        let text = b"{\"tx\":1,\"ops\":[]}\n{\"tx\":2,\"ops\":[]}\n";
        let mut source =
            Source::read(Box::new(&text[..]), "test".to_owned(), Format::JsonLines, b',').unwrap();
        assert!(source.holds_transactions().unwrap());
        assert_eq!(source.next_record().unwrap().unwrap().line, 1);
    }

    #[test]
    fn the_format_is_in_the_name() {
        assert_eq!(format_of(Path::new("a/people.CSV.gz")).unwrap(), Format::Csv);
        assert_eq!(format_of(Path::new("people.json")).unwrap(), Format::JsonLines);
        assert!(format_of(Path::new("people")).is_err());
        assert!(format_of(Path::new("-")).is_err());
    }
}
