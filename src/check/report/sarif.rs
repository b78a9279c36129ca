//! SARIF 2.1.0 (OASIS), with the members that code scanning on GitHub asks for.

use super::json::{self, MemberWriter, lines, object, quote};
use super::{Located, RunResults, STDIN, path, plural, sentence};
use crate::check::Rule;
use crate::printable::printable;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

pub fn write(run: &RunResults<'_>, out: &mut Vec<u8>) {
    let rules = run.all_rules();
    object(out, |log| {
        log.string("$schema", SCHEMA);
        log.string("version", "2.1.0");
        log.list("runs", [()], |out, ()| object(out, |members| members_of_run(members, run, &rules)));
    });
    out.push(b'\n');
}

fn members_of_run(members: &mut MemberWriter<'_>, run: &RunResults<'_>, rules: &[&'static Rule]) {
    members.object("tool", |tool| {
        tool.object("driver", |driver| {
            driver.string("name", "unthink");
            driver.string("version", env!("CARGO_PKG_VERSION"));
            driver.string("semanticVersion", env!("CARGO_PKG_VERSION"));
            lines(driver.name("rules"), rules, |members, rule| descriptor(members, rule));
        });
    });
    members.list("invocations", [()], |out, ()| object(out, |invocation| notify(invocation, run)));
    // Columns are counted in characters.
    members.string("columnKind", "unicodeCodePoints");
    lines(members.name("results"), run.findings, |members, located| {
        let index = rules.iter().position(|rule| rule.code == located.finding.rule.code);
        result(members, located, index.unwrap_or_default());
    });
    members.object("properties", |properties| {
        properties.number("omitted", run.left_out());
        properties.number("suppressed", run.suppressed);
        properties.number("files", run.files);
        properties.number("records", run.records);
        properties.number("messages", run.messages);
        properties.number("notRead", run.not_read);
    });
}

/// Reports unread records as a notification of a successful run: code scanning drops all findings of a failed run, so
/// that one damaged record would hide the findings in others.
fn notify(invocation: &mut MemberWriter<'_>, run: &RunResults<'_>) {
    invocation.flag("executionSuccessful", true);
    if run.not_read > 0 {
        let unread = format!("{} not read.", plural(run.not_read, "record"));
        lines(invocation.name("toolExecutionNotifications"), [unread], |members, unread| {
            members.string("level", "error");
            text(members, "message", &unread);
        });
    }
}

fn text(members: &mut MemberWriter<'_>, name: &str, text: &str) {
    members.object(name, |members| members.string("text", text));
}

fn descriptor(members: &mut MemberWriter<'_>, rule: &Rule) {
    members.string("id", rule.code);
    members.string("name", rule.name);
    text(members, "shortDescription", &sentence(rule.finds));
    text(members, "fullDescription", rule.why);
    members.object("defaultConfiguration", |members| {
        members.flag("enabled", rule.default);
        members.string("level", rule.severity.name());
    });
    members.object("help", |help| {
        help.string("text", &format!("{}\n{}", rule.why, rule.fix));
        help.string("markdown", &format!("**Why it matters.** {}\n\n**What to do.** {}", rule.why, rule.fix));
    });
    members.object("properties", |properties| {
        let family = match rule.code.strip_prefix("UT").and_then(|number| number.bytes().next()) {
            Some(b'1') => "leak",
            Some(b'2') => "structure",
            Some(b'3') => "file",
            Some(b'4') => "budget",
            // Rules about what a provider takes.
            None => "target",
            _ => "other",
        };
        properties.list("tags", ["reasoning", family], |out, tag| quote(tag, out));
        // The severity that code scanning shows.
        properties.string("problem.severity", rule.severity.name());
    });
}

fn result(members: &mut MemberWriter<'_>, located: &Located, index: usize) {
    let finding = &located.finding;
    members.string("ruleId", finding.rule.code);
    members.number("ruleIndex", index as u64);
    members.string("level", finding.rule.severity.name());
    text(members, "message", &printable(&sentence(&finding.what)));
    members.list("locations", [located], |out, located| object(out, |members| location(members, located)));
    members.object("partialFingerprints", |prints| {
        // Code scanning compares findings by this hash. Without it, all findings on a line, which is a whole record,
        // would count as one.
        prints.string("primaryLocationLineHash", &finding.fingerprint);
        prints.string("unthink/v1", &finding.fingerprint);
    });
    members.object("properties", |properties| {
        properties.number("record", finding.record);
        if let Some(message) = finding.message {
            properties.number("message", message);
        }
        if let Some(chars) = &finding.chars {
            properties.number("charStart", chars.start);
            properties.number("charEnd", chars.end);
        }
        properties.flag("fixable", finding.rule.fixable);
        // No snippet of the region, which would be the escaped text of the file.
        if let Some(excerpt) = &finding.excerpt {
            properties.object("excerpt", |members| json::excerpt(members, excerpt));
        }
    });
}

fn location(members: &mut MemberWriter<'_>, located: &Located) {
    let finding = &located.finding;
    members.object("physicalLocation", |physical| {
        physical.object("artifactLocation", |artifact| {
            if located.file == STDIN {
                artifact.string("uri", "stdin");
                return text(artifact, "description", "Standard input.");
            }
            let place = path::place(&located.file);
            artifact.string("uri", &path::uri(&place.path));
            if place.inside {
                artifact.string("uriBaseId", "%SRCROOT%");
            }
        });
        physical.object("region", |region| {
            region.number("startLine", finding.line.max(1));
            region.number("startColumn", finding.column.max(1));
            region.number("byteOffset", finding.bytes.start);
            region.number("byteLength", finding.bytes.end - finding.bytes.start);
        });
    });
    if let Some(pointer) = finding.pointer.as_ref().filter(|pointer| !pointer.is_empty()) {
        members.list("logicalLocations", [pointer], |out, pointer| {
            object(out, |logical| {
                logical.string("fullyQualifiedName", pointer);
                logical.string("kind", "value");
            });
        });
    }
}
