//! Records inside of another one, as in the log of a proxy: each is written in its place, and what stands around it keeps
//! its bytes.

use super::frames::joined;
use super::*;
use crate::json::quote;
use crate::model::Bit;
use std::borrow::Cow;

/// The error for a record that would become several, or none.
const ONE: &str = "a record in another one, which does not become one record of the target";

impl Emit {
    /// A record inside of another one is over.
    pub(super) fn inner_over(&mut self) {
        let Some((envelope, at)) = self.record.value.take() else { return };
        self.write_record(envelope);
        if envelope == Envelope::List {
            self.conversations.flush(&mut self.values);
        }
        let mut values = self.values.split_off(self.record.earlier.min(self.values.len()));
        let bytes = match (envelope, values.len()) {
            (Envelope::List, _) => [b"[", &joined(&values)[..], b"]"].concat(),
            (Envelope::Request | Envelope::Response | Envelope::Message, 1) => std::mem::take(&mut values[0].1),
            _ => {
                self.record.refusal = self.record.refusal.take().or(Some(ONE.into()));
                return;
            }
        };
        let bytes = self.in_strings(bytes);
        self.edit(at, bytes);
        self.record.inner = true;
    }

    /// A range is replaced, which may stand in strings of its record.
    pub(super) fn edited(&mut self, at: Span, with: &[Bit]) {
        if self.record.strings == 0 {
            return self.splice.replace(at, with);
        }
        let escaped = |bit: &Bit| match bit {
            Bit::Copy(_) => bit.clone(),
            written => Bit::Text(Cow::Owned(self.in_strings(written.bytes(|_| b"").to_vec()))),
        };
        let with: Vec<Bit> = with.iter().map(escaped).collect();
        self.splice.replace(at, &with);
    }

    /// JSON as it stands in the strings around it.
    fn in_strings(&self, bytes: Vec<u8>) -> Vec<u8> {
        (0..self.record.strings).fold(bytes, |bytes, _| {
            let mut out = Vec::new();
            quote::inside(&bytes, &mut out);
            out
        })
    }
}
