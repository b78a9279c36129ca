//! Styles of a drawing: its parts, and the sequences (SGR) by which a terminal shows them.

use std::fmt::Write;

/// The background of the terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Theme {
    /// Light text on a dark background.
    #[default]
    Dark,
    /// Dark text on a light background.
    Light,
}

/// A part of a drawing, which determines its colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ink {
    /// Text in the terminal's own colours.
    #[default]
    Plain,
    /// Reasoning, on its shaded background.
    Reasoning,
    /// Signs beside reasoning, on its shaded background.
    Shade,
    /// Messages to other agents.
    Dialogue,
    /// Details that matter less.
    Faint,
    /// The name of the assistant.
    Assistant,
    /// The name of a user.
    User,
    /// The name of instructions.
    System,
    /// The name of a tool.
    Tool,
    /// Errors.
    Alarm,
    /// A rail and its name, by the number of its column.
    Rail(u8),
}

/// The style of a character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CharStyle {
    /// The part that it belongs to.
    pub ink: Ink,
    /// It is in strong emphasis.
    pub bold: bool,
    /// It is in emphasis.
    pub italic: bool,
    /// It is code.
    pub code: bool,
    /// It spells out a character that is not shown.
    pub odd: bool,
}

impl CharStyle {
    /// The style of a part, without emphasis.
    pub const fn of(ink: Ink) -> Self {
        Self { ink, bold: false, italic: false, code: false, odd: false }
    }

    /// The style of a part in bold.
    pub const fn strong(ink: Ink) -> Self {
        Self { bold: true, ..Self::of(ink) }
    }

    /// Writes the sequence that sets this style, whatever the style before.
    pub fn write(self, theme: Theme, out: &mut Vec<u8>) {
        let dark = theme == Theme::Dark;
        let (fore, back) = self.ink.colors(dark);
        let fore = match () {
            () if self.odd => Some(if dark { 213 } else { 127 }),
            () if self.code => Some(if dark { 180 } else { 94 }),
            () => fore,
        };
        let mut codes = String::from("\u{1b}[0");
        if self.bold {
            codes.push_str(";1");
        }
        if self.italic || self.ink == Ink::Reasoning {
            codes.push_str(";3");
        }
        // Writing to a string cannot fail.
        if let Some(fore) = fore {
            let _ = write!(codes, ";38;5;{fore}");
        }
        if let Some(back) = back {
            let _ = write!(codes, ";48;5;{back}");
        }
        codes.push('m');
        out.extend_from_slice(codes.as_bytes());
    }
}

impl Ink {
    /// The colours of letters and background, as numbers in the palette of 256 colours. The shade of reasoning is
    /// lighter than a dark terminal and darker than a light one, and its letters are dimmer than those of the answer on both.
    fn colors(self, dark: bool) -> (Option<u8>, Option<u8>) {
        let pick = |on_dark, on_light| Some(if dark { on_dark } else { on_light });
        match self {
            Ink::Plain => (None, None),
            Ink::Reasoning => (pick(247, 241), pick(235, 255)),
            Ink::Shade => (pick(244, 243), pick(235, 255)),
            Ink::Dialogue => (pick(80, 24), None),
            Ink::Faint => (pick(245, 242), None),
            Ink::Assistant => (pick(114, 28), None),
            Ink::User => (pick(75, 25), None),
            Ink::System => (pick(176, 90), None),
            Ink::Tool => (pick(179, 94), None),
            Ink::Alarm => (pick(203, 160), None),
            Ink::Rail(column) => {
                const DARK: [u8; 6] = [75, 179, 114, 176, 80, 210];
                const LIGHT: [u8; 6] = [25, 94, 28, 90, 30, 124];
                let n = usize::from(column) % DARK.len();
                (Some(if dark { DARK[n] } else { LIGHT[n] }), None)
            }
        }
    }
}
