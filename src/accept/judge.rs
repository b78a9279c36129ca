//! Asks the rules of a target about a text.

use super::case::{Fill, ForeignThoughts, TargetCase, TargetHit};
use super::conversation::{RequestConversation, RequestMessage};
use super::model::Model;
use super::read::RequestInput;
use super::rules::{TargetRule, of_target};
use super::targets::{RequestShape, Target};
use crate::check::{self, Fingerprints, fingerprint_name};
use crate::json::lint::pointers;
use std::ops::Range;

/// Something in a text that a rule is about.
#[derive(Clone, Debug)]
pub struct RequestFinding {
    /// The rule.
    pub row: &'static TargetRule,
    /// The provider refuses it. Otherwise the text cannot tell, or it is taken and does harm.
    pub is_certain: bool,
    /// The range of bytes of the value.
    pub at: Range<usize>,
    /// The number of the record, from 1.
    pub record: u64,
    /// Where the record begins.
    pub record_start: usize,
    /// The number of the message in its conversation, from 1; `None` if it is about the request.
    pub message: Option<u64>,
    /// How many places there are; the finding is about the first.
    pub places: u64,
    /// There is a repair.
    pub is_mended: bool,
}

/// A record that was not judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnjudgedRecord {
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
    pub findings: Vec<RequestFinding>,
    /// Records that are no request or conversation, or one of another dialect.
    pub refused: Vec<UnjudgedRecord>,
    /// How many records there are.
    #[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "it is for the command"))]
    pub records: u64,
    /// How many messages were judged.
    pub messages: u64,
}

impl Judged {
    /// Whether the provider refuses any of it.
    #[cfg(feature = "cli")]
    pub fn is_rejected(&self) -> bool {
        self.findings.iter().any(|finding| finding.is_certain)
    }
}

/// Judges a text: requests, lists of messages, or a log of a coding agent.
///
/// `model`: the model that is asked; without it that of the text counts.
pub fn judge(text: &[u8], target: &'static Target, model: Option<&str>) -> Judged {
    let input = RequestInput::read(text);
    let mut judged = Judged { refused: refused(&input, target), records: input.records(), ..Judged::default() };
    for conversation in of_shape(&input, target).map(|(_, conversation)| conversation) {
        let model = Chosen::new(model, conversation);
        let case = model.case(target, conversation, &Fill::Least, None);
        judged.messages += conversation.messages.len() as u64;
        judged.findings.extend(hits(&case).into_iter().map(|(row, hit)| finding(row, &hit, &input)));
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
    pub fn new(named: Option<&str>, conversation: &RequestConversation<'_>) -> Self {
        Self { model: Model::new(named.or(conversation.model.as_deref())), is_named: named.is_some() }
    }

    /// Whether it is a model that binds a block of thinking to all that stands before it.
    pub fn binds(&self) -> bool {
        self.model.binds()
    }

    /// What the rules get.
    pub fn case<'a, 'c>(
        &'c self,
        target: &'static Target,
        conversation: &'c RequestConversation<'a>,
        fill: &'c Fill,
        foreign: Option<ForeignThoughts>,
    ) -> TargetCase<'a, 'c> {
        TargetCase { target, model: &self.model, is_named: self.is_named, conversation, fill, foreign }
    }
}

/// All that the rules of the target find.
pub(super) fn hits(case: &TargetCase<'_, '_>) -> Vec<(&'static TargetRule, TargetHit)> {
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
    input: &'i RequestInput<'a>,
    target: &'static Target,
) -> impl Iterator<Item = (usize, &'i RequestConversation<'a>)> {
    input.conversations.iter().enumerate().filter(|(_, conversation)| fits(conversation, target))
}

/// Whether a conversation is one for the target, by its shape.
fn fits(conversation: &RequestConversation<'_>, target: &Target) -> bool {
    match conversation.shape {
        Some(shape) => shape == target.shape,
        None if thinks(conversation) => target.blocks,
        // Messages that are nothing but texts. In a list of their own, they may be items as well.
        None if target.shape == RequestShape::Items => conversation.root.is_none(),
        None => matches!(target.shape, RequestShape::Blocks | RequestShape::Chat),
    }
}

/// Whether any of the messages has a block of thinking.
fn thinks(conversation: &RequestConversation<'_>) -> bool {
    conversation.messages.iter().any(RequestMessage::thinks)
}

/// What is not judged.
pub(super) fn refused(input: &RequestInput<'_>, target: &Target) -> Vec<UnjudgedRecord> {
    let unread = input.refused.iter();
    let mut all: Vec<UnjudgedRecord> = unread
        .map(|(record, e)| UnjudgedRecord { record: *record, offset: e.offset, what: e.what.clone().into_owned() })
        .collect();
    for conversation in input.conversations.iter().filter(|found| !fits(found, target)) {
        let unnamed =
            if thinks(conversation) { "a list of messages with blocks of thinking" } else { "a list of messages" };
        let is = conversation.shape.map_or(unnamed, RequestShape::name);
        let advice = target.dialect.map(|dialect| format!(": `unthink convert --to {dialect}` first"));
        let what =
            format!("this is {is}, and {} takes {}{}", target.name, target.shape.name(), advice.unwrap_or_default());
        let offset = conversation.messages.first().map_or(0, |message| message.at().start);
        all.push(UnjudgedRecord { record: conversation.record, offset, what });
    }
    all.sort_by_key(|refused| refused.offset);
    all
}

pub(super) fn finding(row: &'static TargetRule, hit: &TargetHit, input: &RequestInput<'_>) -> RequestFinding {
    let (record, record_start) = input.record_of(hit.at.start);
    RequestFinding {
        row,
        is_certain: hit.is_certain,
        at: hit.at.clone(),
        record,
        record_start,
        message: hit.message.map(|number| number as u64 + 1),
        places: hit.places,
        is_mended: hit.mend.as_ref().is_some_and(|mend| !mend.edits.is_empty()),
    }
}

/// How findings are shown.
#[derive(Clone, Copy, Debug)]
pub struct ShownFindings<'a> {
    /// TARGET or TARGET:MODEL, as the user named it.
    pub to: &'a str,
    /// The target's name.
    pub target: &'static Target,
    /// The file, as a word of a command line.
    pub file: &'a str,
}

/// Findings as `check` reports them, with their places, the day of the rule, and the command that mends them. They
/// are in the order of the text.
pub fn shown(text: &[u8], findings: &[RequestFinding], by: ShownFindings<'_>) -> Vec<check::RuleFinding> {
    let (mut fingerprints, mut lines) = (Fingerprints::default(), AskedLines::of(text));
    let mut all = Vec::new();
    let mut ways = places(text, findings).into_iter();
    for found in findings {
        let rule = found.row.reported(found.is_certain);
        let (line, column) = lines.place(found.at.start);
        let value = &text[found.at.clone()];
        all.push(check::RuleFinding {
            rule,
            record: found.record,
            message: found.message,
            pointer: ways.next(),
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

/// The JSON Pointers of findings, each in its record. They are in the order of the text.
pub fn places(text: &[u8], findings: &[RequestFinding]) -> Vec<String> {
    let all: Vec<(usize, usize)> = findings.iter().map(|found| (found.record_start, found.at.start)).collect();
    ways(text, &all)
}

/// The JSON Pointers of places: of each, where its record begins, and where it is. They are in the order of the text.
pub(super) fn ways(text: &[u8], places: &[(usize, usize)]) -> Vec<String> {
    let mut all = Vec::with_capacity(places.len());
    for of_record in places.chunk_by(|a, b| a.0 == b.0) {
        let start = of_record[0].0;
        let offsets: Vec<usize> = of_record.iter().map(|(_, at)| at - start).collect();
        all.extend(pointers(&text[start..], &offsets));
    }
    all
}

/// What a finding says: what was found, what the provider does, when that was known, and what to do.
fn sentence(found: &RequestFinding, by: ShownFindings<'_>) -> String {
    let row = found.row;
    let more = if found.places > 1 { format!(" ({} places)", found.places) } else { String::new() };
    let does = match (found.is_certain, row.outcome) {
        (true, _) => "refuses it",
        (_, super::rules::RuleOutcome::Dropped) => "drops it",
        (_, super::rules::RuleOutcome::Degraded) => "takes it",
        _ => "may refuse it",
    };
    let name = by.target.name;
    let cure = if found.is_mended {
        format!("unthink repair --target {}{} -i.bak {}", by.to, row.options, by.file)
    } else {
        row.repair.trim_end_matches('.').to_string()
    };
    format!("{}{more}; {name} {does} (known on {}): {cure}", row.finds, row.verified_on)
}

/// Lines of a text, in the order in which they are asked for.
struct AskedLines<'a> {
    text: &'a [u8],
    at: usize,
    line: u64,
    column: u64,
}

impl<'a> AskedLines<'a> {
    fn of(text: &'a [u8]) -> Self {
        Self { text, at: 0, line: 1, column: 1 }
    }

    /// The line and the column of an offset, from 1.
    fn place(&mut self, offset: usize) -> (u64, u64) {
        if offset < self.at {
            *self = Self::of(self.text);
        }
        let mut start = self.at;
        for end in memchr::memchr_iter(b'\n', &self.text[self.at..offset]) {
            self.line += 1;
            (start, self.column) = (self.at + end + 1, 1);
        }
        self.at = offset;
        self.column += String::from_utf8_lossy(&self.text[start..offset]).chars().count() as u64;
        (self.line, self.column)
    }
}
