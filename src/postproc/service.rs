//! The service-token filter removes `<|…|>` wherever it stands, also nested and in pieces, and channel markers
//! (`|final`, `|analysis`, `|assistant`) at the end of the text or of a line.
//!
//! A token is buffered while it may still be one. Tokens that begin inside of it are buffered with it, up to [`DEPTH`]
//! of them, so that removing the inner one does not leave a new token behind.

use std::collections::VecDeque;

/// The longest token, in characters between its bars.
const MAX_TOKEN_CHARS: usize = 64;

/// How many nested tokens are buffered.
const DEPTH: usize = 16;

const MARKERS: [&str; 3] = ["final", "analysis", "assistant"];

/// The state of the filter between pieces.
#[derive(Debug, Default)]
pub(super) struct Service {
    tokens: Tokens,
    markers: Markers,
    between: String,
}

impl Service {
    /// Reads text. The part that stays for sure goes to `out`.
    pub fn push(&mut self, text: &str, out: &mut String) {
        let idle = self.tokens.buffered.is_empty() && memchr::memchr(b'<', text.as_bytes()).is_none();
        let between = match idle {
            true => text,
            false => {
                self.between.clear();
                text.chars().for_each(|c| self.tokens.push(c, &mut self.between));
                &self.between
            }
        };
        match self.markers.state == ServiceState::Text && memchr::memchr(b'|', between.as_bytes()).is_none() {
            true => out.push_str(between),
            false => between.chars().for_each(|c| self.markers.push(c, out)),
        }
    }

    /// The text ends here.
    pub fn end(&mut self, out: &mut String) {
        self.between.clear();
        self.tokens.end(&mut self.between);
        self.between.chars().for_each(|c| self.markers.push(c, out));
        self.markers.end(out);
    }
}

#[derive(Debug, Default)]
struct Tokens {
    buffered: VecDeque<char>,
    /// Where tokens begin in `buffered`, the outermost first. `dropped`: how many bytes were removed from its front
    /// since.
    starts: VecDeque<usize>,
    dropped: usize,
}

impl Tokens {
    fn push(&mut self, c: char, out: &mut String) {
        let Some(start) = self.starts.back().map(|start| start - self.dropped) else {
            match c {
                '<' => self.begin(c, out),
                c => out.push(c),
            }
            return;
        };
        // How much of the innermost token there is: `<`, `<|`, `<|inside`, `<|inside|`.
        let len = self.buffered.len() - start;
        let bar = len > 2 && self.buffered.back() == Some(&'|');
        match c {
            '|' if len == 1 => self.buffered.push_back(c),
            '<' => self.begin(c, out),
            '>' if bar => {
                self.buffered.truncate(start);
                self.starts.pop_back();
            }
            '|' if len > 2 && !bar => self.buffered.push_back(c),
            '|' | '>' | '\n' => self.fail(c, out),
            // Some languages use these as operators: `f <| g x |> h`.
            c if len == 2 && c.is_whitespace() => self.fail(c, out),
            c if len > 1 && !bar && len - 2 < MAX_TOKEN_CHARS => self.buffered.push_back(c),
            c => self.fail(c, out),
        }
    }

    fn begin(&mut self, c: char, out: &mut String) {
        if self.starts.len() == DEPTH {
            self.starts.pop_front();
            let to = self.starts.front().map_or(self.buffered.len(), |start| start - self.dropped);
            out.extend(self.buffered.drain(..to));
            self.dropped += to;
        }
        self.starts.push_back(self.dropped + self.buffered.len());
        self.buffered.push_back(c);
    }

    /// The innermost token is not one. A `<` may still be a character of the token around it; a bar may not.
    fn fail(&mut self, c: char, out: &mut String) {
        let mut inner = self.starts.pop_back().map_or(0, |start| start - self.dropped);
        let mut mere = self.buffered.len() - inner == 1;
        while let Some(outer) = self.starts.back().map(|start| start - self.dropped).filter(|_| mere) {
            let bar = inner - outer > 2 && self.buffered.get(inner - 1) == Some(&'|');
            mere = inner - outer == 1;
            if !mere && !bar && self.buffered.len() - outer - 2 <= MAX_TOKEN_CHARS {
                return self.push(c, out);
            }
            inner = outer;
            if mere {
                self.starts.pop_back();
            }
        }
        self.end(out);
        self.push(c, out);
    }

    fn end(&mut self, out: &mut String) {
        out.extend(self.buffered.drain(..));
        self.starts.clear();
        self.dropped = 0;
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ServiceState {
    #[default]
    Text,
    /// A marker begins at this index of the buffer, and is incomplete.
    Name(usize),
    /// A marker is complete.
    Done,
    /// Blanks follow the marker.
    Blanks,
}

#[derive(Debug, Default)]
struct Markers {
    buffered: String,
    state: ServiceState,
    /// Where the markers end in the buffer.
    end: usize,
}

impl Markers {
    fn push(&mut self, c: char, out: &mut String) {
        match (self.state, c) {
            (ServiceState::Text, '|') | (ServiceState::Done, '|') => {
                self.state = ServiceState::Name(self.buffered.len());
                self.buffered.push(c);
            }
            (ServiceState::Text, c) => out.push(c),
            (ServiceState::Name(from), c) => {
                self.buffered.push(c);
                let name = &self.buffered[from + 1..];
                match MARKERS.iter().find(|marker| marker.starts_with(name)) {
                    Some(marker) if marker.len() == name.len() => {
                        (self.state, self.end) = (ServiceState::Done, self.buffered.len());
                    }
                    Some(_) => (),
                    None => {
                        self.buffered.pop();
                        self.stays(c, out);
                    }
                }
            }
            (ServiceState::Done | ServiceState::Blanks, ' ' | '\t' | '\r') => {
                self.buffered.push(c);
                self.state = ServiceState::Blanks;
            }
            (ServiceState::Done | ServiceState::Blanks, '\n') => {
                self.goes(out);
                out.push(c);
            }
            (ServiceState::Done | ServiceState::Blanks, c) => self.stays(c, out),
        }
    }

    fn stays(&mut self, c: char, out: &mut String) {
        out.push_str(&self.buffered);
        self.buffered.clear();
        self.state = ServiceState::Text;
        self.push(c, out);
    }

    fn goes(&mut self, out: &mut String) {
        out.push_str(&self.buffered[self.end..]);
        self.buffered.clear();
        self.state = ServiceState::Text;
    }

    fn end(&mut self, out: &mut String) {
        match self.state {
            ServiceState::Done | ServiceState::Blanks => self.goes(out),
            _ => {
                out.push_str(&self.buffered);
                self.buffered.clear();
                self.state = ServiceState::Text;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes() {
        let long = format!("a<|{}|>b", "x".repeat(64));
        let longer = format!("a<|{}|>b", "x".repeat(65));
        let long_with_mark = format!("a<|{}<xx|>b", "x".repeat(61));
        let cases = [
            ("", ""),
            ("a<|end|>b", "ab"),
            ("a <|start|>assistant<|x y|> b", "a assistant b"),
            ("a <| b and c |> d", "a <| b and c |> d"),
            ("a<||>b", "a<||>b"),
            ("a<|b", "a<|b"),
            ("a<|b|", "a<|b|"),
            ("a<|b\n|>", "a<|b\n|>"),
            ("a<|b>c|>", "a<|b>c|>"),
            ("a<|b|c|>", "a<|b|c|>"),
            ("a<|b<c|>d", "ad"),
            ("a<|b<|c|>d|>e", "ae"),
            ("a<|b<|c|d|>e|>", "a<|b<|c|d|>e|>"),
            ("<<|a|>|b|>c", "c"),
            ("a<|b|<|x|>>c", "ac"),
            ("a<|b|<x|>c", "a<|b|<x|>c"),
            ("a<|b<<x|>c", "ac"),
            ("<|<|x|>|>", "<||>"),
            ("a < b <| c", "a < b <| c"),
            ("<<<|a|>", "<<"),
            ("x|final", "x"),
            ("x |final", "x "),
            ("x|analysis|final \ny", "x \ny"),
            ("x|final\r\ny", "x\r\ny"),
            ("x|final y", "x|final y"),
            ("x|finally", "x|finally"),
            ("x|fin", "x|fin"),
            ("x||assistant", "x|"),
            ("|assistant\n|analysis\n", "\n\n"),
            ("x|final<|end|>", "x"),
            ("a|b|c", "a|b|c"),
            (long.as_str(), "ab"),
            (longer.as_str(), longer.as_str()),
            (long_with_mark.as_str(), "ab"),
        ];
        for (text, want) in cases {
            for piece in [usize::MAX, 1, 2, 3] {
                let (mut service, mut out) = (Service::default(), String::new());
                let chars: Vec<char> = text.chars().collect();
                for chunk in chars.chunks(piece.min(chars.len().max(1))) {
                    service.push(&chunk.iter().collect::<String>(), &mut out);
                }
                service.end(&mut out);
                assert_eq!(out, want, "{text:?} in pieces of {piece}");
            }
        }
    }

    #[test]
    fn little_is_buffered() {
        let (mut service, mut out) = (Service::default(), String::new());
        for _ in 0..10_000 {
            service.push("<|<", &mut out);
        }
        assert!(service.tokens.buffered.len() < 4 * DEPTH, "{}", service.tokens.buffered.len());
        // The innermost token is none, behind others that are no longer there.
        service.push(" is less", &mut out);
        service.end(&mut out);
        assert_eq!(out, "<|<".repeat(10_000) + " is less");
    }
}
