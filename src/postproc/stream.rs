//! One text of a message, in stages: characters, the service-token filter, words, the n-gram guard.

use super::Process;
use super::chars::Chars;
use super::ngram::Guard;
use super::service::Service;
use super::words::{Word, WordWindow};

/// The state of one text of a message.
#[derive(Debug)]
pub(super) struct Stream {
    chars: Chars,
    service: Option<Service>,
    pub words: WordWindow,
    guard: Option<Guard>,
    /// The words that were sent.
    pub text: String,
    /// How many words were sent.
    pub tokens: u64,
}

impl Stream {
    /// A text with all stages, or with words only. `guarded`: repetition is suppressed, too.
    pub fn new(process: Option<&Process>, guarded: bool) -> Self {
        Self {
            chars: Chars::default(),
            service: process.map(|_| Service::default()),
            words: WordWindow::new(process.is_some_and(|p| p.collapse)),
            guard: process.filter(|_| guarded).and_then(|p| Guard::new(p.n, p.window)),
            text: String::new(),
            tokens: 0,
        }
    }

    /// Reads text. Returns the words that it completes, which have not passed the guard.
    pub fn feed(&mut self, text: &[u8]) -> Vec<Word> {
        let mut chars = String::with_capacity(text.len());
        self.chars.push(text, &mut chars);
        self.clean(&chars, false)
    }

    /// Ends the text for now: what waits for more is decided without it, except white space at the end.
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

    /// Passes a word through the guard. Words that are decided go to `out`, copies too.
    pub fn guard(&mut self, word: Word, out: &mut Vec<Word>) {
        match &mut self.guard {
            Some(guard) => guard.push(word, out),
            None => out.push(word),
        }
    }

    /// Sends the words that wait in the guard: no copy begins in them.
    pub fn waiting(&mut self, out: &mut Vec<Word>) {
        if let Some(guard) = &mut self.guard {
            guard.flush(out);
        }
    }

    /// Counts and keeps a word that is sent.
    pub fn add(&mut self, word: &Word) {
        self.tokens += u64::from(word.begins);
        self.text.push_str(&word.text);
    }
}
