//! Turns typed options into options of the library. Everything that depends on a terminal or on another option is
//! decided here.

use super::failure::{CommandError, Result, bail, misuse};
use super::input::read_text;
use super::notes::Notes;
use super::path::printable;
use super::{Common, TagArgs};
use clap::ValueEnum;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use unthink::dialect::Pointer;
use unthink::engine::{EngineOptions, InputRequest, InputRequestError};
use unthink::inline::{NoChoice, Options, Row, TagChoice, Tags};
use unthink::settings::Settings;
use unthink::tagfile;

/// `--on-error`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum OnError {
    /// Leave it out and go on
    #[default]
    Skip,
    /// Leave it out and end there
    Stop,
    /// Copy it through
    Pass,
}

/// `--foreign`.
///
/// No type of the library has these four: two are about records that are not read, and two, for `repair`, about thoughts in
/// records that are ([`unthink::accept::ForeignThoughts`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ForeignArg {
    /// It cannot be understood: it is left out, and the status is 3
    #[default]
    Refuse,
    /// It is passed on as it is, with a warning
    Pass,
    /// (repair) They stay as a text of the answer, where the provider takes that
    Text,
    /// (repair) They go, also those of which it is not certain
    Drop,
}

/// Parses a number of bytes with an optional K, M or G (powers of 1024).
pub fn size(text: &str) -> Result<usize, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 1usize,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        _ => return Err("a number of bytes, such as 4096, 64K, 256M or 1G".into()),
    };
    let n: Option<usize> = digits.parse().ok().and_then(|n: usize| n.checked_mul(unit));
    n.filter(|n| *n > 0).ok_or_else(|| "a number of bytes from 1, such as 4096, 64K, 256M or 1G".into())
}

/// Reads the rows of tag files. Two files must not define one name differently.
pub fn tag_files(paths: &[PathBuf]) -> Result<Vec<Row>> {
    let (mut rows, mut names) = (Vec::new(), HashSet::new());
    for path in paths {
        let name = printable(path);
        let read = tagfile::read(&read_text(path)?).map_err(|e| misuse!("{name}: {e}"))?;
        if let Some(row) = read.iter().find(|row| !names.insert(row.name.clone())) {
            let row = printable(Path::new(&*row.name));
            bail!("{name}: row {row}: another file has a row with that name");
        }
        rows.extend(read);
    }
    Ok(rows)
}

/// The rows of the tag table in force.
pub fn tags(common: &Common, marker: Option<&str>) -> Result<Tags> {
    let (named, files, too) =
        (common.table.tag.as_slice(), common.table.rows.as_slice(), common.table.tag_too.as_deref());
    TagChoice { named, files, too, marker }.tags().map_err(|e| match e {
        NoChoice::Many(n) if named.is_empty() => {
            misuse!("--tags: {n} rows would be in force, {} can be; --tag names some", Tags::MAX_ROWS)
        }
        e => not_chosen(e),
    })
}

/// The error for tags that cannot be in force.
pub fn not_chosen(e: NoChoice) -> CommandError {
    match e {
        NoChoice::Name(name, why) => misuse!("--tag {}: {why}", printable(Path::new(&name))),
        NoChoice::Marker => misuse!("--marker: the text is not empty"),
        NoChoice::Many(_) => misuse!("--tag: at most {} at a time", Tags::MAX_ROWS),
    }
}

/// The settings of the profile, overridden by the typed ones.
pub fn settings(common: &Common) -> Result<Settings> {
    let mut settings = Settings::default();
    for (key, value, place) in common.config.settings() {
        settings.preset(key, value).map_err(|e| misuse!("{place}: {e}"))?;
    }
    if let Some(path) = &common.given.profile {
        let name = printable(path);
        let ignored = settings.load(&read_text(path)?).map_err(|e| misuse!("{name}: {e}"))?;
        if !ignored.is_empty() {
            let notes = Notes::of(common);
            let keys = printable(Path::new(&ignored.join(", ")));
            notes.detail(&format!("{name}: no settings of this program, ignored: {keys}"));
        }
    }
    for typed in &common.given.set {
        let Some((key, value)) = typed.split_once('=') else {
            bail!("--set {}: there is no =; it is KEY=VALUE", printable(Path::new(typed)));
        };
        settings.set(key, value).map_err(|e| misuse!("--set {e}"))?;
    }
    Ok(settings)
}

/// The options for reading inline tags.
pub fn inline(common: &Common, tags: &TagArgs) -> Options {
    Options {
        close: tags.close,
        start: tags.start,
        unclosed: common.unclosed,
        blocks: tags.blocks,
        inline: tags.inline,
        ..Options::default()
    }
}

/// The options for reading input. `streams`: output of an event stream is passed on at once and cannot be taken back.
pub fn engine(common: &Common, tags: &TagArgs, streams: bool) -> Result<EngineOptions> {
    let request = InputRequest {
        dialect: Some(common.from.as_str()).filter(|name| *name != "auto"),
        framing: common.framing,
        inline: inline(common, tags),
        live: common.live,
        streams,
        pass_suspect: match common.unread.foreign {
            ForeignArg::Refuse => false,
            ForeignArg::Pass => true,
            ForeignArg::Text | ForeignArg::Drop => bail!("--foreign text and --foreign drop are for `unthink repair`"),
        },
        max_record: common.max_record,
        stop: common.unread.on_error == OnError::Stop,
    };
    request.options().map_err(|e| match e {
        InputRequestError::Dialect(name, why) => misuse!("--from {}: {why}", printable(Path::new(&name))),
        InputRequestError::Framing(name, framing) => {
            misuse!("--from {name}: that dialect does not come in framing {}", framing.name())
        }
    })
}

/// Parses the JSON Pointers that an option was given.
pub fn pointers(option: &str, all: &[String]) -> Result<Vec<Pointer>> {
    let parse = |text: &String| text.parse().map_err(|e| misuse!("{option} {text}: {e}; did you mean /{text}?"));
    all.iter().map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, want) in [("1", Some(1)), ("4k", Some(4096)), ("256M", Some(256 << 20)), ("2GiB", Some(2 << 30))] {
            assert_eq!(size(text).ok(), want, "{text}");
        }
        for text in ["", "0", "k", "1x", "-1", "99999999999999999999"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
