//! What is to be erased.

use super::transact::key_of;
use super::{Checked, Form, fact_id};
use crate::engine::{Erase, EraseWhat};
use crate::kernel::{Rejection, ViolationKind};
use crate::rpc::civil::Zone;
use crate::rpc::proto;
use crate::rpc::proto::erase_request::What;

/// # Errors
/// A [`Rejection`] with every violation.
pub fn erase(request: &proto::EraseRequest, zone: Zone) -> Result<Erase, Rejection> {
    let mut form = Form::new(zone);
    let what = what(&mut form, request.what.as_ref());
    let id = form.request_id(&request.request_id);
    form.finish(|| {
        let (dry_run, purge) = (request.dry_run, request.purge.unwrap_or(true));
        let body = proto::EraseRequest { request_id: String::new(), ..request.clone() };
        let request = id?.map(|id| key_of(id, &body));
        Ok(Erase { what: what?, dry_run, purge, request })
    })
}

fn what(form: &mut Form, what: Option<&What>) -> Checked<EraseWhat> {
    match what {
        None => Err(form.fail("what", ViolationKind::Missing, "say what is to be erased")),
        Some(What::FactId(text)) => fact_id(form, "fact_id", text).map(EraseWhat::Fact),
        Some(What::Entity(text)) => form.name("entity", text).map(EraseWhat::Entity),
        Some(What::Source(text)) => form.name("source", text).map(EraseWhat::Source),
        Some(What::Owner(text)) => form.label("owner", text).map(EraseWhat::Owner),
        Some(What::Everything(true)) => Ok(EraseWhat::Everything),
        Some(What::Everything(false)) => {
            let detail = "send true, or what else is to be erased";
            Err(form.fail("everything", ViolationKind::Malformed, detail))
        }
    }
}

/// The namespace and the number in the id of an erasure.
///
/// # Errors
/// `Bad` unless it is spelled as a receipt spells it.
pub fn erasure_id(form: &mut Form, text: &str) -> Checked<(u32, u32)> {
    if text.is_empty() {
        return Err(form.fail("id", ViolationKind::Missing, "the id of an erasure is needed"));
    }
    let parts = text.split_once('.');
    let read = parts.and_then(|(space, number)| Some((space.parse().ok()?, number.parse().ok()?)));
    let same = read.filter(|(space, number): &(u32, u32)| format!("{space}.{number}") == text);
    same.ok_or_else(|| {
        let detail = "not the id of an erasure: send it as it was received";
        form.fail("id", ViolationKind::Malformed, detail)
    })
}
