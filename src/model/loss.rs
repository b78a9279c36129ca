//! Losses of a conversion to another format, and the properties of a block of reasoning that a format can keep.

use super::content::BlockMessage;
use super::{Event, Sink};

/// What a writer cannot express in its dialect.
///
/// ```
/// use unthink::{ConvertOptions, Loss, convert};
///
/// let block = br#"{"role":"assistant","content":[{"type":"thinking","thinking":"Low.","signature":"c2ln"}]}"#;
/// let losses = convert(block, &ConvertOptions::new("reasoning-content"))?.report.losses;
/// assert_eq!(losses.keys().collect::<Vec<_>>(), [&Loss::Signature]);
/// assert_eq!((Loss::Signature.name(), Loss::Signature.about()), ("signature", "signature dropped"));
/// assert!(Loss::ALL.contains(&Loss::Signature));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Loss {
    /// A signature.
    Signature,
    /// The name of the field that reasoning came from.
    SourceField,
    /// Whether a block is hidden from people.
    Hidden,
    /// A ciphertext of reasoning.
    Encrypted,
    /// The distinction of a ciphertext from the signatures among which it is written.
    Ciphertext,
    /// The limits of blocks: they were joined.
    Blocks,
    /// The order of reasoning and the text or tool call before it.
    Order,
    /// Members of a block that the target has no place for.
    Extra,
    /// A second field with the same text.
    Copy,
    /// Arguments of a tool call that are cut off or no JSON, where the target needs an object.
    Arguments,
    /// The fact that content was null or absent.
    Null,
    /// A delimiter in the reasoning, or a token of Harmony in the answer: it was escaped.
    Escaped,
    /// A closing tag without a block, or the wrapper of an answer.
    Stray,
    /// The name of a channel: commentary became text, or text of an unknown channel became reasoning.
    Channel,
    /// The fact that a tool result was not text.
    Result,
    /// Several tool results in one message: its record is refused.
    Results,
    /// A part of the content that cannot be written in the target: its record is refused.
    Part,
    /// A further choice of a response.
    Choices,
    /// A parameter of a request, or another member of a record.
    Parameter,
    /// An image, a document or a sound.
    Media,
    /// A block or a message without content.
    Empty,
    /// A record of a log that is no message: a summary, a queued prompt, a snapshot of files.
    Record,
    /// The fact that a text is a refusal.
    Refusal,
    /// The stop reason: the target has only a coarser word.
    Stop,
    /// The place of instructions among the messages: the target has them in front.
    System,
    /// The names of the agents who spoke, and whom they addressed.
    Agent,
    /// The parts of a sequence of reasoning: they became one text, or separate messages.
    Sequence,
    /// The fact that reasoning was cancelled.
    Cancelled,
    /// A whole answer that differs from its pieces, which were written before.
    Correction,
    /// The target demands a signature that the reasoning does not have: it is written with an empty one.
    Unsigned,
}

impl Loss {
    /// Every kind.
    pub const ALL: [Loss; 30] = [
        Loss::Signature,
        Loss::SourceField,
        Loss::Hidden,
        Loss::Encrypted,
        Loss::Ciphertext,
        Loss::Blocks,
        Loss::Order,
        Loss::Extra,
        Loss::Copy,
        Loss::Arguments,
        Loss::Null,
        Loss::Escaped,
        Loss::Stray,
        Loss::Channel,
        Loss::Result,
        Loss::Results,
        Loss::Part,
        Loss::Choices,
        Loss::Parameter,
        Loss::Media,
        Loss::Empty,
        Loss::Record,
        Loss::Refusal,
        Loss::Stop,
        Loss::System,
        Loss::Agent,
        Loss::Sequence,
        Loss::Cancelled,
        Loss::Correction,
        Loss::Unsigned,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        self.words().0
    }

    /// What happened, in a few words.
    pub fn about(self) -> &'static str {
        self.words().1
    }

    /// Its name in reports; what happened; and what is counted, in the singular and the plural.
    #[doc(hidden)]
    pub fn words(self) -> (&'static str, &'static str, &'static str, &'static str) {
        match self {
            Loss::Signature => ("signature", "signature dropped", "block", "blocks"),
            Loss::SourceField => ("sourceField", "sourceField dropped", "block", "blocks"),
            Loss::Hidden => ("isHidden", "isHidden dropped", "block", "blocks"),
            Loss::Encrypted => ("encryptedContent", "encryptedContent dropped", "block", "blocks"),
            Loss::Ciphertext => ("ciphertext", "ciphertext became a signature", "block", "blocks"),
            Loss::Blocks => ("blocks", "boundary between blocks dropped", "block", "blocks"),
            Loss::Order => ("order", "place behind text or a tool call dropped", "block", "blocks"),
            Loss::Extra => ("extra", "other members dropped", "block", "blocks"),
            Loss::Copy => ("copy", "second copy dropped", "field", "fields"),
            Loss::Arguments => ("arguments", "arguments that are no valid JSON kept as a text", "call", "calls"),
            Loss::Null => ("null", "null or absent content became text", "message", "messages"),
            Loss::Escaped => ("closer", "delimiter in a text escaped", "block", "blocks"),
            Loss::Stray => ("stray", "tag without a block, or around the answer, dropped", "tag", "tags"),
            Loss::Channel => ("channel", "name of the channel dropped", "message", "messages"),
            Loss::Result => ("result", "tool result that is no text became text", "result", "results"),
            Loss::Results => ("results", "several tool results in one message not converted", "message", "messages"),
            Loss::Choices => ("choices", "further choice of a response dropped", "choice", "choices"),
            Loss::Parameter => ("parameter", "member of a record dropped", "member", "members"),
            Loss::Empty => ("empty", "block or message without content dropped", "block", "blocks"),
            Loss::Record => ("record", "record of a log that is no message dropped", "record", "records"),
            Loss::Media => ("media", "image, document or sound dropped", "part", "parts"),
            Loss::Refusal => ("refusal", "refusal became text", "block", "blocks"),
            Loss::Stop => ("stop", "stop reason became a coarser one", "message", "messages"),
            Loss::System => ("system", "system message moved to the front", "message", "messages"),
            Loss::Agent => ("agent", "which agent spoke, or to whom, dropped", "message", "messages"),
            Loss::Sequence => ("sequence", "place in a sequence of reasoning dropped", "message", "messages"),
            Loss::Cancelled => ("cancelled", "that reasoning was cancelled dropped", "sequence", "sequences"),
            Loss::Correction => {
                ("correction", "answer in full that differs from its pieces dropped", "answer", "answers")
            }
            Loss::Unsigned => ("unsigned", "the target demands a signature, and gets an empty one", "block", "blocks"),
            Loss::Part => ("part", "part that the target has no word for not converted", "part", "parts"),
        }
    }
}

/// A loss, and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    /// What is lost.
    pub loss: Loss,
    /// A byte of it in the input, or of the block or message that it belongs to; white space and a comma may stand
    /// between. `None` if it has no place of its own.
    pub at: Option<u64>,
    /// The message that it belongs to, if any.
    pub message: Option<MessagePlace>,
}

/// Which message of an input it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MessagePlace {
    /// Its number in its conversation, from 1, as [`super::number::Numbers`] counts.
    pub number: u64,
    /// It is a record by itself.
    pub bare: bool,
}

/// The losses of what is read or written, each with the place that was set when it was added.
#[derive(Clone, Debug, Default)]
pub struct Losses {
    list: Vec<Lost>,
    at: Option<u64>,
    message: Option<MessagePlace>,
}

impl Losses {
    /// Sets the message of the losses that follow.
    pub fn of(&mut self, message: &BlockMessage) {
        self.of_message(message.at, message.place);
    }

    /// Sets the message of the losses that follow: where it stands, and which it is.
    pub fn of_message(&mut self, at: Option<u64>, message: MessagePlace) {
        (self.at, self.message) = (at, Some(message));
    }

    /// Says which message the losses from this number on are of.
    pub fn assign(&mut self, from: usize, message: MessagePlace) {
        self.list[from..].iter_mut().for_each(|lost| lost.message = Some(message));
    }

    /// Keeps the losses that `stays`.
    pub fn retain(&mut self, stays: impl Fn(Loss) -> bool) {
        self.list.retain(|lost| stays(lost.loss));
    }

    /// Moves their places.
    pub fn shift(&mut self, moved: impl Fn(u64) -> u64) {
        self.list.iter_mut().for_each(|lost| lost.at = lost.at.map(&moved));
    }

    /// Takes the losses from this number on.
    pub fn split_off(&mut self, from: usize) -> Losses {
        Losses { list: self.list.split_off(from), ..Losses::default() }
    }

    /// Says that the losses that follow are of no message, and where they are.
    pub fn outside(&mut self, at: Option<u64>) {
        (self.at, self.message) = (at, None);
    }

    /// Sets the place of the losses that follow.
    pub fn at(&mut self, at: Option<u64>) {
        self.at = at;
    }

    /// Does `work`, whose losses have this place, if it is known.
    pub fn inside<R>(&mut self, at: Option<u64>, work: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.at;
        self.at = at.or(before);
        let done = work(self);
        self.at = before;
        done
    }

    /// Adds a loss.
    pub fn push(&mut self, loss: Loss) {
        self.push_at(None, loss);
    }

    /// Adds a loss with its place, if that is known.
    pub fn push_at(&mut self, at: Option<u64>, loss: Loss) {
        self.list.push(Lost { loss, at: at.or(self.at), message: self.message });
    }

    /// Adds a loss with its place, if there is one.
    pub fn push_if(&mut self, lost: bool, at: Option<u64>, loss: Loss) {
        if lost {
            self.push_at(at, loss);
        }
    }

    /// Adds a loss for each of these places.
    pub fn push_each(&mut self, places: impl Iterator<Item = Option<u64>>, loss: Loss) {
        places.for_each(|at| self.push_at(at, loss));
    }

    /// Adds the losses of another list. Those without a place are here.
    pub fn append(&mut self, other: &mut Losses) {
        let (at, message) = (self.at, self.message);
        let here = |lost: Lost| Lost { at: lost.at.or(at), message: lost.message.or(message), ..lost };
        self.list.extend(other.list.drain(..).map(here));
    }

    /// Sends them.
    pub fn send(&self, sink: &mut dyn Sink) {
        self.list.iter().for_each(|lost| sink.event(&Event::Loss(*lost)));
    }

    /// All of them, in order.
    pub fn list(&self) -> &[Lost] {
        &self.list
    }

    /// The first one.
    pub fn first(&self) -> Option<Lost> {
        self.list.first().copied()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl Extend<Loss> for Losses {
    fn extend<I: IntoIterator<Item = Loss>>(&mut self, losses: I) {
        losses.into_iter().for_each(|loss| self.push(loss));
    }
}

/// A property of a block of reasoning beside its text, which a dialect may keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockProperty {
    /// Where one block ends and the next begins.
    Blocks,
    /// The name of the field it came from.
    SourceField,
    /// A signature.
    Signature,
    /// Whether it is hidden from people.
    Hidden,
    /// A ciphertext.
    Encrypted,
    /// The difference between an empty block and none.
    Empty,
}

impl BlockProperty {
    /// Its name.
    #[cfg(feature = "cli")]
    pub fn name(self) -> &'static str {
        match self {
            BlockProperty::Blocks => "several blocks",
            BlockProperty::SourceField => "sourceField",
            BlockProperty::Signature => "signature",
            BlockProperty::Hidden => "isHidden",
            BlockProperty::Encrypted => "encryptedContent",
            BlockProperty::Empty => "empty text",
        }
    }
}
