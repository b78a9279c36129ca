//! Texts of messages with headers, such as Harmony: follows their roles and channels.

use super::stands::Decision;
use super::types::{Doubt, Inline, Note, Scanned, StretchKind};
use super::{MAX_RECENT_BYTES, Mode, OpenTagBlock, TagScanner};
use crate::inline::headers;
use crate::inline::headers::MessageKind;
use crate::inline::marks::label::label;
use crate::inline::marks::lost::is_bare;
use crate::inline::marks::{FoundMark, MarkHit, MarkRole};
use crate::inline::stand::Stand;
use crate::model::Role as Speaker;

/// Begins a message of any role.
pub(super) const START: &[u8] = b"<|start|>";

/// The beginning of a header with a recipient behind the channel.
const LEAD: &[u8] = b"<|start|>assistant<|channel|>";
const CHANNEL: usize = b"<|channel|>".len();

impl TagScanner {
    /// Examines the beginning of the message, once. Returns whether enough of it has arrived.
    pub(super) fn begin(&mut self, eof: bool, sink: &mut dyn FnMut(Scanned<'_>)) -> bool {
        if let Mode::Visible = self.mode {
            let start = &self.text[self.visible.blank_to..];
            let i = self.text.len() - start.trim_ascii_start().len();
            let rest = &self.text[i..];
            let Some(bare) = is_bare(rest, eof) else { return false };
            if self.tags.has_marker() && !self.messages.no_marker {
                self.start.examined = true;
                return true;
            }
            self.messages.bare = bare;
            self.messages.templated = matches!(rest.first(), Some(b'<' | b'['));
            let turn = matches!(rest, [b'<', b'|' | b's' | b'b' | 0xEF, ..] | [b'[', b'A' | b'I' | b'S', ..]);
            self.messages.in_template = turn;
            let mut hit = self.tags.at_start(&self.text, i, eof);
            let mut i = i;
            if hit == MarkHit::No && self.is_blank_before(i) {
                let Some(label) = label(rest, eof) else { return false };
                if label > 0 {
                    i += label;
                    hit = match self.tags.at_start(&self.text, i, eof) {
                        MarkHit::Yes(FoundMark { role: MarkRole::Header(_), .. }) => MarkHit::No,
                        // What programs print is read at the start only: elsewhere it is refused.
                        MarkHit::Yes(mark) if self.tags.rows()[mark.row].open.ends_with('\n') => MarkHit::No,
                        hit => hit,
                    };
                }
            }
            self.start.examined = !matches!(hit, MarkHit::Partial | MarkHit::Attributes);
            match hit {
                MarkHit::Yes(FoundMark { row, role: MarkRole::Header(kind), len, .. }) => {
                    // A space before the header belongs to it.
                    let from = i - usize::from(self.text[self.visible.blank_to..i].ends_with(b" "));
                    self.header((from, i + len), row, kind, sink);
                }
                MarkHit::Yes(mark) => {
                    self.opening_delimiter((i, i + mark.len), mark.row, false, None, sink);
                    self.messages.prose = matches!(self.mode, Mode::Block(_)).then_some(mark.row);
                }
                _ => (),
            }
            return self.start.examined;
        }
        self.start.examined = true;
        true
    }

    /// How the header of a message is taken in visible text; `None` if the text behind it must come first. In a text of
    /// messages it counts.
    pub(super) fn decide_header(&mut self, at: (usize, usize), kind: MessageKind, eof: bool) -> Option<Decision> {
        if self.has_messages() || kind == MessageKind::Prompt {
            return Some(Decision::Counts(None));
        }
        let reasons = matches!(kind, MessageKind::Reasoning | MessageKind::Unknown);
        Some(match self.around(at, eof, |around| around.opens())? {
            Stand::Mention | Stand::Pattern => self.spoken(),
            Stand::Undecided | Stand::Contested if self.options.inline == Inline::Delimiter => Decision::Counts(None),
            Stand::Undecided | Stand::Contested if !reasons || self.options.inline == Inline::Mention => self.spoken(),
            Stand::Undecided => self.in_sentence(None),
            Stand::Contested => Decision::Doubt(Doubt::Contested),
            Stand::Opens(_) | Stand::Closes(_) => Decision::Counts(None),
        })
    }

    /// Whether the text has messages with headers.
    pub(super) fn has_messages(&self) -> bool {
        self.messages.found_header || self.messages.transcript
    }

    /// Applies the header of a message, outside of reasoning.
    pub(super) fn header(
        &mut self,
        at: (usize, usize),
        row: usize,
        kind: MessageKind,
        sink: &mut dyn FnMut(Scanned<'_>),
    ) {
        let start = self.messages.found_header || self.text[at.0..].starts_with(b"<|start|>");
        self.message_over();
        if let MessageKind::Reasoning | MessageKind::Unknown = kind {
            self.back_to_assistant(at.0, sink);
            self.opening_delimiter(at, row, start, None, sink);
            if let Mode::Block(OpenTagBlock { tentative: false, .. }) = self.mode {
                self.messages.found_header = true;
                self.notes.extend((kind == MessageKind::Unknown).then_some(Note::Channel));
            }
            return;
        }
        self.start.open = false;
        if kind == MessageKind::Prompt {
            self.back_to_assistant(at.0, sink);
            return self.structure(at, sink);
        }
        self.messages.found_header = true;
        match kind {
            MessageKind::Other(role) => {
                self.visible(at.0, sink);
                self.messages.transcript = true;
                self.visible.commentary = false;
                sink(Scanned { part: StretchKind::Turn(role), at: self.place.base + at.0 as u64, text: b"" });
                self.remove_header(at, sink);
                self.mode = Mode::Other;
            }
            MessageKind::Call => {
                self.back_to_assistant(at.0, sink);
                // The part before the channel does not belong to the call.
                let lead = if self.text[at.0..].starts_with(LEAD) { at.0 + LEAD.len() - CHANNEL } else { at.0 };
                if lead > at.0 {
                    self.remove_header((at.0, lead), sink);
                } else {
                    self.visible(at.0, sink);
                }
                self.message_call(lead, at.1);
            }
            _ => {
                self.back_to_assistant(at.0, sink);
                self.remove_header(at, sink);
                self.visible.commentary = kind == MessageKind::Commentary;
            }
        }
    }

    /// Forgets what does not apply to the next message.
    fn message_over(&mut self) {
        if self.messages.found_header {
            (self.blocks.closers.no_close_here, self.visible.cut_call) = (0, false);
            self.blocks.closers.foreseen = false;
        }
    }

    /// Returns from a message of another role to one of the assistant.
    fn back_to_assistant(&mut self, at: usize, sink: &mut dyn FnMut(Scanned<'_>)) {
        if let Mode::Other = self.mode {
            self.visible(at, sink);
            self.mode = Mode::Visible;
            (self.blocks.took, self.blocks.took_strict, self.visible.sent_text, self.visible.has_text) =
                (false, false, false, false);
            (self.blocks.wrapper_of, self.messages.prose) = (None, None);
            self.visible.recent.clear();
            sink(Scanned { part: StretchKind::Turn(Speaker::Assistant), at: self.place.base + at as u64, text: b"" });
        }
    }

    /// Whether an end token ends a message, in a text without headers: the text must end behind it, or a message begin.
    /// `None` while that is not known. Elsewhere the token is quoted.
    pub(super) fn ends_here(&self, end: usize, eof: bool) -> Option<bool> {
        let rest = &self.text[end..];
        let near = rest[..rest.len().min(MAX_RECENT_BYTES)].trim_ascii_start();
        match near.strip_prefix(START) {
            Some(_) => Some(true),
            None if rest.len() >= MAX_RECENT_BYTES || !START.starts_with(near) => Some(false),
            None if eof => Some(near.is_empty()),
            None => None,
        }
    }

    /// Applies the end of a message, outside of reasoning.
    pub(super) fn message_end(&mut self, at: (usize, usize), sink: &mut dyn FnMut(Scanned<'_>)) {
        self.message_over();
        match self.start.open {
            true => {
                self.start.strays.push((at.0, at.1, StretchKind::Structure));
                self.new_line();
                self.go_on_at(at.1);
                self.visible.has_text = true;
            }
            false => self.remove_header(at, sink),
        }
        self.visible.commentary = false;
    }

    /// Removes a header or an end token, unless it names the role.
    fn remove_header(&mut self, at: (usize, usize), sink: &mut dyn FnMut(Scanned<'_>)) {
        if self.messages.transcript || !self.messages.found_header {
            return self.structure(at, sink);
        }
        self.visible(at.0, sink);
        self.send(StretchKind::Header, at.1, sink);
        self.new_line();
        self.cut_at(at.0, at.1);
    }

    fn structure(&mut self, at: (usize, usize), sink: &mut dyn FnMut(Scanned<'_>)) {
        self.visible(at.0, sink);
        self.send(StretchKind::Structure, at.1, sink);
        self.new_line();
        self.go_on_at(at.1);
        self.visible.has_text = true;
    }

    /// Applies a delimiter in a message of another role.
    pub(super) fn mark_in_other(&mut self, at: (usize, usize), mark: FoundMark, sink: &mut dyn FnMut(Scanned<'_>)) {
        match mark.role {
            // Text of any role may mention channels: a header without a role counts only behind an end token.
            MarkRole::Header(kind) if self.text[at.0..].starts_with(b"<|start|>") || self.ended_before(at.0) => {
                self.header(at, mark.row, kind, sink);
            }
            MarkRole::End => {
                self.remove_header(at, sink);
                self.messages.ended = true;
            }
            _ => self.place.scan = at.1,
        }
    }

    fn ended_before(&self, at: usize) -> bool {
        self.messages.ended && self.text[self.place.out.min(at)..at].trim_ascii().is_empty()
    }

    /// Applies a header or an end token in reasoning that began with a header. Returns whether it ended the reasoning.
    pub(super) fn header_in_block(
        &mut self,
        block: OpenTagBlock,
        at: (usize, usize),
        mark: FoundMark,
        sink: &mut dyn FnMut(Scanned<'_>),
    ) -> bool {
        let found_header = std::mem::replace(&mut self.messages.found_header, true);
        match mark.role {
            MarkRole::End => self.close_block(block, at, sink),
            MarkRole::Header(kind) if kind != MessageKind::Prompt => {
                self.close_block(block, (at.0, at.0), sink);
                self.visible.join.clear();
            }
            MarkRole::Message => {
                let from = self.place.out.max(block.open.1);
                let Some((header, kind)) = headers::before_message(&self.text[from..at.0]) else {
                    self.messages.found_header = found_header;
                    return false;
                };
                let header = from + header;
                self.close_block(block, (header, header), sink);
                self.visible.join.clear();
                self.header((header, at.1), mark.row, kind, sink);
            }
            _ => {
                self.messages.found_header = found_header;
                return false;
            }
        }
        true
    }
}
