//! The states of a record of the family. Real records mix the spellings of its formats, so that all of them are one
//! shape; each key says which rows have it, for a user who names one.

use super::fields::{FIELDS, texts};
pub(in crate::dialect) use super::origin::ORIGIN;
use super::rows::{BLOCKS, CHAT, CHECKPOINT, FAMILY, LOG, SESSION};
use crate::dialect::shape::{
    ANY, Does, Key, Kind, LIST, NONE, NUMBER, OBJECT, Rows, STRING, Slot, State, TRUE, To, When, case, each, either,
    is, one, pass, same, state,
};

/// A content part that is reasoning.
pub(super) const THOUGHT: Does = Does::Block(Kind::Reasoning("part"));

static THOUGHTS: &[Key] = &{
    let mut keys = [is("", ANY, Slot::Thought); FIELDS.len()];
    let mut at = 0;
    while at < FIELDS.len() {
        keys[at] = is(FIELDS[at].key, ANY, Slot::Thought).of(FIELDS[at].rows);
        at += 1;
    }
    keys
};

/// An object of reasoning under such a key. What stands in it is said by the keys that all formats share
/// (`shared::holds`).
static DETAIL: State = state(
    "detail",
    &[
        pass("type"),
        is("id", STRING, Slot::Id),
        is("index", NUMBER, Slot::Index),
        pass("format").beside("format", &["unknown"]),
        is("format", STRING, Slot::SealedBy),
        // Of another type they say nothing, and are no loss.
        pass("id"),
        pass("index"),
        pass("format"),
    ],
    &[],
);

/// The keys of a message again, for the objects under them.
static DETAILS: &[Key] = &{
    let mut keys = [is("", ANY, Slot::Thought); 2 * texts()];
    let (mut at, mut key) = (0, 0);
    while at < FIELDS.len() {
        if !FIELDS[at].opaque {
            keys[key] = each(FIELDS[at].key, Slot::Thought, &DETAIL).of(FIELDS[at].rows).anew();
            keys[key + 1] = one(FIELDS[at].key, Slot::Thought, &DETAIL).of(FIELDS[at].rows).anew();
            key += 2;
        }
        at += 1;
    }
    keys
};

/// Keys of objects that repeat the reasoning of their message.
const fn copies(inner: &'static State) -> [Key; 4] {
    [
        one("provider_specific_fields", Slot::Copies, inner).of(CHAT),
        one("additional_kwargs", Slot::Copies, inner).of(CHAT),
        one("extra_content", Slot::Copies, inner).of(CHAT),
        one("google", Slot::Copies, inner).of(CHAT),
    ]
}

static IN_MESSAGE: [Key; 4] = copies(&COPIES);
static IN_COPIES: [Key; 4] = copies(&COPIES_IN_COPIES);
static IN_COPIES_TWICE: [Key; 4] = copies(&LAST_COPIES);

/// Such an object, and those in it: `extra_content` holds `google`.
static COPIES: State = state("copies", &IN_COPIES, &[]).include(&[THOUGHTS]);
static COPIES_IN_COPIES: State = state("copies", &IN_COPIES_TWICE, &[]).include(&[THOUGHTS]);
static LAST_COPIES: State = state("copies", THOUGHTS, &[]);

/// What the keys of a call and of its function hold, in any spelling. Arguments are no text of the message, and are not
/// searched.
static IN_CALL: &[Key] = &[
    is("id", STRING, Slot::CallId),
    is("callId", STRING, Slot::CallId),
    is("toolCallId", STRING, Slot::CallId),
    is("name", STRING, Slot::Name),
    is("arguments", STRING | OBJECT, Slot::Arguments),
    is("args", STRING | OBJECT, Slot::Arguments),
    is("parameters", STRING | OBJECT, Slot::Arguments),
    is("input", STRING | OBJECT, Slot::Arguments),
    is("index", NUMBER, Slot::Index),
];

/// The other known keys of a call. Some programs have objects for the name, with that of the server, and for the number, and
/// lists of arguments.
static OF_CALL: &[Key] = &[pass("name"), pass("arguments"), pass("args"), pass("index"), pass("type"), pass("call_id")];

static CALL: State = state(
    "call",
    &[
        one("function", Slot::Function, &FUNCTION),
        one("functionCall", Slot::Called, &FUNCTION),
        one("custom", Slot::Called, &CUSTOM),
    ],
    &[],
)
.include(&[IN_CALL, OF_CALL, &IN_MESSAGE]);
static FUNCTION: State = state("function", &[], &[]).include(&[IN_CALL, OF_CALL]);

/// A tool that takes free text.
static CUSTOM: State = state("custom", &[is("input", STRING, Slot::Input)], &[]).include(&[IN_CALL, OF_CALL]);

/// What the keys of a result hold, in any spelling.
static OF_RESULT: &[Key] = &[
    is("callId", ANY, Slot::ResultOf).anew(),
    is("tool_use_id", ANY, Slot::ResultOf).anew(),
    is("toolName", STRING, Slot::Name).anew(),
    is("result", ANY, Slot::Result).anew(),
    is("content", ANY, Slot::Result).anew(),
    is("response", ANY, Slot::Result).anew(),
    is("output", ANY, Slot::Result).anew(),
    is("is_error", ANY, Slot::IsError).anew(),
    is("isError", ANY, Slot::IsError).anew(),
];

static RESULT: State = state("result", OF_RESULT, &[]).include(&[IN_CALL]);

/// A part of the content.
pub(super) static PART: State = state(
    "part",
    &[
        is("type", STRING, Slot::Type),
        is("text", STRING, Slot::Text),
        is("thinking", STRING, Slot::Thought).of(CHAT | BLOCKS | SESSION | LOG),
        is("thinking", FLAG, Slot::Flag).of(CHAT | BLOCKS | SESSION | LOG),
        is("thought", STRING, Slot::Thought).of(CHAT | BLOCKS | SESSION | LOG | CHECKPOINT),
        is("thought", FLAG, Slot::Flag).of(CHAT | BLOCKS | SESSION | LOG | CHECKPOINT),
        is("reasoning_opaque", ANY, Slot::Ciphertext).of(CHAT),
        is("thought_signature", ANY, Slot::Seal).of(CHAT),
        is("thought_signatures", ANY, Slot::Seal).of(CHAT),
        is("thoughtSignature", ANY, Slot::Seal).of(CHECKPOINT),
        one("tool_calls", Slot::Called, &FUNCTION),
        one("function_call", Slot::Called, &FUNCTION),
        one("functionCall", Slot::Called, &FUNCTION),
        one("functionResponse", Slot::Answered, &RESULT),
        is("refusal", STRING, Slot::Shown),
    ],
    &[
        case(&[When::Type(&["thinking", "redacted_thinking"])], THOUGHT).of(CONTENT),
        case(
            &[When::Type(&[
                "reasoning",
                "reasoning_content",
                "reasoning_text",
                "think",
                "thought",
                "thoughtSignature",
            ])],
            THOUGHT,
        )
        .of(FAMILY),
        case(&[When::Has(Slot::Called)], Does::Block(Kind::Call)),
        case(&[When::Has(Slot::Answered)], Does::Block(Kind::Result)),
        case(&[When::Has(Slot::Flag), When::Lacks(Slot::Thought), When::Lacks(Slot::Type)], THOUGHT),
        case(&[When::Has(Slot::Flag), When::Lacks(Slot::Thought), When::Lacks(Slot::Text)], THOUGHT),
        // With both reasoning and an answer, or another type, no format says which is which.
        case(&[When::Has(Slot::Thought), When::Lacks(Slot::Type), When::Beyond(BESIDE)], Does::Unclear),
        case(&[When::Has(Slot::Thought), When::Lacks(Slot::Type)], THOUGHT),
        case(&[When::Has(Slot::Thought), When::Lacks(Slot::Text), When::Thinks], THOUGHT),
        case(&[When::Has(Slot::Thought), When::Lacks(Slot::Text), When::Type(&[""])], THOUGHT),
        case(&[When::Has(Slot::Flag)], Does::Unclear),
        case(&[When::Thinks], Does::Unclear),
        case(&[When::Type(&["analysis"]), When::Has(Slot::Text)], Does::Unclear),
        case(&[When::Type(&["tool_call", "tool_use", "tool-call"])], Does::Block(Kind::Call)),
        case(&[When::Type(&["tool_response", "tool_result", "tool-result"])], Does::Block(Kind::Result)),
        case(&[When::Type(&["refusal"]), When::Has(Slot::Shown)], Does::Block(Kind::Refusal)),
        case(&[When::Has(Slot::Text)], Does::Block(Kind::Text)),
        case(
            &[When::Type(&["image_url", "image", "input_audio", "file", "media", "document", "document_url"])],
            Does::Block(Kind::Media),
        ),
        case(&[], Does::Block(Kind::Other)),
    ],
)
.include(&[OF_RESULT, IN_CALL]);

/// What a part may have beside the text of reasoning, and be nothing else.
/// Strings under unknown keys count beside these.
const BESIDE: &[Slot] =
    &[Slot::Thought, Slot::Flag, Slot::Ciphertext, Slot::Seal, Slot::Id, Slot::CallId, Slot::Index, Slot::Unnamed];

/// What says that a part is reasoning, in place of its text.
const FLAG: u8 = TRUE | NUMBER | OBJECT | LIST;

/// The types of parts that are reasoning in one of these rows.
pub(super) fn reasoning_types(rows: Rows) -> impl Iterator<Item = &'static str> {
    let cases = PART.cases.iter().filter(move |case| case.does == THOUGHT && case.rows & rows != 0);
    let types = cases.flat_map(|case| case.when).filter_map(|when| match when {
        When::Type(types) => Some(*types),
        _ => None,
    });
    types.flatten().copied().filter(|name| !name.is_empty())
}

const CONTENT: Rows = FAMILY | BLOCKS | SESSION | LOG;

/// What the model has spoken, and the same as text.
static AUDIO: State = state("audio", &[is("transcript", STRING, Slot::Text), is("id", STRING, Slot::Media)], &[]);

/// The keys of a message.
static OF_MESSAGE: &[Key] = &[
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
    each("function_call", Slot::Calls, &CALL),
    one("function_call", Slot::Calls, &CALL),
    each("functionCall", Slot::Calls, &CALL),
    one("functionCall", Slot::Calls, &CALL),
    is("id", ANY, Slot::Id),
    is("type", ANY, Slot::Type),
    is("refusal", STRING, Slot::Shown),
    same("audio", &AUDIO),
    is("images", ANY, Slot::Media),
    is("usageMetadata", ANY, Slot::Notes),
    is("tokens", ANY, Slot::Notes),
    is("metadata", ANY, Slot::Notes),
    is("channel", ANY, Slot::Channel),
    is("name", STRING, Slot::Name).anew(),
    // Requests of Ollama that have nothing else of their own are of this family.
    is("tool_name", STRING, Slot::Name).anew(),
    is("tool_call_id", ANY, Slot::ResultOf).anew(),
];

static MESSAGE: State = state("message", OF_MESSAGE, &[]).include(&[DETAILS, THOUGHTS, &IN_MESSAGE]);

/// The probabilities of the tokens of a choice.
static PROBABILITIES: State = state("probabilities", THOUGHTS, &[]);

/// Keys of a choice. A delta may stand in a record without a list of choices.
static OF_CHOICE: &[Key] = &[
    one("delta", Slot::Delta, &MESSAGE).of(FAMILY | BLOCKS),
    is("index", ANY, Slot::Index).of(FAMILY | BLOCKS),
    is("finish_reason", ANY, Slot::Stop).of(FAMILY | BLOCKS),
    one("logprobs", Slot::Probabilities, &PROBABILITIES).of(FAMILY | BLOCKS),
    is("logprobs", NONE, Slot::Probabilities).of(FAMILY | BLOCKS),
];

/// A choice of a response.
static CHOICE: State = state(
    "choice",
    &[
        one("message", Slot::Inner, &MESSAGE).of(FAMILY | BLOCKS),
        is("text", STRING, Slot::Text),
        is("stop_reason", STRING, Slot::Stop).beside("text", &[]).of(FAMILY | BLOCKS),
        // The tokens of an answer as numbers, with those of its reasoning.
        is("token_ids", LIST, Slot::Shadow).of(FAMILY | BLOCKS),
        // Moonshot's streams have it here.
        is("usage", ANY & !STRING, Slot::Usage).anew(),
    ],
    &[],
)
.include(&[OF_CHOICE]);

/// What Groq says of a stream, in its last event.
static X_GROQ: State = state("x_groq", &[is("usage", ANY & !STRING, Slot::Usage)], &[]);

/// Keys of records, in any depth.
static OF_RECORD: &[Key] = &[
    each("messages", Slot::Messages, &MESSAGE).of(FAMILY | BLOCKS | LOG),
    each("conversations", Slot::Messages, &MESSAGE).of(FAMILY),
    each("input", Slot::Messages, &MESSAGE).of(FAMILY),
    // A sample of a data set for preferences.
    each("prompt", Slot::Messages, &MESSAGE).of(FAMILY),
    each("completion", Slot::Messages, &MESSAGE).of(FAMILY),
    each("chosen", Slot::Messages, &MESSAGE).of(FAMILY),
    each("rejected", Slot::Messages, &MESSAGE).of(FAMILY),
    each("history", Slot::Messages, &MESSAGE).of(BLOCKS | CHECKPOINT),
    each("clientHistory", Slot::Messages, &MESSAGE).of(CHECKPOINT),
    each("chunks", Slot::Pieces, &MESSAGE).of(BLOCKS | LOG),
    each("choices", Slot::Choices, &CHOICE).of(FAMILY | BLOCKS),
    is("generated_text", STRING, Slot::Wrapped).of(FAMILY),
    is("usage", ANY & !STRING, Slot::Usage),
    same("x_groq", &X_GROQ).of(FAMILY),
    is("error", ANY, Slot::Error),
    is("done", ANY, Slot::Over),
    // A piece of an answer, with letters so that its length says nothing.
    is("p", STRING, Slot::Over).beside("response", &[]),
    is("object", STRING, Slot::Object).anew(),
    is("model", STRING, Slot::Model).anew(),
    is("created", NUMBER, Slot::Created).anew(),
    is("system_fingerprint", STRING, Slot::IdPart).anew(),
    // Random letters, so that the length of an event says nothing of its text.
    pass("obfuscation"),
    is("service_tier", ANY, Slot::OwnParameter).anew(),
    // A line of a batch.
    is("custom_id", STRING, Slot::Batch).anew(),
    // A request. Instructions beside the messages are those of a data set, or of a request of Anthropic that has only texts.
    is("system", STRING, Slot::System).beside("messages", &[]).anew(),
    is("system", STRING, Slot::System).beside("conversations", &[]).anew(),
    is("system_prompt", STRING, Slot::System).beside("messages", &[]).anew(),
    is("system_prompt", STRING, Slot::System).beside("conversations", &[]).anew(),
    is("tools", LIST | STRING, Slot::Tools).anew(),
    // The first version of the API had functions only.
    is("functions", LIST, Slot::Tools).beside("messages", &[]).anew(),
    is("max_tokens", NUMBER, Slot::Limit).anew(),
    is("max_completion_tokens", NUMBER, Slot::Limit).anew(),
    is("metadata", ANY, Slot::Parameter).beside("messages", &[]).anew(),
    is("metadata", ANY, Slot::Parameter).beside("input", &[]).anew(),
    is("logprobs", TRUE | NONE | NUMBER, Slot::Parameter).anew(),
    is("temperature", ANY, Slot::Parameter).anew(),
    is("top_p", ANY, Slot::Parameter).anew(),
    is("stream", ANY, Slot::Parameter).anew(),
    is("stream_options", ANY, Slot::Parameter).anew(),
    is("stop", ANY, Slot::Parameter).anew(),
    is("n", ANY, Slot::Parameter).anew(),
    is("seed", ANY, Slot::Parameter).anew(),
    is("tool_choice", ANY, Slot::Parameter).anew(),
    is("parallel_tool_calls", ANY, Slot::Parameter).anew(),
    is("response_format", ANY, Slot::Parameter).anew(),
    is("reasoning_effort", ANY, Slot::Parameter).anew(),
    is("presence_penalty", ANY, Slot::Parameter).anew(),
    is("frequency_penalty", ANY, Slot::Parameter).anew(),
    is("logit_bias", ANY, Slot::Parameter).anew(),
    is("top_logprobs", ANY, Slot::Parameter).anew(),
    is("store", ANY, Slot::Parameter).anew(),
    is("user", ANY, Slot::Parameter).anew(),
    is("modalities", ANY, Slot::Parameter).anew(),
    is("prediction", ANY, Slot::Parameter).anew(),
];

/// Keys of objects and lists that hold a record.
const fn wrappers(inner: &'static State) -> [Key; 7] {
    [
        one("response", Slot::Wrapped, inner).of(FAMILY | BLOCKS | LOG),
        each("response", Slot::Wrapped, inner).of(FAMILY | BLOCKS | LOG),
        is("response", STRING, Slot::Wrapped).of(FAMILY | BLOCKS | LOG),
        one("body", Slot::Wrapped, inner).of(FAMILY | BLOCKS),
        each("body", Slot::Wrapped, inner).of(FAMILY | BLOCKS),
        one("payload", Slot::Wrapped, inner).of(SESSION),
        each("payload", Slot::Wrapped, inner).of(SESSION),
    ]
}

static IN_RECORD: [Key; 7] = wrappers(&WRAPPED);
static IN_WRAPPED: [Key; 7] = wrappers(&WRAPPED_TWICE);

/// Keys of a record in a record. What stands there in place of a text may be a message.
static OF_WRAPPED: &[Key] = &[
    either("content", Slot::Content, &MESSAGE, &PART).of(CONTENT),
    either("blocks", Slot::Content, &MESSAGE, &PART).of(BLOCKS | SESSION | LOG),
    either("parts", Slot::Content, &MESSAGE, &PART).of(CHECKPOINT),
    either("summary", Slot::Inner, &MESSAGE, &PART).of(SESSION),
    is("itemsRemoved", NUMBER, Slot::TakenBack),
    is("itemsCompressed", NUMBER, Slot::Replaced),
];

/// A record. It may be a message itself.
pub(in crate::dialect) static RECORD: State =
    state("record", OF_RECORD, &[]).include(&[OF_CHOICE, OF_MESSAGE, DETAILS, THOUGHTS, &IN_MESSAGE, &IN_RECORD]);

/// A record in a record, and one in that: a batch holds a response that holds a body.
static WRAPPED: State = state("wrapped record", OF_WRAPPED, &[]).include(&[
    OF_RECORD,
    OF_MESSAGE,
    DETAILS,
    THOUGHTS,
    &IN_MESSAGE,
    &IN_WRAPPED,
]);
static WRAPPED_TWICE: State =
    state("wrapped record", OF_WRAPPED, &[]).include(&[OF_RECORD, OF_MESSAGE, DETAILS, THOUGHTS, &IN_MESSAGE]);

/// What a key means in an object that repeats reasoning.
pub(in crate::dialect) fn in_copies(key: &[u8], rows: Rows) -> Slot {
    slot_in(&COPIES, key, rows)
}

/// Whether a record ignores what stands under this key.
pub(in crate::dialect) fn ignores(key: &[u8], rows: Rows) -> bool {
    matches!(RECORD.find(key, ANY, rows, |_| false).map(|found| found.to), Some(To::Pass))
}

fn slot_in(state: &'static State, key: &[u8], rows: Rows) -> Slot {
    match state.find(key, ANY, rows, |_| false).map(|found| found.to) {
        Some(To::Is(slot) | To::One(slot, _) | To::Each(slot, _) | To::Either(slot, ..)) => slot,
        _ => Slot::Unnamed,
    }
}
