//! Members of a message's object that state its place in delegations.

use crate::agents::delegation::{NumberedDelegation, Standing};
use crate::json::quote::quote;

/// Writes these members. `name` writes the key of one.
pub(super) fn members(standing: &Standing, name: &mut impl FnMut(&mut Vec<u8>, &str), out: &mut Vec<u8>) {
    if standing.is_intermediate() {
        name(out, "intermediate");
        out.extend_from_slice(b"true");
    }
    if let Some(delegation) = &standing.delegation {
        name(out, "delegation");
        object(delegation, standing.depth, true, out);
    }
    if !standing.begins.is_empty() {
        name(out, "delegates");
        for (i, (delegation, depth)) in standing.begins.iter().enumerate() {
            out.push(if i == 0 { b'[' } else { b',' });
            object(delegation, *depth, false, out);
        }
        out.push(b']');
    }
    if !standing.ends.is_empty() {
        name(out, "returns");
        let agents: Vec<String> = standing.ends.iter().map(|delegation| delegation.agent.to_string()).collect();
        out.extend_from_slice(format!("[{}]", agents.join(",")).as_bytes());
    }
}

/// Writes a delegation as an object. `placed`: with the message that begins it.
fn object(delegation: &NumberedDelegation, depth: u64, placed: bool, out: &mut Vec<u8>) {
    let NumberedDelegation { agent, by, place: (record, message), prompt, .. } = delegation;
    out.extend_from_slice(format!("{{\"depth\":{depth},\"agent\":{agent},\"by\":{by}").as_bytes());
    if placed {
        out.extend_from_slice(format!(",\"record\":{record},\"message\":{message}").as_bytes());
    }
    out.extend_from_slice(b",\"prompt\":");
    quote(prompt.as_bytes(), out);
    out.push(b'}');
}
