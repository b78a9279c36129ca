//! The settings of behaviour.md, section 10: one table, the values in force, and where each comes from.
//!
//! The keys are those of LLXPRT (`reasoning.*`) and of MIA (`llm.postproc.*`). Profiles, which are settings as
//! JSON text, are read and written in `profile`.

mod profile;

use crate::nearest::{distance, meant};
use crate::policy::Policy;
use crate::printable::shown;
use std::fmt;

/// The type of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingType {
    /// `true` or `false`.
    Flag,
    /// A whole number, at least this one.
    Count(u64),
    /// One of these words.
    Word(&'static [&'static str]),
    /// The name of a strip policy.
    Policy,
}

/// The value of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingValue {
    /// `true` or `false`.
    Flag(bool),
    /// A whole number.
    Count(u64),
    /// A word that the setting allows.
    Word(&'static str),
    /// A strip policy.
    Policy(Policy),
}

impl SettingValue {
    /// The value as JSON text. Policies of LLXPRT are spelled as there.
    pub fn json(self) -> String {
        match self {
            SettingValue::Word(word) => format!("\"{word}\""),
            SettingValue::Policy(Policy::AllButLast) => "\"allButLast\"".into(),
            SettingValue::Policy(policy) => format!("\"{policy}\""),
            SettingValue::Flag(flag) => flag.to_string(),
            SettingValue::Count(n) => n.to_string(),
        }
    }
}

/// A setting.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The dotted key.
    pub key: &'static str,
    /// The type of its values.
    pub kind: SettingType,
    /// Its value if none is set; `None`: it has none.
    pub default: Option<SettingValue>,
    /// Its meaning, in a line.
    pub about: &'static str,
}

const fn row(key: &'static str, kind: SettingType, default: Option<SettingValue>, about: &'static str) -> Setting {
    Setting { key, kind, default, about }
}

const fn flag(key: &'static str, default: bool, about: &'static str) -> Setting {
    row(key, SettingType::Flag, Some(SettingValue::Flag(default)), about)
}

const EFFORTS: &[&str] = &["minimal", "low", "medium", "high"];
const FORMATS: &[&str] = &["field", "native"];
const ROWS: usize = 13;

/// Every setting, in the order in which they are listed.
pub const SETTINGS: &[Setting; ROWS] = &[
    flag("reasoning.enabled", true, "reasoning is asked for and sent at all"),
    flag("reasoning.includeInContext", false, "what stripFromContext leaves is sent back to the model"),
    flag("reasoning.includeInResponse", true, "reasoning is shown to people"),
    row(
        "reasoning.format",
        SettingType::Word(FORMATS),
        Some(SettingValue::Word("field")),
        "how it is sent; native is as field",
    ),
    row(
        "reasoning.stripFromContext",
        SettingType::Policy,
        Some(SettingValue::Policy(Policy::None)),
        "which reasoning goes before the rest is sent",
    ),
    row("reasoning.effort", SettingType::Word(EFFORTS), None, "how much the model is to think"),
    row("reasoning.maxTokens", SettingType::Count(1), None, "how many tokens the model may think"),
    flag("llm.postproc.enabled", true, "the postprocessing split"),
    row(
        "llm.postproc.reasoning.max_tokens",
        SettingType::Count(0),
        count(256),
        "tokens of reasoning before the rest is answer",
    ),
    flag("llm.postproc.reasoning.drop_from_history", true, "the final event says nothing of the reasoning's text"),
    row(
        "llm.postproc.ngram.n",
        SettingType::Count(0),
        count(3),
        "length of the n-grams whose repetition is suppressed; 0 is off",
    ),
    row(
        "llm.postproc.ngram.window",
        SettingType::Count(0),
        count(128),
        "tokens in which repetition is looked for; 0 is off",
    ),
    flag("llm.postproc.collapse.whitespace", true, "runs of the same white-space character become one"),
];

const fn count(n: u64) -> Option<SettingValue> {
    Some(SettingValue::Count(n))
}

impl SettingType {
    /// The allowed values, to follow "allowed is".
    pub fn allowed(self) -> String {
        match self {
            SettingType::Flag => "true or false".into(),
            SettingType::Count(least) => format!("a whole number from {least}"),
            SettingType::Word(words) => words.join(", "),
            SettingType::Policy => POLICIES.join(", "),
        }
    }

    /// The value of a text: the word, the number, or the name.
    fn read(self, text: &str) -> Option<SettingValue> {
        match self {
            SettingType::Flag => text.parse().ok().map(SettingValue::Flag),
            SettingType::Count(least) => {
                let n = Some(text).filter(|t| t.bytes().all(|b| b.is_ascii_digit()))?.parse().ok()?;
                (n >= least).then_some(SettingValue::Count(n))
            }
            SettingType::Word(words) => words.iter().find(|word| **word == text).map(|word| SettingValue::Word(word)),
            SettingType::Policy => text.parse().ok().map(SettingValue::Policy),
        }
    }

    fn names(self) -> &'static [&'static str] {
        match self {
            SettingType::Word(words) => words,
            SettingType::Policy => &POLICIES,
            _ => &[],
        }
    }
}

/// The names of policies; the same as [`Policy::NAMES`], which a test checks.
const POLICIES: [&str; 7] =
    ["none", "all", "all-but-last", "allButLast", "before-last-user", "keep-tool-turns", "keep-last-N"];

/// The error for an unknown key, a value that is not allowed, or a text that is no profile: a plain sentence without
/// its full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingError {
    what: String,
}

impl SettingError {
    fn new(what: impl Into<String>) -> Self {
        Self { what: what.into() }
    }

    fn unknown(key: &str, names: impl Iterator<Item = &'static str>) -> Self {
        let inside = format!("{}.", key.to_lowercase());
        let near = match SETTINGS.iter().find(|row| row.key.to_lowercase().starts_with(&inside)) {
            Some(row) => format!("; did you mean {}?", row.key),
            None => meant(key, names),
        };
        Self::new(format!("{}: no such setting{near}", shown(key)))
    }

    /// The error for a value. `text`: the value as it was written.
    fn value(row: &Setting, text: &str, word: &str) -> Self {
        let near = meant(word, row.kind.names().iter().copied());
        Self::new(format!("{}: {} is not allowed; allowed is {}{near}", row.key, shown(text), row.kind.allowed()))
    }
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for SettingError {}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingOrigin {
    /// It is the default.
    Default,
    /// It was set in a profile.
    Profile,
    /// It was set by itself, as on the command line.
    Set,
}

/// The settings in force.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    values: [Option<(SettingValue, SettingOrigin)>; ROWS],
    profile: profile::LoadedProfile,
}

impl Settings {
    /// Sets one setting, from text as on a command line. It overrides a profile, also one that is loaded later.
    ///
    /// # Errors
    /// When there is no such key, or the value is not allowed.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SettingError> {
        let Some(at) = place(key) else {
            return Err(SettingError::unknown(key, keys()));
        };
        let row = &SETTINGS[at];
        let value = row.kind.read(value).ok_or_else(|| SettingError::value(row, value, value))?;
        self.values[at] = Some((value, SettingOrigin::Set));
        Ok(())
    }

    /// Sets one setting as a profile would: one that is loaded later, and what is set by itself, override it.
    ///
    /// # Errors
    /// When there is no such key, or the value is not allowed.
    pub fn preset(&mut self, key: &str, value: &str) -> Result<(), SettingError> {
        let mut all = Settings::default();
        all.set(key, value)?;
        if let (Some(at), Some((value, _))) = (place(key), all.get(key))
            && !matches!(self.values[at], Some((_, SettingOrigin::Set)))
        {
            self.values[at] = Some((value, SettingOrigin::Profile));
        }
        Ok(())
    }

    /// Chooses a strip policy by itself: it becomes `reasoning.stripFromContext`, and the reasoning that it leaves is
    /// sent, unless the user has set `reasoning.includeInContext`.
    pub fn choose(&mut self, policy: Policy) {
        self.put("reasoning.stripFromContext", SettingValue::Policy(policy));
        if !self.is_set("reasoning.includeInContext") {
            self.put("reasoning.includeInContext", SettingValue::Flag(true));
        }
    }

    fn put(&mut self, key: &str, value: SettingValue) {
        if let Some(at) = place(key) {
            self.values[at] = Some((value, SettingOrigin::Set));
        }
    }

    /// Whether a setting was set, by itself or by a profile.
    pub fn is_set(&self, key: &str) -> bool {
        place(key).is_some_and(|at| self.values[at].is_some())
    }

    /// The value in force, and its origin. `None`: unset.
    pub fn get(&self, key: &str) -> Option<(SettingValue, SettingOrigin)> {
        let at = place(key)?;
        self.values[at].or(SETTINGS[at].default.map(|value| (value, SettingOrigin::Default)))
    }

    /// All settings in force, in the order of the table: key, value as JSON text, origin.
    pub fn in_force(&self) -> impl Iterator<Item = (&'static str, String, SettingOrigin)> {
        SETTINGS.iter().filter_map(|row| self.get(row.key).map(|(value, from)| (row.key, value.json(), from)))
    }

    fn flag(&self, key: &str) -> bool {
        matches!(self.get(key), Some((SettingValue::Flag(true), _)))
    }

    fn count(&self, key: &str) -> Option<u64> {
        match self.get(key) {
            Some((SettingValue::Count(n), _)) => Some(n),
            _ => None,
        }
    }

    fn word(&self, key: &str) -> Option<&'static str> {
        match self.get(key) {
            Some((SettingValue::Word(word), _)) => Some(word),
            _ => None,
        }
    }

    /// `reasoning.enabled`.
    pub fn enabled(&self) -> bool {
        self.flag("reasoning.enabled")
    }

    /// `reasoning.includeInContext`.
    pub fn include_in_context(&self) -> bool {
        self.flag("reasoning.includeInContext")
    }

    /// `reasoning.includeInResponse`.
    pub fn include_in_response(&self) -> bool {
        self.flag("reasoning.includeInResponse")
    }

    /// `reasoning.format`.
    pub fn format(&self) -> &'static str {
        self.word("reasoning.format").unwrap_or(FORMATS[0])
    }

    /// `reasoning.stripFromContext`.
    pub fn strip_from_context(&self) -> Policy {
        match self.get("reasoning.stripFromContext") {
            Some((SettingValue::Policy(policy), _)) => policy,
            _ => Policy::None,
        }
    }

    /// `reasoning.effort`.
    pub fn effort(&self) -> Option<&'static str> {
        self.word("reasoning.effort")
    }

    /// `reasoning.maxTokens`.
    pub fn max_tokens(&self) -> Option<u64> {
        self.count("reasoning.maxTokens")
    }

    /// `llm.postproc.enabled`.
    pub fn postproc_enabled(&self) -> bool {
        self.flag("llm.postproc.enabled")
    }

    /// `llm.postproc.reasoning.max_tokens`.
    pub fn postproc_max_tokens(&self) -> u64 {
        self.count("llm.postproc.reasoning.max_tokens").unwrap_or(0)
    }

    /// `llm.postproc.reasoning.drop_from_history`.
    pub fn postproc_drop_from_history(&self) -> bool {
        self.flag("llm.postproc.reasoning.drop_from_history")
    }

    /// `llm.postproc.ngram.n`.
    pub fn postproc_ngram_n(&self) -> u64 {
        self.count("llm.postproc.ngram.n").unwrap_or(0)
    }

    /// `llm.postproc.ngram.window`.
    pub fn postproc_ngram_window(&self) -> u64 {
        self.count("llm.postproc.ngram.window").unwrap_or(0)
    }

    /// `llm.postproc.collapse.whitespace`.
    pub fn postproc_collapse_whitespace(&self) -> bool {
        self.flag("llm.postproc.collapse.whitespace")
    }

    /// The policy that all settings of `reasoning.*` amount to, in the order of LLXPRT: `stripFromContext`
    /// chooses the blocks, then `includeInContext=false` or `enabled=false` removes the rest.
    pub fn context_policy(&self) -> Policy {
        if self.include_in_context() && self.enabled() { self.strip_from_context() } else { Policy::All }
    }
}

fn place(key: &str) -> Option<usize> {
    SETTINGS.iter().position(|row| row.key == key)
}

fn keys() -> impl Iterator<Item = &'static str> {
    SETTINGS.iter().map(|row| row.key)
}

/// Whether an unknown key was probably meant to be a setting of this program.
fn is_meant(key: &str) -> bool {
    let lower = key.to_lowercase();
    let root = |name: &str| lower.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    // Lengths are compared first, since a profile may have many keys.
    let long = lower.chars().count();
    root("reasoning") || root("llm") || keys().any(|k| k.len().abs_diff(long) <= 2 && distance(key, k) <= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults() {
        let s = Settings::default();
        let lines: Vec<_> = s.in_force().map(|(key, value, _)| format!("{key}={value}")).collect();
        assert_eq!(
            lines,
            [
                "reasoning.enabled=true",
                "reasoning.includeInContext=false",
                "reasoning.includeInResponse=true",
                "reasoning.format=\"field\"",
                "reasoning.stripFromContext=\"none\"",
                "llm.postproc.enabled=true",
                "llm.postproc.reasoning.max_tokens=256",
                "llm.postproc.reasoning.drop_from_history=true",
                "llm.postproc.ngram.n=3",
                "llm.postproc.ngram.window=128",
                "llm.postproc.collapse.whitespace=true",
            ]
        );
        assert!(s.enabled() && !s.include_in_context() && s.include_in_response() && s.postproc_enabled());
        assert!(s.postproc_drop_from_history() && s.postproc_collapse_whitespace());
        assert_eq!((s.postproc_max_tokens(), s.postproc_ngram_n(), s.postproc_ngram_window()), (256, 3, 128));
        assert_eq!((s.format(), s.effort(), s.max_tokens()), ("field", None, None));
        assert!(SETTINGS.iter().all(|row| !s.is_set(row.key) && !row.about.is_empty()));
    }

    #[test]
    fn the_table_is_sound() {
        let names: Vec<_> = POLICIES.into_iter().filter(|name| *name != "allButLast").collect();
        assert_eq!(names, Policy::NAMES.map(|(name, _)| name));
        for (i, row) in SETTINGS.iter().enumerate() {
            assert_eq!(place(row.key), Some(i), "{}", row.key);
            assert!(is_meant(row.key));
            // Every default is a value that can be set.
            if let Some(value) = row.default {
                assert_eq!(row.kind.read(value.json().trim_matches('"')), Some(value), "{}", row.key);
            }
        }
    }

    #[test]
    fn set() {
        for (key, value, want) in [
            ("reasoning.enabled", "false", "false"),
            ("reasoning.format", "native", "\"native\""),
            ("reasoning.stripFromContext", "all-but-last", "\"allButLast\""),
            ("reasoning.stripFromContext", "allButLast", "\"allButLast\""),
            ("reasoning.stripFromContext", "keep-last-3", "\"keep-last-3\""),
            ("reasoning.effort", "minimal", "\"minimal\""),
            ("reasoning.maxTokens", "1", "1"),
            ("llm.postproc.reasoning.max_tokens", "0", "0"),
        ] {
            let mut settings = Settings::default();
            settings.set(key, value).unwrap();
            assert_eq!(
                settings.get(key).map(|(v, from)| (v.json(), from)),
                Some((want.into(), SettingOrigin::Set)),
                "{key}"
            );
            assert!(settings.is_set(key));
        }
        for (key, value, want) in [
            ("reasoning.enabled", "True", "reasoning.enabled: True is not allowed; allowed is true or false"),
            ("reasoning.enabled", "", "\"\" is not allowed"),
            ("reasoning.maxTokens", "+1", "allowed is a whole number from 1"),
            ("reasoning.maxTokens", "0", "allowed is a whole number from 1"),
            ("reasoning.maxTokens", "", "allowed is a whole number from 1"),
            ("llm.postproc.ngram.n", "-1", "allowed is a whole number from 0"),
            ("reasoning.effort", "hihg", "did you mean high?"),
            ("reasoning.stripFromContext", "allButlst", "did you mean allButLast?"),
            ("reasoning.efort", "low", "reasoning.efort: no such setting; did you mean reasoning.effort?"),
            ("effort", "low", "did you mean reasoning.effort?"),
            ("llm", "low", "did you mean llm.postproc.enabled?"),
            ("", "low", "no such setting"),
            ("\u{1b}[31m\u{202e}", "", "\\u{1b}[31m\\u{202e}: no such setting"),
        ] {
            let error = Settings::default().set(key, value).unwrap_err().to_string();
            assert!(error.contains(want), "{key}={value}: {error}");
        }
    }

    /// The order of LLXPRT: `stripFromContext` first, then what removes all that is left.
    #[test]
    fn the_policy_of_the_context() {
        for (strip, include, enabled, want) in [
            ("none", "true", "true", Policy::None),
            ("none", "false", "true", Policy::All),
            ("none", "true", "false", Policy::All),
            ("allButLast", "true", "true", Policy::AllButLast),
            ("allButLast", "false", "true", Policy::All),
            ("all", "true", "true", Policy::All),
        ] {
            let mut settings = Settings::default();
            settings.set("reasoning.stripFromContext", strip).unwrap();
            settings.set("reasoning.includeInContext", include).unwrap();
            settings.set("reasoning.enabled", enabled).unwrap();
            assert_eq!(settings.context_policy(), want, "{strip} {include} {enabled}");
        }
        assert_eq!(Settings::default().context_policy(), Policy::All);
    }

    #[test]
    fn a_policy_that_is_chosen_by_itself() {
        let mut settings = Settings::default();
        settings.choose(Policy::AllButLast);
        assert_eq!(settings.context_policy(), Policy::AllButLast);
        let mut settings = Settings::default();
        settings.load("{\"reasoning.includeInContext\":false}").unwrap();
        settings.choose(Policy::AllButLast);
        assert_eq!((settings.context_policy(), settings.strip_from_context()), (Policy::All, Policy::AllButLast));
    }
}
