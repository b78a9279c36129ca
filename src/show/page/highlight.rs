//! Colours of code by the name of its fence: comments, strings, numbers and keywords of usual languages. The text stays as
//! it is; what is not known is not coloured, and a string that does not end in its line is none.

use super::super::markup;

/// The longest code that gets colours, in bytes. Longer code stays as it is.
const MAX_COLOURED_BYTES: usize = 64 << 10;

/// The most strings and comments that may lack their ends; behind them, nothing has a colour.
const MAX_OPEN_TOKENS: usize = 64;

/// The class of what begins like a string or a comment, and does not end.
const UNENDED: Option<&str> = Some("");

/// How a language is written.
#[derive(Debug)]
struct Language {
    names: &'static [&'static str],
    /// What begins a comment up to the end of the line.
    comments: &'static [&'static str],
    /// What a comment of several lines begins and ends with.
    block: Option<(&'static str, &'static str)>,
    /// The quotes of strings within a line, and of those that may have several.
    quotes: &'static str,
    long: &'static [&'static str],
    /// Words in upper case are keywords, too.
    any_case: bool,
    words: &'static str,
}

const C: Language = Language {
    names: &["c", "h", "cpp", "c++", "cc", "hpp", "cxx"],
    comments: &["//"],
    block: Some(("/*", "*/")),
    quotes: "\"'",
    long: &[],
    any_case: false,
    words: "auto bool break case catch char class const constexpr continue default delete do double else enum extern false \
        float for goto if inline int long namespace new nullptr operator private protected public register return short \
        signed sizeof static struct switch template this throw true try typedef typename union unsigned using virtual void \
        volatile while",
};

const LANGUAGES: [Language; 12] = [
    Language {
        names: &["python", "py", "python3", "pycon"],
        comments: &["#"],
        block: None,
        long: &["\"\"\"", "'''"],
        words: "False None True and as assert async await break class continue def del elif else except finally for from \
            global if import in is lambda match nonlocal not or pass raise return try while with yield",
        ..C
    },
    Language {
        names: &["javascript", "js", "jsx", "mjs", "typescript", "ts", "tsx"],
        long: &["`"],
        words: "abstract any as async await boolean break case catch class const continue debugger declare default delete do \
            else enum export extends false finally for from function if implements import in instanceof interface keyof let \
            namespace new null number of private protected public readonly return static string super switch this throw \
            true try type typeof undefined unknown var void while yield",
        ..C
    },
    Language {
        names: &["bash", "sh", "shell", "zsh"],
        comments: &["#"],
        block: None,
        quotes: "",
        long: &["\"", "'"],
        words: "case do done elif else esac export fi for function if in local return set then unset until while",
        ..C
    },
    Language { names: &["json", "jsonl"], comments: &[], block: None, quotes: "\"", words: "false null true", ..C },
    Language {
        names: &["rust", "rs"],
        quotes: "",
        long: &["\""],
        words: "Self as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod \
            move mut pub ref return self static struct super trait true type use where while unsafe",
        ..C
    },
    Language {
        names: &["go", "golang"],
        long: &["`"],
        words: "bool break case chan const continue default defer else error fallthrough false for func go goto if import \
            interface int iota make map nil package range return select string struct switch true type var",
        ..C
    },
    Language {
        names: &["java", "kotlin", "kt", "csharp", "cs", "c#", "scala", "swift"],
        words: "abstract as async await base boolean break byte case catch char class const continue data default do double \
            else enum extends false final finally float for foreach fun func get guard if implements import in init instanceof \
            int interface internal is let long namespace new nil null object open out override package private protected \
            public readonly record return sealed self set short static string struct super switch this throw throws true try \
            using val var virtual void volatile when where while",
        ..C
    },
    Language {
        names: &["sql", "postgresql", "mysql", "sqlite"],
        comments: &["--"],
        quotes: "'\"",
        any_case: true,
        words: "add all alter and as asc begin between by case check column commit constraint create cross default delete desc \
            distinct drop else end exists foreign from full group having if in index inner insert into is join key left like \
            limit not null offset on or order outer primary references right rollback select set table then union unique update \
            using values view when where with",
        ..C
    },
    Language { names: &["css", "scss"], comments: &[], words: "", ..C },
    Language { names: &["yaml", "yml"], comments: &["#"], block: None, words: "false no null true yes", ..C },
    Language { names: &["toml", "ini"], comments: &["#"], block: None, long: &["\"\"\""], words: "false true", ..C },
    C,
];

/// Writes code in the language that the fence names.
pub fn highlight(out: &mut String, fence: &str, text: &str) {
    let name = fence.split([' ', ',', '{', ':', '\t']).next().unwrap_or_default().to_ascii_lowercase();
    let language = LANGUAGES.iter().find(|language| language.names.contains(&name.as_str()));
    let Some(language) = language.filter(|_| text.len() <= MAX_COLOURED_BYTES) else { return markup::text(out, text) };
    // What is behind the last token that has a colour.
    let (mut from, mut at, mut open) = (0, 0, 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty() && open < MAX_OPEN_TOKENS) {
        let (length, class) = language.token(rest, &text[..at]);
        open += usize::from(class == UNENDED);
        if let (Some(class), Some(token)) = (class.filter(|class| !class.is_empty()), text.get(at..at + length)) {
            markup::text(out, text.get(from..at).unwrap_or_default());
            out.push_str(&format!("<span class=\"{class}\">"));
            markup::text(out, token);
            out.push_str("</span>");
            from = at + length;
        }
        at += length.max(1);
    }
    markup::text(out, text.get(from..).unwrap_or_default());
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

impl Language {
    /// The length of the first token, and its class if it has a colour.
    fn token(&self, rest: &str, before: &str) -> (usize, Option<&'static str>) {
        let Some(first) = rest.chars().next() else { return (1, None) };
        // In a shell a word may have a sign of a comment in it.
        let begins = before.chars().next_back().is_none_or(|c| c.is_whitespace() || self.block.is_some());
        if begins && self.comments.iter().any(|sign| rest.starts_with(sign)) {
            return (rest.find('\n').unwrap_or(rest.len()), Some("hc"));
        }
        if let Some((open, close)) = self.block.filter(|(open, _)| rest.starts_with(open)) {
            let end = rest[open.len()..].find(close).map(|end| open.len() + end + close.len());
            return end.map_or((open.len(), UNENDED), |end| (end, Some("hc")));
        }
        if let Some(quote) = self.long.iter().find(|quote| rest.starts_with(**quote)) {
            return end_of(rest, quote).map_or((quote.len(), UNENDED), |end| (end, Some("hs")));
        }
        if self.quotes.contains(first) {
            let quote = &rest[..first.len_utf8()];
            let line = rest.find('\n').unwrap_or(rest.len());
            return end_of(&rest[..line], quote).map_or((1, UNENDED), |end| (end, Some("hs")));
        }
        if !is_word(first) {
            return (first.len_utf8(), None);
        }
        let word = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        if first.is_ascii_digit() {
            let number = rest.find(|c: char| !is_word(c) && c != '.').unwrap_or(rest.len());
            return (number, Some("hn"));
        }
        let lower = rest[..word].to_ascii_lowercase();
        let name = if self.any_case { lower.as_str() } else { &rest[..word] };
        (word, self.words.split_ascii_whitespace().any(|known| known == name).then_some("hk"))
    }
}

/// Where the string ends that begins here, behind its last quote.
fn end_of(rest: &str, quote: &str) -> Option<usize> {
    let mut at = quote.len();
    while at < rest.len() {
        match rest.as_bytes()[at] {
            b'\\' => at += 2,
            _ if rest.as_bytes()[at..].starts_with(quote.as_bytes()) => return Some(at + quote.len()),
            _ => at += 1,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(fence: &str, text: &str) -> String {
        let mut out = String::new();
        highlight(&mut out, fence, text);
        out
    }

    #[test]
    fn tokens_have_colours() {
        let cases = [
            ("python", "def a(): # 1", "<hk>def</> a(): <hc># 1</>"),
            ("py", "x = 'it' + 1.5", "x = <hs>&#39;it&#39;</> + <hn>1.5</>"),
            ("python", "'''a\nb''' c", "<hs>&#39;&#39;&#39;a\nb&#39;&#39;&#39;</> c"),
            ("bash", "echo $# a#b # c", "echo $# a#b <hc># c</>"),
            ("sh", "don't", "don&#39;t"),
            ("rust", "fn a<'b>(c: &'b str)", "<hk>fn</> a&lt;&#39;b&gt;(c: &amp;&#39;b str)"),
            ("js", "a // b\nlet c", "a <hc>// b</>\n<hk>let</> c"),
            ("js", "/* a", "/* a"),
            ("sql", "SELECT 1 -- a", "<hk>SELECT</> <hn>1</> <hc>-- a</>"),
            ("json", "{\"a\": true}", "{<hs>&quot;a&quot;</>: <hk>true</>}"),
            ("c", "\"a\\\"b", "&quot;a\\&quot;b"),
            ("Go {.x}", "nil", "<hk>nil</>"),
            ("brainfuck", "def", "def"),
        ];
        for (fence, from, to) in cases {
            let to = to.replace("<h", "<span class=\"h").replace("</>", "</span>");
            let mut wanted = String::new();
            for (at, part) in to.split("<span class=\"h").enumerate() {
                match at {
                    0 => wanted.push_str(part),
                    _ => wanted.push_str(&format!("<span class=\"h{}", part.replacen('>', "\">", 1))),
                }
            }
            assert_eq!(html(fence, from), wanted, "{fence}: {from}");
        }
    }

    #[test]
    fn the_text_stays() {
        let texts = [
            "\"",
            "'\\",
            "/*",
            "a\\",
            "é'ü\"",
            "\"\\é\"",
            "1é",
            "`${a}`\\",
            "#",
            "--",
            "'''",
            "\u{202e}\"a\"",
            "<b>\"</b>\"",
        ];
        for language in LANGUAGES.iter().flat_map(|language| language.names) {
            for one in texts {
                for two in texts {
                    let text = format!("{one}{two}\n{two} {one}");
                    let (mut plain, mut rest) = (String::new(), html(language, &text));
                    for class in ["hc", "hs", "hn", "hk"] {
                        rest = rest.replace(&format!("<span class=\"{class}\">"), "");
                    }
                    rest = rest.replace("</span>", "");
                    markup::text(&mut plain, &text);
                    assert_eq!(rest, plain.replace("</span>", ""), "{language}: {text}");
                }
            }
        }
    }
}
