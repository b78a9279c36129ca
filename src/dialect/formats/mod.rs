//! One file a format, or one folder a family: its row, and everything that only this format has.

mod mutations;
pub(super) mod shared;
mod write;

pub(super) use write::call_name;

use super::Dialect;
#[cfg(feature = "cli")]
use crate::model::content::FactTexts;

/// Declares the files of the formats, each with its rows, and makes the table of all rows in this order.
macro_rules! table {
    ($($file:ident: $($row:path),+;)+) => {
        $(pub(super) mod $file;)+
        pub(super) const TABLE: &[Dialect] = &[$($($row),+),+];
    };
}

// One line a format. Where two rows fit a record, the first one reads it.
table! {
    text: text::ROW;
    tgi: tgi::ROW;
    answers: answers::ROW;
    outputs: outputs::ROW;
    dify: dify::ROW;
    gemini_stream: gemini_stream::ROW;
    mistral_conversations: mistral_conversations::ROW;
    coze: coze::ROW;
    atif: atif::ROW;
    haystack: haystack::ROW;
    a2a: a2a::ROW;
    grok_export: grok_export::ROW;
    chat: chat::ROW, chat::REASONING_CONTENT_ROW, chat::REASONING_ROW, chat::TAGGED_ROW, chat::HARMONY_ROW,
        chat::thinking_block::ROW, chat::mistral::ROW, chat::openrouter::ROW, chat::llxprt::SESSION_ROW, chat::llxprt::CHECKPOINT_ROW, chat::llxprt::LOG_ROW;
    sharegpt: sharegpt::ROW;
    mia: mia::ROW;
    goose: goose::ROW;
    anthropic: anthropic::ROW;
    interactions: interactions::ROW;
    responses: responses::ROW;
    bedrock: bedrock::ROW;
    adk: adk::ROW;
    gemini: gemini::ROW;
    assistants: assistants::ROW;
    ollama: ollama::ROW;
    cohere: cohere::ROW;
    otel: otel::ROW;
    litellm_log: litellm_log::ROW;
    har: har::ROW;
    proxy_log: proxy_log::ROW;
    langfuse: langfuse::ROW;
    langsmith: langsmith::ROW;
    cline: cline::ROW;
    codex: codex::ROW;
    openai_agents: openai_agents::ROW;
    opencode: opencode::ROW;
    vercel: vercel::ROW;
    acp: acp::ROW;
    aistudio: aistudio::ROW;
    ag_ui: ag_ui::ROW;
    antigravity: antigravity::ROW;
    autogen: autogen::ROW;
    chatbox: chatbox::ROW;
    chatgpt: chatgpt::ROW;
    cherry_studio: cherry_studio::ROW;
    claude_ai: claude_ai::ROW;
    continue_dev: continue_dev::ROW;
    copilot_cli: copilot_cli::ROW;
    crush: crush::ROW;
    cursor_cli: cursor_cli::ROW;
    deepseek_export: deepseek_export::ROW;
    gemini_cli: gemini_cli::ROW;
    hermes_archive: hermes_archive::ROW;
    kimi_cli: kimi_cli::ROW;
    langchain: langchain::ROW;
    librechat: librechat::ROW;
    llama_factory: llama_factory::ROW;
    llamaindex: llamaindex::ROW;
    llama_cpp: llama_cpp::ROW;
    llm: llm::ROW;
    lm_studio: lm_studio::ROW;
    lobechat: lobechat::ROW;
    open_webui: open_webui::ROW;
    pi: pi::ROW;
    pydantic_ai: pydantic_ai::ROW;
    qwen_code: qwen_code::ROW;
    sillytavern: sillytavern::ROW;
    zed: zed::ROW;
    log_line: log_line::ROW;
    columns: columns::ROW;
    s1k: s1k::ROW;
    claude_code: claude_code::ROW;
    gromozeka: gromozeka::ROW;
    mew: mew::ROW;
}

/// Reads the texts inside of facts that are JSON values.
#[cfg(feature = "cli")]
pub(super) const FACT_TEXTS: FactTexts = FactTexts {
    result: |block| write::result_text(block).0.take(),
    system: |head| write::shown_instructions(head).iter_mut().map(crate::model::Leaf::take).collect(),
    call_name: write::call_name,
    media: write::media_in,
};

impl Dialect {
    /// Whether it is written with inline tags, which a user may choose.
    pub fn has_tags(&self) -> bool {
        self.name == "tagged"
    }

    /// Whether reasoning is written between delimiters in a text, so that some of them may have to be escaped.
    pub fn has_delimiters(&self) -> bool {
        self.has_tags() || self.name == "harmony"
    }
}

#[cfg(test)]
mod tests {
    use crate::dialect::DIALECTS;
    use crate::dialect::shape::{ANY_KEY, Case, Does, Slot, State, To, When, is_name_slot};
    use std::collections::BTreeSet;
    use std::path::Path;

    /// The keys and types of a state and of those that it leads to.
    fn words_of(state: &'static State, seen: &mut Vec<*const State>, words: &mut BTreeSet<&'static str>) {
        if seen.contains(&std::ptr::from_ref(state)) {
            return;
        }
        seen.push(state);
        for key in state.all_keys() {
            words.extend(Some(key.name).filter(|name| *name != ANY_KEY));
            words.extend(key.beside.iter().flat_map(|beside| beside.words).map(|word| word.trim_matches('*')));
            match key.to {
                To::Same(inner) | To::Into(_, inner) | To::One(_, inner) | To::Each(_, inner) | To::Pairs(_, inner) => {
                    words_of(inner, seen, words);
                }
                To::Either(_, one, other) => [one, other].iter().for_each(|inner| words_of(inner, seen, words)),
                To::Is(_) | To::Pass | To::Lost | To::Search | To::Record => (),
            }
        }
        for when in state.cases.iter().flat_map(|case| case.when) {
            if let When::Type(types)
            | When::Class(types)
            | When::Is(_, types)
            | When::Kind(types)
            | When::Event(types) = when
            {
                words.extend(types.iter().map(|name| name.trim_matches('*')).filter(|name| !name.is_empty()));
            }
        }
    }

    /// Fails if a state fills a slot that no meaning of its nodes uses and that none of its conditions reads. `cases`:
    /// those of the node, which for a state of members of the same node are those of the object around it.
    fn slots_are_used(state: &'static State, cases: &'static [Case], seen: &mut Vec<*const State>) {
        if seen.contains(&std::ptr::from_ref(state)) {
            return;
        }
        seen.push(state);
        for when in cases.iter().flat_map(|case| case.when) {
            if let When::Is(slot, _) = when {
                assert!(slot.decides(), "{}: a case depends on the value in {slot:?}", state.name);
            }
        }
        let used = |slot: Slot| {
            let read = |when: &When| match when {
                When::Beyond(own) => own.contains(&slot),
                When::Has(own) | When::Lacks(own) | When::Several(own) | When::Is(own, _) | When::Under(own, _) => {
                    *own == slot
                }
                _ => false,
            };
            cases.iter().any(|case| case.does.uses(slot) || case.when.iter().any(read))
        };
        for key in state.all_keys() {
            let (slot, inner) = match key.to {
                To::Is(slot) => (Some(slot), None),
                To::Same(inner) | To::Pairs(_, inner) => (None, Some((inner, cases))),
                To::Into(slot, inner) => (Some(slot), Some((inner, cases))),
                To::One(slot, inner) | To::Each(slot, inner) => (Some(slot), Some((inner, inner.cases))),
                To::Either(slot, inner, other) => {
                    slots_are_used(other, other.cases, seen);
                    (Some(slot), Some((inner, inner.cases)))
                }
                To::Record => (Some(Slot::Record), None),
                To::Pass | To::Lost | To::Search => (None, None),
            };
            if let Some(slot) = slot.filter(|slot| !is_name_slot(*slot) && !SEARCHED.contains(slot)) {
                assert!(used(slot), "{}: no node uses {slot:?}, which `{}` fills", state.name, key.name);
            }
            if let Some((inner, cases)) = inner {
                slots_are_used(inner, cases, seen);
            }
        }
    }

    /// Slots whose values are searched in any case: they are read as facts of a record.
    const SEARCHED: &[Slot] = &[
        Slot::Error,
        Slot::OwnParameter,
        Slot::ForeignParameter,
        Slot::ForeignMember,
        Slot::StopDetails,
        Slot::Addressee,
    ];

    #[test]
    fn every_slot_of_a_row_is_used() {
        for shape in DIALECTS.iter().filter_map(|dialect| dialect.shape) {
            slots_are_used(shape.record, shape.record.cases, &mut Vec::new());
        }
    }

    /// Only the reader of events that name their response reads reasoning under a key of its own in events.
    #[test]
    fn reasoning_under_a_key_is_read() {
        fn fills(state: &'static State, pieces: bool, seen: &mut Vec<*const State>) -> bool {
            if seen.contains(&std::ptr::from_ref(state)) {
                return false;
            }
            seen.push(state);
            let own = |does| matches!(does, Does::Feed(_) | Does::Repeat(_) | Does::EndWith);
            let pieces = pieces || state.cases.iter().any(|case| own(case.does));
            // A key that counts beside another one only: in a row of events it is one of whole messages, beside their
            // role. An event has no role, so that this key is not read there but searched, and its record is refused
            // (`testdata/cohere/cases/events.case`).
            state.all_keys().any(|key| match key.to {
                To::Is(slot) => pieces && slot == Slot::Thought && key.beside.is_none(),
                To::Same(inner) | To::Into(_, inner) => fills(inner, pieces, seen),
                To::One(_, inner) | To::Each(_, inner) => fills(inner, false, seen),
                _ => false,
            })
        }
        for shape in DIALECTS.iter().filter_map(|dialect| dialect.shape) {
            assert!(shape.by_id || !fills(shape.record, false, &mut Vec::new()), "{}", shape.record.name);
        }
    }

    /// The names, keys and types of all formats.
    fn words() -> BTreeSet<&'static str> {
        let mut words = BTreeSet::new();
        for dialect in DIALECTS {
            words.insert(dialect.name);
            words.extend(dialect.aliases);
            if let Some(shape) = dialect.shape {
                words_of(shape.record, &mut Vec::new(), &mut words);
                words.extend(shape.stops.iter().map(|(word, _)| *word));
                words.extend(shape.used.iter().map(|(key, _)| *key));
            }
            if let Some(guest) = dialect.family {
                words_of(&super::chat::states::RECORD, &mut Vec::new(), &mut words);
                words.extend(guest.native.iter().copied().chain(guest.reasoning_types()));
            }
        }
        // The pattern for any word.
        words.remove("");
        words
    }

    /// The strings in a line of code.
    fn strings(line: &str) -> impl Iterator<Item = &str> {
        line.split('"').skip(1).step_by(2)
    }

    /// Rooms that name things of their own: what providers accept, framings, formats that are not read, tags in texts, losses, the members of
    /// what this program itself writes, and what drawings call things.
    const OWN: &[&str] = &[
        "accept",
        "check/code",
        "check/mod",
        "check/report",
        "check/tokens",
        "cli",
        "dialect/formats",
        "dialect/suspect",
        "frame",
        "front",
        "inline",
        "model/loss",
        "postproc",
        "settings",
        "show",
        "split",
        "strip/losses",
        "tagfile",
        "tokens",
    ];

    fn check(folder: &Path, root: &Path, words: &BTreeSet<&str>, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let inside = path.strip_prefix(root).unwrap().with_extension("");
            if OWN.iter().any(|own| inside == Path::new(own)) {
                continue;
            }
            if path.is_dir() {
                check(&path, root, words, found);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap();
            for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
                let own = strings(line).filter(|string| words.contains(string) && !SOURCES.contains(string));
                found.extend(own.map(|string| format!("{}: `{string}` is a word of a format\n{line}", path.display())));
            }
        }
    }

    /// Sources of reasoning (`model::Source`), and the dialect of what has no records.
    const SOURCES: &[&str] = &["summary", "harmony", "tags", "part", "text"];

    #[test]
    fn words_of_formats_stand_in_their_files() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let words = words();
        assert!(words.contains("thinking") && words.contains("encrypted_content") && words.len() > 200);
        let mut found = Vec::new();
        check(&root, &root, &words, &mut found);
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}
