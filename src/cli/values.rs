//! Values of options that come from a table: they are parsed or only named, and completions know them.

use super::accept::TargetName;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command, ValueEnum};
use std::ffi::OsStr;
use std::marker::PhantomData;
use unthink::accept::targets::TARGETS;
use unthink::check::{RULES, Severity};
use unthink::dialect::{DIALECTS, Dialect};
use unthink::inline::TAGS;
use unthink::model::InstructionForm;
use unthink::nearest::{meant, nearest};
use unthink::policy::{Policy, PolicyError};
use unthink::settings::{SETTINGS, SettingType};

/// Parses a value, and knows some of the values that there are. Others may be allowed, too.
#[derive(Clone)]
pub struct KnownValues<T> {
    parse: fn(&str) -> Result<T, String>,
    names: fn() -> Vec<String>,
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for KnownValues<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, clap::Error> {
        self.parse.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.names)().into_iter().map(PossibleValue::new)))
    }
}

/// The value of an option that may also be `auto`, which is `None`. By the name `Option` clap would take the whole option
/// for one that may be missing.
pub type AutoOption<T> = Option<T>;

/// Parses a value of an enum, or `auto`.
#[derive(Clone)]
pub struct OrAuto<T> {
    /// What `auto` means.
    help: &'static str,
    of: PhantomData<fn() -> T>,
}

impl<T: ValueEnum + 'static> OrAuto<T> {
    /// `help`: what `auto` means.
    pub fn new(help: &'static str) -> Self {
        Self { help, of: PhantomData }
    }

    fn all(&self) -> impl Iterator<Item = PossibleValue> + use<T> {
        let auto = PossibleValue::new("auto").help(self.help);
        std::iter::once(auto).chain(T::value_variants().iter().filter_map(T::to_possible_value))
    }
}

impl<T: ValueEnum + Clone + Send + Sync + 'static> TypedValueParser for OrAuto<T> {
    type Value = Option<T>;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Option<T>, clap::Error> {
        let name = PossibleValuesParser::new(self.all()).parse_ref(command, arg, value)?;
        Ok(T::from_str(&name, false).ok())
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.all()))
    }
}

/// A value that is looked up later.
fn any(names: fn() -> Vec<String>) -> KnownValues<String> {
    KnownValues { parse: |text| Ok(text.to_string()), names }
}

/// `--policy` of a command that only looks.
pub fn policies() -> KnownValues<Policy> {
    KnownValues { parse: |name| policy(name, ""), names: policy_names }
}

fn policy(name: &str, more: &str) -> Result<Policy, String> {
    name.parse().map_err(|_: PolicyError| {
        if let Some(target) = name.strip_prefix(REPLAY) {
            return format!(
                "this is a policy of strip; `unthink check --target {target}` asks whether it takes a file"
            );
        }
        let all: Vec<&str> = Policy::NAMES.iter().map(|(name, _)| *name).collect();
        let (meant, all) = (meant(name, all.iter().copied()), all.join(", "));
        let stop = if meant.is_empty() { "." } else { "" };
        format!("no such policy{meant}{stop} It is one of {all}{more} (N from 1)")
    })
}

fn policy_names() -> Vec<String> {
    Policy::NAMES.iter().map(|(name, _)| name.replace("-N", "-1")).collect()
}

/// What the policy begins with that is about a target.
pub const REPLAY: &str = "replay:";

/// A policy of a command that removes.
#[derive(Clone, Debug)]
pub enum Removes {
    /// Reasoning, by the place where it stands.
    By(Policy),
    /// What this TARGET or TARGET:MODEL refuses.
    Replay(String),
}

/// `--policy` of a command that removes.
pub fn removing_policies() -> KnownValues<Removes> {
    fn parse(name: &str) -> Result<Removes, String> {
        if let Some(target) = name.strip_prefix(REPLAY) {
            return TargetName::named("replay:", target)
                .map(|_| Removes::Replay(target.into()))
                .map_err(|e| e.to_string());
        }
        // A word that is near is one with a target, or the name without one.
        let (word, target) = name.split_once(':').unwrap_or((name, "TARGET"));
        if nearest(word, ["replay"]).is_some() {
            return Err(format!(
                "no such policy; did you mean {REPLAY}{target}? `unthink list targets` has all targets"
            ));
        }
        policy(name, ", replay:TARGET").map(Removes::By)
    }
    fn names() -> Vec<String> {
        let targets = TARGETS.iter().map(|target| format!("{REPLAY}{}", target.name));
        policy_names().into_iter().chain(targets).collect()
    }
    KnownValues { parse, names }
}

/// `--from`.
pub fn read_dialects() -> KnownValues<String> {
    any(|| std::iter::once("auto").chain(DIALECTS.iter().map(|d| d.name)).map(str::to_string).collect())
}

/// The targets that are lines of text.
pub const INSTRUCTION_FORMS: [(&str, InstructionForm); 2] =
    [("xml-lines", InstructionForm::Xml), ("serialized", InstructionForm::Short)];

/// `--to`.
pub fn written_dialects() -> KnownValues<String> {
    fn names<'a>(all: impl Iterator<Item = &'a Dialect>) -> Vec<String> {
        all.filter(|d| d.is_written()).map(|d| d.name.to_string()).collect()
    }
    any(|| {
        let lines = INSTRUCTION_FORMS.iter().map(|(name, _)| name.to_string());
        names(DIALECTS.iter()).into_iter().chain(lines).collect()
    })
}

/// `--spelling`.
pub fn spellings() -> KnownValues<String> {
    any(|| DIALECTS.iter().flat_map(|dialect| dialect.spelled).map(|name| name.to_string()).collect())
}

/// `--tag`.
pub fn tags() -> KnownValues<String> {
    any(|| TAGS.iter().map(|row| row.name.to_string()).collect())
}

/// `--set`.
pub fn settings() -> KnownValues<String> {
    any(|| {
        let values = |kind: SettingType| -> Vec<String> {
            match kind {
                SettingType::Flag => vec!["true".into(), "false".into()],
                SettingType::Word(words) => words.iter().map(|word| word.to_string()).collect(),
                SettingType::Policy => (policies().names)(),
                SettingType::Count(_) => vec![String::new()],
            }
        };
        SETTINGS
            .iter()
            .flat_map(|row| values(row.kind).into_iter().map(|value| format!("{}={value}", row.key)))
            .collect()
    })
}

/// `--select`, `--ignore` and `--explain`.
pub fn rules() -> KnownValues<String> {
    any(|| RULES.iter().flat_map(|rule| [rule.code, rule.name]).map(str::to_string).collect())
}

/// `--fail-on`: the least severity that counts, so that each has the words for itself and those above it.
pub fn least_severities() -> impl TypedValueParser<Value = Severity> {
    let all =
        [(Severity::Error, "Errors: reasoning reaches a reader, or may"), (Severity::Warning, "Errors and warnings")];
    let names = all.map(|(severity, about)| PossibleValue::new(severity.name()).help(about));
    PossibleValuesParser::new(names)
        .map(|name| if name == Severity::Warning.name() { Severity::Warning } else { Severity::Error })
}
