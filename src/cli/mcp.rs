//! `mcp`: the memory as tools for an agent, on standard input and output.

use axum::http::HeaderValue;
use clap::{Args, ValueEnum};

use crate::mcp::{Memory, Profile, Wire, stdio};

use super::{connect::Client, error::Error, run::Ending};

#[derive(Debug, Args)]
pub struct McpArgs {
    /// Which tools to offer
    #[arg(long, value_enum, default_value_t)]
    profile: ProfileWord,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum ProfileWord {
    /// Those of this memory
    #[default]
    Tenure,
    /// The nine of the reference memory server
    Memory,
}

pub(crate) async fn run(client: &Client, args: &McpArgs) -> Result<Ending, Error> {
    let profile = match args.profile {
        ProfileWord::Tenure => Profile::Tenure,
        ProfileWord::Memory => Profile::Graph,
    };
    stdio(memory(client), profile).await.map_err(|error| Error::usage(error.to_string()))?;
    Ok(Ending::Done)
}

/// The namespace of the command line.
pub(crate) fn memory(client: &Client) -> Memory {
    let key = client.key.as_ref().map(|key| {
        let mut header = HeaderValue::from_bytes(key.header().as_bytes());
        if let Ok(header) = &mut header {
            header.set_sensitive(true);
        }
        header.expect("it is a header already")
    });
    Memory::new(&Wire::Remote(client.channel.clone(), key), &client.namespace)
}
