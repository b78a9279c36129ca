//! Conversion by edits: a record becomes one of another dialect of the same family.

use super::JsonReader;
use super::content::facts_of_message;
use super::options::Setup;
use super::sender::Sender;
use crate::dialect::draft::{Draft, Item, MessagePosition, Record};
use crate::dialect::formats::chat::in_place::{
    self, Context, ConversionTarget, Delta, DeltaRewriter, Gathered, LastEdits, Plan, UNSUPPORTED,
};
use crate::dialect::read::Walked;
use crate::dialect::stream::{Outside, ResponseKey, Streams};
use crate::error::Error;
use crate::frame::Body;
use crate::model::{ConversationEvent, Event, Facts, Lane, Losses, MessagePlace, Sink, Wants};

/// Edits records of the chat family in place.
pub(super) struct Editor {
    /// The streams whose deltas are edited. Their events are for `deltas`, not for the output.
    pub streams: Streams,
    pub deltas: DeltaRewriter,
    /// The edits of the last record, if it was a single delta whose edits may be made again.
    pub last: Option<LastEdits>,
}

/// What converting a record takes.
struct Convert<'a, 'b> {
    setup: &'a Setup,
    body: &'a Body<'b>,
    walked: &'a Walked,
    target: &'a ConversionTarget,
    sender: &'a mut Sender,
}

impl JsonReader {
    /// Sends the edits that make a record one of another dialect.
    pub(super) fn convert(
        &mut self,
        body: &Body<'_>,
        record: &mut Record,
        sink: &mut dyn Sink,
    ) -> Result<Facts, Error> {
        let (setup, walked, sender) = (&*self.setup, &self.chat, &mut self.sender);
        let Some(target) = setup.options.in_place() else { return Ok(Facts::default()) };
        Convert { setup, body, walked, target, sender }.record(&mut self.editor, record, sink)
    }
}

impl Editor {
    /// Whether a delta may be edited as the last one was. `thinks`: it is reasoning.
    pub fn may_go_on(&self, thinks: bool) -> bool {
        self.last.as_ref().is_some_and(|last| thinks != last.are_of_text())
    }

    /// Edits a delta as the last one, which it goes on with.
    pub fn again(
        &mut self,
        (body, id): (&Body<'_>, Option<&[u8]>),
        draft: &Draft,
        moved: impl Fn(usize) -> usize,
        sender: &mut Sender,
        facts: &mut Facts,
        sink: &mut dyn Sink,
    ) {
        let Self { streams, deltas, last } = self;
        let Some(last) = last else { return };
        last.move_to(body, moved);
        deltas.wait_again(last);
        let delta = Delta { key: id.map(ResponseKey::Named), draft, last: false };
        let out = Outside { body, wants: Wants::default(), sink, notes: &mut sender.notes, origins: None };
        deltas.read(streams, &delta, facts, out);
        last.send(sink);
    }
}

impl Convert<'_, '_> {
    fn context(&mut self) -> Context<'_, '_> {
        let Setup { tags, rows, options, .. } = self.setup;
        Context { body: self.body, tags, rows: *rows, inline: options.inline, notes: &mut self.sender.notes }
    }

    fn record(mut self, editor: &mut Editor, record: &mut Record, sink: &mut dyn Sink) -> Result<Facts, Error> {
        let (body, target) = (self.body, self.target);
        editor.last = None;
        let mut facts = Facts { payload: true, ..Facts::default() };
        let mut plan = Plan::default();
        let settled = in_place::is_settled(&self.context(), record, target);
        if !settled {
            in_place::name_messages(body, self.walked, record, &mut plan);
        }
        let (dialect, id) = (record.dialect(), record.id(body.text).map(std::borrow::Cow::into_owned));
        // A message that is the record, and stands in no list.
        let alone =
            record.items.iter().position(|item| matches!(item, Item::Message(draft) if draft.element.is_none()));
        for i in 0..record.items.len() {
            facts.dialect = facts.dialect.or(Some(dialect));
            let last = matches!(record.items.get(i + 1), Some(Item::ChunksEnd));
            match &mut record.items[i] {
                Item::Start => drop(editor.deltas.numbers.event(&Event::Conversation(ConversationEvent::Start))),
                Item::End => drop(editor.deltas.numbers.event(&Event::Conversation(ConversationEvent::End))),
                Item::Message(draft) | Item::Choice(draft) => {
                    facts.messages += 1;
                    if !settled {
                        let bare = alone == Some(i);
                        let place = numbered(draft, bare, &mut editor.deltas);
                        self.message(draft, (bare, place), &mut plan)?;
                    }
                }
                Item::Delta(draft) => {
                    facts.stream = true;
                    let key = id.as_deref().map(ResponseKey::Named);
                    self.delta(editor, Delta { key, draft, last }, (&mut plan, &mut facts), sink)?;
                }
                Item::Chunk(draft) => {
                    let key = Some(ResponseKey::Chunks);
                    self.delta(editor, Delta { key, draft, last }, (&mut plan, &mut facts), sink)?;
                }
                Item::ChunksEnd => {
                    editor.streams.end_chunks(&mut editor.deltas.delta_sink(sink), &mut self.sender.notes);
                }
                _ => (),
            }
        }
        if let Some((at, _)) = plan.unsupported.first().filter(|_| !target.supports(record, &plan)) {
            let mut losses = Losses::default();
            plan.unsupported.iter().for_each(|(at, loss)| losses.push_at(Some(body.offset(*at)), *loss));
            losses.send(sink);
            return Err(Error::new(*at, UNSUPPORTED));
        }
        in_place::send(&plan, sink);
        if let [Item::Delta(_)] = record.items.as_slice() {
            editor.last = LastEdits::of(body, plan, &mut editor.deltas);
        }
        Ok(facts)
    }

    /// Adds the edits of a whole message. `bare`: it is the record.
    fn message(
        &mut self,
        draft: &mut Draft,
        (bare, place): (bool, MessagePlace),
        plan: &mut Plan,
    ) -> Result<(), Error> {
        let (body, target, setup) = (self.body, self.target, self.setup);
        plan.losses.of_message(Some(body.offset(draft.object.start)), place);
        let writer = setup.options.to.as_ref().map(|to| to.writer.as_ref());
        let mut built = None;
        if let Some(writer) = writer.filter(|_| target.changes_layout(body.text, draft)) {
            facts_of_message(self.walked, body.text, draft);
            let mut gathered = Gathered::new(place);
            let position = MessagePosition::Listed;
            let noted = self.sender.notes.len();
            self.sender.message(body, draft, &mut Facts::default(), position, &mut gathered);
            gathered.note(&self.sender.notes[noted..]);
            built = Some((gathered, writer));
        }
        let inline = setup.options_of(draft);
        in_place::message(&mut Context { inline, ..self.context() }, (draft, bare), built, target, plan)
    }

    /// Adds the edits of a delta, but for those that wait for more text.
    fn delta(
        &mut self,
        Editor { streams, deltas, .. }: &mut Editor,
        delta: Delta<'_>,
        (plan, facts): (&mut Plan, &mut Facts),
        sink: &mut dyn Sink,
    ) -> Result<(), Error> {
        let (body, target) = (self.body, self.target);
        plan.losses.of_message(Some(body.offset(delta.draft.object.start)), deltas.current);
        let before = plan.losses.len();
        deltas.delta(&mut self.context(), &delta, target, plan)?;
        // A delta that is refused is read too: a block that it opens goes on in the next deltas.
        let notes = &mut self.sender.notes;
        let out = Outside { body, wants: Wants::default(), sink, notes, origins: None };
        deltas.read(streams, &delta, facts, out);
        // A delta that begins a message was converted before it was read.
        plan.losses.assign(before, deltas.current);
        Ok(())
    }
}

/// Which message of the input a whole message is.
fn numbered(draft: &Draft, bare: bool, deltas: &mut DeltaRewriter) -> MessagePlace {
    let (lane, role, joined, conversation, at) = (Lane::ONLY, draft.speaker(), false, 0, None);
    let start = Event::MessageStart { lane, role, joined, bare, conversation, at };
    MessagePlace { number: deltas.numbers.event(&start).map_or(0, |(_, number)| number), bare }
}
