//! Whether a message that was received has reached anybody: the program that passes messages on writes down that it has
//! received one before it looks at it, and a later record may say that it was rejected.

use super::{JsonReader, Run};
use crate::dialect::read::{Walked, walk};
use crate::dialect::reader::Hindsight;
use crate::dialect::shape::{Does, Slot};
use crate::frame::Body;
use memchr::memmem;

/// So many records behind a message are looked at, which are lines, or elements of the same list.
pub const AHEAD_RECORDS: usize = 16;

/// So many bytes behind it are looked at, where these records are longer.
pub const AHEAD_BYTES: usize = 1 << 20;

impl JsonReader<'_> {
    /// Whether the next records are looked at to read this one. What is passed on as it comes does not wait for them.
    pub fn looks_ahead(&self, record: &[u8]) -> bool {
        let wants = self.options.wants;
        let waits = self.shapes.awaits && self.options.hindsight != Hindsight::Nowhere;
        if !waits || !(wants.visible || wants.messages || wants.content) {
            return false;
        }
        let mut words = self.shapes.rows.iter().filter_map(|(_, shape)| shape.fates);
        words.any(|[received, _]| memmem::find(record, received.as_bytes()).is_some())
    }

    /// Whether a message, whose record this node is, is rejected in a later record.
    pub(super) fn is_rejected_later(&self, body: &Body<'_>, run: &Run<'_>, node: u32, id: &[u8]) -> bool {
        let Some([received, rejected]) = run.shape.fates else { return false };
        let phase = run.walked.get(node, Slot::Phase).map(|entry| entry.word(body.text));
        if id.is_empty() || phase.as_deref() != Some(received.as_bytes()) {
            return false;
        }
        if run.element {
            let behind = run.walked.nodes[node as usize].end;
            let next = run.walked.children(0, Slot::List).filter(|child| *child >= behind).take(AHEAD_RECORDS);
            if next.into_iter().any(|child| rejects(run.walked, body.text, child, id)) {
                return true;
            }
        }
        let has = |text: &[u8]| memmem::find(text, rejected.as_bytes()).is_some();
        if !has(body.ahead) {
            return false;
        }
        let mut walked = Walked::default();
        body.ahead.split(|b| *b == b'\n').filter(|line| has(line)).any(|line| {
            let is_record = walk(line, run.shape.record, self.detail.plain, &mut walked).is_ok();
            is_record && !walked.nodes.is_empty() && rejects(&walked, line, 0, id)
        })
    }
}

/// Whether a record says that the message with this identifier has reached nobody.
fn rejects(walked: &Walked, record: &[u8], node: u32, id: &[u8]) -> bool {
    let is = |child: u32| walked.get(child, Slot::Id).is_some_and(|entry| *entry.word(record) == *id);
    walked.nodes[node as usize].does == Does::Undelivered && walked.children(node, Slot::Inner).any(is)
}
