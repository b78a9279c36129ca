//! Converts raw text: for a dialect of tags, only the tags change. For a dialect of messages, the text becomes a
//! message on one line, or several messages if it has headers with roles.

use super::closing::escape;
use super::harmony::{self, AGAIN};
use super::plan::text;
use super::retag::is_foreign;
use super::{Placement, Target};
use crate::dialect::inline_text::Noted;
use crate::inline::Note;
use crate::json::text::{decoded, utf8};
use crate::model::{Bit, Event, Kind, Loss, Losses, Piece, Role, Sink, is_glued};
use crate::span::Span;
use std::borrow::Cow;

/// Rewrites one text.
pub(in crate::dialect) struct TextRewriter {
    target: Target,
    /// The range of the text, once it has begun.
    at: Option<Span>,
    messages: Vec<Message>,
    /// It has messages of several roles.
    turns: bool,
    /// It has messages with headers.
    headed: bool,
    /// The last piece was the header or the end of a message.
    frame: bool,
    /// The last piece was text of a message.
    last: bool,
    /// The open block whose delimiters are replaced.
    block: Option<Block>,
    losses: Losses,
}

/// A message of the text.
struct Message {
    role: Role,
    /// The name of the tool, for a tool result.
    name: Option<String>,
    /// Its role is developer, which a chat distinguishes from system.
    developer: bool,
    visible: Vec<u8>,
    /// White space that is dropped if it stands between two messages.
    blank: Vec<u8>,
    joins: bool,
    /// A header or end token has ended a message in it.
    ended: bool,
    /// The texts of its blocks of reasoning, each with whether visible text came before.
    blocks: Vec<(Vec<u8>, bool)>,
}

/// An open block.
struct Block {
    /// From its opening tag to its end so far.
    at: Span,
    text: Vec<u8>,
    spans: Vec<Span>,
}

impl Message {
    fn new(role: Role) -> Self {
        let (visible, blank) = (Vec::new(), Vec::new());
        Self { role, name: None, developer: false, visible, blank, joins: false, ended: false, blocks: Vec::new() }
    }

    /// Adds visible text. `joins`: it is a message of its own.
    fn add_visible(&mut self, text: &[u8], joins: bool) {
        self.blank.extend_from_slice(text);
        self.joins |= joins;
        if self.ended && text.trim_ascii().is_empty() {
            return;
        }
        let joins = std::mem::take(&mut self.joins) && is_glued(&self.visible, &self.blank);
        self.visible.extend_from_slice(if joins { b"\n" } else { b"" });
        self.visible.append(&mut self.blank);
        self.ended = false;
    }
}

impl TextRewriter {
    pub fn new(target: Target) -> Self {
        let messages = vec![Message::new(Role::Assistant)];
        let (turns, headed, frame, last) = (false, false, false, false);
        Self { target, at: None, messages, turns, headed, frame, last, block: None, losses: Losses::default() }
    }

    /// The offset from which on nothing is written yet.
    pub fn from(&self) -> Option<u64> {
        match self.target.placement {
            Placement::Tagged => self.block.as_ref().map(|block| block.at.start),
            _ => Some(self.at.map_or(0, |at| at.start)),
        }
    }

    pub fn piece(&mut self, piece: &Piece<'_>, sink: &mut dyn Sink) {
        if self.target.placement == Placement::Tagged {
            self.retag(piece, sink);
        }
        if let (Some(first), Some(last)) = (piece.at.first(), piece.at.last()) {
            let start = self.at.map_or(first.start, |at| at.start.min(first.start));
            self.at = Some(Span::new(start, last.end));
        }
        self.headed |= matches!(piece.kind, Kind::Frame | Kind::Structure);
        if let Kind::Reasoning(source) = piece.kind {
            self.headed |= !is_foreign(source, &Target { placement: Placement::Harmony, ..self.target.clone() });
        }
        if let Kind::Turn(role) = piece.kind {
            let first = !std::mem::replace(&mut self.turns, true);
            let empty = |m: &Message| m.blocks.is_empty() && m.visible.trim_ascii().is_empty();
            if first && self.messages.iter().all(empty) {
                self.messages.clear();
            }
            self.messages.push(Message::new(role));
        }
        let turns = self.turns;
        self.last &= piece.at.is_empty();
        let Some(message) = self.messages.last_mut() else { return };
        match piece.kind {
            Kind::Reasoning(_) if piece.fresh => {
                message.blocks.push((piece.text.to_vec(), !message.visible.trim_ascii().is_empty()));
            }
            Kind::Reasoning(_) => {
                if let Some((block, _)) = message.blocks.last_mut() {
                    block.extend_from_slice(piece.text);
                }
            }
            Kind::Delimiter => message.ended |= turns,
            Kind::Structure if turns => {
                message.ended = !piece.text.ends_with(b"<|message|>");
                message.blank.clear();
                match (message.role, name(piece.text)) {
                    (Role::Tool, Some(name)) => drop(message.name.get_or_insert(name)),
                    (Role::System, Some(name)) => message.developer |= name == "developer",
                    _ => (),
                }
            }
            Kind::Visible | Kind::Commentary | Kind::Tool | Kind::Gap | Kind::Structure => {
                self.losses.extend((piece.kind == Kind::Commentary && piece.fresh).then_some(Loss::Channel));
                let joins = piece.fresh && (self.frame || turns);
                message.add_visible(piece.text, joins);
                self.last = message.blank.is_empty();
            }
            _ => (),
        }
        self.frame = piece.kind == Kind::Frame || self.frame && !piece.kind.is_visible();
    }

    /// Reads notes of the text reader: the name of an unknown channel is a loss.
    pub fn note(&mut self, notes: &[Noted]) {
        self.losses.extend(notes.iter().filter(|(_, note)| *note == Note::Channel).map(|_| Loss::Channel));
    }

    /// Replaces the delimiters of a piece.
    fn retag(&mut self, piece: &Piece<'_>, sink: &mut dyn Sink) {
        let put = |at: &[Span], text: Vec<u8>, sink: &mut dyn Sink| {
            for (i, at) in at.iter().enumerate() {
                // A tag may span two reads of the input: the delimiter replaces the first part, the second is cut.
                let bits = if i == 0 { vec![Bit::Text(Cow::Owned(text.clone()))] } else { Vec::new() };
                sink.event(&Event::Edit { at: *at, with: &bits });
            }
        };
        match (piece.kind, &mut self.block) {
            (Kind::Reasoning(source), _) if piece.fresh => {
                let Some(first) = piece.at.first().filter(|_| is_foreign(source, &self.target)) else { return };
                // In a conversation of several roles, every message keeps its header.
                let header = if self.turns { [AGAIN, "<|message|>"].concat() } else { String::new() };
                put(piece.at, [header.into_bytes(), decoded(self.target.open.as_bytes())].concat(), sink);
                let at = Span::new(first.start, piece.at.last().map_or(first.end, |last| last.end));
                self.block = Some(Block { at, text: Vec::new(), spans: Vec::new() });
            }
            (Kind::Reasoning(_), Some(block)) => {
                block.text.extend_from_slice(piece.text);
                block.spans.extend_from_slice(piece.at);
                block.at.end = piece.at.last().map_or(block.at.end, |last| last.end);
            }
            (Kind::Delimiter, Some(block)) => {
                let plain = utf8(&block.text);
                let harmless = escape(&plain, &self.target);
                if harmony::closes(&block.text, &self.target) {
                    put(&block.spans, harmless.into_bytes(), sink);
                    let mut losses = Losses::default();
                    losses.push_at(Some(block.at.start), Loss::Escaped);
                    losses.send(sink);
                }
                let end = [Span::new(block.at.end, block.at.end)];
                let header = if self.turns { "<|end|>" } else { "" };
                let close = [decoded(self.target.close.as_bytes()), header.as_bytes().to_vec()].concat();
                put(if piece.at.is_empty() { &end } else { piece.at }, close, sink);
                self.block = None;
            }
            (Kind::Delimiter, None) if self.target.retag => put(piece.at, decoded(self.target.close.as_bytes()), sink),
            (Kind::Frame, _) => put(piece.at, Vec::new(), sink),
            (Kind::Visible | Kind::Commentary | Kind::Tool, _) if !self.turns => {
                let before = self.messages.last().map_or(&[][..], |m| m.visible.as_slice());
                let joins = piece.fresh && self.frame && is_glued(before, piece.text);
                if let Some(at) = piece.at.first().filter(|_| joins) {
                    put(&[Span::new(at.start, at.start)], b"\n".to_vec(), sink);
                }
            }
            _ => (),
        }
    }

    /// Ends the text, and writes it as messages, one on a line.
    pub fn finish(&mut self, sink: &mut dyn Sink) {
        let Some(at) = self.at else { return };
        if let Some(message) = self.messages.last_mut() {
            // The last newline belongs to the file, not to the message, unless a delimiter follows it.
            let line = self.target.placement != Placement::Harmony && self.last && message.visible.ends_with(b"\n");
            message.visible.truncate(message.visible.len() - usize::from(line));
        }
        let written = match self.target.placement {
            Placement::Tagged => None,
            Placement::Harmony => (!self.headed).then(|| self.harmony()).flatten(),
            Placement::Field(key) => Some(self.messages.iter().map(|m| chat(m, key)).collect()),
            Placement::Blocks => Some(self.messages.iter().map(blocks).collect()),
        };
        if written.is_some() || self.target.placement == Placement::Tagged {
            self.losses.send(sink);
            self.losses = Losses::default();
        }
        if let Some(written) = written {
            let several = |m: &Message| m.blocks.len().saturating_sub(1);
            let (joined, blocks) =
                (self.messages.iter().map(several).sum(), self.messages.iter().flat_map(|m| &m.blocks));
            let joined = if let Placement::Field(_) = self.target.placement { joined } else { 0 };
            let late = blocks.filter(|(_, late)| *late && self.target.placement != Placement::Blocks);
            let mut losses = Losses::default();
            losses.extend((0..joined).map(|_| Loss::Blocks));
            losses.extend(late.map(|_| Loss::Order));
            losses.send(sink);
            sink.event(&Event::Edit { at, with: &[text(written)] });
        }
    }

    /// The text as messages of Harmony, with its reasoning in front.
    fn harmony(&mut self) -> Option<String> {
        let message = self.messages.first().filter(|m| !m.blocks.is_empty())?;
        let blocks: Vec<&[u8]> = message.blocks.iter().map(|(block, _)| block.as_slice()).collect();
        let written = harmony::read(&blocks, &message.visible);
        if written.is_none() {
            self.losses.push(Loss::Escaped);
        }
        let harmless = |text: &[u8]| escape(&utf8(text), &self.target).into_bytes();
        let safe: Vec<Vec<u8>> = blocks.iter().map(|block| harmless(block)).collect();
        let safe: Vec<&[u8]> = safe.iter().map(Vec::as_slice).collect();
        Some(written.unwrap_or_else(|| harmony::written(&safe, &harmless(&message.visible))))
    }
}

/// The role or the tool in a header. A tool may lack a name.
fn name(header: &[u8]) -> Option<String> {
    let name = std::str::from_utf8(header).ok()?.strip_prefix("<|start|>")?;
    let name = &name[..name.find(['<', ' ']).unwrap_or(name.len())];
    (!name.is_empty() && name != "tool").then(|| name.to_string())
}

fn quoted(text: &[u8]) -> String {
    serde_json::Value::from(utf8(text)).to_string()
}

fn member(name: Option<&String>) -> String {
    name.map_or_else(String::new, |name| format!("\"name\":{},", quoted(name.as_bytes())))
}

/// A chat message with its reasoning in a field.
fn chat(message: &Message, key: &str) -> String {
    let role = match message.role {
        Role::Assistant => "assistant",
        Role::User => "user",
        Role::System if message.developer => "developer",
        Role::System => "system",
        Role::Tool => "tool",
    };
    let all: Vec<&[u8]> = message.blocks.iter().map(|(block, _)| block.as_slice()).collect();
    let reasoning = match all.as_slice() {
        [] => String::new(),
        all => format!(",\"{key}\":{}", quoted(&all.join(&b'\n'))),
    };
    let name = member(message.name.as_ref());
    format!("{{\"role\":\"{role}\",{name}\"content\":{}{reasoning}}}\n", quoted(&message.visible))
}

/// A message with blocks.
fn blocks(message: &Message) -> String {
    let speaker = match message.role {
        Role::Assistant => "ai",
        Role::User => "human",
        Role::Tool => "tool",
        // No format has blocks for the system.
        Role::System => return chat(message, ""),
    };
    let block = |(block, _): &(Vec<u8>, bool)| {
        let thought = quoted(block);
        format!("{{\"type\":\"thinking\",\"thought\":{thought},\"sourceField\":\"think_tags\"}},")
    };
    let blocks: String = message.blocks.iter().map(block).collect();
    let answer = format!("{{\"type\":\"text\",\"text\":{}}}", quoted(&message.visible));
    let name = member(message.name.as_ref());
    format!("{{\"speaker\":\"{speaker}\",{name}\"blocks\":[{blocks}{answer}]}}\n")
}
