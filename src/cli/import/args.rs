//! What `import` takes.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Csv,
    Tsv,
    /// One JSON object a line
    #[value(name = "jsonl", aliases = ["json", "ndjson"])]
    JsonLines,
    /// The file of the reference memory server for MCP
    #[value(name = "memory-jsonl")]
    MemoryLines,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Columns are matched by name: subject, predicate, object, value, valid_from, valid_to (exclusive),
valid_through (inclusive: through 2021 is to 2022), at, statement, source, confidence, trust, op;
also s, p, o, from, to, through. Others are matched with --map, as in --map start=valid_from.
An empty cell in a start column says that the start is unknown; without a start column facts hold
from now. An empty end cell says that no end is known.
Rows that are wrong go to FILE.rejects.csv (or .tsv, .jsonl) as they were, and the reasons to
FILE.rejects.txt: mend the rows and import that file. Importing a file again changes nothing.
A file that `tenure export` wrote is replayed into an empty namespace with its own commit times.")]
pub struct ImportArgs {
    /// A .csv, .tsv, .jsonl or .json file, also with .gz, or - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Read a column as this field; may be given several times
    #[arg(long = "map", value_name = "COLUMN=FIELD")]
    pub(crate) maps: Vec<String>,
    /// Leave this column out; may be given several times
    #[arg(long = "ignore", value_name = "COLUMN")]
    pub(crate) ignored: Vec<String>,
    /// This predicate holds one object at a time; may be given several times
    #[arg(long = "one", value_name = "PREDICATE")]
    pub(crate) ones: Vec<String>,
    /// Predicate of rows that name none
    #[arg(long, value_name = "NAME")]
    pub(crate) predicate: Option<String>,
    /// Source of rows that name none
    #[arg(long, value_name = "NAME")]
    pub(crate) source: Option<String>,
    /// Trust class of rows that name none: unverified, inferred, stated, confirmed, `system_of_record`
    #[arg(long, value_name = "CLASS")]
    pub(crate) trust: Option<String>,
    /// Zone of dates without one, such as Asia/Seoul [default: the namespace's]
    #[arg(long, value_name = "ZONE")]
    pub(crate) zone: Option<String>,
    /// The end of a row is a stated end: it also closes an open row of the same fact. Without this
    /// a row says where its fact holds and nothing of the rest, so the rows of a fact add up
    #[arg(long)]
    pub(crate) stated_ends: bool,
    /// Rows of one transaction
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) batch: u32,
    /// What the file holds [default: by its name]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// What stands between the cells of a CSV file, one character or "tab" [default: a comma]
    #[arg(long, value_name = "CHARACTER")]
    pub(crate) delimiter: Option<String>,
    /// Write rejected rows to this file [default: FILE.rejects.csv beside the file]
    #[arg(long, value_name = "FILE")]
    pub(crate) rejects: Option<PathBuf>,
}
