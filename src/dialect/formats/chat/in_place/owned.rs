//! The members of a message that hold it in its layout, and what takes their place.

use super::Context;
use super::edits::{MemberEdits, Plan, bytes, copy, text};
use super::graft::Graft;
use super::reading::{Layout, Reading};
use super::values::{kind, string};
use crate::dialect::draft::Draft;
use crate::dialect::formats::chat::thinking_block::blocks_of;
use crate::dialect::formats::write::Json;
use crate::dialect::shape::Slot;
use crate::error::Error;
use crate::json::{self, Literal, member, members};
use crate::model::content::{Attribute, BlockMessage, ContentKind, Other};
use crate::model::{Bit, Loss, Role};
use std::ops::Range;
use std::sync::Arc;

impl Graft<'_> {
    /// Puts the members of the written object in the place of those that held the message.
    pub(super) fn members(
        &self,
        context: &Context<'_, '_>,
        written: &Arc<Vec<u8>>,
        message: &BlockMessage,
        out: &mut MemberEdits<'_>,
        plan: &mut Plan,
    ) -> Result<(), Error> {
        let reading = self.reading;
        let result = message.blocks.iter().any(|block| block.kind == ContentKind::Other(Other::Result));
        match self.blocks {
            true => speaker(context, self.draft, reading, result && message.role == Role::Tool, out),
            false => role(context, self.draft, reading, result, out),
        }
        let (mut owned, stays) = self.owned(written, message, out, plan);
        self.make_room(written, &mut owned)?;
        let bits = self.written(written, message, stays, out);
        owned.iter().for_each(|i| out.drop(*i));
        match owned.first() {
            _ if bits.is_empty() => (),
            Some(i) => out.put(*i, bits),
            None => out.insert(None, bits, context.body, plan),
        }
        Ok(())
    }

    /// The members that hold the message, and whether content beside them stays.
    fn owned(
        &self,
        written: &[u8],
        message: &BlockMessage,
        out: &mut MemberEdits<'_>,
        plan: &mut Plan,
    ) -> (Vec<usize>, bool) {
        let (record, reading) = (self.record, self.reading);
        let result = message.blocks.iter().any(|block| block.kind == ContentKind::Other(Other::Result));
        let mut owned: Vec<usize> = Vec::new();
        owned.extend(self.content());
        owned.extend(reading.flats.iter().chain(reading.structures.iter().filter(|i| self.says(**i))));
        owned.extend(self.calls().filter(|_| message.calls()));
        let media = message.blocks.iter().any(|block| block.kind == ContentKind::Other(Other::Media));
        let list = &self.draft.members.list;
        owned.extend(
            (0..list.len()).filter(|i| media && list[*i].slot == Slot::Media && kind(record, &list[*i].value) == b'['),
        );
        let answers = |i: &usize| {
            let member = &list[*i];
            member.slot == Slot::ResultOf || member.is(record, "name")
        };
        if result && reading.layout == Layout::Chat {
            owned.extend((0..list.len()).filter(answers));
        }
        // Content beside blocks stays if nothing is written in its place.
        let nothing = || {
            let content = member(written, 0, "content").map(|(_, at)| &written[at]);
            content.is_none_or(|value| matches!(value, b"null" | b"\"\"")) && !result
        };
        let beside = reading.beside.is_some() || reading.content.is_some() && self.content().is_none();
        let stays = beside && nothing();
        if let Some(i) = reading.beside {
            let value = &record[self.value(i).clone()];
            let says = !matches!(value, b"null" | b"\"\"");
            match self.blocks {
                // Blocks have the text of content beside them.
                true => owned.extend(says.then_some(i)),
                false if stays => (),
                false => {
                    plan.losses.extend(says.then_some(Loss::Extra));
                    owned.push(i);
                }
            }
        }
        let reasons = message.blocks.iter().any(|block| block.kind == ContentKind::Reasoning);
        if self.inline && reasons && out.drop_channel(record) {
            plan.losses.push(Loss::Channel);
        }
        // A null in place of reasoning says nothing beside it, and readers of tags often refuse such fields.
        let own = |i: &&usize| self.key.is_some_and(|key| list[**i].is(record, key));
        let goes = |i: &&usize| !self.blocks && (reasons || self.inline || !own(i));
        owned.extend(reading.voids.iter().filter(goes));
        (owned, stays)
    }

    /// The written members, but for the role, which has a place of its own, and empty content, which stays where it is.
    fn written(&self, written: &Arc<Vec<u8>>, message: &BlockMessage, stays: bool, out: &MemberEdits<'_>) -> Vec<Bit> {
        let part = |at: Range<usize>| Bit::Part(written.clone(), at);
        if self.blocks {
            let blocks = blocks_of(written).filter(|_| !message.blocks.is_empty() || self.content().is_some());
            return blocks.map(|list| vec![out.style.name("blocks"), part(list)]).unwrap_or_default();
        }
        let mut all: Vec<_> = members(written, 0).collect();
        if message.blocks.iter().any(|block| block.get(Attribute::SourceFirst).is_some()) {
            // The field stood before the content.
            let others = ["role", "content", "tool_calls"];
            let place = |key: &Literal| others.iter().position(|name| key.is(written, name)).map_or(1, |at| at * 2);
            all.sort_by_key(|(key, ..)| place(key));
        }
        let mut bits = Vec::new();
        for (key, _, at) in all {
            let name = String::from_utf8_lossy(key.raw(written));
            let content = name == "content";
            if name == "role" || stays && content {
                continue;
            }
            // Empty content beside calls is as it was: a text, or none.
            let value = match &written[at.clone()] {
                b"null" if content && self.reading.texts.is_empty() => continue,
                b"null" if content => text("\"\""),
                b"\"\"" if content && self.reading.texts.is_empty() && message.calls() => continue,
                value => match content.then(|| parts(value, message)).flatten() {
                    Some(list) => bytes(list),
                    None => part(at),
                },
            };
            bits.extend((!bits.is_empty()).then(|| text(out.style.comma)));
            bits.push(out.style.name(&name));
            bits.push(value);
        }
        bits
    }

    /// Adds members that have a name which is written, and hold nothing, to those that go.
    ///
    /// # Errors
    /// When one holds something else.
    fn make_room(&self, written: &[u8], owned: &mut Vec<usize>) -> Result<(), Error> {
        if self.blocks {
            return Ok(());
        }
        let list = &self.draft.members.list;
        for (key, ..) in members(written, 0) {
            let name = key.raw(written);
            let is = |i: &usize| list[*i].key.decoded(self.record).as_ref() == name && list[*i].slot != Slot::Role;
            for i in (0..list.len()).filter(is) {
                let kept = Some(i) == self.reading.beside || self.reading.layout == Layout::Chat;
                if owned.contains(&i) || kept && name == b"content" {
                    continue;
                }
                if json::is_filled(&self.record[list[i].value.clone()]) {
                    return Err(Error::new(list[i].key.start, TAKEN));
                }
                owned.push(i);
            }
        }
        Ok(())
    }
}

/// The error for a member that has the name of one that is written.
const TAKEN: &str = "the field for the reasoning holds something else";

/// Content with several texts as a list of parts, if it is not one already.
fn parts(content: &[u8], message: &BlockMessage) -> Option<Vec<u8>> {
    let texts = message.blocks.iter().filter(|block| block.kind == ContentKind::Text);
    let mut later = Vec::new();
    for block in texts.skip(1) {
        later.push(Vec::new());
        block.text.inside(later.last_mut()?);
    }
    let all = content.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    let first = all.strip_suffix(later.concat().as_slice()).filter(|_| !later.is_empty())?;
    let part = |text: &[u8]| [b"{\"type\":\"text\",\"text\":\"", text, b"\"}"].concat();
    let list = later.iter().fold(Json::list().item(&part(first)), |list, text| list.item(&part(text)));
    Some(list.end())
}

/// Writes the role, or the speaker, in the words of the target.
pub(super) fn role(
    context: &Context<'_, '_>,
    draft: &Draft,
    reading: &Reading,
    tool: bool,
    members: &mut MemberEdits<'_>,
) {
    let (Some(i), body) = (reading.role, context.body) else { return };
    let member = &draft.members.list[i];
    let (speaker, name) = (member.is(body.text, "speaker"), string(body.text, &member.value));
    let role = match &*name {
        _ if tool => text("\"tool\""),
        b"ai" if speaker => text("\"assistant\""),
        b"human" if speaker => text("\"user\""),
        b"model" if reading.layout == Layout::Gemini => text("\"assistant\""),
        _ if member.is(body.text, "role") => return,
        _ => copy(body, &member.value),
    };
    members.put(i, vec![members.style.name("role"), role]);
}

/// Writes the speaker, if there is a word for the role.
pub(super) fn speaker(
    context: &Context<'_, '_>,
    draft: &Draft,
    reading: &Reading,
    tool: bool,
    members: &mut MemberEdits<'_>,
) {
    let Some(i) = reading.role else { return };
    let name = string(context.body.text, &draft.members.list[i].value);
    let speaker = match &*name {
        _ if tool => "\"tool\"",
        name if draft.role == Some(Role::Tool) && name != b"function" => "\"tool\"",
        b"assistant" | b"model" => "\"ai\"",
        b"user" => "\"human\"",
        // No speaker corresponds to this role: the member stays.
        _ => return,
    };
    members.put(i, vec![members.style.name("speaker"), text(speaker)]);
}
