//! `export`: every transaction as a JSON line that `import` replays.

use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use clap::Args;
use flate2::{Compression, write::GzEncoder};

use crate::rpc::proto::ExportFactsRequest;

use super::{connect::Client, error::Error, ops, output::Output, run::Ending};

#[derive(Debug, Args)]
pub struct ExportArgs {
    /// Write to this file instead of standard output; a name that ends in .gz is compressed
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The first transaction to write
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    from_tx: u64,
}

pub(crate) async fn run(
    client: &mut Client,
    output: &mut Output,
    args: &ExportArgs,
) -> Result<Ending, Error> {
    let request = ExportFactsRequest { namespace: client.namespace.clone(), from_tx: args.from_tx };
    let reply = client.facts.export_facts(request).await;
    let mut stream = client.answer(reply)?;
    let mut target = match &args.output {
        None => Target::Stdout,
        Some(path) => Target::create(path)?,
    };
    let mut count = 0_u64;
    loop {
        let transaction = match stream.message().await {
            Ok(None) => break,
            Ok(Some(transaction)) => transaction,
            Err(status) => return client.answer(Err(status)),
        };
        let line = ops::transaction(transaction.tx, transaction.tx_time, &transaction.operations);
        target.line(output, &line)?;
        count += 1;
    }
    target.finish()?;
    if let Some(path) = &args.output {
        eprintln!("{count} transactions written to {}", path.display());
    }
    Ok(Ending::Done)
}

enum Target {
    Stdout,
    Plain(PathBuf, BufWriter<File>),
    Compressed(PathBuf, Box<GzEncoder<BufWriter<File>>>),
}

impl Target {
    fn create(path: &Path) -> Result<Target, Error> {
        let file = File::create(path).map_err(|cause| failed(path, cause))?;
        let file = BufWriter::new(file);
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz")) {
            let encoder = GzEncoder::new(file, Compression::default());
            return Ok(Target::Compressed(path.to_owned(), Box::new(encoder)));
        }
        Ok(Target::Plain(path.to_owned(), file))
    }

    fn line(&mut self, output: &mut Output, line: &serde_json::Value) -> Result<(), Error> {
        match self {
            Target::Stdout => output.json_line(line),
            Target::Plain(path, file) => {
                writeln!(file, "{line}").map_err(|cause| failed(path, cause))
            }
            Target::Compressed(path, encoder) => {
                writeln!(encoder, "{line}").map_err(|cause| failed(path, cause))
            }
        }
    }

    fn finish(self) -> Result<(), Error> {
        match self {
            Target::Stdout => Ok(()),
            Target::Plain(path, mut file) => file.flush().map_err(|cause| failed(&path, cause)),
            Target::Compressed(path, encoder) => encoder
                .finish()
                .and_then(|mut file| file.flush())
                .map_err(|cause| failed(&path, cause)),
        }
    }
}

fn failed(path: &Path, cause: io::Error) -> Error {
    Error::file(path.display().to_string(), cause)
}
