//! The words of the command line. What a verb takes is declared beside the verb.

use std::convert::Infallible;
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand};

use crate::types::limits::{SWEEP_HOURS_DEFAULT, SWEEP_HOURS_MAX};

use super::{
    access::AccessArgs,
    audit_log::AuditLogArgs,
    backup::BackupArgs,
    conflicts::ConflictsArgs,
    declare::DeclareArgs,
    diff::DiffArgs,
    encryption::EncryptionArgs,
    episode::EpisodeVerb,
    erase::EraseVerb,
    eval::EvalArgs,
    explain::ExplainArgs,
    export::ExportArgs,
    facts::FactsArgs,
    graph::TraverseArgs,
    import::ImportArgs,
    key::KeyVerb,
    log::LogArgs,
    mcp::McpArgs,
    memory::{ContextArgs, CoreVerb, RememberArgs},
    models::ModelArgs,
    names::{EntitiesArgs, EntityArgs, PredicatesArgs},
    namespace::NamespaceVerb,
    path::PathsArgs,
    policy::PolicyVerb,
    recall::RecallArgs,
    reflect::{ReflectArgs, RetractDerivedArgs},
    restore::{RekeyArgs, RestoreArgs},
    session::SessionVerb,
    state::{AssertArgs, EndArgs, RetractArgs},
    sweep::SweepArgs,
    timeline::{AuditArgs, BeliefsArgs, TimelineArgs},
    transact::TransactArgs,
    usage::BudgetVerb,
    watch::WatchArgs,
};

/// Where `tenure serve` listens unless it is told otherwise.
pub(crate) const DEFAULT_SERVER: &str = "http://127.0.0.1:50051";

const AFTER_HELP: &str = "\
Dates are taken as people write them: 2021, 2021-03, 2021-03-05, 2021-03-05T10:00+09:00.
A point of transaction time is a date or a transaction number such as tx:17.

Exit codes:
  0  it worked
  1  the server refused the request, or could not start
  2  the command or an input file is wrong
  3  the server cannot be reached
  4  some rows of an import were rejected, or verify found differences";

/// A memory of facts that keeps both clocks: when a fact was true, and when it was known.
#[derive(Debug, Parser)]
#[command(name = "tenure", version, after_help = AFTER_HELP, max_term_width = 100)]
pub struct Cli {
    #[command(flatten)]
    pub connection: Connection,
    #[command(subcommand)]
    pub command: Command,
}

/// A word of the command line that is shown nowhere.
#[derive(Clone)]
pub struct Secret(pub(crate) String);

impl FromStr for Secret {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Secret, Infallible> {
        Ok(Secret(text.to_owned()))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// Where the server is and how to answer.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Options of every command")]
pub struct Connection {
    /// Where the server listens
    #[arg(
        long,
        global = true,
        value_name = "URL",
        default_value = DEFAULT_SERVER,
        env = "TENURE_SERVER"
    )]
    pub server: String,
    /// Which namespace to read or change
    #[arg(
        long,
        global = true,
        value_name = "NAME",
        default_value = "default",
        env = "TENURE_NAMESPACE"
    )]
    pub namespace: String,
    /// An API key or a token to send along; better in the environment, where others do not see it
    #[arg(long, global = true, value_name = "KEY", env = "TENURE_API_KEY", hide_env_values = true)]
    pub api_key: Option<Secret>,
    /// File that holds it
    #[arg(long, global = true, value_name = "FILE", env = "TENURE_API_KEY_FILE")]
    pub api_key_file: Option<PathBuf>,
    /// Who signed the certificate of the server, in PEM [default: whom this machine trusts]
    #[arg(long, global = true, value_name = "FILE", env = "TENURE_TLS_CA")]
    pub tls_ca: Option<PathBuf>,
    /// Certificate to show to the server, in PEM
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        env = "TENURE_TLS_CLIENT_CERT",
        requires = "tls_client_key"
    )]
    pub tls_client_cert: Option<PathBuf>,
    /// Its private key, in PEM
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        env = "TENURE_TLS_CLIENT_KEY",
        requires = "tls_client_cert"
    )]
    pub tls_client_key: Option<PathBuf>,
    /// Print one JSON object a line, and nothing else, on standard output
    #[arg(long, global = true)]
    pub json: bool,
    /// With --json, say on standard error at which point of both times the answer was given
    #[arg(long, global = true)]
    pub verbose: bool,
}

#[allow(clippy::large_enum_variant)] // There is one of it.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the server
    Serve(Serve),
    /// Print what `serve` would run with, and where each value comes from
    Config(Serve),
    /// Run a server with example facts in it
    Demo(Demo),
    /// Make a data directory from backups
    Restore(RestoreArgs),
    /// Change the key that opens an encrypted data directory
    Rekey(RekeyArgs),
    #[command(flatten)]
    Client(Verb),
}

/// What `tenure serve` takes.
#[derive(Clone, Debug, Args)]
pub struct Serve {
    /// Directory that holds the memory; it is made when it is not there
    #[arg(long, value_name = "DIR", env = "TENURE_DATA")]
    pub data: PathBuf,
    /// Address to listen on
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:50051")]
    pub listen: String,
    /// A name under which JSON, gRPC-Web and MCP may be called, beside addresses and localhost; *
    /// allows every name
    #[arg(long, value_name = "NAME", env = "TENURE_ALLOW_HOST", value_delimiter = ',')]
    pub allow_host: Vec<String>,
    /// TOML file with these options [default: tenure.toml, where there is one]
    #[arg(long, value_name = "FILE", env = "TENURE_CONFIG")]
    pub config: Option<PathBuf>,
    /// One more address, which answers /metrics, /healthz and /readyz to everybody who reaches it
    #[arg(long, value_name = "ADDR")]
    pub metrics_listen: Option<SocketAddr>,
    /// Milliseconds after which a request is told in the log
    #[arg(long, value_name = "N", default_value_t = 250)]
    pub slow_millis: u64,
    /// Collector that every call is told to as a trace, over OTLP with gRPC [default: none]
    #[arg(long, value_name = "URL")]
    pub otlp_endpoint: Option<String>,
    #[command(flatten)]
    pub log: LogArgs,
    #[command(flatten)]
    pub access: AccessArgs,
    #[command(flatten)]
    pub models: ModelArgs,
    #[command(flatten)]
    pub encryption: EncryptionArgs,
    /// Hours between two sweeps of all namespaces; 0 sweeps only when asked
    #[arg(
        long,
        value_name = "N",
        default_value_t = SWEEP_HOURS_DEFAULT,
        value_parser = clap::value_parser!(u64).range(..=SWEEP_HOURS_MAX)
    )]
    pub sweep_hours: u64,
}

/// What `tenure demo` takes.
#[derive(Clone, Debug, Args)]
pub struct Demo {
    /// Directory that holds the memory; it is made when it is not there
    #[arg(long, value_name = "DIR", default_value = "tenure-demo")]
    pub data: PathBuf,
    /// Address to listen on
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:50051")]
    pub listen: String,
}

/// What talks to a running server.
#[allow(clippy::large_enum_variant)] // There is one of it.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Make, list or remove namespaces; nothing else ever makes or removes one
    #[command(subcommand)]
    Namespace(NamespaceVerb),
    /// Make, list, rotate or revoke API keys
    #[command(subcommand)]
    Key(KeyVerb),
    /// Show what calls of models have cost the namespace, by purpose, month and day
    Usage,
    /// Bound what the namespace spends on calls of models
    #[command(subcommand)]
    Budget(BudgetVerb),
    /// Show what was denied, and who changed keys, quotas and namespaces
    AuditLog(AuditLogArgs),
    /// Send requests from a file, one JSON object a line, each its own transaction
    Transact(TransactArgs),
    /// Declare how many objects a predicate holds at one instant
    Declare(DeclareArgs),
    /// State that a fact holds
    Assert(AssertArgs),
    /// State that a fact holds no longer
    End(EndArgs),
    /// State that a fact was never true, or not in a range
    Retract(RetractArgs),
    /// Bring in facts from CSV, TSV or JSON lines, or what `export` wrote
    Import(ImportArgs),
    /// Write every transaction as a JSON line, such that `import` rebuilds the namespace
    Export(ExportArgs),
    /// Copy what cannot be made again into a file, while the server works
    Backup(BackupArgs),
    /// List the facts that hold at a point, or that overlap a range
    Facts(FactsArgs),
    /// Show what held over valid time
    Timeline(TimelineArgs),
    /// Show what was believed over transaction time about one point of valid time
    Beliefs(BeliefsArgs),
    /// Show everything ever believed of a subject and predicate
    Audit(AuditArgs),
    /// Compare two points of both times
    Diff(DiffArgs),
    /// Walk from an entity along facts that hold
    Traverse(TraverseArgs),
    /// Find ways from one entity to another
    Paths(PathsArgs),
    /// Find the facts and texts that answer a question best
    Recall(RecallArgs),
    /// Keep, show and list raw texts
    #[command(subcommand)]
    Episode(EpisodeVerb),
    /// Show or set how a namespace treats what it remembers
    #[command(subcommand)]
    Policy(PolicyVerb),
    /// Archive what has faded, and make long texts short that nobody reads
    Sweep(SweepArgs),
    /// Append to a conversation, and show it as an agent reads it
    #[command(subcommand)]
    Session(SessionVerb),
    /// Pass a text through the gate to long-term memory
    Remember(RememberArgs),
    /// Show and edit the blocks that an agent always reads
    #[command(subcommand)]
    Core(CoreVerb),
    /// Write what an agent should have before it when it answers
    Context(ContextArgs),
    /// Measure what an agent remembers, in a memory that is made for it and thrown away
    Eval(EvalArgs),
    /// Have the chat model of the server draw conclusions from what was observed
    Reflect(ReflectArgs),
    /// Take back what was drawn from something that is gone
    RetractDerived(RetractDerivedArgs),
    /// Embed everything anew with the server's embedder
    Reembed,
    /// Show why a fact is believed
    Explain(ExplainArgs),
    /// List statements that stand against each other
    Conflicts(ConflictsArgs),
    /// Show an entity and the facts that hold of it
    Entity(EntityArgs),
    /// List entities
    Entities(EntitiesArgs),
    /// List predicates
    Predicates(PredicatesArgs),
    /// Follow transactions as they are committed
    Watch(WatchArgs),
    /// Offer the memory to an agent as MCP tools, on standard input and output
    Mcp(McpArgs),
    /// Ask whether the server serves
    Health,
    /// Count what a namespace holds
    Stats,
    /// Erase what was recorded, as if it had never been said; show and list receipts of that
    #[command(subcommand)]
    Erase(EraseVerb),
    /// Fold the log again and compare it with everything that was derived from it
    Verify,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_words_fit_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn lines_of_the_contract_are_understood() {
        for line in [
            "--server http://h:1 --namespace lab --json facts --subject a --predicate p --object o --as-of 2021 --known-at tx:3 --limit 5",
            "facts --overlap -inf 2021-03 --json --namespace lab",
            "facts --as-of -0044-03-15 --value -2.5",
            "namespace create lab --zone Asia/Seoul",
            "namespace delete lab",
            "transact -",
            "timeline a p --known-at 2021",
            "beliefs a p --at 2021 --edge end",
            "audit a p",
            "diff --from 2020,tx:3 --to ,tx:9 --plain",
            "traverse a --hops 3 --direction both --predicate p --predicate q",
            "paths a b --hops 4 --within 2020 inf",
            "paths a --any-time --shortest",
            "recall who-to-ask --as-of 2021 --known-at tx:3 --limit 5 --explain --leg text --kind fact",
            "recall --seed a --overlap 2020 inf --history",
            "episode add - --speaker a --from 2021 --kind note",
            "episode list --session s --limit 0",
            "reembed",
            "erase owner red --dry-run",
            "erase fact e1-p2-e3 --no-purge --request-id r",
            "erase everything --namespace lab",
            "erase list --limit 0",
            "explain f1",
            "explain a p o",
            "explain a p --value 10",
            "conflicts",
            "import people.csv.gz --map start=valid_from --one works_at --batch 10",
            "assert a p o --from -inf --through 2021",
            "assert a p --value 10",
            "end a p o --at 2021",
            "retract a p o --block",
            "export",
            "backup monday.tenure --all --since sunday.tenure",
            "backup b --since-tx 5",
            "restore a b --data d --to-tx 5 --encryption-key-file k",
            "restore a --data d --to-time 2026-03-05T10:00:00Z",
            "rekey --data d --encryption-key-file k --new-key-file l",
            "watch --from-tx 1",
            "mcp --namespace lab --profile memory",
            "import memory.jsonl --format memory-jsonl",
            "serve --data d --listen 127.0.0.1:0",
            "serve --data d --jwks f --jwt-issuer i --jwt-audience a --require-auth",
            "serve --data d --tls-cert c --tls-key k --tls-client-ca a --admin-key-file f",
            "key create --name ci --role writer --for lab --owner ann --label hr --days 30",
            "key create --name root --role admin --data d",
            "key rotate 00000000000000ab --grace 60 --api-key k --tls-ca f",
            "namespace quota lab --facts 10 --reset",
            "usage --namespace lab --json",
            "budget set summarise --day 100000 --month 1000000",
            "serve --data d --chat-url http://h:1 --chat-model m --chat-key-file f",
            "demo",
            "eval history.jsonl --check",
            "eval --seed 7 --language ko --sessions 4 --json",
            "eval --print --language en",
        ] {
            let words = std::iter::once("tenure").chain(line.split_whitespace());
            assert!(Cli::try_parse_from(words).is_ok(), "{line}");
        }
    }

    #[test]
    fn lines_that_do_not_fit_are_refused() {
        for line in [
            "facts --overlap 2020 2021 --as-of 2020",
            "assert a p",
            "assert a p o --value 1",
            "wish",
            "restore --data d",
            "restore a --data d --to-time yesterday",
            "backup b --since-tx 5 --all",
            "serve --data d --jwks f",
            "serve --data d --tls-cert c",
            "key create --name x",
            "budget set everything --day 1",
            "eval history.jsonl --seed 7",
            "eval --sessions 0",
            "eval --print --check",
        ] {
            let words = std::iter::once("tenure").chain(line.split_whitespace());
            assert!(Cli::try_parse_from(words).is_err(), "{line}");
        }
    }

    #[test]
    fn what_operators_type_is_understood() {
        let parses = |line: &str| {
            Cli::try_parse_from(std::iter::once("tenure").chain(line.split_whitespace())).is_ok()
        };
        for line in [
            "health --server http://h:1",
            "audit-log --limit 5",
            "config --data d --log-format json --log warn --slow-millis 5",
            "serve --data d --metrics-listen 127.0.0.1:9 --config f --otlp-endpoint http://h:4317",
        ] {
            assert!(parses(line), "{line}");
        }
        assert!(!parses("serve --data d --log-format xml"));
    }
}
