//! The n-gram guard: leaves out whole copies of the words before them.
//!
//! Where a unit of p words repeats at once, the first copies that make at least n words stay, that is K = p⌈n/p⌉ words,
//! and every further whole copy goes. An incomplete copy stays. K must not exceed the window, so that every n up to the
//! window works. A word goes if it goes for any unit. The shortest unit of a stretch keeps the least of it, so that
//! longer units, which are multiples of it, change nothing.
//!
//! ```text
//! n = 3   go go go go go          → go go go
//!         x y z x y z x y z       → x y z
//!         a b a b a b a b a       → a b a b a
//! ```
//!
//! A word that may be part of a copy waits until that is known. For every p, the guard keeps the length of the run of
//! words that equal the word p before; so the cost of a word is limited by the window, whatever the text is.

use super::words::Word;
use std::collections::{HashMap, VecDeque};

/// The longest unit, in words, whatever the window.
const MAX_UNIT_WORDS: usize = 1 << 14;

/// The guard of one text, between words.
#[derive(Debug)]
pub(super) struct Guard {
    /// At index p - 1: the length of a run of p-word units when the words that stay are complete; and when one more
    /// copy is.
    kept: Vec<u32>,
    full: Vec<u32>,
    runs: Vec<u32>,
    /// The numbers of past words, the last word first, from `front` on. The space before `front` is free.
    past: Vec<u32>,
    front: usize,
    /// The number of each word, and how often the word occurs in the past.
    names: HashMap<String, (u32, u32)>,
    texts: VecDeque<String>,
    last: u32,
    /// Words that wait.
    waiting: VecDeque<Word>,
}

impl Guard {
    /// A guard, unless it would let everything pass.
    pub fn new(n: u64, window: u64) -> Option<Self> {
        let window = usize::try_from(window).unwrap_or(usize::MAX).min(u32::MAX as usize / 4);
        let n = usize::try_from(n).ok().filter(|n| (1..=window).contains(n))?;
        let stays = |p: usize| p * n.div_ceil(p);
        let never = |p: usize| stays(p) > window;
        let longest = (1..=window.min(MAX_UNIT_WORDS)).rev().find(|p| !never(*p))?;
        let at = |p: usize, more: usize| if never(p) { u32::MAX } else { (stays(p) - p + more) as u32 };
        Some(Self {
            kept: (1..=longest).map(|p| at(p, 0)).collect(),
            full: (1..=longest).map(|p| at(p, p)).collect(),
            runs: vec![0; longest],
            past: vec![0; 4 * longest],
            front: 4 * longest,
            names: HashMap::new(),
            texts: VecDeque::new(),
            last: 0,
            waiting: VecDeque::new(),
        })
    }

    /// Reads a word. Words that are decided go to `out`, copies too.
    pub fn push(&mut self, word: Word, out: &mut Vec<Word>) {
        if word.part {
            // A word in parts is never compared.
            self.flush(out);
            out.push(word);
            return;
        }
        let name = self.name(&word.text[word.at..]);
        let (copy, open) = self.count(name);
        self.remember(name);
        self.waiting.push_back(word);
        let first = self.waiting.len().saturating_sub(copy);
        self.waiting.range_mut(first..).for_each(|word| word.copy = true);
        let decided = self.waiting.len().saturating_sub(open);
        out.extend(self.waiting.drain(..decided));
    }

    /// Sends the words that wait, and forgets all words so far.
    pub fn flush(&mut self, out: &mut Vec<Word>) {
        out.extend(self.waiting.drain(..));
        self.runs.fill(0);
        self.front = self.past.len();
        self.names.clear();
        self.texts.clear();
    }

    /// Updates the runs with a word. Returns the length of the longest copy that it completes, and of the longest open
    /// one.
    fn count(&mut self, name: u32) -> (usize, usize) {
        let (mut copy, mut open) = (0_u32, 0_u32);
        let known = self.past.len().saturating_sub(self.front).min(self.runs.len());
        let past = &self.past[self.front..self.front + known];
        // One pass without a branch, which the compiler can vectorize.
        for (((run, past), kept), full) in self.runs.iter_mut().zip(past).zip(&self.kept).zip(&self.full) {
            let longer = if *past == name { *run + 1 } else { 0 };
            let whole = longer == *full;
            copy = copy.max(if whole { full.wrapping_sub(*kept) } else { 0 });
            *run = if whole { *kept } else { longer };
            open = open.max(run.saturating_sub(*kept));
        }
        (copy as usize, open as usize)
    }

    fn remember(&mut self, name: u32) {
        if self.front == 0 {
            let keep = self.runs.len();
            self.front = self.past.len() - keep;
            self.past.copy_within(..keep, self.front);
        }
        self.front -= 1;
        self.past[self.front] = name;
    }

    /// The number of a word: equal words have the same, as long as one is in the past.
    fn name(&mut self, word: &str) -> u32 {
        if self.texts.len() > self.runs.len()
            && let Some(old) = self.texts.pop_front()
            && let Some((_, times)) = self.names.get_mut(&old)
        {
            *times -= 1;
            if *times == 0 {
                self.names.remove(&old);
            }
        }
        self.texts.push_back(word.to_string());
        if let Some((name, times)) = self.names.get_mut(word) {
            *times += 1;
            return *name;
        }
        self.last = self.last.wrapping_add(1);
        self.names.insert(word.to_string(), (self.last, 1));
        self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn guarded(text: &str, n: u64, window: u64) -> String {
        let mut out = Vec::new();
        let mut guard = Guard::new(n, window);
        for word in text.split_whitespace() {
            let word = Word { text: word.to_string(), at: 0, begins: true, part: word.contains('…'), copy: false };
            match &mut guard {
                Some(guard) => guard.push(word, &mut out),
                None => out.push(word),
            }
        }
        guard.iter_mut().for_each(|guard| guard.flush(&mut out));
        out.into_iter().filter(|word| !word.copy).map(|word| word.text).collect::<Vec<_>>().join(" ")
    }

    /// The definition, word for word.
    fn naive(text: &str, n: u64, window: u64) -> String {
        let (words, n, window): (Vec<&str>, _, _) = (text.split_whitespace().collect(), n as usize, window as usize);
        let mut goes = vec![false; words.len()];
        for p in (1..=window).filter(|p| n > 0 && p * n.div_ceil(*p) <= window) {
            let stays = p * n.div_ceil(p);
            let mut from = 0;
            while from < words.len() {
                let run = (from + p..words.len()).take_while(|i| words[*i] == words[*i - p]).count();
                let copies = (run + p).saturating_sub(stays) / p;
                if from + p <= words.len() && copies > 0 {
                    goes[from + stays..from + stays + copies * p].fill(true);
                }
                from += run + 1;
            }
        }
        let stays = words.iter().zip(goes).filter(|(_, goes)| !goes).map(|(word, _)| *word);
        stays.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn units() {
        for (text, n, window, want) in [
            ("go go go go go", 3, 128, "go go go"),
            ("x y z x y z x y z", 3, 128, "x y z"),
            ("a b a b a b a b", 3, 128, "a b a b"),
            ("a b a b a b a b a", 3, 128, "a b a b a"),
            ("x y z x y w", 3, 128, "x y z x y w"),
            ("x y z x y", 3, 128, "x y z x y"),
            ("a a b b a a b b", 1, 128, "a b"),
            ("a a a", 0, 128, "a a a"),
            ("a a a", 1, 0, "a a a"),
            ("a a a", 1, 1, "a"),
            ("a a a", 2, 1, "a a a"),
            ("a a a", 1, 2, "a"),
            ("go go go go go go", 3, 3, "go go go"),
            ("a a a a a a", 4, 3, "a a a a a a"),
            ("a a a a a a", 4, 4, "a a a a"),
            ("a b c d a b c d", 3, 3, "a b c d a b c d"),
            ("a b c d a b c d", 3, 4, "a b c d"),
            ("a b a b a b", 3, 3, "a b a b a b"),
            ("a a a… a… a a a a", 3, 128, "a a a… a… a a a"),
        ] {
            assert_eq!(guarded(text, n, window), want, "{text}, {n}, {window}");
        }
        for n in [1, 2, 3, 64, 127, 128] {
            assert_eq!(guarded(&"go ".repeat(300), n, 128), "go ".repeat(n as usize).trim(), "{n}");
        }
        for unit in [64, 65, 100, 128] {
            let unit: Vec<String> = (0..unit).map(|i| i.to_string()).collect();
            let unit = unit.join(" ");
            assert_eq!(guarded(&format!("{unit} {unit} {unit}"), 3, 128), unit);
        }
        let long = 3 * MAX_UNIT_WORDS as u64;
        assert_eq!(guarded(&"go ".repeat(4 * MAX_UNIT_WORDS), long, long), "go ".repeat(3 * MAX_UNIT_WORDS).trim());
        assert!(Guard::new(u64::MAX, u64::MAX).is_none());
        assert!(Guard::new(3, u64::MAX).is_some());
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

        #[test]
        fn as_defined(
            units in prop::collection::vec((prop::sample::select(vec!["a ", "b ", "a b ", "a b c ", "b a a ", "c "]), 1usize..6), 0..12),
            n in 0u64..7,
            window in 0u64..24,
        ) {
            let text: String = units.iter().map(|(unit, times)| unit.repeat(*times)).collect();
            prop_assert_eq!(guarded(&text, n, window), naive(&text, n, window), "{}", text);
        }

        #[test]
        fn without_repeats(seed in prop::collection::vec(any::<u16>(), 0..300)) {
            let text: Vec<String> = seed.iter().enumerate().map(|(i, n)| format!("{i}-{n}")).collect();
            prop_assert_eq!(guarded(&text.join(" "), 1, 128), text.join(" "));
        }
    }
}
