//! Values in the lines of a text, and keys of the vocabulary outside of values.

use super::prefix::LinePrefix;
use super::{HEAD, INSIDE, LINE, TextLines};
use crate::dialect::line::{Ends, LineSigns, begins, blank, brackets, ends, raw_end, value, without_colours};
use crate::dialect::reader::Suspect;
use crate::dialect::suspect::{
    Keys, Look, Pieces, Printed, Quotes, Until, free, over_lines, pointer, sequence, string_in,
};
use crate::inline::Tags;
use crate::json::text as json_text;
use memchr::{memchr, memchr2, memchr2_iter, memmem};
use std::borrow::Cow;

/// The most bytes of a value over several lines that are looked at, if it is behind other text, or its quotes are not
/// those of JSON.
const REACH: usize = 64 * 1024;

/// The most lines in a row of other programs in a value.
const MAX_OTHER_LINES: usize = 16;

/// In how many lines the first quote of a value is looked for.
const FIRST: usize = 8;

/// What a line is.
pub(super) enum LineClass {
    Text,
    /// The first bytes of the text, up to this offset, are refused.
    Refused(usize, Suspect, Until),
    Open,
}

impl TextLines {
    /// A value that begins the first line, and may end lines later.
    pub(super) fn object(&mut self, text: &[u8], offset: u64, last: bool) -> LineClass {
        let start = blank(text);
        if self.known.tried > offset || !matches!(text.get(start), Some(b'{' | b'[')) {
            return LineClass::Text;
        }
        let (value, ended) = value(&text[start..]);
        let end = match ended {
            Ends::At(end) => end,
            Ends::Open if !last => return LineClass::Open,
            // What is there of a value counts.
            Ends::Open => return self.part(text, (start, text.len() - start), offset),
            Ends::Wrong(end) => return self.part(text, (start, end.min(text.len() - start)), offset),
        };
        let colours = matches!(value, Cow::Owned(_));
        let len = if colours { start + raw_end(&text[start..], end) } else { start + end };
        // What stands behind it in its last line has to come first.
        if !last && memchr(b'\n', &text[len..]).is_none() {
            return LineClass::Open;
        }
        let place = Some(0).filter(|_| self.is_piece(&value[..end], offset + start as u64));
        let Some(at) = self.search.record(&value[..end]).or(place) else {
            let rest = &text[len..len + memchr(b'\n', &text[len..]).unwrap_or(text.len() - len)];
            let rest = rest.trim_ascii();
            // What stands behind it in its last line is searched like other text.
            let whole = rest.is_empty() || rest == b",";
            let several = memchr::memrchr(b'\n', &text[..len]).map_or(0, |n| n + 1);
            self.known.clear = offset + if whole { len } else { several } as u64;
            return LineClass::Text;
        };
        let place = if colours { raw_end(&text[start..], at) } else { at };
        let suspect =
            Suspect { offset: offset + (start + place) as u64, pointer: pointer(&value[..end], at), what: LINE };
        LineClass::Refused(len, suspect, Until::Line)
    }

    /// A value that begins the first line, and does not come to its end.
    fn part(&mut self, text: &[u8], (start, len): (usize, usize), offset: u64) -> LineClass {
        let value = without_colours(&text[start..start + len]);
        match self.search.record(&value) {
            Some(at) => {
                let suspect = Suspect { offset: offset + start as u64, pointer: pointer(&value, at), what: LINE };
                LineClass::Refused(start + len, suspect, Until::Line)
            }
            None => {
                self.known.tried = offset + (start + len) as u64;
                LineClass::Text
            }
        }
    }

    /// Whether a text of values that stands at `offset` has a part of a block in it that began in an earlier one. Lines
    /// are looked at more than once, but are read once.
    fn is_piece(&mut self, values: &[u8], offset: u64) -> bool {
        self.read_once(offset, |pieces, tags| pieces.inside(tags, values))
    }

    /// Whether a line may be a string, which may be a piece of a text: one that is not over, or has the kind of a piece.
    pub(super) fn may_be_piece(&self, line: &[u8]) -> bool {
        !self.known.unquoted && is_quoted(line) && (self.pieces.wait() || line.first() != Some(&b'"'))
    }

    /// The same for a line that is one string, as programs print the pieces of a stream. Some put the kind of the piece in front,
    /// and who cuts them out of a log its key. One that is indented is an element of a list.
    fn is_printed_piece(&mut self, line: &[u8], offset: u64) -> bool {
        let text = match line {
            [kind, b':', string @ ..] if kind.is_ascii_alphanumeric() => string,
            _ => MEMBERS.iter().find_map(|key| line.strip_prefix(*key)).map_or(line, <[u8]>::trim_ascii_start),
        };
        string_in(text).is_some_and(|plain| self.read_once(offset, |pieces, tags| pieces.line(tags, &plain)))
    }

    /// Moves on behind a line: a text that is no string ends the stream.
    pub(super) fn pass_string(&mut self, line: &[u8]) {
        if !self.known.unquoted && !is_quoted(line) && !line.trim_ascii().is_empty() {
            self.known.unquoted = true;
            self.pieces.end_lines();
        }
    }

    fn read_once(&mut self, offset: u64, read: impl FnOnce(&mut Pieces, &Tags) -> bool) -> bool {
        if self.fence.is_some() {
            return false;
        }
        if offset >= self.known.read.0 {
            self.known.read = (offset + 1, read(&mut self.pieces, &self.tags));
        }
        offset + 1 == self.known.read.0 && self.known.read.1
    }

    /// Whether a line is one string, as a program prints a text.
    pub(super) fn string(&mut self, line: &[u8], signs: LineSigns, offset: u64) -> LineClass {
        let (text, whole) = (line.trim_ascii(), self.line.head.is_empty());
        if whole && !self.known.unquoted && is_quoted(line) && self.is_printed_piece(text, offset) {
            let suspect = Suspect { offset, pointer: String::new(), what: INSIDE };
            return LineClass::Refused(line.len(), suspect, Until::Line);
        }
        if !signs.has(LineSigns::ESCAPE) {
            return LineClass::Text;
        }
        // What was given out before the rest of the line came is not looked at.
        let held = || free(line, self.given());
        if memmem::find(line, b"\\n").is_some()
            && self.search.may_be_turn(line)
            && let held = held()
            && let Some(from) = memchr2(b'"', b'\'', &line[held..]).map(|at| held + at)
            && self.search.is_tagged(&json_text::decoded(&line[from + 1..]))
        {
            let suspect = Suspect { offset: offset + from as u64, pointer: String::new(), what: INSIDE };
            return LineClass::Refused(line.len(), suspect, Until::Line);
        }
        if !whole {
            return LineClass::Text;
        }
        let ([quote @ (b'"' | b'\''), b'<' | b'[' | b'{' | b'\\' | 0xE2, ..], Some(end)) = (text, text.last()) else {
            return LineClass::Text;
        };
        if end != quote {
            return LineClass::Text;
        }
        let decoded = json_text::decoded(&text[1..text.len() - 1]);
        if !self.search.is_tagged(&decoded) && !self.search.is_json(&decoded) {
            return LineClass::Text;
        }
        let at = text.as_ptr() as usize - line.as_ptr() as usize;
        let suspect = Suspect { offset: offset + at as u64, pointer: String::new(), what: INSIDE };
        LineClass::Refused(line.len(), suspect, Until::Line)
    }

    /// A tag at the start of a line whose parts are in colours, so that the text is not read for it.
    pub(super) fn coloured(&mut self, line: &[u8], offset: u64) -> LineClass {
        let first = line.trim_ascii_start().first();
        if !matches!(first, Some(b'<' | 0x1B)) || memchr(b'<', line).is_none() {
            return LineClass::Text;
        }
        // Behind other text, it may be a word that a search has found in a file.
        if !self.line.head.is_empty() || free(line, None) > 0 {
            return LineClass::Text;
        }
        let plain = without_colours(line);
        let first = plain.len() - plain.trim_ascii_start().len();
        let Some(tag) = self.tags.stands(&plain, first).ok().flatten().filter(|tag| tag.at.start == first) else {
            return LineClass::Text;
        };
        let (from, to) = (raw_end(line, first + 1), raw_end(line, tag.at.end));
        let name = plain[tag.at.clone()].strip_prefix(b"<");
        let Some(name) = name.filter(|_| memchr(0x1B, &line[from..to]).is_some()) else {
            return LineClass::Text;
        };
        let len = name.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b':')).count();
        let close = [b"</", &name[..len], b">"].concat();
        let more = tag.opens && len > 0 && memmem::find(&plain, &close).is_none();
        let suspect = Suspect { offset, pointer: String::new(), what: INSIDE };
        LineClass::Refused(line.len(), suspect, if more { Until::Text(close) } else { Until::Line })
    }

    /// A value that begins in the first line, and goes on in the next ones.
    pub(super) fn over_lines(&mut self, text: &[u8], line: usize, offset: u64, last: bool) -> LineClass {
        let Some(start) = opens(&text[..line]).filter(|start| self.known.tried <= offset + *start as u64) else {
            return LineClass::Text;
        };
        let reach = text.len().min(start + REACH);
        // The next line with more than brackets decides.
        let more = |line: &[u8]| line.iter().any(|b| !b.is_ascii_whitespace() && !matches!(b, b'{' | b'['));
        let decides = |line: &[u8]| line.ends_with(b"\n") && more(line);
        if !last && reach < start + 1024 && !text[line..reach].split_inclusive(|b| *b == b'\n').any(decides) {
            return LineClass::Open;
        }
        // No more of it counts.
        let before = [&self.line.head, &text[..start.min(HEAD)]].concat();
        let prefix = LinePrefix::shared(&before, &text[line..reach]);
        let first = match prefix.is_empty() {
            true => Cow::Borrowed(&text[start..reach]),
            false => prefix
                .lines(&text[start..reach])
                .take(FIRST)
                .flat_map(|(line, _)| line.into_iter().flatten())
                .copied()
                .collect(),
        };
        let Some(quotes) = Quotes::first(&first) else { return LineClass::Text };
        let (mut value, mut end, mut depth) = (Vec::new(), start, 0_usize);
        // Lines of other programs may stand between those of the value; many of them end it.
        let (mut at, mut others) = (start, 0);
        for (line, len) in prefix.lines(&text[start..reach]) {
            at += len;
            let Some(line) = line else {
                others += 1;
                if others > MAX_OTHER_LINES {
                    break;
                }
                continue;
            };
            let from = value.len();
            value.extend_from_slice(&quotes.decode(line));
            (end, others) = (at, 0);
            depth = brackets(&value[from..], depth);
            if depth == 0 {
                break;
            }
        }
        let cut = others > MAX_OTHER_LINES || others > 0 && last;
        if depth > 0 && !last && !cut && reach < start + REACH {
            return LineClass::Open;
        }
        let pieces = self.is_piece(&value, offset + start as u64);
        let Some(at) = self.search.record(&value).or(Some(0).filter(|_| pieces)) else {
            self.known.tried = offset + end as u64;
            return LineClass::Text;
        };
        let until = if depth > 0 && !cut { Until::Rest } else { Until::Line };
        let suspect = Suspect { offset: offset + start as u64, pointer: pointer(&value, at), what: INSIDE };
        LineClass::Refused(end, suspect, until)
    }

    /// An object that a program has printed with an argument in each line.
    pub(super) fn printed(&mut self, text: &[u8], line: usize, offset: u64, last: bool) -> LineClass {
        let first = &text[..line];
        let ends = |line: &[u8]| line.trim_ascii_end().ends_with(b"(");
        // Of a line in colours, only the end is looked at first: this is asked of every line.
        let colours = || memchr(0x1B, &first[line.saturating_sub(MAX_COLOUR_BYTES)..]).is_some();
        let may = ends(first) || colours() && ends(&without_colours(first));
        if !may {
            return LineClass::Text;
        }
        let Some(bracket) = memchr::memrchr(b'(', first) else { return LineClass::Text };
        // What was given out before the rest of the line came is not looked at.
        let held = free(first, self.given());
        let class = first[..bracket].iter().rev().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        let start = if held + class <= bracket { bracket - class } else { bracket };
        if held > start || self.known.printed > offset + start as u64 {
            return LineClass::Text;
        }
        let reach = text.len().min(start + REACH);
        let all = last && reach == text.len() || reach == start + REACH;
        match over_lines(&text[start..reach], all) {
            Printed::Nothing => LineClass::Text,
            Printed::Open => LineClass::Open,
            Printed::Object(len, false) => {
                self.known.printed = offset + (start + len) as u64;
                LineClass::Text
            }
            Printed::Object(len, true) => {
                let suspect = Suspect { offset: offset + start as u64, pointer: String::new(), what: INSIDE };
                LineClass::Refused(start + len, suspect, Until::Line)
            }
        }
    }

    /// Values behind a prefix in a line.
    pub(super) fn behind(&mut self, line: &[u8], offset: u64) -> LineClass {
        if let Some(found) = self.values(line) {
            let (at, pointer) = found;
            let suspect = Suspect { offset: offset + at as u64, pointer, what: INSIDE };
            return LineClass::Refused(line.len(), suspect, Until::Line);
        }
        if memchr::memchr3(0x1B, b'\\', b'&', line).is_none() {
            return LineClass::Text;
        }
        let mut plain = std::mem::take(&mut self.plain);
        plain.read(line);
        let found = self.values(&plain.text);
        let found = found.map(|(at, pointer)| Suspect { offset: offset + plain.raw(at) as u64, pointer, what: INSIDE });
        self.plain = plain;
        found.map_or(LineClass::Text, |suspect| LineClass::Refused(line.len(), suspect, Until::Line))
    }

    /// Values in a line whose quotes are not those of JSON, and pieces of a block in several lines.
    pub(super) fn in_other_quotes(&mut self, line: &[u8], offset: u64) -> LineClass {
        let Some(from) = memchr2_iter(b'{', b'[', line).find(|at| Quotes::first(&line[*at..]).is_some()) else {
            return LineClass::Text;
        };
        let may = |line: &[u8]| self.tags.may_hold(line, true) || Keys::may_be_in(line);
        let other = |at: usize| !matches!(Quotes::first(&line[at..]), None | Some(Quotes::Bare));
        let others = may(line) && memchr2_iter(b'{', b'[', &line[from..]).any(|at| other(from + at));
        if self.is_piece(&line[from..], offset + from as u64) || others && self.search.is_json(&line[from..]) {
            let suspect = Suspect { offset: offset + from as u64, pointer: String::new(), what: INSIDE };
            return LineClass::Refused(line.len(), suspect, Until::Line);
        }
        LineClass::Text
    }

    /// The first value in a line that may hold reasoning: where, and its pointer.
    fn values(&mut self, line: &[u8]) -> Option<(usize, String)> {
        let mut done = 0;
        for start in memchr2_iter(b'{', b'[', line) {
            if start < done || !begins(&line[start..]) {
                continue;
            }
            done = match ends(&line[start..]) {
                Ends::At(len) | Ends::Wrong(len) => start + len.max(1),
                Ends::Open => line.len(),
            };
            // Of a line with many values, each is looked at once.
            let value = &line[start..done];
            if let Some(at) = self.search.record(value) {
                return Some((start + at, pointer(value, at)));
            }
        }
        None
    }

    /// A key of the vocabulary in a line that is no JSON by itself.
    pub(super) fn key(&mut self, text: &[u8], line: usize, offset: u64, last: bool) -> LineClass {
        match self.keys.look(text, (line, self.given()), last, &mut self.search) {
            Look::Nothing => LineClass::Text,
            Look::Open => LineClass::Open,
            Look::Found(found) => {
                let pointer = format!("/{}", found.key.replace('~', "~0").replace('/', "~1"));
                let suspect = Suspect { offset: offset + found.at as u64, pointer, what: INSIDE };
                LineClass::Refused(found.end.max(line), suspect, found.until)
            }
        }
    }
}

/// The keys of pieces.
const MEMBERS: [&[u8]; 4] = [b"\"content\":", b"\"text\":", b"\"response\":", b"\"delta\":"];

/// Whether a line is, as far as it goes, a string of JSON at its start, perhaps behind the kind of a piece.
fn is_quoted(line: &[u8]) -> bool {
    match line {
        [b'"', ..] => true,
        [kind, rest @ ..] => kind.is_ascii_alphanumeric() && matches!(rest, [] | [b':'] | [b':', b'"', ..]),
        [] => false,
    }
}

/// The longest sequence for colours behind a bracket, with the end of its line, in bytes.
const MAX_COLOUR_BYTES: usize = 24;

/// Where the brackets begin that a line ends with, if it does.
fn opens(line: &[u8]) -> Option<usize> {
    let mut line = line.trim_ascii_end();
    // Colours stand behind each bracket.
    while let Some(at) = memchr::memrchr(0x1B, &line[line.len().saturating_sub(MAX_COLOUR_BYTES)..]) {
        let at = line.len().saturating_sub(MAX_COLOUR_BYTES) + at;
        if at + sequence(&line[at..]) < line.len() {
            break;
        }
        line = line[..at].trim_ascii_end();
    }
    matches!(line.last(), Some(b'{' | b'[')).then(|| line.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::super::{NextLine, TextLines};
    use crate::dialect::ReadOptions;
    use crate::inline::Tags;

    /// What is given out of a text that comes in pieces.
    fn given(text: &[u8], piece: usize) -> String {
        let tags = Tags::default();
        let mut lines = TextLines::new(&tags, &ReadOptions::default());
        let (mut at, mut to, mut out) = (0, 0, Vec::new());
        while at < text.len() {
            match lines.next(&text[at..to], at as u64, to == text.len()) {
                NextLine::Clear(n) => {
                    out.extend_from_slice(&text[at..at + n]);
                    at += n;
                }
                NextLine::Refused(n, _) | NextLine::Turn(n) => at += n,
                NextLine::Need => (),
            }
            to = text.len().min(to + piece);
        }
        String::from_utf8_lossy(&out).into_owned()
    }

    #[test]
    fn values_over_lines() {
        for (text, want) in [
            ("<p>{\n  &quot;thinking&quot;: &quot;Add them up.&quot;\n}</p>\nHi\n", "<p>\nHi\n"),
            ("Got: {\n  'type': 'thinking',\n  'thinking': 'Add them up.'\n}\nHi\n", "Got: \nHi\n"),
            ("Got: {\n  type: 'text',\n  text: '<think>Add</think>'\n}\nHi\n", "Got: \nHi\n"),
            ("Got: [\n  {\n    \"text\": \"Add\",\n    \"type\": \"thinking\"\n  }\n]\nHi\n", "Got: \nHi\n"),
            ("Got: {\n  \"a\": \"b\"\n}\nHi\n", "Got: {\n  \"a\": \"b\"\n}\nHi\n"),
            ("fn f() {\n  let a = [\n  1 ];\n}\n", "fn f() {\n  let a = [\n  1 ];\n}\n"),
            ("    \"text\": \"Add\",\n    \"type\": \"thinking\"\n  }\n]\nHi\n", "Hi\n"),
            (
                "    \"text\": \"Add\",\n    \"type\": \"text\"\n  }\n]\n",
                "    \"text\": \"Add\",\n    \"type\": \"text\"\n  }\n]\n",
            ),
            ("so (x, thinking='Add a\nthem') up\nHi\n", "so (x\nHi\n"),
            ("so (x, thinking=\"Add them\", y='z')\nHi\n", "so (x\nHi\n"),
            ("so it's 'thinking': 'Add a\nthem' up\nHi\n", "so it's \nHi\n"),
            // What ends the value stands on a line that goes on.
            ("\"\":\"\\\"{\\\"thinking\\\":\\\"Add\"\n}\"\nHi\n", "Hi\n"),
        ] {
            for piece in [1000, 1, 2, 3, 7] {
                assert_eq!(given(text.as_bytes(), piece), want, "{text:?} in pieces of {piece}");
            }
        }
    }
}
