//! One verb from the words to the exit code.

use std::process::ExitCode;

use super::{
    args::{Connection, Verb},
    audit_log, backup, conflicts,
    connect::Client,
    declare, diff, episode, erase,
    error::Error,
    eval, explain, export, facts, graph, import, inspect, key, mcp, memory, names, namespace,
    output::Output,
    path, policy, recall, reflect, session, state, sweep, timeline, transact, usage, watch,
};

/// How a verb that did its work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Done,
    /// A line of several was refused.
    Refused,
    /// Rows were rejected, or verification found differences.
    Partly,
}

impl Ending {
    fn exit_code(self) -> u8 {
        match self {
            Ending::Done => 0,
            Ending::Refused => 1,
            Ending::Partly => 4,
        }
    }
}

/// Runs a client verb, says what went wrong on standard error, and answers with the exit code.
pub async fn run(connection: &Connection, verb: Verb) -> ExitCode {
    let mut output = Output::new(connection);
    let ended = match dispatch(connection, verb, &mut output).await {
        Ok(ending) => output.flush().map(|()| ending),
        Err(error) => {
            // What was printed before the failure still counts; the first failure is the one told.
            let _ = output.flush();
            Err(error)
        }
    };
    match ended {
        Ok(ending) => ExitCode::from(ending.exit_code()),
        Err(error) => {
            if !error.is_broken_pipe() {
                eprint!("{}", error.report(&connection.namespace));
            }
            ExitCode::from(error.exit_code())
        }
    }
}

async fn dispatch(
    connection: &Connection,
    verb: Verb,
    output: &mut Output,
) -> Result<Ending, Error> {
    let mut client = Client::new(connection)?;
    let client = &mut client;
    match verb {
        Verb::Namespace(verb) => namespace::run(client, output, verb).await,
        Verb::Key(verb) => key::run(client, output, verb).await,
        Verb::Usage => usage::usage(client, output).await.map(|()| Ending::Done),
        Verb::Budget(verb) => usage::budget(client, output, verb).await.map(|()| Ending::Done),
        Verb::AuditLog(args) => audit_log::run(client, output, &args).await,
        Verb::Transact(args) => transact::run(client, output, &args).await,
        Verb::Declare(args) => declare::run(client, output, args).await,
        Verb::Assert(args) => state::assert(client, output, args).await,
        Verb::End(args) => state::end(client, output, args).await,
        Verb::Retract(args) => state::retract(client, output, args).await,
        Verb::Import(args) => import::run(client, output, &args).await,
        Verb::Export(args) => export::run(client, output, &args).await,
        Verb::Backup(args) => backup::run(client, output, &args).await,
        Verb::Facts(args) => facts::run(client, output, &args).await,
        Verb::Timeline(args) => timeline::timeline(client, output, &args).await,
        Verb::Beliefs(args) => timeline::beliefs(client, output, &args).await,
        Verb::Audit(args) => timeline::audit(client, output, &args).await,
        Verb::Diff(args) => diff::run(client, output, &args).await,
        Verb::Traverse(args) => graph::traverse(client, output, &args).await,
        Verb::Paths(args) => path::paths(client, output, &args).await,
        Verb::Recall(args) => recall::run(client, output, &args).await,
        Verb::Episode(verb) => episode::run(client, output, verb).await,
        Verb::Policy(verb) => policy::run(client, output, verb).await,
        Verb::Sweep(args) => sweep::run(client, output, args).await,
        Verb::Session(verb) => session::session(client, output, verb).await,
        Verb::Remember(args) => memory::remember(client, output, &args).await,
        Verb::Core(verb) => memory::core(client, output, verb).await,
        Verb::Context(args) => memory::context(client, output, &args).await,
        Verb::Reflect(args) => reflect::reflect(client, output, &args).await,
        Verb::RetractDerived(args) => reflect::retract_derived(client, output, args).await,
        Verb::Reembed => inspect::reembed(client, output).await,
        Verb::Explain(args) => explain::run(client, output, &args).await,
        Verb::Conflicts(args) => conflicts::run(client, output, &args).await,
        Verb::Entity(args) => names::entity(client, output, &args).await,
        Verb::Entities(args) => names::entities(client, output, &args).await,
        Verb::Predicates(args) => names::predicates(client, output, &args).await,
        Verb::Watch(args) => watch::run(client, output, &args).await,
        Verb::Mcp(args) => mcp::run(client, &args).await,
        Verb::Health => inspect::health(client, output).await,
        Verb::Erase(verb) => erase::run(client, output, verb).await,
        Verb::Stats => inspect::stats(client, output).await,
        Verb::Eval(args) => eval::run(output, &args).await,
        Verb::Verify => inspect::verify(client, output).await,
    }
}
