//! The table of inline delimiters. A row is data: what differs between families stands here and nowhere else.

use std::borrow::Cow;

/// What an opener without a closer means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unclosed {
    /// The opener is text.
    Visible,
    /// Everything after it is reasoning.
    Reasoning,
    /// The record cannot be understood.
    Error,
}

/// How many blocks of a message count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocks {
    /// The first one; a second one stays visible.
    One,
    /// Every one.
    All,
}

/// A pair of delimiters and its facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The name on the command line.
    pub name: Cow<'static, str>,
    /// What opens a block.
    pub open: Cow<'static, str>,
    /// What closes it.
    pub close: Cow<'static, str>,
    /// Written like an HTML element: letter case does not matter, the opener may have attributes, white space may
    /// stand beside the name.
    pub word: bool,
    /// The rules of the reasoning delimiter specification (SPEC section 4, rule 2): code and place do not matter, and
    /// whatever does not form a pair is text.
    pub strict: bool,
    /// The prompt may hold the opener, so that a closer alone ends reasoning that began with the message.
    pub missing_open: bool,
    /// What an opener without a closer means.
    pub unclosed: Unclosed,
    /// How many blocks count.
    pub blocks: Blocks,
    /// Pairs that wrap the answer right after a block.
    pub wrappers: &'static [(&'static str, &'static str)],
    /// Tool markers that end a block that is never closed.
    pub tools: &'static [&'static str],
    /// Texts with what is visible of them: the row's own proof, run by the tests.
    pub examples: &'static [(&'static str, &'static str)],
}

const WORD: Row = Row {
    name: Cow::Borrowed(""),
    open: Cow::Borrowed(""),
    close: Cow::Borrowed(""),
    word: true,
    strict: false,
    missing_open: false,
    unclosed: Unclosed::Reasoning,
    blocks: Blocks::All,
    wrappers: &[],
    tools: &[],
    examples: &[],
};

const EXACT: Row = Row { word: false, ..WORD };

impl Row {
    /// A row that the user gave as `OPEN,CLOSE`: exact spelling, everything else as in most rows.
    pub fn custom(open: &str, close: &str) -> Self {
        Row {
            name: Cow::Owned(format!("{open},{close}")),
            open: Cow::Owned(open.to_string()),
            close: Cow::Owned(close.to_string()),
            ..EXACT
        }
    }
}

macro_rules! row {
    ($base:ident, $name:literal, $open:literal, $close:literal $(, $field:ident: $value:expr)* $(,)?) => {
        Row {
            name: Cow::Borrowed($name),
            open: Cow::Borrowed($open),
            close: Cow::Borrowed($close),
            $($field: $value,)*
            ..$base
        }
    };
}

/// Every row, in order of precedence where two could match at the same place.
pub const TAGS: &[Row] = &[
    row!(EXACT, "REASONING", "<REASONING>", "</REASONING>",
    strict: true,
    unclosed: Unclosed::Visible,
    blocks: Blocks::One,
    examples: &[
        ("<REASONING>\nr\n</REASONING>\na", "a"),
        ("a <REASONING>r</REASONING> b", "a  b"),
        ("<REASONING>r <REASONING>i</REASONING> s</REASONING>a", "a"),
        ("<REASONING>a", "<REASONING>a"),
        ("a</REASONING>", "a</REASONING>"),
        ("<REASONING>r</REASONING>a<REASONING>b</REASONING>", "a<REASONING>b</REASONING>"),
        ("<REASONING x=\"1\">a</REASONING>", "<REASONING x=\"1\">a</REASONING>"),
    ]),
    row!(WORD, "think", "<think>", "</think>",
    missing_open: true,
    wrappers: &[("<answer>", "</answer>"), ("<response>", "</response>")],
    tools: &[
        "<tool_call>", "<tool_calls>", "<|tool_calls_section_begin|>", "<｜DSML｜", "<minimax:tool_call>",
        "<invoke name=",
    ],
    examples: &[
        ("<think>r</think>a", "a"),
        ("<THINK>r</Think>a", "a"),
        ("<think signature=\"x\">r</think>a", "a"),
        ("r</think>a", "a"),
        ("<think>r", ""),
        ("<think>r<tool_call>{}</tool_call>", "<tool_call>{}</tool_call>"),
        ("<think>r <tool_call> s</think>a", "a"),
        ("<think>\nr\n</think>\n<answer>\na\n</answer>", "a"),
        ("Use the <think> tag.", "Use the <think> tag."),
        ("`<think>` opens", "`<think>` opens"),
        ("<think about it>a", "<think about it>a"),
        ("<thinker>a</thinker>", "<thinker>a</thinker>"),
    ]),
    row!(WORD, "thinking", "<thinking>", "</thinking>",
        examples: &[("<thinking>r</thinking>a", "a"), ("<Thinking id=\"1\">r</thinking>a", "a"), ("a</thinking>b", "ab")]),
    row!(WORD, "thought", "<thought>", "</thought>",
        examples: &[("<thought>r</thought>a", "a"), ("<Thought>r</Thought>a", "a"), ("a</thought>", "a")]),
    row!(WORD, "thoughts", "<thoughts>", "</thoughts>",
        examples: &[("<thoughts>r</thoughts>a", "a"), ("<thoughts>r</thought>", "")]),
    row!(WORD, "reason", "<reason>", "</reason>",
        examples: &[("<reason>r</reason>a", "a"), ("<reasons>a</reasons>", "<reasons>a</reasons>")]),
    row!(WORD, "reasoning", "<reasoning>", "</reasoning>",
        examples: &[("<reasoning>r</reasoning>a", "a"), ("<Reasoning>r</Reasoning>a", "a")]),
    row!(WORD, "REASONING_SCRATCHPAD", "<REASONING_SCRATCHPAD>", "</REASONING_SCRATCHPAD>",
    examples: &[
        ("<REASONING_SCRATCHPAD>r</REASONING_SCRATCHPAD>a", "a"),
        ("<reasoning_scratchpad>r</reasoning_scratchpad>a", "a"),
    ]),
    row!(WORD, "analysis", "<analysis>", "</analysis>",
        examples: &[("<analysis>r</analysis>a", "a"), ("<analysis>\nr</analysis>\n\na", "a")]),
    row!(EXACT, "[THINK]", "[THINK]", "[/THINK]",
        tools: &["[TOOL_CALLS]"],
        examples: &[("[THINK]r[/THINK]a", "a"), ("[think]a[/think]", "[think]a[/think]"), ("[THINK]r[TOOL_CALLS]f", "[TOOL_CALLS]f")]),
    row!(EXACT, "◁think▷", "◁think▷", "◁/think▷",
        examples: &[("◁think▷r◁/think▷a", "a"), ("◁think", "◁think")]),
    row!(EXACT, "seed:think", "<seed:think>", "</seed:think>",
        missing_open: true,
        tools: &["<seed:tool_call>"],
        examples: &[("<seed:think>r</seed:think>a", "a"), ("r</seed:think>a", "a")]),
    row!(EXACT, "mm:think", "<mm:think>", "</mm:think>",
        missing_open: true,
        tools: &["]<]minimax[>["],
        examples: &[("<mm:think>r</mm:think>a", "a"), ("</mm:think>a", "a")]),
    row!(EXACT, "<|START_THINKING|>", "<|START_THINKING|>", "<|END_THINKING|>",
    missing_open: true,
    wrappers: &[("<|START_RESPONSE|>", "<|END_RESPONSE|>"), ("<|START_TEXT|>", "<|END_TEXT|>")],
    tools: &["<|START_ACTION|>"],
    examples: &[
        ("<|START_THINKING|>r<|END_THINKING|>a", "a"),
        ("<|START_THINKING|>r<|END_THINKING|><|START_RESPONSE|>a<|END_RESPONSE|>", "a"),
    ]),
    row!(EXACT, "<|begin_of_thought|>", "<|begin_of_thought|>", "<|end_of_thought|>",
    wrappers: &[("<|begin_of_solution|>", "<|end_of_solution|>")],
    examples: &[(
        "<|begin_of_thought|>\n\nr\n\n<|end_of_thought|>\n\n<|begin_of_solution|>\n\na\n\n<|end_of_solution|>", "a",
    )]),
    row!(EXACT, "<|inner_prefix|>", "<|inner_prefix|>", "<|inner_suffix|>",
        tools: &["<|tools_prefix|>", "<|tools_suffix|>"],
        examples: &[("<|inner_prefix|>r<|inner_suffix|>a", "a"), ("a", "a")]),
];
