//! Calls of tools in messages of their own (Harmony), and what the tools said: where messages are built anew, they become what they
//! are in other formats.

use crate::inline::{call, is_message};
use crate::json::quote::quoted;
use crate::model::content::{Attribute, Other};
use crate::model::{ContentEvent, Event, Lane, Piece, PieceKind, Role, Sink};

/// What the calls of functions are named behind, by which they differ from tools of the provider.
const FUNCTIONS: &[u8] = b"functions.";

/// The calls and the results of a text.
#[derive(Default)]
pub(super) struct TextCalls {
    /// The text of the call that is not over, and its first byte.
    open: Vec<u8>,
    at: Option<u64>,
    /// How many calls and results there were.
    blocks: u32,
    /// In a message of a tool: its name, if that is known, and its text.
    result: Option<(Option<Vec<u8>>, Vec<u8>)>,
}

impl TextCalls {
    /// A message begins.
    pub fn begin(&mut self, role: Role) {
        self.result = (role == Role::Tool).then(Default::default);
    }

    /// Notes the author of a message. Returns whether that is a tool.
    pub fn author(&mut self, name: &[u8]) -> bool {
        let Some((tool, _)) = &mut self.result else { return false };
        *tool = Some(name.strip_prefix(FUNCTIONS).unwrap_or(name).to_vec());
        true
    }

    /// Sends a piece, unless it is the text of a result, which is sent at its end.
    pub fn piece(&mut self, piece: Piece<'_>, sink: &mut dyn Sink) {
        match &mut self.result {
            Some((_, text)) if piece.kind.is_visible() && piece.kind != PieceKind::Structure => {
                text.extend_from_slice(piece.text);
            }
            _ => sink.event(&Event::Piece(piece)),
        }
    }

    /// Reads a piece of a call. Returns whether it is one.
    pub fn call(&mut self, piece: &Piece<'_>, sink: &mut dyn Sink) -> bool {
        if piece.kind != PieceKind::Tool {
            self.send(piece.lane, sink);
            return false;
        }
        self.at = self.at.or(piece.at.first().map(|span| span.start));
        self.open.extend_from_slice(piece.text);
        if piece.whole {
            self.send(piece.lane, sink);
        }
        true
    }

    /// Sends the call that came last. One that does not say its tool, or is not of this form, stays text.
    fn send(&mut self, lane: Lane, sink: &mut dyn Sink) {
        let (text, at) = (std::mem::take(&mut self.open), self.at.take());
        if text.is_empty() {
            return;
        }
        let known = std::str::from_utf8(&text).ok().filter(|_| is_message(&text)).and_then(call);
        let Some((to, _, body)) = known.filter(|(_, _, body)| !body.trim_start().starts_with('<')) else {
            let (kind, text) = (PieceKind::Tool, text.as_slice());
            return self.piece(Piece { lane, kind, fresh: false, text, escaped: false, whole: false, at: &[] }, sink);
        };
        let name = to.as_bytes().strip_prefix(FUNCTIONS);
        // Of arguments that are cut off, the line end is that of the file.
        let body = if body.trim_start().starts_with('{') { body.trim_end() } else { body };
        let number = self.block(lane, Other::Call, at, sink);
        let mut set = |name, value: &[u8]| sink.event(&set(lane, number, name, value));
        set(Attribute::Name, &quoted(name.unwrap_or(to.as_bytes())));
        if name.is_none() && !body.trim_start().starts_with('{') {
            set(Attribute::Free, b"true");
        }
        set(Attribute::Arguments, &quoted(body.as_bytes()));
        sink.event(&Event::Content(ContentEvent::BlockOver { lane, number }));
    }

    fn block(&mut self, lane: Lane, what: Other, at: Option<u64>, sink: &mut dyn Sink) -> u32 {
        self.blocks += 1;
        sink.event(&Event::Content(ContentEvent::Block { lane, number: self.blocks, what, at }));
        self.blocks
    }

    /// Ends the message.
    pub fn end(&mut self, lane: Lane, sink: &mut dyn Sink) {
        self.send(lane, sink);
        let Some((tool, text)) = self.result.take() else { return };
        let number = self.block(lane, Other::Result, None, sink);
        if let Some(tool) = tool {
            sink.event(&set(lane, number, Attribute::Name, &quoted(&tool)));
        }
        sink.event(&set(lane, number, Attribute::Result, &quoted(&text)));
    }
}

/// A fact of a block.
fn set(lane: Lane, number: u32, name: Attribute, value: &[u8]) -> Event<'_> {
    Event::Content(ContentEvent::Set { lane: Some(lane), block: Some(number), name, key: b"", value, at: None })
}
