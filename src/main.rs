//! The `tenure` binary: the words of the command line to the part that does the work.

use std::process::ExitCode;

use anyhow::bail;
use clap::Parser;
use tenure::cli::{Cli, Command, Demo, Serve};

#[tokio::main]
async fn main() -> ExitCode {
    let Cli { connection, command } = Cli::parse();
    let ended = match command {
        Command::Client(verb) => return tenure::cli::run(&connection, verb).await,
        Command::Serve(args) => serve(args).await,
        Command::Demo(args) => demo(args).await,
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[allow(clippy::unused_async)]
async fn serve(args: Serve) -> anyhow::Result<()> {
    bail!("serving {} on {} is not wired yet", args.data.display(), args.listen)
}

#[allow(clippy::unused_async)]
async fn demo(args: Demo) -> anyhow::Result<()> {
    bail!("the demo on {} is not wired yet", args.listen)
}
