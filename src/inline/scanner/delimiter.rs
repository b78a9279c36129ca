//! Applies a delimiter: it opens or closes a block, or is text.

use super::stands::Decision;
use super::types::{Close, Doubt, Inline, Note, Scanned, Start, StretchKind};
use super::{MAX_RECENT_BYTES, Mode, Next, OpenTagBlock, TagScanner, bit, remember};
use crate::inline::marks::{FoundMark, MarkHit, MarkRole};
use crate::inline::stand::Opens;
use crate::inline::tags::{Blocks, Unclosed};

impl TagScanner {
    pub(super) fn mark(&mut self, i: usize, mark: FoundMark, eof: bool, sink: &mut dyn FnMut(Scanned<'_>)) -> Next {
        let end = i + mark.len;
        match self.mode {
            Mode::Block(block) => return self.mark_in_block(block, (i, end), mark, eof, sink),
            Mode::Call(call) => {
                self.mark_in_call(call, (i, end), mark.role, sink);
                return Next::Go;
            }
            Mode::Other => {
                self.mark_in_other((i, end), mark, sink);
                return Next::Go;
            }
            Mode::Visible => (),
        }
        let row = &self.tags.rows()[mark.row];
        let strict = row.strict && matches!(mark.role, MarkRole::Open | MarkRole::Close);
        let header = self.messages.found_header && matches!(mark.role, MarkRole::Header(_) | MarkRole::End);
        // In the marker form, everything before the marker is reasoning, if there is a marker.
        if self.start.open && self.tags.has_marker() && !self.messages.no_marker && !row.open.is_empty() {
            self.place.scan = end;
            return Next::Go;
        }
        if !strict {
            match self.is_code(i, eof) {
                None => return Next::Wait,
                Some(_) if self.leaves_code(i, mark.role) => (),
                Some(_) if self.doubts_code((i, end), mark.role, sink) => return Next::Go,
                Some(true) if !header || self.is_quoted(i) => {
                    self.place.scan = i + 1;
                    return Next::Go;
                }
                Some(_) => (),
            }
        }
        if matches!(mark.role, MarkRole::Marker(_) | MarkRole::WrapOpen(_) | MarkRole::WrapClose(_)) {
            match self.frames((i, end), eof) {
                None => return Next::Wait,
                Some(false) => {
                    self.place.scan = end;
                    return Next::Go;
                }
                Some(true) => (),
            }
        }
        match mark.role {
            MarkRole::End if self.take_ignored_opener(mark.row) => self.place.scan = end,
            MarkRole::Tool(n) => self.tool_opener((i, end), mark.row, n),
            MarkRole::Header(_) => return self.may_begin((i, end), mark, eof, sink),
            MarkRole::End if !self.messages.found_header && !self.messages.transcript => {
                match self.is_end((i, end), eof) {
                    None => return Next::Wait,
                    Some(true) => self.message_end((i, end), sink),
                    Some(false) => self.place.scan = end,
                }
            }
            MarkRole::End => self.message_end((i, end), sink),
            MarkRole::Message | MarkRole::Nested => self.place.scan = end,
            MarkRole::Marker(_) => {
                self.notes.push(Note::Marker);
                self.stray((i, end), sink);
            }
            MarkRole::WrapOpen(n) if self.blocks.wrapper_of == Some(mark.row) && self.blank_since(i) => {
                self.blocks.wrapped.push((mark.row, n));
                self.stray((i, end), sink);
            }
            MarkRole::WrapClose(n) if self.blocks.wrapped.last() == Some(&(mark.row, n)) => {
                self.blocks.wrapped.pop();
                self.stray((i, end), sink);
            }
            MarkRole::WrapOpen(_) | MarkRole::WrapClose(_) => self.place.scan = end,
            MarkRole::Open if strict => {
                self.blocks.suffix = mark.suffix;
                self.opening_delimiter((i, end), mark.row, false, None, sink);
            }
            MarkRole::Open => return self.may_begin((i, end), mark, eof, sink),
            MarkRole::Close => return self.closing_delimiter((i, end), mark.row, strict, eof, sink),
        }
        Next::Go
    }

    /// Applies a closing tag in visible text.
    fn closing_delimiter(
        &mut self,
        at: (usize, usize),
        row: usize,
        strict: bool,
        eof: bool,
        sink: &mut dyn FnMut(Scanned<'_>),
    ) -> Next {
        let may_lack = self.tags.may_lack_open(row);
        let streaming = self.options.start == Start::Streaming && may_lack;
        if self.take_ignored_opener(row) || strict || self.visible.cut_call || self.tags.is_text_alone(row) {
            self.place.scan = at.1;
            return Next::Go;
        }
        if self.tags.rows()[row].open.is_empty() {
            return self.marker(at, row, eof, sink);
        }
        match self.decide_closer(at, row, eof) {
            None => return Next::Wait,
            Some(Decision::Counts(_)) => (),
            Some(Decision::Text) => {
                self.place.scan = at.1;
                return Next::Go;
            }
            Some(Decision::Mention) => {
                self.mention(at, sink);
                return Next::Go;
            }
            Some(Decision::Doubt(doubt)) => {
                self.doubt(at, doubt, sink);
                return Next::Go;
            }
        }
        match () {
            // Only white space came before the closing tag, so that no reasoning was sent as visible.
            () if streaming && self.is_blank_before(at.0) => {
                if !self.buffers_leading_blank(at.0) {
                    self.visible(at.0, sink);
                }
                self.implied(at, row, sink);
            }
            () if self.start.open && may_lack && self.options.close == Close::Last => self.may_be_last(at, row),
            () if self.start.open && may_lack => self.implied(at, row, sink),
            () if self.may_close_last(at, row) => self.doubt(at, Doubt::SecondCloser, sink),
            () => {
                // The first pass did not find this closing tag.
                let unknown = self.blocks.closers.no_close_from.is_some_and(|end| self.place.base + at.0 as u64 >= end);
                let late = streaming && !self.blocks.took || unknown;
                self.notes.push(if late {
                    Note::LateClose(self.place.base + at.0 as u64)
                } else {
                    Note::Stray((at.1 - at.0) as u64)
                });
                self.stray(at, sink);
            }
        }
        Next::Go
    }

    /// Applies the marker of the marker form. It ends the reasoning if it stands alone on a line; if none does, the
    /// first one counts. Reasoning may mention it.
    fn marker(&mut self, at: (usize, usize), row: usize, eof: bool, sink: &mut dyn FnMut(Scanned<'_>)) -> Next {
        let blank = |b: &&u8| matches!(b, b' ' | b'\t' | b'\r');
        let before = self.text[..at.0].iter().rev().find(|b| !blank(b));
        let after = self.text[at.1..].iter().find(|b| !blank(b));
        match (self.start.open, after) {
            (true, None) if !eof => return Next::Wait,
            (true, None | Some(b'\n')) if matches!(before, None | Some(b'\n')) => self.implied(at, row, sink),
            (open, _) => {
                self.place.scan = at.1;
                if open && self.messages.marker.is_none() {
                    self.messages.marker = Some((at.0, at.1, row));
                }
            }
        }
        Next::Go
    }

    /// Applies an opening tag. `sure`: it counts wherever it stands.
    pub(super) fn opening_delimiter(
        &mut self,
        at: (usize, usize),
        row: usize,
        sure: bool,
        opens: Option<Opens>,
        sink: &mut dyn FnMut(Scanned<'_>),
    ) {
        let tags = self.tags.clone();
        let tag = &tags.rows()[row];
        let blocks = self.options.blocks.unwrap_or(tag.blocks);
        if blocks == Blocks::One && (self.blocks.took_strict || self.blocks.took && !tag.strict) {
            self.place.scan = at.1;
            self.blocks.ignored_openers.push(row);
            return;
        }
        let unclosed = self.options.unclosed.unwrap_or(tag.unclosed);
        // What was begun in a stream cannot wait for its end.
        let streams = self.options.start == Start::Streaming && self.is_blank_before(at.0);
        let loose = matches!(opens, Some(Opens::Loose | Opens::Labelled))
            && (streams || self.options.inline == Inline::Delimiter);
        let place = match opens {
            _ if sure => true,
            _ if tag.strict => unclosed != Unclosed::Visible,
            Some(opens) => opens == Opens::Tight || loose,
            None => self.at_boundary(at.0),
        };
        let tentative = !place || unclosed != Unclosed::Reasoning;
        let closable =
            tag.phrase || self.blocks.closers.no_close_from.is_none_or(|end| self.place.base + (at.1 as u64) < end);
        if tentative
            && (!closable || (self.blocks.closers.no_close | self.blocks.closers.no_close_here) & bit(row) != 0)
        {
            self.blocks.closers.foreseen |= !closable;
            if place && unclosed == Unclosed::Error {
                self.visible(at.0, sink);
                self.refuse(at.0);
            } else if opens.is_some() && self.asks(unclosed) {
                self.doubt(at, Doubt::Contested, sink);
            }
            self.place.scan = self.place.scan.max(at.1);
            return;
        }
        let mut block = OpenTagBlock::new(Some(row), at, tentative);
        block.suffix = std::mem::take(&mut self.blocks.suffix);
        block.sure = sure;
        block.opens = opens;
        block.first = self.is_blank_before(at.0);
        self.blocks.last.spoke_inside = false;
        self.blocks.fences.begin(self.place.base + at.1 as u64);
        if !tentative {
            self.start.open = false;
            self.begin_block(&mut block, sink);
        }
        self.mode = Mode::Block(block);
        self.place.scan = at.1;
    }

    /// Whether a closing tag belongs to an opening tag that is text.
    fn take_ignored_opener(&mut self, row: usize) -> bool {
        let rows = self.tags.rows();
        let mine =
            |other: &usize| *other == row || rows[row].headers.is_some() && rows[*other].headers == rows[row].headers;
        let found =
            self.blocks.ignored_openers.iter().rposition(mine).map(|i| self.blocks.ignored_openers.swap_remove(i));
        found.is_some()
    }

    /// Whether rule 6 holds: only white space since the start of the message or the line, or since a block.
    pub(super) fn at_boundary(&mut self, i: usize) -> bool {
        self.look_at_code(i);
        self.code.tracker.margin()
    }

    pub(super) fn mark_in_block(
        &mut self,
        mut block: OpenTagBlock,
        at: (usize, usize),
        mark: FoundMark,
        eof: bool,
        sink: &mut dyn FnMut(Scanned<'_>),
    ) -> Next {
        if self.ends_message(block, &mark) {
            self.cut_off(block, at.0, sink);
            return Next::Go;
        }
        let tags = self.tags.clone();
        let rows = tags.rows();
        let mine = self.is_mine(block, at, mark);
        if !mine && let Some(next) = self.other_in_block(&mut block, at, mark, eof, sink) {
            return next;
        }
        if mine {
            match self.was_closed(&block, at, (mark.role, eof), sink) {
                None => return Next::Wait,
                Some(true) => return Next::Go,
                Some(false) => (),
            }
        }
        let mut doubt = None;
        if mine && mark.role == MarkRole::Close && !rows[mark.row].strict {
            match self.closer(&mut block, at, eof) {
                Err(next) => return next,
                Ok(found) => doubt = found,
            }
        }
        self.place.scan = at.1;
        if mine && rows[mark.row].headers.is_some() && self.header_in_block(block, at, mark, sink) {
            return Next::Go;
        }
        let same = block.row.is_none() || block.suffix == mark.suffix;
        // An opening tag where an implied one was assumed is the real one.
        let first = block.row.is_none() && !block.marked && self.blank_start(at.0);
        block.marked = true;
        let counts = mine && same && !(first && mark.role == MarkRole::Open);
        if counts && self.count_in_block(&mut block, at, mark.role, eof).is_none() {
            self.place.scan = at.0;
            return Next::Wait;
        }
        match mark.role {
            MarkRole::Open if first => {
                (block.row, block.open, block.suffix) = (Some(mark.row), at, mark.suffix);
                block.tentative = self.options.unclosed.unwrap_or(rows[mark.row].unclosed) != Unclosed::Reasoning;
                if !block.tentative {
                    self.begin_block(&mut block, sink);
                }
            }
            // With another suffix it closes the block only if nothing better follows.
            MarkRole::Close if mine => {
                block.close = Some(at);
                block.implied = block.implied.map(|_| self.place.base + at.1 as u64);
                let done = match self.options.close {
                    _ if !same => false,
                    Close::First => true,
                    Close::Balanced => block.depth.all == 0,
                    Close::Last => false,
                };
                if done {
                    self.end_block(block, at, doubt, sink);
                    return Next::Go;
                }
            }
            MarkRole::Tool(_) | MarkRole::Marker(true) if mine && block.tool.is_none() => {
                if let Some(next) = self.tool_in_block(&mut block, at, mark, eof, sink) {
                    return next;
                }
            }
            _ => (),
        }
        self.mode = Mode::Block(block);
        Next::Go
    }

    /// Continues at `end` after a cut, where the text before and after it may form a delimiter.
    pub(super) fn cut_at(&mut self, from: usize, end: usize) {
        let blank = self.text.get(self.visible.blank_to..from).is_none_or(|text| text.trim_ascii().is_empty());
        self.visible.has_text |= !blank || self.visible.sent_text;
        (self.start.examined, self.visible.blank_to) = (self.visible.has_text, end);
        self.go_on_at(end);
        let recent = std::mem::take(&mut self.visible.recent);
        self.visible.join.clear();
        let begun = |i: &usize| matches!(self.tags.at(&recent, *i, false), MarkHit::Partial | MarkHit::Attributes);
        let mut from = 0;
        while let Some(i) = self.tags.candidate(&recent, from, None) {
            if begun(&i) {
                self.visible.join = recent[i..].to_vec();
                break;
            }
            from = i + 1;
        }
        self.visible.recent = recent;
    }

    /// Decides whether the text before and after a cut forms a delimiter, whose second half is then cut, too. Returns
    /// false while more text is needed.
    pub(super) fn joined(&mut self, eof: bool, sink: &mut dyn FnMut(Scanned<'_>)) -> bool {
        while !self.visible.join.is_empty() {
            let rest = &self.text[self.place.scan..];
            let mut text = self.visible.join.clone();
            text.extend_from_slice(&rest[..rest.len().min(4 * MAX_RECENT_BYTES)]);
            let whole = eof || rest.len() > 4 * MAX_RECENT_BYTES;
            match self.tags.at(&text, 0, whole) {
                MarkHit::Yes(FoundMark { role, len, .. }) if len > self.visible.join.len() && !role.is_kept() => {
                    self.notes.push(Note::Stray((len - self.visible.join.len()) as u64));
                    self.stray((self.place.scan, self.place.scan + len - self.visible.join.len()), sink);
                }
                MarkHit::Partial | MarkHit::Attributes => return false,
                _ => self.visible.join.clear(),
            }
        }
        true
    }

    /// Removes a delimiter without a block from visible text.
    pub(super) fn stray(&mut self, at: (usize, usize), sink: &mut dyn FnMut(Scanned<'_>)) {
        if self.start.open {
            self.look_at_code(at.0);
            let from = self.start.strays.last().map_or(self.place.out, |s| s.1);
            remember(&mut self.visible.recent, &self.text[from..at.0]);
            self.start.strays.push((at.0, at.1, StretchKind::Stray));
        } else {
            self.visible(at.0, sink);
            self.send(StretchKind::Stray, at.1, sink);
        }
        self.cut_at(at.0, at.1);
    }
}
