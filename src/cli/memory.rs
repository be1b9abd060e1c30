//! An agent's memory from a terminal: what the gate keeps, core memory, contexts.

use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value, json};

use crate::rpc::proto::{
    BuildContextRequest, ContextFormat, ContextLanguage, CoreAppend, CoreBlock, CoreReplace,
    CoreSet, GetCoreMemoryRequest, Memory, Promotion, RememberRequest, SessionKey,
    UpdateCoreMemoryRequest, update_core_memory_request::Edit,
};

use super::{
    connect::Client,
    error::Error,
    ops,
    output::{Output, Row},
    point::AsOfArgs,
    row,
    run::Ending,
    scope::ScopeArgs,
    time_text::{self, Side},
};

#[derive(Debug, Args)]
pub struct RememberArgs {
    /// What to remember
    text: String,
    /// Who says it; what a tool says is unverified
    #[arg(long, value_name = "ROLE", default_value = "user")]
    role: String,
    /// note, procedure, failure or passage [default: what the rules see in it]
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// Name of a procedure; a new version takes the place of the one before
    #[arg(long, value_name = "NAME")]
    title: Option<String>,
    /// When it was said [default: now]
    #[arg(long, value_name = "DATE", allow_hyphen_values = true)]
    time: Option<String>,
    /// Say what would become of it, and write nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    scope: ScopeArgs,
}

#[derive(Debug, Args)]
pub struct ContextArgs {
    /// What the context is for [default: the newest turn of the user]
    query: Option<String>,
    /// The session that is going on
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
    /// Language of the headings [default: that of the query]
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<LanguageWord>,
    /// Write plain text instead of Markdown
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    at: AsOfArgs,
    #[command(flatten)]
    scope: ScopeArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LanguageWord {
    En,
    Ko,
}

#[derive(Debug, Subcommand)]
pub enum CoreVerb {
    /// Show the blocks
    Show(CoreShowArgs),
    /// Add a line to a block
    Append(CoreTextArgs),
    /// Put one piece of text in the place of another
    Replace(CoreReplaceArgs),
    /// Write a block anew; an empty text takes it away
    Set(CoreTextArgs),
}

#[derive(Debug, Args)]
pub struct CoreShowArgs {
    #[command(flatten)]
    at: AsOfArgs,
    #[command(flatten)]
    scope: ScopeArgs,
}

#[derive(Debug, Args)]
pub struct CoreTextArgs {
    /// The block, such as persona or human
    label: String,
    text: String,
    /// The version that was read; refused where another stands
    #[arg(long, value_name = "ID")]
    expect: Option<String>,
    #[command(flatten)]
    scope: ScopeArgs,
}

#[derive(Debug, Args)]
pub struct CoreReplaceArgs {
    /// The block, such as persona or human
    label: String,
    /// What stands there once
    old: String,
    new: String,
    /// The version that was read; refused where another stands
    #[arg(long, value_name = "ID")]
    expect: Option<String>,
    #[command(flatten)]
    scope: ScopeArgs,
}

pub(crate) async fn remember(
    client: &mut Client,
    output: &mut Output,
    args: &RememberArgs,
) -> Result<Ending, Error> {
    let kind = match &args.kind {
        None => 0,
        Some(word) => ops::episode_kind(word).map_err(Error::Usage)?.into(),
    };
    let time = args.time.as_ref().map(|text| time_text::bound(text, Side::Start, ""));
    let item = Memory {
        text: args.text.clone(),
        role: args.role.clone(),
        kind,
        title: args.title.clone().unwrap_or_default(),
        time: time.transpose().map_err(Error::Usage)?,
        ..Default::default()
    };
    let request = RememberRequest {
        namespace: client.namespace.clone(),
        items: vec![item],
        scope: args.scope.scope(),
        dry_run: args.dry_run,
        ..Default::default()
    };
    let reply = client.memory.remember(request).await;
    let answer = client.answer(reply)?;
    output.list(&answer.promotions)?;
    output.note(unread(&answer.extract_skipped))?;
    output.note((answer.tx > 0).then(|| format!("transaction {}", answer.tx)))?;
    Ok(Ending::Done)
}

/// That a chat model was not asked or not believed, and why.
pub(super) fn unread(skipped: &str) -> Option<String> {
    (!skipped.is_empty())
        .then(|| format!("read by the rules alone, not by the chat model: {skipped}"))
}

pub(crate) async fn context(
    client: &mut Client,
    output: &mut Output,
    args: &ContextArgs,
) -> Result<Ending, Error> {
    let scope = args.scope.scope();
    let key = args.session.clone().map(|session| SessionKey { session, scope: scope.clone() });
    let language = match args.language {
        None => ContextLanguage::Unspecified,
        Some(LanguageWord::En) => ContextLanguage::English,
        Some(LanguageWord::Ko) => ContextLanguage::Korean,
    };
    let format = if args.plain { ContextFormat::Text } else { ContextFormat::Markdown };
    let request = BuildContextRequest {
        namespace: client.namespace.clone(),
        scope: scope.filter(|_| key.is_none()),
        key,
        query: args.query.clone().unwrap_or_default(),
        language: language.into(),
        format: format.into(),
        as_of: Some(args.at.to_proto()?),
        ..Default::default()
    };
    let reply = client.memory.build_context(request).await;
    let answer = client.answer(reply)?;
    let sections = answer.sections.iter().map(|section| {
        let item = |item: &crate::rpc::proto::ContextItem| {
            json!({
                "text": item.text, "tokens": item.tokens, "fact_id": item.fact_id,
                "episode_id": item.episode_id, "trust": ops::trust_word(item.trust()),
                "last_confirmed": time_text::optional(item.last_confirmed_time.as_ref()),
            })
        };
        json!({
            "kind": row::short_name(section.kind().as_str_name(), "CONTEXT_SECTION_KIND_")
                .to_ascii_lowercase(),
            "tokens": section.tokens, "left_out": section.left_out,
            "items": section.items.iter().map(item).collect::<Vec<_>>(),
        })
    });
    let json = json!({
        "text": answer.text, "tokens": answer.tokens, "abstained": answer.abstained,
        "sections": sections.collect::<Vec<_>>(),
    });
    let nothing = "(nothing that is known bears on it)";
    let text = if answer.text.is_empty() { nothing } else { answer.text.trim_end() };
    output.say(&json, text)?;
    output.basis(answer.basis.as_ref())?;
    Ok(Ending::Done)
}

pub(crate) async fn core(
    client: &mut Client,
    output: &mut Output,
    verb: CoreVerb,
) -> Result<Ending, Error> {
    let (scope, label, edit, expect) = match verb {
        CoreVerb::Show(CoreShowArgs { at, scope }) => {
            let (namespace, as_of) = (client.namespace.clone(), Some(at.to_proto()?));
            let scope = scope.scope();
            let request = GetCoreMemoryRequest { namespace, scope, as_of, ..Default::default() };
            let reply = client.memory.get_core_memory(request).await;
            let answer = client.answer(reply)?;
            output.list(&answer.blocks)?;
            output.basis(answer.basis.as_ref())?;
            return Ok(Ending::Done);
        }
        CoreVerb::Append(CoreTextArgs { label, text, expect, scope }) => {
            (scope, label, Edit::Append(CoreAppend { text }), expect)
        }
        CoreVerb::Set(CoreTextArgs { label, text, expect, scope }) => {
            (scope, label, Edit::Set(CoreSet { text }), expect)
        }
        CoreVerb::Replace(CoreReplaceArgs { label, old, new, expect, scope }) => {
            (scope, label, Edit::Replace(CoreReplace { old, new }), expect)
        }
    };
    let request = UpdateCoreMemoryRequest {
        namespace: client.namespace.clone(),
        scope: scope.scope(),
        label,
        edit: Some(edit),
        expected_version: expect.unwrap_or_default(),
    };
    let reply = client.memory.update_core_memory(request).await;
    let answer = client.answer(reply)?;
    match &answer.block {
        Some(block) => output.list(std::slice::from_ref(block))?,
        None => output.say(&json!({ "tx": answer.tx }), "taken away")?,
    }
    Ok(Ending::Done)
}

impl Row for Promotion {
    fn columns() -> Vec<&'static str> {
        vec!["verdict", "text", "why", "kept as"]
    }

    fn cells(&self) -> Vec<String> {
        let why =
            if self.reason.is_empty() { self.signals.join(", ") } else { self.reason.clone() };
        let kept = match (&*self.episode_id, &*self.existing_id) {
            ("", "") => self.fact_ids.join(", "),
            ("", existing) => existing.to_owned(),
            (episode, _) => episode.to_owned(),
        };
        vec![verdict(self), self.text.clone(), why, kept]
    }

    fn json(&self) -> Value {
        json!({
            "verdict": verdict(self), "text": self.text, "reason": self.reason,
            "signals": self.signals, "fact_ids": self.fact_ids, "episode_id": self.episode_id,
            "existing_id": self.existing_id, "cosine": self.cosine, "turn_id": self.turn_id,
        })
    }
}

fn verdict(promotion: &Promotion) -> String {
    row::short_name(promotion.verdict().as_str_name(), "GATE_VERDICT_").to_ascii_lowercase()
}

impl Row for CoreBlock {
    fn columns() -> Vec<&'static str> {
        vec!["label", "text", "version", "tokens"]
    }

    fn cells(&self) -> Vec<String> {
        let (label, text) = (self.label.clone(), self.text.clone());
        vec![label, text, self.version.clone(), self.tokens.to_string()]
    }

    fn json(&self) -> Value {
        let changed = time_text::optional(self.tx_time.as_ref());
        json!({
            "label": self.label, "text": self.text, "version": self.version,
            "tokens": self.tokens, "tx_time": changed,
        })
    }
}
