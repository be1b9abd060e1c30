//! Lines of a file that may be long, broken, compressed, or standard input.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use flate2::read::MultiGzDecoder;

use super::error::Error;

const BUFFER_BYTES: usize = 256 * 1_024;

/// Opens a file, or standard input for `-`; a name that ends in `.gz` is decompressed. The counter
/// runs with the bytes read from the disk.
pub(crate) fn open(path: &Path, counter: Arc<AtomicU64>) -> Result<Box<dyn BufRead>, Error> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(BufReader::with_capacity(
            BUFFER_BYTES,
            Counted { inner: io::stdin(), counter },
        )));
    }
    let file = File::open(path).map_err(|cause| Error::file(path.display().to_string(), cause))?;
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Err(Error::usage(format!("{} is a directory", path.display())));
    }
    let file = Counted { inner: file, counter };
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz")) {
        let file = BufReader::with_capacity(BUFFER_BYTES, file);
        return Ok(Box::new(BufReader::with_capacity(BUFFER_BYTES, MultiGzDecoder::new(file))));
    }
    Ok(Box::new(BufReader::with_capacity(BUFFER_BYTES, file)))
}

/// One line with its end, if it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// From 1.
    pub(crate) number: u64,
    pub(crate) bytes: Vec<u8>,
    /// The line was longer than the bound, and the rest of it was skipped.
    pub(crate) too_long: bool,
}

impl Line {
    /// The line without its end.
    pub(crate) fn body(&self) -> &[u8] {
        without_end(&self.bytes)
    }

    pub(crate) fn is_blank(&self) -> bool {
        !self.too_long && self.body().iter().all(u8::is_ascii_whitespace)
    }
}

pub(crate) fn without_end(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    bytes.strip_suffix(b"\r").unwrap_or(bytes)
}

pub(crate) struct Lines<R> {
    reader: R,
    number: u64,
    line_bytes_max: usize,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(reader: R, line_bytes_max: usize) -> Lines<R> {
        Lines { reader, number: 0, line_bytes_max }
    }

    /// The next line; nothing at the end. A byte order mark before the first line is dropped.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line>> {
        let mut bytes = Vec::new();
        let max = self.line_bytes_max as u64;
        if (&mut self.reader).take(max).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        let full = bytes.len() == self.line_bytes_max && !bytes.ends_with(b"\n");
        let too_long = full && self.skip_line()? > 0;
        if self.number == 1 && bytes.starts_with(b"\xEF\xBB\xBF") {
            bytes.drain(..3);
        }
        Ok(Some(Line { number: self.number, bytes, too_long }))
    }

    /// Bytes of the rest of the line.
    fn skip_line(&mut self) -> io::Result<u64> {
        let mut skipped = 0;
        loop {
            let buffer = self.reader.fill_buf()?;
            if buffer.is_empty() {
                return Ok(skipped);
            }
            let (used, found) = match buffer.iter().position(|&byte| byte == b'\n') {
                Some(place) => (place + 1, true),
                None => (buffer.len(), false),
            };
            self.reader.consume(used);
            skipped += used as u64;
            if found {
                return Ok(skipped);
            }
        }
    }
}

struct Counted<R> {
    inner: R,
    counter: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.counter.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_ends_and_long_ones_are_cut() {
        let mut lines = Lines::new(&b"\xEF\xBB\xBFab\r\n\nabcdefghij\nxy"[..], 8);
        let mut next =
            || lines.next().unwrap().map(|line| (line.number, line.bytes, line.too_long));
        assert_eq!(next(), Some((1, b"ab\r\n".to_vec(), false)));
        assert_eq!(next(), Some((2, b"\n".to_vec(), false)));
        assert_eq!(next(), Some((3, b"abcdefgh".to_vec(), true)));
        assert_eq!(next(), Some((4, b"xy".to_vec(), false)));
        assert_eq!(next(), None);
    }
}
