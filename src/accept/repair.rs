//! The least repair: the first edits that any finding has are made, and all rules are asked again, until nothing is
//! left that can be mended. What a conversation needs and cannot get leaves all of it as it was.

use super::case::{Fill, ForeignThoughts, Need, Rank, TargetCase, TargetHit};
use super::conversation::RequestConversation;
use super::edit::{TextEdit, apply};
use super::judge::{Chosen, RequestFinding, UnjudgedRecord, finding, hits, of_shape, refused, ways};
use super::read::RequestInput;
use super::rules::{TargetRule, all_foreign, all_sealed};
use super::targets::Target;
use crate::out::{Composed, SpliceStep};
use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

/// What may be done besides cutting what is wrong.
#[derive(Clone, Debug, Default)]
pub struct Repairs {
    /// Signed blocks without a text go.
    pub hollow: bool,
    /// Settings of the request may change.
    pub settings: bool,
    /// All that only one account can read goes.
    pub drop_encrypted: bool,
    /// What is put in where a text is demanded.
    pub fill: Fill,
    /// What becomes of thoughts that the target does not take as such. If it is said, also those go of which that is not
    /// certain.
    pub foreign: Option<ForeignThoughts>,
}

/// Something that was mended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gone {
    /// The rule.
    pub code: &'static str,
    /// The day on which the rule was known last.
    pub verified_on: &'static str,
    /// The place in the old text: the range of what it was about.
    pub at: Range<usize>,
    /// The number of its message in the conversation of the old text, from 1; `None` if it is about the request.
    pub message: Option<u64>,
    /// The JSON Pointer of the place, in its record of the old text.
    pub pointer: String,
    /// How it was mended.
    pub how: &'static str,
    /// How many bytes went, and how many were put in.
    pub bytes: (u64, u64),
}

/// A text that was repaired.
#[derive(Clone, Debug, Default)]
pub struct RepairedText {
    /// The new text.
    pub output: Vec<u8>,
    /// The steps from the old text to it.
    #[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "it is for the command"))]
    pub steps: Vec<SpliceStep>,
    /// What was mended, in the order of the old text.
    pub gone: Vec<Gone>,
    /// What the provider refuses and could not be mended: those conversations are as they were.
    pub left: Vec<RequestFinding>,
    /// Records that were not judged, and are as they were.
    pub refused: Vec<UnjudgedRecord>,
}

/// More rounds than any text needs: each has one kind of edits.
const ROUNDS: usize = 64;

/// Repairs a text.
pub fn repair(text: &[u8], target: &'static Target, model: Option<&str>, repairs: &Repairs) -> RepairedText {
    let before = RequestInput::read(text);
    let numbers = MessageNumbers::of(&before);
    let mut left_out = BTreeSet::new();
    let mut left: Vec<RequestFinding> = Vec::new();
    loop {
        let steps = whole(text);
        let mut work = Work { target, model, repairs, left_out: &left_out, gone: Vec::new(), steps };
        let output = work.rounds(text);
        let mut unmended = Vec::new();
        let input = RequestInput::read(&output);
        for (number, conversation) in of_shape(&input, target).filter(|(number, _)| !left_out.contains(number)) {
            let chosen = Chosen::new(model, conversation);
            let case = chosen.case(target, conversation, &repairs.fill, repairs.foreign);
            let certain = hits(&case).into_iter().filter(|(_, hit)| hit.is_certain);
            unmended.extend(certain.map(|(row, hit)| (number, finding(row, &hit, &input))));
        }
        if unmended.is_empty() {
            let Work { mut gone, steps, .. } = work;
            gone.sort_by_key(|gone| (gone.at.start, gone.code));
            place(&mut gone, text, &before, &numbers);
            let refused = refused(&before, target);
            left.sort_by_key(|finding| (finding.at.start, finding.row.code));
            return RepairedText { output, steps, gone, left, refused };
        }
        let back = Back::along(&work.steps);
        left.extend(unmended.iter().map(|(_, finding)| {
            let at = back.range(&finding.at);
            let (record, record_start) = before.record_of(at.start);
            let message = finding.message.and_then(|_| numbers.at(at.start));
            RequestFinding { at, record, record_start, message, ..finding.clone() }
        }));
        left_out.extend(unmended.into_iter().map(|(number, _)| number));
    }
}

/// Where the messages of a text stand, with their numbers: a message that went before leaves those behind it another one.
struct MessageNumbers(Vec<(Range<usize>, u64)>);

impl MessageNumbers {
    fn of(input: &RequestInput<'_>) -> Self {
        let messages = input.conversations.iter().flat_map(|conversation| (1..).zip(&conversation.messages));
        let parts =
            messages.flat_map(|(number, message)| message.parts.iter().map(move |part| (part.object.at(), number)));
        let mut all: Vec<_> = parts.collect();
        all.sort_by_key(|(at, _)| at.start);
        Self(all)
    }

    /// The number of the message that an offset is in.
    fn at(&self, offset: usize) -> Option<u64> {
        let next = self.0.partition_point(|(at, _)| at.start <= offset);
        let (at, number) = self.0.get(next.checked_sub(1)?)?;
        (offset < at.end).then_some(*number)
    }
}

/// Says where in the old text everything was that went.
fn place(gone: &mut [Gone], text: &[u8], before: &RequestInput<'_>, numbers: &MessageNumbers) {
    let places: Vec<(usize, usize)> = gone.iter().map(|it| (before.record_of(it.at.start).1, it.at.start)).collect();
    for (it, way) in gone.iter_mut().zip(ways(text, &places)) {
        it.message = it.message.and_then(|_| numbers.at(it.at.start));
        it.pointer = way;
    }
}

/// The steps of a text that is as it was.
fn whole(text: &[u8]) -> Vec<SpliceStep> {
    let mut steps = Vec::new();
    SpliceStep::Keep(text.len() as u64).add_to(&mut steps);
    steps
}

/// A repair on its way.
struct Work<'r> {
    target: &'static Target,
    model: Option<&'r str>,
    repairs: &'r Repairs,
    /// Conversations that stay as they are.
    left_out: &'r BTreeSet<usize>,
    gone: Vec<Gone>,
    /// From the old text to the text of now.
    steps: Vec<SpliceStep>,
}

impl Work<'_> {
    /// Repairs what can be repaired.
    fn rounds(&mut self, text: &[u8]) -> Vec<u8> {
        let mut now = text.to_vec();
        for round in 0..ROUNDS {
            let input = RequestInput::read(&now);
            let Some(edits) = self.round(&input, round == 0) else { break };
            let (next, mut steps) = apply(&now, &input.lines, edits);
            if next == now {
                break;
            }
            let mut together = Vec::new();
            Composed::default().compose(&mut std::mem::take(&mut self.steps), &mut steps, &mut together);
            self.steps = together;
            now = next;
        }
        now
    }

    /// The edits of the first rank that any finding has.
    fn round(&mut self, input: &RequestInput<'_>, is_first: bool) -> Option<Vec<TextEdit>> {
        let mut all: Vec<(usize, &'static TargetRule, TargetHit)> = Vec::new();
        for (number, conversation) in of_shape(input, self.target).filter(|(n, _)| !self.left_out.contains(n)) {
            let chosen = Chosen::new(self.model, conversation);
            let case = chosen.case(self.target, conversation, &self.repairs.fill, self.repairs.foreign);
            let mut found = hits(&case);
            found.extend(self.asked(&case, is_first));
            all.extend(found.into_iter().map(|(row, hit)| (number, row, hit)));
        }
        let may =
            |hit: &TargetHit| hit.mend.as_ref().is_some_and(|mend| !mend.edits.is_empty() && self.allows(mend.need));
        all.retain(|(.., hit)| may(hit));
        let first = all.iter().filter_map(|(.., hit)| hit.mend.as_ref()).map(|mend| mend.rank).min()?;
        let back = Back::along(&self.steps);
        let mut edits = Vec::new();
        // The findings of a conversation follow each other.
        for of_one in all.chunk_by_mut(|(a, ..), (b, ..)| a == b) {
            let number = of_one[0].0;
            let mends = of_one.iter_mut().filter_map(|(_, row, hit)| {
                let mend = hit.mend.take().filter(|mend| mend.rank == first)?;
                Some((*row, hit, mend.edits))
            });
            let mut mends: Vec<_> = mends.collect();
            let cuts: Vec<&TextEdit> = mends.iter().flat_map(|(.., edits)| edits).collect();
            let bound = bound(&input.conversations[number], self.model, &cuts);
            if let Some((.., first)) = mends.first_mut() {
                first.extend(bound);
            }
            for (row, hit, own) in mends {
                self.gone.push(gone(row, hit, first, &own, input, &back));
                edits.extend(own);
            }
        }
        Some(edits)
    }

    /// What the user asked for, whatever the rules find.
    fn asked(&self, case: &TargetCase<'_, '_>, is_first: bool) -> Vec<(&'static TargetRule, TargetHit)> {
        if !is_first {
            return Vec::new();
        }
        let sealed = self.repairs.drop_encrypted.then(|| all_sealed(case)).into_iter().flatten();
        let foreign =
            (self.repairs.foreign == Some(ForeignThoughts::Drop)).then(|| all_foreign(case)).into_iter().flatten();
        sealed.chain(foreign).collect()
    }

    fn allows(&self, need: Option<Need>) -> bool {
        match need {
            None => true,
            Some(Need::Hollow) => self.repairs.hollow,
            Some(Need::Settings) => self.repairs.settings,
            Some(Need::Encrypted) => self.repairs.drop_encrypted,
        }
    }
}

/// What is told of a finding that is mended by these edits.
fn gone(
    row: &'static TargetRule,
    hit: &TargetHit,
    rank: Rank,
    edits: &[TextEdit],
    input: &RequestInput<'_>,
    back: &Back,
) -> Gone {
    let mut bytes = (0, 0);
    for edit in edits {
        let (cut, put) = match edit {
            TextEdit::Cut(at) => (at.len(), 0),
            TextEdit::CutLine(line) => (input.lines.get(*line).map_or(0, |line| line.len()), 0),
            TextEdit::Put(_, text) => (0, text.len()),
            TextEdit::Replace(at, text) => (at.len(), text.len()),
        };
        bytes = (bytes.0 + cut as u64, bytes.1 + put as u64);
    }
    let how = match rank {
        Rank::Key => "a member was cut",
        Rank::Block if bytes.1 > 0 => "a block was rewritten",
        Rank::Block => "a block was dropped",
        Rank::Message if bytes.1 > 0 => "an empty message was filled",
        Rank::Message => "a message was dropped",
        Rank::Id => "ids were cut",
        Rank::Insert => "something that was missing was put in",
        Rank::Setting => "a setting of the request was changed",
    };
    let (code, verified_on) = (row.code, row.verified_on);
    let message = hit.message.map(|number| number as u64 + 1);
    Gone { code, verified_on, at: back.range(&hit.at), message, pointer: String::new(), how, bytes }
}

/// The way back from offsets of a new text to those of the old one.
struct Back {
    /// For each step: where it begins in the new text, where in the old one, and whether its bytes were kept.
    steps: Vec<(usize, usize, bool)>,
}

impl Back {
    fn along(steps: &[SpliceStep]) -> Self {
        let (mut old, mut new, mut all) = (0, 0, Vec::with_capacity(steps.len()));
        for step in steps {
            let (n, is_kept) = match *step {
                SpliceStep::Keep(n) => (n as usize, true),
                SpliceStep::Put(n) => (n as usize, false),
                SpliceStep::Cut(n) => {
                    old += n as usize;
                    continue;
                }
            };
            all.push((new, old, is_kept));
            new += n;
            old += if is_kept { n } else { 0 };
        }
        all.push((new, old, false));
        Self { steps: all }
    }

    fn offset(&self, offset: usize) -> usize {
        let at = self.steps.partition_point(|(new, ..)| *new <= offset);
        let (new, old, is_kept) = self.steps[at.saturating_sub(1)];
        if is_kept { old + offset - new } else { old }
    }

    fn range(&self, at: &Range<usize>) -> Range<usize> {
        let start = self.offset(at.start);
        start..self.offset(at.end).max(start)
    }
}

/// Models that bind a block to all that stands before it take all blocks or none: if one goes, all go.
fn bound(conversation: &RequestConversation<'_>, model: Option<&str>, edits: &[&TextEdit]) -> Vec<TextEdit> {
    let chosen = Chosen::new(model, conversation);
    if !chosen.binds() {
        return Vec::new();
    }
    let cut = edits.iter().filter_map(|edit| if let TextEdit::Cut(at) = edit { Some(at.start) } else { None });
    let cut: HashSet<usize> = cut.collect();
    let blocks = conversation.messages.iter().flat_map(|message| message.blocks.iter()).filter(|block| block.thinks());
    let all: Vec<Range<usize>> = blocks.map(|block| block.object.at()).collect();
    let goes = all.iter().any(|at| cut.contains(&at.start));
    let cuts = all.into_iter().map(TextEdit::Cut).collect();
    if goes { cuts } else { Vec::new() }
}
