//! What each meaning of a node uses: the slots that the reader takes from it. Everything else in a node is searched for
//! reasoning ([`crate::dialect::suspect`]), so that a record is read, or searched, and never passed on unread.

use super::Slot::{self, *};
use super::{Does, Kind};

/// The meanings of nodes, as far as they differ in the slots that they use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A request.
    Request,
    /// A response.
    Response,
    /// A message.
    Message,
    /// A response, or a piece of one.
    Piece,
    /// A list of records.
    Records,
    /// An envelope of a record, delivered or not.
    Envelope,
    /// A message by itself, in a log in which several speak.
    Sent,
    /// A block of text, a refusal, or a message of a provider that lists its blocks beside its messages.
    TextBlock,
    /// A block of reasoning. What goes as reasoning may have anything.
    ReasoningBlock,
    /// A call, or the result of one.
    ToolBlock,
    /// A call that the provider answers.
    HostedBlock,
    /// An image, a document, a sound.
    MediaBlock,
    /// Visible content of another kind.
    OtherBlock,
    /// An event that begins, opens, amends or ends something.
    Event,
    /// An event that holds the whole message again.
    Again,
    /// More of a block, whose kind the event does not say.
    Feed,
    /// A whole part again, of a block whose kind the event does not say.
    Repeat,
    /// More of a text, or all of it again.
    TextPiece,
    /// More reasoning, or all of it again.
    ReasoningPiece,
    /// More of a call or of other content, or all of it again.
    ToolPiece,
    /// More of a call that the provider answers.
    HostedPiece,
    /// A repetition of the last answer.
    Answer,
    /// A mark of a message.
    Mark,
    /// What is recognised and not used.
    Silent,
    /// A message by someone whose role is not known.
    Stranger,
    /// Any node of the chat family: its states say which keys it has where.
    Family,
    /// Unknown: the node is searched as a whole.
    Unknown,
}

/// Slots for names, numbers and switches, which every node may have. A value in them that looks like something else is
/// searched.
pub const NAMES: &[Slot] = &[
    Type,
    Object,
    Role,
    ByUser,
    Id,
    IdPart,
    Before,
    Latest,
    CallId,
    Name,
    Batch,
    ResultOf,
    PartOf,
    IsError,
    SealedBy,
    Index,
    Part,
    Stop,
    StopText,
    Model,
    Created,
    Usage,
    Counts,
    Limit,
    Parameter,
    Conversation,
    SideChain,
    NoTurn,
    Phase,
    Channel,
    Answers,
    Outcome,
    Subtype,
    Delivery,
    Topic,
    Operation,
    Over,
];

/// The table: what a node of a meaning uses beside [`NAMES`].
pub const USES: &[(Meaning, &[Slot])] = &[
    (Meaning::Request, &[Messages, Sessions, Again, Apart, List, Input, System, Tools, Layout, Template, Marks, Media]),
    (Meaning::Response, &[List, Text, Thought, Shadow, Calls, System, Tools, Template, Marks, Media]),
    (
        Meaning::Message,
        &[
            Messages,
            Inner,
            Again,
            MadeOf,
            Parts,
            List,
            Input,
            Text,
            Thought,
            Shadow,
            Calls,
            Seal,
            System,
            Tools,
            Marks,
            Media,
            Probabilities,
        ],
    ),
    (Meaning::Piece, &[Choices, List, Text, Thought, Shadow, Calls, Seal, System, Tools, Probabilities]),
    (Meaning::Records, &[List]),
    (Meaning::Envelope, &[Inner, Record, System, Tools, Fault]),
    (Meaning::Sent, &[Inner, Text, Signature, Ciphertext]),
    (Meaning::TextBlock, &[Seal, List, Summary, Text, Citations, Probabilities]),
    (
        Meaning::ReasoningBlock,
        &[
            Seal,
            List,
            Summary,
            Heading,
            Text,
            Signature,
            Ciphertext,
            Citations,
            Probabilities,
            Arguments,
            Result,
            Input,
            Media,
        ],
    ),
    (Meaning::ToolBlock, &[Seal, List, Summary, Arguments, Result, Input, Media]),
    (Meaning::HostedBlock, &[Seal, List, Summary, Arguments, Result, Input, Media, Citations, Probabilities]),
    (Meaning::MediaBlock, &[Seal, List, Summary, Result, Media]),
    (
        Meaning::OtherBlock,
        &[Seal, Inner, List, Summary, Text, Arguments, Result, Input, Media, Citations, Probabilities],
    ),
    (Meaning::Event, &[Inner, System, Tools]),
    (Meaning::Again, &[Inner, Text, Thought, System, Tools]),
    (Meaning::Feed, &[Inner, Seal, Text, Signature, Ciphertext, Arguments, Citations, Probabilities]),
    (Meaning::Repeat, &[Inner, Seal, Text, Arguments, Citations, Probabilities]),
    (Meaning::TextPiece, &[Inner, Seal, Text, Thought, Citations, Probabilities]),
    (
        Meaning::ReasoningPiece,
        &[Inner, Seal, Text, Thought, Signature, Ciphertext, Arguments, Citations, Probabilities],
    ),
    (Meaning::ToolPiece, &[Inner, Seal, Text, Thought, Arguments, Citations, Probabilities]),
    (Meaning::HostedPiece, &[Inner, Seal, Text, Arguments, Result, Citations, Probabilities]),
    (Meaning::Answer, &[Result, Denials, Tools, Attachment]),
    (Meaning::Mark, &[System]),
    (
        Meaning::Silent,
        &[Description, Arguments, System, Tools, Fault, Citations, Probabilities, Media, Denials, Attachment],
    ),
    (Meaning::Stranger, &[Thought]),
    (
        Meaning::Family,
        &[
            Messages,
            Pieces,
            Choices,
            Delta,
            Probabilities,
            Shadow,
            Wrapped,
            Inner,
            Content,
            Text,
            Shown,
            Thought,
            Copies,
            Calls,
            Function,
            Arguments,
            Input,
            Result,
            Seal,
            Ciphertext,
        ],
    ),
    (Meaning::Unknown, &[]),
];

/// Blocks of a message.
const BLOCKS: &[Meaning] = &[
    Meaning::TextBlock,
    Meaning::ReasoningBlock,
    Meaning::ToolBlock,
    Meaning::HostedBlock,
    Meaning::MediaBlock,
    Meaning::OtherBlock,
];

/// What the reader takes from the slots that hold nodes: in this slot of a node of one of these meanings (none: of any) it takes
/// nodes of those. Any other node that says something is searched there. The first row that fits counts; where none does,
/// all is taken.
pub const TAKES: &[(Slot, &[Meaning], &[Meaning])] = &[
    (Messages, &[], &[Meaning::Message, Meaning::Stranger]),
    (Sessions, &[], &[Meaning::Request]),
    (Again, &[], &[Meaning::Message, Meaning::TextBlock]),
    (Apart, &[], BLOCKS),
    (MadeOf, &[], BLOCKS),
    (List, &[Meaning::Request, Meaning::Response, Meaning::Message, Meaning::Piece, Meaning::TextBlock], BLOCKS),
    (List, &[Meaning::HostedBlock, Meaning::MediaBlock, Meaning::OtherBlock], &[]),
    (Choices, &[], &[Meaning::Message, Meaning::Piece]),
    (Calls, &[], &[Meaning::ToolBlock, Meaning::HostedBlock]),
    (Summary, &[Meaning::TextBlock, Meaning::HostedBlock, Meaning::MediaBlock, Meaning::OtherBlock], &[]),
    (Input, &[Meaning::Request, Meaning::Message, Meaning::OtherBlock], &[]),
    (Marks, &[], &[Meaning::Mark]),
    (Text, &[Meaning::Response, Meaning::Message, Meaning::Piece, Meaning::TextBlock, Meaning::OtherBlock], &[]),
    (Text, &[Meaning::Again, Meaning::Feed, Meaning::Repeat, Meaning::TextPiece, Meaning::ToolPiece], &[]),
    (Result, &[Meaning::Answer, Meaning::MediaBlock, Meaning::OtherBlock], &[]),
];

/// The slots of each meaning, as bits.
// What a flag holds is read as the members of its node.
const MASKS: [u128; USES.len()] = {
    let (mut masks, mut row) = ([bits(NAMES) | bits(&[Flag, Called, Answered, SealedUnder]); USES.len()], 0);
    while row < USES.len() {
        // The rows stand in the order of the meanings.
        assert!(USES[row].0 as usize == row);
        masks[row] |= bits(USES[row].1);
        row += 1;
    }
    masks
};

const fn bits(slots: &[Slot]) -> u128 {
    let (mut bits, mut at) = (0, 0);
    while at < slots.len() {
        bits |= 1 << slots[at] as u128;
        at += 1;
    }
    bits
}

impl Does {
    /// Its meaning.
    pub fn meaning(self) -> Meaning {
        match self {
            Does::Rest | Does::Unread | Does::Unclear => Meaning::Unknown,
            Does::Stranger => Meaning::Stranger,
            Does::Nothing | Does::Quotes(_) => Meaning::Silent,
            Does::Answer => Meaning::Answer,
            Does::Request => Meaning::Request,
            Does::Response => Meaning::Response,
            Does::Message | Does::Turn(_) => Meaning::Message,
            Does::Piece => Meaning::Piece,
            Does::Mark(_) => Meaning::Mark,
            Does::Envelope | Does::Undelivered => Meaning::Envelope,
            Does::Records => Meaning::Records,
            Does::Sent(_) => Meaning::Sent,
            Does::Begin | Does::Open | Does::CloseWith | Does::Amend => Meaning::Event,
            Does::EndWith => Meaning::Again,
            Does::Close | Does::End => Meaning::Silent,
            Does::Feed(None) => Meaning::Feed,
            Does::Repeat(None) | Does::Grow(None) => Meaning::Repeat,
            Does::Block(kind) => match kind {
                Kind::Text | Kind::Refusal | Kind::Commentary | Kind::Message => Meaning::TextBlock,
                Kind::Reasoning(_) | Kind::Sealed(_) => Meaning::ReasoningBlock,
                Kind::Call | Kind::Result | Kind::Answered => Meaning::ToolBlock,
                Kind::Hosted => Meaning::HostedBlock,
                Kind::Step => Meaning::Silent,
                Kind::Media => Meaning::MediaBlock,
                Kind::Other => Meaning::OtherBlock,
            },
            Does::OpenAs(kind)
            | Does::CloseAs(kind)
            | Does::Feed(Some(kind))
            | Does::Repeat(Some(kind))
            | Does::Grow(Some(kind)) => match kind {
                Kind::Text | Kind::Refusal | Kind::Commentary | Kind::Message => Meaning::TextPiece,
                Kind::Reasoning(_) | Kind::Sealed(_) => Meaning::ReasoningPiece,
                Kind::Call | Kind::Result | Kind::Answered | Kind::Other | Kind::Media => Meaning::ToolPiece,
                Kind::Hosted => Meaning::HostedPiece,
                Kind::Step => Meaning::Silent,
            },
        }
    }

    /// Whether the reader takes a node with the meaning `inner` in a slot of one with this meaning.
    pub fn takes(self, slot: Slot, inner: Does) -> bool {
        let (outer, inner) = (self.meaning(), inner.meaning());
        // A text has no parts; a message among blocks has them.
        let parts = slot != List || !matches!(self, Does::Block(Kind::Text | Kind::Refusal | Kind::Commentary));
        let fits =
            |row: &&(Slot, &[Meaning], &[Meaning])| row.0 == slot && (row.1.is_empty() || row.1.contains(&outer));
        let known = TAKES.iter().find(fits);
        !inner.says() || outer == Meaning::Family || known.is_none_or(|(.., inners)| parts && inners.contains(&inner))
    }

    /// Whether a node with this meaning uses the value in a slot. A value that is not used is searched; one in a slot of
    /// [`NAMES`] only if it looks like something else.
    #[inline]
    pub fn uses(self, slot: Slot) -> bool {
        self.meaning().uses(slot)
    }
}

impl Meaning {
    /// Whether nodes of this meaning have texts that are read.
    fn says(self) -> bool {
        use Meaning::{Answer, Envelope, Mark, Records, Request, Sent, Silent, Unknown};
        !matches!(self, Answer | Envelope | Mark | Records | Request | Sent | Silent | Unknown)
    }

    /// Whether nodes of this meaning use the value in a slot.
    #[inline]
    pub fn uses(self, slot: Slot) -> bool {
        let uses = MASKS[self as usize] >> slot as u128 & 1 == 1;
        #[cfg(test)]
        let uses = uses && super::mutation::stands(super::mutation::RowPart::of(self, slot));
        uses
    }
}

/// Whether a slot is for names, numbers and switches.
#[inline]
pub fn is_name_slot(slot: Slot) -> bool {
    (const { bits(NAMES) }) >> slot as u128 & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write;

    /// The page has the table as it is in the code. `UNTHINK_WRITE_DOCS=1` writes it.
    #[test]
    fn the_page_has_the_table() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/formats.md");
        let page = std::fs::read_to_string(path).unwrap();
        let (before, rest) = page.split_once("<!-- uses -->\n").unwrap();
        let (_, behind) = rest.split_once("<!-- end -->").unwrap();
        let row = |slots: &[Slot]| slots.iter().map(|slot| format!("`{slot:?}`")).collect::<Vec<_>>().join(", ");
        let mut table = format!("| meaning | slots |\n|---|---|\n| any | {} |\n", row(NAMES));
        for (meaning, slots) in USES {
            writeln!(table, "| {meaning:?} | {} |", row(slots)).unwrap();
        }
        let names = |meanings: &[Meaning], none: &str| match meanings.is_empty() {
            true => none.to_string(),
            false => meanings.iter().map(|meaning| format!("{meaning:?}")).collect::<Vec<_>>().join(", "),
        };
        table.push_str(
            "\nWhich nodes the reader takes from a slot. Any other node that says something is searched there.\n\n",
        );
        table.push_str("| slot | of | takes |\n|---|---|---|\n");
        for (slot, outers, inners) in TAKES {
            writeln!(table, "| `{slot:?}` | {} | {} |", names(outers, "any"), names(inners, "none")).unwrap();
        }
        let want = format!("{before}<!-- uses -->\n{table}<!-- end -->{behind}");
        if std::env::var_os("UNTHINK_WRITE_DOCS").is_some() {
            std::fs::write(path, &want).unwrap();
        }
        assert!(page == want, "the table in docs/formats.md is out of date: run the tests with UNTHINK_WRITE_DOCS=1");
    }
}
