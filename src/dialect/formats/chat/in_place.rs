//! Conversion in place: a message is written in another dialect of the family as edits of its record. So whatever the
//! dialect does not concern (other members, numbers, escapes, white space) stays byte for byte, and a text of any length is
//! moved without being decoded.
//!
//! `reading` reads what a message says (with `values` and `words`). `message` moves its reasoning to another member, or into
//! its `content`, whose `delimiters` must be read back as they are `written`. `graft` gives it another layout: it is
//! `gathered` from its events, and written by the writer that builds messages anew, in the place of the members that are
//! `owned`. `deltas` does both for a stream, where a message comes piece by piece, each a `delta`: `buffered` holds the
//! text of a delta that waits, `retag` changes its delimiters. `raw_text` writes raw text that stays text. `column`
//! converts a string that the user named, in a record of any shape.

mod again;
mod buffered;
mod column;
mod content;
mod delimiters;
mod delta;
mod deltas;
mod edits;
mod gathered;
mod graft;
mod message;
mod owned;
mod placement;
mod raw_text;
mod reading;
mod retag;
mod said;
mod thought;
mod values;
mod words;
mod written;

pub(in crate::dialect) use again::LastEdits;
pub use column::Columns;
pub(in crate::dialect) use column::string;
use delimiters::DelimiterTokens;
pub(super) use delimiters::{CLOSE, CLOSES, OPEN, is_read_as, may_hold_tag};
pub(in crate::dialect) use deltas::{Delta, DeltaRewriter};
pub(in crate::dialect) use edits::Plan;
pub(in crate::dialect) use gathered::Gathered;
pub(in crate::dialect) use raw_text::TextRewriter;

use super::fields::DEMANDED;
use crate::dialect::draft::{Draft, Item, Record, Stretch};
use crate::dialect::read::{Entry, Walked};
use crate::dialect::shape::{Rows, Slot};
use crate::dialect::{Dialect, inline_text::Noted};
use crate::error::Error;
use crate::frame::Body;
use crate::inline::{Moves, Options, Start, Tags};
use crate::json::Token;
use crate::json::text::decoded;
use crate::model::Sink;
use crate::model::content::Writer;
use placement::Placement;
use reading::{Reading, is_blocks};
use std::ops::Range;
use std::sync::OnceLock;
use thought::Thought;

/// The target of a conversion.
#[derive(Clone, Debug)]
pub struct ConversionTarget {
    placement: Placement,
    /// Its name.
    dialect: &'static str,
    /// Types of content parts that its readers know.
    native: &'static [&'static str],
    /// The delimiters, escaped for a JSON string.
    open: String,
    close: String,
    /// What would be read as one of them.
    tokens: DelimiterTokens,
    /// Other inline tags are replaced by these delimiters.
    retag: bool,
    /// A closing delimiter inside of the reasoning is escaped. If false, the record is refused.
    escape: bool,
    /// A message with calls gets the field, if only with an empty text.
    fill: bool,
}

/// Options for what is written.
#[derive(Clone, Debug, Default)]
pub struct WriteOptions {
    /// The delimiters, if not the usual ones.
    pub tag: Option<(String, String)>,
    /// Escape a closing delimiter that stands in the reasoning; otherwise the record is refused.
    pub escape: bool,
    /// The seed for identifiers that have to be made.
    pub seed: u64,
    /// A message with calls of tools gets an empty reasoning where the dialect's services demand one.
    pub fill: bool,
}

impl ConversionTarget {
    /// A target, if the dialect can be written.
    pub fn new(dialect: &Dialect, spelling: WriteOptions) -> Option<Self> {
        dialect.properties?;
        let guest = dialect.family?;
        let placement = Placement::of(dialect.name, guest.fields().next().map(|field| field.key));
        let retag = spelling.tag.is_some();
        let usual = placement.delimiters();
        let (open, close) = spelling.tag.unwrap_or((usual.0.into(), usual.1.into()));
        let (name, native) = (dialect.name, guest.native);
        let (open, close) = (escaped(&open), escaped(&close));
        let tokens = DelimiterTokens::new(placement.is_headed(), &open, &close);
        Some(Self {
            tokens,
            placement,
            dialect: name,
            native,
            open,
            close,
            retag,
            escape: spelling.escape,
            fill: spelling.fill && placement.field() == Some(DEMANDED),
        })
    }

    /// Whether reasoning is written into the content.
    pub(in crate::dialect) fn is_inline(&self) -> bool {
        self.placement.is_inline()
    }

    /// What becomes of an uncertain tag in a text behind reasoning: the target's own can be escaped. A whole message is read
    /// back in place of refusing others.
    pub(in crate::dialect) fn moves(&self, tags: &Tags) -> Moves {
        let escapes = self.placement.is_tagged() && self.escape;
        let own = || {
            let [open, close] = [&self.open, &self.close].map(|tag| decoded(tag.as_bytes()));
            tags.rows().iter().position(|row| row.open.as_bytes() == open && row.close.as_bytes() == close)
        };
        Moves { escapes: escapes.then(own).flatten(), refuses: self.is_inline() }
    }

    /// Whether reasoning that is in the content already stays there.
    fn keeps(&self, thought: &Thought) -> bool {
        self.placement.keeps(thought)
    }

    /// Whether reasoning that stays gets other delimiters.
    fn retags(&self, thought: &Thought) -> bool {
        self.placement.is_tagged() && thought.is_inline() && (self.retag || thought.headed)
    }
}

impl ConversionTarget {
    /// Whether all of a record can be written in the target. A record that is left as it is always can.
    pub(in crate::dialect) fn supports(&self, record: &Record, plan: &Plan) -> bool {
        plan.unsupported.is_empty() || plan.edits.is_empty() && record.dialect() == self.dialect
    }
}

/// A text, escaped for a JSON string.
fn escaped(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_string()
}

/// What reading a message takes.
pub(in crate::dialect) struct Context<'a, 'b> {
    pub body: &'a Body<'b>,
    pub tags: &'a Tags,
    pub rows: Rows,
    pub inline: Options,
    pub notes: &'a mut Vec<Noted>,
}

impl<'b> Context<'_, 'b> {
    /// The same, where tags are not searched for within one message or delta.
    fn without_tags(&mut self) -> Context<'_, 'b> {
        static NONE: OnceLock<Tags> = OnceLock::new();
        let inline = Options { start: Start::Hindsight, ..self.inline };
        let tags = NONE.get_or_init(|| Tags::new(Vec::new()));
        Context { tags, inline, body: self.body, rows: self.rows, notes: &mut *self.notes }
    }
}

/// The error for a record with a part that cannot be written in the target.
pub(in crate::dialect) const UNSUPPORTED: &str = "a part that the target has no word for";

/// Whether a record is in the target already: a conversation with ThinkingBlocks in the content of chat messages, and no
/// other reasoning.
pub(in crate::dialect) fn is_settled(context: &Context<'_, '_>, record: &Record, target: &ConversionTarget) -> bool {
    let settled =
        |draft: &Draft| !is_blocks(context.body, draft) && !draft.units.iter().any(|unit| flat(draft, unit, context));
    let drafts = record.items.iter().filter_map(|item| match item {
        Item::Message(draft) | Item::Choice(draft) => Some(draft.as_ref()),
        _ => None,
    });
    target.placement.is_blocks() && record.style.blocks && { drafts }.all(settled)
}

/// Renames the list of messages of a request, if it has the name that another family uses.
pub(in crate::dialect) fn name_messages(body: &Body<'_>, walked: &Walked, record: &Record, plan: &mut Plan) {
    let request = matches!(record.items.first(), Some(Item::Start));
    if let Some(key) = request.then(|| misnamed(walked, body.text)).flatten() {
        plan.edits.push((body.span(key), vec![edits::text("messages")]));
    }
}

/// Adds the edits of a whole message. `gathered`: its events, if it gets another layout ([`ConversionTarget::changes_layout`]), and
/// what writes it.
///
/// # Errors
/// When it cannot be written in the target.
pub(in crate::dialect) fn message(
    context: &mut Context<'_, '_>,
    (draft, bare): (&Draft, bool),
    gathered: Option<(Gathered, &dyn Writer)>,
    target: &ConversionTarget,
    plan: &mut Plan,
) -> Result<(), Error> {
    let first = plan.edits.len();
    match gathered {
        Some((gathered, writer)) => graft::write(context, draft, gathered, (target, writer), plan)?,
        None => {
            let reading = Reading::of(context, draft)?;
            plan.unsupported.extend(message::unsupported(context.body.text, &reading, target));
            message::write(context, draft, &reading, target, false, plan)?;
            message::take_out(context, &reading, target, plan.edits.len() > first, plan);
        }
    }
    let edited = plan.edits.len() > first;
    let nobody = draft.members.list.iter().all(|member| member.slot != Slot::Role);
    if let Some(role) = target.placement.role().filter(|_| nobody && edited && (bare || draft.element.is_some())) {
        let at = draft.object.start + 1;
        plan.edits.insert(first, (context.body.span(at..at), vec![edits::text(role)]));
    }
    Ok(())
}

/// The key of a list of messages under `input`, the name of another family: requests to a gateway use it. Logs of
/// conversations use it too, but have other members, or no model.
fn misnamed(walked: &Walked, record: &[u8]) -> Option<Range<usize>> {
    use Slot::{Limit, Messages, Model, OwnParameter, Parameter, Thought, Tools};
    let node = super::body(walked);
    let list = |entry: &Entry| entry.token == Token::ArrayStart && entry.key.is(record, "input");
    let known = |entry: &Entry| match entry.slot {
        Limit | Model | OwnParameter | Parameter | Thought | Tools => true,
        Messages => list(entry),
        _ => false,
    };
    walked.get(node, Model).filter(|_| walked.all_of(node).all(known))?;
    walked.all(node, Messages).last().map(|entry| entry.key.start..entry.key.end)
}

/// Whether a unit may hold reasoning that is not a content part.
fn flat(draft: &Draft, unit: &Stretch, context: &Context<'_, '_>) -> bool {
    match unit {
        Stretch::Field(..) => true,
        Stretch::Deep(source, _) => *source != "part",
        Stretch::Text(literal) => draft.may_hold(context.tags, context.body.text, *literal),
        _ => false,
    }
}

/// Sends the edits and losses of a plan.
pub(in crate::dialect) fn send(plan: &Plan, sink: &mut dyn Sink) {
    edits::send(&plan.edits, sink);
    plan.losses.send(sink);
}
