//! Formats that are known but not read yet: the keys and types of their reasoning, if these have no word for it. A
//! format that gets a row in [`super::super::DIALECTS`] leaves this table.
//!
//! The examples of a row are its proof, run by the tests: records that may hold reasoning, and records of the same
//! format that hold none.

use super::products;
use crate::dialect::product::Product;

/// A format, or a family of formats, that is known but not read.
#[derive(Debug)]
#[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "some columns are for the command"))]
pub struct Unread {
    /// Its name.
    pub name: &'static str,
    /// Products that write it, if they are known by the places of their reasoning.
    pub products: &'static [Product],
    /// Keys whose text is reasoning, or a signature or ciphertext of it, however short it is.
    pub keys: &'static [&'static str],
    /// Types of objects whose text, signature or ciphertext is part of reasoning.
    pub kinds: &'static [&'static str],
    /// Keys that are reasoning only beside another key.
    pub beside: &'static [(&'static str, &'static str)],
    /// Records that may hold reasoning.
    pub suspect: &'static [&'static str],
    /// Records that hold none.
    pub clean: &'static [&'static str],
}

const ROW: Unread = Unread { name: "", products: &[], keys: &[], kinds: &[], beside: &[], suspect: &[], clean: &[] };

/// The table. Names with a word for reasoning (`super::words`) are not repeated here.
pub const UNREAD: &[Unread] = &[
    Unread {
        name: "Gemini",
        products: products::GEMINI,
        keys: &["thoughtSignature", "thought_signature"],
        suspect: &[
            r#"{"event_type":"step.delta","delta":{"type":"thought_summary","content":{"text":"Plan"}}}"#,
            r#"{"event_type":"step.delta","delta":{"signature":"CiQB","type":"thought_signature"}}"#,
            r#"{"chunkedPrompt":{"chunks":[{"text":"Plan it.","isThought":true,"role":"model"}]}}"#,
            r#"{"messages":[{"type":"gemini","content":"4","thoughts":[{"subject":"Adding two numbers"}]}]}"#,
        ],
        clean: &[
            r#"{"candidates":[{"content":{"parts":[{"text":"Sunny."}]}}],"usageMetadata":{"thoughtsTokenCount":9}}"#,
            r#"{"candidates":[{"content":{"parts":[{"thought":true,"functionCall":{"name":"f","args":{"a":"b c"}}}]}}]}"#,
            r#"{"generationConfig":{"thinkingConfig":{"includeThoughts":true,"thinkingLevel":"high"}}}"#,
            r#"{"index":0,"step":{"type":"thought"},"event_type":"step.start"}"#,
        ],
        ..ROW
    },
    Unread {
        name: "Bedrock Converse",
        products: products::BEDROCK,
        keys: &["reasoningContent", "reasoningText", "redactedContent"],
        suspect: &[r#"{"output":{"message":{"content":[{"reasoningContent":{"reasoningText":{"text":"Add"}}}]}}}"#],
        clean: &[
            r#"{"contentBlockDelta":{"contentBlockIndex":1,"delta":{"text":"Sunny"}}}"#,
            r#"{"toolUse":{"toolUseId":"t1","name":"think","input":{"thought":"It may rain today."}}}"#,
        ],
        ..ROW
    },
    Unread {
        name: "Cohere v2",
        products: products::COHERE,
        keys: &["tool_plan"],
        kinds: &["tool-plan-delta"],
        suspect: &[
            r#"{"type":"content-delta","index":0,"delta":{"message":{"content":{"thinking":"The"}}}}"#,
            r#"{"type":"tool-plan-delta","delta":{"message":{"tool_plan":"I"}}}"#,
            r#"{"message":{"role":"assistant","content":[{"type":"thinking","thinking":"The user asks."}]}}"#,
        ],
        clean: &[r#"{"type":"content-delta","index":1,"delta":{"message":{"content":{"text":"Sunny"}}}}"#],
        ..ROW
    },
    Unread {
        name: "Ollama",
        products: products::OLLAMA,
        suspect: &[
            r#"{"model":"m","message":{"role":"assistant","content":"","thinking":"Two"},"done":false}"#,
            r#"{"model":"m","response":"<think>\nTwo and two.\n</think>\n\n4","done":true}"#,
        ],
        clean: &[
            r#"{"model":"m","message":{"role":"assistant","content":"4"},"done":false}"#,
            r#"{"model":"m","think":true,"messages":[]}"#,
            r#"{"model":"m","think":"high","stream":false}"#,
        ],
        ..ROW
    },
    Unread {
        name: "logs of coding agents",
        products: products::AGENTS,
        keys: &["reasoningOpaque", "encryptedContent", "thinkingSignature"],
        suspect: &[
            r#"{"type":"context.append_loop_event","event":{"type":"content.part","part":{"type":"think","think":"Look"}}}"#,
            r#"{"type":"assistant.message","data":{"content":"4","reasoningText":"Add."}}"#,
            r#"{"step_index":1,"type":"PLANNER_RESPONSE","thinking":"Look at the files.","content":""}"#,
            r#"{"info":{"role":"assistant"},"parts":[{"id":"prt_1","type":"reasoning","text":"Add","time":{"start":1}}]}"#,
            r#"{"Agent":{"content":[{"Thinking":{"text":"Add.","signature":"EqQB"}},{"Text":"4"}]}}"#,
            r#"{"history":[{"message":{"role":"thinking","content":"Add.","signature":"EqQB"}}]}"#,
            r#"{"ts":1,"type":"say","say":"reasoning","text":"Add"}"#,
            r#"{"role":"assistant","content":[{"type":"toolCall"},{"type":"thinking","thinkingSignature":"EqQB"}]}"#,
        ],
        clean: &[
            r#"{"type":"user","message":{"role":"user","content":"What does <think>this</think> do?"}}"#,
            r#"{"type":"user","thinkingMetadata":{"level":"high","triggers":[{"start":0,"text":"ultrathink hard"}]}}"#,
            r#"{"type":"turn_context","payload":{"effort":"high","summary":"auto","reasoning_effort":"high"}}"#,
            r#"{"type":"tool_result","tool_use_id":"t1","content":"<think>quoted words</think>"}"#,
        ],
        ..ROW
    },
    Unread {
        name: "protocols and frameworks",
        products: products::FRAMEWORKS,
        keys: &["encryptedValue", "redactedData", "reasoningEncryptedContent"],
        suspect: &[
            r#"{"type":"reasoning-delta","id":"0","delta":"Add"}"#,
            r#"{"type":"reasoning-end","id":"0","providerMetadata":{"anthropic":{"signature":"EqQB"}}}"#,
            r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"m1","delta":"Add"}"#,
            r#"{"type":"THINKING_TEXT_MESSAGE_CONTENT","delta":"Add"}"#,
            r#"{"id":"r1","role":"reasoning","content":"Adding"}"#,
            r#"{"params":{"update":{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"Add"}}}}"#,
            r#"{"kind":"response","parts":[{"part_kind":"thinking","content":"Add"}]}"#,
            r#"{"blocks":[{"block_type":"thinking","content":"Add"}]}"#,
            r#"{"attributes":{"message_content.type":"reasoning","message_content.text":"Add"}}"#,
            r#"{"kwargs":{"additional_kwargs":{"reasoning":{"summary":[{"type":"summary_text","text":"**Adding"}]}}}}"#,
            r#"{"kind":"reasoning/thought","payload":{"text":"Add"}}"#,
            r#"{"status":{"message":{"parts":[{"data":{"subject":"Adding"}}]}},"metadata":{"coderAgent":{"kind":"thought"}}}"#,
            r#"{"type":"typing","text":"Adding","channelData":{"chunkType":"reasoning","streamType":"informative"}}"#,
            r#"{"message_data":"{\"type\":\"reasoning\",\"summary\":[{\"text\":\"Add\",\"type\":\"summary_text\"}]}"}"#,
            r#"{"body":"data: {\"type\":\"thinking_delta\",\"thinking\":\"Add\"}\n\n"}"#,
            r#"{"isBase64Encoded":true,"body":"eyJyb2xlIjoiYXNzaXN0YW50IiwicmVhc29uaW5nX2NvbnRlbnQiOiJBZGQgdGhlbS4iLCJjb250ZW50IjoiNCJ9"}"#,
            r#"{"chunk":{"bytes":"ZGF0YTogeyJ0eXBlIjoidGhpbmtpbmdfZGVsdGEiLCJ0aGlua2luZyI6IkFkZCJ9Cgo="}}"#,
            // Behind another value, in a string in a string, cut off.
            r#"{"body":"data: {\"type\":\"ping\"}\n\ndata: {\"type\":\"thinking_delta\",\"thinking\":\"Add\"}\n\n"}"#,
            r#"{"lines":"{\"type\":\"ping\"}\n{\"thinking\":\"Add them.\"} {\"type\":\"ping\"}"}"#,
            r#"{"lines":"{\"type\":\"ping\"} {\"thinking\":\"Add them.\"}"}"#,
            r#"{"body":"\"{\\\"thinking\\\":\\\"Add them.\\\"}\""}"#,
            r#"{"body":"{\"type\":\"delta\",\"thinking\": \"Add them"}"#,
            r#"{"index":0,"delta":{"content_delta":"Add","part_delta_kind":"thinking"},"event_kind":"part_delta"}"#,
            r#"{"attributes":[{"key":"gen_ai.completion.0.reasoning","value":{"stringValue":"Add"}}]}"#,
            r#"{"attributes":[{"key":"ai.response.reasoning","value":{"stringValue":"Add them."}}]}"#,
            r#"{"tags":[{"key":"final_chain_of_thought","type":"string","value":"Add them."}]}"#,
            r#"{"attributes":[{"key":"contents.0.message_content.type","value":{"stringValue":"reasoning"}},{"key":"contents.0.message_content.text","value":{"stringValue":"Add"}}]}"#,
        ],
        clean: &[
            r#"{"type":"reasoning-start","id":"0"}"#,
            r#"{"type":"text-delta","id":"1","delta":"4"}"#,
            r#"{"usage":{"output_token_details":{"reasoning":9},"reasoning_tokens":9}}"#,
            r#"{"isBase64Encoded":true,"body":"eyJyb2xlIjoiYXNzaXN0YW50IiwiY29udGVudCI6IkZvdXIsIGJ5IGFkZGluZyB0d28gYW5kIHR3by4ifQ=="}"#,
            r#"{"response":"{\"choices\":[{\"message\":{\"content\":\"4\"}}]}"}"#,
            r#"{"status":{"message":{"parts":[{"text":"4"}]}},"metadata":{"coderAgent":{"kind":"text-content"}}}"#,
            r#"{"body":"{\"type\":\"delta\",\"text\": \"Add them"}"#,
            r#"{"index":0,"delta":{"content_delta":"4","part_delta_kind":"text"},"event_kind":"part_delta"}"#,
            r#"{"attributes":[{"key":"gen_ai.request.reasoning","value":{"stringValue":"high"}}]}"#,
            r#"{"attributes":[{"key":"contents.0.message_content.type","value":{"stringValue":"text"}},{"key":"kind","value":{"stringValue":"reasoning"}}]}"#,
        ],
        ..ROW
    },
    Unread {
        name: "chat products",
        products: products::CHATS,
        suspect: &[
            r#"{"message":{"content":{"content_type":"thoughts","thoughts":[{"summary":"Adding","content":"I add."}]}}}"#,
            r#"{"fragments":[{"type":"THINK","content":"Add","elapsed_secs":1.2}]}"#,
            r#"{"role":"assistant","content":"<details type=\"reasoning\" done=\"true\">\n<summary>Thought</summary>\n> Add.\n</details>\n4"}"#,
            r#"{"steps":[{"style":{"type":"thinking","title":"Thought"},"content":[{"type":"text","text":"Add"}]}]}"#,
            r#"{"content":[{"type":"think","think":"Add"}]}"#,
            r#"{"role":"assistant","reasoning":{"content":"Add","duration":3}}"#,
            r#"{"id":"b1","messageId":"m1","type":"thinking","content":"Add","thinking_millsec":9}"#,
            r#"{"mes":"4","extra":{"reasoning":"Add them.","reasoning_duration":9}}"#,
        ],
        clean: &[r#"{"mes":"4","extra":{"reasoning":"","reasoning_duration":9,"reasoning_type":"model"}}"#],
        ..ROW
    },
    Unread {
        name: "data sets",
        products: products::SETS,
        keys: &[
            "chain_of_thought",
            "chainOfThought",
            "thought_process",
            "inner_thoughts",
            "inner_monologue",
            "internal_monologue",
        ],
        beside: &[("analysis", "final"), ("analysis", "role"), ("rationale", "role"), ("rationale", "answer")],
        suspect: &[
            r#"{"problem":"3+3?","generations":["<think>\nAdd.\n</think>\n\n6"],"correct":[true]}"#,
            r#"{"question":"3+3?","chain_of_thought":"Three and three make six.","answer":"6"}"#,
            r#"{"question":"3+3?","chain_of_thought":"Adding","answer":"6"}"#,
            r#"{"question":"3+3?","cot":"Add them.","answer":"6"}"#,
            r#"{"question":"3+3?","thinking_trajectories":["Add them."],"attempt":"6"}"#,
            r#"{"Question":"3+3?","Complex_CoT":"Add them.","Response":"6"}"#,
            r#"{"user":"3+3?","analysis":"Add them.","final":"6"}"#,
            r#"{"role":"model","analysis":"Add them.","parts":["6"]}"#,
            r#"{"question":"3+3?","rationale":"Add them.","answer":"6"}"#,
            r#"{"question":"3+3?","internal_monologue":"Adding","answer":"6"}"#,
            r#"{"fields":[{"name":"reasoning_content","value":"Add them."},{"name":"answer","value":"6"}]}"#,
            r#"{"value":"Add them.","name":"chain_of_thought"}"#,
            r#"{"channel":"analysis","content":"Add"}"#,
            r#"{"prompt":"3+3?","chosen":"<think>Add.</think>6","rejected":"<think>Guess.</think>9"}"#,
            r#"{"messages":[{"role":"assistant","content":[{"type":"reasoning","value":"Add"},{"type":"text","value":"6"}]}]}"#,
        ],
        clean: &[
            r#"{"question":"5+5?","reasoning":"on","response":"10"}"#,
            r#"{"question":"5+5?","category":"reasoning","type":"reasoning","answer":"10"}"#,
            r#"{"question":"5+5?","cot_type":"math","reasoning":"math","answer":"10"}"#,
            r#"{"title":"Report","analysis":"The code adds two numbers."}"#,
            r#"{"rule":"No dead code","rationale":"It is never tested."}"#,
            r#"{"name":"reasoning_content","type":"string","description":"The text of the reasoning."}"#,
            r#"{"name":"reasoning_content","value":"on"}"#,
            r#"{"name":"thinking","value":"A loud noise."}"#,
            r#"{"role":"user","analysis":"Two numbers.","content":"3+3?"}"#,
            r#"{"channel":"final","content":"6"}"#,
            r#"{"system":"Think in <think> your thoughts </think> first.","answer":"10"}"#,
        ],
        ..ROW
    },
    Unread {
        name: "no conversations",
        suspect: &[],
        clean: &[
            r#"{"name":"deep-thinking","version":"1.0.0","keywords":["reasoning","think"]}"#,
            r#"{"packages":{"node_modules/think":{"version":"1.0.0","integrity":"sha512-Aa0=","license":"MIT"}}}"#,
            r#"{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"reasoning":{"type":"string","description":"Why this city?"}}}}}"#,
            r#"{"name":"f","description":"Put <think>your words</think> here","input_schema":{"type":"object"}}"#,
            r#"{"added_tokens":[{"id":1,"content":"<think>"},{"id":2,"content":"</think>"}]}"#,
            r#"{"chat_template":"{% if x %}<think>\n{{ reasoning }}\n</think>{% endif %}"}"#,
            r#"{"ui":{"show_thinking":true,"thinking":"collapsed","reasoning_effort":"high","thinking_color":"dark grey"}}"#,
            r#"{"text":"Write `<think>like this</think>` in your prompt."}"#,
            r#"{"levels":{"thinking":["low","high"]},"models":[{"id":"m","reasoning":true}]}"#,
            r#"[1,"two",null,{"thought":null,"thinking":false,"reasoning":0}]"#,
        ],
        ..ROW
    },
];
