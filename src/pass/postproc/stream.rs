//! One of the texts of a message on its way through the stages: characters, the service-token filter, words, the n-gram
//! guard.

use super::Process;
use super::chars::Chars;
use super::ngram::Guard;
use super::service::Service;
use super::words::{Word, Words};

/// One text of a message.
#[derive(Debug)]
pub(super) struct Stream {
    chars: Chars,
    service: Option<Service>,
    pub words: Words,
    guard: Option<Guard>,
    /// The words of it that went out.
    pub text: String,
    /// How many words that is.
    pub tokens: u64,
}

impl Stream {
    /// A text to which all of it is done, or nothing; `guarded`: repetition is suppressed, too.
    pub fn new(process: Option<&Process>, guarded: bool) -> Self {
        Self {
            chars: Chars::default(),
            service: process.map(|_| Service::default()),
            words: Words::new(process.is_some_and(|p| p.collapse)),
            guard: process.filter(|_| guarded).and_then(|p| Guard::new(p.n, p.window)),
            text: String::new(),
            tokens: 0,
        }
    }

    /// More text: the words that are complete. They have not passed the guard.
    pub fn feed(&mut self, text: &[u8]) -> Vec<Word> {
        let mut chars = String::with_capacity(text.len());
        self.chars.push(text, &mut chars);
        self.clean(&chars, false)
    }

    /// What waits for more text is decided without it. The last white space goes on waiting.
    pub fn end(&mut self) -> Vec<Word> {
        let mut chars = String::new();
        self.chars.end(&mut chars);
        self.clean(&chars, true)
    }

    fn clean(&mut self, text: &str, end: bool) -> Vec<Word> {
        let mut words = Vec::new();
        match &mut self.service {
            Some(service) => {
                let mut clean = String::with_capacity(text.len());
                service.push(text, &mut clean);
                if end {
                    service.end(&mut clean);
                }
                self.words.push(&clean, &mut words);
            }
            None => self.words.push(text, &mut words),
        }
        if end {
            self.words.end(&mut words);
        }
        words
    }

    /// A word on its way through the guard: the words that are decided, copies too.
    pub fn guard(&mut self, word: Word, out: &mut Vec<Word>) {
        match &mut self.guard {
            Some(guard) => guard.push(word, out),
            None => out.push(word),
        }
    }

    /// The words that wait for the guard: no copy begins in what came so far.
    pub fn waiting(&mut self, out: &mut Vec<Word>) {
        if let Some(guard) = &mut self.guard {
            guard.flush(out);
        }
    }

    /// Counts and keeps a word that goes out.
    pub fn add(&mut self, word: &Word) {
        self.tokens += u64::from(word.begins);
        self.text.push_str(&word.text);
    }
}
