//! Members of an object of `split` that describe a sequence of reasoning.

use crate::agents::regroup::SequenceGroup;
use crate::agents::sequences::SequencePart;
use crate::count::estimate;
use crate::json::object::MemberWriter;
use crate::json::text::utf8;

/// Which texts of a sequence are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Included {
    /// Its reasoning.
    pub reasoning: bool,
    /// The visible messages in its context.
    pub visible: bool,
}

/// Writes the members of a sequence. `answer`: the text of its answer.
pub(super) fn members(group: &SequenceGroup, shown: Included, answer: &str, object: &mut MemberWriter<'_>) {
    let sequence = &group.sequence;
    object.bytes("id", &sequence.id);
    object.bytes("context", group.context());
    object.bytes("agent", &sequence.agent);
    object.strings("trigger", &sequence.triggers);
    if let Some(parent) = &group.parent {
        object.bytes("parent", parent);
    }
    if shown.reasoning {
        reasoning(group, object);
    }
    if shown.visible {
        object.objects("dialogue", &group.dialogue, |object, utterance| {
            if !utterance.id.is_empty() {
                object.bytes("id", &utterance.id);
            }
            object.bytes("from", &utterance.from);
            object.bytes("text", &utterance.text);
        });
    }
    object.objects("tools", &group.tools, |object, (id, name)| {
        if !id.is_empty() {
            object.bytes("id", id);
        }
        object.bytes("name", name);
    });
    object.string_or_null("response", group.response.as_deref().map(utf8).as_deref());
    let status = match (sequence.closed, sequence.cancelled) {
        (false, _) => "open",
        (true, false) => "concluded",
        (true, true) => "cancelled",
    };
    object.string("status", status);
    let blocks = group.texts.iter().flat_map(|(_, blocks)| blocks);
    let thought: u64 = blocks.map(|text| estimate(&*utf8(text))).sum();
    object.object("tokens", |object| {
        object.number("reasoning", thought);
        object.number("final", estimate(answer));
    });
}

/// Writes the texts of its reasoning: of its start, its thoughts, and its end.
fn reasoning(group: &SequenceGroup, object: &mut MemberWriter<'_>) {
    if let Some(start) = group.start() {
        object.bytes("start", &start);
    }
    object.strings("thoughts", group.texts_of(SequencePart::Thought));
    let conclusion = group.texts_of(SequencePart::Conclusion).next();
    object.string_or_null("conclusion", conclusion.as_deref().map(utf8).as_deref());
    if let Some(reason) = group.texts_of(SequencePart::Cancellation).next() {
        object.bytes("cancellation", &reason);
    }
}
