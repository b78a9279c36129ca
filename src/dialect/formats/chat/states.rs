//! The states of a record of the family. Real records mix the spellings of its formats, so that all of them are one
//! shape; each key says which rows have it, for a user who names one.

use super::row::{BLOCKS, CHAT, CHECKPOINT, FAMILY, LOG, REASONING, REASONING_CONTENT, SESSION};
use crate::dialect::shape::{ANY, ANY_KEY, Key, Rows, Slot, State, To, each, either, is, one, pass, state};

/// A key that holds reasoning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The key.
    pub key: &'static str,
    /// The rows that have it.
    pub rows: Rows,
    /// Programs also use the key for other things: a flag or a number under it is ignored, and the key alone does not
    /// make an object a message.
    pub common: bool,
    /// Its value is not text, but a signature or a ciphertext of its block.
    pub opaque: bool,
    /// The source of the same field in an object that repeats reasoning: usually a copy.
    pub copy: &'static str,
}

const fn field(key: &'static str, rows: Rows, copy: &'static str) -> Field {
    Field { key, rows, common: false, opaque: false, copy }
}

const fn common(key: &'static str, rows: Rows, copy: &'static str) -> Field {
    Field { key, rows, common: true, opaque: false, copy }
}

const fn opaque(key: &'static str, rows: Rows, copy: &'static str) -> Field {
    Field { key, rows, common: false, opaque: true, copy }
}

/// The keys of a message that hold its reasoning.
pub(in crate::dialect) const FIELDS: &[Field] = &[
    field("reasoning_content", CHAT | REASONING_CONTENT, "copy of reasoning_content"),
    common("reasoning", CHAT | REASONING, "copy of reasoning"),
    field("reasoning_text", CHAT, "copy of reasoning_text"),
    common("thinking", CHAT | BLOCKS | SESSION | LOG, "copy of thinking"),
    common("thought", CHAT | BLOCKS | SESSION | LOG | CHECKPOINT, "copy of thought"),
    common("thoughts", CHAT, "copy of thoughts"),
    field("reasoning_details", CHAT | REASONING, "copy of reasoning_details"),
    field("thinking_blocks", CHAT, "copy of thinking_blocks"),
    opaque("reasoning_opaque", CHAT, "copy of reasoning_opaque"),
    opaque("thought_signature", CHAT, "copy of thought_signature"),
    opaque("thoughtSignature", CHECKPOINT, "copy of thoughtSignature"),
    field("reasoningContentBlocks", CHAT, "copy of reasoningContentBlocks"),
];

/// The field with this key.
pub(in crate::dialect) fn field_of(key: &[u8]) -> Option<&'static Field> {
    FIELDS.iter().find(|field| field.key.as_bytes() == key)
}

/// Types of content parts that are reasoning, each with the rows that have it.
pub(in crate::dialect) const PARTS: &[(&str, Rows)] = &[
    ("thinking", FAMILY | BLOCKS | SESSION | LOG),
    ("redacted_thinking", FAMILY | BLOCKS | SESSION | LOG),
    ("reasoning", FAMILY),
    ("reasoning_content", FAMILY),
    ("reasoning_text", FAMILY),
    ("think", FAMILY),
    ("thought", FAMILY),
];

/// Every other key: what stands there is searched, or lost.
const OTHERS: &[Key] = &[is(ANY_KEY, ANY, Slot::Unnamed)];

const THOUGHTS: &[Key] = &{
    let mut keys = [is("", ANY, Slot::Thought); FIELDS.len()];
    let mut at = 0;
    while at < FIELDS.len() {
        keys[at] = is(FIELDS[at].key, ANY, Slot::Thought).of(FIELDS[at].rows);
        at += 1;
    }
    keys
};

/// Keys of objects that repeat the reasoning of their message.
const fn copies(inner: &'static State) -> [Key; 8] {
    [
        one("provider_specific_fields", Slot::Copies, inner).of(CHAT),
        one("additional_kwargs", Slot::Copies, inner).of(CHAT),
        one("extra_content", Slot::Copies, inner).of(CHAT),
        one("google", Slot::Copies, inner).of(CHAT),
        is("provider_specific_fields", ANY, Slot::Copies).of(CHAT),
        is("additional_kwargs", ANY, Slot::Copies).of(CHAT),
        is("extra_content", ANY, Slot::Copies).of(CHAT),
        is("google", ANY, Slot::Copies).of(CHAT),
    ]
}

static IN_MESSAGE: [Key; 8] = copies(&COPIES);
static IN_COPIES: [Key; 8] = copies(&COPIES_IN_COPIES);
static IN_COPIES_TWICE: [Key; 8] = copies(&LAST_COPIES);

/// Such an object, and those in it: `extra_content` holds `google`.
static COPIES: State = state("copies", &IN_COPIES, &[]).include(&[THOUGHTS, OTHERS]);
static COPIES_IN_COPIES: State = state("copies", &IN_COPIES_TWICE, &[]).include(&[THOUGHTS, OTHERS]);
static LAST_COPIES: State = state("copies", THOUGHTS, &[]).include(&[OTHERS]);

/// The known keys of a call and of its function. Arguments are no text of the message, and are not searched.
const OF_CALL: &[Key] =
    &[pass("id"), pass("type"), pass("name"), pass("arguments"), pass("args"), pass("index"), pass("call_id")];

static CALL: State =
    state("call", &[one("function", Slot::Function, &FUNCTION), is("function", ANY, Slot::Unnamed)], &[]).include(&[
        OF_CALL,
        &IN_MESSAGE,
        OTHERS,
    ]);
static FUNCTION: State = state("function", OF_CALL, &[]).include(&[OTHERS]);

/// A part of the content.
static PART: State = state(
    "part",
    &[
        is("type", ANY, Slot::Type),
        is("text", ANY, Slot::Text),
        is("id", ANY, Slot::Id),
        is("tool_calls", ANY, Slot::Calls),
        is("function_call", ANY, Slot::Calls),
        is("functionCall", ANY, Slot::Calls),
        is("functionResponse", ANY, Slot::Answered),
        is("refusal", ANY, Slot::Shown),
    ],
    &[],
)
.include(&[THOUGHTS, OTHERS]);

const CONTENT: Rows = FAMILY | BLOCKS | SESSION | LOG;

/// The keys of a message.
const OF_MESSAGE: &[Key] = &[
    is("role", ANY, Slot::Role).of(CONTENT | CHECKPOINT),
    is("speaker", ANY, Slot::Role).of(BLOCKS | SESSION | LOG),
    each("content", Slot::Content, &PART).of(CONTENT),
    one("content", Slot::Content, &PART).of(CONTENT),
    is("content", ANY, Slot::Content).of(CONTENT),
    each("blocks", Slot::Content, &PART).of(BLOCKS | SESSION | LOG),
    one("blocks", Slot::Content, &PART).of(BLOCKS | SESSION | LOG),
    is("blocks", ANY, Slot::Content).of(BLOCKS | SESSION | LOG),
    each("parts", Slot::Content, &PART).of(CHECKPOINT),
    one("parts", Slot::Content, &PART).of(CHECKPOINT),
    is("parts", ANY, Slot::Content).of(CHECKPOINT),
    each("tool_calls", Slot::Calls, &CALL),
    one("tool_calls", Slot::Calls, &CALL),
    is("tool_calls", ANY, Slot::Calls),
    each("function_call", Slot::Calls, &CALL),
    one("function_call", Slot::Calls, &CALL),
    is("function_call", ANY, Slot::Calls),
    each("functionCall", Slot::Calls, &CALL),
    one("functionCall", Slot::Calls, &CALL),
    is("functionCall", ANY, Slot::Calls),
    is("id", ANY, Slot::Id),
    is("type", ANY, Slot::Type),
    is("refusal", ANY, Slot::Shown),
    is("audio", ANY, Slot::Shown),
    is("images", ANY, Slot::Shown),
    is("usageMetadata", ANY, Slot::Notes),
    is("tokens", ANY, Slot::Notes),
    is("metadata", ANY, Slot::Notes),
    is("channel", ANY, Slot::Channel),
];

static MESSAGE: State = state("message", OF_MESSAGE, &[]).include(&[THOUGHTS, &IN_MESSAGE, OTHERS]);

/// The probabilities of the tokens of a choice.
static PROBABILITIES: State = state("probabilities", THOUGHTS, &[]).include(&[OTHERS]);

/// Keys of a choice. A delta may stand in a record without a list of choices.
const OF_CHOICE: &[Key] = &[
    one("delta", Slot::Delta, &MESSAGE).of(FAMILY | BLOCKS),
    is("delta", ANY, Slot::Delta).of(FAMILY | BLOCKS),
    is("index", ANY, Slot::Index).of(FAMILY | BLOCKS),
    is("finish_reason", ANY, Slot::Stop).of(FAMILY | BLOCKS),
    one("logprobs", Slot::Probabilities, &PROBABILITIES).of(FAMILY | BLOCKS),
    is("logprobs", ANY, Slot::Probabilities).of(FAMILY | BLOCKS),
];

/// A choice of a response.
static CHOICE: State = state(
    "choice",
    &[
        one("message", Slot::Inner, &MESSAGE).of(FAMILY | BLOCKS),
        is("message", ANY, Slot::Inner).of(FAMILY | BLOCKS),
        is("text", ANY, Slot::Text),
    ],
    &[],
)
.include(&[OF_CHOICE, OTHERS]);

/// Keys of records, in any depth.
const OF_RECORD: &[Key] = &[
    each("messages", Slot::Messages, &MESSAGE).of(FAMILY | BLOCKS | LOG),
    is("messages", ANY, Slot::Messages).of(FAMILY | BLOCKS | LOG),
    each("conversations", Slot::Messages, &MESSAGE).of(FAMILY),
    is("conversations", ANY, Slot::Messages).of(FAMILY),
    each("input", Slot::Messages, &MESSAGE).of(FAMILY),
    is("input", ANY, Slot::Messages).of(FAMILY),
    each("contents", Slot::Messages, &MESSAGE).of(FAMILY),
    is("contents", ANY, Slot::Messages).of(FAMILY),
    each("history", Slot::Messages, &MESSAGE).of(BLOCKS | CHECKPOINT),
    is("history", ANY, Slot::Messages).of(BLOCKS | CHECKPOINT),
    each("clientHistory", Slot::Messages, &MESSAGE).of(CHECKPOINT),
    is("clientHistory", ANY, Slot::Messages).of(CHECKPOINT),
    each("chunks", Slot::Pieces, &MESSAGE).of(BLOCKS | LOG),
    is("chunks", ANY, Slot::Pieces).of(BLOCKS | LOG),
    each("choices", Slot::Choices, &CHOICE).of(FAMILY | BLOCKS),
    is("choices", ANY, Slot::Choices).of(FAMILY | BLOCKS),
    is("usage", ANY, Slot::Usage),
    is("error", ANY, Slot::Error),
    is("done", ANY, Slot::Over),
];

/// Keys of objects and lists that hold a record.
const fn wrappers(inner: &'static State) -> [Key; 9] {
    [
        one("response", Slot::Wrapped, inner).of(FAMILY | BLOCKS | LOG),
        each("response", Slot::Wrapped, inner).of(FAMILY | BLOCKS | LOG),
        is("response", ANY, Slot::Wrapped).of(FAMILY | BLOCKS | LOG),
        one("body", Slot::Wrapped, inner).of(FAMILY | BLOCKS),
        each("body", Slot::Wrapped, inner).of(FAMILY | BLOCKS),
        is("body", ANY, Slot::Wrapped).of(FAMILY | BLOCKS),
        one("payload", Slot::Wrapped, inner).of(SESSION),
        each("payload", Slot::Wrapped, inner).of(SESSION),
        is("payload", ANY, Slot::Wrapped).of(SESSION),
    ]
}

static IN_RECORD: [Key; 9] = wrappers(&WRAPPED);
static IN_WRAPPED: [Key; 9] = wrappers(&WRAPPED_TWICE);

/// Keys of a record in a record. What stands there in place of a text may be a message.
const OF_WRAPPED: &[Key] = &[
    either("content", Slot::Content, &MESSAGE, &PART).of(CONTENT),
    either("blocks", Slot::Content, &MESSAGE, &PART).of(BLOCKS | SESSION | LOG),
    either("parts", Slot::Content, &MESSAGE, &PART).of(CHECKPOINT),
    either("summary", Slot::Inner, &MESSAGE, &PART).of(SESSION),
    is("summary", ANY, Slot::Inner).of(SESSION),
    is("itemsRemoved", ANY, Slot::TakenBack),
    is("itemsCompressed", ANY, Slot::Replaced),
];

/// A record. It may be a message itself.
pub(in crate::dialect) static RECORD: State =
    state("record", OF_RECORD, &[]).include(&[OF_CHOICE, OF_MESSAGE, THOUGHTS, &IN_MESSAGE, &IN_RECORD, OTHERS]);

/// A record in a record, and one in that: a batch holds a response that holds a body.
static WRAPPED: State = state("wrapped record", OF_WRAPPED, &[]).include(&[
    OF_RECORD,
    OF_MESSAGE,
    THOUGHTS,
    &IN_MESSAGE,
    &IN_WRAPPED,
    OTHERS,
]);
static WRAPPED_TWICE: State =
    state("wrapped record", OF_WRAPPED, &[]).include(&[OF_RECORD, OF_MESSAGE, THOUGHTS, &IN_MESSAGE, OTHERS]);

/// What a key means in an object that repeats reasoning.
pub(in crate::dialect) fn in_copies(key: &[u8], rows: Rows) -> Slot {
    slot_in(&COPIES, key, rows)
}

/// Whether a key has a meaning in any object of the family.
pub(in crate::dialect) fn is_known(key: &[u8], rows: Rows) -> bool {
    let states = [&RECORD, &WRAPPED, &MESSAGE, &CHOICE, &PART, &COPIES];
    states.iter().any(|state| slot_in(state, key, rows) != Slot::Unnamed)
}

fn slot_in(state: &'static State, key: &[u8], rows: Rows) -> Slot {
    match state.find(key, ANY, rows, |_| false).map(|found| found.to) {
        Some(To::Is(slot) | To::One(slot, _) | To::Each(slot, _) | To::Either(slot, ..)) => slot,
        _ => Slot::Unnamed,
    }
}
