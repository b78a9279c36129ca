//! The jobs, each in the language of every program. The Python half is `peer.py`.
//!
//! Peers may do less where only a slower way would do the same: their token estimate counts characters instead of
//! UTF-16 units, and none of them looks for tags in the texts of a conversation. `cat` does nothing: it is what
//! reading and writing cost.

use crate::corpus::Kind;

/// One job.
pub struct Job {
    /// What is typed to select it.
    pub name: &'static str,
    /// What it reads.
    pub corpus: Kind,
    /// How many processes make one run: more than one where one is too short to be measured.
    pub processes: usize,
    /// Our arguments.
    pub ours: &'static [&'static str],
    /// Those of jq and jaq; nothing where the job is none for them.
    pub jq: &'static [&'static str],
    /// The name of the job in `peer.py`.
    pub python: &'static str,
}

/// In the order of the table.
pub const JOBS: &[Job] = &[
    strip("strip all conv", Kind::Conversations),
    strip("strip all sparse", Kind::Sparse),
    strip("strip all dense", Kind::Dense),
    Job {
        name: "strip all array",
        corpus: Kind::Array,
        processes: 1,
        ours: &["strip"],
        jq: &["del(.[].messages[].reasoning_content)"],
        python: "strip-array",
    },
    Job {
        name: "strip all-but-last conv",
        corpus: Kind::Conversations,
        processes: 1,
        ours: &["strip", "--policy", "all-but-last"],
        jq: &["-c", ALL_BUT_LAST],
        python: "all-but-last",
    },
    Job {
        name: "split conv",
        corpus: Kind::Conversations,
        processes: 1,
        ours: &["split", "-o", "json"],
        jq: &["-nc", SPLIT],
        python: "split",
    },
    Job {
        name: "split field tags",
        corpus: Kind::Tags,
        processes: 1,
        ours: &["split", "--field", "/text"],
        jq: &["-nc", SPLIT_FIELD],
        python: "split-field",
    },
    Job {
        name: "strip sse",
        corpus: Kind::Events,
        processes: 1,
        ours: &["strip"],
        jq: &["-Rr", STRIP_EVENTS],
        python: "strip-events",
    },
    Job {
        name: "split text sse",
        corpus: Kind::Events,
        processes: 1,
        ours: &["split", "-o", "text"],
        jq: &["-Rj", EVENTS_TO_TEXT],
        python: "events-to-text",
    },
    Job {
        name: "convert to blocks",
        corpus: Kind::Conversations,
        processes: 1,
        ours: &["convert", "--to", "thinking-block", "-q"],
        jq: &["-c", TO_BLOCKS],
        python: "to-blocks",
    },
    Job {
        name: "convert from blocks",
        corpus: Kind::Blocks,
        processes: 1,
        ours: &["convert", "--to", "reasoning-content", "-q"],
        jq: &["-c", FROM_BLOCKS],
        python: "from-blocks",
    },
    Job {
        name: "tokens conv",
        corpus: Kind::Conversations,
        processes: 1,
        ours: &["tokens"],
        jq: &["-c", TOKENS],
        python: "tokens",
    },
    Job {
        name: "check conv",
        corpus: Kind::Conversations,
        processes: 1,
        // What the Python program finds, too.
        ours: &["check", "--select", "UT102,UT106", "--exit-zero", "-q"],
        jq: &[],
        python: "check",
    },
    Job { processes: 20, ..strip("start-up", Kind::Empty) },
];

const fn strip(name: &'static str, corpus: Kind) -> Job {
    let jq = &["-c", "del(.messages[].reasoning_content)"];
    Job { name, corpus, processes: 1, ours: &["strip"], jq, python: "strip" }
}

const ALL_BUT_LAST: &str = r#"
    ([.messages | to_entries[] | select(.value.reasoning_content) | .key] | max) as $last
    | .messages |= [to_entries[] | if .key == $last then .value else .value | del(.reasoning_content) end]
"#;

const TO_BLOCKS: &str = r#"
    .messages |= map(
        {assistant: "ai", user: "human", tool: "tool"}[.role] as $speaker
        | {speaker: ($speaker // .role),
           blocks: ((if .reasoning_content then
                         [{type: "thinking", thought: .reasoning_content, sourceField: "reasoning_content"}]
                     else [] end) + (if .content then [{type: "text", text: .content}] else [] end))}
          + del(.role, .content, .reasoning_content))
"#;

const FROM_BLOCKS: &str = r#"
    .messages |= map(
        {ai: "assistant", human: "user", tool: "tool"}[.speaker] as $role
        | [.blocks[] | select(.type == "thinking") | .thought] as $thoughts
        | {role: $role, content: ([.blocks[] | select(.type == "text") | .text] | join("\n"))}
          + (if $thoughts == [] then {} else {reasoning_content: ($thoughts | join("\n"))} end)
          + del(.speaker, .blocks))
"#;

const TOKENS: &str = r#"
    def tokens: (. // "") | (length + 3) / 4 | floor;
    ([.messages[] | select(.role == "assistant") | .reasoning_content | tokens] | add // 0) as $reasoning
    | ([.messages[] | select(.role == "assistant") | .content | tokens] | add // 0) as $final
    | ([.messages[] | select(.role != "assistant") | .content | tokens] | add // 0) as $other
    | {reasoning_tokens: $reasoning, final_tokens: $final, other_tokens: $other,
       reasoning_ratio: (if $reasoning + $final == 0 then 0 else $reasoning / ($reasoning + $final) end),
       raw: ($reasoning + $final + $other), effective: ($final + $other)}
"#;

const SPLIT: &str = r#"
    foreach inputs as $record (0; . + 1;
        . as $number
        | $record.messages | to_entries[] | select(.value.role == "assistant")
        | {record: $number, message: (.key + 1), visible: (.value.content // "")}
          + (.value.reasoning_content
             | if . then {reasoning: {text: ., tokensEst: ((length + 3) / 4 | floor)}} else {} end))
"#;

const SPLIT_FIELD: &str = r#"
    foreach inputs as $record (0; . + 1;
        . as $number
        | (if $record.text | contains("<think>") then "think" else "REASONING" end) as $tag
        | ($record.text | split("</" + $tag + ">")) as $halves
        | ($halves[0] | split("<" + $tag + ">")) as $parts
        | ($parts[1] | ltrimstr("\n") | rtrimstr("\n")) as $reasoning
        | {record: $number, field: "/text", visible: ($parts[0] + $halves[1] | ltrimstr("\n\n")),
           reasoning: {text: $reasoning, tokensEst: ($reasoning | (length + 3) / 4 | floor)}})
"#;

const STRIP_EVENTS: &str = r#"
    if startswith("data: {") then
        .[6:] | fromjson
        | if .choices[0].delta | keys == ["reasoning_content"] then empty
          else "data: " + (del(.choices[].delta.reasoning_content) | tojson) + "\n" end
    elif startswith("data:") then . + "\n"
    else empty end
"#;

const EVENTS_TO_TEXT: &str = r#"
    select(startswith("data: {")) | .[6:] | fromjson | .choices[0]
    | (.delta.content // empty), (if .finish_reason then "\n" else empty end)
"#;
