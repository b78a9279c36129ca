//! Raw text: whatever has arrived is a frame.

use super::{Frame, Kind, Step};

/// The framer for raw text.
#[derive(Debug)]
pub struct Text;

impl Text {
    pub(super) fn step(&mut self, buf: &[u8], eof: bool) -> Step {
        match (buf.len(), eof) {
            (0, true) => Step::End,
            (0, false) => Step::Need,
            (n, _) => Frame::step(n, Kind::Text, 0..n),
        }
    }
}
