//! The same conversation twice, before and after a change: which messages of both belong together, and what is different in
//! them. Pages and the terminal draw what is found here.

use super::diff::{Change, lines};
use super::{BlockEnd, LineItem, MessageHead, Painter, Role, Step, TextBlockKind, Totals, words};
use crate::printable::printable;
use serde_json::Value;

/// The name of the second input for `Sides`. It is made of a hidden character, so that nothing is redacted in it.
pub const AFTER: &str = "\u{2}";

/// A part of a message.
#[derive(Clone, Debug)]
pub enum RecordedPart {
    /// A block of text.
    Text(TextBlockKind, String, BlockEnd),
    /// Anything else.
    Item(LineItem),
}

/// A message, as the steps of the drawing have it.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    pub head: MessageHead,
    pub parts: Vec<RecordedPart>,
    pub totals: Totals,
}

/// The messages before and after the change.
#[derive(Debug, Default)]
pub struct Sides {
    pub messages: [Vec<Recorded>; 2],
    /// What could not be read of each.
    pub unread: [Vec<String>; 2],
    side: usize,
    block: Option<(TextBlockKind, String)>,
}

/// A message with its partner, or alone.
#[derive(Clone, Copy, Debug)]
pub struct PairRow<'a> {
    pub before: Option<&'a Recorded>,
    pub after: Option<&'a Recorded>,
}

/// What is different in the two messages of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// Blocks of reasoning that are only before, their tokens, and blocks that are only after.
    pub went: usize,
    pub tokens: u64,
    pub came: usize,
    /// The visible text is another one; so are calls, their results, or what else is in a message.
    pub text: bool,
    pub items: bool,
}

impl Sides {
    /// Notes a step.
    pub fn step(&mut self, step: Step<'_>) {
        let side = self.side;
        let last = self.messages[side].last_mut();
        match step {
            Step::Input(name) => self.side = usize::from(name == AFTER),
            Step::Open(head) => self.messages[side].push(Recorded { head: head.clone(), ..Recorded::default() }),
            Step::Begin(kind) => self.block = Some((kind, String::new())),
            Step::Text(text) | Step::Heading(text) => self.block.iter_mut().for_each(|(_, block)| block.push_str(text)),
            Step::End(end) => {
                if let (Some((kind, text)), Some(last)) = (self.block.take(), last) {
                    last.parts.push(RecordedPart::Text(kind, text, end));
                }
            }
            Step::Item(item) => last.into_iter().for_each(|last| last.parts.push(RecordedPart::Item(item.clone()))),
            Step::Close(totals) => last.into_iter().for_each(|last| last.totals = *totals),
            Step::Unread { first, last, what } => {
                let records =
                    if first == last { format!("Record {first} is") } else { format!("Records {first} to {last} are") };
                self.unread[side].push(format!("{records} not shown: {what}"));
            }
            Step::Conversation { .. } | Step::Aside { .. } | Step::Cost(_) => (),
        }
    }

    /// The messages of both in order. Those of one role and one text belong together, and between these, those of one role
    /// that stand at the same place.
    pub fn rows(&self) -> Vec<PairRow<'_>> {
        let [before, after] = &self.messages;
        let keys = self.messages.each_ref().map(|messages| messages.iter().map(Recorded::key).collect::<String>());
        let (mut i, mut j, mut rows) = (0, 0, Vec::new());
        let (mut gone, mut come) = (Vec::new(), Vec::new());
        for (change, _) in lines(&keys[0], &keys[1]) {
            match change {
                Change::Goes => gone.extend(before.get(i)),
                Change::Comes => come.extend(after.get(j)),
                Change::Stays => {
                    pairs(std::mem::take(&mut gone), std::mem::take(&mut come), &mut rows);
                    rows.push(PairRow { before: before.get(i), after: after.get(j) });
                }
            }
            i += usize::from(change != Change::Comes);
            j += usize::from(change != Change::Goes);
        }
        pairs(gone, come, &mut rows);
        rows
    }

    /// What is different in all, in sentences.
    pub fn sums(&self) -> Vec<String> {
        let rows = self.rows();
        let differences: Vec<Difference> = rows.iter().map(PairRow::difference).collect();
        let sum = |of: &dyn Fn(&Difference) -> u64| differences.iter().map(of).sum::<u64>();
        let alone = |is: &dyn Fn(&PairRow<'_>) -> bool| rows.iter().filter(|row| is(row)).count() as u64;
        let same = rows.iter().zip(&differences).filter(|(row, found)| row.is_pair() && found.is_none()).count();
        let s = |n: u64, noun: &str| format!("{n} {noun}{}", if n == 1 { "" } else { "s" });
        let [before, after] = self.messages.each_ref().map(|messages| messages.len() as u64);
        vec![
            format!("{} before, {after} after; {same} are the same.", s(before, "message")),
            format!(
                "{} of reasoning went (about {} tokens), {} came.",
                s(sum(&|found| found.went as u64), "block"),
                sum(&|found| found.tokens),
                sum(&|found| found.came as u64)
            ),
            format!(
                "{} changed; calls or results changed in {}.",
                s(sum(&|found| u64::from(found.text)), "text"),
                s(sum(&|found| u64::from(found.items)), "message")
            ),
            format!(
                "{} only before, {} only after.",
                s(alone(&|row| row.after.is_none()), "message"),
                alone(&|row| row.before.is_none())
            ),
        ]
    }
}

/// Puts messages together that stand between the same others: in order, if they are of one role.
fn pairs<'a>(gone: Vec<&'a Recorded>, come: Vec<&'a Recorded>, rows: &mut Vec<PairRow<'a>>) {
    let mut come = come.into_iter().peekable();
    for before in gone {
        let after = come.next_if(|after| after.head.role == before.head.role);
        rows.push(PairRow { before: Some(before), after });
    }
    rows.extend(come.map(|after| PairRow { before: None, after: Some(after) }));
}

/// A text with one space for any white space.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Recorded {
    /// The visible text, or the reasoning.
    pub fn text(&self, reasoning: bool) -> Vec<(&str, u64)> {
        let texts = self.parts.iter().filter_map(|part| match part {
            RecordedPart::Text(kind, text, end) if (*kind == TextBlockKind::Reasoning) == reasoning => {
                Some((text.as_str(), end.tokens))
            }
            _ => None,
        });
        texts.collect()
    }

    /// The visible text as one.
    pub fn visible(&self) -> String {
        let texts: Vec<&str> =
            self.text(false).into_iter().map(|(text, _)| text.trim()).filter(|text| !text.is_empty()).collect();
        texts.join("\n\n")
    }

    /// What is neither text nor reasoning, without identifiers.
    fn items(&self) -> Vec<(u8, String, Value)> {
        let value = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| Value::String(folded(text)));
        let items = self.parts.iter().filter_map(|part| match part {
            RecordedPart::Item(LineItem::Call { name, arguments, .. }) => Some((0, name.clone(), value(arguments))),
            RecordedPart::Item(LineItem::Result { text, .. }) => Some((1, String::new(), value(text))),
            RecordedPart::Item(LineItem::Media(media)) => {
                Some((2, media.name.clone(), Value::String(media.base64.clone())))
            }
            RecordedPart::Item(LineItem::Other { kind, value: all }) => Some((3, kind.clone(), value(all))),
            RecordedPart::Item(LineItem::Tools(count)) => Some((4, String::new(), (*count).into())),
            RecordedPart::Text(..) => None,
        });
        items.collect()
    }

    /// A line that is the same for messages that belong together.
    fn key(&self) -> String {
        let calls: String =
            self.items().into_iter().map(|(kind, name, _)| format!(" {kind}:{}", folded(&name))).collect();
        format!("{:?} {}{calls}\n", self.head.role, folded(&self.visible()))
    }
}

impl PairRow<'_> {
    /// Whether both are there.
    pub fn is_pair(&self) -> bool {
        self.before.is_some() && self.after.is_some()
    }

    /// What is different. Of a message without a partner, what it has.
    pub fn difference(&self) -> Difference {
        let reasoning = |of: Option<&Recorded>| -> Vec<(String, u64)> {
            let texts = of.map(|of| of.text(true)).unwrap_or_default();
            texts.into_iter().map(|(text, tokens)| (folded(text), tokens)).collect()
        };
        let mut came = reasoning(self.after);
        let mut found = Difference::default();
        for (text, tokens) in reasoning(self.before) {
            match came.iter().position(|(other, _)| *other == text) {
                Some(at) => drop(came.remove(at)),
                None => {
                    found.went += 1;
                    found.tokens += tokens;
                }
            }
        }
        found.came = came.len();
        if let (Some(before), Some(after)) = (self.before, self.after) {
            found.text = folded(&before.visible()) != folded(&after.visible());
            found.items = before.items() != after.items();
        }
        found
    }

    /// What is different, in words.
    pub fn label(&self) -> String {
        let found = self.difference();
        let mut said = Vec::new();
        said.extend(self.after.is_none().then(|| "only before".to_string()));
        said.extend(self.before.is_none().then(|| "only after".to_string()));
        if self.is_pair() {
            said.extend((found.went > 0).then(|| format!("reasoning went, about {} tokens", found.tokens)));
            said.extend((found.came > 0).then(|| "reasoning came".to_string()));
            said.extend(found.text.then(|| "the text changed".to_string()));
            said.extend(found.items.then(|| "calls or results changed".to_string()));
        }
        if said.is_empty() { "the same".into() } else { said.join(", ") }
    }
}

impl Difference {
    /// Nothing is different.
    pub fn is_none(&self) -> bool {
        *self == Self { tokens: self.tokens, ..Self::default() }
    }
}

/// What is different, for a terminal: a line for each message in which something is.
#[derive(Debug, Default)]
pub struct PairLines {
    sides: Sides,
    counts: Vec<(String, u64)>,
}

impl Painter for PairLines {
    fn step(&mut self, step: Step<'_>, _out: &mut Vec<u8>) {
        self.sides.step(step);
    }

    fn redacted(&mut self, counts: &[(String, u64)], _out: &mut Vec<u8>) {
        self.counts = counts.to_vec();
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        let mut text: Vec<String> = self.sides.sums();
        let number = |of: Option<&Recorded>| of.map_or("-".to_string(), |of| of.head.number.to_string());
        for row in self.sides.rows().iter().filter(|row| !row.is_pair() || !row.difference().is_none()) {
            let role = row.before.or(row.after).map_or(Role::default(), |of| of.head.role);
            text.push(format!("{} {} → {}: {}", words::role(role), number(row.before), number(row.after), row.label()));
        }
        for (name, unread) in ["before", "after"].iter().zip(&self.sides.unread) {
            text.extend(unread.iter().map(|what| format!("! {name}: {}", printable(what))));
        }
        text.extend(self.counts.iter().map(|(name, count)| format!("redacted: {name} {count}")));
        text.iter().for_each(|line| out.extend_from_slice(format!("{line}\n").as_bytes()));
    }
}
