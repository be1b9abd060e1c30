//! The file of the reference memory server.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde_json::json;

use super::super::{connect::Client, error::Error, mcp::memory, output::Output, run::Ending};
use super::args::ImportArgs;

pub(super) async fn run(
    client: &Client,
    output: &mut Output,
    args: &ImportArgs,
) -> Result<Ending, Error> {
    let lines = lines(&args.file)?;
    let imported = crate::mcp::import(memory(client), lines.into_iter()).await;
    let imported = client.answer(imported.map(tonic::Response::new))?;
    for (line, reason) in &imported.left_out {
        eprintln!("line {line}: {reason}");
    }
    let (entities, relations) = (imported.entities, imported.relations);
    let rejected = imported.left_out.len();
    output.say(
        &json!({ "entities": entities, "relations": relations, "rejected": rejected }),
        &format!(
            "{entities} entities and {relations} relations imported, {rejected} lines left out"
        ),
    )?;
    Ok(if rejected > 0 { Ending::Partly } else { Ending::Done })
}

fn lines(file: &Path) -> Result<Vec<String>, Error> {
    let fault = |cause| Error::file(file.display().to_string(), cause);
    let reader = BufReader::new(File::open(file).map_err(fault)?);
    reader.lines().collect::<Result<_, _>>().map_err(fault)
}
