//! The end of an input.

use super::*;

impl<O: Output> Engine<O> {
    /// Finishes the reader and the output, once all input was read.
    pub(super) fn close(&mut self, sinks: &mut Sinks) {
        if self.progress.given_up || self.progress.behind || !self.progress.ended {
            return;
        }
        if let Some(utf8) = &mut self.found.utf8 {
            utf8.finish(self.buffer.base + self.buffer.at as u64);
            self.found.counts.wrong = utf8.wrong;
        }
        match &mut self.reader {
            Some(EngineReader::Json(reader)) => reader.finish(&mut self.stage),
            Some(EngineReader::Raw(reader)) => {
                self.found.counts.messages += reader.finish(&mut self.stage).messages;
            }
            Some(EngineReader::Cells(_)) | None => (),
        }
        self.notes();
        for (offset, what, skipped) in std::mem::take(&mut self.found.doubts) {
            self.problem(offset, (ErrorKind::Undecided, what), skipped);
        }
        self.unused_pointers();
        if self.framing == Some(Framing::Sse) && self.found.payloads == 0 && self.framer.is_strange() {
            self.problem(0, (ErrorKind::Invalid, "no event: this is not an event stream"), false);
        }
        self.stage.finish();
        self.progress.closed = true;
        self.drain(sinks);
        self.progress.behind = self.stage.output.is_behind();
    }

    /// Ends an input that cannot be read further because it is damaged: an incomplete record is an error.
    #[cfg(feature = "cli")]
    pub fn abort(&mut self, error: (ErrorKind, &str), sinks: &mut Sinks) {
        self.problem(self.buffer.base + self.buffer.filled as u64, error, true);
        self.progress.over = true;
        self.finish(sinks);
    }

    /// Reports the pointers of the user that have named nothing in any record.
    fn unused_pointers(&mut self) {
        let unused = match &self.reader {
            Some(EngineReader::Json(reader)) => reader.unused_pointers(),
            Some(EngineReader::Cells(reader)) => reader.unused_pointers(),
            Some(EngineReader::Raw(_)) => std::mem::take(&mut self.rules.unused),
            None => return,
        };
        if self.found.counts.records > 0 && !self.progress.over {
            unused.into_iter().for_each(|what| self.problem(0, (ErrorKind::Refused, what), false));
        }
    }
}
