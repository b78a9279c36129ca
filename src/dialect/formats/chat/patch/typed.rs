//! Typed events, rewritten as deltas of a chat response: other members stay, the text moves in place.

use super::plan::{Members, Plan, copy, text};
use crate::dialect::draft::{Draft, Unit};
use crate::dialect::formats::chat::names::Name;
use crate::dialect::formats::chat::row::{EventContent, TypedEvent};
use crate::dialect::stream::Known;
use crate::frame::Body;
use crate::model::{Bit, Loss};

/// What was known of the message before the event.
#[derive(Clone, Copy, Debug)]
pub(in crate::dialect) struct MessageState {
    pub known: Known,
    /// Nothing was: the message begins.
    pub begins: bool,
    /// The number of its response.
    pub number: u64,
    /// The event names its response.
    pub named: bool,
}

/// An event, with its reasoning in the field `key`.
pub(in crate::dialect) fn event(
    body: &Body<'_>,
    (draft, row): (&Draft, &TypedEvent),
    state: MessageState,
    key: &str,
    plan: &mut Plan,
) {
    let mut members = Members::new(body, draft);
    let mut delta = DeltaMembers::default();
    if state.begins {
        delta.member("role", vec![text("\"assistant\"")]);
    }
    let (mut place, mut name, mut arguments) = (None, None, None);
    for (i, member) in draft.members.list.iter().enumerate() {
        let unit = draft.units.iter().find(|unit| stands(unit, member.value.start));
        match (unit, member.name) {
            (Some(Unit::Text(_) | Unit::Field(..)), _) if unit.is_some_and(|unit| state.known.has(unit)) => (),
            (Some(Unit::Text(_)), _) => delta.member("content", vec![copy(body, &member.value)]),
            (Some(Unit::Field(..)), _) => delta.member(key, vec![copy(body, &member.value)]),
            (Some(Unit::Call(_)), _) => {
                let last = row.texts.last().is_some_and(|last| member.is(body.text, last));
                *(if last { &mut arguments } else { &mut name }) = Some(copy(body, &member.value));
            }
            (None, Name::Type) => {
                members.put(i, vec![text("\"object\":\"chat.completion.chunk\"")]);
                continue;
            }
            (None, Name::Id) => {
                members.rename(body, i, "id");
                continue;
            }
            _ => continue,
        }
        if place.is_none() {
            place = Some(i);
        } else {
            members.drop(i);
        }
    }
    plan.losses.extend(draft.is_commentary().then_some(Loss::Channel));
    if row.content == EventContent::Call {
        delta.call(state.known.calls, name, arguments);
    }
    let finish = if row.content == EventContent::WholeMessage { ",\"finish_reason\":\"stop\"" } else { "" };
    let id = if state.named { String::new() } else { format!("\"id\":\"{}\",", state.number) };
    let mut bits = vec![text(format!("{id}\"choices\":["))];
    if !delta.0.is_empty() || row.content != EventContent::WholeReasoning {
        bits.push(text("{\"index\":0,\"delta\":{"));
        bits.extend(delta.0);
        bits.push(text(format!("}}{finish}}}")));
    }
    bits.push(text("]"));
    match place {
        Some(i) => members.put(i, bits),
        None => members.insert(None, bits, body, plan),
    }
    members.finish(body, plan);
}

/// Whether a unit is the value that begins here.
fn stands(unit: &Unit, at: usize) -> bool {
    match unit {
        Unit::Text(literal) | Unit::Field(_, literal) => literal.start == at + 1,
        Unit::Deep(_, value) | Unit::Call(value) => value.start == at,
        Unit::Void(_) | Unit::Opaque(_) => false,
    }
}

/// The members of a delta.
#[derive(Default)]
struct DeltaMembers(Vec<Bit>);

impl DeltaMembers {
    fn member(&mut self, name: &str, value: Vec<Bit>) {
        let comma = if self.0.is_empty() { "" } else { "," };
        self.0.push(text(format!("{comma}\"{name}\":")));
        self.0.extend(value);
    }

    fn call(&mut self, index: u32, name: Option<Bit>, arguments: Option<Bit>) {
        let mut function = DeltaMembers::default();
        name.into_iter().for_each(|name| function.member("name", vec![name]));
        arguments.into_iter().for_each(|arguments| function.member("arguments", vec![arguments]));
        let mut value = vec![text(format!("[{{\"index\":{index},\"type\":\"function\",\"function\":{{"))];
        value.extend(function.0);
        value.push(text("}}]"));
        self.member("tool_calls", value);
    }
}
