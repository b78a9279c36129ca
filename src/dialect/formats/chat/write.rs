//! Writes messages as Chat Completions: reasoning in a field, between delimiters, or in messages of Harmony.

use super::envelope::finish_reason;
pub(in crate::dialect) use super::envelope::{envelope, usage};
use super::harmless::{harmless, harmless_piece, holds};
use super::in_place::{CLOSES, is_read_as, may_hold_tag};
use super::openrouter::{SETTINGS, details};
use crate::dialect::formats::write::*;
use crate::model::content::{
    Attribute, Block, BlockMessage, ContentKind, Other, RecordHead, Stop, Streamed, Unwritten, Values, Writer,
};
use crate::model::{Leaf, Loss, Losses, Role, WrittenJson};
use std::borrow::Cow;

/// Where reasoning is written.
#[derive(Clone, Debug)]
pub(in crate::dialect) enum ReasoningTarget {
    /// In a field of this name.
    Field(&'static str),
    /// In a field, and again as blocks with their signatures in a list beside it.
    Details,
    /// In the content, between these delimiters.
    Content {
        /// Opens the reasoning.
        open: String,
        /// Closes the reasoning, before the answer.
        close: String,
        /// Stands between two blocks.
        between: String,
        /// Tokens that the text must not hold, in lower case.
        tokens: Vec<String>,
        /// Such tokens are escaped. If false, the record is refused.
        escape: bool,
    },
}

/// The error for an answer that holds one.
const TEXT_CLOSES: &str = "the text holds a token that would end its message too early (--escape makes it harmless)";

/// The writer of requests, responses and chunks.
#[derive(Clone, Debug)]
pub(in crate::dialect) struct Chat {
    pub dialect: &'static str,
    pub place: ReasoningTarget,
    /// A message with calls has the field, if only with an empty text.
    pub fill: bool,
}

/// The words for a call: its type, and the key of its input. A tool that takes free text has others.
fn words(block: &Block) -> (&'static str, &'static str) {
    if is_free(block) { ("custom", "input") } else { ("function", "arguments") }
}

/// A call of a tool.
pub(super) fn function(block: &Block, at: usize) -> Vec<u8> {
    let (kind, arguments) = words(block);
    let inner = Json::object().raw("name", &call_name(block)).leaf(arguments, &arguments_text(block)).end();
    let json = Json::object().raw("id", &short_call_id(block, Attribute::CallId, at));
    json.word("type", kind).raw(kind, &inner).end()
}

impl Chat {
    /// Where the settings of a request stand.
    fn settings(&self) -> &'static RequestSettings {
        if matches!(self.place, ReasoningTarget::Details) { &SETTINGS } else { &CHAT_SETTINGS }
    }

    /// Whether the answer stands between tokens, too.
    fn is_harmony(&self) -> bool {
        self.dialect == "harmony"
    }

    /// Whether these texts between delimiters, and this answer behind them, are read as such although they hold a token.
    fn reads_back(&self, texts: &[&&Block], visible: &Leaf) -> bool {
        let ReasoningTarget::Content { open, close, between, tokens, .. } = &self.place else { return true };
        let holds = |text: &[u8]| holds(text, tokens);
        let plain: Vec<Cow<'_, [u8]>> = texts.iter().map(|block| block.text.decoded()).collect();
        let visible = visible.decoded();
        let told = if self.is_harmony() { holds(&visible) } else { !plain.is_empty() && may_hold_tag(&visible) };
        if !told && !plain.iter().any(|text| holds(text)) {
            return true;
        }
        if plain.is_empty() {
            return false;
        }
        let whole = [open.as_bytes(), &plain.join(between.as_bytes()), close.as_bytes(), &visible].concat();
        match between == "\n" {
            true => is_read_as(&whole, &[plain.join(&b"\n"[..])], &visible),
            false => is_read_as(&whole, &plain, &visible),
        }
    }

    /// Writes a message of the assistant: its members behind the role.
    fn answer<'m>(&self, message: &'m BlockMessage, json: Json, losses: &mut Losses) -> Result<Json, Unwritten> {
        let thoughts: Vec<&Block> =
            message.blocks.iter().filter(|block| block.kind == ContentKind::Reasoning).collect();
        let detailed = matches!(self.place, ReasoningTarget::Details);
        thoughts.iter().for_each(|block| seals(block, detailed, detailed, losses));
        let texts: Vec<&&Block> = thoughts.iter().filter(|block| !is_sealed_only(block)).collect();
        let order = message.blocks.iter().skip_while(|block| block.kind == ContentKind::Reasoning);
        let late = order.filter(|block| block.kind == ContentKind::Reasoning && !block.text.is_empty());
        losses.push_each(late.map(|block| block.at), Loss::Order);
        let visible = joined_text(message, losses);
        let calls: Vec<&Block> = others(message, Other::Call).collect();
        let said = |json: Json| match visible.is_empty() && !calls.is_empty() {
            true => json.raw("content", b"null"),
            false => json.leaf("content", &visible),
        };
        let json = match &self.place {
            ReasoningTarget::Details => details::answer(said(json), &thoughts, &calls),
            ReasoningTarget::Field(key) => {
                losses.push_each(texts.iter().skip(1).map(|block| block.at), Loss::Blocks);
                let json = said(json);
                let whole = Leaf::joined(texts.iter().map(|block| &block.text), b"\n");
                match thoughts.is_empty() && (!self.fill || calls.is_empty()) {
                    true => json,
                    false => json.leaf(key, &whole),
                }
            }
            ReasoningTarget::Content { open, close, between, tokens, escape } => {
                let as_is = self.reads_back(&texts, &visible);
                let safe = |text: &'m Leaf, refused: Unwritten, losses: &mut Losses| match as_is {
                    true => Ok(Cow::Borrowed(text)),
                    false => harmless(text, tokens, *escape, refused, losses).map(Cow::Owned),
                };
                let mut whole = Leaf::default();
                let mut inside = Vec::new();
                for (i, block) in texts.iter().enumerate() {
                    whole.push(if i > 0 { between } else { open }.as_bytes(), false);
                    inside.push(losses.inside(block.at, |losses| safe(&block.text, CLOSES, losses))?);
                    whole.append(&inside[i]);
                }
                whole.push(if texts.is_empty() { b"" } else { close.as_bytes() }, false);
                losses.push_each(texts.iter().skip(1).filter(|_| between == "\n").map(|block| block.at), Loss::Blocks);
                if as_is {
                    whole.append(&visible);
                } else {
                    // Tags in the answer were escaped where it was read.
                    let said = match self.is_harmony() {
                        true => Cow::Owned(harmless(&visible, tokens, *escape, TEXT_CLOSES, losses)?),
                        false => Cow::Borrowed(&visible),
                    };
                    whole.append(&said);
                    let joined = Leaf::joined(inside.iter().map(Cow::as_ref), b"\n");
                    let read = || is_read_as(&whole.decoded(), &[joined.decoded()], &said.decoded());
                    if !self.is_harmony() && !read() {
                        return Err(TEXT_CLOSES);
                    }
                }
                json.leaf("content", &whole)
            }
        };
        let all = calls.iter().enumerate().fold(Json::list(), |list, (at, block)| list.item(&function(block, at)));
        Ok(json.some("tool_calls", Some(all.end().as_slice()).filter(|_| !calls.is_empty())))
    }

    /// Writes reasoning of another role: in a field. Between delimiters no reader would search for it, so that it is
    /// lost.
    fn others_thoughts(&self, message: &BlockMessage, json: Json, losses: &mut Losses) -> Json {
        let thoughts: Vec<&Block> =
            message.blocks.iter().filter(|block| block.kind == ContentKind::Reasoning).collect();
        thoughts.iter().for_each(|block| seals(block, false, false, losses));
        let filled: Vec<&&Block> = thoughts.iter().filter(|block| !block.text.is_empty()).collect();
        let whole = Leaf::joined(filled.iter().map(|block| &block.text), b"\n");
        match &self.place {
            _ if thoughts.is_empty() => json,
            ReasoningTarget::Details => details::answer(json, &thoughts, &[]),
            ReasoningTarget::Field(key) => {
                losses.push_each(filled.iter().skip(1).map(|block| block.at), Loss::Blocks);
                json.leaf(key, &whole)
            }
            ReasoningTarget::Content { .. } => {
                losses.push_each(filled.iter().map(|block| block.at), Loss::Part);
                json
            }
        }
    }

    /// The messages that one message becomes: each tool result is a message of its own.
    fn messages(&self, message: &BlockMessage, losses: &mut Losses) -> Result<Vec<WrittenJson>, Unwritten> {
        losses.of(message);
        lost_by_user(message, losses);
        if message.is_foreign() {
            return Ok(Vec::new());
        }
        if message.role == Role::Assistant {
            let json = Json::object().word("role", "assistant");
            return Ok(vec![self.answer(message, json, losses)?.written()]);
        }
        let results = others(message, Other::Result).enumerate();
        let mut out: Vec<WrittenJson> = results.map(|(at, block)| tool_message(block, at, losses).into()).collect();
        let parts = mixed_parts(message, "text", chat_part, losses);
        if out.is_empty() || parts.is_some() || message.blocks.iter().any(|block| block.kind == ContentKind::Text) {
            let role = match message.role {
                Role::System if is_word(message.get(Attribute::Author), "developer") => "developer",
                Role::System => "system",
                // What stands beside a result has no call that it answers.
                Role::Tool if out.is_empty() => "tool",
                _ => "user",
            };
            let (texts, json) = (texts(message), Json::object().word("role", role));
            let json = json.some("name", message.get(Attribute::Author).filter(|_| role == "tool"));
            let json = match (parts, texts.len()) {
                (Some(parts), _) => json.list_of("content", |list| list.items(&parts)),
                (None, 0 | 1) => json.leaf("content", &one_text(message)),
                (None, _) => json.list_of("content", |list| text_parts_in(list, texts)),
            };
            out.push(self.others_thoughts(message, json, losses).written());
        } else {
            let thoughts = message.blocks.iter().filter(|block| block.kind == ContentKind::Reasoning);
            losses.push_each(thoughts.map(|block| block.at), Loss::Part);
        }
        Ok(out)
    }

    /// An error, as a record of its own.
    pub fn error(message: &BlockMessage) -> Vec<u8> {
        let error = Json::object().text("message", &error_text(message)).word("type", "server_error").end();
        Json::object().raw("error", &error).end()
    }

    /// Writes the chunks behind the last delta: the stop reason, the token usage, and the end of the stream; or the error
    /// that ended it.
    pub fn over(stream: &Streamed, out: &mut Values) {
        if stream.message.stop() == Stop::Error {
            return out.push(("", Self::error(&stream.message)));
        }
        Self::chunk(stream, b"{}", Some(finish_reason(stream.message.stop())), out);
        if let Some(usage) = usage(&stream.message) {
            let json = envelope(&stream.message, (stream.serial, "chat.completion.chunk"), 512).raw("choices", b"[]");
            out.push(("", json.raw("usage", &usage).end()));
        }
        out.push(("", b"[DONE]".to_vec()));
    }

    /// Writes a chunk with this delta.
    pub fn chunk(stream: &Streamed, delta: &[u8], finish: Option<&str>, out: &mut Values) {
        let choice = |choice: Json| {
            let choice = choice.raw("index", b"0").raw("delta", delta);
            match finish {
                Some(word) => choice.word("finish_reason", word),
                None => choice.raw("finish_reason", b"null"),
            }
        };
        let json = envelope(&stream.message, (stream.serial, "chat.completion.chunk"), delta.len() + 256);
        out.push(("", json.list_of("choices", |all| all.object_of(choice)).end()));
    }
}

impl Writer for Chat {
    fn restates(&self) -> bool {
        false
    }

    fn request(&self, head: &RecordHead, messages: &[BlockMessage], losses: &mut Losses) -> Result<Vec<u8>, Unwritten> {
        let mut all = Json::list();
        if let Some(system) = system_message(head) {
            all = all.item(&system);
        }
        for message in media_behind(answered(messages), Role::User, losses).iter() {
            all = all.items(&self.messages(message, losses)?);
        }
        let mut json = Json::object().some("model", head.get(Attribute::Model)).raw("messages", &all.end());
        json = json.some("max_tokens", head.get(Attribute::Limit));
        losses.outside(None);
        Ok(settings(json, head, self.settings(), losses).end())
    }

    fn response(&self, message: &BlockMessage, serial: u64, losses: &mut Losses) -> Result<Vec<u8>, Unwritten> {
        lost_parts(message, losses);
        let answer = self.answer(message, Json::object().word("role", "assistant"), losses)?.end();
        let choice = Json::object().raw("index", b"0").raw("message", &answer);
        let choice = choice.word("finish_reason", finish_reason(message.stop())).end();
        let json = envelope(message, (serial, "chat.completion"), choice.len() + 512)
            .raw("choices", &Json::list().item(&choice).end());
        Ok(json.some("usage", usage(message).as_deref()).end())
    }

    fn names_blocks(&self) -> bool {
        matches!(self.place, ReasoningTarget::Details)
    }

    fn signs_calls(&self) -> bool {
        matches!(self.place, ReasoningTarget::Details)
    }

    fn failure(&self, message: &BlockMessage) -> Option<(&'static str, Vec<u8>)> {
        Some(("", Self::error(message)))
    }

    fn batch(&self, key: &[u8], value: &[u8], request: bool) -> Option<Vec<u8>> {
        let batches = !matches!(self.place, ReasoningTarget::Details);
        batches.then(|| openai_batch(key, value, request, "/v1/chat/completions"))
    }

    fn message(&self, message: &BlockMessage, losses: &mut Losses) -> Result<Vec<WrittenJson>, Unwritten> {
        self.messages(message, losses)
    }

    fn begin(&self, stream: &mut Streamed, out: &mut Values, _losses: &mut Losses) {
        let delta = Json::object().word("role", "assistant").text("content", b"").end();
        Self::chunk(stream, &delta, None, out);
    }

    fn open(&self, stream: &mut Streamed, block: usize, out: &mut Values, losses: &mut Losses) {
        let found = stream.message.blocks[block].clone_head();
        match (found.kind, &self.place) {
            (ContentKind::Other(Other::Media), _) => losses.push(Loss::Media),
            (ContentKind::Other(Other::Call), _) => {
                let found = stream.message.blocks[block].clone();
                let number = stream.place(block);
                details::open_call(stream, block, out);
                let (kind, arguments) = words(&found);
                let inner = Json::object().raw("name", &call_name(&found));
                let whole = found.get(Attribute::Arguments).filter(|value| value.first() == Some(&b'{'));
                let inner = inner.text(arguments, whole.unwrap_or_default()).end();
                let call = Json::object().raw("index", number.to_string().as_bytes());
                let call = call.raw("id", &short_call_id(&found, Attribute::CallId, number)).word("type", kind);
                let calls = Json::list().item(&call.raw(kind, &inner).end()).end();
                Self::chunk(stream, &Json::object().raw("tool_calls", &calls).end(), None, out);
            }
            (ContentKind::Other(_), _) => losses.push(Loss::Part),
            (ContentKind::Reasoning, ReasoningTarget::Details) => details::open(stream, block, out),
            // Without text, reasoning has no place between delimiters; a field can be empty.
            (ContentKind::Reasoning, ReasoningTarget::Field(key)) if !stream.message.blocks[block].fed => {
                if !stream.message.blocks[..block].iter().any(|block| block.kind == ContentKind::Reasoning) {
                    Self::chunk(stream, &Json::object().text(key, b"").end(), None, out);
                }
            }
            (ContentKind::Reasoning, ReasoningTarget::Content { .. }) if !stream.message.blocks[block].fed => (),
            (ContentKind::Reasoning, ReasoningTarget::Content { open, between, .. }) => {
                stream.last.clear();
                let before = stream.message.blocks[..block].iter().any(has_text);
                let opener = if before && between != "\n" { between } else { open };
                Self::chunk(stream, &Json::object().text("content", opener.as_bytes()).end(), None, out);
            }
            (ContentKind::Reasoning, ReasoningTarget::Field(key)) => {
                // Readers join all pieces of a field, whatever stands between them.
                if stream.message.blocks[..block].iter().any(has_text) {
                    losses.push(Loss::Blocks);
                    Self::chunk(stream, &Json::object().text(key, b"\n").end(), None, out);
                }
            }
            (ContentKind::Text, _) => stream.last.clear(),
        }
    }

    fn feeds_as_it_is(&self, block: &Block) -> bool {
        match &self.place {
            ReasoningTarget::Content { .. } => block.kind == ContentKind::Text && !self.is_harmony(),
            _ => !matches!(block.kind, ContentKind::Other(_)),
        }
    }

    fn feed(&self, stream: &mut Streamed, block: usize, text: &Leaf, out: &mut Values, losses: &mut Losses) {
        let delta = match (stream.message.blocks[block].kind, &self.place) {
            (ContentKind::Text, ReasoningTarget::Content { tokens, .. }) if self.is_harmony() => {
                Json::object().leaf("content", &harmless_piece(&mut stream.last, text, tokens, losses))
            }
            (ContentKind::Text, _) => Json::object().leaf("content", text),
            (ContentKind::Reasoning, ReasoningTarget::Field(key)) => Json::object().leaf(key, text),
            (ContentKind::Reasoning, ReasoningTarget::Details) => details::feed(stream, block, text),
            (ContentKind::Reasoning, ReasoningTarget::Content { tokens, .. }) => {
                Json::object().leaf("content", &harmless_piece(&mut stream.last, text, tokens, losses))
            }
            (ContentKind::Other(_), _) => {
                let Some(number) = stream.placed(block) else { return };
                let (kind, arguments) = words(&stream.message.blocks[block]);
                let inner = Json::object().leaf(arguments, text).end();
                let call = Json::object().raw("index", number.to_string().as_bytes()).raw(kind, &inner);
                Json::object().raw("tool_calls", &Json::list().item(&call.end()).end())
            }
        };
        Self::chunk(stream, &delta.end(), None, out);
    }

    fn close(&self, stream: &mut Streamed, block: usize, out: &mut Values, losses: &mut Losses) {
        let found = &stream.message.blocks[block];
        let silent = !found.fed
            && !is_free(found)
            && found.get(Attribute::Arguments).is_none_or(|value| value.first() != Some(&b'{'));
        if found.kind == ContentKind::Other(Other::Call) && silent {
            return self.feed(stream, block, &b"{}"[..].into(), out, losses);
        }
        if found.kind != ContentKind::Reasoning {
            return;
        }
        if matches!(self.place, ReasoningTarget::Details) {
            return details::close(stream, block, out);
        }
        seals(found, false, false, losses);
        if let (ReasoningTarget::Content { close, .. }, true) = (&self.place, found.fed) {
            Self::chunk(stream, &Json::object().text("content", close.as_bytes()).end(), None, out);
        }
    }

    fn end(&self, stream: &mut Streamed, out: &mut Values, _losses: &mut Losses) {
        Self::over(stream, out);
    }
}
