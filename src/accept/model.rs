//! What the name of a model says: its family and its version. Names come with the prefixes of clouds and gateways, with
//! dates, and with or without points; nothing else of them counts.

/// The name of a model, in lower case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    name: Option<String>,
}

/// A version: the number, and the number behind the point.
pub type Version = (u32, u32);

/// The lines of Claude.
const CLAUDE: &[&str] = &["opus", "sonnet", "haiku", "fable"];

impl Model {
    /// The model of this name; without a name, no model is known.
    pub fn new(name: Option<&str>) -> Self {
        Self { name: name.filter(|name| !name.is_empty()).map(str::to_ascii_lowercase) }
    }

    /// The name.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Whether the name has one of these words in it.
    pub fn has(&self, words: &[&str]) -> bool {
        self.name().is_some_and(|name| words.iter().any(|word| name.contains(word)))
    }

    /// Whether it is a Claude: its line and its version, as far as the name has them.
    pub fn claude(&self) -> Option<(&str, Option<Version>)> {
        let name = self.name()?;
        let mut words = name.split(|c: char| !c.is_ascii_alphanumeric());
        let line = words.clone().find(|word| CLAUDE.contains(word));
        if line.is_none() && !words.clone().any(|word| word == "claude") {
            return None;
        }
        let is_number = |word: &&str| word.len() <= 2 && word.parse::<u32>().is_ok();
        let start = words.position(|word| word == "claude" || CLAUDE.contains(&word)).map(|_| words);
        let mut numbers = start.into_iter().flatten().skip_while(|word| !is_number(word)).take_while(is_number);
        let major = numbers.next().and_then(|word| word.parse().ok());
        let minor = numbers.next().and_then(|word| word.parse().ok()).unwrap_or(0);
        Some((line.unwrap_or_default(), major.map(|major| (major, minor))))
    }

    /// Whether it binds a block of thinking to all that stands before it.
    pub fn binds(&self) -> bool {
        self.claude().is_some_and(|(line, version)| line == "fable" && version >= Some((5, 1)))
    }

    /// The version behind a word of the name, such as 3.2 behind `deepseek-v`.
    pub fn version(&self, word: &str) -> Option<Version> {
        let name = self.name()?;
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        // The word may be the name of a maker as well, as in `qwen/qwen3.7-max`.
        name.match_indices(word).find_map(|(at, _)| {
            let rest = &name[at + word.len()..];
            let n = digits(rest);
            let major = rest[..n].parse().ok()?;
            let behind = rest[n..].strip_prefix(['.', 'p']);
            let minor = behind.and_then(|behind| behind[..digits(behind)].parse().ok()).unwrap_or(0);
            Some((major, minor))
        })
    }

    /// Whether two names are of one model: one may have a date, the name of a cloud, or a point instead of a hyphen.
    pub fn is_same(&self, other: &Model) -> bool {
        match (self.claude(), other.claude()) {
            (Some((line, Some(version))), Some((other, Some(of)))) => (line, version) == (other, of),
            _ => self.name == other.name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_claude() {
        for (name, line, version) in [
            ("claude-opus-4-6", "opus", Some((4, 6))),
            ("claude-sonnet-4-20250514", "sonnet", Some((4, 0))),
            ("claude-3-7-sonnet-20250219", "sonnet", Some((3, 7))),
            ("us.anthropic.claude-opus-4-8-v1:0", "opus", Some((4, 8))),
            ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "sonnet", Some((4, 5))),
            ("anthropic/Claude-Sonnet-4.6", "sonnet", Some((4, 6))),
            ("claude-fable-5-1", "fable", Some((5, 1))),
            ("claude-sonnet-5", "sonnet", Some((5, 0))),
            ("claude-opus-4-1@20250805", "opus", Some((4, 1))),
            ("claude-opus-4-8[1m]", "opus", Some((4, 8))),
            ("claude-2.1", "", Some((2, 1))),
            ("opus", "opus", None),
        ] {
            assert_eq!(Model::new(Some(name)).claude(), Some((line, version)), "{name}");
        }
        assert_eq!(Model::new(Some("gpt-5")).claude(), None);
        assert_eq!(Model::new(None).claude(), None);
    }

    #[test]
    fn versions_behind_a_word() {
        for (name, word, version) in [
            ("deepseek-v3.2", "deepseek-v", Some((3, 2))),
            ("deepseek-ai/DeepSeek-V4", "deepseek-v", Some((4, 0))),
            ("kimi-k2.6", "kimi-k", Some((2, 6))),
            ("accounts/fireworks/models/kimi-k2p5", "kimi-k", Some((2, 5))),
            ("kimi-k2-0905-preview", "kimi-k", Some((2, 0))),
            ("qwen3.7-max", "qwen", Some((3, 7))),
            ("qwen-max", "qwen", None),
            ("qwen/qwen3.6-plus", "qwen", Some((3, 6))),
            ("gemini-3-pro-preview", "gemini-", Some((3, 0))),
        ] {
            assert_eq!(Model::new(Some(name)).version(word), version, "{name}");
        }
    }

    #[test]
    fn the_same_model() {
        let same = |a, b| Model::new(Some(a)).is_same(&Model::new(Some(b)));
        assert!(same("claude-opus-4-8", "us.anthropic.claude-opus-4-8-v1:0"));
        assert!(same("claude-sonnet-4-5", "claude-sonnet-4-5-20250929"));
        assert!(!same("claude-opus-4-8", "claude-opus-4-7") && !same("claude-fable-5", "claude-opus-4-8"));
        assert!(same("GPT-5", "gpt-5") && !same("gpt-5", "claude-opus-4-8"));
    }
}
