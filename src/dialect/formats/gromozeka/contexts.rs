//! Instructions with the origin and the context of a message: an XML element over several lines, in a prompt and in the
//! program's own short form.
//!
//! The program also adds prose for its model: what to do when the turn before was ended, which is shortened here, and
//! the purpose of the paths of a workspace, which is left out.

use crate::json::text::{decoded, utf8};
use crate::json::{elements, member, members};

/// An object, whose members are decoded if they are strings.
struct ContextObject<'a>(&'a [u8]);

impl<'a> ContextObject<'a> {
    fn of(object: &'a [u8]) -> Option<Self> {
        object.starts_with(b"{").then_some(Self(object))
    }

    fn raw(&self, name: &str) -> Option<&'a [u8]> {
        member(self.0, 0, name).map(|(_, at)| &self.0[at]).filter(|value| *value != b"null")
    }

    /// A member that is a string.
    fn text(&self, name: &str) -> Option<String> {
        self.raw(name).and_then(string)
    }

    /// A member with the name of a constant. Without the member, the default.
    fn constant(&self, name: &str, default: Option<&str>) -> Option<String> {
        let named = self.text(name).or_else(|| default.map(str::to_string))?;
        Some(escaped(&named.to_lowercase()))
    }
}

fn string(value: &[u8]) -> Option<String> {
    match value {
        [b'"', text @ .., b'"'] => Some(utf8(&decoded(text)).into_owned()),
        _ => None,
    }
}

/// The element of such an instruction, by the name of its class. None if it is another instruction, or lacks a member.
pub(super) fn element(class: &[u8], instruction: &[u8]) -> Option<String> {
    let own = ContextObject::of(instruction)?;
    let context = || ContextObject::of(own.raw("context")?);
    match class {
        b"message_input_context" => input(&context()?),
        b"message_temporal_context" => time(&context()?),
        b"revealed_secret_context" => secrets(&context()?),
        b"user_situation_context" => situation(&context()?),
        b"previous_turn_terminated" => ended(&own),
        b"workspace_context" => workspace(&own),
        _ => None,
    }
}

/// An element around others, each on a line of its own.
fn around(name: &str, attributes: &str, inner: &[String]) -> String {
    let lines: String = inner.iter().map(|line| format!("  {line}\n")).collect();
    format!("<{name}{attributes}>\n{lines}</{name}>")
}

fn with(name: &str, text: &str) -> String {
    format!("<{name}>{text}</{name}>")
}

/// How the user entered a message.
fn input(context: &ContextObject<'_>) -> Option<String> {
    let inner = [
        with("modality", &context.constant("modality", None)?),
        with("source", &context.constant("source", None)?),
        with("client_platform", &context.constant("clientPlatform", None)?),
        with("input_reliability", &context.constant("reliability", Some("NORMAL"))?),
    ];
    Some(around("message_input_context", "", &inner))
}

/// When the user sent a message.
fn time(context: &ContextObject<'_>) -> Option<String> {
    let sent = escaped(&context.text("sentAt")?);
    let elapsed = context.raw("elapsedSincePreviousUserMessageSeconds");
    let elapsed = elapsed
        .filter(|digits| digits.iter().all(u8::is_ascii_digit))
        .map(|digits| format!(" elapsed_since_previous_user_message_seconds=\"{}\"", String::from_utf8_lossy(digits)));
    Some(format!("<message_time sent_at=\"{sent}\" timezone=\"UTC\"{} />", elapsed.unwrap_or_default()))
}

/// The names of secrets that the user let the model know of.
fn secrets(context: &ContextObject<'_>) -> Option<String> {
    let values = ContextObject::of(context.raw("values")?)?;
    let mut all: Vec<(String, String)> = Vec::new();
    for (name, _, at) in members(values.0, 0).decoded() {
        all.push((escaped(&utf8(&name)), escaped(&string(&values.0[at])?)));
    }
    all.sort();
    let inner: Vec<String> =
        all.iter().map(|(name, value)| format!("<secret name=\"{name}\">{value}</secret>")).collect();
    (!inner.is_empty()).then(|| around("revealed_secrets", " transient=\"true\"", &inner))
}

/// Where the user is.
fn situation(context: &ContextObject<'_>) -> Option<String> {
    let unknown = |name: &str| context.constant(name, Some("UNKNOWN"));
    let zone = context.text("timezone").filter(|zone| !zone.trim().is_empty());
    let mut inner = Vec::new();
    inner.extend(context.text("observedAt").map(|at| with("observed_at", &escaped(&at))));
    inner.extend(zone.map(|zone| with("timezone", &escaped(&zone))));
    inner.push(with("device_screen_visibility", &unknown("deviceScreenVisibility")?));
    inner.push(with("app_screen_visibility", &unknown("appScreenVisibility")?));
    inner.push(with("audio_output", &unknown("audioOutput")?));
    Some(around("user_situation_context", "", &inner))
}

/// Why the turn before was not completed.
fn ended(instruction: &ContextObject<'_>) -> Option<String> {
    let (reason, text) = match instruction.text("reason")?.as_str() {
        "STOPPED" => ("user_stopped", "The user stopped the turn before this one on purpose."),
        "INTERRUPTED" => ("user_interrupted", "The user interrupted the turn before this one on purpose."),
        _ => return None,
    };
    Some(format!("<turn_aborted reason=\"{reason}\">\n{text}\n</turn_aborted>"))
}

/// Paths that the user has chosen for the message.
fn workspace(instruction: &ContextObject<'_>) -> Option<String> {
    let (references, mut inner) = (instruction.raw("references")?, Vec::new());
    for (_, at) in elements(references, 0) {
        let reference = ContextObject::of(&references[at])?;
        let path = escaped(&reference.text("relativePath").or_else(|| reference.text("path"))?);
        let (kind, name) = (reference.constant("kind", None)?, escaped(&reference.text("name")?));
        inner.push(format!("<reference kind=\"{kind}\" path=\"{path}\">{name}</reference>"));
    }
    (!inner.is_empty()).then(|| around("workspace_context", "", &inner))
}

/// A text that cannot end an element.
pub(super) fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&apos;")
}
