//! Profiles: settings as JSON text, flat or under `ephemeralSettings` as LLXPRT writes them.
//!
//! A profile of LLXPRT belongs to its user. Members that are not settings of this program are kept, and written back
//! with the same spelling.

use super::{ROWS, SETTINGS, SettingError, SettingOrigin, SettingType, Settings, is_meant, keys, place};
use crate::json::{self, Literal, Scanner, Token, scan, text};
use std::collections::HashMap;

/// The key under which LLXPRT keeps settings.
const NEST: &str = "ephemeralSettings";

/// Keys at the top level of LLXPRT's profiles (`packages/settings/src/profiles/types.ts`).
const TOP: &[&str] = &[
    "version",
    "type",
    "label",
    "description",
    "provider",
    "model",
    "modelParams",
    NEST,
    "auth",
    "imageProfile",
    "loadBalancer",
    "policy",
    "profiles",
    "contextLimit",
    "backend",
    "baseUrl",
    "defaults",
];

/// Settings of LLXPRT that begin like settings of this program: they are about its requests.
const THEIRS: &[&str] = &[
    "reasoning.adaptiveThinking",
    "reasoning.budgetTokens",
    "reasoning.effortMap",
    "reasoning.effortWireFormat",
    "reasoning.enabledMap",
    "reasoning.enabledWireFormat",
    "reasoning.fieldName",
    "reasoning.summary",
];

/// A member of an object: its key, and the bytes on both sides of the colon.
#[derive(Clone, Debug)]
struct ProfileMember {
    name: String,
    key: String,
    value: String,
}

/// The profile that was loaded, with all members, so that it can be written back.
#[derive(Clone, Debug, Default)]
pub(super) struct LoadedProfile {
    top: Vec<ProfileMember>,
    nest: Option<Vec<ProfileMember>>,
}

impl Settings {
    /// Loads a profile. Returns the keys in it that are not settings of this program. Settings that were set by
    /// themselves stay.
    ///
    /// # Errors
    /// When the text is not a JSON object, a key in it resembles a setting and is none, or a value is not allowed. Then
    /// nothing has changed.
    pub fn load(&mut self, profile: &str) -> Result<Vec<String>, SettingError> {
        let object = profile.strip_prefix('\u{feff}').unwrap_or(profile);
        if object.trim().is_empty() {
            return Err(SettingError::new("the profile is empty; it is a JSON object of settings"));
        }
        scan::validate(object.as_bytes())
            .map_err(|e| SettingError::new(format!("byte {}: {}", e.offset + profile.len() - object.len(), e.what)))?;
        let top = members(object).ok_or_else(|| SettingError::new("a profile is a JSON object of settings"))?;
        let nest = match top.iter().find(|member| member.name == NEST) {
            None => None,
            Some(member) => Some(
                members(&member.value)
                    .ok_or_else(|| SettingError::new(format!("{NEST}: it is an object of settings")))?,
            ),
        };
        let mut loaded = self.clone();
        let mut ignored = Vec::new();
        for member in top.iter().filter(|member| member.name != NEST) {
            let name = member.name.as_str();
            if place(name).is_some() && nest.is_some() {
                return Err(SettingError::new(format!("{name}: it stands beside {NEST}; its place is inside")));
            } else if !loaded.take_in(member)? {
                if is_meant(name) || (nest.is_none() && !TOP.contains(&name)) {
                    return Err(SettingError::unknown(name, keys().chain(TOP.iter().copied())));
                }
                ignored.push(member.name.clone());
            }
        }
        for member in nest.iter().flatten() {
            let name = member.name.as_str();
            if !loaded.take_in(member)? {
                if is_meant(name) && !THEIRS.contains(&name) {
                    return Err(SettingError::unknown(name, keys()));
                }
                ignored.push(member.name.clone());
            }
        }
        loaded.profile = LoadedProfile { top, nest };
        *self = loaded;
        Ok(ignored)
    }

    /// Reads a member of a profile. Returns whether it is a setting.
    fn take_in(&mut self, member: &ProfileMember) -> Result<bool, SettingError> {
        let Some(at) = place(&member.name) else {
            return Ok(false);
        };
        let row = &SETTINGS[at];
        let string = string(&member.value);
        let word = match (row.kind, &string) {
            (SettingType::Flag | SettingType::Count(_), None) => Some(member.value.as_str()),
            (SettingType::Word(_) | SettingType::Policy, Some(word)) => Some(word.as_str()),
            _ => None,
        };
        let Some(value) = word.and_then(|word| row.kind.read(word)) else {
            let written = match member.value.as_bytes() {
                [b'{', ..] => "an object",
                [b'[', ..] => "an array",
                _ => &member.value,
            };
            return Err(SettingError::value(row, written, string.as_deref().unwrap_or(&member.value)));
        };
        if !matches!(self.values[at], Some((_, SettingOrigin::Set))) {
            self.values[at] = Some((value, SettingOrigin::Profile));
        }
        Ok(true)
    }

    /// All settings in force as a profile that [`Settings::load`] takes: pretty JSON with flat dotted keys. If a
    /// profile was loaded, its settings are replaced in it: it stays nested if it was, and keeps all other members.
    pub fn to_profile(&self) -> String {
        match &self.profile.nest {
            None => self.object(&self.profile.top, ""),
            Some(nest) => {
                let mut top = Vec::new();
                for member in &self.profile.top {
                    let value = if member.name == NEST { self.object(nest, "  ") } else { member.value.clone() };
                    top.push(line(&member.key, &value));
                }
                braces(&top, "")
            }
        }
    }

    /// An object of these members, with the values of the settings in force.
    fn object(&self, members: &[ProfileMember], indent: &str) -> String {
        let mut written = [false; ROWS];
        let mut lines = Vec::new();
        for member in members {
            match place(&member.name) {
                Some(at) => {
                    written[at] = true;
                    lines.extend(self.get(&member.name).map(|(value, _)| line(&member.key, &value.json())));
                }
                None => lines.push(line(&member.key, &member.value)),
            }
        }
        for (row, _) in SETTINGS.iter().zip(written).filter(|(_, written)| !written) {
            lines.extend(self.get(row.key).map(|(value, _)| line(&format!("\"{}\"", row.key), &value.json())));
        }
        braces(&lines, indent)
    }
}

fn line(key: &str, value: &str) -> String {
    format!("{key}: {value}")
}

fn braces(lines: &[String], indent: &str) -> String {
    format!("{{\n{indent}  {}\n{indent}}}", lines.join(&format!(",\n{indent}  ")))
}

/// The members of an object, in order. If a key occurs twice, the last value counts, at the first one's place. `None`
/// if the valid text is no object.
fn members(object: &str) -> Option<Vec<ProfileMember>> {
    let mut members: Vec<ProfileMember> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut all = json::members(object.as_bytes(), 0);
    for (key, _, at) in all.by_ref() {
        let name = decoded(object, key);
        let value = object.get(at)?.to_string();
        match places.get(&name) {
            Some(&at) => members[at].value = value,
            None => {
                let key = object.get(key.start - 1..key.end + 1)?.to_string();
                places.insert(name.clone(), members.len());
                members.push(ProfileMember { name, key, value });
            }
        }
    }
    all.end().map(|_| members)
}

/// The text of a string literal; `None` for any other value.
fn string(value: &str) -> Option<String> {
    match Scanner::new(value.as_bytes()).ok()?.token().ok()? {
        Token::String(literal) => Some(decoded(value, literal)),
        _ => None,
    }
}

fn decoded(within: &str, literal: Literal) -> String {
    let mut out = Vec::new();
    text::decode(literal.raw(within.as_bytes()), &mut out);
    text::utf8(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Policy;

    const LLXPRT: &str = r#"{
  "version": 1,
  "provider": "openai",
  "modelParams": {
    "temperature": 0.70
  },
  "ephemeralSettings": {
    "context-limit": 100000,
    "reasoning.enabled": true,
    "reasoning.stripFromContext": "allButLast",
    "reasoning.summary": "auto",
    "auth-keyfile": "\u002fkeys/a"
  }
}"#;

    fn loaded(profile: &str) -> Settings {
        let mut settings = Settings::default();
        settings.load(profile).unwrap();
        settings
    }

    fn refused(profile: &str) -> String {
        Settings::default().load(profile).unwrap_err().to_string()
    }

    #[test]
    fn both_shapes() {
        let mut settings = Settings::default();
        let ignored = settings.load(LLXPRT).unwrap();
        assert_eq!(
            ignored,
            ["version", "provider", "modelParams", "context-limit", "reasoning.summary", "auth-keyfile"]
        );
        assert_eq!(settings.strip_from_context(), Policy::AllButLast);
        assert!(settings.is_set("reasoning.enabled") && !settings.is_set("reasoning.includeInContext"));
        let settings = loaded("\u{feff}{\"version\":1,\"reason\\u0069ng.maxTokens\":4096}");
        assert_eq!(settings.max_tokens(), Some(4096));
        assert!(loaded("{}").in_force().all(|(_, _, from)| from == SettingOrigin::Default));
        assert_eq!(loaded("{\"reasoning.effort\":\"no\",\"reasoning.effort\":\"low\"}").effort(), Some("low"));
    }

    #[test]
    fn what_is_set_by_itself_wins() {
        let mut settings = Settings::default();
        settings.set("reasoning.effort", "high").unwrap();
        settings.load("{\"reasoning.effort\":\"low\",\"reasoning.enabled\":false}").unwrap();
        assert_eq!((settings.effort(), settings.enabled()), (Some("high"), false));
    }

    #[test]
    fn a_profile_is_written_back() {
        let mut settings = loaded(LLXPRT);
        settings.set("reasoning.enabled", "false").unwrap();
        settings.set("reasoning.effort", "low").unwrap();
        let saved = settings.to_profile();
        let (head, rest) = LLXPRT.split_once("\"reasoning.enabled\": true").unwrap();
        let rest = rest.strip_suffix("\n  }\n}").unwrap();
        let want = format!("{head}\"reasoning.enabled\": false{rest},\n    \"reasoning.includeInContext\": false,\n");
        assert!(saved.starts_with(&want), "{saved}");
        assert!(saved.ends_with(",\n    \"llm.postproc.collapse.whitespace\": true\n  }\n}"), "{saved}");
        for profile in [LLXPRT, "{}", "{\"provider\":\"x\",\"reasoning.maxTokens\":1}", "{\"ephemeralSettings\":{}}"] {
            let settings = loaded(profile);
            let again = loaded(&settings.to_profile());
            let plain = |s: &Settings| s.in_force().map(|(key, value, _)| (key, value)).collect::<Vec<_>>();
            assert_eq!(plain(&settings), plain(&again), "{profile}");
            assert_eq!(settings.to_profile(), again.to_profile(), "{profile}");
        }
    }

    #[test]
    fn what_is_refused() {
        for (profile, want) in [
            ("", "the profile is empty"),
            (" \n", "the profile is empty"),
            ("[]", "a profile is a JSON object"),
            ("\"reasoning\"", "a profile is a JSON object"),
            ("{\"reasoning.enabled\":tru}", "byte 21: "),
            ("{\"ephemeralSettings\":null}", "ephemeralSettings: it is an object"),
            ("{\"reasoning.enable\":true}", "did you mean reasoning.enabled?"),
            ("{\"reasoning\":{\"enabled\":true}}", "reasoning: no such setting; did you mean reasoning.enabled?"),
            ("{\"context-limit\":1}", "context-limit: no such setting; did you mean contextLimit?"),
            ("{\"ephemeralSetting\":{}}", "did you mean ephemeralSettings?"),
            ("{\"ephemeralSettings\":{\"reasoning.effortt\":\"low\"}}", "did you mean reasoning.effort?"),
            ("{\"ephemeralSettings\":{\"Reasoning.Enabled\":true}}", "did you mean reasoning.enabled?"),
            ("{\"ephemeralSettings\":{\"easoning.enable\":true}}", "did you mean reasoning.enabled?"),
            (
                "{\"ephemeralSettings\":{\"llm.postproc.ngram.nn\":3}}",
                "no such setting; did you mean llm.postproc.ngram.n?",
            ),
            ("{\"ephemeralSettings\":{},\"reasoning.enabled\":true}", "its place is inside"),
            ("{\"ephemeralSettings\":{},\"reasoning.summary\":1}", "reasoning.summary: no such setting"),
            (
                "{\"reasoning.enabled\":\"true\"}",
                "reasoning.enabled: \"true\" is not allowed; allowed is true or false",
            ),
            ("{\"reasoning.enabled\":null}", "null is not allowed; allowed is true or false"),
            ("{\"reasoning.enabled\":1}", "1 is not allowed; allowed is true or false"),
            ("{\"reasoning.maxTokens\":1.5}", "1.5 is not allowed; allowed is a whole number from 1"),
            ("{\"reasoning.maxTokens\":-1}", "-1 is not allowed"),
            ("{\"reasoning.maxTokens\":0}", "0 is not allowed"),
            ("{\"reasoning.maxTokens\":\"5\"}", "\"5\" is not allowed"),
            ("{\"reasoning.maxTokens\":99999999999999999999}", "is not allowed"),
            ("{\"reasoning.effort\":\"hihg\"}", "allowed is minimal, low, medium, high; did you mean high?"),
            ("{\"reasoning.effort\":[1]}", "reasoning.effort: an array is not allowed"),
            ("{\"reasoning.stripFromContext\":\"allbutlast\"}", "did you mean allButLast?"),
            ("{\"reasoning.stripFromContext\":true}", "true is not allowed; allowed is none, all"),
        ] {
            let got = refused(profile);
            assert!(got.contains(want) && !got.contains('\n'), "{profile}: {got}");
        }
    }

    #[test]
    fn no_input_is_too_much() {
        let deep = format!("{{\"modelParams\":{}{}}}", "[".repeat(1 << 18), "]".repeat(1 << 18));
        assert_eq!(Settings::default().load(&deep).unwrap(), ["modelParams"]);
        assert!(refused(&"[".repeat(1 << 18)).starts_with("byte "));
        let long = refused(&format!("{{\"{}\":1}}", "reasoning.\\u001b".repeat(1 << 12)));
        assert!(long.len() < 400 && !long.contains('\u{1b}'), "{long}");
        let many: String = (0..20_000).map(|n| format!("\"reason{n}\":{n},")).collect();
        let many = format!("{{\"ephemeralSettings\":{{{many}\"a\":1}}}}");
        assert_eq!(Settings::default().load(&many).unwrap().len(), 20_001);
        assert!(refused("{\"reasoning.effort\":\"\\ud800\"}").contains("is not allowed"));
    }
}
