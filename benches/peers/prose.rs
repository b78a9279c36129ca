//! Texts as models write them, as far as their bytes go: sentences, lists, code, quotes, some words that are not
//! English, and so a character that JSON must escape in every 60 to 80. Nothing in them looks like a tag.

use crate::random::Random;

/// The common ones come first and are drawn more often.
const WORDS: &str = "
    the a we so it to is of that and in if this be then not but on with as must at one can both what does still
    here there two only again first second since which every under between perhaps nothing another because
    answer question step value reader writer ledger harbour lantern sum offset margin weather carriage signal
    garden window bridge copper parcel journey kettle market orchard packet quarter railway saddle timber vessel
    willow yardstick anchor basket candle dynamo engine ferry granite hammer island jacket kernel ladder mirror
    needle oyster pencil quarry ribbon spindle thread umbrella valley whistle zipper counts follows divides
    doubles fails holds ignores joins keeps leaves moves opens passes returns shrinks turns balanced careful
    distant even frequent gentle hidden initial linear narrow obvious partial quick remaining sorted total
    unlikely wider
";

const RUSSIAN: &[&str] = &["дорога", "вечером", "кажется", "длиннее", "однако", "проще", "считать", "заново", "мост"];

const CHINESE: &[&str] = &["先看一下", "数据", "是否正确", "再计算", "答案", "因此", "可以", "这条路", "比较", "然后"];

const SYMBOLS: &[&str] = &["→", "≈", "×", "…", "é", "🙂", "🎯", "✓", "½", "—"];

/// Lines of programs, with `@` where a word goes.
const CODE: &[&str] = &[
    "for @ in range(len(@)):\n    if @[0] < 10:\n        print(\"@\", @)\n",
    "let @: Vec<u8> = @.iter().filter(|b| **b != b'\\n').copied().collect();\n",
    "{\"@\": [1, 2, 3], \"@\": {\"path\": \"D:\\\\@\\\\@\"}}\n",
    "SELECT @ FROM @\n\tWHERE @ = '@' AND @ < 7;\n",
    "<li class=\"@\"><a href=\"/@\">@</a></li>\n",
    "printf '%s\\n' \"$@\" | sort -u > @.txt\n",
];

/// A writer of texts.
pub struct Prose {
    /// Also for those who need a number beside a text.
    pub random: Random,
    divisor: usize,
    words: Vec<&'static str>,
}

impl Prose {
    /// The texts that belong to a seed; all lengths are divided by `divisor`.
    pub fn new(seed: u64, divisor: usize) -> Self {
        Self { random: Random::new(seed), divisor, words: WORDS.split_whitespace().collect() }
    }

    /// A text of about `low` to `high` bytes, without white space at its ends.
    pub fn text(&mut self, low: usize, high: usize) -> String {
        let length = self.random.length(low, high) / self.divisor;
        let mut text = String::with_capacity(length + 1024);
        while text.len() < length {
            if !text.is_empty() {
                text.push_str("\n\n");
            }
            self.paragraph(&mut text);
        }
        // Long texts end where a paragraph ends, short ones would be too long.
        if self.divisor > 1 {
            let end = text.char_indices().map(|(start, _)| start).find(|start| *start >= length).unwrap_or(text.len());
            text.truncate(text[..end].trim_end().len());
        }
        text
    }

    /// A word.
    pub fn word(&mut self) -> &'static str {
        let (one, other) = (self.random.below(self.words.len()), self.random.below(self.words.len()));
        self.words[one.min(other)]
    }

    /// Two words, as programmers join them.
    pub fn name(&mut self) -> String {
        format!("{}_{}", self.word(), self.word())
    }

    fn paragraph(&mut self, text: &mut String) {
        match self.random.below(100) {
            0..74 => self.sentences(text),
            74..82 => self.code(text),
            82..92 => self.list(text),
            92..95 => self.foreign(text, CHINESE, ""),
            95..97 => self.foreign(text, RUSSIAN, " "),
            _ => {
                let (one, other) = (self.word(), self.word());
                text.push_str(&format!("\\[ \\frac{{{one}}}{{2}} \\le \\sqrt{{{other}}} \\]"));
            }
        }
    }

    fn sentences(&mut self, text: &mut String) {
        for number in 0..self.random.between(1, 6) {
            if number > 0 {
                text.push(' ');
            }
            self.sentence(text);
        }
    }

    fn sentence(&mut self, text: &mut String) {
        let length = self.random.between(4, 20);
        // At which word something out of the ordinary stands, if it comes before the end of the sentence.
        let (quoted, symbol, call) = (self.random.below(140), self.random.below(400), self.random.between(1, 300));
        for number in 0..length {
            if number > 0 {
                text.push_str(if self.random.percent(6) { ", " } else { " " });
            }
            let word = self.word();
            if number == 0 {
                text.extend(word.chars().next().map(|first| first.to_ascii_uppercase()));
                text.push_str(&word[1..]);
            } else if number == quoted {
                text.push_str(&format!("\"{word}\""));
            } else if number == symbol {
                text.push_str(self.random.pick(SYMBOLS));
            } else if number == call {
                text.push_str(&format!("`{}({})`", self.name(), self.random.below(1000)));
            } else {
                text.push_str(word);
            }
        }
        text.push(['.', '.', '.', '?', ':'][self.random.below(5)]);
    }

    fn list(&mut self, text: &mut String) {
        for number in 0..self.random.between(2, 6) {
            if number > 0 {
                text.push('\n');
            }
            text.push_str(&format!("{}. ", number + 1));
            self.sentence(text);
        }
    }

    fn code(&mut self, text: &mut String) {
        text.push_str("```\n");
        for _ in 0..self.random.between(1, 4) {
            let mut rest = self.random.pick(CODE);
            while let Some((before, after)) = rest.split_once('@') {
                text.push_str(before);
                text.push_str(self.word());
                rest = after;
            }
            text.push_str(rest);
        }
        text.push_str("```");
    }

    fn foreign(&mut self, text: &mut String, words: &[&str], space: &str) {
        for number in 0..self.random.between(5, 30) {
            if number > 0 {
                text.push_str(space);
            }
            text.push_str(self.random.pick(words));
        }
    }
}
