//! Findings as JSON: one object, or one line a finding. The members are those of the manual, in the same order.
//!
//! Hidden characters, and text that a CI system would obey, are escaped (`\u202e`), which makes no difference to a
//! parser.

#[cfg(feature = "cli")]
use super::RunResults;
use super::{Located, guard};
use crate::check::Excerpt;
#[cfg(feature = "cli")]
use crate::check::Severity;
use crate::json::object::object_with;
use crate::json::text::utf8;
use crate::printable::is_hidden;

pub use crate::json::object::MemberWriter;

/// The version of the format. New members do not change it.
#[cfg(feature = "cli")]
const VERSION: u64 = 1;

#[cfg(feature = "cli")]
pub fn write(run: &RunResults<'_>, out: &mut Vec<u8>) {
    object(out, |report| {
        report.number("version", VERSION);
        lines(report.name("findings"), run.findings, finding);
        report.object("summary", |summary| {
            summary.number("findings", run.all());
            summary.number("errors", run.count_of(Severity::Error));
            summary.number("warnings", run.count_of(Severity::Warning));
            summary.number("omitted", run.left_out());
            summary.number("suppressed", run.suppressed);
            summary.number("files", run.files);
            summary.number("records", run.records);
            summary.number("messages", run.messages);
            summary.number("not_read", run.not_read);
            summary.list("rules", run.rules, |out, rule| quote(rule.code, out));
        });
    });
    out.push(b'\n');
}

pub fn write_lines(findings: &[Located], out: &mut Vec<u8>) {
    for located in findings {
        object(out, |members| finding(members, located));
        out.push(b'\n');
    }
}

fn finding(members: &mut MemberWriter<'_>, located: &Located) {
    let finding = &located.finding;
    members.string("file", &located.file);
    members.string("rule", finding.rule.code);
    members.string("name", finding.rule.name);
    members.string("severity", finding.rule.severity.name());
    members.number("record", finding.record);
    members.number_or_null("message", finding.message);
    members.string_or_null("pointer", finding.pointer.as_deref());
    members.number("line", finding.line);
    members.number("column", finding.column);
    members.number("offset", finding.bytes.start);
    members.number("bytes", finding.bytes.end - finding.bytes.start);
    match &finding.chars {
        Some(chars) => members.object("chars", |members| {
            members.number("start", chars.start);
            members.number("end", chars.end);
        }),
        None => members.null("chars"),
    }
    members.number("length", finding.length());
    members.string("what", &finding.what);
    members.flag("fixable", finding.rule.fixable);
    members.string("fingerprint", &finding.fingerprint);
    if let Some(excerpt) = &finding.excerpt {
        members.object("excerpt", |members| self::excerpt(members, excerpt));
    }
}

/// Writes the members of an excerpt.
pub fn excerpt(members: &mut MemberWriter<'_>, excerpt: &Excerpt) {
    members.string("before", &excerpt.before);
    members.string("text", &excerpt.text);
    members.flag("cut", excerpt.cut);
    members.string("after", &excerpt.after);
}

/// Writes a JSON object.
pub fn object(out: &mut Vec<u8>, fill: impl FnOnce(&mut MemberWriter<'_>)) {
    object_with(|text, out| quote(&utf8(text), out), out, fill);
}

/// Writes a JSON array of objects, each on a line of its own.
#[cfg(feature = "cli")]
pub fn lines<T>(out: &mut Vec<u8>, items: impl IntoIterator<Item = T>, mut fill: impl FnMut(&mut MemberWriter<'_>, T)) {
    crate::json::object::lines(out, items, |out, item| object(out, |members| fill(members, item)));
}

/// Writes a JSON string.
pub fn quote(text: &str, out: &mut Vec<u8>) {
    let mut obeyed = guard::obeyed(text).into_iter().peekable();
    out.push(b'"');
    for (at, c) in text.char_indices() {
        if c == '\n' {
            out.extend_from_slice(b"\\n");
            continue;
        }
        if is_hidden(c) || obeyed.next_if_eq(&at).is_some() {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
            }
            continue;
        }
        if matches!(c, '"' | '\\') {
            out.push(b'\\');
        }
        out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }
    out.push(b'"');
}
