//! Stage 3: frames to events. One file or folder a format or a family of formats, with their rows in [`DIALECTS`].
//!
//! A row is plain data. Most formats have a shape (`shape`): states in which a key means something, and means nothing
//! outside of them; one walker reads all shapes. The formats of the chat family share one shape, since real records mix
//! their keys (`formats::chat`). To add a format: one file with a row in `formats`, one line in the table there, and a
//! folder in `testdata/` (`docs/formats.md`).

mod cells;
mod draft;
mod field;
mod formats;
mod inline_text;
mod line;
mod lines;
mod product;
mod raw;
mod read;
mod reader;
mod redact;
pub(crate) mod shape;
#[cfg(feature = "cli")]
mod signs;
mod stream;
mod suspect;
mod turns;

use crate::frame::Framing;
use crate::model::BlockProperty;
#[cfg(feature = "cli")]
use crate::model::content::FactTexts;
use crate::model::content::{Block, Writer};
use crate::nearest::meant;
use formats::{chat, mia, text};
use std::sync::Arc;

pub use cells::CellReader;
pub use field::Pointer;
use formats::chat::in_place::ConversionTarget;
pub use formats::chat::in_place::{Columns, WriteOptions};
pub use lines::{MAX_WAITING_BYTES, NextLine, TextLines};
pub use product::Product;
pub use raw::{Pass, RawReader};
pub use reader::{Foreign, Hindsight, JsonReader, NextRecord, NotUnderstood, ReadOptions, Suspect, UNCLOSED, unclosed};
#[cfg(feature = "cli")]
pub use signs::recognise;
#[cfg(feature = "cli")]
pub use suspect::Unread;
pub use suspect::{UNREAD, names_reasoning, remedy};

/// A wire format.
#[derive(Debug)]
pub struct Dialect {
    /// The name on the command line.
    pub name: &'static str,
    /// Other names that the command line takes.
    pub aliases: &'static [&'static str],
    /// Names of providers and products that speak it, among others: they are suggested, and not taken.
    pub kin: &'static [&'static str],
    /// A description in one line.
    pub about: &'static str,
    /// The products whose files are in this format. A file that has the signs of none of them is one of the first.
    pub products: &'static [Product],
    /// The framings it comes in.
    pub framings: &'static [Framing],
    /// For a format of the chat family: what distinguishes it from the others.
    pub family: Option<chat::row::Guest>,
    /// Set if records of the family become this format by being built anew, and are not edited in place: those that are in it
    /// already, which stay.
    pub anew: Option<OwnRecords>,
    /// For any other format: the shape by which it is read.
    pub shape: Option<&'static shape::Shape>,
    /// Makes the writer of this format, if it can be written.
    pub write: Option<MakeWriter>,
    /// For a format that is written in several spellings, each of which has a row of its own: the names of these rows, the
    /// usual one first.
    pub spelled: &'static [&'static str],
    /// For a format that can be written: the properties of reasoning blocks that it keeps beside their text.
    pub properties: Option<&'static [BlockProperty]>,
}

impl Dialect {
    /// Whether it can be written, itself or in one of its spellings.
    pub fn is_written(&self) -> bool {
        self.write.is_some() || !self.spelled.is_empty()
    }

    /// The names of the products and services that write it.
    pub fn product_names(&self) -> impl Iterator<Item = &'static str> {
        self.products.iter().map(|product| product.name)
    }

    /// The keys under which the format has reasoning, each with whether programs use the key for other things, too.
    fn reasoning_keys(&self) -> impl Iterator<Item = (&'static str, bool)> {
        let keys = self.family.into_iter().flat_map(|guest| guest.fields()).map(|field| (field.key, field.common));
        keys.chain(self.shape.into_iter().flat_map(|shape| shape.keys).map(|key| (*key, false)))
    }

    /// The types of objects that are reasoning in this format.
    fn reasoning_types(&self) -> impl Iterator<Item = &'static str> {
        let types = self.family.into_iter().flat_map(chat::row::Guest::reasoning_types);
        types.chain(self.shape.into_iter().flat_map(|shape| shape.kinds).copied())
    }
}

/// By what a record of the chat family is known as one of a format that has no shape of its own.
#[derive(Debug)]
pub struct OwnRecords {
    /// The sources of all reasoning in its messages. The first one has some of it.
    pub reasoning: &'static [&'static str],
    /// How the identifiers of its responses begin, also of those without reasoning. Empty if they have no sign, so that the
    /// pieces of a stream, of which some are without reasoning, are not known.
    pub id: &'static str,
}

/// A row without anything, for the others to fill in.
const PLAIN: Dialect = Dialect {
    name: "",
    aliases: &[],
    kin: &[],
    about: "",
    products: &[],
    framings: &[],
    family: None,
    anew: None,
    shape: None,
    write: None,
    spelled: &[],
    properties: None,
};

/// Every dialect, in the order in which they are listed: the table in `formats`.
pub const DIALECTS: &[Dialect] = formats::TABLE;

/// Reads the texts inside of facts that are JSON values.
#[cfg(feature = "cli")]
pub const FACT_TEXTS: FactTexts = formats::FACT_TEXTS;

/// The name of MIA's dialect in [`Facts`](crate::model::Facts).
pub const MIA: &str = mia::ROW.name;

/// Makes the writer of a dialect.
pub type MakeWriter = fn(&WriteOptions) -> Arc<dyn Writer>;

/// A conversion to one dialect.
#[derive(Clone)]
pub struct Conversion {
    /// The dialect.
    pub dialect: &'static Dialect,
    /// The edits in place for records of the same family, if the dialect has a family.
    in_place: Option<ConversionTarget>,
    /// The writer that builds all other records anew.
    pub writer: Arc<dyn Writer>,
}

impl Conversion {
    /// The conversion to a dialect, if that can be written.
    pub fn new(dialect: &'static Dialect, spelling: &WriteOptions) -> Option<Self> {
        let writer = dialect.write?(spelling);
        let edits = dialect.shape.is_none() && dialect.anew.is_none();
        let in_place = if edits { ConversionTarget::new(dialect, spelling.clone()) } else { None };
        Some(Self { dialect, in_place, writer })
    }

    /// The name of the tool that a call names, as a JSON string: empty if it names none.
    pub fn call_name(call: &Block) -> Vec<u8> {
        formats::call_name(call)
    }

    /// Whether a string of any record can hold reasoning in the dialect's form, alone or with a member beside it.
    pub fn fits_strings(&self) -> bool {
        self.in_place.as_ref().is_some_and(ConversionTarget::fits_strings)
    }

    /// Whether raw text stays text, and is edited in place.
    pub fn edits_text(&self) -> bool {
        self.in_place.as_ref().is_some_and(ConversionTarget::is_inline)
    }
}

/// Why a name is not that of a dialect that can be read, or `written`, and which one may be meant: to stand behind the
/// name in a message.
pub fn advice(name: &str, written: bool) -> String {
    let able = || DIALECTS.iter().filter(|d| !written || d.is_written());
    let plain = |text: &str| text.to_lowercase().replace([' ', '-', '_', '.'], "");
    let listed = |all: Vec<&str>| all.join(", ");
    let kin: Vec<&str> = able().filter(|d| d.kin.contains(&plain(name).as_str())).map(|d| d.name).collect();
    let product = UNREAD.iter().flat_map(|row| row.products).find(|product| plain(product.name) == plain(name));
    let known = find(name).is_some();
    let what = if known { "that dialect is only read" } else { "no such dialect" };
    let all = || {
        if written {
            format!(" What can be written: {}", listed(able().map(|d| d.name).collect()))
        } else {
            String::new()
        }
    };
    match (kin.as_slice(), product) {
        ([one], _) => format!("{what}; did you mean {one}?"),
        ([_, ..], _) => format!("{what}; there are {}", listed(kin)),
        ([], Some(product)) if !known => format!(
            "no such dialect; files of {} are not read yet. Without this option, a message says how to take their \
             reasoning out",
            product.name
        ),
        _ if known => format!("{what}.{}", all()),
        _ => {
            let names = able().flat_map(|d| d.aliases.iter().chain([&d.name])).copied();
            let meant = meant(name, names.chain((!written).then_some("auto")));
            let stop = if meant.is_empty() && written { "." } else { "" };
            format!("{what}{meant}{stop}{}", all())
        }
    }
}

/// The dialect that is written under this name: of one with several spellings, the one that is named or the usual one.
///
/// # Errors
/// What is wrong with the name or the spelling, to stand behind it in a message.
pub fn written(name: &str, spelling: Option<&str>) -> Result<&'static Dialect, String> {
    let dialect = find(name).filter(|d| d.is_written()).ok_or_else(|| advice(name, true))?;
    let (usual, spelled) = (dialect.spelled.first(), dialect.spelled);
    match spelling.or(usual.copied()) {
        None => Ok(dialect),
        Some(_) if spelled.is_empty() => Err(format!("{} is written in one spelling only", dialect.name)),
        Some(spelling) => find(spelling)
            .filter(|row| spelled.contains(&row.name))
            .ok_or_else(|| format!("no spelling {spelling:?} of {}; there are {}", dialect.name, spelled.join(", "))),
    }
}

/// The dialect of that name or alias.
pub fn find(name: &str) -> Option<&'static Dialect> {
    DIALECTS.iter().find(|d| d.name == name || d.aliases.contains(&name))
}
