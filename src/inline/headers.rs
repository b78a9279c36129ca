//! Headers of messages that stand in text: those of Harmony (OpenAI, the format of gpt-oss), of the models that write
//! a recipient in place of its channel, and of Inkling. A header may come in pieces, and none is longer than
//! [`MAX_HEADER_BYTES`], so that a look ahead is short whatever the input.

use super::tags::Headers;
use crate::model::Role;

/// The kind of a message, by its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MessageKind {
    /// Reasoning of the model.
    Reasoning,
    /// An unknown channel: hidden, since it is not known to be an answer.
    Unknown,
    /// The answer.
    Answer,
    /// Text for the user in front of a tool call.
    Commentary,
    /// A tool call: the message has a recipient, or is no text.
    Call,
    /// A message of another role.
    Other(Role),
    /// A header of the assistant at the end of the input, where the next message would begin.
    Prompt,
}

/// What a place of the text was found to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeaderHit {
    No,
    /// More text decides.
    Partial,
    Header {
        len: usize,
        kind: MessageKind,
    },
    /// The end of a message.
    End {
        len: usize,
    },
    /// The end of a header whose beginning is missing.
    Message {
        len: usize,
    },
}

/// The longest header, in bytes.
const MAX_HEADER_BYTES: usize = 512;

const START: &[u8] = b"<|start|>";
const CHANNEL: &[u8] = b"<|channel|>";
const CONSTRAIN: &[u8] = b"<|constrain|>";
const MESSAGE: &[u8] = b"<|message|>";
const TO: &[u8] = b"to=";
/// What [`at_start`] looks for.
pub(super) const STARTS: [&[u8]; 4] = [TO, b"analysis<|", b"commentary<|", b"final<|"];
const CHANNELS: [&[u8]; 3] = [b"analysis", b"commentary", b"final"];
const ROLES: [&[u8]; 5] = [b"assistant", b"user", b"system", b"developer", b"tool"];
const ENDS: [&[u8]; 5] = [b"<|end|>", b"<|return|>", b"<|call|>", b"<|eom|>", b"<|eot|>"];

const MODEL: &[u8] = b"<|message_model|>";
const CONTENT: &[u8] = b"<|content_";
const INKLING_ENDS: [&[u8]; 2] = [b"<|end_message|>", b"<|content_model_end_sampling|>"];

/// What `rest` begins with. `eof`: no text follows it.
pub(super) fn at(headers: Headers, rest: &[u8], eof: bool) -> HeaderHit {
    let (ends, starts): (&[&[u8]], &[&[u8]]) = match headers {
        Headers::Harmony => (&ENDS, &[START, CHANNEL, MESSAGE]),
        Headers::Inkling => (&INKLING_ENDS, &[MODEL, CONTENT]),
    };
    if let Some(end) = ends.iter().find(|end| rest.starts_with(end)) {
        return HeaderHit::End { len: end.len() };
    }
    if !eof && ends.iter().chain(starts).any(|token| token.starts_with(rest)) {
        return HeaderHit::Partial;
    }
    match (headers, starts.iter().find(|start| rest.starts_with(start))) {
        (_, None) => HeaderHit::No,
        (Headers::Harmony, Some(&MESSAGE)) => HeaderHit::Message { len: MESSAGE.len() },
        (Headers::Harmony, Some(_)) => Header::default().read(rest, eof),
        (Headers::Inkling, Some(_)) => inkling(rest, eof),
    }
}

/// The header of a completion that begins with its recipient or its channel, since the prompt has the part before it.
pub(super) fn at_start(rest: &[u8], eof: bool) -> HeaderHit {
    for (channel, kind) in
        CHANNELS.into_iter().zip([MessageKind::Reasoning, MessageKind::Commentary, MessageKind::Answer])
    {
        let (named, behind) = rest.split_at(channel.len().min(rest.len()));
        let (len, part) = (channel.len() + MESSAGE.len(), &behind[..behind.len().min(MESSAGE.len())]);
        match named == channel && part == MESSAGE {
            true => return HeaderHit::Header { len, kind },
            false
                if !eof && channel.starts_with(named) && (named.len() < channel.len() || MESSAGE.starts_with(part)) =>
            {
                return HeaderHit::Partial;
            }
            false => (),
        }
    }
    match rest.starts_with(TO) {
        true => Header { bare: true, ..Header::default() }.read(rest, eof),
        false if !eof && TO.starts_with(rest) => HeaderHit::Partial,
        false => HeaderHit::No,
    }
}

/// Where a header of only a recipient begins at the end of `text`, before its `<|message|>`; and the kind of its
/// message.
pub(super) fn before_message(text: &[u8]) -> Option<(usize, MessageKind)> {
    let from = text.iter().rposition(|b| *b == b' ')?;
    let to = text[from + 1..].strip_prefix(TO)?;
    let whole = !to.is_empty() && to.len() < MAX_HEADER_BYTES && to.iter().all(is_recipient);
    whole.then(|| (from, Header { to: Some(to), ..Header::default() }.message_kind()))
}

/// The offset in `text` from which on such a header may begin.
pub(super) fn may_be_header(text: &[u8]) -> usize {
    let near = text.len().saturating_sub(MAX_HEADER_BYTES);
    let Some(from) = text[near..].iter().rposition(|b| *b == b' ').map(|n| near + n) else { return text.len() };
    let tail = &text[from + 1..];
    let to = tail.strip_prefix(TO).map(|to| {
        let len = to.iter().take_while(|b| is_recipient(b)).count();
        MESSAGE.starts_with(&to[len..])
    });
    if to.unwrap_or_else(|| TO.starts_with(tail)) { from } else { text.len() }
}

/// Where the next message of Harmony begins or ends in a text of messages, whatever stands around that.
pub(super) fn next_boundary(text: &[u8]) -> Option<usize> {
    let begins = |at: &usize| [START, CHANNEL].iter().chain(&ENDS).any(|token| text[*at..].starts_with(token));
    memchr::memchr_iter(b'<', text).find(begins)
}

/// Whether a tool call in a text is a message of its own: it begins with a header, and not with an opening token.
pub fn is_message(call: &[u8]) -> bool {
    let call = call.trim_ascii_start();
    [b"<|start|>".as_slice(), b"<|channel|>", MESSAGE, TO].iter().any(|start| call.starts_with(start))
}

/// The recipient of a tool call, its content type and its body.
pub fn call(text: &str) -> Option<(&str, Option<&str>, &str)> {
    let message = text.find("<|message|>")?;
    let (header, body) = (&text[..message], &text[message + MESSAGE.len()..]);
    let to = &header[header.find("to=")? + TO.len()..];
    let recipient = &to[..to.find([' ', '<']).unwrap_or(to.len())];
    let constrain = header.find("<|constrain|>").map(|at| header[at + CONSTRAIN.len()..].trim());
    let end = ENDS.iter().filter_map(|end| body.strip_suffix(std::str::from_utf8(end).ok()?)).next();
    Some((recipient, constrain, end.unwrap_or(body)))
}

fn is_recipient(b: &u8) -> bool {
    !b.is_ascii_whitespace() && *b != b'<'
}

fn is_name(b: &u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-' | b'/')
}

/// A Harmony header while it is read.
#[derive(Default)]
struct Header<'a> {
    /// It begins without `<|start|>` or a channel.
    bare: bool,
    role: &'a [u8],
    channel: Option<&'a [u8]>,
    to: Option<&'a [u8]>,
    /// Where the channel's name ends.
    named: usize,
}

impl<'a> Header<'a> {
    fn read(mut self, rest: &'a [u8], eof: bool) -> HeaderHit {
        let more = |len: usize| if eof || len > MAX_HEADER_BYTES { HeaderHit::No } else { HeaderHit::Partial };
        let word = |at: usize, is: fn(&u8) -> bool| {
            at + rest[at..].iter().take(MAX_HEADER_BYTES).take_while(|b| is(b)).count()
        };
        let mut at = 0;
        if rest.starts_with(START) {
            let from = word(START.len(), u8::is_ascii_whitespace);
            at = word(from, is_name);
            self.role = &rest[from..at];
            if from > START.len() && !ROLES.iter().any(|role| role.eq_ignore_ascii_case(self.role)) {
                // Behind white space, only a known role is a role.
                let begun = ROLES.iter().any(|r| r.get(..at - from).is_some_and(|r| r.eq_ignore_ascii_case(self.role)));
                return if at == rest.len() && begun { more(at) } else { HeaderHit::No };
            }
        }
        let mut types = 0;
        loop {
            at = word(at, u8::is_ascii_whitespace);
            let next = &rest[at..];
            let tokens = [CHANNEL, CONSTRAIN, MESSAGE, TO];
            if at > MAX_HEADER_BYTES {
                return self.broken(rest);
            }
            if next.is_empty() || tokens.iter().any(|token| token.len() > next.len() && token.starts_with(next)) {
                return match eof {
                    false => more(at),
                    // The prompt for the next message.
                    true if next.is_empty() && self.channel.is_none() && self.role == b"assistant" && types == 0 => {
                        HeaderHit::Header { len: at, kind: MessageKind::Prompt }
                    }
                    true => self.broken(rest),
                };
            }
            if next.starts_with(MESSAGE) {
                return self.whole(at + MESSAGE.len());
            }
            let end = if next.starts_with(CHANNEL) {
                let from = word(at + CHANNEL.len(), u8::is_ascii_whitespace);
                let end = word(from, is_name);
                (self.channel, self.named) = (Some(&rest[from..end]), end);
                end
            } else if next.starts_with(CONSTRAIN) {
                word(at + CONSTRAIN.len(), is_name)
            } else if next.starts_with(TO) {
                let end = word(at + TO.len(), is_recipient);
                self.to = Some(&rest[at + TO.len()..end]);
                end
            } else {
                // A content type without its token. Two such words are prose.
                types += 1;
                let end = word(at, is_name);
                if types > 1 || end == at || self.channel.is_none() && self.role.is_empty() && !self.bare {
                    return self.broken(rest);
                }
                end
            };
            if end == rest.len() && !eof {
                return if end > MAX_HEADER_BYTES { self.broken(rest) } else { more(end) };
            }
            at = end;
        }
    }

    fn whole(&self, len: usize) -> HeaderHit {
        HeaderHit::Header { len, kind: self.message_kind() }
    }

    /// Handles a header without an end: the text behind the channel's name is the message, if the name is known.
    fn broken(&mut self, rest: &[u8]) -> HeaderHit {
        let Some(name) = self.channel else { return HeaderHit::No };
        let known =
            CHANNELS.iter().find(|known| name.get(..known.len()).is_some_and(|n| n.eq_ignore_ascii_case(known)));
        let Some(known) = known else { return HeaderHit::No };
        let end = self.named - name.len() + known.len();
        self.channel = Some(&name[..known.len()]);
        self.whole(end + usize::from(rest.get(end) == Some(&b' ')))
    }

    fn message_kind(&self) -> MessageKind {
        let role = match self.role.to_ascii_lowercase().as_slice() {
            b"" | b"assistant" => None,
            b"user" => Some(Role::User),
            b"system" | b"developer" => Some(Role::System),
            // A tool is named by its own role, and addresses the assistant.
            b"tool" => Some(Role::Tool),
            name if name.contains(&b'.') || self.channel.is_none() || self.to == Some(b"assistant") => Some(Role::Tool),
            _ => None,
        };
        let channel = self.channel.map(<[u8]>::to_ascii_lowercase);
        match (role, self.to, channel.as_deref()) {
            (Some(role), ..) => MessageKind::Other(role),
            (None, Some(b"self"), _) => MessageKind::Reasoning,
            (None, Some(b"user"), _) => MessageKind::Answer,
            (None, Some(to), _) if !matches!(to, b"assistant" | b"all") => MessageKind::Call,
            (None, _, Some(b"analysis")) => MessageKind::Reasoning,
            (None, _, Some(b"commentary")) => MessageKind::Commentary,
            (None, _, None | Some(b"final")) => MessageKind::Answer,
            (None, ..) => MessageKind::Unknown,
        }
    }
}

/// Reads `<|message_model|>NAME<|content_KIND|>`, or only its second half.
fn inkling(rest: &[u8], eof: bool) -> HeaderHit {
    let mut at = 0;
    if rest.starts_with(MODEL) {
        at = MODEL.len() + rest[MODEL.len()..].iter().take(MAX_HEADER_BYTES).take_while(|b| is_name(b)).count();
    }
    let next = &rest[at..];
    if !eof && at < MAX_HEADER_BYTES && CONTENT.starts_with(next) {
        return HeaderHit::Partial;
    }
    let kind = next.strip_prefix(CONTENT).map(|kind| {
        let len = kind.iter().take(MAX_HEADER_BYTES).take_while(|b| is_name(b)).count();
        (&kind[..len], &kind[len..])
    });
    match kind {
        Some((kind, end)) if end.starts_with(b"|>") => {
            let len = at + CONTENT.len() + kind.len() + 2;
            let kind = match kind {
                b"thinking" => MessageKind::Reasoning,
                b"text" => MessageKind::Answer,
                _ => MessageKind::Call,
            };
            HeaderHit::Header { len, kind }
        }
        Some((kind, end)) if !eof && b"|>".starts_with(end) && kind.len() < MAX_HEADER_BYTES => HeaderHit::Partial,
        _ if at > 0 => HeaderHit::Header { len: MODEL.len(), kind: MessageKind::Answer },
        _ => HeaderHit::No,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the text begins with, and what it begins with at every shorter length: the same, or more is needed.
    fn hit_at(headers: Headers, text: &str) -> HeaderHit {
        let whole = at(headers, text.as_bytes(), true);
        for n in 1..=text.len() {
            let part = at(headers, &text.as_bytes()[..n], false);
            assert!(
                part == HeaderHit::Partial || part == whole || whole == HeaderHit::No || n == text.len(),
                "{text} {n} {part:?}"
            );
        }
        whole
    }

    #[test]
    fn headers() {
        use MessageKind::{Answer, Call, Commentary, Other, Reasoning, Unknown};
        for (header, kind) in [
            ("<|channel|>analysis<|message|>", Reasoning),
            ("<|start|>assistant<|channel|>analysis<|message|>", Reasoning),
            ("<|start|><|channel|>Analysis<|message|>", Reasoning),
            ("<|start|>assistant<|channel|>final <|constrain|>json<|message|>", Answer),
            ("<|start|>assistant<|message|>", Answer),
            ("<|channel|>commentary<|message|>", Commentary),
            ("<|channel|>commentary to=functions.f <|constrain|>json<|message|>", Call),
            ("<|channel|>commentary to=functions.f<|constrain|>json<|message|>", Call),
            ("<|start|>assistant to=functions.f<|channel|>commentary<|message|>", Call),
            ("<|channel|>analysis to=python code<|message|>", Call),
            ("<|channel|>commentary to=assistant<|channel|>analysis<|message|>", Reasoning),
            ("<|start|>functions.f to=assistant<|channel|>commentary<|message|>", Other(Role::Tool)),
            ("<|start|>user<|message|>", Other(Role::User)),
            ("<|start|>developer<|message|>", Other(Role::System)),
            ("<|start|>assistant to=self<|message|>", Reasoning),
            ("<|start|>assistant to=user<|message|>", Answer),
            ("<|channel|>thoughts<|message|>", Unknown),
            ("<|start|>Assistant<|channel|>\nanalysis\n<|message|>", Reasoning),
            ("<|start|>\nassistant<|channel|> final <|message|>", Answer),
            ("<|start|>model<|channel|>analysis<|message|>", Reasoning),
            ("<|start|>python to=assistant<|channel|>analysis<|message|>", Other(Role::Tool)),
        ] {
            let text = format!("{header}I say");
            assert_eq!(hit_at(Headers::Harmony, &text), HeaderHit::Header { len: header.len(), kind }, "{header}");
        }
        for (text, len, kind) in [
            ("<|channel|>analysis I think so<|end|>", "<|channel|>analysis ".len(), Reasoning),
            ("<|channel|>commentary Hello<|end|>", "<|channel|>commentary ".len(), Commentary),
            ("<|start|>assistant", "<|start|>assistant".len(), MessageKind::Prompt),
        ] {
            assert_eq!(at(Headers::Harmony, text.as_bytes(), true), HeaderHit::Header { len, kind }, "{text}");
        }
        for text in ["<|start|> and", "<|starter|>", "<|start|>assistant says so", "<|channel>thought", "<|"] {
            assert_eq!(hit_at(Headers::Harmony, text), HeaderHit::No, "{text}");
        }
        assert_eq!(
            hit_at(Headers::Inkling, "<|message_model|>f<|content_thinking|>x"),
            HeaderHit::Header { len: 38, kind: Reasoning }
        );
        assert_eq!(hit_at(Headers::Inkling, "<|content_text|>x"), HeaderHit::Header { len: 16, kind: Answer });
        assert_eq!(hit_at(Headers::Inkling, "<|message_model|>x y"), HeaderHit::Header { len: 17, kind: Answer });
        assert_eq!(hit_at(Headers::Inkling, "<|end_message|>"), HeaderHit::End { len: 15 });
    }

    #[test]
    fn recipients_without_a_header() {
        assert_eq!(at_start(b"to=user<|message|>a", true), HeaderHit::Header { len: 18, kind: MessageKind::Answer });
        assert_eq!(at_start(b"to=us", false), HeaderHit::Partial);
        assert_eq!(
            at_start(b"analysis<|message|>a", true),
            HeaderHit::Header { len: 19, kind: MessageKind::Reasoning }
        );
        assert_eq!(at_start(b"final<|mess", false), HeaderHit::Partial);
        assert_eq!(at_start(b"analysis of", false), HeaderHit::No);
        assert_eq!(at_start(b"to=day is", true), HeaderHit::No);
        assert_eq!(before_message(b"r to=user"), Some((1, MessageKind::Answer)));
        assert_eq!(before_message(b"r to= user"), None);
        for (text, from) in [("r to=us", 1), ("r t", 1), ("r ", 1), ("r to=user<|mess", 1), ("r too", 5), ("r", 1)] {
            assert_eq!(may_be_header(text.as_bytes()), from, "{text}");
        }
    }

    #[test]
    fn calls() {
        let text = "<|channel|>commentary to=functions.f <|constrain|>json<|message|>{\"a\":1}<|call|>";
        assert_eq!(call(text), Some(("functions.f", Some("json"), "{\"a\":1}")));
        assert_eq!(call("<tool_call>{}"), None);
    }
}
