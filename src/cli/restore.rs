//! `restore` and `rekey`: verbs over a data directory that no server has open.

use std::path::PathBuf;
use std::process::ExitCode;

use chrono::DateTime;
use clap::Args;
use serde_json::json;

use crate::server::{self, OpenError, Restore, RestoreError, Restored, Until};
use crate::types::{Timestamp, TxId};

use super::args::Connection;
use super::encryption::{EncryptionArgs, EncryptionArgsError, read_key};

/// What `tenure restore` takes.
#[derive(Clone, Debug, Args)]
pub struct RestoreArgs {
    /// A full backup, then those that follow it, in order
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The data directory to make; it must not exist, or be empty
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Restore nothing after this transaction; for backups of one namespace
    #[arg(long, value_name = "N", conflicts_with = "to_time")]
    to_tx: Option<u64>,
    /// Restore nothing that was committed after this instant, such as 2026-03-05T10:00:00Z
    #[arg(long, value_name = "TIME", value_parser = instant)]
    to_time: Option<Timestamp>,
    /// A later, full backup: what was erased by the time it was taken is erased from what is restored
    #[arg(long, value_name = "FILE")]
    forget: Option<PathBuf>,
    #[command(flatten)]
    encryption: EncryptionArgs,
}

/// What `tenure rekey` takes.
#[derive(Clone, Debug, Args)]
pub struct RekeyArgs {
    /// The data directory, which no server has open
    #[arg(long, value_name = "DIR", env = "TENURE_DATA")]
    data: PathBuf,
    #[command(flatten)]
    encryption: EncryptionArgs,
    /// File with the key that opens the directory from now on
    #[arg(long, value_name = "FILE")]
    new_key_file: PathBuf,
}

/// Why it was not done.
#[derive(Debug, thiserror::Error)]
enum OfflineError {
    #[error(transparent)]
    Key(#[from] EncryptionArgsError),
    #[error("the directory opens with a key, and none was given")]
    KeyMissing,
    #[error(transparent)]
    Restore(#[from] RestoreError),
    #[error(transparent)]
    Open(#[from] OpenError),
}

impl OfflineError {
    /// What was given is wrong, or it could not be done.
    fn exit_code(&self) -> u8 {
        match self {
            OfflineError::Key(_)
            | OfflineError::KeyMissing
            | OfflineError::Restore(RestoreError::Refused(_)) => 2,
            OfflineError::Restore(_) | OfflineError::Open(_) => 1,
        }
    }
}

/// Makes a data directory from backups, and says what is in it.
#[must_use]
pub fn restore(connection: &Connection, args: &RestoreArgs) -> ExitCode {
    ended(restored(args).map(|restored| {
        for Restored { name, last_tx, erasures } in restored {
            let last_tx = last_tx.raw();
            if connection.json {
                println!("{}", json!({"namespace": name, "lastTx": last_tx, "erasures": erasures}));
            } else if erasures > 0 {
                println!(
                    "{name}: restored up to transaction {last_tx}, {erasures} erasures made again"
                );
            } else {
                println!("{name}: restored up to transaction {last_tx}");
            }
        }
    }))
}

/// Changes the key of a data directory.
#[must_use]
pub fn rekey(args: &RekeyArgs) -> ExitCode {
    ended(rekeyed(args).map(|()| println!("the directory opens with the new key from now on")))
}

fn restored(args: &RestoreArgs) -> Result<Vec<Restored>, OfflineError> {
    let until = match (args.to_tx, args.to_time) {
        (Some(tx), _) => Until::Tx(TxId::new(tx)),
        (None, Some(time)) => Until::Time(time),
        (None, None) => Until::End,
    };
    let (files, directory) = (args.files.clone(), args.data.clone());
    let (key, forget) = (args.encryption.key()?, args.forget.clone());
    Ok(server::restore(&Restore { files, directory, key, until, forget })?)
}

fn rekeyed(args: &RekeyArgs) -> Result<(), OfflineError> {
    let from = args.encryption.key()?.ok_or(OfflineError::KeyMissing)?;
    let to = read_key(&args.new_key_file)?;
    Ok(server::change_key(&args.data, &from, &to)?)
}

fn ended(done: Result<(), OfflineError>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprint!("error: {error}");
            let mut cause = std::error::Error::source(&error);
            while let Some(found) = cause {
                eprint!(": {found}");
                cause = found.source();
            }
            eprintln!();
            ExitCode::from(error.exit_code())
        }
    }
}

fn instant(text: &str) -> Result<Timestamp, String> {
    let read = DateTime::parse_from_rfc3339(text);
    let read = read.map_err(|error| format!("{error}; write it as 2026-03-05T10:00:00Z"))?;
    Ok(Timestamp::from_micros(read.timestamp_micros()))
}
