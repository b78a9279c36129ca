//! A message as a JSON object: the one place that writes what `split` says of it.

use super::sequence::Included;
use super::{Report, SplitTexts, calls, delegations, sequence};
use crate::agents::fold::FoldedMessage;
use crate::json::quote::quote;

impl Report {
    /// Writes the object.
    pub(super) fn object(&self, message: &FoldedMessage, texts: &SplitTexts, out: &mut Vec<u8>) {
        let mut separator = b'{';
        let mut name = |out: &mut Vec<u8>, name: &str| {
            out.push(std::mem::replace(&mut separator, b','));
            out.extend_from_slice(format!("\"{name}\":").as_bytes());
        };
        if let Some(file) = &self.show.file {
            name(out, "file");
            quote(file.as_bytes(), out);
        }
        if !self.whole || self.began > 1 {
            name(out, "record");
            out.extend_from_slice(message.record.to_string().as_bytes());
            let named = self.show.fields.get(message.lane as usize);
            if let Some(pointer) = message.field.as_ref().or(named) {
                name(out, "field");
                quote(pointer.as_bytes(), out);
            } else {
                name(out, "message");
                out.extend_from_slice(message.number.to_string().as_bytes());
            }
        }
        if self.show.visible {
            name(out, "visible");
            quote(texts.visible.as_bytes(), out);
            if let Some(commentary) = &texts.commentary {
                name(out, "commentary");
                quote(commentary.as_bytes(), out);
            }
            calls::member(&message.calls, &mut name, out);
        }
        let shown = self.show.reasoning && !self.show.aside && !self.show.drop_reasoning;
        if let (true, Some(text)) = (shown, &texts.reasoning) {
            name(out, "reasoning");
            out.extend_from_slice(b"{\"text\":");
            quote(text.as_bytes(), out);
            out.extend_from_slice(format!(",\"tokensEst\":{}", texts.estimate()).as_bytes());
            for (i, section) in texts.redactions.iter().enumerate() {
                out.extend_from_slice(if i == 0 { b",\"redactions\":[" } else { b"," });
                quote(section.as_bytes(), out);
            }
            out.extend_from_slice(if texts.redactions.is_empty() { b"}" } else { b"]}" });
        }
        if let Some(standing) = &message.standing {
            delegations::members(standing, &mut name, out);
        }
        if let Some(group) = &message.group {
            sequence::members(group, Included { reasoning: shown, visible: self.show.visible }, &texts.visible, out);
        }
        if texts.leaked {
            name(out, "leak_detected");
            out.extend_from_slice(b"true");
        }
        // The object has no members yet, and its brace has not been written.
        if separator == b'{' {
            out.push(b'{');
        }
        out.push(b'}');
    }
}
