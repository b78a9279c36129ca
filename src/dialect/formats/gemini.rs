//! Gemini generateContent: requests, responses, and responses in pieces, each of which looks like a whole one.
//!
//! Specified by Google's API reference ("Generating content", "Thinking", v1beta). A part with `thought: true` is
//! reasoning. A `thoughtSignature` holds the reasoning in another form and stands on any part, mostly on the one behind
//! the reasoning: it goes as a member. A part of nothing else goes with it. Dumps of Google's Python library spell keys in snake case.

mod write;

use crate::dialect::product::product;
use crate::dialect::shape::{
    ANY, BASE, Does, Key, Kind, LIST, NUMBER, OBJECT, Recognition, STRING, Shape, Slot, State, TRUE, When, case, each,
    into, is, one, pass, record, same, search, state, sure,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;
use crate::model::content::{Attribute, Stop};
use crate::model::{BlockProperty, Role};
use write::Gemini;

static CALL: State = state(
    "function call",
    &[is("id", STRING, Slot::CallId), is("name", STRING, Slot::Name), is("args", ANY, Slot::Arguments)],
    &[],
);

static RESULT: State = state(
    "function response",
    &[is("id", STRING, Slot::ResultOf), is("name", STRING, Slot::Name), is("response", ANY, Slot::Result)],
    &[],
);

/// A part of the content of a message. It has no type: its members say what it is. The reasoning has a source of its own,
/// since no other provider takes its signatures.
static PART: State = state(
    "part",
    &[
        is("text", STRING, Slot::Text),
        is("thought", TRUE, Slot::Flag),
        is("thoughtSignature", STRING, Slot::Seal),
        is("thought_signature", STRING, Slot::Seal),
        into("functionCall", Slot::Called, &CALL),
        into("function_call", Slot::Called, &CALL),
        into("functionResponse", Slot::Answered, &RESULT),
        into("function_response", Slot::Answered, &RESULT),
        is("inlineData", OBJECT, Slot::Media),
        is("inline_data", OBJECT, Slot::Media),
        is("fileData", OBJECT, Slot::Media),
        is("file_data", OBJECT, Slot::Media),
        is("executableCode", OBJECT, Slot::Input),
        is("executable_code", OBJECT, Slot::Input),
        is("codeExecutionResult", OBJECT, Slot::Input),
        is("code_execution_result", OBJECT, Slot::Input),
    ],
    &[
        // A call that is flagged as a thought is a call.
        sure(&[When::Has(Slot::Flag), When::Has(Slot::Called), When::Lacks(Slot::Text)], Does::Block(Kind::Call)),
        case(&[When::Has(Slot::Flag), When::Has(Slot::Called)], Does::Unclear),
        sure(&[When::Has(Slot::Flag)], Does::Block(Kind::Reasoning("thought"))),
        sure(&[When::Has(Slot::Answered)], Does::Block(Kind::Result)),
        sure(&[When::Has(Slot::Called)], Does::Block(Kind::Call)),
        sure(&[When::Has(Slot::Input)], Does::Block(Kind::Hosted)),
        sure(&[When::Has(Slot::Media)], Does::Block(Kind::Media)),
        case(&[When::Has(Slot::Text)], Does::Block(Kind::Text)),
        sure(&[When::Has(Slot::Seal)], Does::Block(Kind::Other)),
    ],
);

/// A message.
pub(super) static CONTENT: State = state("content", OF_CONTENT, &[sure(&[When::Has(Slot::List)], Does::Message)]);

/// Keys of a message. One may stand alone, as programs keep them.
static OF_CONTENT: &[Key] =
    &[is("role", STRING, Slot::Role), each("parts", Slot::List, &PART), one("parts", Slot::List, &PART)];

/// The tokens of an answer, none of which is a text by itself.
static TOKENS: State = state("tokens", &[], &[]);

/// One of the answers in a response.
static CANDIDATE: State = state(
    "candidate",
    &[
        same("content", &CONTENT),
        is("index", NUMBER, Slot::Index),
        is("finishReason", STRING, Slot::Stop),
        is("finish_reason", STRING, Slot::Stop),
        pass("avgLogprobs"),
        pass("tokenCount"),
        // The tokens of the answer with those of its reasoning, one by one.
        into("logprobsResult", Slot::Probabilities, &TOKENS),
        into("logprobs_result", Slot::Probabilities, &TOKENS),
    ],
    &[case(&[], Does::Message)],
);

/// What a session of the Live API says.
static LIVE: State = state("server content", &[same("modelTurn", &CONTENT), same("model_turn", &CONTENT)], &[]);

/// The settings of a request.
static SETTINGS: State = state(
    "generation configuration",
    &[
        is("maxOutputTokens", NUMBER, Slot::Limit),
        is("max_output_tokens", NUMBER, Slot::Limit),
        is("temperature", NUMBER, Slot::Parameter),
        is("topP", NUMBER, Slot::Parameter),
        is("top_p", NUMBER, Slot::Parameter),
        is("topK", NUMBER, Slot::Parameter),
        is("top_k", NUMBER, Slot::Parameter),
        is("seed", NUMBER, Slot::Parameter),
        is("stopSequences", LIST, Slot::Parameter),
        is("stop_sequences", LIST, Slot::Parameter),
        is("presencePenalty", NUMBER, Slot::Parameter),
        is("presence_penalty", NUMBER, Slot::Parameter),
        is("frequencyPenalty", NUMBER, Slot::Parameter),
        is("frequency_penalty", NUMBER, Slot::Parameter),
        is("thinkingConfig", OBJECT, Slot::Parameter),
        is("thinking_config", OBJECT, Slot::Parameter),
        is("responseMimeType", STRING, Slot::Parameter),
        is("response_mime_type", STRING, Slot::Parameter),
        is("responseSchema", OBJECT, Slot::Parameter),
        is("response_schema", OBJECT, Slot::Parameter),
        is("responseJsonSchema", OBJECT, Slot::Parameter),
        is("response_json_schema", OBJECT, Slot::Parameter),
        // These mean nothing to another provider.
        search("responseModalities"),
        search("response_modalities"),
        search("responseLogprobs"),
        search("response_logprobs"),
        search("logprobs"),
        search("candidateCount"),
        search("candidate_count"),
        search("speechConfig"),
        search("speech_config"),
        search("mediaResolution"),
        search("media_resolution"),
    ],
    &[],
);

static INLINED: State = state("responses", &[each("inlinedResponses", Slot::Inner, &RECORD)], &[]);

/// Why a request got no answer.
static FEEDBACK: State = state(
    "prompt feedback",
    &[is("blockReason", STRING, Slot::Stop), is("block_reason", STRING, Slot::Stop), pass("safetyRatings")],
    &[],
);

static RECORD: State = state(
    "record",
    &[
        // A response, or a piece of one.
        each("candidates", Slot::Choices, &CANDIDATE),
        same("promptFeedback", &FEEDBACK),
        same("prompt_feedback", &FEEDBACK),
        is("usageMetadata", OBJECT, Slot::Usage),
        is("usage_metadata", OBJECT, Slot::Usage),
        is("modelVersion", STRING, Slot::Model),
        is("model_version", STRING, Slot::Model),
        is("responseId", STRING, Slot::Id),
        is("response_id", STRING, Slot::Id),
        pass("createTime"),
        same("serverContent", &LIVE),
        same("server_content", &LIVE),
        // A request.
        each("contents", Slot::Messages, &CONTENT),
        one("contents", Slot::Messages, &CONTENT),
        is("systemInstruction", ANY, Slot::System),
        is("system_instruction", ANY, Slot::System),
        same("generationConfig", &SETTINGS),
        same("generation_config", &SETTINGS),
        is("tools", LIST, Slot::Tools),
        is("model", STRING, Slot::Model),
        is("toolConfig", OBJECT, Slot::Parameter),
        is("tool_config", OBJECT, Slot::Parameter),
        // Settings that mean nothing to another provider.
        search("safetySettings"),
        search("safety_settings"),
        search("cachedContent"),
        search("labels"),
        // A batch that was given with its requests, when it is done.
        same("inlinedResponses", &INLINED),
        // A line of a batch, or of a log of requests and responses.
        each("response", Slot::Inner, &RECORD),
        record("response").beside("key", &[]),
        record("response").beside("request", &[]),
        record("request").beside("key", &[]),
        record("request").beside("response", &[]),
        one("response", Slot::Inner, &RECORD),
        one("request", Slot::Inner, &RECORD),
    ],
    &[
        case(&[When::Has(Slot::Choices)], Does::Piece),
        case(&[When::Has(Slot::List)], Does::Message),
        case(&[When::Has(Slot::Messages)], Does::Request),
        case(&[When::Has(Slot::Usage), When::Has(Slot::Model)], Does::Piece),
        case(&[When::Has(Slot::Stop), When::Has(Slot::Model)], Does::Piece),
        case(&[When::Has(Slot::Inner)], Does::Envelope),
        case(&[When::Has(Slot::Record)], Does::Envelope),
    ],
)
.include(&[OF_CONTENT]);

/// Where a record comes from.
static ORIGIN: State = state(
    "origin",
    &[
        is("modelVersion", STRING, Slot::Model),
        is("model_version", STRING, Slot::Model),
        is("model", STRING, Slot::Model),
        is("createTime", STRING, Slot::Created),
        is("create_time", STRING, Slot::Created),
        same("response", &ORIGIN),
        each("response", Slot::List, &ORIGIN),
        same("request", &ORIGIN),
    ],
    &[],
);

/// Where the token counts stand.
pub(super) const USED: &[(&str, Attribute)] = &[
    ("promptTokenCount", Attribute::Input),
    ("candidatesTokenCount", Attribute::Output),
    ("thoughtsTokenCount", Attribute::ThoughtApart),
    ("cachedContentTokenCount", Attribute::Cached),
    ("prompt_token_count", Attribute::Input),
    ("candidates_token_count", Attribute::Output),
    ("thoughts_token_count", Attribute::ThoughtApart),
    ("cached_content_token_count", Attribute::Cached),
];

const SHAPE: Shape = Shape {
    record: &RECORD,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("candidates", &[])], sure: false },
        Recognition { has: &[("serverContent", &[])], sure: false },
        Recognition { has: &[("server_content", &[])], sure: false },
        Recognition { has: &[("usageMetadata", &[]), ("modelVersion", &[])], sure: false },
        Recognition { has: &[("promptFeedback", &[]), ("modelVersion", &[])], sure: false },
        Recognition { has: &[("prompt_feedback", &[]), ("model_version", &[])], sure: false },
        Recognition { has: &[("contents", &[]), ("generationConfig", &[])], sure: false },
        Recognition { has: &[("contents", &[]), ("systemInstruction", &[])], sure: false },
        Recognition { has: &[("contents", &[])], sure: true },
        Recognition { has: &[("role", &[]), ("parts", &[]), ("", &["\"thoughtSignature\""])], sure: true },
        Recognition { has: &[("role", &[]), ("parts", &[]), ("", &["\"functionResponse\""])], sure: true },
        Recognition { has: &[("role", &[]), ("parts", &[]), ("", &["\"inlineData\""])], sure: true },
        Recognition { has: &[("role", &[]), ("parts", &[]), ("", &["\"fileData\""])], sure: true },
        Recognition { has: &[("method", &[]), ("response", &[]), ("", &["\"candidates\""])], sure: false },
        Recognition { has: &[("key", &[]), ("response", &[]), ("", &["\"candidates\""])], sure: false },
        Recognition { has: &[("request", &[]), ("response", &[]), ("", &["\"candidates\""])], sure: false },
        // An event as the service of Gemini CLI sends it.
        Recognition { has: &[("response", &[]), ("", &["\"candidates\""]), ("", &["\"modelVersion\""])], sure: false },
        Recognition { has: &[("response", &[]), ("", &["\"candidates\""])], sure: true },
        Recognition { has: &[("key", &[]), ("request", &[]), ("", &["\"contents\""])], sure: false },
        Recognition { has: &[("request", &[]), ("", &["\"contents\""])], sure: true },
    ],
    stops: &[
        ("STOP", Stop::End),
        ("MAX_TOKENS", Stop::Length),
        ("SAFETY", Stop::Filter),
        ("RECITATION", Stop::Filter),
        ("BLOCKLIST", Stop::Filter),
        ("PROHIBITED_CONTENT", Stop::Filter),
        ("SPII", Stop::Filter),
        ("IMAGE_SAFETY", Stop::Filter),
    ],
    used: USED,
    // A request of one message needs no role.
    unnamed: Some(Role::User),
    addressed: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "gemini",
    aliases: &["generatecontent", "google"],
    kin: &["vertex", "vertexai", "googleai"],
    about: "Gemini generateContent: requests, responses and responses in pieces, with thought parts",
    products: &[product("Gemini API"), product("Vertex AI")],
    framings: &[Framing::Jsonl, Framing::Json, Framing::Sse],
    shape: Some(&SHAPE),
    write: Some(|_| std::sync::Arc::new(Gemini)),
    properties: Some(&[BlockProperty::Blocks]),
    ..PLAIN
};
