//! Members of an object of `split` that describe a sequence of reasoning.

use crate::agents::regroup::SequenceGroup;
use crate::agents::sequences::SequencePart;
use crate::count::estimate;
use crate::json::quote::quote;
use crate::json::text::utf8;

/// Which texts of a sequence are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Included {
    /// Its reasoning.
    pub reasoning: bool,
    /// The visible messages in its context.
    pub visible: bool,
}

/// Writes the members of a sequence, behind others. `answer`: the text of its answer.
pub(super) fn members(group: &SequenceGroup, shown: Included, answer: &str, out: &mut Vec<u8>) {
    let sequence = &group.sequence;
    text(out, "id", &sequence.id);
    text(out, "context", group.context());
    text(out, "agent", &sequence.agent);
    list(out, "trigger", &sequence.triggers, |id, out| quote(utf8(id).as_bytes(), out));
    if let Some(parent) = &group.parent {
        text(out, "parent", parent);
    }
    if shown.reasoning {
        reasoning(group, out);
    }
    if shown.visible {
        list(out, "dialogue", &group.dialogue, |utterance, out| {
            out.push(b'{');
            if !utterance.id.is_empty() {
                out.extend_from_slice(b"\"id\":");
                quote(utf8(&utterance.id).as_bytes(), out);
                out.push(b',');
            }
            out.extend_from_slice(b"\"from\":");
            quote(utf8(&utterance.from).as_bytes(), out);
            text(out, "text", &utterance.text);
            out.push(b'}');
        });
    }
    list(out, "tools", &group.tools, |(id, name), out| {
        out.push(b'{');
        if !id.is_empty() {
            out.extend_from_slice(b"\"id\":");
            quote(utf8(id).as_bytes(), out);
            out.push(b',');
        }
        out.extend_from_slice(b"\"name\":");
        quote(utf8(name).as_bytes(), out);
        out.push(b'}');
    });
    match group.response.as_ref() {
        Some(id) => text(out, "response", id),
        None => out.extend_from_slice(b",\"response\":null"),
    }
    let status = match (sequence.closed, sequence.cancelled) {
        (false, _) => "open",
        (true, false) => "concluded",
        (true, true) => "cancelled",
    };
    text(out, "status", status.as_bytes());
    let blocks = group.texts.iter().flat_map(|(_, blocks)| blocks);
    let thought: u64 = blocks.map(|text| estimate(&*utf8(text))).sum();
    out.extend_from_slice(format!(",\"tokens\":{{\"reasoning\":{thought},\"final\":{}}}", estimate(answer)).as_bytes());
}

/// Writes the texts of its reasoning: of its start, its thoughts, and its end.
fn reasoning(group: &SequenceGroup, out: &mut Vec<u8>) {
    if let Some(start) = group.start() {
        text(out, "start", &start);
    }
    let thoughts: Vec<Vec<u8>> = group.texts_of(SequencePart::Thought).collect();
    list(out, "thoughts", &thoughts, |thought, out| quote(utf8(thought).as_bytes(), out));
    match group.texts_of(SequencePart::Conclusion).next() {
        Some(conclusion) => text(out, "conclusion", &conclusion),
        None => out.extend_from_slice(b",\"conclusion\":null"),
    }
    if let Some(reason) = group.texts_of(SequencePart::Cancellation).next() {
        text(out, "cancellation", &reason);
    }
}

fn name(out: &mut Vec<u8>, name: &str) {
    out.extend_from_slice(format!(",\"{name}\":").as_bytes());
}

/// Writes a member that is a text, behind others.
fn text(out: &mut Vec<u8>, key: &str, text: &[u8]) {
    name(out, key);
    quote(utf8(text).as_bytes(), out);
}

/// Writes a member that is a list, behind others.
fn list<T>(out: &mut Vec<u8>, key: &str, values: &[T], mut each: impl FnMut(&T, &mut Vec<u8>)) {
    name(out, key);
    out.push(b'[');
    for (i, value) in values.iter().enumerate() {
        out.extend_from_slice(if i == 0 { b"" } else { b"," });
        each(value, out);
    }
    out.push(b']');
}
