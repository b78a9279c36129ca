//! How much of a line can be given out before the rest of it has come: nothing that may turn out to be JSON, or the value
//! of a key of the vocabulary. The answer depends on the line alone, never on how much of it came at once.

use super::coded::may_be_coded;
use super::fields::ELEMENTS;
use super::keys::{Duty, is_flag, is_payload};
use super::members::{INSERT, is_element};
use super::named::{is_part, weight};
use super::pairs::{OPTIONAL, is_key, may_stand_before_key};
use super::plain::sequence;
use super::words::BEGINNINGS;
use super::yaml::member;

/// The most bytes between the quotes of a key.
const KEY: usize = 66;

/// How many bytes at the start of a line are text whatever follows. `given`: its first bytes were given out already, and these are
/// the last two of them.
pub(in crate::dialect) fn free(line: &[u8], given: Option<[u8; 2]>) -> usize {
    if let Some(given) = given {
        return end_of_text(line, 0, given);
    }
    let blank = blank(line);
    // Colours before a key go with it.
    if blank > 0 && may_be_pair(&line[blank..]) {
        return 0;
    }
    let rest = &line[blank..];
    if waits(rest) || is_string(rest) || is_row(rest) || rest.is_empty() || begins(line) {
        return 0;
    }
    // What a line begins with goes with it.
    match end_of_text(line, blank, [0; 2]) {
        n if n > blank => n,
        _ => 0,
    }
}

/// Where that ends which is text whatever follows, from `at` on. `given`: the two bytes before the line.
fn end_of_text(line: &[u8], mut at: usize, given: [u8; 2]) -> usize {
    while at < line.len() {
        at += match line[at] {
            b'{' | b'[' => {
                let next = at + 1 + blank(&line[at + 1..]);
                match line.get(next) {
                    None | Some(b'"' | b'\'' | b'\\' | b'&' | b'{' | b'[' | b'\r' | b'\n') => return at,
                    Some(b) if b.is_ascii_alphabetic() && may_be_key(&line[next..]) => return at,
                    Some(_) => 1,
                }
            }
            b'"' | b'\'' | b'\\' | b'&' => match quoted(line, at, given) {
                0 => return at,
                n => n,
            },
            b'(' | b',' => match may_be_argument(&line[at + 1..]) || is_called(line, at, given) {
                true => return at,
                false => 1,
            },
            b'C' | b'R' | b'S' | b'T' if !is_word(before(line, at, given)) && may_be_class(&line[at..]) => return at,
            _ if may_stand_before_key(before(line, at, given)) && may_be_pair(&line[at..]) => return at,
            b'<' => match element(&line[at..]) {
                true => return at,
                false => 1,
            },
            0x1B => match at + colours(&line[at..]) {
                end if end >= line.len() || may_be_pair(&line[end..]) => return at,
                end => end - at,
            },
            _ => 1,
        };
    }
    at
}

/// Whether a text may begin with a key without quotes.
fn may_be_key(text: &[u8]) -> bool {
    let word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$');
    let rest = &text[text.iter().take_while(|b| word(b)).count()..];
    matches!(rest.get(blank(rest)), None | Some(b':' | b'=')) || begins_like(rest, b"] =>")
}

/// Whether a text behind a bracket or a comma may begin with an argument that counts.
fn may_be_argument(text: &[u8]) -> bool {
    let text = &text[blank(text)..];
    let name = &text[..text.iter().take_while(|b| is_word(**b)).count()];
    let compound = || name.iter().skip(1).any(|b| *b == b'_' || b.is_ascii_uppercase());
    name.len() <= KEY
        && may_think(name)
        && match &text[name.len()..] {
            [] | [b'='] => true,
            [b'=', b'"' | b'\'', ..] => weight(name).is_some(),
            [b':' | b'=', ..] | [b' '] | [b' ', b'=', ..] if compound() && weight(name).is_some() => true,
            [b':', b' ', value @ ..] | [b':', value @ ..] if weight(name).is_some() => {
                OPTIONAL.iter().any(|some| begins_like(value, some))
            }
            [b'=', value @ ..] => std::str::from_utf8(name).is_ok_and(is_flag) && begins_like(value, b"True"),
            _ => false,
        }
}

/// Whether an object or a function stands before the bracket at an offset, with a first argument that has a name, or with
/// arguments in the lines below.
fn is_called(line: &[u8], at: usize, given: [u8; 2]) -> bool {
    let text = &line[at + 1..];
    let text = &text[colours(text)..];
    let name = text.iter().take_while(|b| is_word(**b)).count();
    let named = || name <= KEY && matches!(text.get(name), None | Some(b'='));
    line[at] == b'(' && is_word(before(line, at, given)) && (matches!(text, [b'\n'] | [b'\r', ..]) || named())
}

/// Whether a text may begin with the name of a class of reasoning.
fn may_be_class(text: &[u8]) -> bool {
    let name = &text[..text.iter().take_while(|b| is_word(**b)).count()];
    name.len() <= KEY && may_think(name) && matches!(text.get(name.len()), None | Some(b'('))
}

/// Whether a text may begin with a pair of a log that counts, or with the role in a message that is printed without brackets.
fn may_be_pair(text: &[u8]) -> bool {
    const ROLE: &[u8] = b"role=";
    let first = text.first().map_or(0, u8::to_ascii_lowercase);
    if !matches!(first, b'c' | b'r' | b's' | b't') {
        return false;
    }
    let name = &text[..text.iter().take(KEY + 1).take_while(|b| is_key(**b)).count()];
    let rest = &text[name.len()..];
    let value = match &rest[colours(rest)..] {
        [] => return name.len() <= KEY && (may_think(name) || begins_like(text, ROLE)),
        [b'=', value @ ..] => &value[colours(value)..],
        _ => return false,
    };
    let quoted = |value: &[u8]| matches!(value.first(), None | Some(b'"' | b'\'' | b'\\' | b'&'));
    let some = OPTIONAL.iter().any(|some| begins_like(value, some));
    (quoted(value) || some) && (may_think(name) && weight(name).is_some() || text.starts_with(ROLE))
}

/// Whether a name begins with a word for reasoning, or may do so when the rest of it has come.
fn may_think(name: &[u8]) -> bool {
    BEGINNINGS.iter().any(|word| {
        let n = word.len().min(name.len());
        name[..n].eq_ignore_ascii_case(&word[..n])
    })
}

/// Whether one of two texts begins with the other.
fn begins_like(text: &[u8], other: &[u8]) -> bool {
    text.starts_with(other) || other.starts_with(text)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The byte before an offset in a line. `given`: the two bytes before the line.
fn before(line: &[u8], at: usize, given: [u8; 2]) -> u8 {
    at.checked_sub(1).map_or(given[1], |at| line[at])
}

/// Whether a line may be a string as a program prints a text.
fn is_string(line: &[u8]) -> bool {
    matches!(line, [b'"' | b'\''] | [b'"' | b'\'', b'<' | b'[' | b'{' | b'\\' | 0xE2, ..])
}

/// Whether a line is, as far as it goes, a list of JSON whose first element is a number.
fn is_row(line: &[u8]) -> bool {
    let Some(inside) = line.strip_prefix(b"[") else { return false };
    let number = |b: &u8| b.is_ascii_digit() || matches!(b, b'-' | b'+' | b'.' | b'e' | b'E');
    let inside = inside.trim_ascii_start();
    let digits = inside.iter().take_while(|b| number(b)).count();
    digits > 0 && matches!(inside[digits..].trim_ascii_start(), [] | [b',', ..])
}

/// Whether a line may be a code fence, which must be known whole, also in a quotation.
fn waits(line: &[u8]) -> bool {
    let Some(mark) = line.first().filter(|b| matches!(b, b'`' | b'~' | b'>')) else { return false };
    let run = line.iter().take_while(|b| *b == mark).count();
    *mark == b'>' || run >= 3 || run == line.len()
}

/// Whether a line begins with a member of YAML that counts, a pair of a log, or a statement of SQL.
fn begins(line: &[u8]) -> bool {
    let start = line.trim_ascii_start();
    let start = start.strip_prefix(b"- ").unwrap_or(start);
    let word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    let len = start.iter().take_while(|b| word(b)).count();
    let small = start.first().is_some_and(|b| !b.is_ascii_uppercase());
    let whole = len == start.len() && len <= KEY;
    let insert = |word: &&[u8]| *word == &start[..len] || whole && word.starts_with(start);
    if whole && (small || start.is_empty()) || INSERT.iter().any(insert) || may_be_coded(line) {
        return true;
    }
    match start.get(len) {
        Some(b'=') => small && len > 0,
        Some(b':') => member(line).is_some_and(|(key, value)| {
            weight(key).is_some() || is_part(key, Duty::Kind) || is_payload(key) || is_open(value)
        }),
        Some(b' ') if small => {
            let rest = start[len..].trim_ascii_start();
            // A word of a live text does not wait for the next one.
            let counts = || weight(&start[..len]).is_some() || is_part(&start[..len], Duty::Kind);
            rest.is_empty() && counts() || rest.strip_prefix(b"=").is_some_and(is_open)
        }
        _ => false,
    }
}

/// Whether a value is a string in quotes, or has not come yet.
fn is_open(value: &[u8]) -> bool {
    matches!(value.trim_ascii_start().first(), None | Some(b'"' | b'\''))
}

/// How many bytes pass from a quote on. 0: it may begin a key that counts. `given`: the two bytes before the line.
fn quoted(line: &[u8], at: usize, given: [u8; 2]) -> usize {
    let [second, first] = match at {
        0 => given,
        1 => [given[1], line[0]],
        _ => [line[at - 2], line[at - 1]],
    };
    let prefix = matches!(first, b'b' | b'r' | b'f' | b'u') && !second.is_ascii_alphanumeric();
    let follows = line.get(at + 1).is_some_and(u8::is_ascii_alphanumeric);
    if line[at] == b'\'' && first.is_ascii_alphanumeric() && follows && !prefix {
        return 1;
    }
    let run = quotes(&line[at..]);
    let from = at + run;
    if from >= line.len() || line[at] == b'&' && line.len() - at < 6 && run == 1 {
        return 0;
    }
    if run == 1 && matches!(line[at], b'&' | b'\\') {
        return 1;
    }
    let inner = &line[from..line.len().min(from + KEY)];
    let stop = inner.iter().position(|b| matches!(b, b'"' | b'\'' | b'\\' | b'&' | b'\n' | 0x1B));
    let Some(key) = stop.map(|n| &inner[..n]) else {
        return if from + KEY > line.len() { 0 } else { run };
    };
    let mut sign = from + key.len();
    if inner[key.len()] == 0x1B {
        sign += blank(&line[sign..]);
    }
    sign += quotes(&line[sign..]);
    sign += blank(&line[sign..]);
    if line.get(sign) == Some(&b']') {
        let behind = &line[sign + 1..];
        let arrow = begins_like(&behind[blank(behind)..], b"=>");
        return if arrow && weight(key).is_some() { 0 } else { run };
    }
    match line.get(sign) {
        None => 0,
        Some(b':' | b'=' | b'>') if weight(key).is_some() || is_part(key, Duty::Kind) => 0,
        Some(_) => run,
    }
}

/// The length of a run of quotes, escaped or not, at the start of a text.
fn quotes(text: &[u8]) -> usize {
    const OTHERS: [&[u8]; 7] = [b"&quot;", b"&#34;", b"&#39;", b"&apos;", b"&#x22;", b"u0022", b"u0027"];
    let mut at = 0;
    while at < text.len() {
        at += match text[at] {
            b'"' | b'\'' | b'\\' => 1,
            b'&' | b'u' if at > 0 || text[at] == b'&' => {
                match OTHERS.iter().find(|name| text[at..].starts_with(name)) {
                    Some(name) => name.len(),
                    None if at == 0 => return 1,
                    None => break,
                }
            }
            _ => break,
        };
    }
    at
}

/// Whether a text may begin with an element of XML that has the name of a key without another use, or with a tag in colours.
fn element(text: &[u8]) -> bool {
    let word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    let name = &text[1..text.len().min(1 + KEY)];
    let name = &name[..name.iter().take_while(|b| word(b)).count()];
    match text.get(1 + name.len()) {
        None | Some(0x1B) => true,
        Some(b'/') if name.is_empty() => {
            let rest = &text[2..];
            matches!(rest.get(rest.iter().take(KEY).take_while(|b| word(b)).count()), None | Some(0x1B))
        }
        Some(b'>') => is_element(name),
        Some(b' ') => ELEMENTS.contains(&name),
        Some(_) => false,
    }
}

/// The length of the control sequences of a terminal that a text begins with.
fn colours(text: &[u8]) -> usize {
    let mut at = 0;
    while text.get(at) == Some(&0x1B) {
        at += sequence(&text[at..]);
    }
    at.min(text.len())
}

/// How many blanks and control sequences of a terminal a text begins with.
fn blank(text: &[u8]) -> usize {
    let mut at = 0;
    loop {
        match text.get(at) {
            Some(b' ' | b'\t') => at += 1,
            Some(0x1B) => at += sequence(&text[at..]),
            _ => return at.min(text.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_a_key_waits() {
        for (line, want) in [
            ("Two words, \"quoted\" ones: it's so.\n", None),
            ("web-1  | {\"a\":1}\n", Some("web-1  | ")),
            ("He said \"thinking\": \"Add them up.\"\n", Some("He said ")),
            ("x \\\"reasoning\\\": 1\n", Some("x ")),
            ("  thinking: x\n", Some("")),
            ("a=1 b=2\n", Some("")),
            ("```json\n", Some("")),
            ("`code` and {braces} and [1] and <b>\n", None),
            ("don't 'reasoning': 1", Some("don't ")),
            ("it's<reasoning_content>", Some("it's")),
            ("it's<\u{1b}[36mthink\u{1b}[0m>", Some("it's")),
            ("it's</think\u{1b}[0m>", Some("it's")),
            ("of f'x', and of'x\n", None),
            ("so, then (think of it), and f(x, thinking=1) = y\n", None),
            ("Block(id, thinking='Add them up.')\n", Some("Block(id")),
            ("Block(id='b', thinking='Add them up.')\n", Some("Block")),
            ("see Part(thought=True, text=x)\n", Some("see Part")),
            ("see Part(thought, text=x)\n", None),
            ("see ThinkingPart(text=x)\n", Some("see ")),
            ("see Message(reasoningContent=Low pressure)\n", Some("see Message")),
            ("see Message(reasoningContent: x)\n", Some("see Message")),
            ("see { Role = assistant, ReasoningContent = x }\n", Some("see ")),
            ("see Message[content=x, thinking=y]\n", Some("see Message")),
            ("see map[content:x reasoning_content:y]\n", Some("see map")),
            ("see 'reasoning']=>x and 'reasoning'], 'reasoning'] = x\n", Some("see ")),
            ("see 'reasoning'], 'reasoning'] = x\n", None),
            ("    [reasoning_content] => x\n", Some("")),
            ("f(text: x, reasoning: Some(y))\n", Some("f(text: x")),
            ("f(text: x, reasoning: y) [x] = 1, [x] == 1\n", None),
            ("so f(\n", Some("so f")),
            ("got reasoning=\"x\"\n", Some("got ")),
            ("got \u{1b}[3mreasoning\u{1b}[0m=\"x\"\n", Some("got ")),
            ("got \u{1b}[3mreason\u{1b}[0m=\"x\", --thinking='x' and `thinking='x'`\n", None),
            ("got the reasons, thinking=1, retokenised=\"x\"\n", None),
            ("The rest (Thinking of it: Total) and (reasoning: so).\n", None),
            ("<part type=\"x\">, <parts>\n", Some("")),
            ("Block(thinking=\"Add them up.\", id='b')\n", Some("Block")),
            ("it is so,", Some("it is so")),
        ] {
            let line = line.as_bytes();
            let all = free(line, None);
            assert_eq!(all, want.map_or(line.len(), str::len), "{}", String::from_utf8_lossy(line));
            // Whatever came before, the same is given out.
            let mut given = 0_usize;
            for end in 1..=line.len() {
                let last = [given.checked_sub(2), given.checked_sub(1)].map(|at| at.map_or(0, |at| line[at]));
                given += free(&line[given..end], (given > 0).then_some(last));
                assert!(given <= all, "{} at {end}", String::from_utf8_lossy(line));
            }
            assert_eq!(given, all, "{}", String::from_utf8_lossy(line));
        }
    }
}
