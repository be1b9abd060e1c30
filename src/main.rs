//! The `tenure` binary: the words of the command line to the part that does the work.

use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;
use tenure::cli::{Cli, Command, Demo, Serve};
use tenure::server::{self, Config};

#[tokio::main]
async fn main() -> ExitCode {
    let Cli { connection, command } = Cli::parse();
    let ended = match command {
        Command::Client(verb) => return tenure::cli::run(&connection, verb).await,
        Command::Restore(args) => return tenure::cli::restore(&connection, &args),
        Command::Rekey(args) => return tenure::cli::rekey(&args),
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

async fn serve(args: Serve) -> anyhow::Result<()> {
    server::init_telemetry(false);
    let listen = args.listen.parse().context("--listen takes an address and a port")?;
    let models = args.models.config()?;
    let (embedder, reranker, chat) = models;
    let allow_hosts = args.allow_host;
    let options = args.access.options()?;
    let key = args.encryption.key()?;
    let base = Config::new(args.data, listen);
    let config = Config { embedder, reranker, chat, allow_hosts, options, key, ..base };
    server::serve(config, server::interrupted()).await?;
    Ok(())
}

async fn demo(args: Demo) -> anyhow::Result<()> {
    let Demo { data, listen } = args;
    let listen = listen.parse().context("--listen takes an address and a port")?;
    println!("Tenure keeps both clocks: when a fact was true, and when it was known.");
    println!("The facts live in {} and are served on {listen}.", data.display());
    let running = server::launch(Config::new(data, listen)).await?;
    tenure::cli::tour(&format!("http://{}", running.address())).await?;
    println!("\nThe server goes on. Ask it from another terminal; Ctrl-C ends it.");
    server::interrupted().await;
    Ok(running.stop().await?)
}
