//! Asks the rules of a target about a text.

use super::case::{Case, Fill, Foreign, Hit};
use super::conversation::Conversation;
use super::model::Model;
use super::read::Input;
use super::rules::{Row, of_target};
use super::targets::{Shape, Target};
use crate::check::{self, Fingerprints, fingerprint_name};
use crate::json::{Token, elements, members};
use std::ops::Range;

/// Something in a text that a rule is about.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule.
    pub row: &'static Row,
    /// The provider refuses it. Otherwise the text cannot tell, or it is taken and does harm.
    pub is_certain: bool,
    /// The range of bytes of the value.
    pub at: Range<usize>,
    /// The number of the record, from 1.
    pub record: u64,
    /// The number of the message in its conversation, from 1; `None` if it is about the request.
    pub message: Option<u64>,
    /// How many places there are; the finding is about the first.
    pub places: u64,
    /// There is a repair.
    pub is_mended: bool,
}

/// A record that was not judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The number of the record, from 1.
    pub record: u64,
    /// The offset in the text.
    pub offset: usize,
    /// Why, in a plain sentence without a full stop and without a word of the text.
    pub what: String,
}

/// What the rules say of a text.
#[derive(Clone, Debug, Default)]
pub struct Judged {
    /// In the order of the text.
    pub findings: Vec<Finding>,
    /// Records that are no request or conversation, or one of another dialect.
    pub refused: Vec<Refused>,
    /// How many records there are.
    pub records: u64,
    /// How many messages were judged.
    pub messages: u64,
}

impl Judged {
    /// Whether the provider refuses any of it.
    pub fn is_rejected(&self) -> bool {
        self.findings.iter().any(|finding| finding.is_certain)
    }
}

/// Judges a text: requests, lists of messages, or a log of a coding agent.
///
/// `model`: the model that is asked; without it that of the text counts.
pub fn judge(text: &[u8], target: &'static Target, model: Option<&str>) -> Judged {
    let input = Input::read(text);
    let mut judged = Judged { refused: refused(&input, target), records: input.records, ..Judged::default() };
    for conversation in of_shape(&input, target).map(|(_, conversation)| conversation) {
        let model = Chosen::new(model, conversation);
        let case = model.case(target, conversation, &Fill::Least, None);
        judged.messages += conversation.messages.len() as u64;
        judged.findings.extend(hits(&case).into_iter().map(|(row, hit)| finding(row, &hit, conversation, &input)));
    }
    judged.findings.sort_by_key(|finding| (finding.at.start, finding.row.code));
    judged
}

/// The model of a conversation, and whether the user named it.
pub(super) struct Chosen {
    model: Model,
    is_named: bool,
}

impl Chosen {
    pub fn new(named: Option<&str>, conversation: &Conversation<'_>) -> Self {
        Self { model: Model::new(named.or(conversation.model.as_deref())), is_named: named.is_some() }
    }

    /// Whether it is a model that binds a block of thinking to all that stands before it.
    pub fn binds(&self) -> bool {
        self.model.claude().is_some_and(|(line, version)| line == "fable" && version >= Some((5, 1)))
    }

    /// What the rules get.
    pub fn case<'a, 'c>(
        &'c self,
        target: &'static Target,
        conversation: &'c Conversation<'a>,
        fill: &'c Fill,
        foreign: Option<Foreign>,
    ) -> Case<'a, 'c> {
        Case { target, model: &self.model, is_named: self.is_named, conversation, fill, foreign }
    }
}

/// All that the rules of the target find.
pub(super) fn hits(case: &Case<'_, '_>) -> Vec<(&'static Row, Hit)> {
    let mut all = Vec::new();
    for row in of_target(case.target.name) {
        let mut hits = Vec::new();
        (row.search)(case, &mut hits);
        all.extend(hits.into_iter().map(|hit| (row, hit)));
    }
    all
}

/// The conversations that the target can get, with their numbers.
pub(super) fn of_shape<'i, 'a>(
    input: &'i Input<'a>,
    target: &'static Target,
) -> impl Iterator<Item = (usize, &'i Conversation<'a>)> {
    input.conversations.iter().enumerate().filter(|(_, conversation)| fits(conversation.shape, target))
}

/// Whether a conversation of this shape is one for the target.
fn fits(shape: Option<Shape>, target: &Target) -> bool {
    match shape {
        Some(shape) => shape == target.shape,
        // Messages that are nothing but texts.
        None => matches!(target.shape, Shape::Blocks | Shape::Chat),
    }
}

/// What is not judged.
pub(super) fn refused(input: &Input<'_>, target: &Target) -> Vec<Refused> {
    let unread = input.refused.iter();
    let mut all: Vec<Refused> = unread
        .map(|(record, e)| Refused { record: *record, offset: e.offset, what: e.what.clone().into_owned() })
        .collect();
    for conversation in input.conversations.iter().filter(|found| !fits(found.shape, target)) {
        let is = conversation.shape.map_or("a list of messages", Shape::name);
        let advice = target.dialect.map(|dialect| format!(": `unthink convert --to {dialect}` first"));
        let what =
            format!("this is {is}, and {} takes {}{}", target.name, target.shape.name(), advice.unwrap_or_default());
        let offset = conversation.messages.first().map_or(0, |message| message.at().start);
        all.push(Refused { record: conversation.record, offset, what });
    }
    all.sort_by_key(|refused| refused.offset);
    all
}

pub(super) fn finding(row: &'static Row, hit: &Hit, conversation: &Conversation<'_>, input: &Input<'_>) -> Finding {
    Finding {
        row,
        is_certain: hit.is_certain,
        at: hit.at.clone(),
        record: record_of(hit.at.start, conversation, input),
        message: hit.message.map(|number| number as u64 + 1),
        places: hit.places,
        is_mended: hit.mend.as_ref().is_some_and(|mend| !mend.edits.is_empty()),
    }
}

/// The number of the record that an offset is in.
fn record_of(offset: usize, conversation: &Conversation<'_>, input: &Input<'_>) -> u64 {
    match input.lines.partition_point(|line| line.at.start <= offset) {
        0 => conversation.record,
        // Lines that are blank, or were refused, are none of these; the record of a line is kept with it.
        n => input.lines[n - 1].record,
    }
}

/// How findings are shown.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// TARGET or TARGET:MODEL, as the user named it.
    pub to: &'a str,
    /// The target's name.
    pub target: &'static Target,
}

/// Findings as `check` reports them, with their places, the day of the rule, and the command that mends them.
pub fn shown(text: &[u8], findings: &[Finding], by: Shown<'_>) -> Vec<check::Finding> {
    let (mut fingerprints, mut lines) = (Fingerprints::default(), Lines::of(text));
    let mut all = Vec::new();
    for found in findings {
        let rule = found.row.reported(found.is_certain);
        let (line, column, start) = lines.place(found.at.start);
        let value = &text[found.at.clone()];
        all.push(check::Finding {
            rule,
            record: found.record,
            message: found.message,
            // In a document, a line may begin anywhere; in a log, an offset behind the first line is not in that.
            pointer: pointer(text, 0, found.at.start).or_else(|| pointer(text, start, found.at.start)),
            line,
            column,
            bytes: found.at.start as u64..found.at.end as u64,
            chars: None,
            what: sentence(found, by),
            fingerprint: fingerprints.next(fingerprint_name(rule, &String::from_utf8_lossy(value))),
            excerpt: None,
        });
    }
    all
}

/// What a finding says: what was found, what the provider does, when that was known, and what to do.
fn sentence(found: &Finding, by: Shown<'_>) -> String {
    let row = found.row;
    let more = if found.places > 1 { format!(" ({} places)", found.places) } else { String::new() };
    let does = match (found.is_certain, row.outcome) {
        (true, _) => "refuses it",
        (_, super::rules::Outcome::Dropped) => "drops it",
        (_, super::rules::Outcome::Degraded) => "takes it",
        _ => "may refuse it",
    };
    let name = by.target.name;
    let cure = if found.is_mended {
        format!("unthink repair --target {}{} -i.bak FILE", by.to, row.options)
    } else {
        row.repair.trim_end_matches('.').to_string()
    };
    format!("{}{more}; {name} {does} (known on {}): {cure}", row.finds, row.verified_on)
}

/// Lines of a text, in the order in which they are asked for.
struct Lines<'a> {
    text: &'a [u8],
    at: usize,
    line: u64,
    start: usize,
}

impl<'a> Lines<'a> {
    fn of(text: &'a [u8]) -> Self {
        Self { text, at: 0, line: 1, start: 0 }
    }

    /// The line and the column of an offset, from 1, and where its line begins.
    fn place(&mut self, offset: usize) -> (u64, u64, usize) {
        if offset < self.at {
            *self = Self::of(self.text);
        }
        for end in memchr::memchr_iter(b'\n', &self.text[self.at..offset]) {
            self.line += 1;
            self.start = self.at + end + 1;
        }
        self.at = offset;
        let column = String::from_utf8_lossy(&self.text[self.start..offset]).chars().count() as u64 + 1;
        (self.line, column, self.start)
    }
}

/// The JSON Pointer of the value at `offset`, in the value that begins at `root` or behind white space there.
fn pointer(text: &[u8], root: usize, offset: usize) -> Option<String> {
    let blank = text[root..].iter().take_while(|b| b.is_ascii_whitespace()).count();
    let (mut at, mut out) = (root + blank, String::new());
    while at != offset {
        let inside = |range: &Range<usize>| range.contains(&offset);
        if let Some((key, _, value)) = members(text, at).find(|(_, _, value)| inside(value)) {
            let key = String::from_utf8_lossy(&key.decoded(text)).replace('~', "~0").replace('/', "~1");
            out += &format!("/{key}");
            at = value.start;
        } else {
            let (i, (_, value)): (usize, (Token, Range<usize>)) =
                elements(text, at).enumerate().find(|(_, (_, value))| inside(value))?;
            out += &format!("/{i}");
            at = value.start;
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers() {
        let text = br#"  {"a":[{"b/c":1}, 2]}"#;
        assert_eq!(pointer(text, 0, 15).as_deref(), Some("/a/0/b~1c"));
        assert_eq!(pointer(text, 0, 19).as_deref(), Some("/a/1"));
        assert_eq!(pointer(text, 0, 2).as_deref(), Some(""));
        assert_eq!(pointer(text, 0, 4), None);
    }
}
