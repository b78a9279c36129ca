//! Converts a string that the user named, in a record of any shape. Its reasoning stands between delimiters in it, or in
//! a member beside it: a column of a data set.

use super::content::written;
use super::edits::{MemberEdits, Plan, text};
use super::message::{joined, moving, report, thoughts};
use super::reading::Reading;
use super::thought::{ReasoningPlace, Thought};
use super::values::{inside, kind};
use super::written::{Written, member};
use super::{Context, ConversionTarget, escaped};
use crate::dialect::draft::{self, Draft, Member};
use crate::dialect::shape::Slot;
use crate::error::Error;
use crate::json::{self, Literal};
use crate::model::Bit;
use std::borrow::Cow;

/// The members beside a string that the user named.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// The name of the member with the reasoning. Without one, a target with a field for reasoning has its own name, and
    /// another target looks for none.
    pub reasoning: Option<String>,
    /// The name of the member with the prompt: the prompt and the string become messages of a chat.
    pub prompt: Option<String>,
}

/// The error for a column that cannot be written without a loss.
const TAKEN: &str = "the member for the reasoning is there already (--column NAME writes another one)";

/// The error for a column with a value of another type.
const NO_TEXT: &str = "the member for the reasoning is not a string";

/// The error for a column of which there are two.
const TWICE: &str = "two members have the name of the one that is read: which one counts?";

/// The error for a string that has no place for a column.
const ALONE: &str = "the string is not a member of an object, so that its reasoning cannot stand beside it";

/// The error for two strings with one column.
const SHARED: &str = "two of the named strings would have one member for their reasoning: convert one after the other, each with its own --column NAME";

/// The errors for a prompt that cannot become a message.
const NO_PROMPT: &str = "the prompt is not a string beside the named string";
const MESSAGES: &str = "the record has messages already";

/// The key of the list of messages.
const LIST: &str = "messages";

/// A string, and the object that it is a member of.
struct MemberString<'a> {
    columns: &'a Columns,
    literal: Literal,
    /// The members of the object.
    draft: Draft,
    /// The number of the string among them.
    own: Option<usize>,
    /// The number of the member with the reasoning, if it is there.
    reasoning: Option<usize>,
}

impl ConversionTarget {
    /// Whether a string can hold reasoning as this target has it, alone or with a member beside it.
    pub(in crate::dialect) fn fits_strings(&self) -> bool {
        !self.placement.is_blocks()
    }

    /// The name of the member beside a string that has its reasoning.
    pub(in crate::dialect) fn column<'a>(&self, columns: &'a Columns) -> Option<&'a str> {
        columns.reasoning.as_deref().or(self.placement.field())
    }
}

/// Adds the edits that convert one string. `shared`: another named string is a member of the same object.
///
/// # Errors
/// When the reasoning cannot be written in the target, or would replace a member.
pub(in crate::dialect) fn string(
    context: &mut Context<'_, '_>,
    (literal, object, shared): (Literal, Option<usize>, bool),
    target: &ConversionTarget,
    columns: &Columns,
    plan: &mut Plan,
) -> Result<(), Error> {
    let mut column = MemberString::find(context.body.text, (literal, object), target, columns)?;
    let mut reading = Reading::of_text(context, literal);
    if let Some((i, thought)) = column.thought(context.body.text)? {
        reading.flats.push(i);
        reading.thoughts.push(thought);
    }
    let all = thoughts(context.body.text, &reading, false);
    let moved = moving(context.body.text, target, &all);
    let field = !target.is_inline();
    let tagged = moved.iter().any(|thought| thought.is_inline());
    let clashes = columns.prompt.is_some() || if field { tagged } else { column.reasoning.is_some() };
    if shared && clashes {
        return Err(Error::new(literal.start - 1, SHARED));
    }
    if field && column.reasoning.is_some() {
        // What is there already stays; there must be nothing to add to it.
        match (tagged, &columns.prompt) {
            (true, _) => return Err(Error::new(column.at(column.reasoning), TAKEN)),
            (false, None) => return Ok(()),
            (false, Some(_)) => (),
        }
    }
    report(context, &reading, &all, (target, false), plan);
    let out = written(context, &reading, &moved, target, plan)?;
    if target.is_inline() && !out.edits.is_empty() {
        plan.losses.extend(reading.lost(target.placement.is_headed()));
    }
    let text = (!out.is_empty()).then(|| whole(context, &out, literal));
    let reasoning = (field && !moved.is_empty()).then(|| joined(context, &moved));
    match &columns.prompt {
        Some(prompt) => column.messages(context, (prompt, text, reasoning), target, plan),
        None => column.in_place(context, text, reasoning, target, plan),
    }
}

/// The text of a string, with what is written in front.
fn whole(context: &Context<'_, '_>, out: &Written, literal: Literal) -> Vec<Bit> {
    [out.prefix.clone(), out.bits_of(context.body, literal)].concat()
}

impl<'a> MemberString<'a> {
    fn find(
        record: &[u8],
        (literal, object): (Literal, Option<usize>),
        target: &ConversionTarget,
        columns: &'a Columns,
    ) -> Result<Self, Error> {
        let members = object.map(|at| json::members(record, at)).into_iter().flatten();
        let list: Vec<Member> = members.map(|(key, _, value)| Member { slot: Slot::Unnamed, key, value }).collect();
        let own = list.iter().position(|member| member.value.start + 1 == literal.start);
        let mut column = Self { columns, literal, draft: Draft::default(), own, reasoning: None };
        column.draft.members = draft::DraftMembers { list, ..draft::DraftMembers::default() };
        if let Some(name) = target.column(columns) {
            column.reasoning = column.named(record, name)?;
        }
        Ok(column)
    }

    /// The number of the member with this name.
    fn named(&self, record: &[u8], name: &str) -> Result<Option<usize>, Error> {
        let named = |i: &usize| self.draft.members.list[*i].is(record, name);
        let mut found = (0..self.draft.members.list.len()).filter(named);
        let (first, second) = (found.next(), found.next());
        match second {
            Some(_) => Err(Error::new(self.at(second), TWICE)),
            None => Ok(first),
        }
    }

    /// Where a member begins.
    fn at(&self, i: Option<usize>) -> usize {
        i.and_then(|i| self.draft.members.list.get(i)).map_or(self.literal.start, |member| member.key.start) - 1
    }

    /// The reasoning in the member for it. A null is none.
    fn thought(&self, record: &[u8]) -> Result<Option<(usize, Thought)>, Error> {
        let Some(i) = self.reasoning else { return Ok(None) };
        if Some(i) == self.own {
            return Err(Error::new(self.at(Some(i)), TAKEN));
        }
        let value = &self.draft.members.list[i].value;
        match kind(record, value) {
            b'"' => {
                let source = self.columns.reasoning.clone().map(Cow::Owned);
                let (origin, text) = (ReasoningPlace::Flat(i), Some(vec![inside(value)]));
                Ok(Some((i, Thought { origin, text, source, ..Thought::default() })))
            }
            b'n' => Ok(None),
            _ => Err(Error::new(self.at(Some(i)), NO_TEXT)),
        }
    }

    /// Edits the string and the member with its reasoning where they stand.
    fn in_place(
        &mut self,
        context: &Context<'_, '_>,
        text: Option<Vec<Bit>>,
        reasoning: Option<Vec<Bit>>,
        target: &ConversionTarget,
        plan: &mut Plan,
    ) -> Result<(), Error> {
        let body = context.body;
        if let Some(bits) = text {
            plan.edits.push((body.span(self.literal.start..self.literal.end), bits));
        }
        let mut members = MemberEdits::new(body, &self.draft);
        if target.is_inline() {
            self.reasoning.into_iter().for_each(|i| members.drop(i));
        } else if let Some(bits) = reasoning {
            let (Some(own), Some(name)) = (self.own, target.column(self.columns)) else {
                return Err(Error::new(self.literal.start - 1, ALONE));
            };
            members.insert(Some(own), member(&members.style, &escaped(name), bits), body, plan);
        }
        members.finish(body, plan);
        Ok(())
    }

    /// Puts a list of two messages in the place of the prompt.
    fn messages(
        &mut self,
        context: &Context<'_, '_>,
        (prompt, content, reasoning): (&str, Option<Vec<Bit>>, Option<Vec<Bit>>),
        target: &ConversionTarget,
        plan: &mut Plan,
    ) -> Result<(), Error> {
        let (body, record) = (context.body, context.body.text);
        let Some(own) = self.own else { return Err(Error::new(self.literal.start - 1, ALONE)) };
        let list = &self.draft.members.list;
        let is_text = |i: &usize| kind(record, &list[*i].value) == b'"' && *i != own && Some(*i) != self.reasoning;
        let asked = self.named(record, prompt)?.filter(is_text);
        let asked = asked.ok_or_else(|| Error::new(self.at(Some(own)), NO_PROMPT))?;
        if let Some(i) = self.named(record, LIST)?.filter(|i| *i != own && *i != asked) {
            return Err(Error::new(self.at(Some(i)), MESSAGES));
        }
        let mut members = MemberEdits::new(body, &self.draft);
        let (comma, literal) = (members.style.comma, self.literal.start..self.literal.end);
        let role = |name: &str| vec![members.style.name("role"), text(format!("\"{name}\"{comma}"))];
        let mut bits = vec![members.style.name(LIST), text("[{")];
        bits.extend(role("user"));
        bits.extend(member(&members.style, "content", vec![super::edits::copy(body, &inside(&list[asked].value))]));
        bits.extend([text("}"), text(comma), text("{")]);
        bits.extend(role("assistant"));
        bits.extend(member(
            &members.style,
            "content",
            content.unwrap_or_else(|| vec![super::edits::copy(body, &literal)]),
        ));
        if let (Some(inside), Some(key)) = (reasoning, target.placement.field()) {
            bits.push(text(comma));
            bits.extend(member(&members.style, key, inside));
        }
        bits.push(text("}]"));
        members.put(asked, bits);
        members.drop(own);
        self.reasoning.into_iter().for_each(|i| members.drop(i));
        members.finish(body, plan);
        Ok(())
    }
}
