//! Properties of the terminal: its width, and its background.

use crate::show::Theme;
use std::env::var;
use std::time::Duration;
use terminal_colorsaurus::{QueryOptions, ThemeMode, theme_mode};

/// How long the terminal may take to answer. Terminals without support for the question answer another one at once.
const PATIENCE: Duration = Duration::from_millis(500);
/// The width of a drawing if that of the terminal is unknown.
const USUAL: usize = 80;

/// The theme: if none is named, as the terminal answers, or else COLORFGBG says.
pub fn theme(named: Option<Theme>, terminal: bool) -> Theme {
    let answer = || if terminal { ask() } else { None };
    named.or_else(answer).or_else(|| theme_of(&var("COLORFGBG").ok()?)).unwrap_or_default()
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
