//! The library behind `unthink`: it finds the reasoning that language models leave in their output, cuts it out or
//! splits it off, and changes no other byte. It opens no file and no connection.
//!
//! # How to use it
//!
//! | function | returns | writes, with `_io` in its name |
//! |---|---|---|
//! | [`strip`](strip()) | the input without the reasoning that a policy removes | the same |
//! | [`split`](split()) | each message of the assistant: visible text and reasoning apart | a JSON object per message |
//! | [`convert`](convert()) | the same conversation in another dialect | the same |
//! | [`tokens`](tokens()) | how many tokens are reasoning, and how many are not | a JSON object per row |
//! | [`check`](check()) | reasoning in the answers, and what else should not be there | a JSON object per finding |
//! | [`check_target`] | whether a provider takes a request | |
//! | [`repair`](repair()) | the least change after which it does | |
//!
//! Each function takes bytes, or reads from a reader and writes to a writer: [`strip_io`], [`split_io`],
//! [`convert_io`], [`tokens_io`], [`check_io`]. [`split_each`] and [`tokens_each`] hand out one message or row after the
//! other. [`Stripper`], [`Splitter`] and [`Converter`] take the input piece by piece, and do no input or output at all. JSON
//! Lines, JSON, server-sent events, raw text and tables are recognised by their first bytes; compressed input is not
//! decompressed.
//!
//! ```
//! use unthink::{Error, StripOptions};
//!
//! let answer = b"<think>Low pressure from the west.</think>\n\nRain by noon.\n";
//! let done = unthink::strip(answer, &StripOptions::default())?;
//! assert_eq!(done.output, b"Rain by noon.\n");
//!
//! // `Ok` means that everything was read. A record that was not understood is an error, which has the rest.
//! let log = b"{\"role\":\"assistant\",\"content\":\"Rain by noon.\"}\n{\"role\":\"assistant\",\n";
//! match unthink::strip(log, &StripOptions::default()) {
//!     Ok(_) => unreachable!(),
//!     Err(Error::Incomplete(e)) => {
//!         assert_eq!((e.refused[0].record, e.refused[0].skipped), (2, true));
//!         assert_eq!(e.partial.output, &log[..47]);
//!     }
//!     Err(e) => return Err(e.into()),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing else is for users. The rooms below, of which these functions and the command are made, are private. In a library
//! that is built without the feature `cli`, the command, `show` and `identify` are left out, and the crates that only the
//! command needs are no dependencies.
//!
//! # The stages, in order
//!
//! ```text
//! bytes ─► frame ─► dialect ─► events ─► policy ─► verdicts ─┬─► strip    the same bytes, minus the cuts
//!          jsonl    walk       + spans   postproc            ├─► convert  records in another dialect
//!          json     stream     + lane                        ├─► split    visible text and reasoning apart
//!          sse      inline                                   ├─► tokens   how many tokens are what
//!          text       lines, cells                           ├─► check    findings of rules
//!          csv        suspect: what no dialect reads         └─► show     a drawing, for a `show::Painter`
//! ```
//!
//! | room | does | does not know |
//! |---|---|---|
//! | [`frame`] | bytes to frames, resumable at any byte | dialects |
//! | [`json`] | spans over one value, escapes, commas | reasoning |
//! | [`inline`] | tags and headers of messages inside text, safe across chunks | JSON, bytes of the input |
//! | [`dialect`] | frames to events, messages to records; a file or a folder a format in `dialect::formats` | policies |
//! | [`model`] | the events, their grammar, and messages folded from them | how anything is written |
//! | [`agents`] | a log of several agents: sequences, delegations, folded messages, for all commands | how anything is written |
//! | [`policy`] | decisions: the engine asks for a verdict before the output sees a piece | dialects, JSON, offsets |
//! | [`postproc`] | what a service does with the reasoning of an answer (`docs/behaviour.md`, section 11.4) | dialects, JSON, offsets |
//! | [`check`](mod@check) | rules, the search for reasoning in answers, and reports of findings; `check::output` follows the events | formats |
//! | [`accept`] | which requests providers take, and the least repair | how conversations are stripped or converted |
//! | [`out`] | what the output of a command is | which there are |
//! | [`strip`](mod@strip) | `Splice`: the source minus the cuts, which all that edits in place uses | why they were made |
//! | [`split`](mod@split), [`tokens`](mod@tokens) | messages and rows, from events | formats |
//! | [`convert`](mod@convert) | records built anew from messages, by the writers of `dialect` | what the words of a format are |
//! | `show` | a conversation drawn for a person: terminal, page, charts; `show::draw` follows the events | formats |
//! | [`count`] | tokens of a text | where the text stood |
//! | `identify` | what an input is: product, format, how much reasoning, and where | files, how it is shown |
//! | `front` | the functions for users of the crate | what the stages do |
//! | [`engine`] | the only room that knows all stages | files, arguments, exit statuses |
//! | `settings` | the table of settings, profiles as text | who asks for them |
//! | [`tagfile`] | rows of the tag table as text, checked and tried out | where the text comes from |
//!
//! The command line is the module `cli`, which no room imports: a test asks for that. The binary only calls it.
//!
//! # Words
//!
//! - **frame**: a range of the input that is a record, or that lies between two records. **body**: a frame's payload.
//! - **lane**: identifies a message among those that are open at the same time: the choice of a response.
//! - **event**, **piece**: a reader sends events to the outputs; a piece is an event with a stretch of a message and
//!   its bytes.
//! - **span**: a range of input bytes. **cut**: a span that is left out. **edit**: a cut with the decision that it
//!   waits for.
//! - **verdict**: keep, drop, or hold; a hold has a **ticket**, which identifies a decision that is still to come.
//! - **undecided**: the first byte of the input whose meaning a later byte may still change.
//! - **step**: what an output did with the next bytes: kept, cut, or put in. Its steps rebuild the output from the
//!   input.
//! - **seam**: the place where a cut joins the text before it and the text behind it.
//! - **foreign**: a record that no dialect in force reads. **suspect**: a foreign record that may hold reasoning, or a
//!   record that is read but has a member that no dialect names and that may hold reasoning. The vocabulary of the
//!   search for these is data: the rows of the dialects, and [`dialect::UNREAD`] for formats that have no row yet
//!   (`dialect::suspect`).
//! - **hindsight**: the first tag of a text decides whether the text before it is reasoning. **streaming**, `--live`:
//!   text does not wait for that tag.
//! - **first pass**: a large file of raw text is read once to find out how it begins ([`inline::KnownBeginning`]), and then
//!   again, so that none of its text has to wait in memory.
//!
//! # Invariants
//!
//! - Status 0 means that every record was either read, or searched for reasoning without finding any.
//! - Output is copied from the source, byte for byte. Only `convert` between families of formats builds records anew.
//! - No event of a record is sent before all of the record was understood. A record that is not understood is not
//!   written.
//! - [`strip::Splice`] has one cursor, which only moves forward, over frames in order; a frame is written whole, except
//!   raw text. Text that waits is simply not decided yet: there is no second queue.
//! - All reasoning of a message gets the same verdict. So the commas of its cuts can be decided when the message ends.
//! - The result does not depend on how the input was cut into reads, and neither do the messages.
//! - `unsafe` is forbidden; the depth of recursion does not depend on the input.
//!
//! # Decisions that another reader would have made otherwise, and why
//!
//! - **No search for words in front of the JSON readers.** Every record that passes is validated to its end, and the walk
//!   that validates costs the same as one that also looks at keys: a search that lets frames without certain words by would
//!   be one pass more. A reader sends only what its output asks for ([`model::Wants`]), text is searched for tags only
//!   where one may begin ([`inline::Tags::may_hold`]), an event of a stream or a line of a log that is like an earlier one is
//!   compared instead of walked (`dialect::read::alike`: a tree of what records begin with, so that it does not matter how
//!   many are known), and one that says more of the reasoning of the last one is neither framed nor read if no output
//!   asks for the text.
//!   The laws `gears` and `values_make_no_difference` say that the output is the same with all of that on and off.
//! - **Pieces instead of `BlockStart`, `Text`, `BlockEnd`.** Copies of one block interleave in a stream (a field and
//!   its detailed twin grow side by side), which brackets cannot express. A piece has a flag for
//!   whether it begins a block of its source; the grammar is in `model::order`.
//! - **A format is a file in `dialect::formats`**: its states (which key of which object means what: `dialect::shape`), how
//!   its records are recognised, and its writer. A key means something only in its state, and one walker
//!   (`dialect::read`) follows the states. A test reads the sources: no word of a format stands outside of that folder.
//!   The spellings of the chat family are guests in one shape (`dialect::formats::chat::states`), since real records
//!   mix them, so that a record has no single format there: each key says which rows have it (`reasoning-content`,
//!   `thinking-block`, …), for a user who names one. Whether a part or a flag is reasoning depends there on what the
//!   whole message has, so that `dialect::formats::chat::drafts` decides it; the cases of its states say what a part is
//!   besides, where messages are built anew. Shapes and that family make drafts (`dialect::draft`).
//! - **Read, then send.** The reader of JSON (`dialect::reader`) calls its parts in order: the *recogniser* says which row
//!   reads a record and has it walked, or finds the earlier event that it is like; the *watch* searches what that row does
//!   not read; the reader of nodes makes drafts of all of it, and notes what happens to the messages that are open
//!   between records; only then the *sender* turns them into events. The reader of nodes has no way to send, and the
//!   sender sees no node, so that a record which is refused has sent nothing.
//! - **`convert` has one writer a format, and two ways to use it.** Between families [`convert`](mod@convert) builds records
//!   from messages and blocks ([`model`]`::content`), which all readers produce; what to write is code in the file of each
//!   format, not a table: what a provider's client insists on (merged turns, numbered blocks, events that repeat what was
//!   sent) is a procedure. Within the chat family a record keeps all that its messages do not own
//!   (`dialect::formats::chat::in_place`): a message whose layout stays has its reasoning moved, by edits of members and
//!   texts; a message that gets another layout (ThinkingBlocks, Gemini's parts) is written by the same writer as between
//!   families, and what it writes is *grafted*: it takes the place of the members that held the message. A ThinkingBlock is
//!   so written in one place. `convert::Emit` writes in the family what no edit can: records whose messages are events, or texts
//!   without members. Both give their bytes to `Splice` as edits of the source, so that order, refusals and records that
//!   stay are the same for both.
//! - **Moving reasoning is fed by drafts, not by events.** It must put members where they belong among the others: it needs
//!   the members of a message with their keys, order, commas and white space, also empty ones (`dialect::draft`), and no
//!   event has these, since no other output asks for them. What is grafted is gathered from events.
//! - **Conversations of a log that interleave are written one behind the other** (`convert::conversations`): lines of
//!   another format do not say which conversation they belong to.
//! - **The text of a block is a piece** also where records are built anew. `ContentEvent::Block` and `ContentEvent::Set` give the type and
//!   the attributes of a block; its text comes by the same events as for `strip` and `split`.
//! - **A policy before a conversion is two engines in a row** ([`engine::Chain`]): `convert` under a policy is by its
//!   definition `strip` and then `convert`. What a policy takes from a record also decides what the rest of the record is
//!   to a conversion: which texts become one, which members of an event are left, whether an envelope of a log is there at
//!   all. Edits in place are made when a record is read, and a policy such as all-but-last decides later: one engine
//!   would need two sets of edits for every message, with its reasoning and without, and two states of every stream. Where
//!   the bytes between the two come from is noted as they are written (`engine::source_map`), so that what either says of a
//!   place is about the input. Nothing else needs two engines: sections of reasoning (`strip --redact`) have the verdict of
//!   the reasoning that they stand in.
//! - **Harmony has no reader of its own.** Its messages stand in raw text, in JSON strings and in deltas, like tags,
//!   and hold tags themselves: its headers are delimiters for the one state machine, and a text with several speakers
//!   becomes a conversation in the reader of raw text.
//! - **One byte is written that was not read**: a line end where `strip` cuts the header between two visible messages
//!   of one answer, if no white space separates them. Without it, the last word of the one and the first word of the
//!   other would run together.
//! - **What no row reads may hold records of other rows** (`dialect::formats::log_line`): programs log requests and responses
//!   under keys of their own, so that a list of keys would never be whole. Such an object is read only if one of its values is a
//!   record, all of them are understood, no event of a known type is in its place, and none of their reasoning stands once more
//!   where nothing reads it. It is tried last, since all other rows know better what their keys mean.
//! - **A row is asked for what its own nodes need before it walks a record** (`dialect::shape::telling`): a request with tools may
//!   be of a dozen formats by its outermost keys. One automaton over the record tells which of them can have a node of their own,
//!   in place of a walk by each.
//! - **The search for suspects goes only over members that the walk did not use.** The walk of a record notes the
//!   members that no row names; only these are searched, so that a record without any is not searched at all. A search
//!   over every record before the readers would have been simpler, but would have cost every record a second pass.
//! - **Lines of a text that may be JSON are frames.** A log whose front was cut off begins like a text, and a text may
//!   quote a log. Whether such a line is refused cannot depend on the text around it, so that it must be whole before
//!   the tags of the text are looked for in it.
//! - **`check` does not use folded messages** (`agents::fold`), which have no tags: it shows a message as a reader sees it, with
//!   the tags that no program takes out, and knows where each byte of it stands in the input ([`check::Check`]). A first look at
//!   few hashes of the reasoning comes before any comparison, and a table of all its windows only where the same words stand
//!   in many places. `leak_detected` of [`postproc`] is decided by the same search.
//! - **`-o text` does not fold messages.** [`split::Report`] makes objects of whole messages; text is written by a second
//!   writer (`split::text`) piece by piece, which keeps only white space and what may be a copy.
//! - **Frames that wait for the same decision of a policy are put together** (`strip::compact`): a long answer under
//!   `all-but-last` is hundreds of thousands of events, and a record of each would take more memory than its bytes.
//! - **Marks of a message are an event of their own, before its pieces.** A message may hand the conversation to
//!   another agent, or be a step on the way to an answer. One place follows that ([`agents::delegation`]), for `split`,
//!   `tokens`, `check`, and for the pass that takes messages out whole ([`policy`]`::Removal`). That pass stands before
//!   the policy, which gets no event of a message that goes: it is no part of the conversation.
//! - **`show` has two rooms.** `show::draw` follows the events and puts messages, blocks, sequences and delegations in the
//!   order in which they are drawn; `show` draws these steps and knows no event, so that the terminal, the page and the charts
//!   agree on what a conversation is.
//! - **The elements of a top-level array are frames**, so that an array of messages is the same to every pass as one
//!   message a line.

#![allow(rustdoc::private_intra_doc_links, reason = "the text above is for those who work on the crate, too")]

mod front;

/// The page about the crate, whose example is a test of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../docs/crate.md")]
struct CratePage;

// The rooms are private in every build. `cli` is the command; what only it needs is not built without it.
mod accept;
mod agents;
mod check;
#[cfg(feature = "cli")]
mod cli;
mod convert;
mod count;
mod dialect;
mod engine;
mod error;
mod frame;
#[cfg(feature = "cli")]
mod identify;
mod inline;
mod json;
mod model;
mod nearest;
mod out;
mod policy;
mod postproc;
mod printable;
#[cfg(feature = "cli")]
mod settings;
#[cfg(feature = "cli")]
mod show;
mod span;
mod split;
mod strip;
mod tagfile;
mod tokens;

/// What the program starts, and what the tests, benches and fuzz targets of the repository look at. It is no part of what the crate
/// offers.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod internals {
    pub use crate::cli::main;

    pub mod accept {
        pub use crate::accept::{Repairs, Target, explain, judge, repair, targets};
        pub mod rules {
            pub use crate::accept::rules::{RuleOutcome, rows};
        }
    }
    pub mod check {
        pub use crate::check::{Check, RULES, Rule, RuleFinding, RuleOptions, Severity, find};
    }
    pub mod convert {
        pub use crate::convert::Emit;
    }
    pub mod count {
        pub use crate::count::{Counter, Method};
    }
    pub mod dialect {
        pub use crate::dialect::{
            Columns, Conversion, DIALECTS, Dialect, FACT_TEXTS, Foreign, Hindsight, Pass, ReadOptions, UNREAD,
            WriteOptions, find,
        };
    }
    pub mod engine {
        pub use crate::engine::{Counts, Engine, EngineOptions, Problem};
    }
    pub mod error {
        pub use crate::error::ErrorKind;
    }
    pub mod frame {
        pub use crate::frame::{FrameKind, FrameStep, Framer, Framing, sse, value_ends};
    }
    pub mod inline {
        pub use crate::inline::{
            KnownBeginning, LastClose, Options, Row, Scanned, Start, StretchKind, TAGS, TagScanner, Tags,
        };
    }
    pub mod json {
        pub use crate::json::{Scanner, Token};
        pub mod scan {
            pub use crate::json::scan::validate;
        }
        pub mod text {
            pub use crate::json::text::decoded;
        }
    }
    pub mod model {
        pub use crate::model::{Event, Lane, Sink, Wants};
        pub mod order {
            pub use crate::model::order::Order;
        }
    }
    pub mod out {
        pub use crate::out::{MoreText, Output, Placed, Sinks, SourceBytes, SpliceStep};
    }
    pub mod policy {
        pub use crate::policy::{Policy, Removal, Strip, Ticket, Unit, Verdict};
    }
    pub mod postproc {
        pub use crate::postproc::{PostprocOptions, Process};
    }
    pub mod printable {
        pub use crate::printable::is_hidden;
    }
    pub mod settings {
        pub use crate::settings::{SETTINGS, Settings};
    }
    pub mod show {
        pub use crate::show::{
            BlockEnd, Charts, Draw, DrawOptions, LineItem, MessageHead, Page, PageOptions, Painter, RedactPattern,
            Redacted, Redactor, Role, SessionFacts, ShownMedia, Step, Terminal, TerminalOptions, TextBlockKind, Theme,
            ToolDetail, Totals, Track, TrackChange, TrackKind, TrackPart,
        };
    }
    pub mod span {
        pub use crate::span::Span;
    }
    pub mod split {
        pub use crate::split::{Events, EventsOptions, Metrics, Report, ReportOptions, Wire};
    }
    pub mod strip {
        pub use crate::strip::{Splice, SpliceOptions};
    }
    pub mod tagfile {
        pub use crate::tagfile::read;
    }
}

pub use front::{
    BlockKind, Blocks, By, CalledTool, Capability, CapabilityError, CheckOptions, CheckReport, Checked, Close,
    ConvertOptions, ConvertReport, Converted, Converter, Counted, Delegation, DelegationStart, DialectInfo, Error,
    Excerpt, Finding, Framing, Incomplete, Inline, InputOptions, InvalidOption, Loss, Message, Method, Policy,
    PolicyError, Refused, RepairOptions, Repaired, Role, RuleInfo, RuleOutcome, Sequence, SequenceStatus, Severity,
    Signatures, Split, SplitOptions, SplitReport, Splitter, Start, StripOptions, StripReport, Stripped, Stripper,
    Summary, TagInfo, TargetFinding, TargetInfo, TargetReport, TargetRuleInfo, TokenCounts, TokenRow, TokensOptions,
    TokensReport, Unclosed, Unit, Unjudged, UnknownMethod, Utterance, check, check_each, check_io, check_target,
    convert, convert_io, dialects, repair, rules, split, split_each, split_io, strip, strip_io, tags, targets, tokens,
    tokens_each, tokens_io,
};
