//! Rejected rows: as they were, in a file that can be mended and imported, with the reasons beside.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use indicatif::ProgressBar;

use super::super::{error::Error, output::one_line};
use super::{
    args::ImportArgs,
    load::Load,
    source::{Source, extension_of},
};

/// Reasons told on standard error.
const TOLD_MAX: u64 = 20;

pub(crate) struct Rejects {
    rows_path: PathBuf,
    reasons_path: PathBuf,
    header: Vec<u8>,
    files: Option<(BufWriter<File>, BufWriter<File>)>,
    pub(crate) count: u64,
    bar: ProgressBar,
}

impl Rejects {
    /// Removes what an earlier run left behind.
    pub(crate) fn new(
        args: &ImportArgs,
        source: &Source,
        bar: ProgressBar,
    ) -> Result<Rejects, Error> {
        let (rows_path, reasons_path) = paths(args, extension_of(source.format()));
        if same_file(&rows_path, &args.file) || same_file(&reasons_path, &args.file) {
            return Err(Error::usage("--rejects would overwrite the file that is read"));
        }
        for path in [&rows_path, &reasons_path] {
            match fs::remove_file(path) {
                Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
                    return Err(failed(path, cause));
                }
                _ => {}
            }
        }
        Ok(Rejects {
            rows_path,
            reasons_path,
            header: source.header_raw.clone(),
            files: None,
            count: 0,
            bar,
        })
    }

    /// The file of rows, when there are any.
    pub(crate) fn written(&self) -> Option<&Path> {
        (self.count > 0).then_some(self.rows_path.as_path())
    }

    pub(crate) fn write(&mut self, load: &Load) -> Result<(), Error> {
        for (place, reasons) in &load.rejected {
            let kept = &load.records[*place];
            let reason = one_line(&reasons.join("; "));
            if self.count < TOLD_MAX {
                self.bar.suspend(|| eprintln!("line {}: {reason}", kept.line));
            }
            self.count += 1;
            self.open()?;
            let (rows, told) = self.files.as_mut().expect("the files were opened");
            put_line(rows, &kept.raw).map_err(|cause| failed(&self.rows_path, cause))?;
            writeln!(told, "line {}: {reason}", kept.line)
                .map_err(|cause| failed(&self.reasons_path, cause))?;
        }
        Ok(())
    }

    /// Says where the rest of the reasons is.
    pub(crate) fn finish(&mut self) -> Result<(), Error> {
        if let Some((rows, reasons)) = &mut self.files {
            rows.flush().map_err(|cause| failed(&self.rows_path, cause))?;
            reasons.flush().map_err(|cause| failed(&self.reasons_path, cause))?;
        }
        if self.count > TOLD_MAX {
            eprintln!(
                "… and {} more; every reason is in {}",
                self.count - TOLD_MAX,
                self.reasons_path.display()
            );
        }
        Ok(())
    }

    fn open(&mut self) -> Result<(), Error> {
        if self.files.is_some() {
            return Ok(());
        }
        let create = |path: &Path| {
            File::create(path).map(BufWriter::new).map_err(|cause| failed(path, cause))
        };
        let mut rows = create(&self.rows_path)?;
        if !self.header.is_empty() {
            put_line(&mut rows, &self.header).map_err(|cause| failed(&self.rows_path, cause))?;
        }
        self.files = Some((rows, create(&self.reasons_path)?));
        Ok(())
    }
}

/// The bytes as they were; the last line of a file may lack its end.
fn put_line(file: &mut impl Write, raw: &[u8]) -> io::Result<()> {
    file.write_all(raw)?;
    if raw.ends_with(b"\n") { Ok(()) } else { file.write_all(b"\n") }
}

/// FILE.rejects.csv and FILE.rejects.txt, or the path that was asked for and .txt added to it.
fn paths(args: &ImportArgs, extension: &str) -> (PathBuf, PathBuf) {
    if let Some(path) = &args.rejects {
        return (path.clone(), with_suffix(path, ".txt"));
    }
    let base =
        if args.file.as_os_str() == "-" { PathBuf::from("stdin") } else { args.file.clone() };
    (with_suffix(&base, &format!(".rejects.{extension}")), with_suffix(&base, ".rejects.txt"))
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn same_file(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

fn failed(path: &Path, cause: io::Error) -> Error {
    Error::file(path.display().to_string(), cause)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::{args::Format, source::Record};
    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: ImportArgs,
    }

    #[test]
    fn rejected_rows_are_kept_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("people.csv");
        fs::write(&file, "").unwrap();
        let args = Line::parse_from(["import", file.to_str().unwrap()]).args;
        let text = &b"s,p,o\r\n"[..];
        let source = Source::read(Box::new(text), "x".to_owned(), Format::Csv, b',').unwrap();
        let rows_path = folder.path().join("people.csv.rejects.csv");
        fs::write(&rows_path, "old").unwrap();

        let mut rejects = Rejects::new(&args, &source, ProgressBar::hidden()).unwrap();
        assert!(!rows_path.exists(), "an old file is removed");
        let mut load = Load::new("lab", 10, true);
        let record =
            |line, raw: &[u8]| Record { line, raw: raw.to_vec(), content: Err(String::new()) };
        load.reject(record(2, b" ,p,\"x\ny\"\r\n"), vec!["the subject is blank".to_owned()]);
        load.reject(record(4, b"\xff,p,o"), vec!["it is not UTF-8".to_owned()]);
        rejects.write(&load).unwrap();
        rejects.finish().unwrap();

        assert_eq!(fs::read(&rows_path).unwrap(), b"s,p,o\r\n ,p,\"x\ny\"\r\n\xff,p,o\n");
        let reasons = fs::read_to_string(folder.path().join("people.csv.rejects.txt")).unwrap();
        assert_eq!(reasons, "line 2: the subject is blank\nline 4: it is not UTF-8\n");
        assert_eq!(rejects.written(), Some(rows_path.as_path()));
    }
}
