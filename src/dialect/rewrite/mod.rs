//! Writers: a message in another dialect, said as edits of the record that it stands in. So what a dialect does not
//! care about (other members, numbers, escapes, white space) stays byte for byte, and a text of any length is moved
//! without being decoded.
//!
//! `said` reads a message of any shape, `words` a text in it; `chat` (with `content`, `closer` and `harmony`) and `blocks`
//! write it; `live` does both for the deltas of a stream, where a message comes piece by piece (`held` is the text of
//! one that waits, `respelled` gives it other delimiters); `retold` writes raw text.

mod blocks;
mod chat;
mod closer;
mod contained;
mod content;
mod harmony;
mod held;
mod live;
mod parse;
mod plan;
mod rebuild;
mod respelled;
mod retold;
mod said;
mod slots;
mod told;
mod unheld;
mod words;

pub(super) use live::{Delta, Live};
pub(super) use retold::Retold;
pub(super) use told::{Heard, event};
pub(super) use unheld::UNHELD;

use super::names::Names;
use super::walk::{Draft, Item, Record, Unit};
use super::{Dialect, emit::Noted};
use crate::error::Error;
use crate::frame::Body;
use crate::inline::{Options, Tags};
use crate::model::{Bit, Event, Role, Sink};
pub(super) use plan::Plan;
use said::{Said, Thought};

/// What a conversation is converted to.
#[derive(Clone, Debug)]
pub struct Target {
    form: Form,
    /// Its name.
    dialect: &'static str,
    /// Types of content parts that its readers know.
    native: &'static [&'static str],
    /// The delimiters, as they stand inside a JSON string.
    open: String,
    close: String,
    /// Inline tags that are spelled otherwise are spelled like these.
    respell: bool,
    /// A closer that stands in the reasoning is escaped; otherwise the record is refused.
    escape: bool,
}

/// Where a dialect has its reasoning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// In a field of this name.
    Field(&'static str),
    /// In the content, between delimiters.
    Tagged,
    /// In the content, in messages of their own before the one with the answer.
    Harmony,
    /// In blocks.
    Blocks,
}

/// How inline tags are written.
#[derive(Clone, Debug, Default)]
pub struct Spelling {
    /// The delimiters, if others than the usual.
    pub tag: Option<(String, String)>,
    /// Escape a closer that stands in the reasoning; otherwise the record is refused.
    pub escape: bool,
}

impl Target {
    /// A target, if the dialect can be written.
    pub fn new(dialect: &Dialect, spelling: Spelling) -> Option<Self> {
        dialect.holds?;
        let form = match (dialect.name, dialect.fields.first()) {
            ("thinking-block", _) => Form::Blocks,
            ("harmony", _) => Form::Harmony,
            (_, Some(field)) => Form::Field(field.key),
            (_, None) => Form::Tagged,
        };
        let respell = spelling.tag.is_some();
        let usual = if form == Form::Harmony { (harmony::OPEN, harmony::CLOSE) } else { ("<think>", "</think>") };
        let (open, close) = spelling.tag.unwrap_or((usual.0.into(), usual.1.into()));
        let (name, native) = (dialect.name, dialect.native);
        Some(Self {
            form,
            dialect: name,
            native,
            open: escaped(&open),
            close: escaped(&close),
            respell,
            escape: spelling.escape,
        })
    }

    /// Reasoning is written into the content.
    fn is_inline(&self) -> bool {
        matches!(self.form, Form::Tagged | Form::Harmony)
    }

    /// Whether reasoning stays where it stands in the content.
    fn keeps(&self, thought: &Thought) -> bool {
        match self.form {
            Form::Tagged => thought.tagged,
            Form::Harmony => thought.headed,
            _ => false,
        }
    }

    /// Whether reasoning that stays gets other delimiters.
    fn respells(&self, thought: &Thought) -> bool {
        self.form == Form::Tagged && thought.tagged && (self.respell || thought.headed)
    }
}

impl Target {
    /// Whether it has a word for all of a record. A record that is written in it and stays as it is has only such words
    /// as its readers know.
    pub(super) fn holds(&self, record: &Record, plan: &Plan) -> bool {
        plan.unheld.is_empty() || plan.edits.is_empty() && record.dialect() == self.dialect
    }

    /// The field that has the reasoning, if one has it.
    pub(super) fn field(&self) -> Option<&'static str> {
        match self.form {
            Form::Field(key) => Some(key),
            _ => None,
        }
    }
}

/// A text as it stands inside a JSON string.
fn escaped(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_string()
}

/// What reading a message needs.
pub(super) struct Context<'a, 'b> {
    pub body: &'a Body<'b>,
    pub tags: &'a Tags,
    pub names: &'a Names,
    pub inline: Options,
    pub notes: &'a mut Vec<Noted>,
}

/// Edits of the whole messages of a record, in order.
pub(super) fn record(context: &mut Context<'_, '_>, record: &Record, target: &Target) -> Result<Plan, Error> {
    let mut plan = Plan::default();
    let drafts = || {
        record.items.iter().filter_map(|item| match item {
            Item::Message(draft) | Item::Choice(draft) => Some(draft.as_ref()),
            _ => None,
        })
    };
    // A conversation that has ThinkingBlocks in the content of chat messages, and no other reasoning, is one already.
    let settled = |d: &Draft| !said::is_blocks(context.body, d) && !d.units.iter().any(|unit| flat(unit, context));
    if target.form == Form::Blocks && record.blocks && drafts().all(settled) {
        return Ok(plan);
    }
    let alone: Option<usize> = record.items.iter().find_map(|item| match item {
        Item::Message(draft) if draft.element.is_none() => Some(draft.object.start),
        _ => None,
    });
    let bare = |draft: &Draft| alone == Some(draft.object.start);
    for draft in drafts() {
        let said = Said::read(context, draft)?;
        let first = plan.edits.len();
        plan.unheld.extend(unheld::unheld(context.body.text, draft, &said, target));
        match target.form {
            Form::Blocks => blocks::write(context, draft, &said, target, &mut plan)?,
            _ => chat::write(context, draft, &said, target, false, &mut plan)?,
        }
        if said.role.is_none()
            && plan.edits.len() > first
            && bare(draft)
            && let Some(role) = role(target)
        {
            let at = draft.object.start + 1;
            plan.edits.insert(first, (context.body.span(at..at), vec![role]));
        }
        contained::take_out(context, &said, target, plan.edits.len() > first, &mut plan);
    }
    Ok(plan)
}

/// A message that stands alone is known by its role, or by its `reasoning_content`: who had that only gets a role.
fn role(target: &Target) -> Option<Bit> {
    match target.form {
        Form::Field("reasoning_content") => None,
        Form::Blocks => Some(plan::text("\"speaker\":\"ai\",")),
        _ => Some(plan::text("\"role\":\"assistant\",")),
    }
}

/// Reasoning that is not a part of the content.
fn flat(unit: &Unit, context: &Context<'_, '_>) -> bool {
    match unit {
        Unit::Field(..) => true,
        Unit::Deep(source, _) => *source != "part",
        Unit::Text(literal) => context.tags.may_hold(literal.raw(context.body.text), literal.escaped),
        _ => false,
    }
}

/// Says the edits.
pub(super) fn say(plan: &Plan, sink: &mut dyn Sink) {
    for (at, with) in &plan.edits {
        sink.event(&Event::Edit { at: *at, with });
    }
    for loss in &plan.losses {
        sink.event(&Event::Loss(*loss));
    }
}

/// Whether nobody but the program's author speaks.
fn is_system(draft: &Draft) -> bool {
    draft.role == Some(Role::System)
}
