//! Google AI Studio: prompts, as they are saved in Drive.
//!
//! Found in saved files; not specified. A chunk is a message, or a part of one; a chunk with `isThought: true` is reasoning.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    BASE, Does, Kind, LIST, OBJECT, Recognition, STRING, Shape, Slot, State, TRUE, When, case, each, flat, is, same,
    search, state, sure,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

/// A part of the text of a chunk, as the API gave it. The one behind the reasoning may be sealed.
static PART: State = state("part", &[is("thoughtSignature", STRING, Slot::Seal)], &[]);

static CHUNK: State = state(
    "chunk",
    &[
        is("role", STRING, Slot::Role),
        is("text", STRING, Slot::Text),
        is("isThought", TRUE, Slot::Flag),
        is("thoughtSignatures", LIST, Slot::Seal),
        // The text once more.
        flat("parts", &PART),
        is("executableCode", OBJECT, Slot::Input),
        is("codeExecutionResult", OBJECT, Slot::Input),
    ],
    &[
        sure(&[When::Has(Slot::Flag), When::Has(Slot::Text)], Does::Block(Kind::Reasoning("thought"))),
        case(&[When::Has(Slot::Input)], Does::Block(Kind::Hosted)),
        case(&[When::Has(Slot::Role), When::Has(Slot::Text)], Does::Block(Kind::Message)),
    ],
);

static PROMPT: State = state("prompt", &[each("chunks", Slot::List, &CHUNK), search("pendingInputs")], &[]);

static RECORD: State = state(
    "record",
    &[
        same("chunkedPrompt", &PROMPT),
        is("systemInstruction", OBJECT, Slot::System),
        // How the program runs the prompt, and what is not sent yet.
        search("runSettings"),
    ],
    &[case(&[When::Has(Slot::List)], Does::Request)],
);

const SHAPE: Shape = Shape {
    record: &RECORD,
    recognised_by: &[Recognition { has: &[("chunkedPrompt", &[])], sure: false }],
    items: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "aistudio",
    aliases: &["aistudio-prompt"],
    about: "Google AI Studio: saved prompts, with thought chunks",
    products: &[Product {
        signs: &[Sign::Members(&["/chunkedPrompt/chunks"])],
        examples: &[r#"{"runSettings":{},"chunkedPrompt":{"chunks":[{"role":"user","text":"Will it rain?"}]}}"#],
        ..product("Google AI Studio")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
