//! Reasoning without an opening tag in the text: it ends at the first delimiter, if that is a closing tag.

use super::types::{Beginning, Note, Scanned, StretchKind};
use super::{MAX_RECENT_BYTES, Mode, OpenTagBlock, TagScanner};
use crate::inline::marks::lost::is_bare;
use memchr::memmem;

/// The tokens with which templates begin a turn of the assistant.
const TURNS: [&[u8]; 10] = [
    b"<|assistant|>",
    b"<|Assistant|>",
    "<｜Assistant｜>".as_bytes(),
    b"<|im_start|>assistant\n",
    b"<|im_middle|>",
    b"<|start_header_id|>assistant<|end_header_id|>\n\n",
    b"<start_of_turn>model\n",
    b"<|CHATBOT_TOKEN|>",
    b"<|end_of_role|>",
    b"[/INST]",
];

/// What each of these has in it.
const IN_TURNS: [&[u8]; 6] = [b"ssistant", b"_middle", b"model\n", b"CHATBOT", b"_role|>", b"/INST]"];

/// Where the last of these ends in a text.
fn last_turn(text: &[u8]) -> Option<usize> {
    if !IN_TURNS.iter().any(|part| memmem::find(text, part).is_some()) {
        return None;
    }
    TURNS.iter().filter_map(|token| Some(memmem::rfind(text, token)? + token.len())).max()
}

impl TagScanner {
    /// Ends such reasoning at the closing tag `at`.
    pub(super) fn implied(&mut self, at: (usize, usize), row: usize, sink: &mut dyn FnMut(Scanned<'_>)) {
        let from = self.turn_before(at.0);
        let here = from.saturating_sub(self.place.base) as usize;
        if self.start.looks_ahead {
            let (at, end) = (self.place.base + at.0 as u64, self.place.base + at.1 as u64);
            self.start.implied = Some(Beginning::Reasoning { from, at, end, row, late: false });
        }
        self.start.strays.retain(|stray| stray.1 <= here);
        if from > 0 {
            self.visible(here, sink);
        }
        self.start.strays.clear();
        self.visible.recent.clear();
        self.notes.retain(|note| !matches!(note, Note::Stray(_) | Note::Marker));
        self.unopened(at.1 - self.place.out, row);
        self.open_implied(at.0, row, sink);
        self.close_implied(at, row, sink);
    }

    /// Where the last turn of the assistant begins before `at`, while nothing of the message is decided: 0 if no token begins one.
    fn turn_before(&self, at: usize) -> u64 {
        if !self.messages.templated {
            return 0;
        }
        let near = [&self.messages.passed, &self.text[self.place.out.min(at)..at]].concat();
        let start = (self.place.base + self.place.out as u64).saturating_sub(self.messages.passed.len() as u64);
        last_turn(&near).map_or(self.messages.turn, |end| start + end as u64)
    }

    /// Whether a turn of the assistant begins behind the last block, before `at`.
    pub(super) fn is_turned(&self, at: usize) -> bool {
        let turn = || {
            let recent = &self.visible.recent;
            let behind = &recent[recent.len() - recent.len().min(self.blocks.last.sent)..];
            last_turn(&[behind, &self.text[self.place.out.min(at)..at]].concat()).is_some()
        };
        self.blocks.last.turned || self.messages.in_template && self.blocks.took && turn()
    }

    /// Notes the last turn of the assistant that begins in a text that is not kept.
    pub(super) fn look_for_turns(&mut self, until: usize) {
        self.messages.turn = self.turn_before(until);
    }

    /// Notes a closing tag that ends such reasoning unless another one follows.
    pub(super) fn may_be_last(&mut self, at: (usize, usize), row: usize) {
        let mut block = OpenTagBlock::new(Some(row), (self.place.out, self.place.out), true);
        (block.close, block.implied) = (Some(at), Some(self.place.base + at.1 as u64));
        self.mode = Mode::Block(block);
        self.place.scan = at.1;
    }

    /// Ends such reasoning at the last closing tag, since no other one followed.
    pub(super) fn was_last(&mut self, at: (usize, usize), end: u64, row: usize, sink: &mut dyn FnMut(Scanned<'_>)) {
        self.mode = Mode::Visible;
        if !self.start.looks_ahead {
            return self.implied(at, row, sink);
        }
        // The text before was not kept.
        let at = end - (at.1 - at.0) as u64;
        self.start.implied = Some(Beginning::Reasoning { from: 0, at, end, row, late: false });
        self.start.open = false;
    }

    /// Notes a missing opening tag. The marker form has none.
    fn unopened(&mut self, bytes: usize, row: usize) {
        if !self.tags.rows()[row].open.is_empty() {
            self.notes.push(Note::Unopened(bytes as u64));
        }
    }

    fn open_implied(&mut self, end: usize, row: usize, sink: &mut dyn FnMut(Scanned<'_>)) {
        let label = self.tags.rows()[row]
            .labels
            .iter()
            .find(|label| self.text[self.place.out..end].starts_with(label.as_bytes()));
        self.send(
            StretchKind::Open(self.delimiters(Some(row))),
            self.place.out + label.map_or(0, |label| label.len()),
            sink,
        );
    }

    fn close_implied(&mut self, at: (usize, usize), row: usize, sink: &mut dyn FnMut(Scanned<'_>)) {
        self.send(StretchKind::Reasoning, at.0, sink);
        self.send(StretchKind::Close, at.1, sink);
        self.new_line();
        // The text before was not part of the answer.
        (self.visible.has_text, self.visible.blank_to) = (self.visible.sent_text, at.1);
        (self.visible.open_tools, self.visible.cut_call) = (Vec::new(), false);
        self.block_ended(Some(row), at.1, at.1);
    }

    /// Sends such reasoning, if the first pass found its closing tag. Returns false while it goes on.
    pub(super) fn known_reasoning(&mut self, eof: bool, sink: &mut dyn FnMut(Scanned<'_>)) -> bool {
        let Some(Beginning::Reasoning { from, at, end, row, .. }) = self.start.implied else { return true };
        let here = |offset: u64| offset.saturating_sub(self.place.base) as usize;
        let (from, at, end, all) = (here(from), here(at), here(end), self.text.len());
        if !self.start.examined {
            // The label must have arrived.
            let longest = self.tags.rows()[row].labels.iter().map(|label| label.len()).max().unwrap_or(0);
            if all < (from + longest.max(MAX_RECENT_BYTES)).min(at) && !eof {
                self.visible(from.min(all), sink);
                self.place.scan = self.place.out;
                self.compact();
                return false;
            }
            self.visible(from.min(all), sink);
            self.messages.bare = is_bare(self.text.trim_ascii_start(), true) == Some(true);
            self.start.examined = true;
            self.open_implied(at.min(all), row, sink);
        }
        if all < end && !eof {
            self.send(StretchKind::Reasoning, all.min(at), sink);
            self.place.scan = self.place.out;
            self.compact();
            return false;
        }
        self.start.implied = None;
        if all < end {
            // The input was longer in the first pass.
            self.send(StretchKind::Reasoning, all, sink);
            self.send(StretchKind::Close, all, sink);
            self.notes.push(Note::Unclosed(self.place.base + all as u64));
            self.block_ended(Some(row), all, all);
            return true;
        }
        self.notes.push(Note::Unopened(self.place.base + end as u64));
        self.close_implied((at, end), row, sink);
        true
    }
}
