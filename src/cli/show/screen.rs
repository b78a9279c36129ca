//! Properties of the terminal: its width, and its background.

use clap::ValueEnum;
use std::env::var;
use std::time::Duration;
use terminal_colorsaurus::{QueryOptions, ThemeMode, theme_mode};
use unthink::show::{Theme, ToolDetail};

/// How long the terminal may take to answer. Terminals without support for the question answer another one at once.
const PATIENCE: Duration = Duration::from_millis(500);
/// The width of a drawing if that of the terminal is unknown.
const USUAL: usize = 80;

/// What the background of the terminal is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ThemeArg {
    /// As the terminal answers, or COLORFGBG says; dark otherwise
    #[default]
    Auto,
    /// Light text on a dark background
    Dark,
    /// Dark text on a light background
    Light,
}

/// How much of calls of tools and their results is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ToolsArg {
    /// One line of each
    #[default]
    Line,
    /// All of each
    Full,
    /// Nothing
    None,
}

impl From<ToolsArg> for ToolDetail {
    fn from(arg: ToolsArg) -> Self {
        match arg {
            ToolsArg::Line => ToolDetail::Line,
            ToolsArg::Full => ToolDetail::Full,
            ToolsArg::None => ToolDetail::None,
        }
    }
}

impl ThemeArg {
    /// The theme. If necessary and possible, the terminal is asked for it.
    pub fn find(self, terminal: bool) -> Theme {
        match self {
            ThemeArg::Dark => Theme::Dark,
            ThemeArg::Light => Theme::Light,
            ThemeArg::Auto => {
                let answer = if terminal { ask() } else { None };
                answer.or_else(|| theme_of(&var("COLORFGBG").ok()?)).unwrap_or_default()
            }
        }
    }
}

fn ask() -> Option<Theme> {
    let mut options = QueryOptions::default();
    options.timeout = PATIENCE;
    Some(match theme_mode(options).ok()? {
        ThemeMode::Dark => Theme::Dark,
        ThemeMode::Light => Theme::Light,
    })
}

/// The theme by COLORFGBG, whose last number is the background, one of sixteen colours.
fn theme_of(colors: &str) -> Option<Theme> {
    match colors.rsplit(';').next()?.parse::<u8>().ok()? {
        7 | 9..=15 => Some(Theme::Light),
        0..=6 | 8 => Some(Theme::Dark),
        16.. => None,
    }
}

/// The width of a drawing: that of the terminal, if stdout is one, or the value of COLUMNS.
pub fn width() -> usize {
    let of_terminal = || Some(usize::from(terminal_size::terminal_size_of(std::io::stdout())?.0.0));
    let of_variable = || var("COLUMNS").ok()?.parse().ok();
    of_terminal().or_else(of_variable).filter(|width| *width > 0).unwrap_or(USUAL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backgrounds_by_number() {
        for (colors, theme) in [
            ("15;0", Some(Theme::Dark)),
            ("0;15", Some(Theme::Light)),
            ("0;default;7", Some(Theme::Light)),
            ("12;8", Some(Theme::Dark)),
            ("15;default", None),
            ("15;200", None),
            ("", None),
        ] {
            assert_eq!(theme_of(colors), theme, "{colors}");
        }
    }
}
