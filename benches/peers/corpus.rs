//! The corpora. The same kind and size are the same bytes everywhere.

use crate::json::{COMPACT, ESCAPED, Json, PRETTY, SPACED, Style, line};
use crate::prose::Prose;
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// What is in a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One conversation a line, two thirds of the bytes in `reasoning_content`.
    Conversations,
    /// The same with reasoning in 2 % of the records.
    Sparse,
    /// The same with texts 20 times shorter: structure is most of it.
    Dense,
    /// One string a line with the reasoning between tags.
    Tags,
    /// Chat completion chunks, a few characters each.
    Events,
    /// The conversations as one indented array.
    Array,
    /// The conversations with ThinkingBlocks.
    Blocks,
    /// Nothing.
    Empty,
}

/// A corpus on disk.
pub struct Corpus {
    /// What is in it.
    pub kind: Kind,
    /// Where it is.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
    records: u64,
}

impl Kind {
    /// In the order in which they are written.
    pub const ALL: [Kind; 8] = [
        Kind::Conversations,
        Kind::Sparse,
        Kind::Dense,
        Kind::Tags,
        Kind::Events,
        Kind::Array,
        Kind::Blocks,
        Kind::Empty,
    ];

    /// What the table of jobs calls it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Conversations => "conv",
            Kind::Sparse => "sparse",
            Kind::Dense => "dense",
            Kind::Tags => "tags",
            Kind::Events => "sse",
            Kind::Array => "array",
            Kind::Blocks => "blocks",
            Kind::Empty => "empty",
        }
    }
}

impl Corpus {
    /// Writes a corpus of at least `size` bytes. Record by record: what this process holds in memory becomes the
    /// least that its children can be seen to hold.
    pub fn write(kind: Kind, directory: &Path, size: u64) -> io::Result<Corpus> {
        let path = directory.join(kind.name());
        let mut file = BufWriter::new(File::create(&path)?);
        // An array has the conversations of the first corpus: the same seed, and no draw for a style.
        let mut maker = Maker { prose: Prose::new(1, if kind == Kind::Dense { 20 } else { 1 }), number: 0 };
        let mut record = String::new();
        let mut bytes = 0;
        while bytes < size && kind != Kind::Empty {
            record.clear();
            maker.record(kind, &mut record);
            maker.number += 1;
            bytes += record.len() as u64;
            file.write_all(record.as_bytes())?;
        }
        if kind == Kind::Array {
            file.write_all(b"\n]\n")?;
            bytes += 3;
        }
        file.flush()?;
        Ok(Corpus { kind, path, bytes, records: maker.number })
    }
}

impl fmt::Display for Corpus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mib = self.bytes as f64 / f64::from(1 << 20);
        write!(f, "corpus {:<8}{mib:>8.1} MiB {:>8} records", self.kind.name(), self.records)
    }
}

/// Makes records.
struct Maker {
    prose: Prose,
    number: u64,
}

impl Maker {
    fn record(&mut self, kind: Kind, out: &mut String) {
        match kind {
            Kind::Conversations | Kind::Dense => self.conversation_line(true, out),
            // Counted, not drawn: the smallest corpus must have some too.
            Kind::Sparse => self.conversation_line(self.number % 50 == 7, out),
            Kind::Array => {
                out.push_str(if self.number == 0 { "[" } else { "," });
                line(1, out);
                self.conversation(true).write(PRETTY, 1, out);
            }
            Kind::Blocks => {
                let conversation = blocks(self.conversation(true));
                conversation.write(self.style(), 0, out);
                out.push('\n');
            }
            Kind::Tags => self.tags_line(out),
            Kind::Events => self.response(out),
            Kind::Empty => (),
        }
    }

    /// A log has lines from several programs.
    fn style(&mut self) -> Style {
        match self.prose.random.below(10) {
            0..4 => COMPACT,
            4..7 => SPACED,
            _ => ESCAPED,
        }
    }

    fn conversation_line(&mut self, reasoning: bool, out: &mut String) {
        let conversation = self.conversation(reasoning);
        conversation.write(self.style(), 0, out);
        out.push('\n');
    }

    fn conversation(&mut self, reasoning: bool) -> Json {
        let mut messages = Vec::new();
        if self.prose.random.percent(50) {
            messages.push(message("system", self.prose.text(100, 1600)));
        }
        for _ in 0..self.prose.random.length(2, 16) {
            messages.push(message("user", self.prose.text(30, 1200)));
            if self.prose.random.percent(15) {
                self.tool_call(reasoning, &mut messages);
            }
            let answer = self.prose.text(100, 3400);
            messages.push(self.assistant(reasoning, Json::Text(answer), Vec::new()));
        }
        let usage = vec![
            ("prompt_tokens", Json::Number(self.prose.random.between(50, 9000) as u64)),
            ("completion_tokens", Json::Number(self.prose.random.between(50, 9000) as u64)),
        ];
        Json::Record(vec![
            ("id", Json::Text(format!("talk-{:07}", self.number))),
            ("created", Json::Number(1_760_000_000 + 11 * self.number)),
            ("model", Json::text(self.prose.random.pick(&["larch-70b", "larch-8b", "rowan-mini"]))),
            ("messages", Json::List(messages)),
            ("usage", Json::Record(usage)),
        ])
    }

    /// An assistant message; some programs write the reasoning before the content, some after it.
    fn assistant(&mut self, reasoning: bool, content: Json, more: Vec<(&'static str, Json)>) -> Json {
        let mut entries = vec![("role", Json::text("assistant")), ("content", content)];
        if reasoning && self.prose.random.percent(85) {
            let position = self.prose.random.between(1, 2);
            entries.insert(position, ("reasoning_content", Json::Text(self.prose.text(500, 16_000))));
        }
        entries.extend(more);
        Json::Record(entries)
    }

    /// A call and its result. The arguments are JSON in a string, so that their quotes are escaped.
    fn tool_call(&mut self, reasoning: bool, messages: &mut Vec<Json>) {
        let id = format!("call-{:016x}", self.prose.random.number());
        let mut arguments = String::new();
        let limit = self.prose.random.between(1, 99) as u64;
        Json::Record(vec![("query", Json::Text(self.prose.name())), ("limit", Json::Number(limit))]).write(
            SPACED,
            0,
            &mut arguments,
        );
        let function =
            Json::Record(vec![("name", Json::Text(self.prose.name())), ("arguments", Json::Text(arguments))]);
        let call = Json::Record(vec![
            ("id", Json::text(id.as_str())),
            ("type", Json::text("function")),
            ("function", function),
        ]);
        messages.push(self.assistant(reasoning, Json::Null, vec![("tool_calls", Json::List(vec![call]))]));
        messages.push(Json::Record(vec![
            ("role", Json::text("tool")),
            ("tool_call_id", Json::Text(id)),
            ("content", Json::Text(self.prose.text(50, 1200))),
        ]));
    }

    fn tags_line(&mut self, out: &mut String) {
        let name = self.prose.random.pick(&["think", "REASONING"]);
        // Some models greet before they think. A tag behind a single letter with a dot, or between two blocks of code, may
        // be a mention, which is an error.
        let before =
            if self.prose.random.percent(10) { format!("{} first. ", self.prose.name()) } else { String::new() };
        let (reasoning, answer) = (self.prose.text(500, 16_000), self.prose.text(100, 3400));
        let text = format!("{before}<{name}>\n{reasoning}\n\nThat is all.\n</{name}>\n\n{answer}");
        Json::Record(vec![("id", Json::Number(self.number)), ("text", Json::Text(text))]).write(self.style(), 0, out);
        out.push('\n');
    }

    /// One streamed response: a first event with the role, deltas, why it ended, what it cost, and `[DONE]`.
    fn response(&mut self, out: &mut String) {
        let (reasoning, answer) = (self.prose.text(200, 6000), self.prose.text(80, 1500));
        let stream = Stream {
            id: format!("chatcmpl-{:016x}", self.prose.random.number()),
            created: 1_760_000_000 + 11 * self.number,
            style: if self.prose.random.percent(70) { COMPACT } else { SPACED },
        };
        let role =
            vec![("role", Json::text("assistant")), ("content", Json::Null), ("reasoning_content", Json::text(""))];
        stream.event(stream.choice(role, Json::Null), out);
        for (key, text) in [("reasoning_content", reasoning), ("content", answer)] {
            let mut characters = text.chars();
            loop {
                let length = self.prose.random.between(2, 7);
                let piece: String = characters.by_ref().take(length).collect();
                if piece.is_empty() {
                    break;
                }
                stream.event(stream.choice(vec![(key, Json::Text(piece))], Json::Null), out);
            }
        }
        stream.event(stream.choice(Vec::new(), Json::text("stop")), out);
        out.push_str("data: [DONE]\n\n");
    }
}

/// What the events of one response have in common.
struct Stream {
    id: String,
    created: u64,
    style: Style,
}

impl Stream {
    fn choice(&self, delta: Vec<(&'static str, Json)>, finish_reason: Json) -> Json {
        Json::Record(vec![
            ("index", Json::Number(0)),
            ("delta", Json::Record(delta)),
            ("logprobs", Json::Null),
            ("finish_reason", finish_reason),
        ])
    }

    fn event(&self, choice: Json, out: &mut String) {
        out.push_str("data: ");
        Json::Record(vec![
            ("id", Json::text(self.id.as_str())),
            ("object", Json::text("chat.completion.chunk")),
            ("created", Json::Number(self.created)),
            ("model", Json::text("larch-70b")),
            ("choices", Json::List(vec![choice])),
        ])
        .write(self.style, 0, out);
        out.push_str("\n\n");
    }
}

/// A conversation with speakers and blocks.
fn blocks(conversation: Json) -> Json {
    let Json::Record(entries) = conversation else { return conversation };
    let message = |message: Json| {
        let Json::Record(entries) = message else { return message };
        let (mut out, mut blocks) = (Vec::new(), Vec::new());
        for (key, value) in entries {
            match (key, value) {
                ("role", Json::Text(role)) => out.push(("speaker", Json::text(speaker(&role)))),
                ("content", Json::Text(text)) => blocks.push(block("text", "text", text)),
                ("reasoning_content", Json::Text(text)) => blocks.insert(0, block("thinking", "thought", text)),
                ("content" | "tool_calls" | "tool_call_id", _) => (),
                entry => out.push(entry),
            }
        }
        out.push(("blocks", Json::List(blocks)));
        Json::Record(out)
    };
    let entry = |(key, value)| match (key, value) {
        ("messages", Json::List(messages)) => (key, Json::List(messages.into_iter().map(message).collect())),
        entry => entry,
    };
    Json::Record(entries.into_iter().map(entry).collect())
}

fn speaker(role: &str) -> &'static str {
    match role {
        "assistant" => "ai",
        "tool" => "tool",
        _ => "human",
    }
}

fn block(kind: &'static str, key: &'static str, text: String) -> Json {
    Json::Record(vec![("type", Json::text(kind)), (key, Json::Text(text))])
}

fn message(role: &str, content: String) -> Json {
    Json::Record(vec![("role", Json::text(role)), ("content", Json::Text(content))])
}
