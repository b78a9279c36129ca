//! Moves the reasoning of a message with a role and content: into a field, or between delimiters in the content. All
//! other bytes of the message stay.

use super::content::content;
use super::edits::{MemberEdits, Plan, copies, losses, text};
use super::owned::role;
use super::reading::{ContentPart, Reading};
use super::thought::{ReasoningPlace, RecordRange, Thought};
use super::values::{entries, is_filled, string};
use super::written::member;
use super::{Context, ConversionTarget};
use crate::dialect::draft::Draft;
use crate::error::Error;
use crate::json::with_commas;
use crate::model::copies::{self, ComparedText, CopyFate};
use crate::model::{Bit, Loss, Source};

/// A thought, and whether its source is a copy.
pub(super) type FoundThought<'s> = (&'s Thought, bool);

/// The thoughts of a message. Left out are structures that are copies, which stay in place, and those without text,
/// unless the target has a place for them (`opaque`).
pub(super) fn thoughts<'s>(record: &[u8], reading: &'s Reading, opaque: bool) -> Vec<FoundThought<'s>> {
    let is = |thought: &Thought, origin: ReasoningPlace| thought.origin == origin;
    let all =
        |origin: ReasoningPlace| reading.thoughts.iter().filter(move |thought| is(thought, origin)).collect::<Vec<_>>();
    let members =
        |list: &[usize], of: fn(usize) -> ReasoningPlace| list.iter().map(|i| all(of(*i))).collect::<Vec<_>>();
    let mut sources = members(&reading.flats, ReasoningPlace::Flat);
    sources.extend([all(ReasoningPlace::Part), all(ReasoningPlace::Inline)]);
    sources.append(&mut members(&reading.structures, ReasoningPlace::Structure));
    let contained = all(ReasoningPlace::Contained).into_iter().filter(|thought| thought.text.is_some());
    sources.extend(contained.map(|thought| vec![thought]));
    sources.retain(|list| !list.is_empty());
    // Of equal texts the first that is signed or encrypted stays, where the target has a place for that.
    let sealed = |t: &&Thought| t.signature.is_some() || t.encrypted.is_some();
    let mut order: Vec<usize> = (0..sources.len()).collect();
    order.sort_by_key(|at| {
        let repeats = is(sources[*at][0], ReasoningPlace::Contained);
        !(opaque && !repeats && sources[*at].iter().any(sealed))
    });
    let named: Vec<(Source, _)> = order.iter().map(|at| ("", &sources[*at])).collect();
    let found = copies::of_message(&named, &[], |list, text| {
        list.iter().for_each(|thought| {
            text.block();
            text.push(&thought.plain(record));
        });
    });
    let mut fates = vec![CopyFate::Counts; sources.len()];
    order.iter().zip(found).for_each(|(at, fate)| fates[*at] = fate);
    let mut out: Vec<FoundThought<'s>> = Vec::new();
    for (list, fate) in sources.iter().zip(fates) {
        let copy = matches!(fate, CopyFate::Copy(_));
        match list[0].origin {
            ReasoningPlace::Flat(_) | ReasoningPlace::Part | ReasoningPlace::Inline => {
                out.extend(list.iter().map(|thought| (*thought, copy)))
            }
            ReasoningPlace::Structure(_) => {
                let filled = |t: &&Thought| t.text.is_some() || t.signature.is_some() || t.encrypted.is_some();
                let empty = list.iter().all(|t| t.plain(record).trim_ascii().is_empty());
                let goes = empty && (!opaque || !out.is_empty()) || !list.iter().any(filled);
                if !goes && !copy {
                    let content = |(thought, _): &FoundThought<'_>| {
                        matches!(thought.origin, ReasoningPlace::Part | ReasoningPlace::Inline)
                    };
                    let at = out.iter().position(content).unwrap_or(out.len());
                    out.splice(at..at, list.iter().map(|thought| (*thought, false)));
                }
            }
            ReasoningPlace::Contained => out.extend(list.iter().map(|t| (*t, copy || fate == CopyFate::Empty))),
        }
    }
    out.sort_by_key(|(thought, _)| thought.origin == ReasoningPlace::Contained);
    out
}

/// The thoughts that move to the place of the target. One that the content has as well, where it stays, does not.
pub(super) fn moving<'s>(record: &[u8], target: &ConversionTarget, all: &[FoundThought<'s>]) -> Vec<&'s Thought> {
    let stays = || all.iter().filter(|(thought, copy)| *copy && target.keeps(thought)).map(|(thought, _)| *thought);
    let there = stays().next().is_some().then(|| one_text(record, stays()));
    let is_there = |thought: &Thought| there.as_ref().is_some_and(|there| there.is_same(&one_text(record, [thought])));
    let moves = |(thought, copy): &&FoundThought<'_>| {
        !copy && !target.keeps(thought) && thought.text.is_some() && !is_there(thought)
    };
    all.iter().filter(moves).map(|(thought, _)| *thought).collect()
}

/// The error for reasoning in a message of another role: readers of tags do not search such messages.
const NOT_THE_MODEL: &str = "reasoning in a message that is not the assistant's has no place between tags";

/// Moves the reasoning of a message, or of a delta of one.
pub(super) fn write(
    context: &mut Context<'_, '_>,
    draft: &Draft,
    reading: &Reading,
    target: &ConversionTarget,
    delta: bool,
    plan: &mut Plan,
) -> Result<(), Error> {
    let record = context.body.text;
    let mut all = thoughts(record, reading, false);
    // The details of `reasoning` belong to that dialect.
    let detail = |(thought, _): &FoundThought<'_>| {
        matches!(thought.origin, ReasoningPlace::Structure(_)) && thought.source.as_deref() == Some("reasoning_details")
    };
    if target.placement.field() == Some("reasoning") && all.iter().all(detail) {
        all.clear();
    }
    let moved = moving(record, target, &all);
    if target.is_inline() && !moved.is_empty() && !draft.is_model() {
        return Err(Error::new(draft.object.start, NOT_THE_MODEL));
    }
    let mut members = MemberEdits::new(context.body, draft);
    role(context, draft, reading, false, &mut members);
    let stay = copies_stay(record, draft, reading, (&all, &moved), target);
    report(context, reading, &all, (target, stay), plan);
    match target.placement.field() {
        Some(key) => {
            field(context, draft, reading, (&all, &moved, stay), key, &mut members, plan)?;
            if target.fill && moved.is_empty() && !delta {
                fill(context, draft, reading, key, &mut members, plan);
            }
        }
        None => fields_go(context, reading, &all, &mut members, plan),
    }
    content(context, draft, reading, &moved, target, &mut members, plan)?;
    members.finish(context.body, plan);
    Ok(())
}

/// Cuts all reasoning fields, and structures that repeat them: readers of tags often refuse these fields.
pub(super) fn fields_go(
    context: &Context<'_, '_>,
    reading: &Reading,
    all: &[FoundThought<'_>],
    members: &mut MemberEdits<'_>,
    plan: &mut Plan,
) {
    reading.flats.iter().chain(&reading.voids).for_each(|i| members.drop(*i));
    if !all.is_empty() && members.drop_channel(context.body.text) {
        plan.losses.push(Loss::Channel);
    }
    let moved: Vec<usize> = structures(all).collect();
    for i in &reading.structures {
        let list = || reading.thoughts.iter().filter(|thought| thought.origin == ReasoningPlace::Structure(*i));
        if !list().any(|thought| thought.text.is_some()) {
            continue;
        }
        members.drop(*i);
        if !moved.contains(i) {
            plan.losses.push(Loss::Copy);
            list().for_each(|thought| losses(context.body, thought, thought.source.as_deref(), plan));
        }
    }
}

/// The members with structures that the thoughts come from.
pub(super) fn structures(all: &[FoundThought<'_>]) -> impl Iterator<Item = usize> {
    all.iter().filter_map(|(thought, _)| match thought.origin {
        ReasoningPlace::Structure(i) => Some(i),
        _ => None,
    })
}

/// Adds the losses of the blocks that do not stay. `copies_stay`: fields with the same text do.
pub(super) fn report(
    context: &Context<'_, '_>,
    reading: &Reading,
    all: &[FoundThought<'_>],
    (target, copies_stay): (&ConversionTarget, bool),
    plan: &mut Plan,
) {
    let key = Some(target.placement.field().unwrap_or("think_tags"));
    let kept = |thought: &Thought| target.keeps(thought);
    for (thought, copy) in all {
        match (thought.origin, copy) {
            (ReasoningPlace::Flat(_), true) if copies_stay => (),
            // Whether such a thought goes is decided when the message is written.
            (ReasoningPlace::Contained, true) => (),
            (_, true) => plan.losses.push_at(thought.start().map(|at| context.body.offset(at)), Loss::Copy),
            _ if kept(thought) => (),
            _ => losses(context.body, thought, key, plan),
        }
    }
    if !target.is_inline() {
        plan.losses.extend(reading.lost(false));
    }
    if target.placement.is_headed() {
        return;
    }
    let joined = all.iter().filter(|(t, copy)| !copy && !kept(t) && t.text.is_some()).skip(1);
    plan.losses.push_each(joined.map(|(t, _)| t.start().map(|at| context.body.offset(at))), Loss::Blocks);
}

/// The texts of the thoughts, joined by line ends.
pub(super) fn joined(context: &Context<'_, '_>, moved: &[&Thought]) -> Vec<Bit> {
    let mut out = Vec::new();
    for (i, thought) in moved.iter().enumerate() {
        if i > 0 {
            out.push(text("\\n"));
        }
        copies(context.body, thought.text.as_deref().unwrap_or_default(), &mut out);
    }
    out
}

/// Whether a member has this name.
pub(super) fn is_named(record: &[u8], draft: &Draft, i: usize, key: &str) -> bool {
    draft.members.list[i].is(record, key)
}

/// Refuses a message if the name of the field is taken by a member with another meaning.
fn free(record: &[u8], draft: &Draft, reading: &Reading, key: &str) -> Result<(), Error> {
    let ours =
        |i: &usize| [&reading.flats, &reading.structures, &reading.voids].into_iter().any(|list| list.contains(i));
    let taken = (0..draft.members.list.len()).find(|i| is_named(record, draft, *i, key) && !ours(i));
    match taken {
        Some(i) => Err(Error::new(draft.members.list[i].key.start, "the field for the reasoning holds something else")),
        None => Ok(()),
    }
}

/// The member with the name of the field: one with a text, or else a null.
fn of_key(record: &[u8], draft: &Draft, reading: &Reading, key: &str) -> Option<usize> {
    let named = |i: &usize| is_named(record, draft, *i, key);
    reading.flats.iter().copied().find(named).or_else(|| reading.voids.iter().copied().find(named))
}

/// Whether the field has the text that moves there already.
fn is_settled(record: &[u8], reading: &Reading, of_key: Option<usize>, moved: &[&Thought]) -> bool {
    let flat = |i: usize| reading.thoughts.iter().find(|thought| thought.origin == ReasoningPlace::Flat(i));
    moved.len() == 1
        && matches!(moved[0].origin, ReasoningPlace::Flat(_))
        && of_key.and_then(flat).is_some_and(|thought| is_same(record, thought, moved[0]))
}

/// Whether the field has the text already, with copies of it in nothing but other fields, so that these stay.
fn copies_stay(
    record: &[u8],
    draft: &Draft,
    reading: &Reading,
    (all, moved): (&[FoundThought<'_>], &[&Thought]),
    target: &ConversionTarget,
) -> bool {
    let Some(key) = target.placement.field() else { return false };
    let stays = |(thought, copy): &FoundThought<'_>| match thought.origin {
        ReasoningPlace::Flat(_) => true,
        origin => origin == ReasoningPlace::Contained && *copy,
    };
    all.iter().all(stays) && is_settled(record, reading, of_key(record, draft, reading, key), moved)
}

/// Moves the reasoning into a field of a chat message.
fn field(
    context: &Context<'_, '_>,
    draft: &Draft,
    reading: &Reading,
    (all, moved, copies_stay): (&[FoundThought<'_>], &[&Thought], bool),
    key: &'static str,
    members: &mut MemberEdits<'_>,
    plan: &mut Plan,
) -> Result<(), Error> {
    let record = context.body.text;
    let named = |i: &usize| is_named(record, draft, *i, key);
    let flats = || reading.flats.iter().copied();
    let of_key = of_key(record, draft, reading, key);
    if moved.is_empty() {
        // An empty field keeps its value under the new name, if that name is free.
        let mut place = of_key.or_else(|| (0..draft.members.list.len()).find(named));
        for i in reading.voids.iter().filter(|i| !named(i)) {
            match place {
                Some(_) => members.drop(*i),
                None => members.rename(context.body, *i, key),
            }
            place = Some(*i);
        }
        structures(all).for_each(|i| members.drop(i));
        return Ok(());
    }
    free(record, draft, reading, key)?;
    let main = of_key.or_else(|| flats().next()).or_else(|| reading.voids.first().copied());
    let settled = is_settled(record, reading, of_key, moved);
    for i in flats().chain(reading.voids.iter().copied()).filter(|i| Some(*i) != main) {
        if !copies_stay || reading.voids.contains(&i) && named(&i) {
            members.drop(i);
        }
    }
    structures(all).for_each(|i| members.drop(i));
    // A structure that repeats a text goes where it has the field's name, or the text is joined with another.
    let copies = reading.structures.iter().filter(|i| structures(all).all(|s| s != **i));
    let said =
        |i: &usize| reading.thoughts.iter().any(|t| t.origin == ReasoningPlace::Structure(*i) && t.text.is_some());
    for i in copies.filter(|i| named(i) || moved.len() > 1 && said(i)) {
        members.drop(*i);
        plan.losses.push(Loss::Copy);
    }
    match main {
        Some(_) if settled => (),
        Some(i) if moved.len() == 1 && moved[0].origin == ReasoningPlace::Flat(i) => {
            members.rename(context.body, i, key)
        }
        Some(i) => members.put(i, member(&members.style, key, joined(context, moved))),
        None => {
            let written = member(&members.style, key, joined(context, moved));
            members.insert(reading.content, written, context.body, plan);
        }
    }
    Ok(())
}

/// Adds the field with an empty text to a message of the assistant that has calls and no reasoning, for services that
/// refuse such a message. A field that is null counts as missing.
fn fill(
    context: &Context<'_, '_>,
    draft: &Draft,
    reading: &Reading,
    key: &'static str,
    members: &mut MemberEdits<'_>,
    plan: &mut Plan,
) {
    let named = |i: &usize| is_named(context.body.text, draft, *i, key);
    if !draft.has.tool || !draft.is_model() {
        return;
    }
    let empty = member(&members.style, key, Vec::new());
    match (0..draft.members.list.len()).find(named).or_else(|| reading.voids.first().copied()) {
        Some(i) if reading.voids.contains(&i) => members.put(i, empty),
        Some(_) => (),
        None => members.insert(reading.content, empty, context.body, plan),
    }
}

fn is_same(record: &[u8], a: &Thought, b: &Thought) -> bool {
    // Most often it is the thought itself.
    std::ptr::eq(a, b) || one_text(record, [a]).is_same(&one_text(record, [b]))
}

/// The texts of thoughts, to be compared.
fn one_text<'s>(record: &[u8], thoughts: impl IntoIterator<Item = &'s Thought>) -> ComparedText {
    let mut text = ComparedText::default();
    for thought in thoughts {
        text.block();
        text.push(&thought.plain(record));
    }
    text
}

/// Where parts of the content begin that the target's readers do not know, each with its loss. A record with such a part
/// is refused: nothing of a message may be lost.
pub(super) fn unsupported(record: &[u8], reading: &Reading, target: &ConversionTarget) -> Vec<(usize, Loss)> {
    let known = |at: &RecordRange| {
        let named = entries(record, at).into_iter().find(|e| e.is(record, "type"));
        let named = named.map(|e| string(record, &e.value)).unwrap_or_default();
        !target.placement.is_blocks() && target.native.iter().any(|native| *native.as_bytes() == *named)
    };
    let part = |part: &ContentPart| match part {
        ContentPart::Other(at) if is_filled(record, at) && !known(at) => Some((at.start, Loss::Part)),
        _ => None,
    };
    reading.parts.iter().filter_map(part).collect()
}

/// Whether some reasoning stands only in objects that usually repeat it.
pub(super) fn stands_apart(record: &[u8], reading: &Reading) -> bool {
    let apart = |(thought, copy): &FoundThought<'_>| thought.origin == ReasoningPlace::Contained && !copy;
    !reading.repeated.is_empty() && thoughts(record, reading, true).iter().any(apart)
}

/// Cuts what objects repeat out of a message that was edited, or if reasoning goes into the content: it should stand
/// nowhere else then. A message that was not edited is in the target's form already.
pub(super) fn take_out(
    context: &Context<'_, '_>,
    reading: &Reading,
    target: &ConversionTarget,
    edited: bool,
    plan: &mut Plan,
) {
    let record = context.body.text;
    if reading.repeated.is_empty() || !(edited || target.is_inline() || stands_apart(record, reading)) {
        return;
    }
    for (thought, copy) in thoughts(record, reading, true) {
        if thought.origin == ReasoningPlace::Contained && copy {
            plan.losses.push_at(thought.start().map(|at| context.body.offset(at)), Loss::Copy);
            losses(context.body, thought, None, plan);
        }
    }
    let contained = reading.thoughts.iter().filter(|thought| thought.origin == ReasoningPlace::Contained);
    contained.filter(|thought| thought.text.is_none()).for_each(|thought| losses(context.body, thought, None, plan));
    let mut cuts = reading.repeated.clone();
    with_commas(record, &mut cuts);
    plan.edits.extend(cuts.into_iter().map(|at| (context.body.span(at), Vec::new())));
}
