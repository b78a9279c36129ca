//! Texts and media inside of facts that are JSON values: only formats know how they are written there.

use super::{Block, RecordHead};

/// Reads texts inside of facts that are JSON values: only formats know how a text is written there.
#[derive(Clone, Copy, Debug)]
pub struct FactTexts {
    /// The result of a call, as a text.
    pub result: fn(&Block) -> Vec<u8>,
    /// The instructions beside the messages, one text for each part.
    pub system: fn(&RecordHead) -> Vec<Vec<u8>>,
    /// The name of the called tool, as a JSON string.
    pub call_name: fn(&Block) -> Vec<u8>,
    /// The images, documents and sounds in a JSON value: the part that is one, its data, or a list of parts.
    pub media: fn(&[u8]) -> Vec<Medium>,
}

/// An image, a document, a sound or a film, as far as a record has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Medium {
    /// What it is, in a word.
    pub what: &'static str,
    /// Its type (RFC 6838); empty if it is not known.
    pub mime: Vec<u8>,
    /// The name of its file, or its title; empty if it has none.
    pub name: Vec<u8>,
    /// Its bytes in base64; empty if the record does not have them.
    pub base64: Vec<u8>,
    /// Its address; empty if it has none.
    pub address: Vec<u8>,
}
