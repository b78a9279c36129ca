//! Writes messages with a role and content: their reasoning in a field or between inline tags.

use super::closing::{check_retagged, tagged};
use super::content::content;
use super::fill::fill;
use super::harmony::{self, Prefix};
use super::parsed::{Block, Layout, ParsedMessage, Thought};
use super::plan::{Members, Plan, Style, copies, losses, text};
use super::rebuild::{Written, rebuild, role};
use super::{Context, Placement, Target};
use crate::dialect::draft::Draft;
use crate::error::Error;
use crate::json::text as escapes;
use crate::model::copies::{self, Fate, Text};
use crate::model::{Bit, Loss, Source};

/// Where a thought was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Flat(usize),
    Structure(usize),
    Block,
    /// In an object of the message that repeats reasoning.
    Contained,
}

/// The thoughts of a message, each with whether its source is a copy ([`copies()`]). Left out are
/// structures that are copies, which stay in place, and thoughts without text, unless the target has a place for them
/// (`opaque`).
pub(super) fn thoughts<'s>(record: &[u8], parsed: &'s ParsedMessage, opaque: bool) -> Vec<(Origin, &'s Thought, bool)> {
    let one = |(i, thought): &'s (usize, Thought)| (Origin::Flat(*i), vec![thought]);
    let mut sources: Vec<(Origin, Vec<&Thought>)> = parsed.flats.iter().map(one).collect();
    for tagged in [false, true] {
        let block = |block: &'s Block| match block {
            Block::Thought(thought) if thought.tagged == tagged => Some(thought),
            _ => None,
        };
        sources.push((Origin::Block, parsed.blocks.iter().filter_map(block).collect()));
    }
    sources.extend(parsed.structures.iter().map(|(i, list)| (Origin::Structure(*i), list.iter().collect())));
    let contained = parsed.contained.thoughts.iter().filter(|thought| thought.text.is_some());
    sources.extend(contained.map(|thought| (Origin::Contained, vec![thought])));
    sources.retain(|(_, list)| !list.is_empty());
    // Of equal texts the first that is signed or encrypted stays, where the target has a place for that.
    let sealed = |t: &&Thought| t.signature.is_some() || t.encrypted.is_some();
    let mut order: Vec<usize> = (0..sources.len()).collect();
    order.sort_by_key(|at| !(opaque && sources[*at].0 != Origin::Contained && sources[*at].1.iter().any(sealed)));
    let named: Vec<(Source, _)> = order.iter().map(|at| ("", &sources[*at].1)).collect();
    let found = copies::of_message(&named, &[], |list, text| {
        list.iter().for_each(|thought| {
            text.block();
            text.push(&plain(record, thought));
        });
    });
    let mut fates = vec![Fate::Counts; sources.len()];
    order.iter().zip(found).for_each(|(at, fate)| fates[*at] = fate);
    let mut out: Vec<(Origin, &Thought, bool)> = Vec::new();
    for ((origin, list), fate) in sources.iter().zip(fates) {
        let copy = matches!(fate, Fate::Copy(_));
        match origin {
            Origin::Flat(_) | Origin::Block => out.extend(list.iter().map(|thought| (*origin, *thought, copy))),
            Origin::Structure(_) => {
                let filled = |t: &&Thought| t.text.is_some() || t.signature.is_some() || t.encrypted.is_some();
                let empty = list.iter().all(|t| plain(record, t).trim_ascii().is_empty());
                let goes = empty && (!opaque || !out.is_empty()) || !list.iter().any(filled);
                if !goes && !copy {
                    let at = out.iter().position(|(origin, ..)| *origin == Origin::Block).unwrap_or(out.len());
                    out.splice(at..at, list.iter().map(|thought| (*origin, *thought, false)));
                }
            }
            Origin::Contained => out.extend(list.iter().map(|t| (*origin, *t, copy || fate == Fate::Empty))),
        }
    }
    out.sort_by_key(|(origin, ..)| *origin == Origin::Contained);
    out
}

/// The thoughts that move to the place of the target. One that the content has as well, where it stays, does not.
pub(super) fn moving<'s>(
    record: &[u8],
    target: &Target,
    all: &[(Origin, &'s Thought, bool)],
) -> Vec<(Origin, &'s Thought)> {
    let stays =
        || all.iter().filter(|(_, thought, copy)| *copy && target.keeps(thought)).map(|(_, thought, _)| *thought);
    let there = stays().next().is_some().then(|| one_text(record, stays()));
    let is_there = |thought: &Thought| there.as_ref().is_some_and(|there| there.is_same(&one_text(record, [thought])));
    let moves = |(_, thought, copy): &&(Origin, &Thought, bool)| {
        !copy && !target.keeps(thought) && thought.text.is_some() && !is_there(thought)
    };
    all.iter().filter(moves).map(|(origin, thought, _)| (*origin, *thought)).collect()
}

/// The text of a thought, decoded.
pub(super) fn plain(record: &[u8], thought: &Thought) -> Vec<u8> {
    let mut out = Vec::new();
    thought.text.iter().flatten().for_each(|at| escapes::decode(&record[at.clone()], &mut out));
    out
}

/// The error for reasoning in a message of another role: readers of tags do not search such messages.
const NOT_THE_MODEL: &str = "reasoning in a message that is not the assistant's has no place between tags";

/// Writes a message, or a delta of one.
pub(super) fn write(
    context: &mut Context<'_, '_>,
    draft: &Draft,
    parsed: &ParsedMessage,
    target: &Target,
    delta: bool,
    plan: &mut Plan,
) -> Result<(), Error> {
    let record = context.body.text;
    let mut all = thoughts(record, parsed, false);
    // The details of `reasoning` belong to that dialect.
    let detail = |(origin, thought, _): &(Origin, &Thought, bool)| {
        matches!(origin, Origin::Structure(_)) && thought.source.as_deref() == Some("reasoning_details")
    };
    if target.placement == Placement::Field("reasoning") && all.iter().all(detail) {
        all.clear();
    }
    let moved = moving(record, target, &all);
    if target.is_inline() && !moved.is_empty() && !draft.is_model() {
        return Err(Error::new(draft.object.start, NOT_THE_MODEL));
    }
    let mut members = Members::new(context.body, draft);
    let prefix = prefix(context, parsed, &moved, target, plan)?;
    let joined = joined(context, &moved);
    if parsed.layout != Layout::Chat {
        let written = Written { all: &all, moved: &moved, joined, prefix, delta };
        return rebuild(context, draft, parsed, written, target, members, plan);
    }
    role(context, draft, parsed, false, &mut members);
    report(context, parsed, &all, target, plan);
    match target.placement {
        Placement::Field(key) => {
            field(context, draft, parsed, (&all, &moved, joined), key, &mut members, plan)?;
            if target.fill && moved.is_empty() && !delta {
                fill(context, draft, parsed, key, &mut members, plan);
            }
        }
        _ => fields_go(context, parsed, &all, &mut members, plan),
    }
    content(context, draft, parsed, prefix, target, &mut members, plan);
    members.finish(context.body, plan);
    Ok(())
}

/// What goes in front of the text, if the reasoning goes into it.
pub(super) fn prefix(
    context: &mut Context<'_, '_>,
    parsed: &ParsedMessage,
    moved: &[(Origin, &Thought)],
    target: &Target,
    plan: &mut Plan,
) -> Result<Prefix, Error> {
    match target.placement {
        Placement::Tagged => {
            let bits = tagged(context, parsed, moved, target, plan)?;
            check_retagged(context, parsed, target, !bits.is_empty())?;
            let harmless = parsed.is_framed() && harmony::check_retagged(context, parsed, target)?.harmless;
            plan.losses.extend(harmless.then_some(Loss::Escaped));
            Ok(Prefix { bits, harmless })
        }
        Placement::Harmony => harmony::prefix(context, parsed, moved, target, plan),
        Placement::Field(_) | Placement::Blocks => Ok(Prefix::default()),
    }
}

/// Writes a delta with `prefix` before its visible text, and without reasoning fields. `begins`: no delta of the same
/// reasoning came before. Returns whether content that was
/// null or absent became text.
pub(super) fn with_prefix(
    context: &mut Context<'_, '_>,
    draft: &Draft,
    parsed: &ParsedMessage,
    (prefix, begins): (Vec<Bit>, bool),
    target: &Target,
    plan: &mut Plan,
) -> Result<bool, Error> {
    let prefix = Prefix::of(prefix);
    let mut members = Members::new(context.body, draft);
    let all = thoughts(context.body.text, parsed, false);
    if parsed.layout != Layout::Chat {
        let written = Written { all: &all, moved: &[], joined: Vec::new(), prefix, delta: true };
        return rebuild(context, draft, parsed, written, target, members, plan).map(|()| false);
    }
    role(context, draft, parsed, false, &mut members);
    all.iter().filter(|(_, _, copy)| !copy).for_each(|(_, t, _)| losses(context.body, t, Some("think_tags"), plan));
    fields_go(context, parsed, &all, &mut members, plan);
    // Every delta of the reasoning has the channel, so that this loss is reported where the reasoning begins.
    if !begins {
        plan.losses.retain(|loss| loss != Loss::Channel);
    }
    let nulls = plan.losses.len();
    content(context, draft, parsed, prefix, target, &mut members, plan);
    let null = plan.losses.split_off(nulls).list().iter().any(|lost| lost.loss == Loss::Null);
    members.finish(context.body, plan);
    // A delta adds only new text: absent content is as good as empty content.
    Ok(null && parsed.content.is_some())
}

/// Cuts all reasoning fields, and structures that repeat them: readers of tags often refuse these fields.
pub(super) fn fields_go(
    context: &Context<'_, '_>,
    parsed: &ParsedMessage,
    all: &[(Origin, &Thought, bool)],
    members: &mut Members<'_>,
    plan: &mut Plan,
) {
    parsed.flats.iter().map(|(i, _)| *i).chain(parsed.voids.iter().copied()).for_each(|i| members.drop(i));
    if !all.is_empty() && members.drop_channel(context.body.text) {
        plan.losses.push(Loss::Channel);
    }
    let moved: Vec<usize> = structures(all).collect();
    for (i, list) in parsed.structures.iter().filter(|(_, list)| list.iter().any(|t| t.text.is_some())) {
        members.drop(*i);
        if !moved.contains(i) {
            plan.losses.push(Loss::Copy);
            list.iter().for_each(|thought| losses(context.body, thought, thought.source.as_deref(), plan));
        }
    }
}

/// The members with structures that the thoughts come from.
pub(super) fn structures(all: &[(Origin, &Thought, bool)]) -> impl Iterator<Item = usize> {
    let numbers: Vec<usize> = all
        .iter()
        .filter_map(|(origin, ..)| match origin {
            Origin::Structure(i) => Some(*i),
            _ => None,
        })
        .collect();
    numbers.into_iter()
}

/// Adds the losses of the blocks that do not stay.
pub(super) fn report(
    context: &Context<'_, '_>,
    parsed: &ParsedMessage,
    all: &[(Origin, &Thought, bool)],
    target: &Target,
    plan: &mut Plan,
) {
    let key = if let Placement::Field(key) = target.placement { Some(key) } else { Some("think_tags") };
    let kept = |thought: &Thought| target.keeps(thought);
    let named = |t: &Thought| key.is_some_and(|key| t.source.as_deref() == Some(key));
    let settled = |i: usize| parsed.flats.first().is_some_and(|(first, t)| *first != i && named(t));
    for (origin, thought, copy) in all {
        match (origin, copy) {
            (Origin::Flat(i), true) if settled(*i) => (),
            // Whether such a thought goes is decided when the message is written.
            (Origin::Contained, true) => (),
            (_, true) => plan.losses.push_at(thought.start().map(|at| context.body.offset(at)), Loss::Copy),
            _ if kept(thought) => (),
            _ => losses(context.body, thought, key, plan),
        }
    }
    if !target.is_inline() || parsed.layout != Layout::Chat {
        plan.losses.extend(parsed.lost(target));
    }
    if target.placement == Placement::Harmony {
        return;
    }
    let joined = all.iter().filter(|(_, t, copy)| !copy && !kept(t) && t.text.is_some()).skip(1);
    plan.losses.push_each(joined.map(|(_, t, _)| t.start().map(|at| context.body.offset(at))), Loss::Blocks);
}

/// The texts of the thoughts, joined by line ends.
pub(super) fn joined(context: &Context<'_, '_>, moved: &[(Origin, &Thought)]) -> Vec<Bit> {
    let mut out = Vec::new();
    for (i, (_, thought)) in moved.iter().enumerate() {
        if i > 0 {
            out.push(text("\\n"));
        }
        copies(context.body, thought.text.as_deref().unwrap_or_default(), &mut out);
    }
    out
}

/// A member whose value is a string.
pub(super) fn member(style: &Style, name: &str, mut inside: Vec<Bit>) -> Vec<Bit> {
    inside.insert(0, text("\""));
    inside.insert(0, style.name(name));
    inside.push(text("\""));
    inside
}

/// Whether a member has this name.
pub(super) fn is_named(record: &[u8], draft: &Draft, i: usize, key: &str) -> bool {
    draft.members.list[i].is(record, key)
}

/// Refuses a message if the name of the field is taken by a member with another meaning.
pub(super) fn free(record: &[u8], draft: &Draft, parsed: &ParsedMessage, key: &str) -> Result<(), Error> {
    let ours = |i: usize| {
        parsed.flats.iter().any(|(n, _)| *n == i)
            || parsed.structures.iter().any(|(n, _)| *n == i)
            || parsed.voids.contains(&i)
    };
    let taken = (0..draft.members.list.len()).find(|i| is_named(record, draft, *i, key) && !ours(*i));
    match taken {
        Some(i) => Err(Error::new(draft.members.list[i].key.start, "the field for the reasoning holds something else")),
        None => Ok(()),
    }
}

type Thoughts<'a, 's> = (&'a [(Origin, &'s Thought, bool)], &'a [(Origin, &'s Thought)], Vec<Bit>);

/// Moves the reasoning into a field of a chat message.
fn field(
    context: &Context<'_, '_>,
    draft: &Draft,
    parsed: &ParsedMessage,
    (all, moved, joined): Thoughts<'_, '_>,
    key: &'static str,
    members: &mut Members<'_>,
    plan: &mut Plan,
) -> Result<(), Error> {
    let record = context.body.text;
    let named = |i: &usize| is_named(record, draft, *i, key);
    let flats = || parsed.flats.iter().map(|(i, _)| *i);
    let of_key = flats().find(named).or_else(|| parsed.voids.iter().copied().find(named));
    if moved.is_empty() {
        // An empty field keeps its value under the new name, if that name is free.
        let mut place = of_key.or_else(|| (0..draft.members.list.len()).find(named));
        for i in parsed.voids.iter().filter(|i| !named(i)) {
            match place {
                Some(_) => members.drop(*i),
                None => members.rename(context.body, *i, key),
            }
            place = Some(*i);
        }
        structures(all).for_each(|i| members.drop(i));
        return Ok(());
    }
    free(record, draft, parsed, key)?;
    let main = of_key.or_else(|| flats().next()).or_else(|| parsed.voids.first().copied());
    // The field may have the text already, with copies of it in other fields.
    let settled = moved.len() == 1
        && matches!(moved[0].0, Origin::Flat(_))
        && of_key.is_some_and(|i| parsed.flats.iter().any(|(f, t)| *f == i && same(record, t, moved[0].1)));
    let stays = |(origin, _, copy): &(Origin, &Thought, bool)| match origin {
        Origin::Flat(_) => true,
        origin => *origin == Origin::Contained && *copy,
    };
    let copies_stay = settled && all.iter().all(stays);
    for i in flats().chain(parsed.voids.iter().copied()).filter(|i| Some(*i) != main) {
        let is_void = parsed.voids.contains(&i);
        if !copies_stay || is_void && named(&i) {
            members.drop(i);
        }
    }
    structures(all).for_each(|i| members.drop(i));
    // A structure that has the field's name and repeats the text is replaced by the text.
    if let Some((i, _)) = parsed.structures.iter().find(|(i, _)| named(i) && structures(all).all(|s| s != *i)) {
        members.drop(*i);
        plan.losses.push(Loss::Copy);
    }
    match main {
        Some(_) if settled => (),
        Some(i) if moved.len() == 1 && matches!(moved[0].0, Origin::Flat(from) if from == i) => {
            members.rename(context.body, i, key);
        }
        Some(i) => members.put(i, member(&members.style, key, joined)),
        None => members.insert(parsed.content, member(&members.style, key, joined), context.body, plan),
    }
    Ok(())
}

fn same(record: &[u8], a: &Thought, b: &Thought) -> bool {
    // Most often it is the thought itself.
    std::ptr::eq(a, b) || one_text(record, [a]).is_same(&one_text(record, [b]))
}

/// The texts of thoughts, to be compared.
fn one_text<'s>(record: &[u8], thoughts: impl IntoIterator<Item = &'s Thought>) -> Text {
    let mut text = Text::default();
    for thought in thoughts {
        text.block();
        text.push(&plain(record, thought));
    }
    text
}
