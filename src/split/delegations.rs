//! Members of a message's object that state its place in delegations.

use crate::agents::delegation::{NumberedDelegation, Standing};
use crate::json::object::MemberWriter;

/// Writes these members.
pub(super) fn members(standing: &Standing, object: &mut MemberWriter<'_>) {
    if standing.is_intermediate() {
        object.flag("intermediate", true);
    }
    if let Some(delegation) = &standing.delegation {
        object.object("delegation", |object| members_of(delegation, standing.depth, true, object));
    }
    if !standing.begins.is_empty() {
        object.objects("delegates", &standing.begins, |object, (delegation, depth)| {
            members_of(delegation, *depth, false, object);
        });
    }
    if !standing.ends.is_empty() {
        object.list("returns", &standing.ends, |out, delegation| {
            out.extend_from_slice(delegation.agent.to_string().as_bytes());
        });
    }
}

/// Writes the members of a delegation. `placed`: with the message that begins it.
fn members_of(delegation: &NumberedDelegation, depth: u64, placed: bool, object: &mut MemberWriter<'_>) {
    let NumberedDelegation { agent, by, place: (record, message), prompt, .. } = delegation;
    object.number("depth", depth);
    object.number("agent", *agent);
    object.number("by", *by);
    if placed {
        object.number("record", *record);
        object.number("message", *message);
    }
    object.string("prompt", prompt);
}
