//! `unthink.toml`: options that need not be typed. One of the user is in force for every command; one of a project, found
//! upwards from the working directory, for `check` only: what is stripped never depends on a file that came with a
//! repository. What is typed wins, then the project's file, then the user's.

use super::Cli;
use super::failure::{Result, bail, misuse};
use super::input::read_text;
use super::path::printable;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory};
use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};
use unthink::nearest::meant;
use unthink::settings::Settings;

/// The name of the file.
pub const NAME: &str = "unthink.toml";

/// The commands for which the file of a project is in force.
const PROJECT: [&str; 2] = ["check", "profile"];

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConfigType {
    Word,
    Number,
    Flag,
    Words,
    /// The name of a file, from the folder that the configuration is in.
    File,
    Files,
}

impl ConfigType {
    fn words(self) -> &'static str {
        match self {
            ConfigType::Word | ConfigType::File => "a string",
            ConfigType::Number => "a number",
            ConfigType::Flag => "true or false",
            ConfigType::Words | ConfigType::Files => "an array of strings",
        }
    }
}

/// A key: its section, its name, its type, and the option that it sets.
type ConfigKey = (&'static str, &'static str, ConfigType, &'static str);

/// Every key besides those of `[settings]`.
const KEYS: &[ConfigKey] = &[
    ("tags", "names", ConfigType::Words, "tag"),
    ("tags", "files", ConfigType::Files, "tags"),
    ("check", "ask", ConfigType::Word, "ask"),
    ("check", "policy", ConfigType::Word, "policy"),
    ("check", "select", ConfigType::Words, "select"),
    ("check", "ignore", ConfigType::Words, "ignore"),
    ("check", "fail-on", ConfigType::Word, "fail-on"),
    ("check", "min-length", ConfigType::Number, "min-length"),
    ("check", "duplicate-percent", ConfigType::Number, "duplicate-percent"),
    ("check", "max-reasoning-tokens", ConfigType::Number, "max-reasoning-tokens"),
    ("check", "max-ratio", ConfigType::Number, "max-ratio"),
    ("check", "max-delegation-depth", ConfigType::Number, "max-delegation-depth"),
    ("check", "max-messages", ConfigType::Number, "max-messages"),
    ("check", "capability", ConfigType::Words, "capability"),
    ("check", "allow", ConfigType::Files, "allow"),
    ("check", "baseline", ConfigType::File, "baseline"),
    ("check", "ignore-findings", ConfigType::Files, "ignore-findings"),
    ("check", "exclude", ConfigType::Words, "glob"),
    ("check", "hidden", ConfigType::Flag, "hidden"),
];

/// Options of which only one is meant.
const EITHER: [&str; 2] = ["ask", "policy"];

/// A value of a file.
#[derive(Clone, Debug)]
pub struct ConfigValue {
    /// The key with its section.
    pub key: String,
    /// The option that it sets; `None` for a setting.
    option: Option<&'static str>,
    /// The values, as on the command line.
    pub values: Vec<String>,
    /// The file and the line.
    pub place: String,
    is_project: bool,
}

/// The values that are in force, with those that other files or the command line override left out.
#[derive(Clone, Debug, Default)]
pub struct Config {
    pub entries: Vec<ConfigValue>,
}

impl Config {
    /// The settings in it.
    pub fn settings(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        let settings = self.entries.iter().filter(|entry| entry.option.is_none());
        settings.filter_map(|entry| Some((&*entry.key, entry.values.first()?.as_str(), entry.place.as_str())))
    }

    /// What the project's file sets, for a message: the keys and the file.
    pub fn of_project(&self) -> Option<String> {
        let of: Vec<&ConfigValue> = self.entries.iter().filter(|entry| entry.is_project).collect();
        let (file, _) = of.first()?.place.rsplit_once(':')?;
        let keys: Vec<&str> = of.iter().map(|entry| entry.key.as_str()).collect();
        Some(format!("{file} sets {}", keys.join(", ")))
    }
}

/// Reads the files that are in force for what was typed, and adds their options to it.
///
/// # Errors
/// With the place, if a file cannot be read or has a key or a value that is wrong.
pub fn apply(typed: &[OsString], matches: &ArgMatches) -> Result<(Vec<OsString>, Config)> {
    let (verb, of) = matches.subcommand().map_or((None, matches), |(verb, of)| (Some(verb), of));
    if of.get_flag("no_config") || verb.is_some_and(|verb| verb == "completions" || verb == "man") {
        return Ok((typed.to_vec(), Config::default()));
    }
    let mut entries: Vec<ConfigValue> = Vec::new();
    let is_project = verb.is_some_and(|verb| PROJECT.contains(&verb));
    let here = std::env::current_dir()?;
    let project = if is_project { above(&here, NAME) } else { None };
    for (path, is_project) in project.map(|path| (path, true)).into_iter().chain(user().map(|path| (path, false))) {
        let read = read(&path, is_project)?;
        let is_new = |entry: &ConfigValue| entries.iter().all(|other| !overrides(&other.key, &entry.key));
        let new: Vec<ConfigValue> = read.into_iter().filter(is_new).collect();
        entries.extend(new);
    }
    let is_typed = |option: &str| {
        let id = option.replace('-', "_");
        of.try_contains_id(&id).is_ok() && of.value_source(&id) == Some(ValueSource::CommandLine)
    };
    entries.retain(|entry| match entry.option {
        // Globs come before those that were typed, of which the last one counts.
        None | Some("glob") => true,
        Some(option) if EITHER.contains(&option) => !EITHER.iter().any(|either| is_typed(either)),
        Some(option) => !is_typed(option),
    });
    let words = entries.iter().filter(|entry| verb == Some("check") || !entry.key.starts_with("check."));
    let words: Vec<OsString> = words.flat_map(ConfigValue::words).map(OsString::from).collect();
    let at = 1 + usize::from(verb.is_some());
    Ok(([&typed[..at], &words, &typed[at..]].concat(), Config { entries }))
}

fn overrides(one: &str, other: &str) -> bool {
    let is_either = |key: &str| EITHER.iter().any(|either| key == format!("check.{either}"));
    one == other || (is_either(one) && is_either(other))
}

impl ConfigValue {
    /// The entry as options.
    fn words(&self) -> Vec<String> {
        let Some(option) = self.option else { return Vec::new() };
        match self.key.as_str() {
            "check.hidden" if self.values == ["true"] => vec!["--hidden".into()],
            "check.hidden" => Vec::new(),
            _ => self.values.iter().map(|value| format!("--{option}={value}")).collect(),
        }
    }
}

/// The file of that name in the folder, or in the nearest one above it that has one, up to the root of the repository.
pub fn above(folder: &Path, name: &str) -> Option<PathBuf> {
    for folder in folder.ancestors() {
        let path = folder.join(name);
        if path.is_file() {
            return Some(path);
        }
        if folder.join(".git").exists() {
            break;
        }
    }
    None
}

/// The file of the user.
fn user() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || Some(folder("HOME")?.join(".config"));
    let folder = if cfg!(windows) { folder("APPDATA") } else { folder("XDG_CONFIG_HOME").or_else(home) };
    Some(folder?.join("unthink").join(NAME)).filter(|path| path.is_file())
}

/// The entries of a file.
fn read(path: &Path, is_project: bool) -> Result<Vec<ConfigValue>> {
    let text = read_text(path)?;
    let here = std::env::current_dir().unwrap_or_default();
    let name = printable(path.strip_prefix(&here).unwrap_or(path));
    let place = |at: usize| format!("{name}:{}", 1 + text[..at.min(text.len())].matches('\n').count());
    let table = DeTable::parse(&text)
        .map_err(|e| misuse!("{}: {}", place(e.span().map_or(0, |span| span.start)), e.message()))?;
    let mut found = Vec::new();
    for (section, value) in table.get_ref() {
        let at = place(section.span().start);
        let known = ["settings"].into_iter().chain(KEYS.iter().map(|(section, ..)| *section));
        if !known.clone().any(|known| known == section.get_ref()) {
            bail!("{at}: [{}]: no such section{}", shown(section.get_ref()), meant(section.get_ref(), known));
        }
        let Some(table) = value.get_ref().as_table() else {
            bail!("{at}: {}: it is a table", shown(section.get_ref()))
        };
        if section.get_ref() == "settings" {
            settings("", table, &place, &mut found)?;
            continue;
        }
        for (key, value) in table {
            let at = place(key.span().start);
            found.push(entry((section.get_ref(), key.get_ref()), value.get_ref(), at, path)?);
        }
    }
    found.iter_mut().for_each(|entry| entry.is_project = is_project);
    Ok(found)
}

/// The entry of a key, which is checked as an option is.
fn entry((section, key): (&str, &str), value: &DeValue<'_>, place: String, path: &Path) -> Result<ConfigValue> {
    let of = || KEYS.iter().filter(|(of, ..)| *of == section);
    let Some((_, key, kind, option)) = of().find(|(_, name, ..)| *name == key) else {
        bail!("{place}: {section}.{}: no such key{}", shown(key), meant(key, of().map(|(_, name, ..)| *name)));
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    let file = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let strings = |value: &DeValue<'_>| -> Option<Vec<String>> {
        value.as_array()?.iter().map(|one| Some(one.get_ref().as_str()?.to_string())).collect()
    };
    let values = match kind {
        ConfigType::Word => value.as_str().map(|word| vec![word.to_string()]),
        ConfigType::File => value.as_str().map(|name| vec![file(name)]),
        ConfigType::Flag => value.as_bool().map(|flag| vec![flag.to_string()]),
        ConfigType::Number => number(value).map(|number| vec![number]),
        ConfigType::Words => strings(value),
        ConfigType::Files => strings(value).map(|names| names.iter().map(|name| file(name)).collect()),
    };
    let Some(values) = values else {
        bail!("{place}: {section}.{key}: it is {}, not {}", kind.words(), type_of(value));
    };
    let values = match *key {
        "exclude" => values.iter().map(|glob| format!("!{glob}")).collect(),
        _ => values,
    };
    let entry = ConfigValue { key: format!("{section}.{key}"), option: Some(option), values, place, is_project: false };
    let words =
        ["unthink", "check"].into_iter().map(OsString::from).chain(entry.words().into_iter().map(OsString::from));
    let typed: Vec<OsString> = words.collect();
    match Cli::command().try_get_matches_from(&typed) {
        Ok(_) => Ok(entry),
        Err(e) => Err(misuse!("{}: {section}.{key}: {}", entry.place, super::usage::said(&e, &Cli::command(), None))),
    }
}

fn number(value: &DeValue<'_>) -> Option<String> {
    let integer = value.as_integer().filter(|n| n.radix() == 10).map(|n| n.as_str().to_string());
    integer.or_else(|| value.as_float().map(|n| n.as_str().to_string()))
}

/// The settings in a table, whose keys may be dotted, quoted or nested.
fn settings(
    before: &str,
    table: &DeTable<'_>,
    place: &dyn Fn(usize) -> String,
    found: &mut Vec<ConfigValue>,
) -> Result<()> {
    for (key, value) in table {
        let at = place(key.span().start);
        let name = format!("{before}{}", key.get_ref());
        let value: Cow<'_, str> = match value.get_ref() {
            DeValue::Table(table) => {
                settings(&format!("{name}."), table, place, found)?;
                continue;
            }
            DeValue::String(word) => word.clone(),
            DeValue::Boolean(flag) => flag.to_string().into(),
            value => match number(value) {
                Some(number) => number.into(),
                None => {
                    bail!("{at}: {}: it is a string, a number, or true or false, not {}", shown(&name), type_of(value))
                }
            },
        };
        Settings::default().set(&name, &value).map_err(|e| misuse!("{at}: {e}"))?;
        let values = vec![value.into_owned()];
        found.push(ConfigValue { key: name, option: None, values, place: at, is_project: false });
    }
    Ok(())
}

fn shown(text: &str) -> String {
    printable(Path::new(text))
}

fn type_of(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}
