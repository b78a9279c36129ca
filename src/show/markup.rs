//! Writes text of the input into HTML and XML: none of it becomes markup, and characters that are invisible or turn the
//! direction of text are shown by their numbers.

use crate::printable::is_hidden;

/// Writes the text between tags. Newlines and tabs stay; hidden characters stand in an element of their own, so that
/// they cannot be taken for text that looks like them.
pub fn text(out: &mut String, text: &str) {
    let mut last = None;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        // Most of a text needs no escapes.
        let plain = rest.bytes().position(|byte| !is_plain(byte)).unwrap_or(rest.len());
        if plain > 0 {
            let (run, more) = rest.split_at(plain);
            out.push_str(run);
            last = run.chars().next_back();
            rest = more;
            continue;
        }
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        let next = rest.chars().next();
        match c {
            '\r' if next == Some('\n') => continue,
            c if is_unseen(c) && !belongs(last, c, next) => {
                out.push_str("<span class=\"u\">");
                out.extend(c.escape_unicode());
                out.push_str("</span>");
            }
            c => escape(out, c),
        }
        last = Some(c);
    }
}

/// Whether a byte is neither markup, nor part of a hidden character, nor of a character of several bytes.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\n' | b'\t') && !matches!(byte, b'&' | b'<' | b'>' | b'"' | b'\'' | b'`')
}

/// Writes the text for a quoted attribute, for a title, or anywhere in XML: on one line, and without elements.
pub fn attribute(out: &mut String, text: &str) {
    let mut last = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if is_unseen(c) && !belongs(last, c, chars.peek().copied()) {
            out.extend(c.escape_unicode());
        } else {
            escape(out, c);
        }
        last = Some(c);
    }
}

/// The first words of a text, on one line: at most `most` characters, and an ellipsis if there is more.
pub fn first_words(text: &str, most: usize) -> String {
    let mut words = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        let space = usize::from(length > 0);
        for (i, c) in word.chars().enumerate() {
            if length >= most {
                words.push('…');
                return words;
            }
            if i == 0 && space == 1 {
                words.push(' ');
            }
            words.push(c);
            length += 1 + if i == 0 { space } else { 0 };
        }
    }
    words
}

/// The first words of a Markdown text, without the signs of headings and of emphasis.
pub fn first_plain_words(text: &str, most: usize) -> String {
    // More words than these do not fit.
    let words = text.split_whitespace().filter(|word| !word.bytes().all(|byte| byte == b'#')).take(most + 1);
    let words: Vec<&str> = words.map(|word| word.trim_start_matches("**").trim_end_matches("**")).collect();
    first_words(&words.join(" "), most)
}

fn escape(out: &mut String, c: char) {
    match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        '\'' => out.push_str("&#39;"),
        '`' => out.push_str("&#96;"),
        c => out.push(c),
    }
}

/// Whether a character is hidden, or not allowed in XML.
fn is_unseen(c: char) -> bool {
    is_hidden(c) || matches!(c, '\u{fffe}' | '\u{ffff}')
}

/// Whether a hidden character is ordinary here: the selector or the joiner of an emoji, or a joiner between letters of
/// scripts whose spelling needs it. A single one hides nothing.
fn belongs(last: Option<char>, c: char, next: Option<char>) -> bool {
    let Some(last) = last else { return false };
    match c {
        '\u{fe0e}' | '\u{fe0f}' => {
            is_emoji(last) || (next == Some('\u{20e3}') && matches!(last, '0'..='9' | '#' | '*'))
        }
        '\u{200d}' if next.is_some_and(is_emoji) => last == '\u{fe0f}' || is_emoji(last),
        '\u{200c}' | '\u{200d}' => joins(last) && next.is_some_and(joins),
        _ => false,
    }
}

fn is_emoji(c: char) -> bool {
    matches!(c, '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{a9}' | '\u{ae}' | '\u{3030}' | '\u{303d}')
        || matches!(c, '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}' | '\u{24c2}' | '\u{25a0}'..='\u{27bf}')
        || matches!(c, '\u{2934}' | '\u{2935}' | '\u{2b05}'..='\u{2b55}' | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

/// Whether a letter is of a script that uses joiners: Arabic, and scripts of India.
fn joins(c: char) -> bool {
    matches!(c, '\u{620}'..='\u{6ff}' | '\u{750}'..='\u{77f}' | '\u{900}'..='\u{dff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(from: &str) -> String {
        let mut out = String::new();
        text(&mut out, from);
        out
    }

    fn quoted(from: &str) -> String {
        let mut out = String::new();
        attribute(&mut out, from);
        out
    }

    #[test]
    fn markup_is_text() {
        assert_eq!(
            html("<b a=\"1\" c='2' d=`3`>&amp;"),
            "&lt;b a=&quot;1&quot; c=&#39;2&#39; d=&#96;3&#96;&gt;&amp;amp;"
        );
        assert_eq!(html("rain\r\nby\tnoon\n"), "rain\nby\tnoon\n");
    }

    #[test]
    fn hidden_characters_are_seen() {
        let seen = |number: &str| format!("<span class=\"u\">\\u{{{number}}}</span>");
        let cases = [
            ("\u{1b}[31m", seen("1b") + "[31m"),
            ("a\rb", format!("a{}b", seen("d"))),
            ("\u{202e}gpj", seen("202e") + "gpj"),
            ("a\u{fe0f}", format!("a{}", seen("fe0f"))),
            ("☂\u{fe0f}", "☂\u{fe0f}".into()),
            ("☂\u{fe0f}\u{fe0f}", format!("☂\u{fe0f}{}", seen("fe0f"))),
            ("👩\u{200d}🚀", "👩\u{200d}🚀".into()),
            ("👩\u{200d}", format!("👩{}", seen("200d"))),
            ("1\u{fe0f}\u{20e3}", "1\u{fe0f}\u{20e3}".into()),
            ("می\u{200c}شود", "می\u{200c}شود".into()),
            ("a\u{200c}b", format!("a{}b", seen("200c"))),
            ("\u{ffff}", seen("ffff")),
        ];
        for (from, to) in cases {
            assert_eq!(html(from), to, "{from:?}");
        }
    }

    #[test]
    fn attributes_stand_on_one_line() {
        assert_eq!(quoted("a\"b\nc\u{202e}"), "a&quot;b\\u{a}c\\u{202e}");
        assert_eq!(quoted("runs/größe 天気 ☂\u{fe0f}.jsonl"), "runs/größe 天気 ☂\u{fe0f}.jsonl");
    }

    #[test]
    fn the_first_words_of_a_text() {
        let cases = [
            ("", ""),
            ("  Will it\n rain? ", "Will it rain?"),
            ("Will it rain on Sunday?", "Will it rain o…"),
            ("Willitrainonsunday", "Willitrainons…"),
            ("Will it rain?", "Will it rain?"),
        ];
        for (from, to) in cases {
            assert_eq!(first_words(from, 13), to);
        }
    }

    #[test]
    fn words_of_markdown_have_no_signs() {
        for (from, to) in [
            ("## Rain\n\n**by noon**", "Rain by noon"),
            ("2**10 # is", "2**10 is"),
            ("**Rain by noon, and more** of it", "Rain by noon, and…"),
        ] {
            assert_eq!(first_plain_words(from, 17), to);
        }
    }
}
