//! Cells of a CSV record (RFC 4180) or a TSV line.

/// Whether the bytes so far end inside a quoted cell, so that the record goes on in the next line.
/// A quote opens a cell only where the cell starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quotes {
    inside: bool,
    cell_starts: bool,
    just_closed: bool,
}

impl Quotes {
    pub(crate) fn new() -> Quotes {
        Quotes { inside: false, cell_starts: true, just_closed: false }
    }

    pub(crate) fn read(&mut self, bytes: &[u8], delimiter: u8) {
        for &byte in bytes {
            if self.inside {
                if byte == b'"' {
                    self.inside = false;
                    self.just_closed = true;
                    self.cell_starts = false;
                }
            } else {
                // Two quotes inside a cell are one quote, and the cell goes on.
                self.inside = byte == b'"' && (self.cell_starts || self.just_closed);
                self.just_closed = false;
                self.cell_starts = byte == delimiter;
            }
        }
    }

    pub(crate) fn inside(self) -> bool {
        self.inside
    }
}

/// The cells of one CSV record without its line end.
pub(crate) fn csv_cells(record: &str, delimiter: u8) -> Result<Vec<String>, String> {
    let bytes = record.as_bytes();
    let mut cells = Vec::new();
    let mut place = 0;
    loop {
        if bytes.get(place) == Some(&b'"') {
            let (cell, after) = quoted(record, place + 1)?;
            cells.push(cell);
            place = after;
        } else {
            let rest = &bytes[place..];
            let length = rest.iter().position(|&byte| byte == delimiter).unwrap_or(rest.len());
            cells.push(record[place..place + length].to_owned());
            place += length;
        }
        match bytes.get(place) {
            None => return Ok(cells),
            Some(&byte) if byte == delimiter => place += 1,
            Some(_) => return Err("there is text after a closing quote".to_owned()),
        }
    }
}

/// The cell whose text begins at `start`, and the place after its closing quote.
fn quoted(record: &str, start: usize) -> Result<(String, usize), String> {
    let mut cell = String::new();
    let mut place = start;
    loop {
        let Some(length) = record[place..].find('"') else {
            return Err("a quote is never closed".to_owned());
        };
        cell.push_str(&record[place..place + length]);
        place += length + 1;
        if record.as_bytes().get(place) != Some(&b'"') {
            return Ok((cell, place));
        }
        cell.push('"');
        place += 1;
    }
}

/// TSV has no quotes: what is between tabs is the cell.
pub(crate) fn tsv_cells(line: &str) -> Vec<String> {
    line.split('\t').map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_split_as_rfc_4180_has_it() {
        let cases: [(&str, &[&str]); 7] = [
            ("a,b,c", &["a", "b", "c"]),
            ("", &[""]),
            ("a,,", &["a", "", ""]),
            (r#""a,b",c"#, &["a,b", "c"]),
            (r#""say ""hi""",x"#, &[r#"say "hi""#, "x"]),
            ("\"two\nlines\",x", &["two\nlines", "x"]),
            (r#"5" nail,김"#, &[r#"5" nail"#, "김"]),
        ];
        for (record, expected) in cases {
            assert_eq!(csv_cells(record, b',').unwrap(), expected, "{record}");
        }
        assert!(csv_cells(r#""a"b,c"#, b',').is_err());
        assert!(csv_cells(r#""a,c"#, b',').is_err());
    }

    #[test]
    fn a_record_goes_on_while_a_quote_is_open() {
        let cases = [
            ("a,b\n", false),
            ("a,\"b\n", true),
            ("a,\"b\"\"\n", true),
            ("a,\"b\"\n", false),
            ("a\"b\n", false),
        ];
        for (text, inside) in cases {
            let mut quotes = Quotes::new();
            quotes.read(text.as_bytes(), b',');
            assert_eq!(quotes.inside(), inside, "{text}");
        }
    }
}
