//! Tags inside text: behaviour.md, section 4, rules 1 to 10, for text that arrives in pieces.
//!
//! `tags` is the table of delimiters, `marks` recognises them, `headers` those of messages; `code` follows code spans
//! and fences, `shown` other places that show code, `thought` the fences of reasoning (both only where a tag was found:
//! `late`), `line` the line that a text ends with, `literal` strings of sources; `stand` says by what stands around a
//! delimiter (`around`) whether it is used or only spoken of, `spoken` asks that for `check`; `scanner` is the state
//! machine; `seam` decides how much white space goes with a block that is cut; `ahead` is a first pass, and `last_close`
//! says how far blocks can end; `redact` finds sections inside of reasoning. None of them knows JSON: positions are
//! offsets in the text of one message, and the caller maps them to the input.

mod ahead;
mod around;
mod choice;
mod code;
mod headers;
mod last_close;
mod late;
mod line;
mod literal;
mod marks;
mod redact;
mod scanner;
mod seam;
mod shown;
mod sound;
mod spoken;
mod stand;
mod tags;
mod thought;

pub use ahead::{Ahead, KnownBeginning};
#[cfg(feature = "cli")]
pub use choice::table;
pub use choice::{NoChoice, TagChoice, row};
pub use headers::call;
pub use headers::is_message;
pub use last_close::LastClose;
pub use marks::Tags;
pub use redact::{INSIDE, apart};
pub use scanner::{
    Beginning, Close, Delimiters, Inline, Moves, Note, Options, Scanned, Start, StretchKind, TagScanner,
};
pub use seam::Seam;
pub use sound::{MAX_LIST_TEXTS, UnsoundRow, sound};
pub use spoken::{Spoken, spoken_of};
pub use tags::{Blocks, Missing, Pairs, Row, TAGS, TextList, Unclosed};
