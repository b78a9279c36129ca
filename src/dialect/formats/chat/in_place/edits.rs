//! A plan: the edits of a record, and the losses.

use super::thought::{RecordRange, Thought};
use crate::dialect::draft::{Draft, Member};
use crate::frame::Body;
use crate::json::with_commas;
use crate::model::{Bit, Event, Loss, Losses, Sink};
use crate::span::Span;
use std::borrow::Cow;
use std::sync::Arc;

/// Edits: the ranges of the input, and what replaces each.
pub(super) type RangeEdits = Vec<(Span, Vec<Bit>)>;

/// The edits of a record, and what is lost.
#[derive(Debug, Default)]
pub(in crate::dialect) struct Plan {
    pub edits: RangeEdits,
    pub losses: Losses,
    /// Where parts begin that cannot be written in the target, each with its loss.
    pub unsupported: Vec<(usize, Loss)>,
    /// The members that go of the message that is written. Its room is kept.
    gone: Vec<RecordRange>,
}

/// Sends edits.
pub(super) fn send(edits: &RangeEdits, sink: &mut dyn Sink) {
    for (at, with) in edits {
        sink.event(&Event::Edit { at: *at, with });
    }
}

/// Moves the places of edits.
pub(super) fn move_edits(edits: &mut RangeEdits, shift: &impl Fn(&mut Span)) {
    for (at, bits) in edits {
        shift(at);
        move_bits(bits, shift);
    }
}

/// Moves what bits are copies of.
pub(super) fn move_bits(bits: &mut [Bit], shift: &impl Fn(&mut Span)) {
    for bit in bits {
        if let Bit::Copy(span) = bit {
            shift(span);
        }
    }
}

/// Bytes of our own.
pub(super) fn text(text: impl Into<Cow<'static, str>>) -> Bit {
    match text.into() {
        Cow::Borrowed(text) => Bit::Text(Cow::Borrowed(text.as_bytes())),
        Cow::Owned(text) => Bit::Text(Cow::Owned(text.into_bytes())),
    }
}

/// Bytes that were written here.
pub(super) fn bytes(bytes: Vec<u8>) -> Bit {
    Bit::Text(Cow::Owned(bytes))
}

/// All of an object that was written here.
pub(super) fn whole(object: Arc<Vec<u8>>) -> Bit {
    let len = object.len();
    Bit::Part(object, 0..len)
}

/// A copy of bytes of the record.
pub(super) fn copy(body: &Body<'_>, at: &RecordRange) -> Bit {
    let span = body.span(at.clone());
    // A value over several lines of an event has the lines' prefixes in between, and cannot be copied as one span.
    match span.len() == at.len() as u64 {
        true => Bit::Copy(span),
        // A line end between its tokens would end the line that they are written on.
        false => {
            Bit::Text(Cow::Owned(body.text[at.clone()].iter().map(|b| if *b == b'\n' { b' ' } else { *b }).collect()))
        }
    }
}

/// Adds copies of the insides of strings, for one string.
pub(super) fn copies(body: &Body<'_>, all: &[RecordRange], out: &mut Vec<Bit>) {
    out.extend(all.iter().filter(|at| !at.is_empty()).map(|at| copy(body, at)));
}

/// The style of an object: the bytes between a key and its value, and between members.
#[derive(Clone, Debug)]
pub(super) struct ObjectStyle {
    colon: Cow<'static, str>,
    pub comma: &'static str,
}

/// Frequent keys, with the bytes that usually follow, so that they need no allocation.
const NAMES: [(&str, &str, &str); 7] = [
    ("role", "\"role\":", "\"role\": "),
    ("speaker", "\"speaker\":", "\"speaker\": "),
    ("content", "\"content\":", "\"content\": "),
    ("blocks", "\"blocks\":", "\"blocks\": "),
    ("reasoning_content", "\"reasoning_content\":", "\"reasoning_content\": "),
    ("reasoning", "\"reasoning\":", "\"reasoning\": "),
    ("tool_calls", "\"tool_calls\":", "\"tool_calls\": "),
];

impl ObjectStyle {
    /// The style of a message, taken from one of its members.
    pub fn of(body: &Body<'_>, draft: &Draft) -> Self {
        let first = draft.members.list.first();
        let between = first.map_or(&b":"[..], |m| &body.text[m.key.end + 1..m.value.start]);
        let colon = match between {
            b": " => Cow::Borrowed(": "),
            between if between.len() == 1 || between.contains(&b'\n') => Cow::Borrowed(":"),
            between => Cow::Owned(String::from_utf8_lossy(between).into_owned()),
        };
        Self { comma: if colon.ends_with(' ') { ", " } else { "," }, colon }
    }

    /// A key, and the bytes before its value.
    pub fn name(&self, name: &str) -> Bit {
        let known = NAMES.iter().find(|(known, ..)| *known == name);
        match (known, self.colon.as_ref()) {
            (Some((_, tight, _)), ":") => text(*tight),
            (Some((_, _, wide)), ": ") => text(*wide),
            _ => text(format!("\"{name}\"{}", self.colon)),
        }
    }
}

/// What happens to a member.
#[derive(Clone, Debug, Default)]
pub(super) enum MemberAct {
    #[default]
    Keep,
    Drop,
    Put(Vec<Bit>),
}

/// What happens to the members of a message.
pub(super) struct MemberEdits<'a> {
    members: &'a [Member],
    end: usize,
    acts: Vec<MemberAct>,
    /// New members, each behind the member with this number.
    behind: Vec<(usize, Vec<Bit>)>,
    pub style: ObjectStyle,
}

impl<'a> MemberEdits<'a> {
    pub fn new(body: &Body<'_>, draft: &'a Draft) -> Self {
        let n = draft.members.list.len();
        Self {
            members: &draft.members.list,
            end: draft.object.end,
            acts: vec![MemberAct::Keep; n],
            behind: Vec::new(),
            style: ObjectStyle::of(body, draft),
        }
    }

    pub fn drop(&mut self, i: usize) {
        self.acts[i] = MemberAct::Drop;
    }

    /// Drops the member that says that the content is reasoning: it is not true of the answer. Returns whether there is
    /// one.
    pub fn drop_channel(&mut self, record: &[u8]) -> bool {
        let names = |member: &Member| member.is(record, "channel") && record[member.value.clone()] == *b"\"analysis\"";
        let channel = self.members.iter().position(names);
        channel.into_iter().for_each(|i| self.drop(i));
        channel.is_some()
    }

    pub fn put(&mut self, i: usize, bits: Vec<Bit>) {
        self.acts[i] = MemberAct::Put(bits);
    }

    /// Renames a member.
    pub fn rename(&mut self, body: &Body<'_>, i: usize, name: &'static str) {
        let rest = self.members[i].key.end + 1..self.members[i].value.end;
        self.put(i, vec![text(format!("\"{name}\"")), copy(body, &rest)]);
    }

    /// Adds a new member behind this one, or behind all.
    pub fn insert(&mut self, i: Option<usize>, bits: Vec<Bit>, body: &Body<'_>, plan: &mut Plan) {
        let stays = |i: &usize| !matches!(self.acts[*i], MemberAct::Drop);
        let place = i.filter(stays).or_else(|| (0..self.members.len()).rev().find(stays));
        match place {
            Some(i) => {
                self.behind.push((i, vec![text(self.style.comma)]));
                if let Some((_, all)) = self.behind.last_mut() {
                    all.extend(bits);
                }
            }
            // No member stays, so that the new member stands alone.
            None => plan.edits.push((body.span(self.end - 1..self.end - 1), bits)),
        }
    }

    /// Adds the edits to the plan, in order.
    pub fn finish(self, body: &Body<'_>, plan: &mut Plan) {
        let (mut behind, own) = (self.behind, plan.edits.len());
        let Plan { edits, gone, .. } = plan;
        for (i, (member, act)) in self.members.iter().zip(self.acts).enumerate() {
            let at = member.at();
            match act {
                MemberAct::Drop => gone.push(at),
                act => {
                    if let MemberAct::Put(bits) = act {
                        edits.push((body.span(at.clone()), bits));
                    }
                    for (_, bits) in behind.extract_if(.., |(of, _)| *of == i) {
                        edits.push((body.span(at.end..at.end), bits));
                    }
                }
            }
        }
        with_commas(body.text, gone);
        edits.extend(gone.drain(..).map(|at| (body.span(at), Vec::new())));
        edits[own..].sort_by_key(|(at, _)| at.start);
    }
}

/// Adds the losses of a thought in a dialect that keeps only its text.
pub(super) fn losses(body: &Body<'_>, thought: &Thought, field: Option<&str>, plan: &mut Plan) {
    let record = body.text;
    let filled = |at: &Option<RecordRange>| at.as_ref().is_some_and(|at| record[at.clone()] != *b"\"\"");
    let source = thought.source.as_deref().filter(|_| thought.named);
    let own = thought.start();
    let at = |at: &Option<RecordRange>| at.as_ref().map_or(own, |at| Some(at.start));
    for (lost, loss, at) in [
        (filled(&thought.signature), Loss::Signature, at(&thought.signature)),
        (filled(&thought.encrypted), Loss::Encrypted, at(&thought.encrypted)),
        (thought.hidden.is_some(), Loss::Hidden, at(&thought.hidden)),
        (source.is_some() && source != field, Loss::SourceField, own),
        (!thought.extras.is_empty(), Loss::Extra, at(&thought.extras.first().cloned())),
        (thought.late, Loss::Order, own),
    ] {
        plan.losses.push_if(lost, at.map(|at| body.offset(at)), loss);
    }
}
