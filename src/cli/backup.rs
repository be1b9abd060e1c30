//! `backup`: a file from a running server, looked at before it gets its name.

use std::{
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
};

use clap::Args;
use serde_json::json;
use tonic::Streaming;

use crate::rpc::proto::{BackupBase, BackupRequest, BackupResponse};
use crate::server::{BackupFile, Fault};

use super::{connect::Client, error::Error, output::Output, run::Ending};

/// Ending of a file that is not whole yet.
const DRAFT_ENDING: &str = ".part";

#[derive(Debug, Args)]
pub struct BackupArgs {
    /// The file to write; it must not exist
    file: PathBuf,
    /// Copy every namespace, not only the one of --namespace
    #[arg(long)]
    all: bool,
    /// Copy only what an earlier backup lacks
    #[arg(long, value_name = "FILE", conflicts_with = "since_tx")]
    since: Option<PathBuf>,
    /// Copy only what follows a transaction
    #[arg(long, value_name = "N", conflicts_with = "all")]
    since_tx: Option<u64>,
}

pub(crate) async fn run(
    client: &mut Client,
    output: &mut Output,
    args: &BackupArgs,
) -> Result<Ending, Error> {
    let failed = |cause| Error::file(args.file.display().to_string(), cause);
    if args.file.try_exists().map_err(failed)? {
        return Err(Error::usage(format!("{}: there is a file already", args.file.display())));
    }
    let bases = bases(client, args)?;
    let namespace = if args.all { String::new() } else { client.namespace.clone() };
    let reply = client.admin.backup(BackupRequest { namespace, bases }).await;
    let stream = client.answer(reply)?;
    let mut draft = args.file.clone().into_os_string();
    draft.push(DRAFT_ENDING);
    let draft = PathBuf::from(draft);
    let written = write(client, stream, &draft).await;
    let backup = match written {
        Ok(backup) => backup,
        Err(error) => {
            // What is left of it is no backup.
            let _ = fs::remove_file(&draft);
            return Err(error);
        }
    };
    fs::rename(&draft, &args.file).map_err(failed)?;
    tell(output, args, &backup)?;
    Ok(Ending::Done)
}

/// Where the earlier backup ends, in each namespace that is to be copied.
fn bases(client: &Client, args: &BackupArgs) -> Result<Vec<BackupBase>, Error> {
    if let Some(since_tx) = args.since_tx {
        let namespace = client.namespace.clone();
        return Ok(vec![BackupBase { namespace, since_tx, head: Vec::new() }]);
    }
    let Some(path) = &args.since else { return Ok(Vec::new()) };
    let earlier = BackupFile::open(path).map_err(|fault| refused(&fault))?;
    let mut bases = Vec::new();
    for namespace in &earlier.manifest().namespaces {
        if args.all || namespace.name == client.namespace {
            let head = bytes(&namespace.head)
                .ok_or_else(|| Error::usage(format!("{}: a hash is none", path.display())))?;
            let (namespace, since_tx) = (namespace.name.clone(), namespace.last_tx);
            bases.push(BackupBase { namespace, since_tx, head });
        }
    }
    if bases.is_empty() && !args.all {
        let (path, namespace) = (path.display(), &client.namespace);
        return Err(Error::usage(format!("{path}: there is nothing of {namespace} in it")));
    }
    Ok(bases)
}

async fn write(
    client: &Client,
    mut stream: Streaming<BackupResponse>,
    draft: &Path,
) -> Result<BackupFile, Error> {
    let failed = |cause| Error::file(draft.display().to_string(), cause);
    let mut file = File::create(draft).map_err(failed)?;
    loop {
        match stream.message().await {
            Ok(None) => break,
            Ok(Some(BackupResponse { data })) => file.write_all(&data).map_err(failed)?,
            Err(status) => return client.answer(Err(status)),
        }
    }
    file.sync_all().map_err(failed)?;
    BackupFile::open(draft).map_err(|fault| refused(&fault))
}

fn tell(output: &mut Output, args: &BackupArgs, backup: &BackupFile) -> Result<(), Error> {
    for namespace in &backup.manifest().namespaces {
        let (since, last) = (namespace.since_tx, namespace.last_tx);
        if output.is_json() {
            output.json_line(&json!({
                "file": args.file.display().to_string(),
                "namespace": namespace.name,
                "sinceTx": since,
                "lastTx": last,
                "transactions": namespace.transactions,
                "receipts": namespace.receipts,
                "vectors": namespace.vectors,
            }))?;
        } else {
            let (name, count) = (&namespace.name, namespace.transactions);
            output.text(&format!("{name}: {count} transactions, {since} to {last}"))?;
        }
    }
    Ok(())
}

pub(super) fn refused(fault: &Fault) -> Error {
    Error::usage(format!("{fault} [{}]", fault.reason()))
}

/// From hexadecimal.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text
        .chars()
        .map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect::<Option<_>>()?;
    Some(digits.chunks(2).map(|pair| pair.iter().fold(0, |sum, digit| sum * 16 + digit)).collect())
}
