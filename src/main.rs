//! The `tenure` binary: the words of the command line to the part that does the work.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::{CommandFactory, FromArgMatches};
use mimalloc::MiMalloc;
use tenure::cli::{Cli, Command, Demo, Serve, Settings};
use tenure::server::{self, Config, Options};

/// Imports with it are 13 to 29 per cent faster than with the system's, and keep less memory.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

#[tokio::main]
async fn main() -> ExitCode {
    let environment = |name: &str| std::env::var_os(name);
    let settings = match Settings::gather(std::env::args_os().collect(), &environment) {
        Ok(settings) => settings,
        Err(error) => {
            eprintln!("error: {:#}", anyhow::Error::from(error));
            return ExitCode::from(2);
        }
    };
    let matches = Cli::command().get_matches_from(&settings.words);
    let Cli { connection, command } =
        Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let ended = match command {
        Command::Client(verb) => return tenure::cli::run(&connection, verb).await,
        Command::Restore(args) => return tenure::cli::restore(&connection, &args),
        Command::Rekey(args) => return tenure::cli::rekey(&args),
        Command::Serve(args) => serve(args).await,
        Command::Config(_) => {
            print!("{}", settings.shown(&matches, &environment));
            Ok(())
        }
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
    server::init_telemetry(&args.log.options())?;
    let listen = args.listen.parse().context("--listen takes an address and a port")?;
    let models = args.models.config()?;
    let (embedder, reranker, chat) = models;
    let allow_hosts = args.allow_host;
    let sweep_every = Some(args.sweep_hours).filter(|hours| *hours > 0);
    let options = Options {
        metrics: args.metrics_listen,
        slow: Duration::from_millis(args.slow_millis),
        otlp: args.otlp_endpoint,
        sweep_every: sweep_every.map(|hours| Duration::from_secs(hours * 3_600)),
        ..args.access.options()?
    };
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
