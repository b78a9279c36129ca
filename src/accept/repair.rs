//! The least repair: the first edits that any finding has are made, and all rules are asked again, until nothing is
//! left that can be mended. What a conversation needs and cannot get leaves all of it as it was.

use super::case::{Case, Fill, Foreign, Hit, Need, Rank};
use super::conversation::Conversation;
use super::edit::{Edit, apply};
use super::judge::{Chosen, Finding, Refused, finding, hits, of_shape, refused};
use super::read::Input;
use super::rules::{Row, all_foreign, all_sealed};
use super::targets::Target;
use crate::out::{Composed, Step};
use std::collections::BTreeSet;
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
    pub foreign: Option<Foreign>,
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
    /// How it was mended.
    pub how: &'static str,
    /// How many bytes went, and how many were put in.
    pub bytes: (u64, u64),
}

/// A text that was repaired.
#[derive(Clone, Debug, Default)]
pub struct Repaired {
    /// The new text.
    pub output: Vec<u8>,
    /// The steps from the old text to it.
    pub steps: Vec<Step>,
    /// What was mended, in the order of the old text.
    pub gone: Vec<Gone>,
    /// What the provider refuses and could not be mended: those conversations are as they were.
    pub left: Vec<Finding>,
    /// Records that were not judged, and are as they were.
    pub refused: Vec<Refused>,
}

/// More rounds than any text needs: each has one kind of edits.
const ROUNDS: usize = 64;

/// Repairs a text.
pub fn repair(text: &[u8], target: &'static Target, model: Option<&str>, repairs: &Repairs) -> Repaired {
    let mut left_out = BTreeSet::new();
    let mut left: Vec<Finding> = Vec::new();
    loop {
        let mut work = Work { target, model, repairs, left_out: &left_out, gone: Vec::new(), steps: whole(text) };
        let output = work.rounds(text);
        let mut unmended = Vec::new();
        let input = Input::read(&output);
        for (number, conversation) in of_shape(&input, target).filter(|(number, _)| !left_out.contains(number)) {
            let chosen = Chosen::new(model, conversation);
            let case = chosen.case(target, conversation, &repairs.fill, repairs.foreign);
            let certain = hits(&case).into_iter().filter(|(_, hit)| hit.is_certain);
            unmended.extend(certain.map(|(row, hit)| (number, finding(row, &hit, conversation, &input))));
        }
        if unmended.is_empty() {
            let Work { mut gone, steps, .. } = work;
            gone.sort_by_key(|gone| (gone.at.start, gone.code));
            let refused = refused(&Input::read(text), target);
            left.sort_by_key(|finding| (finding.at.start, finding.row.code));
            return Repaired { output, steps, gone, left, refused };
        }
        let old = |at: Range<usize>| work.old(at.start)..work.old(at.end).max(work.old(at.start));
        left.extend(unmended.iter().map(|(_, finding)| Finding { at: old(finding.at.clone()), ..finding.clone() }));
        left_out.extend(unmended.into_iter().map(|(number, _)| number));
    }
}

/// The steps of a text that is as it was.
fn whole(text: &[u8]) -> Vec<Step> {
    let mut steps = Vec::new();
    Step::Keep(text.len() as u64).add_to(&mut steps);
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
    steps: Vec<Step>,
}

impl Work<'_> {
    /// Repairs what can be repaired.
    fn rounds(&mut self, text: &[u8]) -> Vec<u8> {
        let mut now = text.to_vec();
        for round in 0..ROUNDS {
            let input = Input::read(&now);
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
    fn round(&mut self, input: &Input<'_>, is_first: bool) -> Option<Vec<Edit>> {
        let mut all: Vec<(usize, &'static Row, Hit)> = Vec::new();
        for (number, conversation) in of_shape(input, self.target).filter(|(n, _)| !self.left_out.contains(n)) {
            let chosen = Chosen::new(self.model, conversation);
            let case = chosen.case(self.target, conversation, &self.repairs.fill, self.repairs.foreign);
            let mut found = hits(&case);
            found.extend(self.asked(&case, is_first));
            all.extend(found.into_iter().map(|(row, hit)| (number, row, hit)));
        }
        let may = |hit: &Hit| hit.mend.as_ref().is_some_and(|mend| !mend.edits.is_empty() && self.allows(mend.need));
        all.retain(|(.., hit)| may(hit));
        let first = all.iter().filter_map(|(.., hit)| hit.mend.as_ref()).map(|mend| mend.rank).min()?;
        let mut edits = Vec::new();
        for (number, row, hit) in all {
            let Some(mend) = hit.mend.as_ref().filter(|mend| mend.rank == first) else { continue };
            let mut own = mend.edits.clone();
            own.extend(bound(&input.conversations[number], self.model, &own));
            self.note(row, &hit, first, &own, input);
            edits.extend(own);
        }
        Some(edits)
    }

    /// What the user asked for, whatever the rules find.
    fn asked(&self, case: &Case<'_, '_>, is_first: bool) -> Vec<(&'static Row, Hit)> {
        if !is_first {
            return Vec::new();
        }
        let sealed = self.repairs.drop_encrypted.then(|| all_sealed(case)).into_iter().flatten();
        let foreign = (self.repairs.foreign == Some(Foreign::Drop)).then(|| all_foreign(case)).into_iter().flatten();
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

    /// Notes what is mended.
    fn note(&mut self, row: &'static Row, hit: &Hit, rank: Rank, edits: &[Edit], input: &Input<'_>) {
        let mut bytes = (0, 0);
        for edit in edits {
            let (cut, put) = match edit {
                Edit::Cut(at) => (at.len(), 0),
                Edit::CutLine(line) => (input.lines.get(*line).map_or(0, |line| line.at.len()), 0),
                Edit::Put(_, text) => (0, text.len()),
                Edit::Replace(at, text) => (at.len(), text.len()),
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
        let (start, end) = (self.old(hit.at.start), self.old(hit.at.end));
        let (code, verified_on) = (row.code, row.verified_on);
        self.gone.push(Gone { code, verified_on, at: start..end.max(start), how, bytes });
    }

    /// The offset in the old text of an offset in the text of now.
    fn old(&self, offset: usize) -> usize {
        let (mut old, mut new, offset) = (0, 0, offset as u64);
        for step in &self.steps {
            match *step {
                Step::Keep(n) if new + n > offset => return (old + offset - new) as usize,
                Step::Keep(n) => (old, new) = (old + n, new + n),
                Step::Cut(n) => old += n,
                Step::Put(n) if new + n > offset => return old as usize,
                Step::Put(n) => new += n,
            }
        }
        old as usize
    }
}

/// Models that bind a block to all that stands before it take all blocks or none: if one goes, all go.
fn bound(conversation: &Conversation<'_>, model: Option<&str>, edits: &[Edit]) -> Vec<Edit> {
    let chosen = Chosen::new(model, conversation);
    if !chosen.binds() {
        return Vec::new();
    }
    let blocks = conversation.messages.iter().flat_map(|message| &message.blocks).filter(|block| block.thinks());
    let cuts: Vec<Edit> = blocks.map(|block| Edit::Cut(block.object.at())).collect();
    if cuts.iter().any(|cut| edits.contains(cut)) { cuts } else { Vec::new() }
}
