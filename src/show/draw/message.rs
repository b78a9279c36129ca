//! Turns a message into steps of a drawing, block by block.

use super::DrawRules;
use super::chains::ChainKey;
use super::items::{RecentCalls, item, string};
use crate::count::{Counter, Trimmed};
use crate::json::text::{incomplete, utf8};
use crate::model::content::{Attribute, Block, BlockMessage, ContentKind, Envelope, Other, Stop};
use crate::model::gather::{COMMENTARY, Gather, GatherStep, TOOL_TEXT};
use crate::model::{Losses, Piece, PieceKind, Role};
use crate::policy::Verdict;
use crate::show::{BlockEnd, LineItem, MessageHead, TextBlockKind, Totals};
use crate::tokens::{CountedKind, TallyMessage};

/// A step of a message.
#[derive(Clone, Debug)]
pub(super) enum Drawn {
    /// The head, as it was when the message was the next to be drawn.
    Open(Box<MessageHead>),
    Begin(TextBlockKind),
    Heading(String),
    Text(String),
    End(BlockEnd),
    Item(LineItem),
}

/// The place of a message among all slots.
pub(super) struct DrawnPlace {
    /// Its number among all slots.
    pub slot: u64,
    /// How many bytes of its text wait.
    pub buffered: usize,
    /// Its place among sequences and delegations is known.
    pub placed: bool,
    /// It is drawn, since it is no copy of another message.
    pub drawn: bool,
    /// Its head is among its steps, or drawn.
    pub opened: bool,
}

/// A block of text, and what waits for its end.
#[derive(Default)]
struct OpenLines {
    /// The open block of text.
    block: Option<OpenText>,
    /// Calls and results that wait for the end of the open block.
    items: Vec<LineItem>,
}

/// A message that is open.
pub(super) struct DrawMessage {
    pub head: MessageHead,
    /// The number of its conversation in the stream.
    pub conversation: u32,
    /// The kind of record that it began in.
    pub envelope: Option<Envelope>,
    gather: Gather,
    /// It is drawn as it comes. If false, when it is over.
    pub streams: bool,
    /// The block of text that is open, and what waits for its end.
    lines: OpenLines,
    /// Its whole answer, if the input has it beside the pieces.
    pub answer: Option<Vec<u8>>,
    /// Something was cut from its answer.
    cut: bool,
    /// It is refused.
    pub refused: bool,
    pub totals: Totals,
    /// The error that it ended with, as JSON.
    error: String,
    /// Counts its tokens, as every other output does.
    pub counted: TallyMessage,
    /// The chain that it belongs to, and the call that this works for.
    pub chain: Option<(ChainKey, Vec<u8>)>,
    /// The steps that are not drawn yet.
    pub steps: Vec<Drawn>,
    /// Its place among all slots.
    pub place: DrawnPlace,
}

/// An open block of text.
struct OpenText {
    /// The block is drawn; if not, only counted.
    shown: bool,
    /// The bytes of an incomplete character.
    part: Vec<u8>,
    estimate: Trimmed,
}

impl DrawMessage {
    /// A message that begins. `streams`: it comes in pieces, and is drawn as they come.
    pub fn new(head: MessageHead, envelope: Option<Envelope>, streams: bool, slot: u64) -> Self {
        let gather = Gather::new(BlockMessage::new(head.role), streams, !streams).apart();
        let counted = TallyMessage::new(head.role);
        Self {
            counted,
            chain: None,
            head,
            conversation: 0,
            envelope,
            gather,
            streams,
            lines: OpenLines::default(),
            answer: None,
            cut: false,
            refused: false,
            totals: Totals::default(),
            error: String::new(),
            steps: Vec::new(),
            place: DrawnPlace { slot, buffered: 0, placed: false, drawn: true, opened: false },
        }
    }

    /// Its answer comes in full at its end, so that it is drawn then.
    pub fn wait(&mut self) {
        if self.streams && self.gather.message.blocks.is_empty() {
            self.gather = Gather::new(BlockMessage::new(self.head.role), false, true).apart();
            self.streams = false;
        }
    }

    pub fn piece(&mut self, piece: &Piece<'_>, rules: &DrawRules, names: &mut RecentCalls) {
        self.counted.piece(piece, Verdict::Keep, &mut names.counter);
        self.cut |= matches!(
            piece.kind,
            PieceKind::Delimiter | PieceKind::Stray | PieceKind::Frame | PieceKind::Structure | PieceKind::Refused
        );
        self.refused |= piece.kind == PieceKind::Refused;
        self.change(rules, names, |gather, steps, losses| gather.piece(piece, steps, losses));
    }

    /// Changes the gathered message, and makes the steps for the change.
    pub fn change(
        &mut self,
        rules: &DrawRules,
        names: &mut RecentCalls,
        work: impl FnOnce(&mut Gather, &mut Vec<GatherStep>, &mut Losses),
    ) {
        let (mut steps, mut losses) = (Vec::new(), Losses::default());
        work(&mut self.gather, &mut steps, &mut losses);
        if !self.streams {
            return;
        }
        steps.iter().for_each(|step| self.step(step, rules, names));
    }

    /// Its head is drawn as it is now, whatever comes later: what waits before it is only not copied yet.
    pub fn open_now(&mut self) {
        if !std::mem::replace(&mut self.place.opened, true) {
            self.steps.insert(0, Drawn::Open(Box::new(self.head.clone())));
        }
    }

    /// Notes a fact of the message, given as JSON.
    pub fn fact(&mut self, name: Attribute, value: &[u8]) {
        match name {
            Attribute::Id => self.head.id = string(value).unwrap_or_default(),
            Attribute::Model => self.head.model = string(value).unwrap_or_default(),
            Attribute::Thought => self.totals.logged = std::str::from_utf8(value).ok().and_then(|n| n.parse().ok()),
            Attribute::Error => {
                self.totals.stop = Some("failed");
                self.error = utf8(value).into_owned();
            }
            _ => (),
        }
    }

    /// Notes the stop reason.
    pub fn stop(&mut self, stop: Stop) {
        self.gather.message.stop = Some(stop);
        self.totals.stop = match stop {
            Stop::Length => Some("cut off at the limit of tokens"),
            Stop::Filter => Some("stopped by a filter"),
            Stop::Error => Some("failed"),
            Stop::End | Stop::Calls => self.totals.stop,
        };
    }

    /// Ends the message, and makes the rest of its steps.
    pub fn finish(&mut self, rules: &DrawRules, names: &mut RecentCalls) {
        self.change(rules, names, Gather::finish);
        if !self.streams {
            self.correct();
            let blocks = std::mem::take(&mut self.gather.message.blocks);
            for block in &blocks {
                self.whole(block, rules, names);
            }
        }
        if !self.error.is_empty() {
            let value = std::mem::take(&mut self.error);
            self.steps.push(Drawn::Item(LineItem::Other { kind: "error".into(), value }));
        }
        self.count(&mut names.counter);
    }

    /// Sums up its tokens: those of the text, of the reasoning, of calls and their results.
    fn count(&mut self, counter: &mut Counter) {
        let (role, apart) = (self.head.role, self.counted.apart.is_some());
        let calls = self.counted.blocks(counter);
        let totals = &mut self.totals;
        (totals.visible, totals.reasoning, totals.tools, totals.sealed) = (0, 0, 0, self.counted.sealed);
        for block in calls {
            match block.kind {
                CountedKind::Reasoning => totals.reasoning += block.tokens,
                CountedKind::Visible => totals.visible += block.tokens,
                // What is not the assistant's is text of others, or a result.
                CountedKind::Rest if matches!(role, Role::User | Role::System) && !block.is_call => {
                    totals.visible += block.tokens;
                }
                CountedKind::Rest => totals.tools += block.tokens,
            }
        }
        totals.answers = if role == Role::Assistant && !apart { totals.visible } else { 0 };
    }

    /// Its calls so far: their identifiers and arguments.
    pub fn calls(&self) -> impl Iterator<Item = (String, String)> {
        let calls = self.gather.message.blocks.iter().filter(|block| block.kind == ContentKind::Other(Other::Call));
        calls.filter_map(|block| {
            let id = block.filled(Attribute::CallId).and_then(string)?;
            let arguments = match block.get(Attribute::Arguments) {
                Some(value) => string(value).unwrap_or_else(|| utf8(value).into_owned()),
                None => utf8(&block.text.decoded()).into_owned(),
            };
            Some((id, arguments))
        })
    }

    /// The first text of a message that is whole, and the calls that its results answer.
    pub fn peek(&self) -> (Vec<u8>, Vec<String>) {
        let blocks = &self.gather.message.blocks;
        let text = blocks.iter().find(|block| block.kind == ContentKind::Text);
        let results = blocks.iter().filter(|block| block.kind == ContentKind::Other(Other::Result));
        let results = results.filter_map(|block| block.filled(Attribute::ResultOf)).filter_map(string).collect();
        (text.map(|block| block.text.decoded().into_owned()).unwrap_or_default(), results)
    }

    /// Replaces the answer in pieces by the whole one, if the input has it.
    fn correct(&mut self) {
        let Some(answer) = self.answer.take().filter(|_| !self.cut) else { return };
        let blocks = &mut self.gather.message.blocks;
        let is_answer = |block: &Block| block.kind == ContentKind::Text && block.source.is_empty();
        match blocks.iter().position(is_answer) {
            Some(first) => {
                blocks[first].text = answer.into();
                let mut at = 0..;
                blocks.retain(|block| !is_answer(block) || at.next() == Some(0));
            }
            None => {
                let mut block = Block::new(ContentKind::Text, "", 0);
                block.text = answer.into();
                blocks.push(block);
            }
        }
    }

    /// Makes the steps of a complete block.
    fn whole(&mut self, block: &Block, rules: &DrawRules, names: &mut RecentCalls) {
        let Some(kind) = flow_of(block) else {
            let item = item(block, &self.head, rules, names);
            return self.steps.extend(item.map(Drawn::Item));
        };
        let headings = headings(block);
        if !block.text.is_empty() || block.is_sealed() || !headings.is_empty() {
            self.begin(kind, rules);
            let shown = self.lines.block.as_ref().is_some_and(|flow| flow.shown && !headings.is_empty());
            self.steps.extend(shown.then_some(Drawn::Heading(headings)));
            self.text(&block.text.decoded());
            self.end(block.is_sealed());
        }
    }

    /// Makes the steps for a step of a stream.
    fn step(&mut self, step: &GatherStep, rules: &DrawRules, names: &mut RecentCalls) {
        let (GatherStep::Open(at) | GatherStep::Feed(at, _) | GatherStep::Close(at)) = step;
        let block = &self.gather.message.blocks[*at];
        let (kind, sealed) = (flow_of(block), block.is_sealed());
        match (step, kind) {
            (GatherStep::Open(_), Some(kind)) => self.begin(kind, rules),
            (GatherStep::Feed(_, text), Some(_)) => self.text(&text.decoded()),
            (GatherStep::Close(_), Some(_)) => self.end(sealed),
            (GatherStep::Close(_), None) => {
                let item = item(block, &self.head, rules, names);
                match self.lines.block {
                    Some(_) => self.lines.items.extend(item),
                    None => self.steps.extend(item.map(Drawn::Item)),
                }
            }
            (GatherStep::Open(_) | GatherStep::Feed(..), None) => (),
        }
    }

    fn begin(&mut self, kind: TextBlockKind, rules: &DrawRules) {
        let shown = rules.reasoning || kind != TextBlockKind::Reasoning;
        self.totals.hidden |= !shown;
        self.totals.hidden_blocks += u64::from(!shown);
        self.lines.block = Some(OpenText { shown, part: Vec::new(), estimate: Trimmed::default() });
        self.steps.extend(shown.then_some(Drawn::Begin(kind)));
    }

    /// Adds text to the open block. An incomplete character waits for the rest of it.
    fn text(&mut self, text: &[u8]) {
        let Some(flow) = &mut self.lines.block else { return };
        let joined;
        let text = match flow.part.is_empty() {
            true => text,
            false => {
                flow.part.extend_from_slice(text);
                joined = std::mem::take(&mut flow.part);
                &joined
            }
        };
        let (now, part) = text.split_at(text.len() - incomplete(text));
        flow.part = part.to_vec();
        flow.draw(now, &mut self.steps);
    }

    fn end(&mut self, sealed: bool) {
        let Some(mut flow) = self.lines.block.take() else { return };
        let part = std::mem::take(&mut flow.part);
        flow.draw(&part, &mut self.steps);
        let tokens = flow.estimate.tokens();
        self.steps.extend(flow.shown.then_some(Drawn::End(BlockEnd { tokens, sealed })));
        self.steps.extend(self.lines.items.drain(..).map(Drawn::Item));
    }
}

impl OpenText {
    fn draw(&mut self, text: &[u8], steps: &mut Vec<Drawn>) {
        if text.is_empty() {
            return;
        }
        let text = utf8(text);
        self.estimate.push(&text);
        steps.extend(self.shown.then(|| Drawn::Text(text.into_owned())));
    }
}

/// The kind of text that a block is, if it is text.
fn flow_of(block: &Block) -> Option<TextBlockKind> {
    match block.kind {
        ContentKind::Text if block.source == TOOL_TEXT => None,
        ContentKind::Text if block.source == COMMENTARY => Some(TextBlockKind::Commentary),
        ContentKind::Text => Some(TextBlockKind::Text),
        ContentKind::Reasoning => Some(TextBlockKind::Reasoning),
        ContentKind::Other(_) => None,
    }
}

/// The titles of a block, in bold, as they stand before its text.
fn headings(block: &Block) -> String {
    let all = block.facts.iter().filter(|(name, _)| *name == Attribute::Heading);
    let mut out: String = all
        .filter_map(|(_, value)| string(value))
        .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|line| !line.is_empty())
        // Emphasis would end at such a character in it.
        .map(|line| if line.contains(['*', '`', '\\']) { line + "\n" } else { format!("**{line}**\n") })
        .collect();
    if !out.is_empty() && !block.text.is_empty() {
        out.push('\n');
    }
    out
}
