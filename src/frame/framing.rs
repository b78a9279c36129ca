//! How bytes become records, by name.

/// How bytes become records (behaviour.md, section 3).
///
/// ```
/// use unthink::{Framing, InputOptions, StripOptions, strip};
///
/// let table = b"answer\n<think>Low pressure.</think>Rain by noon.\n";
/// let options = StripOptions::default().input(InputOptions::default().framing(Framing::Csv));
/// assert_eq!(strip(table, &options)?.output, b"answer\nRain by noon.\n");
/// assert!(Framing::ALL.iter().any(|framing| framing.name() == "csv"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum Framing {
    /// One JSON value a line.
    ///
    /// LF ends a line.
    Jsonl,
    /// One JSON value; the elements of a top-level array are records.
    Json,
    /// Server-sent events.
    ///
    /// The event stream format of the WHATWG.
    Sse,
    /// Raw text: the whole input is one message.
    Text,
    /// Comma-separated values: each cell is a text or a record, the first row has the names. If that has no comma, semicolons
    /// or bars separate the cells.
    ///
    /// A row is a record.
    Csv,
    /// The same with tabs.
    Tsv,
}

impl Framing {
    /// All framings, in the order in which they are listed.
    pub const ALL: [Framing; 6] =
        [Framing::Jsonl, Framing::Json, Framing::Sse, Framing::Text, Framing::Csv, Framing::Tsv];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Framing::Jsonl => "jsonl",
            Framing::Json => "json",
            Framing::Sse => "sse",
            Framing::Text => "text",
            Framing::Csv => "csv",
            Framing::Tsv => "tsv",
        }
    }
}
