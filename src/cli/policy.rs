//! `policy`: how a namespace treats what it remembers, shown and set as JSON.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use prost_reflect::{DescriptorPool, DynamicMessage, ReflectMessage as _, SerializeOptions};
use serde_json::{Value, json};

use crate::rpc::proto::{FILE_DESCRIPTOR_SET, GetPolicyRequest, Policy, UpdatePolicyRequest};

use super::{connect::Client, error::Error, output::Output, run::Ending};

#[derive(Debug, Subcommand)]
pub enum PolicyVerb {
    /// Print it with its version, as JSON that `set` takes
    Show,
    /// Put another in its place
    Set {
        /// File with what `show` printed, changed
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

pub(crate) async fn run(
    client: &mut Client,
    output: &mut Output,
    verb: PolicyVerb,
) -> Result<Ending, Error> {
    let namespace = client.namespace.clone();
    match verb {
        PolicyVerb::Show => {
            let reply = client.memory.get_policy(GetPolicyRequest { namespace }).await;
            let answer = client.answer(reply)?;
            let policy = written(&answer.policy.unwrap_or_default());
            let shown = json!({ "version": answer.version, "policy": policy });
            output.say(&shown, &format!("{shown:#}"))?;
        }
        PolicyVerb::Set { file } => {
            let (policy, version) = read(&file)?;
            let policy = Some(policy);
            let reply = client
                .memory
                .update_policy(UpdatePolicyRequest { namespace, policy, version })
                .await;
            let version = client.answer(reply)?.version;
            output.say(
                &json!({ "version": version }),
                &format!("the policy has version {version}"),
            )?;
        }
    }
    Ok(Ending::Done)
}

/// With every number, also those that are nothing.
fn written(policy: &Policy) -> Value {
    let options = SerializeOptions::new().skip_default_fields(false).use_proto_field_name(true);
    let message = message(&prost::Message::encode_to_vec(policy));
    message
        .serialize_with_options(serde_json::value::Serializer, &options)
        .expect("a policy has only finite numbers")
}

fn read(file: &Path) -> Result<(Policy, u64), Error> {
    let path = file.display().to_string();
    let text = std::fs::read_to_string(file).map_err(|cause| Error::file(path.clone(), cause))?;
    let wrong = |what: String| Error::usage(format!("{path}: {what}"));
    let mut json: Value = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    let version = json.get("version").and_then(Value::as_u64);
    let version = version.ok_or_else(|| wrong("the version is missing".to_owned()))?;
    let policy = json.get_mut("policy").map(Value::take).unwrap_or_default();
    let kind = message(&[]).descriptor();
    let policy =
        DynamicMessage::deserialize(kind, policy).map_err(|error| wrong(error.to_string()))?;
    let policy = policy.transcode_to::<Policy>().map_err(|error| wrong(error.to_string()))?;
    Ok((policy, version))
}

fn message(bytes: &[u8]) -> DynamicMessage {
    let pool =
        DescriptorPool::decode(FILE_DESCRIPTOR_SET).expect("a test compiles the descriptors");
    let kind = pool.get_message_by_name("tenure.v1.Policy").expect("it is in the protos");
    DynamicMessage::decode(kind, bytes).expect("a policy is a message of its kind")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rpc::proto::{KindPolicy, MemoryKind};

    #[test]
    fn what_is_shown_can_be_set() {
        let kind = KindPolicy {
            kind: MemoryKind::Fact.into(),
            decay: 0.0,
            cap: Some(500),
            ..KindPolicy::default()
        };
        let policy = Policy { kinds: vec![kind], ..Policy::default() };
        let shown = written(&policy);
        assert_eq!(shown["kinds"][0]["decay"], json!(0.0), "also what is nothing is shown");
        let home = tempfile::tempdir().expect("a place");
        let file = home.path().join("policy.json");
        let write = |json: &Value| std::fs::write(&file, json.to_string()).expect("written");
        write(&json!({ "version": 7, "policy": shown }));
        assert_eq!(read(&file).expect("reads"), (policy, 7));
        for bad in [json!({ "policy": {} }), json!({ "version": 1, "policy": { "wish": 1 } })] {
            write(&bad);
            assert!(read(&file).is_err(), "{bad}");
        }
    }
}
