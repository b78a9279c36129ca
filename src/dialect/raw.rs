//! The reader for raw text: one assistant message, from the first byte to the last.

use super::emit::{Noted, Script};
use super::rewrite::{Retold, Target};
use crate::inline::{Note, Options, Tags};
use crate::json::text::Map;
use crate::model::{Event, Facts, Piece, Role, Sink};

/// Reads one raw text.
pub struct RawReader<'t> {
    script: Script<'t>,
    started: bool,
    notes: Vec<Noted>,
    /// The text as it is told in another dialect.
    retold: Option<Retold>,
}

impl<'t> RawReader<'t> {
    /// A reader for one text.
    pub fn new(tags: &'t Tags, options: Options, to: Option<Target>) -> Self {
        let retold = to.map(Retold::new);
        Self { script: Script::new(tags, options, true), started: false, notes: Vec::new(), retold }
    }

    /// More of the text; it stands at `input`.
    pub fn read(&mut self, text: &[u8], input: u64, sink: &mut dyn Sink) -> Facts {
        let first = self.start(sink);
        let retold = &mut self.retold;
        let mut to = |piece: &Piece<'_>| match retold {
            Some(retold) => retold.piece(piece, sink),
            None => sink.event(&Event::Piece(*piece)),
        };
        self.script.feed(text, input, Map::default(), &mut self.notes, &mut to);
        Facts { dialect: first.then_some(super::text::ROW.name), messages: u64::from(first), ..Facts::default() }
    }

    /// The text is over.
    pub fn finish(&mut self, sink: &mut dyn Sink) {
        if self.started {
            let retold = &mut self.retold;
            let mut to = |piece: &Piece<'_>| match retold {
                Some(retold) => retold.piece(piece, sink),
                None => sink.event(&Event::Piece(*piece)),
            };
            self.script.finish(&mut self.notes, &mut to);
            if let Some(retold) = self.retold.take() {
                retold.finish(sink);
            }
            sink.event(&Event::MessageEnd { lane: 0, element: None });
        }
    }

    /// The first byte about which nothing is decided.
    pub fn undecided(&self) -> Option<u64> {
        let whole = self.retold.as_ref().filter(|_| self.started).and_then(Retold::from);
        whole.or_else(|| self.script.undecided())
    }

    /// What was noticed since the last call.
    pub fn notes(&mut self) -> Vec<(u64, Note)> {
        std::mem::take(&mut self.notes)
    }

    fn start(&mut self, sink: &mut dyn Sink) -> bool {
        let first = !std::mem::replace(&mut self.started, true);
        if first {
            sink.event(&Event::MessageStart { lane: 0, role: Role::Assistant, joined: false, bare: false });
        }
        first
    }
}
