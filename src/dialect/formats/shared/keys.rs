//! The keys of objects of reasoning, in any format: where its text stands, and where its signature or ciphertext.
//!
//! All who look into such an object ask this table, so that what one of them keeps is not lost by another.

use Holds::{Ciphertext, Hidden, Signature, SourceField, Text};

/// What stands under a key of an object of reasoning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dialect) enum Holds {
    Text,
    Signature,
    Ciphertext,
    /// Whether the reasoning is hidden from the user.
    Hidden,
    /// The name of the field that the reasoning came in.
    SourceField,
}

impl Holds {
    /// Whether it is not readable: a signature or a ciphertext.
    pub fn is_seal(self) -> bool {
        matches!(self, Signature | Ciphertext)
    }
}

/// What stands under this key, which is decoded.
#[inline]
pub(in crate::dialect) fn holds(key: &[u8]) -> Option<Holds> {
    KEYS.iter().find(|(name, _)| name.as_bytes() == key).map(|(_, holds)| *holds)
}

const KEYS: &[(&str, Holds)] = &[
    ("text", Text),
    ("thinking", Text),
    ("thought", Text),
    ("reasoning", Text),
    ("summary", Text),
    ("summary_text", Text),
    ("raw_content", Text),
    ("content", Text),
    ("think", Text),
    ("description", Text),
    ("reasoningText", Text),
    ("reasoning_content", Text),
    ("signature", Signature),
    ("thoughtSignature", Signature),
    ("thought_signature", Signature),
    ("thought_signatures", Signature),
    ("thinkingSignature", Signature),
    ("data", Ciphertext),
    ("encrypted", Ciphertext),
    ("encrypted_content", Ciphertext),
    ("encryptedContent", Ciphertext),
    ("openaiEncryptedContent", Ciphertext),
    ("encryptedValue", Ciphertext),
    ("redactedContent", Ciphertext),
    ("redactedData", Ciphertext),
    ("reasoningEncryptedContent", Ciphertext),
    ("reasoningOpaque", Ciphertext),
    ("reasoning_opaque", Ciphertext),
    ("isHidden", Hidden),
    ("llxprtThoughtIsHidden", Hidden),
    ("sourceField", SourceField),
    ("llxprtSourceField", SourceField),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::{DIALECTS, UNREAD};
    use crate::{ConvertOptions, Loss, convert};

    /// What stands under a key is written, or counted as a loss, whatever the target, and so is an unknown member.
    #[test]
    fn nothing_is_lost_in_silence() {
        // What says how to show it, or where it came from, is of one format only.
        let said = |holds: Holds| holds == Text || holds.is_seal();
        let keys = KEYS.iter().filter(|(_, holds)| said(*holds)).map(|(key, _)| *key).chain(["unknown"]);
        let targets = DIALECTS.iter().filter(|dialect| dialect.write.is_some());
        for (key, to) in keys.flat_map(|key| targets.clone().map(move |to| (key, to.name))) {
            let is_text = holds(key.as_bytes()) == Some(Text);
            let beside = |name: &str| if is_text { String::new() } else { format!(r#""{name}":"Cold front.","#) };
            for message in [
                format!(
                    r#"{{"role":"assistant","content":[{{"type":"thinking",{}"{key}":"EqQB"}},{{"type":"text","text":"Rain."}}]}}"#,
                    beside("thinking")
                ),
                format!(
                    r#"{{"role":"assistant","reasoning_details":[{{"type":"reasoning.text",{}"{key}":"EqQB"}}],"content":"Rain."}}"#,
                    beside("text")
                ),
            ] {
                let done = convert(message.as_bytes(), &ConvertOptions::new(to)).expect(&message);
                let written = memchr::memmem::find(&done.output, b"EqQB").is_some();
                let losses = [Loss::Signature, Loss::Encrypted, Loss::Extra];
                let counted = losses.iter().any(|loss| done.report.losses.contains_key(loss));
                assert!(written || counted, "{to}: {message}");
                assert!(written || !is_text, "{to}: {message}");
            }
        }
    }

    #[test]
    fn every_seal_of_a_format_is_in_the_table() {
        let words = ["signature", "encrypted", "redacted", "opaque"];
        let read = DIALECTS.iter().flat_map(|dialect| dialect.reasoning_keys()).map(|(key, _)| key);
        let unread = UNREAD.iter().flat_map(|row| row.keys).copied();
        for key in read.chain(unread).filter(|key| words.iter().any(|word| key.to_lowercase().contains(word))) {
            assert!(holds(key.as_bytes()).is_some_and(Holds::is_seal), "{key}");
        }
    }
}
