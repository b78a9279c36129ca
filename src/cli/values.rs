//! Values of options that come from a table: they are parsed or only named, and completions know them.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};
use std::ffi::OsStr;
use unthink::check::RULES;
use unthink::dialect::{DIALECTS, Dialect};
use unthink::inline::TAGS;
use unthink::nearest::meant;
use unthink::pass::{Policy, PolicyError};
use unthink::settings::{Kind, SETTINGS};

/// Parses a value, and knows some of the values that there are. Others may be allowed, too.
#[derive(Clone)]
pub struct Known<T> {
    parse: fn(&str) -> Result<T, String>,
    names: fn() -> Vec<String>,
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Known<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, clap::Error> {
        self.parse.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.names)().into_iter().map(PossibleValue::new)))
    }
}

/// A value that is looked up later.
fn any(names: fn() -> Vec<String>) -> Known<String> {
    Known { parse: |text| Ok(text.to_string()), names }
}

/// `--policy`.
pub fn policies() -> Known<Policy> {
    fn names() -> impl Iterator<Item = &'static str> {
        Policy::NAMES.iter().map(|(name, _)| *name)
    }
    Known {
        parse: |name| {
            name.parse().map_err(|_: PolicyError| {
                let all: Vec<&str> = names().collect();
                let (meant, all) = (meant(name, all.iter().copied()), all.join(", "));
                let stop = if meant.is_empty() { "." } else { "" };
                format!("no such policy{meant}{stop} It is one of {all} (N from 1)")
            })
        },
        names: || names().map(|name| name.replace("-N", "-1")).collect(),
    }
}

/// `--from`.
pub fn read_dialects() -> Known<String> {
    any(|| std::iter::once("auto").chain(DIALECTS.iter().map(|d| d.name)).map(str::to_string).collect())
}

/// `--to`.
pub fn written_dialects() -> Known<String> {
    fn names<'a>(all: impl Iterator<Item = &'a Dialect>) -> Vec<String> {
        all.filter(|d| d.write.is_some()).map(|d| d.name.to_string()).collect()
    }
    any(|| {
        let lines = super::convert::LINES.iter().map(|(name, _)| name.to_string());
        names(DIALECTS.iter()).into_iter().chain(lines).collect()
    })
}

/// `--tag`.
pub fn tags() -> Known<String> {
    any(|| TAGS.iter().map(|row| row.name.to_string()).collect())
}

/// `--set`.
pub fn settings() -> Known<String> {
    any(|| {
        let values = |kind: Kind| -> Vec<String> {
            match kind {
                Kind::Flag => vec!["true".into(), "false".into()],
                Kind::Word(words) => words.iter().map(|word| word.to_string()).collect(),
                Kind::Policy => (policies().names)(),
                Kind::Count(_) => vec![String::new()],
            }
        };
        SETTINGS
            .iter()
            .flat_map(|row| values(row.kind).into_iter().map(|value| format!("{}={value}", row.key)))
            .collect()
    })
}

/// `--select`, `--ignore` and `--explain`.
pub fn rules() -> Known<String> {
    any(|| RULES.iter().flat_map(|rule| [rule.code, rule.name]).map(str::to_string).collect())
}
