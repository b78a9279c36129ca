//! What models write: reasoning and an answer in Markdown, which speak of no tag. Whatever their code, lists and quotations look
//! like, the reasoning goes, and the answer stays to the byte.

use crate::support::*;
use proptest::prelude::*;
use unthink::internals::frame::Framing;

/// Blocks of Markdown. All code in them is closed.
const BLOCKS: [&str; 36] = [
    "So `x` is 4.",
    "We need the sum: 2 + 2 < 5, and \"four\" is it.",
    "It's the user's turn (or not).",
    "Wait — **no**, that is *wrong*!",
    "先看一下问题。",
    "Is it so?",
    "- one\n- two `</div>`\n- three",
    "1. First,\n2. second:\n   - `a < b`",
    "* [ ] open\n* [x] done",
    "> It is 4.\n> Really.",
    "# The sum",
    "### Step 1: add",
    "---",
    "***",
    "| a | b |\n|---|---|\n| 1 | `2` |",
    "$$\nx < y\n$$",
    "\\[ x = \\frac{1}{2} \\]",
    "```\nplain\n```",
    "```python\ndef f(a):\n    \"\"\"Adds.\"\"\"\n    return a + 1\n```",
    "```rust\nlet s: Vec<u8> = b\"<think\".to_vec();\n```",
    "```html\n<div class=\"x\">\n</div>\n```",
    "```sh\ncat <<EOF\n  it's\nEOF\n```",
    "~~~json\n{\"a\": [1, 2]}\n~~~",
    "````markdown\n```js\na();\n```\n````",
    "  ```js\n  a = `b`;\n  ```",
    "- a list:\n\n  ```c\n  /* c */\n  ```",
    "    indented code\n    of two lines",
    "<details>\n<summary>More</summary>\n\nIt is 4.\n</details>",
    "<pre>\na < b\n</pre>",
    "<br/>",
    "![sum](sum.png) and [a link](https://example.org/?a=b&c=d)",
    "{\"sum\": 4}",
    "Note: the tag is closed.",
    "Final answer: 4",
    "key: |\n  value\n  value",
    "diff --git a/x b/x\n-old\n+new",
];

/// How blocks follow each other.
const BETWEEN: [&str; 3] = ["\n\n", "\n\n", "\n"];

fn markdown() -> impl Strategy<Value = String> {
    let block = (prop::sample::select(BLOCKS.to_vec()), prop::sample::select(BETWEEN.to_vec()));
    prop::collection::vec(block, 1..6).prop_map(|blocks| {
        let text = blocks.iter().fold(String::new(), |text, (block, between)| text + block + between);
        text.trim_end().to_string()
    })
}

/// The tags, and what stands inside of them and behind them.
const LAYOUTS: [[&str; 2]; 6] = [
    ["<think>\n", "\n</think>\n\n"],
    ["\n<think>\n", "\n</think>\n"],
    ["<thinking>\n", "\n</thinking>\n\n"],
    ["[THINK]\n", "\n[/THINK]\n\n"],
    ["◁think▷\n", "\n◁/think▷\n\n"],
    // The prompt had the opening tag.
    ["", "\n</think>\n\n"],
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn reasoning_in_markdown_goes(
        thought in markdown(),
        answer in markdown(),
        [open, close] in prop::sample::select(LAYOUTS.to_vec()),
        piece in 1usize..40,
    ) {
        let text = format!("{open}{thought}{close}{answer}");
        let setup = Setup { framing: Some(Framing::Text), piece, ..Setup::default() };
        let ran = strip(text.as_bytes(), setup);
        let left = ran.text();
        prop_assert_eq!((ran.counts.refused, left.trim()), (0, answer.trim()), "{}", text);
        let record = serde_json::json!({"role": "assistant", "content": text}).to_string() + "\n";
        let ran = strip(record.as_bytes(), Setup { piece, ..Setup::default() });
        let left: serde_json::Value = serde_json::from_slice(&ran.out).unwrap_or_default();
        prop_assert_eq!(left["content"].as_str().map(str::trim), Some(answer.trim()), "{}", text);
    }
}
